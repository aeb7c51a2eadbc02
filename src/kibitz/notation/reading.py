"""What the readers share: numbers out of fields, and all defects of a text gathered before one error is raised."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from kibitz.dice import Dice
from kibitz.errors import NotationError, PositionError
from kibitz.status import Defect, PositionStatus

Made = TypeVar("Made")

_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")


class Reading:
    """One text being read. Collects what is wrong with it, so that its writer hears everything at once."""

    def __init__(self, notation: str, text: str) -> None:
        self.notation = notation
        self.text = text
        self.defects: list[Defect] = []

    def number(self, field: str, name: str, least: int, most: int, otherwise: int = 0) -> int:
        """A field that holds a number between two bounds; `otherwise`, and a defect, if it does not."""
        if not _NUMBER.fullmatch(field):
            self.unreadable(f"{name} is {field!r}, not a number")
            return otherwise
        value = int(field)
        if not least <= value <= most:
            self.unreadable(f"{name} is {value}, not between {least} and {most}")
            return otherwise
        return value

    def dice(self, first: int, second: int) -> Dice | None:
        """Two dice, or none if both are 0."""
        if first == second == 0:
            return None
        if not (1 <= first <= 6 and 1 <= second <= 6):
            words = f"the dice show {first} and {second}, not two values from 1 to 6"
            self.defects.append(Defect(PositionStatus.DICE_OUT_OF_RANGE, words))
            return None
        return Dice(first, second)

    def unreadable(self, words: str) -> None:
        """Note something that is not in the notation at all."""
        self.defects.append(Defect(PositionStatus.UNREADABLE, words))

    def note(self, defects: Iterable[Defect]) -> None:
        """Note defects of what the text says, each once."""
        self.defects += [defect for defect in defects if defect not in self.defects]

    def make(self, maker: Callable[[], Made]) -> Made:
        """What the text says, made by `maker`. Its error names this text."""
        self.finish()
        try:
            return maker()
        except PositionError as error:
            raise PositionError(error.defects, self.text) from None

    def finish(self) -> None:
        """Raise one error for everything that was noted; nothing if all is well."""
        if not self.defects:
            return
        wrong_text = PositionStatus.UNREADABLE | PositionStatus.DICE_OUT_OF_RANGE
        if any(defect.status & wrong_text for defect in self.defects):
            raise NotationError(f"not a valid {self.notation}, {self.text!r}: " + "; ".join(self.defects))
        raise PositionError(self.defects, self.text)
