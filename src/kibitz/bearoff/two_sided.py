"""Two-sided bearing off: exact winning chances, and exact equities with the cube wherever it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from kibitz import _core
from kibitz.bearoff.rows import as_boards, board_of, out_of_reach
from kibitz.bearoff.tables import Progress, TableName, open_native
from kibitz.cube import Owner
from kibitz.errors import TableError
from kibitz.plain_json import picked
from kibitz.position import Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_INDIFFERENT = 1e-8


@dataclass(frozen=True, slots=True)
class TwoSidedValue:
    """For the player on roll before the cube decision: the cubeless winning chance, and cubeful money equities per unit
    of the cube with the cube centred, owned by the player on roll, and owned by the opponent (unavailable)."""

    win: float
    centred: float
    owned: float
    unavailable: float

    @property
    def equity(self) -> float:
        """The cubeless equity."""
        return 2 * self.win - 1

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return picked(self, "win", "equity", "centred", "owned", "unavailable")


@dataclass(frozen=True, slots=True)
class ExactCube:
    """The exact money cube decision. Equities are those of the player on roll, per unit of the cube before a double."""

    win: float
    no_double: float
    double_take: float
    redouble: bool = False  # whether the player on roll owns the cube
    available: bool = True  # whether the player on roll may double at all
    double_pass: float = 1.0

    @property
    def beavered(self) -> float:
        """What double and beaver give: the stake turns once more, and the opponent keeps the cube."""
        return 2 * self.double_take

    @property
    def take(self) -> bool:
        """Whether the opponent should take."""
        return self.double_take <= self.double_pass + _INDIFFERENT

    @property
    def beaver(self) -> bool:
        """Whether the opponent, where it is allowed, should beaver."""
        return self.double_take < -_INDIFFERENT

    @property
    def double(self) -> bool:
        """Whether the player on roll should double; not where it makes no difference."""
        return self.available and min(self.double_take, self.double_pass) > self.no_double + _INDIFFERENT

    @property
    def optional(self) -> bool:
        """Whether doubling and not doubling are worth the same."""
        return self.available and abs(min(self.double_take, self.double_pass) - self.no_double) <= _INDIFFERENT

    @property
    def action(self) -> str:
        """The proper action in words."""
        double, no_double = ("redouble", "no redouble") if self.redouble else ("double", "no double")
        answer = "take" if self.take else "pass"
        if not self.available:
            return "the cube is not available"
        if self.double:
            return f"{double}, {answer}"
        if self.optional:
            return f"optional {double}, {answer}"
        if not self.take:
            return f"too good to {double}, {answer}"
        return f"{no_double}, {'beaver' if self.beaver else 'take'}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return (
            picked(self, "win", "no_double", "double_take")
            | {"double_beaver": self.beavered}
            | picked(self, "double_pass", "double", "take", "beaver", "action")
        )


class TwoSided:
    """Every pair of rows of up to `points` points and `checkers` checkers.

    `TwoSided()` covers six checkers a side; it is built in memory the first time. A larger one is read from its file in
    the cache directory (see `kibitz tables`).
    """

    def __init__(self, points: int = 6, checkers: int = 6, *, path: Path | None = None, check: bool = True) -> None:
        self.name = TableName("two-sided", points, checkers)
        if path is None and self.name.in_memory:
            self._table = _core.TwoSidedTable.shared()
        else:
            self._table = open_native(self.name, path, check=check)

    @classmethod
    def build(cls, points: int, checkers: int, *, threads: int = 0, progress: Progress | None = None) -> Self:
        """A table of any shape, built in memory."""
        table = cls.__new__(cls)
        table.name = TableName("two-sided", points, checkers)
        if table.name.positions > 1 << 28:
            raise TableError(f"the table {table.name} is too large for memory; use `kibitz tables build {table.name}`")
        table._table = _core.TwoSidedTable.build(points, checkers, threads, progress)
        return table

    def use(self) -> None:
        """Let evaluation, search and rollouts of this process ask this table beside the one in memory."""
        self._table.use()

    def __len__(self) -> int:
        return self._table.size

    def __contains__(self, position: object) -> bool:
        if not isinstance(position, Position):
            return False
        rows = (position.mine, position.theirs)
        return all(not any(row[self.name.points :]) and sum(row) <= self.name.checkers for row in rows)

    def look_up(self, boards: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Many boards at once, (n, 2, 25) -> (n, 4): win, and the equities centred, owned, unavailable."""
        try:
            return self._table.look_up(as_boards(boards))
        except IndexError as error:
            raise out_of_reach(error, self._reach) from None

    def evaluate(self, position: Position) -> TwoSidedValue:
        """Winning chance and equities of a position."""
        return TwoSidedValue(*self.look_up(board_of(position))[0].tolist())

    def cube(self, position: Position, owner: Owner = Owner.CENTRED) -> ExactCube:
        """The cube decision of the player on roll."""
        if position not in self:
            raise out_of_reach(IndexError(0), self._reach)
        if position.is_over:
            raise TableError("the game is over: there is no cube decision left")
        win, no_double, no_redouble, double_take = self._table.cube(position.rows)
        if owner is Owner.THEIRS:
            return ExactCube(win, double_take / 2, double_take, available=False)
        redouble = owner is Owner.MINE
        return ExactCube(win, no_redouble if redouble else no_double, double_take, redouble)

    @property
    def _reach(self) -> str:
        return f"up to {self.name.checkers} checkers a side on the first {self.name.points} points"
