"""What the engine answers: ranked plays and cube decisions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from kibitz.cube import Owner
from kibitz.engine.evaluation import Evaluation
from kibitz.play import Play


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play with what it is worth to the player who makes it.

    `equity` is what the plays are ranked by: points per unit of the present cube, cubeful or cubeless as `cubeful` is;
    in a match the normalised equity at the score, and `mwc` the chance to win the match. `difference` is how far it is
    behind the best play, 0 or negative.
    """

    play: Play
    equity: float
    evaluation: Evaluation
    plies: int
    difference: float
    rank: int = 1
    cubeful: bool = True
    mwc: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {"rank": self.rank} | self.play.to_dict()
        return data | {
            "equity": self.equity,
            "difference": self.difference,
            "kind": "cubeful" if self.cubeful else "cubeless",
            "mwc": self.mwc,
            "plies": self.plies,
            "evaluation": self.evaluation.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class CubePoints:
    """Winning chances of the player on roll at which the proper action changes, given this position's gammons.

    None where there is no such point. `take_point` is the opponent's chance: what it takes to take.
    """

    double_point: float | None
    cash_point: float | None
    too_good_point: float | None

    @property
    def take_point(self) -> float | None:
        """The winning chance that the opponent needs to take."""
        return None if self.cash_point is None else 1.0 - self.cash_point

    @classmethod
    def of(cls, points: tuple[float, float, float]) -> CubePoints:
        """From the native ones, where not-a-number stands for none."""
        return cls(*(None if math.isnan(point) else point for point in points))

    def to_dict(self) -> dict[str, float | None]:
        """Plain data for JSON."""
        return {
            "take_point": self.take_point,
            "double_point": self.double_point,
            "cash_point": self.cash_point,
            "too_good_point": self.too_good_point,
        }


OPTIONAL = 1e-5
"""Equities closer than this are the same: the double is optional."""
CLOSE = 0.16
"""A decision is close if the double would cost, or gain, less than this."""


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """A cube decision of the player on roll. Equities are points per unit of the present cube (EMG in a match)."""

    no_double: float
    double_take: float
    double_pass: float
    available: bool
    owner: Owner
    evaluation: Evaluation
    plies: int
    cubeless: float
    beavers: bool = False
    mwc: dict[str, float] | None = None
    points: CubePoints = field(default_factory=lambda: CubePoints(None, None, None))
    live_points: CubePoints = field(default_factory=lambda: CubePoints(None, None, None))
    dead_points: CubePoints = field(default_factory=lambda: CubePoints(None, None, None))

    @property
    def take(self) -> bool:
        """Whether the opponent should take."""
        return self.double_take <= self.double_pass + OPTIONAL

    @property
    def beaver(self) -> bool:
        """Whether the opponent should beaver."""
        return self.beavers and self.double_take < 0

    @property
    def doubled(self) -> float:
        """The equity of doubling when the opponent answers best."""
        taken = 2 * self.double_take if self.beaver else self.double_take
        return min(taken, self.double_pass)

    @property
    def double(self) -> bool:
        """Whether doubling is right; an optional double counts as right."""
        return self.available and self.doubled >= self.no_double - OPTIONAL

    @property
    def optional(self) -> bool:
        """Whether doubling and not doubling are worth the same."""
        return self.available and abs(self.doubled - self.no_double) <= OPTIONAL

    @property
    def equity(self) -> float:
        """The equity with the proper action of both sides."""
        return max(self.no_double, self.doubled) if self.available else self.no_double

    @property
    def too_good(self) -> bool:
        """Whether playing on is better than cashing in."""
        return self.available and not self.double and self.no_double > self.double_pass

    @property
    def close(self) -> bool:
        """Whether the decision is one that a player can get wrong: gnubg's test for counting it."""
        return self.available and self.equity - min(self.double_take, self.double_pass) < CLOSE

    @property
    def action(self) -> str:
        """The proper action in words."""
        word = "double" if self.owner is Owner.CENTRED else "redouble"
        if not self.available:
            return "cube not available"
        answer = "beaver" if self.beaver else "take" if self.take else "pass"
        if self.optional:
            return f"optional {word}, {answer}"
        if self.double:
            return f"{word}, {answer}"
        if self.too_good:
            return f"too good to {word}, {answer}"
        return f"no {word}, {answer}"

    @property
    def errors(self) -> dict[str, float]:
        """What each action costs its player, compared with the best one."""
        taken = 2 * self.double_take if self.beaver else self.double_take
        costs = {"no_double": self.no_double - self.equity}
        if self.available:
            costs["double"] = self.doubled - self.equity
            costs["take"] = min(self.double_pass - taken, 0.0)
            costs["pass"] = min(taken - self.double_pass, 0.0)
        return costs

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "action": self.action,
            "double": self.double,
            "take": self.take,
            "beaver": self.beaver,
            "available": self.available,
            "owner": self.owner.value,
            "no_double": self.no_double,
            "double_take": self.double_take if self.available else None,
            "double_pass": self.double_pass if self.available else None,
            "equity": self.equity,
            "cubeless": self.cubeless,
            "errors": self.errors,
            "mwc": self.mwc,
            "plies": self.plies,
            "evaluation": self.evaluation.to_dict(),
            "points": self.points.to_dict(),
            "live_points": self.live_points.to_dict(),
            "dead_points": self.dead_points.to_dict(),
        }
