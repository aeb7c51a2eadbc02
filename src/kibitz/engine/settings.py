"""How the engine searches: plies, filter, shortlists, threads and memory."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, TypedDict

from kibitz import _core
from kibitz.engine.filters import MoveFilter
from kibitz.errors import EngineError

MAX_PLIES = 7
"""The deepest search that may be asked for."""
DEFAULT_PLIES = 2
"""How deep the engine looks unless it is told otherwise, in Python and on the command line."""


RANDOM_NOISE = -1
"""The seed of errors that nobody can repeat."""
ALL_REPLIES = 1 << 20
"""More replies than a roll can have."""


class SearchOptions(TypedDict, total=False):
    """Settings of a search by name, as `Engine` and its methods take them; None means the default."""

    plies: int | None
    cubeful: bool | None
    filter: str | MoveFilter | None
    replies: int | None
    last_replies: int | None
    pruning: bool | None
    noise: float | None
    noise_seed: int | None
    threads: int | None
    cache_mb: float | None


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What decides how long a search takes and how good it is. Threads and cache change only how long.

    `replies` is how many replies to a roll a first look leaves for a real evaluation inside the search tree, and
    `last_replies` the same at the last of two plies or more, where nearly all the time goes. Without `pruning` every
    reply gets a real evaluation. `noise` is the standard deviation of an error in each of the five chances; it follows
    from `noise_seed` and the position, and with RANDOM_NOISE every engine has errors of its own.
    """

    plies: int = DEFAULT_PLIES
    cubeful: bool = True
    filter: str | MoveFilter = "normal"
    replies: int = 8
    last_replies: int = 3
    pruning: bool = True
    noise: float = 0.0
    noise_seed: int = 0
    threads: int = 0  # 0: all cores
    cache_mb: float = 32.0

    def __post_init__(self) -> None:
        check_plies(self.plies)
        if self.replies < 1 or self.last_replies < 1:
            raise EngineError(f"at least one reply has to be looked at, not {self.replies} and {self.last_replies}")
        if not 0 <= self.noise <= 1 or not RANDOM_NOISE <= self.noise_seed < 2**63:
            raise EngineError(f"noise is 0 to 1 and its seed -1 or more, not {self.noise} and {self.noise_seed}")
        if self.threads < 0 or self.cache_mb < 0:
            raise EngineError(f"threads and cache cannot be negative: {self.threads}, {self.cache_mb}")
        MoveFilter.of(self.filter)

    def changed(self, **changes: Any) -> SearchSettings:
        """The same settings with those that are not None changed."""
        if unknown := sorted(set(changes) - set(self.__slots__)):
            raise EngineError(f"a search has no setting {', '.join(unknown)}; it has {', '.join(self.__slots__)}")
        wanted = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **wanted) if wanted else self

    def options(self, *, cubeful: bool = True) -> SearchOptions:
        """What decides what is found, by name. Threads and memory are the engine's own, and so may be `cubeful`."""
        return {
            "plies": self.plies,
            "cubeful": self.cubeful and cubeful,
            "filter": self.filter,
            "replies": self.replies,
            "last_replies": self.last_replies,
            "pruning": self.pruning,
            "noise": self.noise,
            "noise_seed": self.noise_seed,
        }

    def steps(self, *, every_ply: bool = False) -> list[_core.FilterStep]:
        """The steps of the move filter, for the native search."""
        return MoveFilter.of(self.filter).for_plies(self.plies, every_ply=every_ply)

    def tree(self, checkers: int) -> _core.TreeSettings:
        """For the native search."""
        replies, last_replies = (self.replies, self.last_replies) if self.pruning else (ALL_REPLIES, ALL_REPLIES)
        return _core.TreeSettings(self.cubeful, replies, last_replies, _core.CubeEfficiency(), checkers)

    def noisy(self, evaluator: _core.Evaluator) -> _core.Evaluator:
        """An evaluator with the errors of these settings."""
        if not self.noise:
            return evaluator
        seed = secrets.randbits(63) if self.noise_seed == RANDOM_NOISE else self.noise_seed
        return _core.NoisyEvaluator(evaluator, self.noise, seed)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self) | {"filter": MoveFilter.of(self.filter).to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SearchSettings:
        """What `to_dict` gave."""
        return cls(**{**data, "filter": MoveFilter.from_dict(data["filter"])})


def check_plies(*plies: int) -> None:
    """Raise EngineError for a depth that cannot be searched."""
    for one in plies:
        if not 0 <= one <= MAX_PLIES:
            raise EngineError(f"plies are 0 to {MAX_PLIES}, not {one}")
