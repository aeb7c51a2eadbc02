"""What the texts that show one position share: an XGID, names, perhaps a roll, and numbers in several languages."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kibitz.decision import Evaluation
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.analyses import PlayRow
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.limits import lines_of
from kibitz.formats.plays import find_play
from kibitz.notation.xgid import parse_xgid
from kibitz.record import Match, Roll, Rules
from kibitz.state import Offer, State

XGID = re.compile(r"XGID=(\S+)")
NUMBER = r"[-+\u2212]?\d{1,6}[.,]\d{1,12}"


def to_float(text: str) -> float:
    """A number with a point or a comma, and with any kind of minus."""
    return float(text.replace(",", ".").replace("\u2212", "-"))


def read_positions(builder: MatchBuilder, text: str) -> list[tuple[State, list[str], int]]:
    """The states of all XGIDs in a text, each with the lines that belong to it and the number of the first."""
    lines = lines_of(text)
    marks = [number for number, line in enumerate(lines) if XGID.search(line)]
    found = []
    for index, mark in enumerate(marks[:1000]):
        # Lines above the first XGID belong to it (BGBlitz draws the board first); later ones begin at their board.
        start = 0 if index == 0 else board_above(lines, mark, marks[index - 1])
        end = len(lines) if index + 1 == len(marks) else board_above(lines, marks[index + 1], mark)
        xgid = XGID.search(lines[mark])
        assert xgid is not None
        try:
            found.append((parse_xgid(xgid[0]), lines[start:end], start + 1))
        except KibitzError as error:
            builder.warn(str(error), mark + 1)
    if not found:
        raise FormatError("the text has no XGID that can be read")
    return found


def board_above(lines: list[str], mark: int, after: int) -> int:
    """Where the text of an XGID begins: at the drawn board right above it, if there is one, else at its line."""
    top = None
    for number in range(mark - 1, max(after, mark - 25), -1):
        if re.match(r"\s*\+1[23]-1[14]", lines[number]):
            top = number
            if "24-23" in lines[number] or "13-14" in lines[number]:
                break
    return mark if top is None else top


def start_position(
    builder: MatchBuilder, state: State, names: tuple[str, str] | None, line: int, setup_notes: dict[str, Any]
) -> GameBuilder | None:
    """A game that begins with this state. Player 1 is the bottom player, X; names are (O, X)."""
    match = state.match
    if not builder.games:
        builder.length, builder.variant = match.length, match.variant
        builder.rules = Rules(
            crawford=True, jacoby=match.jacoby and match.is_money, beavers=match.beavers, max_cube=match.max_cube
        )
        if names is not None:
            builder.players = names
    elif builder.length != match.length:
        builder.warn(f"a position of a match to {match.length} among those of one to {builder.length}; left out", line)
        return None
    score = (match.my_score, match.their_score) if state.turn == 0 else (match.their_score, match.my_score)
    game = builder.start_game(score, crawford=match.crawford, line=line)
    game.setup(state.turn, state.position, match.cube.value, match.cube.owner, line, **setup_notes)
    if state.offer is Offer.DOUBLE:
        game.double(state.turn, line, cube=setup_notes.get("cube"))
    return game


def add_roll(game: GameBuilder, state: State, candidates: list[tuple[str, dict[str, Any]]], line: int) -> None:
    """The roll of a state that has one, with the plays that the text ranks."""
    if state.dice is None:
        return
    found = []
    for text, details in candidates:
        try:
            play, legal = find_play(state.position, state.dice, text=text)
        except KibitzError as error:
            game.match.warn(f"the play {text!r} is left out: {error}", line)
            continue
        if not legal or play is None:
            game.match.warn(f"the play {text!r} is not legal; left out", line)
            continue
        found.append(PlayRow(play, **details))
    game.roll(state.turn, state.dice, played=False, plays=found, line=line)


def check_pips(builder: MatchBuilder, state: State, bottom: int, top: int, line: int) -> None:
    """Tell when the printed pip counts are not those of the position."""
    mine, theirs = state.position.pips if state.turn == 1 else state.position.pips[::-1]
    if (mine, theirs) != (bottom, top):
        builder.warn(f"the pip counts are printed as {bottom} and {top}, but are {mine} and {theirs}", line)


def percentages(*values: str) -> Evaluation:
    """win, gammon and backgammon of both sides in percent, as chances."""
    return Evaluation.of([round(to_float(value) / 100, 6) for value in values])


def build(builder: MatchBuilder) -> Match:
    """The match; a position alone has no result, whatever the score."""
    match = builder.build()
    games = tuple(
        replace(game, result=None) if not any(isinstance(a, Roll) and a.moves for a in game.actions) else game
        for game in match.games
    )
    return replace(match, games=games)
