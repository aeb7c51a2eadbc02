"""Hypergammon with one, two or three checkers a side: every position solved, contact included."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from kibitz import _core
from kibitz.bearoff.rows import as_boards, board_of, out_of_reach
from kibitz.bearoff.tables import SLOTS, Progress, TableName, build, open_native, terminal_progress
from kibitz.bearoff.two_sided import ExactCube
from kibitz.cube import Owner
from kibitz.dice import ALL_ROLLS, Dice
from kibitz.errors import TableError
from kibitz.plain_json import PlainData
from kibitz.position import Position, Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_LARGEST_IN_MEMORY = 2
_LOCK = threading.Lock()
_IN_USE: set[int] = set()
"""Which hypergammons are answered from their tables in this process. A table is never taken away again."""
_large_on_first_use = True

FIELDS = (
    "win",
    "win_gammon",
    "win_backgammon",
    "lose_gammon",
    "lose_backgammon",
    "equity",
    "centred",
    "centred_jacoby",
    "owned",
    "unavailable",
)
"""The columns of a batch look-up."""


@dataclass(frozen=True, slots=True)
class HypergammonValue(PlainData):
    """For the player on roll before the cube decision.

    Five probabilities and the cubeless equity with best cubeless play, and cubeful money equities per unit of the cube.
    `unavailable` means that the opponent owns the cube.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float
    equity: float
    centred: float
    centred_jacoby: float
    owned: float
    unavailable: float


class Hypergammon:
    """All positions of hypergammon with so many checkers a side.

    The tables for one and two checkers are built in memory when they are not in the cache directory, which takes a
    second or two. Three checkers take minutes and 430 MB: `kibitz tables build hypergammon-3` first. The engine needs
    none of this: it calls `table_in_use` when it is first asked about a hypergammon.
    """

    def __init__(self, checkers: int = 3, *, path: Path | None = None, check: bool = True) -> None:
        self.name = TableName("hypergammon", SLOTS, checkers)
        if path is None and checkers <= _LARGEST_IN_MEMORY and not self.name.path.is_file():
            self._table = _core.HypergammonTable.build(checkers, 0, None)
        else:
            self._table = open_native(self.name, path, check=check)

    @classmethod
    def build(cls, checkers: int, *, threads: int = 0, progress: Progress | None = None) -> Self:
        """A table built in memory."""
        table = cls.__new__(cls)
        table.name = TableName("hypergammon", SLOTS, checkers)
        table._table = _core.HypergammonTable.build(checkers, threads, progress)
        return table

    @property
    def checkers(self) -> int:
        """How many checkers a side starts with."""
        return self.name.checkers

    @property
    def variant(self) -> Variant:
        """The game that this table solves."""
        return Variant(f"hypergammon-{self.checkers}")

    def __len__(self) -> int:
        return self.name.positions

    def use(self) -> None:
        """Let evaluation, search and rollouts of this variant answer from this table, unless one is in use already."""
        with _LOCK:
            self._table.attach()
            _IN_USE.add(self.checkers)

    def look_up(self, boards: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Many boards at once, (n, 2, 25) -> (n, 10); the columns are FIELDS."""
        try:
            return self._table.look_up(as_boards(boards))
        except IndexError as error:
            raise out_of_reach(error, f"positions of up to {self.checkers} checkers a side") from None

    def evaluate(self, position: Position) -> HypergammonValue:
        """Probabilities and equities of a position."""
        return HypergammonValue(*self.look_up(board_of(position))[0].tolist())

    def cube(self, position: Position, owner: Owner = Owner.CENTRED, *, jacoby: bool = False) -> ExactCube:
        """The cube decision of the player on roll."""
        if position.is_over:
            raise TableError("the game is over: there is no cube decision left")
        value = self.evaluate(position)
        if owner is Owner.THEIRS:
            return ExactCube(value.win, value.unavailable, 2 * value.unavailable, available=False)
        # The table holds the better of doubling and not doubling: look one roll ahead for the other. What one side owns
        # is not available to the other.
        column = FIELDS.index("unavailable" if owner is Owner.MINE else "centred_jacoby" if jacoby else "centred")
        no_double = sum(roll.weight * self._best(position, roll, column)[column] for roll in ALL_ROLLS) / 36
        return ExactCube(value.win, -float(no_double), 2 * value.unavailable, owner is Owner.MINE)

    def opening(self) -> HypergammonValue:
        """The start of a game for the winner of the opening roll, which is no double. Cubeful equities are those after
        it, when nobody can have doubled yet."""
        import numpy as np

        start = Position.start(self.variant)
        rolls = [roll for roll in ALL_ROLLS if not roll.is_double]
        after = np.mean([self._best(start, roll, FIELDS.index("equity")) for roll in rolls], axis=0)
        equities = {
            name: -float(np.mean([self._best(start, roll, FIELDS.index(name))[FIELDS.index(name)] for roll in rolls]))
            for name in ("equity", "centred", "centred_jacoby", "owned", "unavailable")
        }
        equities["owned"], equities["unavailable"] = equities["unavailable"], equities["owned"]
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (float(value) for value in after[:5])
        return HypergammonValue(1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon, **equities)

    def _best(self, position: Position, roll: Dice, column: int) -> npt.NDArray[np.float32]:
        """The opponent's values after the best play, by the least of their values in a column."""
        import numpy as np

        results = [play.result for play in position.plays(roll)] or [position.swapped()]
        values = self.look_up(np.stack([result.board for result in results]))
        found: npt.NDArray[np.float32] = values[int(np.argmin(values[:, column]))]
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"name": str(self.name), "positions": len(self), "start": self.opening().to_dict()}


def large_tables_by_request_only() -> None:
    """From now on nobody in this process builds the table of three checkers by merely asking about a position.

    It takes minutes of all cores. Those who ask a server would wait, and so would all others.
    """
    global _large_on_first_use
    _large_on_first_use = False


def table_in_use(variant: Variant) -> None:
    """See to it that the engine has the table of a hypergammon. One that is not there is built and kept.

    Where the folder cannot be written to, the small tables are built in memory. Of a file that is there, the header and
    the length are checked; `kibitz tables verify` checks every byte. Raises TableError after
    `large_tables_by_request_only` if the table of three checkers is not there.
    """
    with _LOCK:
        if variant.checkers in _IN_USE:
            return
        _native(TableName("hypergammon", SLOTS, variant.checkers)).attach()
        _IN_USE.add(variant.checkers)


def opening_value(variant: Variant) -> HypergammonValue:
    """The start for the winner of the opening roll, by the table of a hypergammon; one that is missing is built."""
    table = Hypergammon.__new__(Hypergammon)
    table.name = TableName("hypergammon", SLOTS, variant.checkers)
    table._table = _native(table.name)
    return table.opening()


def _native(name: TableName) -> Any:
    if not name.path.is_file():
        progress = terminal_progress(name)
        if name.checkers > _LARGEST_IN_MEMORY:
            if not _large_on_first_use:
                raise TableError(
                    f"the table {name} is not there: it takes minutes to build and is built only when that is asked "
                    f"for, by `kibitz tables build {name}` or POST /v1/tables"
                )
            print(
                f"kibitz: building the table {name} once: some minutes, {name.expected_bytes / 1e6:.0f} MB in "
                f"{name.path.parent}. Ctrl-C stops it, and the next time it goes on from there.",
                file=sys.stderr,
            )
        try:
            build(name, progress=progress)
        except TableError:
            if name.checkers > _LARGEST_IN_MEMORY:
                raise
            return _core.HypergammonTable.build(name.checkers, 0, progress)
    return open_native(name, check=False)
