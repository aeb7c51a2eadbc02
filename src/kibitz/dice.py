"""A roll of two dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from kibitz.errors import NotationError


@dataclass(frozen=True, slots=True, order=True)
class Dice:
    """Two dice, the higher one first. `Dice(1, 3) == Dice(3, 1)`."""

    high: int
    low: int

    def __post_init__(self) -> None:
        for die in (self.high, self.low):
            if not isinstance(die, int) or not 1 <= die <= 6:
                raise NotationError(f"die values must be between 1 and 6, not {die!r}")
        if self.high < self.low:
            high, low = self.low, self.high
            object.__setattr__(self, "high", high)
            object.__setattr__(self, "low", low)

    @classmethod
    def of(cls, dice: DiceLike) -> Self:
        """Dice from a Dice, from a pair such as (3, 1), or from text such as '31', '3-1' or '3 1'."""
        if isinstance(dice, cls):
            return dice
        if isinstance(dice, Dice):
            return cls(dice.high, dice.low)
        if isinstance(dice, str):
            digits = dice.replace("-", "").replace(",", "").replace(" ", "")
            if len(digits) != 2 or not (digits.isascii() and digits.isdigit()):
                raise NotationError(f"dice must be two digits such as 31, not {dice!r}")
            return cls(int(digits[0]), int(digits[1]))
        try:
            first, second = dice
        except (TypeError, ValueError):
            raise NotationError(f"dice must be two numbers such as (3, 1), not {dice!r}") from None
        return cls(first, second)

    @property
    def is_double(self) -> bool:
        """Whether both dice show the same."""
        return self.high == self.low

    @property
    def weight(self) -> int:
        """How many of the 36 equally likely rolls look like this one."""
        return 1 if self.is_double else 2

    def __iter__(self) -> Iterator[int]:
        return iter((self.high, self.low))

    def __str__(self) -> str:
        return f"{self.high}{self.low}"


DiceLike = Dice | str | tuple[int, int]

ALL_ROLLS: tuple[Dice, ...] = tuple(Dice(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 distinct rolls: 11, 21, 22, 31, … 66."""
