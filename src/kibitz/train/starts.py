"""Starts of games that self-play seldom sees: back games, ace-point games, containment, primes, broken boards.

A start is drawn at random from a kind of game. It need not be one that good play leads to: some plays later the
position is a natural one of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from kibitz.train.buffer import in_contact

Boards = npt.NDArray[np.uint8]
Row = npt.NDArray[np.uint8]

POINTS = 24
BAR = 24
CHECKERS = 15


class _Side:
    """One side's checkers while a start is set up; `other` is the side that blocks it."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.row: Row = np.zeros(25, np.uint8)
        self.other: _Side | None = None
        self.left = CHECKERS

    def is_free(self, slot: int) -> bool:
        """Whether the other side has nothing there."""
        return slot == BAR or self.other is None or not self.other.row[POINTS - 1 - slot]

    def put(self, slot: int, count: int) -> None:
        """So many checkers on a slot that the other side does not hold, as far as there are any left."""
        if not self.is_free(slot):
            return
        count = min(count, self.left)
        self.row[slot] += count
        self.left -= count

    def points(self, slots: Sequence[int], count: int, most: int = 3) -> None:
        """Some of these points, made, each with two to `most` checkers."""
        for slot in self.random.permutation(np.asarray(slots))[:count]:
            self.put(int(slot), int(self.random.integers(2, most + 1)))

    def scatter(self, slots: Sequence[int], count: int) -> None:
        """Checkers one by one, on any of these slots that are free; every other one joins one that is there already."""
        free = [slot for slot in slots if self.is_free(slot)]
        for _ in range(count if free else 0):
            held = [slot for slot in free if self.row[slot]]
            choice = held if held and self.random.random() < 0.5 else free
            self.put(choice[int(self.random.integers(len(choice)))], 1)

    def rest(self, slots: Sequence[int]) -> None:
        """All that are left."""
        self.scatter(slots, self.left)

    def bear_off(self, most: int) -> None:
        """Up to so many checkers are off already."""
        self.left -= int(self.random.integers(0, most + 1))


def _block(random: np.random.Generator, side: _Side, low: int, high: int) -> None:
    """A prime of four to six points, perhaps with a gap."""
    length = int(random.integers(4, 7))
    first = int(random.integers(low, high))
    for slot in range(first, first + length):
        if random.random() < 0.9:
            side.put(slot, 2)


def back_game(random: np.random.Generator, mine: _Side, theirs: _Side) -> None:
    """Two points in their home board, any pair, and more checkers back or on the way."""
    mine.points(range(18, 24), 2)
    mine.scatter((*range(18, 24), BAR), int(random.integers(0, 3)))
    theirs.points(range(2, 12), int(random.integers(2, 5)))
    theirs.scatter(range(10, 20), int(random.integers(0, 4)))
    theirs.rest(range(12))
    mine.points(range(3, 9), int(random.integers(0, 4)), 2)
    mine.rest(range(16))


def ace_point_game(random: np.random.Generator, mine: _Side, theirs: _Side) -> None:
    """An anchor deep in their home board while they bring the rest home or bear off."""
    mine.put(int(random.choice([23, 23, 22, 21])), int(random.integers(2, 5)))
    theirs.bear_off(7)
    theirs.points(range(1, 6), int(random.integers(2, 5)))
    theirs.rest(range(1, int(random.choice([6, 8, 12]))))
    mine.points(range(6), int(random.integers(2, 6)), 2)
    mine.rest(range(10))


def containment(random: np.random.Generator, mine: _Side, theirs: _Side) -> None:
    """A checker or two of theirs are caught or nearly, while their other ones are home or off."""
    _block(random, mine, 1, 7)
    for _ in range(int(random.choice([1, 1, 1, 2]))):
        theirs.put(int(random.choice([BAR, BAR, 23, 22, 21, 20, 19, 18, 16, 14])), 1)
    theirs.bear_off(12)
    theirs.rest(range(int(random.choice([4, 6, 6, 9]))))
    mine.scatter(range(17, 24), int(random.choice([0, 0, 1, 2, 3])))
    mine.rest(range(18))


def snake(random: np.random.Generator, mine: _Side, theirs: _Side) -> None:
    """Most checkers are far back or on the way round, and one or two of theirs must be kept from going home."""
    theirs.put(int(random.choice([BAR, 23, 22, 21])), int(random.integers(1, 3)))
    theirs.bear_off(10)
    theirs.rest(range(5))
    mine.scatter(range(12, 24), int(random.integers(6, 13)))
    mine.rest(range(15))


def prime_against_prime(random: np.random.Generator, mine: _Side, theirs: _Side) -> None:
    """Both sides have a prime, and checkers behind the other's."""
    _block(random, mine, 1, 6)
    mine.scatter((20, 21, 22, 23, 23, BAR), int(random.integers(1, 4)))
    _block(random, theirs, 1, 6)
    theirs.scatter((20, 21, 22, 23, 23, BAR), int(random.integers(1, 4)))
    mine.rest(range(18))
    theirs.rest(range(18))


def many_back(random: np.random.Generator, mine: _Side, theirs: _Side) -> None:
    """Five to nine checkers back, some of them on the bar, as after a blitz or in a massive back game."""
    mine.put(BAR, int(random.choice([0, 0, 1, 1, 2])))
    mine.points(range(17, 24), int(random.integers(1, 4)), 3)
    mine.scatter(range(16, 24), int(random.integers(2, 5)))
    theirs.points(range(7), int(random.integers(2, 5)))
    theirs.scatter(range(12, 24), int(random.integers(0, 3)))
    theirs.rest(range(14))
    mine.rest(range(16))


def broken_board(random: np.random.Generator, mine: _Side, theirs: _Side) -> None:
    """Most checkers are buried deep in the home board while some are still back."""
    mine.points(range(3), int(random.integers(2, 4)), 4)
    mine.put(int(random.integers(17, 24)), int(random.integers(1, 4)))
    theirs.scatter((*range(18, 24), BAR), int(random.choice([0, 0, 1, 2, 3])))
    theirs.points(range(9), int(random.integers(2, 6)))
    theirs.rest(range(14))
    mine.rest(range(6))


KINDS: dict[str, Callable[[np.random.Generator, _Side, _Side], None]] = {
    "back game": back_game,
    "ace-point game": ace_point_game,
    "containment": containment,
    "snake": snake,
    "prime against prime": prime_against_prime,
    "many back": many_back,
    "broken board": broken_board,
}


def start_of(kind: str, random: np.random.Generator) -> Boards:
    """A board (2, 25) of this kind with contact; either side may be on roll."""
    while True:
        mine, theirs = _Side(random), _Side(random)
        mine.other, theirs.other = theirs, mine
        KINDS[kind](random, mine, theirs)
        board = np.stack([mine.row, theirs.row])
        if random.random() < 0.5:
            board = board[::-1].copy()
        if in_contact(board[None])[0] and board.any(axis=1).all() and not board[:, BAR].all():
            return board


def rare_starts(count: int, random: np.random.Generator) -> Boards:
    """So many starts, of all kinds alike."""
    names = list(KINDS)
    return np.stack([start_of(names[number % len(names)], random) for number in range(count)])
