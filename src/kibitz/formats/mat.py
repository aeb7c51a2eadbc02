"""JellyFish's match text, .mat, in all its dialects: Galaxy, Studio and Heroes, XG, gnubg, GridGammon, Snowie, plain.

A file is a header of ';' lines, 'N point match', and games in two columns: the left one is player 0. Where the columns
stand differs, and long plays push the right one away, so a line is cut where a cell begins: at a roll or a known word.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.headers import HeaderReader
from kibitz.formats.limits import MAX_LINE, decode_text, split_lines
from kibitz.record import Match

NAME = "mat"

_LENGTH = re.compile(r"^\s*(-?\d{1,5})[ -]?point match", re.IGNORECASE)
_ONLY_LENGTH = re.compile(r"-?\d+[ -]?point match", re.IGNORECASE)
_MONEY = re.compile(r"^\s*(unlimited|money) (match|session|game)", re.IGNORECASE)
_GAME = re.compile(r"^\s*Game\s+(\d{1,6})\s*$", re.IGNORECASE)
_SCORE = re.compile(r":\s*(-?\d{1,5})(?=\s)")
_LAST_SCORE = re.compile(r"\s*(-?\d{1,5})\s*")
_ROW = re.compile(r"(?<=\s)\d{1,5}\)(?=\s)")
_NUMBER = re.compile(r"^\s*\d{1,5}\)")
_CELL = re.compile(
    r"(?:(?<=[\s)])|^)(?:(?P<dice>[0-6]{2})\s?:(?!\S{0,99}:)(?P<gives_up>\s*(?:concedes?|resigns?)\b)?"
    r"|(?P<word>(?:re)?doubles|beavers?|raccoons?|takes|accepts|drops|passes|rejects|wins|loses|losses|concedes|resigns)\b)",
    re.IGNORECASE,
)
_RATING = re.compile(r"(.+),(\d{3,4})")
_SET_POSITION = re.compile(r"Set Pos=([-a-pA-P]{26})/(-?\d{1,2})", re.IGNORECASE)
_SNOWIE = re.compile(r"illegal play\s*\((.*)\)?", re.IGNORECASE)
_POINTS = re.compile(r"\s*(\d{1,6})")
CRAWFORD_NOTES = {"Crawford game": True, "Not the Crawford game": False}
"""What a comment above a game says where the score alone would say otherwise."""
_DANCES = {"cannot move", "can't move", "no move", "no legal move", "dances", "no play"}
_SLACK = 4  # how far left of the second name a right cell may begin


def looks_like(text: str) -> bool:
    """Whether text is a .mat file."""
    lines = [line.strip()[:MAX_LINE] for line in text.splitlines()]
    if not any(_GAME.match(line) for line in lines):
        return any(_ONLY_LENGTH.fullmatch(line) for line in lines)
    return any(_players(line) for line in lines)


def read(data: bytes, file: str = "") -> Match:
    """Read a .mat file."""
    text = decode_text(data)
    if not looks_like(text):
        raise FormatError("a .mat file has a line 'N point match' and games under 'Game N', none of which is here")
    return _Reader(file).read(text)


class _Players(NamedTuple):
    """Names and scores above a game, and where the second name stands."""

    first: str
    first_score: int
    second: str
    second_score: int
    column: int


def _players(line: str) -> _Players | None:
    """What 'name : score   name : score' says; names may have colons in them, as long as no score follows."""
    last = line.rfind(":")
    right = _LAST_SCORE.fullmatch(line, last + 1)
    left = _SCORE.search(line, 0, max(last, 0))
    if right is None or left is None:
        return None
    rest = line[left.end() : last]
    column = left.end() + len(rest) - len(rest.lstrip())
    return _Players(line[: left.start()].strip(), int(left[1]), rest.strip(), int(right[1]), column)


class _Reader:
    def __init__(self, file: str) -> None:
        self.builder = MatchBuilder(NAME, file)
        self.header = HeaderReader(self.builder)
        self.game: GameBuilder | None = None
        self.named = True  # whether the running game's player line has been seen
        self.right = 33  # where the right column begins
        self.conceded: int | None = None
        self.lost: tuple[int, int] | None = None
        self.length_seen = False

    def read(self, text: str) -> Match:
        """All lines, in order."""
        for number, line in enumerate(split_lines(text), start=1):
            if line.strip():
                try:
                    self.line(line.rstrip(), number)
                except KibitzError as error:
                    self.builder.warn(str(error), number)
        self.end_game()
        self.header.finish()
        if not self.builder.games:
            self.builder.warn("the file holds no game")
        return self.builder.build()

    def line(self, line: str, number: int) -> None:
        """One line that is not blank."""
        first = line.lstrip()[0]
        if first in ";#":
            self.comment(line.lstrip()[1:].strip())
            return
        line = line[:MAX_LINE]
        if found := _LENGTH.match(line):
            self.length(int(found[1]), number)
        elif _MONEY.match(line):
            self.length(0, number)
        elif _GAME.match(line):
            self.end_game()
            self.game, self.named = None, False
        elif not self.named:
            self.start_game(line, number)
        elif self.game is None:
            # Free text above the first game: hand-made files have such titles.
            self.builder.comments.append(line.strip())
        else:
            self.rows(self.game, line, number)

    def comment(self, text: str) -> None:
        """A ';' line: a header, a set position, or just a comment."""
        if self.game is not None and text in CRAWFORD_NOTES and not self.game.actions:
            self.game.set_crawford(CRAWFORD_NOTES[text])
        elif self.game is not None and (found := _SET_POSITION.search(text)):
            self.set_position(self.game, found[1], int(found[2]))
        elif self.game is None and not self.builder.games and self.header.line(text):
            return
        elif self.game is not None:
            self.game.add_comment(text)
        elif text and not self.builder.games:
            self.builder.comments.append(text)

    def length(self, length: int, number: int) -> None:
        """'N point match'."""
        if self.length_seen and length != self.builder.length:
            self.builder.warn(f"a second match of {length} points begins here; only one is read", number)
            return
        self.length_seen = True
        if length < 0 or length > 999:
            self.builder.warn(f"a match to {length} points; read as a money session", number)
            length = 0
        self.builder.length = length

    def start_game(self, line: str, number: int) -> None:
        """The line with names and scores."""
        found = _players(line)
        self.named = True
        self.header.finish()
        if found is None:
            self.builder.warn(f"expected 'name : score   name : score', not {line.strip()[:60]!r}", number)
            self.game = self.builder.start_game(line=number)
            self.cells(self.game, line, number)
            return
        names = []
        for index, name in enumerate((found.first, found.second)):
            if rated := _RATING.fullmatch(name):
                name = rated[1]
                ratings = list(self.builder.ratings)
                ratings[index] = rated[2]
                self.builder.ratings = (ratings[0], ratings[1])
            names.append(name or self.header.name(index))
        if not self.builder.games:
            self.builder.players = (names[0], names[1])
            self.header.assign_ratings()
        elif tuple(names) == self.builder.players[::-1] and names[0] != names[1]:
            self.builder.warn("the players have changed columns; read as they stand", number)
        self.right = found.column
        self.game = self.builder.start_game((found.first_score, found.second_score), line=number)

    def end_game(self) -> None:
        """The last line of a game has been seen."""
        if self.game is not None and self.conceded is not None and self.game.result is None:
            self.game.resign(self.conceded, 1)
        elif self.game is not None and self.lost is not None and self.game.result is None:
            self.game.finish(1 - self.lost[0], self.lost[1])
        self.conceded = self.lost = None

    # --- the two columns --------------------------------------------------------------------------------------------

    def rows(self, game: GameBuilder, line: str, number: int) -> None:
        """A line of the game. Galaxy may begin another row in the middle of one: '43: 21/18 18/14   24)  Losses …'."""
        first = _NUMBER.match(line)
        cuts = [found.start() for found in _ROW.finditer(line, first.end())] if first else []
        for start, end in pairwise([0, *cuts, len(line)]):
            self.cells(game, line[start:end], number)

    def cells(self, game: GameBuilder, line: str, number: int) -> None:
        """A row of one or two cells."""
        prefix = _NUMBER.match(line)
        start = prefix.end() if prefix else 0
        found = list(_CELL.finditer(line, start))
        if not found:
            rest = line[start:].strip()
            if rest.startswith((";", "#")):
                self.comment(rest[1:].strip())
            elif rest:
                self.builder.warn(f"not understood: {rest[:60]!r}", number)
            return
        if lost := line[start : found[0].start()].strip():
            self.builder.warn(f"not understood: {lost[:60]!r}", number)
        if len(found) > 2:
            self.builder.warn(
                f"more than two cells in a line; the last ones are ignored: {line.strip()[:60]!r}", number
            )
        ends = [cell.start() for cell in found[1:]] + [len(line)]
        for index, (cell, end) in enumerate(zip(found[:2], ends, strict=False)):
            alone_right = len(found) == 1 and cell.start() >= self.right - _SLACK and self.right > 8
            player = 1 if alone_right else index
            rest = line[cell.end() : end].strip()
            if cell["gives_up"]:
                self.conceded = player
                self.roll(game, player, cell["dice"], "?", number)
            elif cell["dice"]:
                self.roll(game, player, cell["dice"], rest, number)
            else:
                self.word(game, player, cell["word"].lower(), rest, number)

    def roll(self, game: GameBuilder, player: int, digits: str, text: str, number: int) -> None:
        """'31: 8/5 6/5' and what else may stand behind a roll."""
        lower = text.lower().strip(" .")
        if digits == "00":
            if text.strip("? "):
                self.builder.warn(f"a play without a roll: {text[:60]!r}", number)
            return
        dice = Dice.of(digits)
        if text and not text.strip("? "):
            game.roll(player, dice, played=False, line=number)
        elif lower in _DANCES:
            game.roll(player, dice, steps=[], line=number)
        elif found := _SNOWIE.match(text):
            self.illegal_play(game, player, dice, found[1], number)
        else:
            game.roll(player, dice, text=text, line=number)

    def word(self, game: GameBuilder, player: int, word: str, rest: str, number: int) -> None:
        """A cube action or an end."""
        value = _POINTS.match(rest.replace("=>", "").replace("to", ""))
        if word in ("doubles", "redoubles"):
            if game.double(player, number) and value and int(value[1]) != 2 * game.replay.value:
                self.builder.warn(f"the cube goes to {value[1]}, where {2 * game.replay.value} was expected", number)
        elif word.startswith("beaver"):
            game.beaver(player, number)
        elif word.startswith("raccoon"):
            game.raccoon(player, number)
        elif word in ("takes", "accepts"):
            game.take(player, number)
        elif word in ("drops", "passes", "rejects"):
            game.drop(player, number)
        elif word in ("concedes", "resigns"):
            self.conceded = player
        elif value is None:
            self.builder.warn(f"how many points? {word} {rest[:40]!r}", number)
        elif word == "wins":
            points = int(value[1])
            game.finish(self.winner(game, player, points, rest, number), points, line=number)
        elif self.lost is None:
            self.lost = player, int(value[1])  # Galaxy's; the winner's cell usually follows, and it decides

    def winner(self, game: GameBuilder, player: int, points: int, rest: str, number: int) -> int:
        """Who wins a game that somebody has given up, or that ends the match: the columns are not always right."""
        opponent, length = 1 - player, self.builder.length
        totals = [score + points for score in game.score]
        if game.replay.is_over or game.damaged:
            return player
        if self.conceded == player:
            self.builder.warn("the one who concedes is said to win; the other one does", number)
            return opponent
        if "the match" in rest.lower() and length and totals[player] < length <= totals[opponent]:
            names = self.builder.players
            self.builder.warn(
                f"with {points} points {names[player]} does not win the match, {names[opponent]} does", number
            )
            return opponent
        return player

    def illegal_play(self, game: GameBuilder, player: int, dice: Dice, line: str, number: int) -> None:
        """Snowie writes the position that an illegal play led to."""
        from kibitz.formats.snowie import parse_position_line

        state = parse_position_line(line)
        game.roll(player, dice, played=False, line=number)
        on_roll = state.turn
        position = state.position
        game.setup(on_roll, position, state.match.cube.value, state.match.cube.owner, number)
        self.builder.warn(f"an illegal play of {dice}; the board is set to what it led to", number)

    def set_position(self, game: GameBuilder, places: str, cube: int) -> None:
        """XG's '; Set Pos=': an XGID's places, seen by the left player, and the cube, negative if that player's."""
        from kibitz.notation.xgid import parse_xgid

        owner = (cube < 0) - (cube > 0)
        state = parse_xgid(f"XGID={places}:{abs(cube)}:{owner}:1:00:0:0:0:0:15")
        game.setup(0, state.position, state.match.cube.value, state.match.cube.owner)
