"""What a training run is made of: the shapes of its nets and how its rates change over time."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kibitz.errors import FormatError
from kibitz.plain_json import read_json
from kibitz.train.race import RaceSettings

Shape = tuple[int, int, int]
"""Widths of the three hidden layers."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stretch of training with nets of one size. Rates run from their first to their last value over its steps."""

    name: str
    steps: int  # batches of the contact net: a busy machine takes longer, and learns the same
    contact: Shape
    prefilter: Shape = (128, 32, 32)  # and of the pruning net, which is made of it
    buckets: bool = False  # whether the contact net has later layers for each bucket
    rate: tuple[float, float] = (1e-3, 3e-4)
    trace: tuple[float, float] = (0.7, 0.3)  # lambda: how much of what later positions learnt flows back
    window: tuple[int, int] = (200_000, 1_000_000)  # newest samples that are trained on
    averaging: float = 1e-3  # the weights that play are an average over about 1 / averaging steps
    shortlist: int = 5
    exact: bool = True  # targets from all 21 rolls, not from the one that was rolled
    doubt: float = 0.0  # where net and target differ by more equity than this, the target gets a second ply; 0: never

    @property
    def shapes(self) -> dict[str, Shape]:
        """The shapes of the nets that learn from games, by role."""
        return {"contact": self.contact, "prefilter": self.prefilter}

    def at(self, part: float) -> dict[str, float]:
        """The rates when `part` of the stage (0 to 1) is over."""
        part = min(max(part, 0.0), 1.0)
        cosine = 0.5 * (1.0 + math.cos(math.pi * part))
        return {
            "rate": self.rate[1] + (self.rate[0] - self.rate[1]) * cosine,
            "trace": self.trace[0] + (self.trace[1] - self.trace[0]) * part,
            "window": self.window[0] + (self.window[1] - self.window[0]) * part,
        }


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """Everything that decides how a run goes, beside the machine's speed."""

    seed: int = 1
    race: RaceSettings = RaceSettings()  # noqa: RUF009
    stages: tuple[Stage, ...] = (
        Stage("first", 4_000, (128, 32, 32), trace=(0.9, 0.8), window=(100_000, 400_000), exact=False),
        Stage("small", 16_000, (128, 32, 32), trace=(0.8, 0.8), window=(100_000, 300_000)),
        Stage("middle", 40_000, (256, 32, 32), trace=(0.8, 0.8), window=(300_000, 800_000)),
        Stage("large", 120_000, (512, 64, 32), trace=(0.8, 0.8), rate=(1e-3, 3e-4), window=(800_000, 4_000_000)),
        Stage(
            "wide",
            300_000,
            (512, 192, 64),
            trace=(0.9, 0.4),
            rate=(6e-4, 4e-4),
            window=(1_000_000, 6_000_000),
            averaging=2e-4,
        ),
        # A long trace takes biases away but is noisy: the end is learnt without it, from as much as there is room for,
        # and by each bucket for itself.
        Stage(
            "fine",
            200_000,
            (512, 192, 64),
            buckets=True,
            trace=(0.2, 0.2),
            rate=(4e-4, 1e-5),
            window=(6_000_000, 12_000_000),
            averaging=2e-4,
        ),
    )
    batch: int = 1024
    samples_per_position: float = 5.0  # how often each new position is trained on
    explore: float = 0.02  # share of plays that are any legal one
    explore_near: float = 0.35  # share of plays that are another one nearly as good as the best
    random_openings: float = 0.25
    players: int = 2  # threads that play
    chunk: int = 2000  # positions generated between two exchanges of nets
    capacity: int = 12_000_000
    pruning_rounds: int = 2000  # for the pruning net at the end, each of the results of some thousand positions

    @classmethod
    def onward(cls, seed: int = 1) -> TrainingSettings:
        """A run that goes on from given nets: the last stage alone."""
        return cls(seed=seed, stages=cls().stages[-1:])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def load(cls, path: Path) -> TrainingSettings:
        """The settings that a run has written into its folder."""
        try:
            data = read_json(path.read_bytes())
            stages = tuple(
                Stage(**{key: _as_tuple(value) for key, value in stage.items()}) for stage in data.pop("stages")
            )
            race = RaceSettings(**{key: _as_tuple(value) for key, value in data.pop("race").items()})
            return cls(stages=stages, race=race, **{key: _as_tuple(value) for key, value in data.items()})
        except OSError as error:
            raise FormatError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(f"{path} holds no settings of a training run: {error}") from None


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@dataclass(slots=True)
class Progress:
    """Where a run is. Written with every checkpoint."""

    seconds: float = 0.0
    games: int = 0
    positions: int = 0
    stage: int = 0
    stage_steps: int = 0
    generation: int = 0  # counts generator seeds, so that a resumed run plays new games
