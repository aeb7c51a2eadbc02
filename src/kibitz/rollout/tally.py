"""The sums of a rollout, exact to the last bit, and the statistics that follow from them.

The native games give whole numbers of 2**-32, so sums do not depend on the order in which they are made: ranges of
games may be played anywhere and added up anyhow, and the digits are the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import add
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.rollout.counts import SIZE, GameCounts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

QUANTITIES = (
    "win",
    "win_gammon",
    "win_backgammon",
    "lose_gammon",
    "lose_backgammon",
    "cubeless_equity",
    "utility",
)
"""What each game brings. The utility is what decisions are made by: money points, or 2 * match winning chance - 1."""
EQUITY, UTILITY = 5, 6
FACES = 36
UNIT = 1 << _core.ROLLOUT_VALUE_SHIFT
LARGEST = 1 << 200
"""No sum of any number of games that can be played comes near this."""
FEWEST = 4 * FACES
"""From so many games on, standard errors take out what the even spread of the first two rolls has taken out."""


@dataclass(slots=True)
class Sums:
    """One candidate's sums: of each quantity, of its square, and by the first and the second roll of the games."""

    sums: list[int] = field(default_factory=lambda: [0] * len(QUANTITIES))
    squares: list[int] = field(default_factory=lambda: [0] * len(QUANTITIES))
    by_first: list[list[int]] = field(default_factory=lambda: [[0] * FACES for _ in QUANTITIES])
    by_second: list[list[int]] = field(default_factory=lambda: [[0] * FACES for _ in QUANTITIES])
    counts: GameCounts = field(default_factory=GameCounts)

    def add(self, other: Sums) -> None:
        """Add another's sums to these."""
        for q in range(len(QUANTITIES)):
            self.sums[q] += other.sums[q]
            self.squares[q] += other.squares[q]
            self.by_first[q] = list(map(add, self.by_first[q], other.by_first[q]))
            self.by_second[q] = list(map(add, self.by_second[q], other.by_second[q]))
        self.counts += other.counts


class Tally:
    """The sums of some games of some candidates. All candidates have played the same games."""

    __slots__ = ("candidates", "first_counts", "games", "products", "second_counts")

    def __init__(self, count: int) -> None:
        self.games = 0
        self.candidates = [Sums() for _ in range(count)]
        self.products = [[0] * count for _ in range(count)]  # of the utilities of two candidates in the same game
        self.first_counts = [0] * FACES
        self.second_counts = [0] * FACES

    @classmethod
    def of(
        cls, values: npt.NDArray[np.int64], faces: npt.NDArray[np.uint8], events: npt.NDArray[np.uint8] | None = None
    ) -> Tally:
        """The tally of some games: values (games, candidates, quantities), and their first two rolls (games, 2).

        `events` (games, candidates, 4) tell how the games went.
        """
        import numpy as np

        games, count, quantities = values.shape
        tally = cls(count)
        tally.games = games
        first, second = np.zeros((2, FACES, count, quantities), np.int64)
        # The sums of some thousand games are far from the limits of 64 bits, their squares are not.
        np.add.at(first, faces[:, 0], values)
        np.add.at(second, faces[:, 1], values)
        tally.first_counts = np.bincount(faces[:, 0], minlength=FACES).tolist()
        tally.second_counts = np.bincount(faces[:, 1], minlength=FACES).tolist()
        columns = values.transpose(1, 2, 0).tolist()
        for number, sums in enumerate(tally.candidates):
            sums.sums = values[:, number].sum(axis=0).tolist()
            sums.squares = [sum(value * value for value in column) for column in columns[number]]
            sums.by_first = first[:, number].T.tolist()
            sums.by_second = second[:, number].T.tolist()
            if events is not None:
                sums.counts = GameCounts.of(events[:, number])
        for a in range(count):
            for b in range(a, count):
                product = sum(x * y for x, y in zip(columns[a][UTILITY], columns[b][UTILITY], strict=True))
                tally.products[a][b] = tally.products[b][a] = product
        return tally

    def add(self, other: Tally) -> None:
        """Add another's games to these."""
        self.games += other.games
        for mine, theirs in zip(self.candidates, other.candidates, strict=True):
            mine.add(theirs)
        for row, theirs_row in zip(self.products, other.products, strict=True):
            row[:] = map(add, row, theirs_row)
        self.first_counts = list(map(add, self.first_counts, other.first_counts))
        self.second_counts = list(map(add, self.second_counts, other.second_counts))

    def among(self, numbers: Sequence[int]) -> Tally:
        """The same games of some of the candidates alone."""
        part = Tally(len(numbers))
        part.games = self.games
        part.first_counts, part.second_counts = list(self.first_counts), list(self.second_counts)
        for number, sums in zip(numbers, part.candidates, strict=True):
            sums.add(self.candidates[number])
        part.products = [[self.products[a][b] for b in numbers] for a in numbers]
        return part

    # --- statistics -------------------------------------------------------------------------------------------------

    def mean(self, candidate: int, quantity: int) -> float:
        """The mean of a quantity."""
        return self.candidates[candidate].sums[quantity] / (UNIT * self.games) if self.games else math.nan

    def standard_error(self, candidate: int, quantity: int, *, stratified: bool) -> float:
        """The standard error of that mean; not a number before there are two games."""
        sums = self.candidates[candidate]
        return self._error(
            sums.sums[quantity],
            sums.squares[quantity],
            sums.by_first[quantity],
            sums.by_second[quantity],
            stratified=stratified,
        )

    def joint_error(self, a: int, b: int, *, stratified: bool) -> float:
        """The standard error of the difference between the utilities of two candidates, which had the same dice."""
        x, y = self.candidates[a], self.candidates[b]
        squares = x.squares[UTILITY] + y.squares[UTILITY] - 2 * self.products[a][b]
        by_rolls = (
            [p - q for p, q in zip(mine[UTILITY], theirs[UTILITY], strict=True)]
            for mine, theirs in ((x.by_first, y.by_first), (x.by_second, y.by_second))
        )
        return self._error(x.sums[UTILITY] - y.sums[UTILITY], squares, *by_rolls, stratified=stratified)

    def _error(
        self, total: int, squares: int, by_first: Sequence[int], by_second: Sequence[int], *, stratified: bool
    ) -> float:
        """By the spread of the games; with stratified dice, by what is left of it when the first rolls are known.

        Where every first roll has come equally often, what it does on the average adds nothing to the error of the
        mean. Counting it would overstate the error, most of all in short games. The second roll is even too, but
        what it does can be told apart from the first only where all pairs have come, after each 1,296 games; before,
        it counts as chance, which is on the safe side.
        """
        n = self.games
        if n < 2:
            return math.nan
        # All in whole numbers: n times the sum of squared deviations.
        spread = n * squares - total * total
        freedom = n - 1
        known = []
        if stratified and n >= FEWEST and len(set(self.first_counts)) == 1:
            known.append(by_first)
            if n % FACES**2 == 0 and len(set(self.second_counts)) == 1:
                known.append(by_second)
        for parts in known:
            spread -= FACES * sum(part * part for part in parts) - total * total
            freedom -= FACES - 1
        return math.sqrt(max(spread, 0) / (n * n * freedom)) / UNIT

    # --- files ------------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: whole numbers of 2**-32, and of 2**-64 for squares and products."""
        return {
            "games": self.games,
            "first_counts": self.first_counts,
            "second_counts": self.second_counts,
            "products": self.products,
            "candidates": [
                {
                    "sums": sums.sums,
                    "squares": sums.squares,
                    "by_first_roll": sums.by_first,
                    "by_second_roll": sums.by_second,
                    "counts": list(sums.counts.numbers),
                }
                for sums in self.candidates
            ],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tally:
        """From what `to_dict` gave."""
        tally = cls(len(data["candidates"]))
        tally.games = data["games"]
        tally.first_counts, tally.second_counts = list(data["first_counts"]), list(data["second_counts"])
        tally.products = [list(row) for row in data["products"]]
        tally.candidates = [
            Sums(
                list(one["sums"]),
                list(one["squares"]),
                [list(row) for row in one["by_first_roll"]],
                [list(row) for row in one["by_second_roll"]],
                GameCounts(tuple(one.get("counts", GameCounts().numbers))),  # not always kept
            )
            for one in data["candidates"]
        ]
        shapes = {(len(s.sums), len(s.squares), len(s.by_first), len(s.by_second)) for s in tally.candidates}
        rows = {len(row) for s in tally.candidates for row in (*s.by_first, *s.by_second)}
        lengths = {len(tally.first_counts), len(tally.second_counts)}
        if shapes != {(len(QUANTITIES),) * 4} or rows | lengths != {FACES} or sum(tally.first_counts) != tally.games:
            raise ValueError("the sums have the wrong shape")
        if {len(one.counts.numbers) for one in tally.candidates} != {SIZE}:
            raise ValueError("the counts have the wrong shape")
        if {len(tally.products), *map(len, tally.products)} != {len(tally.candidates)}:
            raise ValueError("the products have the wrong shape")
        tally._check_numbers()
        return tally

    def _check_numbers(self) -> None:
        numbers = [self.games, *self.first_counts, *self.second_counts, *(n for row in self.products for n in row)]
        for one in self.candidates:
            numbers += [*one.sums, *one.squares, *(n for row in (*one.by_first, *one.by_second) for n in row)]
            numbers += one.counts.numbers
        if not all(type(number) is int and abs(number) < LARGEST for number in numbers) or self.games < 0:
            raise ValueError("a sum is no whole number within bounds")
