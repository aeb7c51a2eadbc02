"""A card as a question: what is shown, which answers there are, and what each loses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.analysis.decisions import Kind
from kibitz.decision import CubeDecision, Decision, PlayDecision, RankedAction, RankedPlay
from kibitz.errors import KibitzError, LibraryError, NotationError
from kibitz.explain.explain import explain_decision
from kibitz.library.restoring import restored
from kibitz.notation.plays import parse_play
from kibitz.state import State

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine

STUDIED = (Kind.CHECKER, Kind.CUBE, Kind.ANSWER)
"""What cards ask for: plays, doubles and takes, each by itself."""


@dataclass(frozen=True, slots=True)
class StudyQuestion:
    """A decision to be made once more. `reason` says why what was played was an error, if the analysis says it."""

    kind: Kind
    decision: Decision
    reason: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> StudyQuestion:
        """From the detail of an analysis."""
        return cls(Kind(data["kind"]), restored(dict(data)), data.get("reason", ""))

    @property
    def state(self) -> State:
        """What is shown: position, score, cube and roll. Whether to take is asked in the state of the doubler."""
        return self.decision.state

    @property
    def words(self) -> str:
        """The question."""
        if self.kind is Kind.CHECKER:
            return f"How do you play {self.state.dice}?"
        return "Double or not?" if self.kind is Kind.CUBE else "You are doubled. Take or pass?"

    @property
    def rows(self) -> tuple[RankedPlay | RankedAction, ...]:
        """The answers that are known, the best first, with what each is worth to the one who answers."""
        if isinstance(self.decision, PlayDecision):
            return self.decision.plays
        if not isinstance(self.decision, CubeDecision):
            raise LibraryError("a resignation is no question of a card")
        return self.decision.doubling() if self.kind is Kind.CUBE else self.decision.answering()

    @property
    def solution(self) -> str:
        """The best answer in words."""
        return self.decision.action if isinstance(self.decision, CubeDecision) else self.rows[0].name

    def lost(self, answer: str, engine: Engine | None = None) -> tuple[str, float]:
        """An answer as it is written, and what it loses.

        A legal play that the analysis does not list is asked of the engine; without one, it loses as much as the worst
        that is listed.
        """
        if not isinstance(self.decision, PlayDecision):
            return self._action_lost(answer)
        state = self.state
        play = parse_play(answer, state.position, state.dice)
        found = self.decision.find(play)
        if found is not None:
            return found.name, max(self.rows[0].equity - found.equity, 0.0)
        if engine is None:
            return str(play), max(self.rows[0].equity - self.rows[-1].equity, 0.0)
        ranked = engine.rank(state, play=play)
        made = ranked.find(play)
        if made is None:
            raise LibraryError(f"the engine does not rank {play}")
        return str(play), max(ranked.equity - made.equity, 0.0)

    def why(self, answer: str, engine: Engine | None = None) -> str:
        """Why the solution is better than an answer; without an engine, than what was played when it was an error."""
        if engine is None:
            return self.reason
        rows, wanted = self.rows, self.lost(answer, engine)[0]
        if wanted == rows[0].name:
            if self.reason:
                return self.reason
            wanted = rows[1].name
        decision = self.decision
        if isinstance(decision, PlayDecision) and decision.find(wanted) is None:
            decision = engine.rank(self.state, play=wanted)
        return explain_decision(engine, decision, wanted).reason

    def _action_lost(self, answer: str) -> tuple[str, float]:
        said = answer.strip().lower()
        names = {row.name: row for row in self.rows}
        wanted = _SHORT.get(said, said)
        if self.kind is Kind.CUBE:
            wanted = _SHORT_DOUBLE.get(said, wanted)
        if wanted not in names:
            raise NotationError(f"expected {' or '.join(names)}, not {answer!r}")
        return wanted, max(self.rows[0].equity - names[wanted].equity, 0.0)


_SHORT = {"t": "take", "p": "pass", "drop": "pass", "b": "beaver"}
_SHORT_DOUBLE = {"d": "double", "n": "no double", "no": "no double", "nd": "no double", "redouble": "double"}


def is_answerable(question: StudyQuestion) -> bool:
    """Whether there is something to choose."""
    try:
        return question.kind in STUDIED and len(question.rows) > 1
    except KibitzError:
        return False
