"""The bearing-off advisor: the plays of a roll by how many further turns they need, and what every roll leads to.

A board is six digits, the ace point first, as in `002220`; ten to fifteen checkers on a point are written a to f.
Counts separated by commas are understood too. Turns are played to need the fewest on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from kibitz.dice import Dice, DiceLike
from kibitz.errors import NotationError
from kibitz.move import Move, Play
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
    """Six counts from '002220' or '0,0,2,2,2,0'. The empty board is one too: 000000."""
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
    return counts


def format_board(board: Board) -> str:
    """The six digits of a board."""
    return "".join(_DIGITS[count] for count in board)


def format_roll(dice: Dice) -> str:
    """A roll as this advisor writes it: the lower die first."""
    return f"{dice.low}{dice.high}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A play of a roll. `turns` are those that follow, not counting the turn of the play itself.

    `difference` says how many turns more than the best play it needs on average; `rank` is 1 for the best.
    """

    board: Board
    dice: Dice
    result: Board
    play: Play
    turns: Turns
    difference: float = 0.0
    rank: int = 1

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
            "difference": self.difference,
            "rank": self.rank,
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a board needs, and the best play of each of the 21 rolls. The empty board needs nothing and has no rolls."""

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

    >>> format_board(suggest("002220", "16").result)
    '011210'
    """
    return rank_plays(board, dice, top=1)[0]


def rank_plays(board: str | Board, dice: DiceLike, *, top: int | None = None) -> tuple[Suggestion, ...]:
    """Every play of a roll, or the `top` best ones, those that need the fewest further turns on average first.

    >>> [f"{format_board(one.result)} {one.turns.mean:.4f}" for one in rank_plays("002220", "16")]
    ['011210 3.0897', '003110 3.1564', '002300 3.1847']
    """
    counts, roll = _counts(board), Dice.of(dice)
    if not any(counts):
        raise NotationError(f"there is no checker left to bear off in {format_board(counts)!r}")
    table = _table()
    plays = _position(counts).plays(roll)
    results = [play.result.theirs[:POINTS] for play in plays]
    means = [float(mean) for mean in table.means(results)]
    # Among plays that need equally many turns the one that leaves fewer checkers, then fewer pips.
    order = sorted(range(len(plays)), key=lambda i: (round(means[i], 12), sum(results[i]), plays[i].result.pips[1]))
    return tuple(
        Suggestion(counts, roll, results[i], plays[i], table.turns(results[i]), means[i] - means[order[0]], rank)
        for rank, i in enumerate(order[:top], start=1)
    )


def next_boards(board: str | Board, dice: DiceLike | None = None) -> tuple[Board, ...]:
    """All boards that a roll can lead to, in order; without a roll, those that any of the 21 rolls can lead to.

    >>> [format_board(after) for after in next_boards("000200", "12")]
    ['011000', '100100']
    """
    counts = _counts(board)
    if not any(counts):
        return ()
    position = _position(counts)
    rolls = ROLLS if dice is None else (Dice.of(dice),)
    return tuple(sorted({play.result.theirs[:POINTS] for roll in rolls for play in position.plays(roll)}))


def analyze(board: str | Board) -> Analysis:
    """The turns that a board needs, and the best play of every roll."""
    counts = _counts(board)
    rolls = tuple(suggest(counts, roll) for roll in ROLLS) if any(counts) else ()
    return Analysis(counts, _table().turns(counts), rolls)


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


def _counts(board: str | Board) -> Board:
    return parse_board(board if isinstance(board, str) else ",".join(map(str, board)))


def _position(board: Board) -> Position:
    """A position with this board and an opponent who is out of the way."""
    return Position.of({point + 1: count for point, count in enumerate(board) if count}, {1: 1})


@cache
def _table() -> OneSided:
    from kibitz.bearoff.one_sided import OneSided

    return OneSided()
