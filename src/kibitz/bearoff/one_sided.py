"""One-sided bearing off: the number of turns that a side needs, whatever the opponent does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from kibitz import _core
from kibitz.bearoff.rows import RowLike, as_boards, as_row, as_rows, out_of_reach
from kibitz.bearoff.tables import Progress, TableName, open_native
from kibitz.plain_json import picked

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

PIPS_A_ROLL = 49 / 6
"""The average roll, doubles counted twice: what turns are worth in pips."""


@dataclass(frozen=True, slots=True)
class Turns:
    """How many turns it takes. `probabilities[n]` is the chance that it takes exactly n."""

    mean: float
    standard_deviation: float
    least: int
    most: int
    probabilities: tuple[float, ...]

    @property
    def effective_pips(self) -> float:
        """The effective pip count: mean turns times 49/6."""
        return self.mean * PIPS_A_ROLL

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return picked(self, "mean", "standard_deviation", "least", "most", "effective_pips", "probabilities")


class OneSided:
    """Turns to bear off for every row of up to `points` points and `checkers` checkers.

    `OneSided()` covers the home board and fifteen checkers; it is built in memory the first time. A larger one is read
    from its file in the cache directory (see `kibitz tables`), or built in memory by `OneSided.build(8, 10)`.

    >>> round(OneSided().turns("700000").mean, 10)
    3.5509259259
    """

    def __init__(self, points: int = 6, checkers: int = 15, *, path: Path | None = None, check: bool = True) -> None:
        self.name = TableName("one-sided", points, checkers)
        if path is None and self.name.in_memory:
            self._table = _core.OneSidedTable.shared()
        else:
            self._table = open_native(self.name, path, check=check)

    @classmethod
    def build(cls, points: int, checkers: int, *, threads: int = 0, progress: Progress | None = None) -> Self:
        """A table of any shape, built in memory."""
        table = cls.__new__(cls)
        table.name = TableName("one-sided", points, checkers)
        table._table = _core.OneSidedTable.build(points, checkers, threads, progress)
        return table

    def use(self) -> None:
        """Let evaluation, search and rollouts of this process ask this table where the one in memory does not reach."""
        self._table.use()

    def __len__(self) -> int:
        return self._table.size

    def __contains__(self, row: object) -> bool:
        if not isinstance(row, str | tuple | list) and not hasattr(row, "__array__"):
            return False
        array = as_row(row)  # type: ignore[arg-type] # an array, or it is refused
        return bool((array[0, self.name.points :] == 0).all()) and int(array.sum()) <= self.name.checkers

    def row(self, number: int) -> tuple[int, ...]:
        """The row with this number, from 0 (no checkers) on."""
        return tuple(self._table.row(number))

    def numbers(self, rows: npt.ArrayLike) -> npt.NDArray[np.uint32]:
        """The numbers of many rows, shape (n, up to 25) -> (n,)."""
        try:
            return self._table.numbers(as_rows(rows))
        except IndexError as error:
            raise out_of_reach(error, self._reach) from None

    def turns(self, row: RowLike) -> Turns:
        """Turns to bear off all checkers, played to need the fewest turns on average."""
        return self._turns(row, first=False)

    def first_turns(self, row: RowLike) -> Turns:
        """Turns to bear off one checker, played for that alone: what saves the gammon for a side with all on board."""
        return self._turns(row, first=True)

    def look_up(self, rows: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Many rows at once, (n, up to 25) -> (n, 8): mean, standard deviation, least and most turns to bear off all
        checkers, then the same four for one checker."""
        try:
            return self._table.look_up(as_rows(rows))
        except IndexError as error:
            raise out_of_reach(error, self._reach) from None

    def means(self, rows: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Mean turns to bear off, for many rows."""
        return self.look_up(rows)[:, 0]

    def effective_pips(self, rows: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Effective pip counts of many rows."""
        return self.means(rows) * PIPS_A_ROLL

    def win(self, boards: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The chance that the player on roll bears off first, (n, 2, 25) -> (n,), from both sides' distributions."""
        try:
            return self._table.win(as_boards(boards))
        except IndexError as error:
            raise out_of_reach(error, self._reach) from None

    @property
    def _reach(self) -> str:
        return f"rows of up to {self.name.checkers} checkers on the first {self.name.points} points"

    def _turns(self, row: RowLike, *, first: bool) -> Turns:
        array = as_row(row)
        number = int(self.numbers(array)[0])
        values = self._table.look_up(array)[0, 4 if first else 0 :]
        chances = self._table.distribution(number, first)
        return Turns(float(values[0]), float(values[1]), int(values[2]), int(values[3]), tuple(chances.tolist()))
