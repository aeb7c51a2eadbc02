"""What can be wrong with a position, a cube, a score or a roll: one flag for programs and one sentence for people."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Flag, auto


class PositionStatus(Flag):
    """Kinds of defects. `VALID` is the absence of all; several may hold at once."""

    VALID = 0
    WRONG_SHAPE = auto()
    NEGATIVE_COUNT = auto()
    TOO_MANY_CHECKERS = auto()
    SHARED_POINT = auto()
    BOTH_BORNE_OFF = auto()
    BOTH_CLOSED_OUT = auto()
    CUBE_NOT_POWER_OF_TWO = auto()
    CUBE_TOO_HIGH = auto()
    CUBE_NOT_AVAILABLE = auto()
    NEGATIVE_LENGTH = auto()
    NEGATIVE_SCORE = auto()
    SCORE_BEYOND_MATCH = auto()
    WRONG_CRAWFORD = auto()
    DICE_OUT_OF_RANGE = auto()
    DICE_DURING_OFFER = auto()
    UNREADABLE = auto()


class Defect(str):
    """One thing that is wrong, in words; `status` is its kind."""

    __slots__ = ("status",)
    status: PositionStatus

    def __new__(cls, status: PositionStatus, words: str) -> Defect:
        """A defect of this kind, said in these words."""
        defect = super().__new__(cls, words)
        defect.status = status
        return defect

    def __getnewargs__(self) -> tuple[PositionStatus, str]:  # type: ignore[override]  # for pickle
        return self.status, str(self)


def status_of(defects: Iterable[str]) -> PositionStatus:
    """The kinds of all these defects together."""
    status = PositionStatus.VALID
    for defect in defects:
        status |= getattr(defect, "status", PositionStatus.UNREADABLE)
    return status
