"""Levels: how much thought a decision gets, from fast to ultimate, and opponents from beginner to grandmaster."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Any

from kibitz.engine.settings import SearchSettings
from kibitz.errors import EngineError


@dataclass(frozen=True, slots=True)
class Level:
    """How a decision is made: a first search, and further steps while it is not clear.

    A step is a deeper search, or the name of a rollout preset. It looks at what may still be the best and ends where
    the confidence reaches `sure`. `noise` is the standard deviation of an opponent's misjudgement of every equity.
    """

    name: str
    search: SearchSettings
    noise: float = 0.0
    steps: tuple[SearchSettings | str, ...] = ()
    sure: float = 0.99

    def __post_init__(self) -> None:
        if not 0.5 <= self.sure < 1.0:
            raise EngineError(f"a level is sure from a chance between 0.5 and 1 on, not {self.sure}")

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
            "search": self.search.to_dict(),
            "noise": self.noise,
            "steps": [step if isinstance(step, str) else step.to_dict() for step in self.steps],
            "sure": self.sure,
        }


_STANDARD = SearchSettings(plies=2)
_WIDE = SearchSettings(plies=3, replies=16, last_replies=16)
"""Three plies that lose no good reply: thin ones are no better than two plies."""

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
        Level("fast", SearchSettings(plies=0)),
        Level("standard", _STANDARD),
        Level("deep", _STANDARD, steps=(_WIDE,)),
        Level("roller", _STANDARD, steps=("roller",)),
        Level("roller+", _STANDARD, steps=("roller+",)),
        Level("world-class", _STANDARD, steps=(_WIDE, "roller+")),
        Level("roller++", _STANDARD, steps=("roller++",), sure=0.995),
        Level("ultimate", _STANDARD, steps=(_WIDE, "roller++"), sure=0.995),
    )
}
"""The named levels: opponents, weakest first, then levels of thought, quickest first."""


def noise_of(seed: int, *what: object) -> float:
    """A standard normal number that depends on the seed and on what is evaluated, and on nothing else."""
    text = "|".join(map(str, (seed, *what)))
    digest = hashlib.sha256(text.encode()).digest()
    first = (int.from_bytes(digest[:8], "little") + 1) / (2**64 + 1)
    second = int.from_bytes(digest[8:16], "little") / 2**64
    return math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)
