"""By whom and how deep a number was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kibitz.plain_json import PlainData

KIBITZ = "Kibitz"
"""The engine's name in analyses."""


@dataclass(frozen=True, slots=True)
class AnalysisLevel(PlainData):
    """An engine and how deep it looked.

    `plies` counts as gnubg does (XG's 4-ply is 3 here); None where plies do not say it, as in a rollout. `trials` are
    the games of a rollout.
    """

    engine: str
    name: str = ""
    plies: int | None = None
    cubeful: bool = True
    trials: int | None = None

    @classmethod
    def searched(cls, plies: int, *, cubeful: bool = True) -> AnalysisLevel:
        """A search of our own."""
        return _searched(plies, cubeful)

    @classmethod
    def rolled_out(cls, trials: int, *, cubeful: bool = True) -> AnalysisLevel:
        """A rollout of our own."""
        return cls(KIBITZ, "rollout", None, cubeful, trials)

    @property
    def is_rollout(self) -> bool:
        """Whether games were played to find the number."""
        return self.trials is not None

    @property
    def kind(self) -> str:
        """Whether equities are cubeful or cubeless."""
        return "cubeful" if self.cubeful else "cubeless"

    @property
    def depth(self) -> str:
        """How deep, in words."""
        if self.plies is None:
            return f"{self.trials} trials" if self.trials is not None else self.name
        return "1 ply" if self.plies == 1 else f"{self.plies} plies"

    def __str__(self) -> str:
        # Some files repeat the engine's name in that of the level: "XG" and "XG Roller+".
        return self.name if self.name.startswith(self.engine) else f"{self.engine} {self.name}".strip()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AnalysisLevel:
        """What `to_dict` gave."""
        return cls(**data)


@lru_cache(maxsize=64)
def _searched(plies: int, cubeful: bool) -> AnalysisLevel:
    return AnalysisLevel(KIBITZ, f"{plies}-ply", plies, cubeful)
