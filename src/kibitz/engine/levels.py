"""Levels: opponents from beginner to grandmaster, by the settings of their search and by noise."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Any

from kibitz.engine.settings import SearchSettings
from kibitz.errors import EngineError


@dataclass(frozen=True, slots=True)
class Level:
    """How an opponent searches, and by how much it misjudges. Noise is a standard deviation of equity."""

    name: str
    search: SearchSettings
    noise: float = 0.0

    @classmethod
    def of(cls, level: Level | str) -> Level:
        """A level by name."""
        if isinstance(level, Level):
            return level
        try:
            return LEVELS[level.lower()]
        except KeyError:
            raise EngineError(f"no level is called {level!r}; expected {', '.join(LEVELS)}") from None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"name": self.name, "search": self.search.to_dict(), "noise": self.noise}


LEVELS: dict[str, Level] = {
    level.name: level
    for level in (
        Level("beginner", SearchSettings(plies=0), noise=0.100),
        Level("casual", SearchSettings(plies=0), noise=0.060),
        Level("intermediate", SearchSettings(plies=0), noise=0.035),
        Level("advanced", SearchSettings(plies=0), noise=0.015),
        Level("expert", SearchSettings(plies=0)),
        Level("master", SearchSettings(plies=1)),
        Level("grandmaster", SearchSettings(plies=2)),
    )
}
"""The named levels, weakest first."""


def noise_of(seed: int, *what: object) -> float:
    """A standard normal number that depends on the seed and on what is evaluated, and on nothing else."""
    text = "|".join(map(str, (seed, *what)))
    digest = hashlib.sha256(text.encode()).digest()
    first = (int.from_bytes(digest[:8], "little") + 1) / (2**64 + 1)
    second = int.from_bytes(digest[8:16], "little") / 2**64
    return math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)
