"""Shots: which of the 36 rolls hit which blot, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kibitz import _core
from kibitz.dice import ALL_ROLLS, Dice
from kibitz.position import BAR, Position


class ShotKind(StrEnum):
    """How a roll hits a blot."""

    DIRECT = "direct"  # a checker stands one die away from the blot
    COMBINATION = "combination"  # only one checker with both dice gets there
    DOUBLE = "double"  # only several steps of a double get there


@dataclass(frozen=True, slots=True)
class BlotShots:
    """The rolls that hit one blot. `point` is the hitter's number of its point, `their_point` its owner's."""

    point: int
    rolls: tuple[Dice, ...]
    kinds: tuple[ShotKind, ...]  # for each of the rolls

    @property
    def their_point(self) -> int:
        """The point, from the side of the blot's owner."""
        return BAR - self.point

    @property
    def count(self) -> int:
        """How many of the 36 rolls hit this blot."""
        return sum(roll.weight for roll in self.rolls)

    def counted(self, kind: ShotKind) -> int:
        """How many of the 36 rolls hit this blot in this way."""
        return sum(roll.weight for roll, its_kind in zip(self.rolls, self.kinds, strict=True) if its_kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "point": self.point,
            "their_point": self.their_point,
            "count": self.count,
            "rolls": {str(roll): kind.value for roll, kind in zip(self.rolls, self.kinds, strict=True)},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BlotShots:
        """What `to_dict` gave."""
        rolls = data["rolls"]
        return cls(data["point"], tuple(map(Dice.of, rolls)), tuple(map(ShotKind, rolls.values())))


@dataclass(frozen=True, slots=True)
class Shots:
    """All shots of the player on roll: every opposing blot, and the rolls that hit at least one of them."""

    blots: tuple[BlotShots, ...]
    rolls: tuple[Dice, ...]

    @property
    def count(self) -> int:
        """How many of the 36 rolls hit at least one blot."""
        return sum(roll.weight for roll in self.rolls)

    @property
    def probability(self) -> float:
        """The chance that the next roll hits."""
        return self.count / 36

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "count": self.count,
            "rolls": [str(roll) for roll in self.rolls],
            "blots": [blot.to_dict() for blot in self.blots],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Shots:
        """What `to_dict` gave."""
        return cls(tuple(map(BlotShots.from_dict, data["blots"])), tuple(map(Dice.of, data["rolls"])))


def shots(position: Position) -> Shots:
    """The shots of the player on roll. Ask for `play.result` to learn what a play leaves.

    A roll counts for a blot if some legal play of it hits the blot: blocked points, checkers on the bar and the duty to
    play as many dice as possible are all considered.

    >>> start = Position.start()
    >>> after = next(play for play in start.plays("21") if str(play) == "13/11 6/5").result
    >>> [(blot.their_point, blot.count) for blot in shots(after).blots]
    [(11, 2), (5, 15)]
    """
    masks, _ = _core.shots(position.rows)
    theirs = position.theirs
    blots = []
    for point in range(24, 0, -1):
        if theirs[24 - point] != 1:
            continue
        rolls = tuple(roll for roll, mask in zip(ALL_ROLLS, masks, strict=True) if mask >> (point - 1) & 1)
        blots.append(BlotShots(point, rolls, tuple(_kind(position, point, roll) for roll in rolls)))
    hitting = tuple(roll for roll, mask in zip(ALL_ROLLS, masks, strict=True) if mask)
    blots.sort(key=lambda blot: blot.point)
    return Shots(tuple(blots), hitting)


def _kind(position: Position, point: int, roll: Dice) -> ShotKind:
    if any(point + die <= BAR and position.mine[point + die - 1] for die in roll):
        return ShotKind.DIRECT
    return ShotKind.DOUBLE if roll.is_double else ShotKind.COMBINATION
