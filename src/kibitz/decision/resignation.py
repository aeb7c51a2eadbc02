"""Resignations: an offer to lose a game, a gammon or a backgammon, and whether to accept it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz.decision.cube import CubeAction, RankedAction, ranked
from kibitz.decision.evaluation import opponents_chance
from kibitz.decision.level import AnalysisLevel
from kibitz.decision.question import Question
from kibitz.errors import EngineError
from kibitz.plain_json import picked
from kibitz.state import RESIGNATION_SIZES, State


def resigned_size(state: State) -> int:
    """1, 2 or 3 for an offered single game, gammon or backgammon."""
    if state.offer not in RESIGNATION_SIZES:
        raise EngineError(f"nobody resigns in this state: the offer is {state.offer.value!r}")
    return RESIGNATION_SIZES[state.offer]


@dataclass(frozen=True, slots=True)
class ResignationDecision:
    """An offer to lose so many times the cube. Equities and chances are those of the player who has to answer.

    `state` is the resigner's. Both numbers are points per unit of the present cube (EMG in a match). `confidence` is
    the chance that the proper answer is right; None where nobody has told it.
    """

    state: State
    accepted: float
    played_on: float
    level: AnalysisLevel
    accepted_mwc: float | None = None
    played_on_mwc: float | None = None
    confidence: float | None = None
    question: ClassVar[Question] = Question.RESIGNATION

    @property
    def size(self) -> int:
        """How many times the cube is offered."""
        return resigned_size(self.state)

    @property
    def accept(self) -> bool:
        """Whether accepting is right."""
        return self.accepted >= self.played_on

    @property
    def action(self) -> str:
        """The proper answer in words."""
        return "accept the resignation" if self.accept else "decline the resignation and play on"

    best = action

    def answering(self) -> tuple[RankedAction, ...]:
        """Accepting and refusing, the better first, for the player who has to answer."""
        return ranked(
            RankedAction(CubeAction.ACCEPT, self.accepted, self.accepted_mwc),
            RankedAction(CubeAction.REFUSE, self.played_on, self.played_on_mwc, level=self.level),
        )

    def resigning(self) -> tuple[RankedAction, ...]:
        """Resigning and playing on, the better first, for the player who offers it."""
        return ranked(
            RankedAction(CubeAction.RESIGN, -self.accepted, opponents_chance(self.accepted_mwc)),
            RankedAction(CubeAction.PLAY_ON, -self.played_on, opponents_chance(self.played_on_mwc), level=self.level),
        )

    def __str__(self) -> str:
        sure = "" if self.confidence is None else f"; confidence {100 * self.confidence:.0f} %"
        numbers = f"accepted {self.accepted:+.4f}, played on {self.played_on:+.4f}"
        return f"{self.action} ({numbers}; {self.level.depth}{sure})"

    def _repr_html_(self) -> str:
        from kibitz.report.decisions import resignation_html

        return resignation_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        about = picked(self, "question", "best", "confidence", "state", "size", "accept", "action")
        return about | picked(self, "accepted", "played_on", "accepted_mwc", "played_on_mwc", "level")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ResignationDecision:
        """What `to_dict` gave."""
        return cls(
            State.from_dict(data["state"]),
            data["accepted"],
            data["played_on"],
            AnalysisLevel.from_dict(data["level"]),
            data["accepted_mwc"],
            data["played_on_mwc"],
            data.get("confidence"),
        )
