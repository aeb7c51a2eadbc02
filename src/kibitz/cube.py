"""The doubling cube, seen by the player on roll."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kibitz.errors import PositionError
from kibitz.plain_json import PlainData, check_kinds
from kibitz.status import Defect, PositionStatus

HIGHEST_CUBE = 1 << 30
"""The highest that an XGID can tell."""


class Owner(StrEnum):
    """Who may double next."""

    CENTRED = "centred"
    MINE = "mine"
    THEIRS = "theirs"

    def swapped(self) -> Owner:
        """The same owner, seen by the opponent."""
        return {Owner.MINE: Owner.THEIRS, Owner.THEIRS: Owner.MINE}.get(self, self)


@dataclass(frozen=True, slots=True)
class Cube(PlainData):
    """The cube's value and owner."""

    value: int = 1
    owner: Owner = Owner.CENTRED

    def __post_init__(self) -> None:
        defects = cube_defects(self.value)
        if defects:
            raise PositionError(defects)
        object.__setattr__(self, "owner", Owner(self.owner))

    def swapped(self) -> Cube:
        """The same cube, seen by the opponent."""
        return Cube(self.value, self.owner.swapped())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Cube:
        """What `to_dict` gave."""
        check_kinds(data, {"value": 1})
        return cls(data["value"], Owner(data["owner"]))


def cube_defects(value: int, name: str = "the cube") -> list[Defect]:
    """What is wrong with a number on a cube; empty for a power of two that a cube can show."""
    if 1 <= value <= HIGHEST_CUBE and not value & (value - 1):
        return []
    words = "not a power of two" if value <= HIGHEST_CUBE else f"more than the {HIGHEST_CUBE} that can be reckoned with"
    return [Defect(PositionStatus.CUBE_NOT_POWER_OF_TWO, f"{name} shows {value}, {words}")]
