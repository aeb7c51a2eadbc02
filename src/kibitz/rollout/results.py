"""What a rollout says of its candidates."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from kibitz.decision import AnalysisLevel, ChanceErrors, Evaluation, RankedPlay
from kibitz.errors import EngineError
from kibitz.move import Play
from kibitz.rollout.counts import GameCounts


@dataclass(frozen=True, slots=True)
class RolloutResult:
    """One candidate: means over the games, for the player whose decision it is, each with its standard error.

    `equity` is what candidates are compared by: points per unit of the present cube (normalised at the score in a
    match), cubeful or cubeless as the rollout is. `difference` is to the best candidate, with its own `joint_error`,
    which is smaller than the two errors suggest because all candidates had the same dice. `counts` tell how the games
    ended and which doubles were taken and passed.
    """

    name: str
    equity: float
    standard_error: float
    evaluation: Evaluation
    errors: ChanceErrors
    cubeless_equity: float
    cubeless_error: float
    mwc: float | None
    mwc_error: float | None
    difference: float
    joint_error: float
    trials: int
    cubeful: bool
    play: Play | None = None
    rank: int = 1
    counts: GameCounts = field(default_factory=GameCounts)

    @property
    def separation(self) -> float:
        """How many standard errors of the difference it is behind the best one; infinite if that has no error."""
        if self.difference == 0:
            return 0.0
        return -self.difference / self.joint_error if self.joint_error > 0 else math.inf

    @property
    def level(self) -> AnalysisLevel:
        """What its numbers are called in analyses."""
        return AnalysisLevel.rolled_out(self.trials, cubeful=self.cubeful)

    def ranked(self) -> RankedPlay:
        """A play that was rolled out, as rankings hold it."""
        if self.play is None:
            raise EngineError(f"{self.name} is no play")
        return RankedPlay(
            self.play,
            self.equity,
            self.evaluation,
            self.level,
            self.difference,
            self.rank,
            self.mwc,
            _known(self.standard_error),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; what is not known yet is null."""
        return {
            "rank": self.rank,
            "name": self.name,
            "play": None if self.play is None else str(self.play),
            "result": None if self.play is None else self.play.result.id,
            "trials": self.trials,
            "kind": "cubeful" if self.cubeful else "cubeless",
            "equity": self.equity,
            "standard_error": _known(self.standard_error),
            "difference": self.difference,
            "joint_error": _known(self.joint_error),
            "mwc": self.mwc,
            "mwc_error": _known(self.mwc_error),
            "cubeless_equity": self.cubeless_equity,
            "cubeless_error": _known(self.cubeless_error),
            "evaluation": self.evaluation.to_dict(),
            "errors": self.errors.to_dict(),
            "counts": self.counts.to_dict(),
        }


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
