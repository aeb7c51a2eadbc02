"""The advisor's database as records: what every board needs, and what every board and roll lead to.

A board alone has a key of six digits and the value "least most expected" turns. A board with a roll has a key of eight,
the lower die first, and the value "least most expected suggested move: BOARD", where the turns are those that follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

from kibitz.bearoff.advisor import (
    CHECKERS,
    POINTS,
    ROLLS,
    Board,
    analyze,
    format_board,
    format_roll,
    parse_board,
    suggest,
)
from kibitz.bearoff.one_sided import OneSided
from kibitz.dice import Dice
from kibitz.errors import NotationError

DOCUMENT_CHECKERS = 6
"""As many checkers as the source document's database goes to."""
_BOARDS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Entry:
    """One record: a board, or a board and a roll with the board that it is best played to."""

    board: Board
    dice: Dice | None
    least: int
    most: int
    mean: float
    result: Board | None = None

    @property
    def key(self) -> str:
        """The six digits of the board, and the two of the roll."""
        return format_board(self.board) + ("" if self.dice is None else format_roll(self.dice))

    @property
    def value(self) -> str:
        """Least, most and expected turns, and the suggested move."""
        mean = f"{self.mean:.6f}".rstrip("0").rstrip(".")
        move = "" if self.result is None else f" suggested move: {format_board(self.result)}"
        return f"{self.least} {self.most} {mean}{move}"

    def __str__(self) -> str:
        return f"{self.key} {self.value}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "key": self.key,
            "board": format_board(self.board),
            "dice": None if self.dice is None else format_roll(self.dice),
            "least_turns": self.least,
            "most_turns": self.most,
            "expected_turns": self.mean,
            "result": None if self.result is None else format_board(self.result),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Entry:
        """What `to_dict` gave."""
        return cls(
            parse_board(data["board"]),
            None if data["dice"] is None else Dice.of(data["dice"]),
            data["least_turns"],
            data["most_turns"],
            data["expected_turns"],
            None if data["result"] is None else parse_board(data["result"]),
        )


def entry(key: str) -> Entry:
    """The record of a key: six digits for a board, eight for a board and a roll.

    >>> str(entry("110000"))
    '110000 1 1 1'
    >>> str(entry("00020012"))
    '00020012 1 2 1.194444 suggested move: 100100'
    """
    given = key.strip()
    if len(given) not in (POINTS, POINTS + 2):
        raise NotationError(f"a key is six digits for a board, or eight for a board and a roll, not {key!r}")
    if len(given) == POINTS:
        analysis = analyze(given)
        turns = analysis.turns
        return Entry(analysis.board, None, turns.least, turns.most, turns.mean)
    best = suggest(given[:POINTS], given[POINTS:])
    return Entry(best.board, best.dice, best.turns.least, best.turns.most, best.turns.mean, best.result)


def entries(checkers: int = DOCUMENT_CHECKERS) -> Iterator[Entry]:
    """The database of all boards with at most so many checkers: each board, then its 21 rolls; the empty one first."""
    if not 1 <= checkers <= CHECKERS:
        raise NotationError(f"a board has 1 to {CHECKERS} checkers, not {checkers}")
    table = OneSided()
    for first in range(0, boards_up_to(checkers), _BOARDS_AT_ONCE):
        last = min(first + _BOARDS_AT_ONCE, boards_up_to(checkers))
        yield from _entries_of([table.row(number)[:POINTS] for number in range(first, last)], table)


def boards_up_to(checkers: int) -> int:
    """How many boards there are with at most so many checkers."""
    return comb(POINTS + checkers, POINTS)


def _entries_of(boards: list[Board], table: OneSided) -> Iterator[Entry]:
    """The records of some boards: all plays of all rolls at once."""
    import numpy as np

    from kibitz.bulk import plays_bulk

    values = table.look_up(boards)
    playable = [board for board in boards if any(board)]
    positions = np.zeros((len(playable), 2, 25), dtype=np.uint8)
    positions[:, 0, :POINTS] = playable
    positions[:, 1, 0] = 1  # an opponent who is out of the way
    rolls = np.array([(roll.high, roll.low) for roll in ROLLS], dtype=np.uint8)
    offsets, after = plays_bulk(np.repeat(positions, len(ROLLS), axis=0), np.tile(rolls, (len(playable), 1)))
    results = after[:, 1, :POINTS]
    turns = table.look_up(results)
    pips = results @ np.arange(1, POINTS + 1)
    asked = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    # The advisor's order: fewest turns, then fewest checkers, then fewest pips. The first of each roll is its best.
    order = np.lexsort((pips, results.sum(axis=1), turns[:, 0].round(12), asked))
    best = iter(order[offsets[:-1]].tolist())
    for board, (mean, _, least, most, *_) in zip(boards, values.tolist(), strict=True):
        yield Entry(board, None, int(least), int(most), mean)
        for roll in ROLLS if any(board) else ():
            chosen = next(best)
            mean, _, least, most = turns[chosen, :4].tolist()
            yield Entry(board, roll, int(least), int(most), mean, tuple(results[chosen].tolist()))
