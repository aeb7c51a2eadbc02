"""Snowie's text: a position as one line of numbers between semicolons. (Its matches are .mat files.)

The fields: match length; Jacoby; two more; the player on roll; two names; Crawford; two scores; cube; its owner (1 the
player on roll, -1 the other); that player's bar, points 1 to 24 seen by that player (own positive), the other bar; two
dice.
"""

from __future__ import annotations

import re

from kibitz.cube import Cube, Owner
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.builder import MatchBuilder
from kibitz.formats.limits import decode_text, lines_of
from kibitz.match import MatchState
from kibitz.position import Position
from kibitz.record import Match, Rules
from kibitz.state import State

NAME = "snowie"

_FIELDS = 40
_LINE = re.compile(
    r"^\s*\d{1,4};[01];[^;]*;[^;]*;[01];[^;]*;[^;]*;[01];\d+;\d+;\d+;-?[01];(?:-?\d+;){26}[0-6];[0-6];?\s*$"
)


def looks_like(text: str) -> bool:
    """Whether text holds a Snowie position."""
    return any(_LINE.match(line) for line in text.splitlines()[:100])


def read(data: bytes, file: str = "") -> Match:
    """Read Snowie positions, one a line; each becomes a game of its own."""
    text = decode_text(data)
    if not looks_like(text):
        raise FormatError(f"a Snowie position is a line of {_FIELDS} fields between semicolons; there is none")
    builder = MatchBuilder(NAME, file)
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip():
            continue
        try:
            state = parse_position_line(line)
        except KibitzError as error:
            builder.warn(str(error), number)
            continue
        match = state.match
        if not builder.games:
            builder.length = match.length
            builder.rules = Rules(jacoby=match.jacoby and match.is_money)
            names = state.names or ("", "")
            on_roll, other = names[0] or "Player 1", names[1] or "Player 2"
            builder.players = (on_roll, other) if state.turn == 0 else (other, on_roll)
        elif match.length != builder.length:
            builder.warn(f"a position of a match to {match.length} among those of one to {builder.length}", number)
            continue
        score = (match.my_score, match.their_score) if state.turn == 0 else (match.their_score, match.my_score)
        game = builder.start_game(score, crawford=match.crawford, line=number)
        game.setup(state.turn, state.position, match.cube.value, match.cube.owner, number)
        if state.dice is not None:
            game.roll(state.turn, state.dice, played=False, line=number)
    return builder.build()


def parse_position_line(line: str) -> State:
    """The state of one line."""
    fields = line.strip().rstrip(")").split(";")
    if len(fields) == _FIELDS + 1 and not fields[-1].strip():
        fields.pop()
    if len(fields) < _FIELDS:
        raise FormatError(f"a Snowie position has {_FIELDS} fields, not {len(fields)}")
    names = fields[5].strip(), fields[6].strip()
    numbers = [_number(field, index) for index, field in enumerate(fields[:_FIELDS]) if index not in (2, 3, 5, 6)]
    length, jacoby, turn, crawford, first, second, cube, owner = numbers[:8]
    places = numbers[8:34]
    die1, die2 = numbers[34:36]
    if turn not in (0, 1):
        raise FormatError(f"the player on roll is {turn}, not 0 or 1")
    mine = [max(places[point], 0) for point in range(1, 25)] + [abs(places[0])]
    theirs = [max(-places[25 - point], 0) for point in range(1, 25)] + [abs(places[25])]
    scores = (first, second) if turn == 0 else (second, first)
    match = MatchState(
        length=length,
        my_score=scores[0],
        their_score=scores[1],
        cube=Cube(cube, {1: Owner.MINE, -1: Owner.THEIRS}.get(owner, Owner.CENTRED)),
        crawford=bool(crawford) and length > 0,
        jacoby=bool(jacoby),
        max_cube=max(1024, cube),
    )
    dice = Dice(die1, die2) if die1 and die2 else None
    return State(Position(mine, theirs), match, dice, turn=turn, names=names if turn == 0 else names[::-1])


def _number(field: str, index: int) -> int:
    text = field.strip()
    if not re.fullmatch(r"-?\d{1,5}", text):
        raise FormatError(f"field {index} of a Snowie position is {text[:20]!r}, not a number")
    return int(text)
