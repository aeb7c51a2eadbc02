"""How deep a review looks: settings and their named levels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.analysis.marks import Thresholds
from kibitz.engine.filters import MoveFilter
from kibitz.engine.settings import MAX_PLIES
from kibitz.errors import EngineError


@dataclass(frozen=True, slots=True)
class ReviewLevel:
    """A first look by the net alone at everything, and a deeper one where it matters.

    Plays are looked at `plies` deep if a second one comes within `window` of the best or a worse one was played, cube
    decisions if they were made or come within `cube_window` of being close. `every` looks deep at all of them.
    """

    name: str = "default"
    plies: int = 2
    filter: str = "0:6:0.10"
    window: float = 0.08
    cube_window: float = 0.12
    every: bool = False
    luck_plies: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.plies <= MAX_PLIES or not 0 <= self.luck_plies <= MAX_PLIES:
            raise EngineError(f"plies are 0 to {MAX_PLIES}, not {self.plies} and {self.luck_plies}")
        MoveFilter.of(self.filter)

    @classmethod
    def of(cls, level: ReviewLevel | str) -> ReviewLevel:
        """A level by its name; '3-ply' looks so deep at everything."""
        if isinstance(level, ReviewLevel):
            return level
        if known := LEVELS.get(level.lower()):
            return known
        digits, _, rest = level.lower().partition("-")
        if rest == "ply" and digits.isdecimal():
            return cls(level.lower(), int(digits), "normal", every=True)
        raise EngineError(f"no review level is called {level!r}; expected {', '.join(LEVELS)}, or one such as 2-ply")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


LEVELS: dict[str, ReviewLevel] = {
    level.name: level
    for level in (
        ReviewLevel("fast", 0),
        ReviewLevel(),
        ReviewLevel("thorough", 2, "normal", every=True),
        ReviewLevel("deep", 3, "large", window=0.16, cube_window=0.25, luck_plies=1),
    )
}
"""The named levels, quickest first."""


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """All that a review's result depends on besides the match and the engine."""

    level: ReviewLevel = field(default_factory=ReviewLevel)
    thresholds: Thresholds = field(default_factory=Thresholds)
    candidates: int = 5  # how many plays are kept of each roll, besides the one that was made
    rollout: int = 0  # trials for each blunder; 0 for none

    def __post_init__(self) -> None:
        if self.candidates < 1:
            raise EngineError(f"at least one candidate is kept of each roll, not {self.candidates}")
        if self.rollout < 0:
            raise EngineError(f"a rollout has a positive number of trials, not {self.rollout}")

    def changed(self, **changes: Any) -> ReviewSettings:
        """The same settings with those that are not None changed."""
        wanted = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **wanted) if wanted else self

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "level": self.level.to_dict(),
            "thresholds": self.thresholds.to_dict(),
            "candidates": self.candidates,
            "rollout": self.rollout,
        }
