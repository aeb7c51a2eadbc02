"""The ten factors: every play judged by ten weighted values. The highest sum is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz import _core
from kibitz.dice import Dice, DiceLike
from kibitz.engine.protocol import EngineOptions
from kibitz.heuristics.settings import TenFactorSettings
from kibitz.play import Play
from kibitz.position import Position

TITLES = {
    "blots": "Weighted blot risk",
    "hits": "Hits",
    "points": "Points made",
    "pips": "Pip gain",
    "home": "Home board",
    "prime": "Prime length",
    "builders": "Builder coverage",
    "stack": "Stack penalty",
    "opponent_blots": "Opponent blots",
    "high_roll": "High roll bonus",
}
"""The factors in order: their names in the settings, and what they are called in tables."""


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of one play."""

    name: str
    raw: float
    weight: float

    @property
    def title(self) -> str:
        """What it is called in tables."""
        return TITLES[self.name]

    @property
    def contribution(self) -> float:
        """What it adds to the play's score."""
        return self.raw * self.weight + 0.0  # nothing is written 0, not -0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"name": self.name, "raw": self.raw, "weight": self.weight, "contribution": self.contribution}


@dataclass(frozen=True, slots=True)
class TenFactorPlay:
    """A play with its score and the ten factors that make it."""

    play: Play
    score: float
    difference: float  # how much worse than the best play; 0 for the best
    factors: tuple[Factor, ...]

    def __getitem__(self, name: str) -> Factor:
        return self.factors[list(TITLES).index(name)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return self.play.to_dict() | {
            "score": self.score,
            "difference": self.difference,
            "factors": [factor.to_dict() for factor in self.factors],
        }


class TenFactor:
    """The engine."""

    name = "ten-factor"

    def __init__(self, settings: TenFactorSettings | None = None) -> None:
        self.settings = settings or TenFactorSettings()

    def rank(self, position: Position, dice: DiceLike) -> list[TenFactorPlay]:
        """Every legal play of a roll with its ten factors, best (highest) first."""
        roll = Dice.of(dice)
        if position.is_over:
            return []
        weights = self.settings.weights()
        found = _core.ten_factors(position._rows, roll.high, roll.low, weights)
        found.sort(key=lambda play: -play[2])
        return [
            TenFactorPlay(
                Play(position, roll, Position._unchecked(result)),
                score,
                found[0][2] - score,
                tuple(map(Factor, TITLES, raw, weights)),
            )
            for result, raw, score in found
        ]

    def table(self, ranked: Sequence[TenFactorPlay], *, top: int | None = None) -> str:
        """The ranking as text."""
        from kibitz.heuristics.tables import ten_factor_table

        return ten_factor_table(ranked, top)

    def to_dict(self) -> dict[str, Any]:
        """Name and settings, as plain data for JSON."""
        return {"engine": self.name, "settings": self.settings.to_dict()}


def make(options: EngineOptions) -> TenFactor:
    """The engine that the command line asks for."""
    return TenFactor(TenFactorSettings.read(options.settings_file, options.assignments))
