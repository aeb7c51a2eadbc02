"""Cube decisions: to double or not, to take or to pass."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kibitz.cube import Owner
from kibitz.decision.evaluation import Evaluation
from kibitz.decision.level import AnalysisLevel
from kibitz.decision.question import Question, question_of
from kibitz.match import MatchState
from kibitz.plain_json import PlainData, picked
from kibitz.state import State

OPTIONAL = 1e-5
"""Equities closer than this are the same: the double is optional."""
CLOSE = 0.16
"""A decision is close if the double would cost, or gain, less than this."""


class CubeAction(StrEnum):
    """What can be done about the cube or a resignation. The value is how players say it."""

    NO_DOUBLE = "no double"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    ACCEPT_BEAVER = "accept the beaver"
    RACCOON = "raccoon"
    PLAY_ON = "play on"
    RESIGN = "resign"
    ACCEPT = "accept"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class RankedAction:
    """An action with what it is worth to the one who decides. `level` is None where no search was needed."""

    action: CubeAction
    equity: float
    mwc: float | None = None
    evaluation: Evaluation | None = None
    level: AnalysisLevel | None = None
    standard_error: float | None = None

    @property
    def plies(self) -> int | None:
        """How deep it was looked at; None where nothing had to be searched."""
        return None if self.level is None else self.level.plies

    @property
    def name(self) -> str:
        """The action as players say it."""
        return self.action.value


def ranked(*actions: RankedAction) -> tuple[RankedAction, ...]:
    """The actions, best first."""
    return tuple(sorted(actions, key=lambda one: -one.equity))


@dataclass(frozen=True, slots=True)
class CubePoints:
    """Winning chances of the player on roll at which the proper action changes, given this position's gammons.

    None where there is no such point. `take_point` is the opponent's chance: what it takes to take.
    """

    double_point: float | None = None
    cash_point: float | None = None
    too_good_point: float | None = None

    @property
    def take_point(self) -> float | None:
        """The winning chance that the opponent needs to take."""
        return None if self.cash_point is None else 1.0 - self.cash_point

    @classmethod
    def of(cls, points: tuple[float, float, float]) -> CubePoints:
        """From the native ones, where not-a-number stands for none."""
        return cls(*(None if math.isnan(point) else point for point in points))

    def to_dict(self) -> dict[str, float | None]:
        """Plain data for JSON."""
        return picked(self, "take_point", "double_point", "cash_point", "too_good_point")

    @classmethod
    def from_dict(cls, data: Mapping[str, float | None]) -> CubePoints:
        """What `to_dict` gave."""
        return cls(data["double_point"], data["cash_point"], data["too_good_point"])


@dataclass(frozen=True, slots=True)
class CubeChances(PlainData):
    """Match winning chances of a cube decision, seen by the player on roll."""

    no_double: float
    double_take: float
    double_pass: float
    cubeless: float | None = None

    @property
    def doubled(self) -> float:
        """The chance after a double that is answered best."""
        return min(self.double_take, self.double_pass)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CubeChances:
        """What `to_dict` gave."""
        return cls(**data)


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """A cube decision, always seen by the player who doubles or might double, also where it is the taker's decision.

    Equities are points per unit of the present cube (EMG in a match); `mwc` holds the same as match winning chances.
    `cubeless` is the equity with a dead cube: without gammons where the Jacoby rule does not count them.
    `taken_evaluation` has the chances after a double that is taken, if they were asked for: with the cube turned, other
    plays may be right. `double_confidence` and `take_confidence` are the chances that the proper action of each side is
    right; None where nobody has told them.
    """

    state: State
    no_double: float
    double_take: float
    double_pass: float
    evaluation: Evaluation
    level: AnalysisLevel
    cubeless: float
    available: bool = True
    mwc: CubeChances | None = None
    standard_error: float | None = None
    taken_evaluation: Evaluation | None = None
    points: CubePoints = field(default_factory=CubePoints)
    live_points: CubePoints = field(default_factory=CubePoints)
    dead_points: CubePoints = field(default_factory=CubePoints)
    double_confidence: float | None = None
    take_confidence: float | None = None

    @property
    def question(self) -> Question:
        """Whether the double or its answer was asked for."""
        return Question.TAKE if question_of(self.state) is Question.TAKE else Question.DOUBLE

    @property
    def match(self) -> MatchState:
        """Score and cube before the double."""
        return self.state.match

    @property
    def owner(self) -> Owner:
        """Who owns the cube before the double."""
        return self.state.match.cube.owner

    @property
    def plies(self) -> int | None:
        """How deep it was looked at; None for a rollout."""
        return self.level.plies

    @property
    def confidence(self) -> float | None:
        """The chance that the proper action of the one who is asked is right."""
        return self.take_confidence if self.question is Question.TAKE else self.double_confidence

    # --- what is right ----------------------------------------------------------------------------------------------

    @property
    def take(self) -> bool:
        """Whether the opponent should take."""
        return self.double_take <= self.double_pass + OPTIONAL

    @property
    def beaver(self) -> bool:
        """Whether the opponent should beaver."""
        return self.match.beavers and self.double_take < 0

    @property
    def taken(self) -> float:
        """The equity of a double that is taken, or beavered if that is right."""
        return 2 * self.double_take if self.beaver else self.double_take

    @property
    def doubled(self) -> float:
        """The equity of doubling when the opponent answers best."""
        return min(self.taken, self.double_pass)

    @property
    def double(self) -> bool:
        """Whether doubling is right; an optional double counts as right."""
        return self.available and self.doubled >= self.no_double - OPTIONAL

    @property
    def optional(self) -> bool:
        """Whether doubling and not doubling are worth the same."""
        return self.available and abs(self.doubled - self.no_double) <= OPTIONAL

    @property
    def equity(self) -> float:
        """The equity with the proper action of both sides."""
        return max(self.no_double, self.doubled) if self.available else self.no_double

    @property
    def equity_mwc(self) -> float | None:
        """The match winning chance with the proper action of both sides."""
        if self.mwc is None:
            return None
        return max(self.mwc.no_double, self.mwc.doubled) if self.available else self.mwc.no_double

    @property
    def too_good(self) -> bool:
        """Whether playing on is better than cashing in."""
        return self.available and not self.double and self.no_double > self.double_pass

    def is_close(self, within: float = CLOSE) -> bool:
        """Whether the decision is one that a player can get wrong: gnubg's test for counting it."""
        return self.available and self.equity - min(self.double_take, self.double_pass) < within

    @property
    def answer(self) -> CubeAction:
        """The proper answer to a double."""
        return CubeAction.BEAVER if self.beaver else CubeAction.TAKE if self.take else CubeAction.PASS

    @property
    def action(self) -> str:
        """The proper action of both sides in words."""
        word = "double" if self.owner is Owner.CENTRED else "redouble"
        if not self.available:
            return "cube not available"
        if self.optional:
            return f"optional {word}, {self.answer.value}"
        if self.double:
            return f"{word}, {self.answer.value}"
        if self.too_good:
            return f"too good to {word}, {self.answer.value}"
        return f"no {word}, {self.answer.value}"

    @property
    def best(self) -> str:
        """What to do, in words."""
        return self.answer.value if self.question is Question.TAKE else self.action

    @property
    def errors(self) -> dict[str, float]:
        """What each action costs its player, compared with the best one."""
        costs = {"no_double": self.no_double - self.equity}
        if self.available:
            costs["double"] = self.doubled - self.equity
            costs["take"] = min(self.double_pass - self.taken, 0.0)
            costs["pass"] = min(self.taken - self.double_pass, 0.0)
        return costs

    # --- the actions of each side -----------------------------------------------------------------------------------

    def doubling(self) -> tuple[RankedAction, ...]:
        """Not doubling and doubling, the better first, for the player on roll."""
        hold, doubled = (None, None) if self.mwc is None else (self.mwc.no_double, self.mwc.doubled)
        return ranked(
            self._searched(CubeAction.NO_DOUBLE, self.no_double, hold),
            self._searched(CubeAction.DOUBLE, self.doubled, doubled),
        )

    def answering(self, *, beavers: bool | None = None) -> tuple[RankedAction, ...]:
        """Taking, passing and, where they are allowed, beavering, the best first, for the opponent."""
        taken, passed = (None, None) if self.mwc is None else (1.0 - self.mwc.double_take, 1.0 - self.mwc.double_pass)
        actions = [
            self._searched(CubeAction.TAKE, -self.double_take, taken, swapped=True),
            RankedAction(CubeAction.PASS, -self.double_pass, passed),
        ]
        if self.match.beavers if beavers is None else beavers:
            actions.append(self._searched(CubeAction.BEAVER, -2.0 * self.double_take, swapped=True))
        return ranked(*actions)

    def countering(self) -> tuple[RankedAction, ...]:
        """What the doubler may do about a beaver, the best first."""
        return ranked(
            self._searched(CubeAction.ACCEPT_BEAVER, 2.0 * self.double_take),
            self._searched(CubeAction.RACCOON, 4.0 * self.double_take),
            RankedAction(CubeAction.PASS, -2.0),
        )

    def _searched(
        self, action: CubeAction, equity: float, mwc: float | None = None, *, swapped: bool = False
    ) -> RankedAction:
        evaluation = self.evaluation.swapped() if swapped else self.evaluation
        return RankedAction(action, equity, mwc, evaluation, self.level, self.standard_error)

    # --- faces ------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        numbers = f"no double {self.no_double:+.4f}"
        if self.available:
            numbers += f", double/take {self.double_take:+.4f}, double/pass {self.double_pass:+.4f}"
        sure = "" if self.confidence is None else f"; confidence {100 * self.confidence:.0f} %"
        return f"{self.best} ({numbers}; {self.level.depth}{sure})"

    def _repr_html_(self) -> str:
        from kibitz.report.decisions import cube_html

        return cube_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        doubled = picked(self, "double_take", "double_pass")
        return (
            picked(self, "question", "best", "confidence", "state", "action", "double", "take", "beaver", "available")
            | picked(self, "owner", "no_double")
            | (doubled if self.available else dict.fromkeys(doubled))
            | picked(self, "equity", "cubeless", "errors", "mwc", "plies", "standard_error", "evaluation")
            | picked(self, "taken_evaluation", "level", "points", "live_points", "dead_points")
            | picked(self, "double_confidence", "take_confidence")
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], state: State | None = None) -> CubeDecision:
        """What `to_dict` gave, in a state that is known otherwise or in the one that was written.

        The numbers of a cube that is not available are those of leaving it alone.
        """
        hold = data["no_double"]
        return cls(
            State.from_dict(data["state"]) if state is None else state,
            hold,
            hold if data["double_take"] is None else data["double_take"],
            1.0 if data["double_pass"] is None else data["double_pass"],
            Evaluation.from_dict(data["evaluation"]),
            AnalysisLevel.from_dict(data["level"]),
            data["cubeless"],
            data["available"],
            None if data["mwc"] is None else CubeChances.from_dict(data["mwc"]),
            data["standard_error"],
            None if data.get("taken_evaluation") is None else Evaluation.from_dict(data["taken_evaluation"]),
            CubePoints.from_dict(data["points"]),
            CubePoints.from_dict(data["live_points"]),
            CubePoints.from_dict(data["dead_points"]),
            data.get("double_confidence"),
            data.get("take_confidence"),
        )
