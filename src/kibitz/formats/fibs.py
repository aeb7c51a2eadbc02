"""FIBS' record of a match, as its command `oldmoves` prints it.

    Score is 0-0 in a 5 point match.
    ann is X - bob is O
    X: (6 1) 13-7 8-7
    O: (4 2) 17-21 19-21
    X: doubles
    O: accepts

X is named first and is player 0. FIBS numbers the points of the board, so that one side goes up: which one shows in
each move. Bar and off are words.
"""

from __future__ import annotations

import re

from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.limits import decode_text, lines_of
from kibitz.position import BAR
from kibitz.record import Match

NAME = "fibs"

_SCORE = re.compile(r"^\s*Score is (\d{1,4})-(\d{1,4}) in an? (?:(\d{1,4})[ -]point|unlimited)", re.IGNORECASE)
_PLAYERS = re.compile(r"^\s*(\S+) is X - (\S+) is O\s*$")
_ACTION = re.compile(r"^\s*([XO]): (.*)$")
_ROLL = re.compile(r"^\(([1-6])[ ,]+([1-6])\)\s*:?\s*(.*)$")
_STEP = re.compile(r"(bar|off|\d{1,2})[-/](bar|off|\d{1,2})\*?", re.IGNORECASE)
_POINTS = re.compile(r"(\d{1,5}) points?")


def looks_like(text: str) -> bool:
    """Whether text is a FIBS record."""
    return any(_PLAYERS.match(line) for line in text.splitlines()[:2000])


def read(data: bytes, file: str = "") -> Match:
    """Read a FIBS record."""
    text = decode_text(data)
    if not looks_like(text):
        raise FormatError("a FIBS record has lines 'NAME is X - NAME is O', none of which is here")
    builder = MatchBuilder(NAME, file)
    game: GameBuilder | None = None
    swapped = False  # whether X of this game is player 1
    score = (0, 0)
    for number, line in enumerate(lines_of(text), start=1):
        if found := _SCORE.match(line):
            score = int(found[1]), int(found[2])
            length = int(found[3] or 0)
            if builder.games and length != builder.length:
                builder.warn(f"a match to {length} points begins; only the first match is read", number)
                break
            builder.length = length
        elif found := _PLAYERS.match(line):
            names = found[1], found[2]
            if not builder.games:
                builder.players = names
            swapped = names == builder.players[::-1] and names[0] != names[1]
            told = score[::-1] if swapped else score
            if builder.games and told != builder.expected_score and told[::-1] == builder.expected_score:
                told = told[::-1]  # FIBS is known to print scores the wrong way round
            game = builder.start_game(told, line=number)
        elif (found := _ACTION.match(line)) and game is not None:
            player = "XO".index(found[1]) ^ swapped
            try:
                _read_action(builder, game, player, found[2].strip(), number)
            except KibitzError as error:
                builder.warn(str(error), number)
        elif line.strip() and game is not None:
            builder.warn(f"not understood: {line.strip()[:60]!r}", number)
    return builder.build()


def _read_action(builder: MatchBuilder, game: GameBuilder, player: int, text: str, line: int) -> None:
    lower = text.lower()
    if found := _ROLL.match(text):
        dice = Dice(int(found[1]), int(found[2]))
        rest = found[3].strip(" .")
        if not rest or "can't move" in rest.lower() or "cannot move" in rest.lower():
            game.roll(player, dice, text="" if not rest else None, steps=[] if rest else None, line=line)
            return
        pairs = _STEP.findall(rest)
        if _STEP.sub("", rest).strip(" ,"):
            builder.warn(f"not understood: {rest[:60]!r}", line)
        game.roll(player, dice, steps=[_step(source, target) for source, target in pairs], line=line)
    elif lower.startswith(("doubles", "redoubles")):
        game.double(player, line)
    elif lower.startswith("accepts"):
        if not lower.startswith("accepts and wins"):
            game.take(player, line)
    elif lower.startswith(("rejects", "gives up", "drops", "passes")):
        game.drop(player, line)
    elif lower.startswith("beavers"):
        game.beaver(player, line)
    elif lower.startswith("raccoons"):
        game.raccoon(player, line)
    elif lower.startswith("wins"):
        points = _POINTS.search(lower)
        if points:
            game.finish(player, int(points[1]), line=line)
        elif not game.replay.is_over and game.result is None:
            game.resign(1 - player, 1, line)
    elif not lower.startswith(("wants to resign", "resigns")):
        builder.warn(f"not understood: {text[:60]!r}", line)


def _step(source: str, target: str) -> tuple[int, int]:
    """A step in the mover's numbering, turned round if the mover goes up."""
    if source.lower() == "off" or target.lower() == "bar":
        raise FormatError(f"no step leads from {source} to {target}")
    start = BAR if source.lower() == "bar" else int(source)
    end = 0 if target.lower() == "off" else int(target)
    if source.lower() == "bar":
        upward = 0 < end <= 6
    elif target.lower() == "off":
        upward = start >= 19
    else:
        upward = end > start
    if upward:
        start = BAR if source.lower() == "bar" else 25 - start
        end = 0 if target.lower() == "off" else 25 - end
    return start, end
