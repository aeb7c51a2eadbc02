"""How deep a review looks: settings and their named levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.analysis.marks import Thresholds
from kibitz.engine.levels import Level
from kibitz.engine.settings import SearchSettings, check_plies
from kibitz.errors import EngineError
from kibitz.plain_json import PlainData


@dataclass(frozen=True, slots=True)
class ReviewLevel(PlainData):
    """A first look by the net alone at everything, and a deeper one where it matters.

    Plays get the deeper `search` if a second one comes within `window` of the best or a worse one was played, cube
    decisions if they were made or come within `cube_window` of being close. `every` looks deep at all of them.
    `thought` names the engine's level that the deeper look is taken at, instead of one search.
    """

    name: str = "default"
    search: SearchSettings = field(default_factory=lambda: SearchSettings(plies=2, filter="0:6:0.10"))
    window: float = 0.08
    cube_window: float = 0.12
    every: bool = False
    luck_plies: int = 0
    thought: str = ""

    def __post_init__(self) -> None:
        check_plies(self.luck_plies)
        if self.thought:
            Level.of(self.thought)
        if not self.search.cubeful:
            raise EngineError("a review is cubeful: its search cannot be cubeless")

    @classmethod
    def of(cls, level: ReviewLevel | str) -> ReviewLevel:
        """A level by its name; '3-ply' looks so deep at everything."""
        if isinstance(level, ReviewLevel):
            return level
        if known := LEVELS.get(level.lower()):
            return known
        digits, _, rest = level.lower().partition("-")
        if rest == "ply" and digits.isdecimal():
            return cls(level.lower(), SearchSettings(plies=int(digits), filter="normal"), every=True)
        raise EngineError(f"no review level is called {level!r}; expected {', '.join(LEVELS)}, or one such as 2-ply")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ReviewLevel:
        """What `to_dict` gave."""
        return cls(**{**data, "search": SearchSettings.from_dict(data["search"])})


LEVELS: dict[str, ReviewLevel] = {
    level.name: level
    for level in (
        ReviewLevel("fast", SearchSettings(plies=0)),
        ReviewLevel(),
        ReviewLevel("thorough", SearchSettings(plies=2), every=True),
        ReviewLevel("standard", SearchSettings(plies=2), window=0.16, cube_window=0.25),
        *(
            ReviewLevel(name, SearchSettings(plies=3), window=0.16, cube_window=0.25, luck_plies=1, thought=name)
            for name in ("deep", "roller", "roller+", "world-class", "roller++", "ultimate")
        ),
    )
}
"""The named levels, quickest first."""


@dataclass(frozen=True, slots=True)
class ReviewSettings(PlainData):
    """All that a review's result depends on besides the match and the engine."""

    level: ReviewLevel = field(default_factory=ReviewLevel)
    thresholds: Thresholds = field(default_factory=Thresholds)
    candidates: int = 5  # how many plays are kept of each roll, besides the one that was made
    rollout: int = 0  # trials for each blunder; 0 for none
    reasons: bool = True  # whether each error gets its sentence

    def __post_init__(self) -> None:
        if self.candidates < 1:
            raise EngineError(f"at least one candidate is kept of each roll, not {self.candidates}")
        if self.rollout < 0:
            raise EngineError(f"a rollout has a positive number of trials, not {self.rollout}")

    def changed(self, **changes: Any) -> ReviewSettings:
        """The same settings with those that are not None changed."""
        wanted = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **wanted) if wanted else self

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ReviewSettings:
        """What `to_dict` gave."""
        level, thresholds = ReviewLevel.from_dict(data["level"]), Thresholds(**data["thresholds"])
        return cls(level, thresholds, data["candidates"], data["rollout"], data.get("reasons", True))
