"""What is played: money games or matches, with or without the cube."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import EngineError
from kibitz.plain_json import PlainData

LONGEST_MATCH = 64


@dataclass(frozen=True, slots=True)
class ArenaRules(PlainData):
    """The rules of all games of a duel. Length 0 is money: every game stands for itself.

    Jacoby matters in money games with the cube only; without the cube gammons and backgammons always count. There are
    no beavers and no automatic doubles; nobody resigns.
    """

    length: int = 0
    cube: bool = True
    jacoby: bool = True
    crawford: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.length <= LONGEST_MATCH:
            raise EngineError(f"a match has 1 to {LONGEST_MATCH} points and a money game 0, not {self.length}")
        if self.length > 0 or not self.cube:
            object.__setattr__(self, "jacoby", False)
        if self.length == 0 or not self.cube:
            object.__setattr__(self, "crawford", self.length > 0 and self.crawford)

    @property
    def is_money(self) -> bool:
        """Whether every game stands for itself."""
        return self.length == 0

    def __str__(self) -> str:
        cube = "" if self.cube else "cubeless "
        if self.is_money:
            return f"{cube}money" + (", Jacoby" if self.jacoby else "")
        return f"{cube}{self.length}-point matches" + ("" if self.crawford else ", no Crawford")
