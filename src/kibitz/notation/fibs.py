"""The board lines of FIBS, the First Internet Backgammon Server: `board:` and 52 more fields with colons between them.

The line is told by a player called You. Field by field: two names, match length (9999 for a money game), your score,
the opponent's; 26 counts, of which 1 to 24 are points and the outer two the bars, positive for one colour and
negative for the other; whose turn it is by colour; your dice, the opponent's dice; cube; whether you may double,
whether the opponent may; whether a double awaits its answer; your colour; your direction (-1 towards point 1, 1
towards point 24); the places of your home and of your bar; borne off by you and by the opponent; on the bar, you and
the opponent; how many checkers can move; forced moves; whether the Crawford game is past; and a last flag that is 0
in the Crawford game.

We write colour 1 and direction -1, as most do, and read all.
"""

from __future__ import annotations

import re

from kibitz.cube import Cube, Owner
from kibitz.errors import NotationError
from kibitz.match import MatchState, match_defects
from kibitz.notation.reading import Reading
from kibitz.position import CHECKERS, Position, position_defects
from kibitz.state import GameStatus, Offer, State

PREFIX = "board:"
UNLIMITED = 9999
"""How FIBS writes the length of a money game."""

_FIELDS = 53
_MAX_CUBE = 1024
_NUMBERS = (
    ["the match length", "your score", "the opponent's score"]
    + [f"the count of place {place}" for place in range(26)]
    + ["the turn", "your first die", "your second die", "the opponent's first die", "the opponent's second die"]
    + ["the cube", "whether you may double", "whether the opponent may double", "whether a double was offered"]
    + ["your colour", "your direction", "the place of your home", "the place of your bar"]
    + ["your checkers off", "the opponent's checkers off", "your checkers on the bar", "the opponent's on the bar"]
    + ["the number of checkers that can move", "the forced move", "the post-Crawford flag", "the last flag"]
)


def parse_fibs(text: str) -> State:
    """The state of a FIBS board line. You are player 1, the opponent is player 0."""
    line = text.strip()
    reading = Reading("FIBS board", line)
    fields = line.split(":")
    if fields[0].lower() != "board":
        reading.unreadable("it does not begin with 'board:'")
    if len(fields) != _FIELDS:
        reading.unreadable(f"it has {len(fields)} fields instead of {_FIELDS}")
    reading.finish()
    names = (fields[1], fields[2])
    numbers = [reading.number(field, name, -99999, 99999) for field, name in zip(fields[3:], _NUMBERS, strict=True)]
    length, your_score, their_score = numbers[:3]
    places = numbers[3:29]
    turn, *dice = numbers[29:34]
    cube, you_may, they_may, doubled, colour, direction = numbers[34:40]
    if length == UNLIMITED:
        length = 0
    if colour not in (1, -1) or direction not in (1, -1):
        reading.unreadable(f"your colour is {colour} and your direction {direction}; each is 1 or -1")
        reading.finish()
    if turn not in (1, 0, -1):
        reading.unreadable(f"the turn is {turn}, not 1, 0 or -1")

    you, they = _rows(places, colour, direction)
    _check_totals(reading, you, they, numbers[42:46])
    your_turn = turn in (colour, 0)
    needed = (length - your_score, length - their_score)
    crawford = length > 0 and numbers[48:50] == [0, 0] and 1 in needed and (length == 1 or needed != (1, 1))
    if not (you_may or they_may or crawford or any(dice)):
        doubled = 1  # how gnubg tells it
    yours, mine = Owner.CENTRED, dice[:2] if your_turn else dice[2:]
    if cube > 1 and bool(you_may) != bool(they_may):
        yours = Owner.MINE if you_may else Owner.THEIRS
    elif cube > 1 and not you_may and not they_may and doubled:
        yours = Owner.MINE if your_turn else Owner.THEIRS  # a redouble: who turned the cube owns it
    roll = None if doubled else reading.dice(*mine)
    rows = (you, they) if your_turn else (they, you)
    scores = (your_score, their_score) if your_turn else (their_score, your_score)
    max_cube = max(_MAX_CUBE, cube)
    reading.note(position_defects(*rows))
    reading.note(match_defects(length, *scores, cube, crawford, _MAX_CUBE if max_cube & (max_cube - 1) else max_cube))
    return reading.make(
        lambda: State(
            Position(*rows),
            MatchState(
                length=length,
                my_score=scores[0],
                their_score=scores[1],
                cube=Cube(cube, yours if your_turn else yours.swapped()),
                crawford=crawford,
                max_cube=max_cube,
            ),
            dice=roll,
            offer=Offer.DOUBLE if doubled else Offer.NONE,
            turn=1 if your_turn else 0,
            names=names if your_turn else names[::-1],
            status=GameStatus.PLAYING if turn else GameStatus.OVER,
        )
    )


def format_fibs(state: State) -> str:
    """The FIBS board line of a state, told by player 1. It has no place for money rules or the highest cube."""
    match = state.match
    if state.offer not in (Offer.NONE, Offer.DOUBLE):
        raise NotationError(f"a FIBS board cannot say that something ({state.offer.value}) awaits its answer")
    your_turn = state.turn == 1
    position = state.position if your_turn else state.position.swapped()
    seen = match if your_turn else match.swapped()
    names = state.names or (("You", "Opponent") if your_turn else ("Opponent", "You"))
    names = names if your_turn else names[::-1]
    places = [-position.theirs[24]]
    places += [position.mine[slot] - position.theirs[23 - slot] for slot in range(24)]
    places.append(position.mine[24])
    turn = 0 if state.status is GameStatus.OVER else 1 if your_turn else -1
    roll = list(state.dice) if state.dice else [0, 0]
    off = position.off(match.variant)
    fields = [
        *(re.sub(r"[:\s]", "_", name) for name in names),
        match.length or UNLIMITED,
        seen.my_score,
        seen.their_score,
        *places,
        turn,
        *(roll if your_turn else [0, 0]),
        *([0, 0] if your_turn else roll),
        match.cube.value,
        int(seen.cube.owner is not Owner.THEIRS),
        int(seen.cube.owner is not Owner.MINE),
        int(state.offer is Offer.DOUBLE),
        *(1, -1, 0, 25),
        *off,
        position.mine[24],
        position.theirs[24],
        *(0, 0),
        int(match.post_crawford),
        int(not match.crawford),
    ]
    return PREFIX + ":".join(map(str, fields))


def _rows(places: list[int], colour: int, direction: int) -> tuple[list[int], list[int]]:
    """Your row and the opponent's, each from its owner's side. A bar holds its owner's checkers, whatever its sign."""
    seen = places if direction < 0 else places[::-1]
    counts = [count * colour for count in seen]
    you = [max(count, 0) for count in counts[1:25]]
    they = [max(-count, 0) for count in counts[24:0:-1]]
    return [*you, abs(counts[25])], [*they, abs(counts[0])]


def _check_totals(reading: Reading, you: list[int], they: list[int], told: list[int]) -> None:
    """The line tells twice how many checkers are on the bars; gnubg writes zeros there, which say nothing."""
    for owner, row, bar in (("you have", you, told[2]), ("the opponent has", they, told[3])):
        if bar and bar != row[24]:
            reading.unreadable(f"{owner} {row[24]} checkers on the bar by the places and {bar} by the count")
    for owner, row, off in (("you have", you, told[0]), ("the opponent has", they, told[1])):
        if off and sum(row) <= CHECKERS < sum(row) + off:
            reading.unreadable(f"{owner} {sum(row)} checkers on the board and {off} off, more than {CHECKERS}")
