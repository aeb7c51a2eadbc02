"""The checkers on the board, seen by the player on roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.dice import Dice, DiceLike
from kibitz.errors import PositionError
from kibitz.status import Defect, PositionStatus

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.move import Play

BAR = 25
"""The bar, as the source of a move."""
OFF = 0
"""Borne off, as the target of a move."""
CHECKERS = 15
"""Checkers of a side in backgammon."""
HYPERGAMMON_CHECKERS = 3
"""The most checkers of a side in hypergammon."""

_SLOTS = 25


class Variant(StrEnum):
    """Games that differ from backgammon by their starting position alone."""

    BACKGAMMON = "backgammon"
    NACKGAMMON = "nackgammon"
    HYPERGAMMON_1 = "hypergammon-1"
    HYPERGAMMON_2 = "hypergammon-2"
    HYPERGAMMON_3 = "hypergammon-3"

    @property
    def start(self) -> dict[int, int]:
        """Where each side's checkers start: point -> count."""
        return _STARTS[self]

    @property
    def checkers(self) -> int:
        """How many checkers a side has."""
        return sum(self.start.values())


_STARTS = {
    Variant.BACKGAMMON: {24: 2, 13: 5, 8: 3, 6: 5},
    Variant.NACKGAMMON: {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    Variant.HYPERGAMMON_1: {24: 1},
    Variant.HYPERGAMMON_2: {24: 1, 23: 1},
    Variant.HYPERGAMMON_3: {24: 1, 23: 1, 22: 1},
}


class Position:
    """Where all checkers are, seen by the player on roll. Immutable and hashable.

    `mine` and `theirs` are rows of 25 counts, each from its owner's side: own points 1..24 at index 0..23, own bar at
    index 24. `rows` holds both as 50 bytes. Checkers that stand nowhere have been borne off. A side may have fewer than
    15 checkers (hypergammon).
    """

    __slots__ = ("rows",)
    rows: bytes

    def __init__(self, mine: Sequence[int], theirs: Sequence[int]) -> None:
        defects = position_defects(mine, theirs)
        if defects:
            raise PositionError(defects)
        object.__setattr__(self, "rows", bytes(mine) + bytes(theirs))

    @classmethod
    def from_rows(cls, rows: bytes) -> Position:
        """A position from 50 counts that are known to be right, as the core hands them out. Nothing is checked."""
        position = cls.__new__(cls)
        object.__setattr__(position, "rows", rows)
        return position

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Position cannot be changed; .play() and .swapped() return a new one")

    # --- ways to make one -------------------------------------------------------------------------------------------

    @classmethod
    def start(cls, variant: Variant | str = Variant.BACKGAMMON) -> Position:
        """The position that a game of this variant starts from."""
        points = Variant(variant).start
        return cls.of(points, points)

    @classmethod
    def of(cls, mine: Mapping[int, int], theirs: Mapping[int, int]) -> Position:
        """A position from points and counts, each side numbered from its own view; 25 is the bar.

        >>> Position.of({6: 2, 25: 1}, {1: 3}).pips
        (37, 3)
        """
        rows = []
        for points in (mine, theirs):
            row = [0] * _SLOTS
            for point, count in points.items():
                if not 1 <= point <= BAR:
                    words = f"there is no point {point}: points are 1 to 24, the bar is 25"
                    raise PositionError([Defect(PositionStatus.WRONG_SHAPE, words)])
                row[point - 1] = count
            rows.append(row)
        return cls(*rows)

    @classmethod
    def from_board(cls, board: npt.ArrayLike) -> Position:
        """A position from an array of shape (2, 25): row 0 mine, row 1 theirs."""
        import numpy as np

        array = np.asarray(board)
        if array.shape != (2, _SLOTS):
            words = f"a board has the shape (2, 25), not {array.shape}"
            raise PositionError([Defect(PositionStatus.WRONG_SHAPE, words)])
        return cls([int(count) for count in array[0]], [int(count) for count in array[1]])

    @classmethod
    def from_id(cls, position_id: str) -> Position:
        """A position from a GNU Backgammon Position ID such as '4HPwATDgc/ABMA'."""
        from kibitz.notation.position_id import parse_position_id

        return parse_position_id(position_id)

    # --- what it holds ----------------------------------------------------------------------------------------------

    @property
    def mine(self) -> tuple[int, ...]:
        """The 25 counts of the player on roll."""
        return tuple(self.rows[:_SLOTS])

    @property
    def theirs(self) -> tuple[int, ...]:
        """The 25 counts of the opponent, from the opponent's side."""
        return tuple(self.rows[_SLOTS:])

    @property
    def board(self) -> npt.NDArray[np.uint8]:
        """A (2, 25) array of counts: row 0 mine, row 1 theirs."""
        import numpy as np

        return np.frombuffer(self.rows, dtype=np.uint8).reshape(2, _SLOTS)

    @property
    def id(self) -> str:
        """The GNU Backgammon Position ID."""
        return _core.position_id(self.rows)

    def xgid(self, dice: DiceLike | None = None) -> str:
        """The XGID of a money game with this position; `State` writes every other field too."""
        from kibitz.notation import xgid as notation
        from kibitz.state import State

        return notation.format_xgid(State(self, dice=None if dice is None else Dice.of(dice)))

    @property
    def pips(self) -> tuple[int, int]:
        """Pips left to move: mine, theirs."""
        return _pips(self.rows[:_SLOTS]), _pips(self.rows[_SLOTS:])

    def off(self, variant: Variant | str = Variant.BACKGAMMON) -> tuple[int, int]:
        """Checkers borne off: mine, theirs."""
        total = Variant(variant).checkers
        return total - sum(self.rows[:_SLOTS]), total - sum(self.rows[_SLOTS:])

    @property
    def may_be_hypergammon(self) -> bool:
        """Whether these checkers look like hypergammon: at most three a side, and not the plain bearoff of both."""
        rows = (self.mine, self.theirs)
        return all(sum(row) <= HYPERGAMMON_CHECKERS for row in rows) and any(any(row[6:]) for row in rows)

    @property
    def is_over(self) -> bool:
        """Whether one side has no checker left."""
        return not any(self.rows[:_SLOTS]) or not any(self.rows[_SLOTS:])

    @property
    def in_contact(self) -> bool:
        """Whether some checker still has to pass one of the other side."""
        mine = max((slot for slot in range(_SLOTS) if self.rows[slot]), default=-1)
        theirs = max((slot for slot in range(_SLOTS) if self.rows[_SLOTS + slot]), default=-1)
        return mine >= 0 and theirs >= 0 and mine + theirs > 23

    # --- what follows from it ---------------------------------------------------------------------------------------

    def swapped(self) -> Position:
        """The same checkers, seen by the opponent."""
        return Position.from_rows(self.rows[_SLOTS:] + self.rows[:_SLOTS])

    def plays(self, dice: DiceLike) -> list[Play]:
        """All legal plays of a roll, one for each distinct result. Empty when no checker can move."""
        from kibitz.move import Play

        roll = Dice.of(dice)
        if self.is_over:
            return []
        return [
            Play(self, roll, Position.from_rows(rows)) for rows in _core.legal_results(self.rows, roll.high, roll.low)
        ]

    def play(self, notation: str, dice: DiceLike | None = None) -> Position:
        """The position after a play such as '8/5 6/5', seen by the opponent. With dice, the play must be legal."""
        from kibitz.notation.plays import parse_play

        return parse_play(notation, self, dice).result

    # --- as a value -------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    def __lt__(self, other: Position) -> bool:
        return self.rows < other.rows

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.from_rows, (self.rows,)

    def __repr__(self) -> str:
        return f"Position.from_id({self.id!r})"

    def __str__(self) -> str:
        from kibitz.report.terminal import draw_position

        return draw_position(self)

    def _repr_svg_(self) -> str:
        from kibitz.report.svg import draw_position

        return draw_position(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"id": self.id, "mine": list(self.mine), "theirs": list(self.theirs), "pips": list(self.pips)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Position:
        """What `to_dict` gave."""
        return cls(data["mine"], data["theirs"])


def position_defects(mine: Sequence[int], theirs: Sequence[int]) -> list[Defect]:
    """All that is wrong with two rows of counts; empty for a position that can occur."""
    defects = []
    for owner, row in (("the player on roll", mine), ("the opponent", theirs)):
        if len(row) != _SLOTS:
            words = f"{owner} has {len(row)} counts instead of 25"
            defects.append(Defect(PositionStatus.WRONG_SHAPE, words))
        if any(count < 0 for count in row):
            places = ", ".join(_place(slot) for slot, count in enumerate(row) if count < 0)
            words = f"{owner} has fewer than no checkers on {places}"
            defects.append(Defect(PositionStatus.NEGATIVE_COUNT, words))
        if sum(row) > CHECKERS:
            words = f"{owner} has {sum(row)} checkers, more than {CHECKERS}"
            defects.append(Defect(PositionStatus.TOO_MANY_CHECKERS, words))
    if any(len(row) != _SLOTS for row in (mine, theirs)):
        return defects
    shared = [point for point in range(1, 25) if mine[point - 1] > 0 and theirs[24 - point] > 0]
    if shared:
        words = "both sides stand on point " + ", ".join(map(str, shared))
        defects.append(Defect(PositionStatus.SHARED_POINT, words))
    if not any(mine) and not any(theirs):
        defects.append(Defect(PositionStatus.BOTH_BORNE_OFF, "both sides have borne off all checkers"))
    closed = all(count >= 2 for row in (mine, theirs) for count in row[:6])
    if mine[24] > 0 and theirs[24] > 0 and closed:
        defects.append(Defect(PositionStatus.BOTH_CLOSED_OUT, "both sides are on the bar against closed boards"))
    return defects


def _place(slot: int) -> str:
    return "the bar" if slot == BAR - 1 else f"point {slot + 1}"


def _pips(row: bytes) -> int:
    return sum(point * count for point, count in enumerate(row, start=1))
