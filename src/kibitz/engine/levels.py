"""Levels: opponents from beginner to grandmaster, by plies, filter and noise."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Any

from kibitz.errors import EngineError


@dataclass(frozen=True, slots=True)
class Level:
    """How deep an opponent looks, and by how much it misjudges. Noise is a standard deviation of equity."""

    name: str
    plies: int
    filter: str = "normal"
    noise: float = 0.0
    cubeful: bool = True

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
        return {
            "name": self.name,
            "plies": self.plies,
            "filter": self.filter,
            "noise": self.noise,
            "cubeful": self.cubeful,
        }


LEVELS: dict[str, Level] = {
    level.name: level
    for level in (
        Level("beginner", 0, noise=0.100),
        Level("casual", 0, noise=0.060),
        Level("intermediate", 0, noise=0.035),
        Level("advanced", 0, noise=0.015),
        Level("expert", 0),
        Level("master", 1),
        Level("grandmaster", 2),
    )
}
"""The named levels, weakest first."""


def noise_of(seed: int, *what: object) -> float:
    """A standard normal number that depends on the seed and on what is judged, and on nothing else."""
    text = "|".join(map(str, (seed, *what)))
    digest = hashlib.sha256(text.encode()).digest()
    first = (int.from_bytes(digest[:8], "little") + 1) / (2**64 + 1)
    second = int.from_bytes(digest[8:16], "little") / 2**64
    return math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)
