"""The bearing-off advisor: the play that needs the fewest further turns, and what every roll leads to.

A board is six digits, the ace point first, as in `002220`; ten to fifteen checkers on a point are written a to f.
Counts separated by commas are understood too. Turns are played to need the fewest on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from kibitz.dice import Dice, DiceLike
from kibitz.errors import NotationError
from kibitz.play import Move, Play
from kibitz.position import OFF, Position

if TYPE_CHECKING:
    from kibitz.bearoff.one_sided import OneSided, Turns

POINTS = 6
CHECKERS = 15
_DIGITS = "0123456789abcdef"

Board = tuple[int, ...]

ROLLS: tuple[Dice, ...] = tuple(Dice(low, high) for low in range(1, 7) for high in range(low, 7))
"""The 21 rolls in the order 11, 12, … 66."""


def parse_board(text: str) -> Board:
    """Six counts from '002220' or '0,0,2,2,2,0'."""
    given = text.strip().lower()
    try:
        if "," in given:
            counts = tuple(int(word) for word in given.split(","))
        else:
            counts = tuple(_DIGITS.index(digit) for digit in given)
    except ValueError:
        counts = ()
    if len(counts) != POINTS or min(counts) < 0:
        raise NotationError(f"a board is six numbers without spaces, the ace point first, such as 002220; not {text!r}")
    if sum(counts) > CHECKERS:
        raise NotationError(f"numbers entered must total to {CHECKERS} or less; {text!r} has {sum(counts)} checkers")
    if not any(counts):
        raise NotationError(f"there is no checker left to bear off in {text!r}")
    return counts


def format_board(board: Board) -> str:
    """The six digits of a board."""
    return "".join(_DIGITS[count] for count in board)


def format_roll(dice: Dice) -> str:
    """A roll as this advisor writes it: the lower die first."""
    return f"{dice.low}{dice.high}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The best play of a roll. `turns` are those that follow, not counting the turn of the play itself."""

    board: Board
    dice: Dice
    result: Board
    play: Play
    turns: Turns

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "board": format_board(self.board),
            "dice": format_roll(self.dice),
            "result": format_board(self.result),
            "play": str(self.play),
            "words": play_in_words(self.play),
            "least_turns": self.turns.least,
            "most_turns": self.turns.most,
            "expected_turns": self.turns.mean,
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a board needs, and the best play of each of the 21 rolls."""

    board: Board
    turns: Turns
    rolls: tuple[Suggestion, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "board": format_board(self.board),
            "turns": self.turns.to_dict(),
            "rolls": [roll.to_dict() for roll in self.rolls],
        }


def suggest(board: str | Board, dice: DiceLike) -> Suggestion:
    """The play that needs the fewest further turns on average.

    >>> from kibitz.bearoff.advisor import format_board
    >>> format_board(suggest("002220", "16").result)
    '011210'
    """
    counts = parse_board(board) if isinstance(board, str) else parse_board(",".join(map(str, board)))
    roll = Dice.of(dice)
    plays = _position(counts).plays(roll)
    results = [play.result.theirs[:POINTS] for play in plays]
    table = _table()
    means = table.means(results)
    # Among plays that need equally many turns the one that leaves fewer checkers, then fewer pips.
    best = min(range(len(plays)), key=lambda i: (round(float(means[i]), 12), sum(results[i]), plays[i].result.pips[1]))
    return Suggestion(counts, roll, results[best], plays[best], table.turns(results[best]))


def analyze(board: str | Board) -> Analysis:
    """The turns that a board needs, and the best play of every roll."""
    counts = parse_board(board) if isinstance(board, str) else parse_board(",".join(map(str, board)))
    return Analysis(counts, _table().turns(counts), tuple(suggest(counts, roll) for roll in ROLLS))


def play_in_words(play: Play) -> str:
    """A play as one would say it: 'bear off from the 5 point, move from the 3 point to the 2 point'."""
    words: list[str] = []
    for move in play.moves:
        words.append(_move_in_words(move))
    counted: list[str] = []
    for word in dict.fromkeys(words):
        times = words.count(word)
        counted.append(word if times == 1 else f"{word} ({_TIMES[times]})")
    return ", ".join(counted) if counted else "no play"


_TIMES = {2: "twice", 3: "three times", 4: "four times"}


def _move_in_words(move: Move) -> str:
    if move.target == OFF:
        return f"bear off from the {move.source} point"
    return f"move from the {move.source} point to the {move.target} point"


def _position(board: Board) -> Position:
    """A position with this board and an opponent who is out of the way."""
    return Position.of({point + 1: count for point, count in enumerate(board) if count}, {1: 1})


@cache
def _table() -> OneSided:
    from kibitz.bearoff.one_sided import OneSided

    return OneSided()
