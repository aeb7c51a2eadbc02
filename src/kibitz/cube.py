"""The doubling cube, seen by the player on roll."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kibitz.errors import PositionError


class Owner(StrEnum):
    """Who may double next."""

    CENTRED = "centred"
    MINE = "mine"
    THEIRS = "theirs"

    def swapped(self) -> Owner:
        """The same owner, seen by the opponent."""
        return {Owner.MINE: Owner.THEIRS, Owner.THEIRS: Owner.MINE}.get(self, self)


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube's value and owner."""

    value: int = 1
    owner: Owner = Owner.CENTRED

    def __post_init__(self) -> None:
        if self.value < 1 or self.value & (self.value - 1):
            raise PositionError([f"the cube shows {self.value}, not a power of two"])
        object.__setattr__(self, "owner", Owner(self.owner))

    def swapped(self) -> Cube:
        """The same cube, seen by the opponent."""
        return Cube(self.value, self.owner.swapped())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"value": self.value, "owner": self.owner.value}
