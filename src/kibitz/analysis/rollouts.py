"""Rolling out the blunders of a review: the best play and the one that was made, or the cube actions, many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kibitz.analysis.analyse import Findings, analyse_cube, loss
from kibitz.analysis.analyzer import Analyzer
from kibitz.analysis.decisions import Kind, ReviewedDecision
from kibitz.analysis.levels import ReviewSettings
from kibitz.analysis.reasons import with_reason
from kibitz.decision import CubeDecision, PlayDecision
from kibitz.engine.confidence import play_confidence
from kibitz.match import MatchState
from kibitz.position import Position
from kibitz.record import PlayAnalysis
from kibitz.state import Offer, State

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine


def roll_out_blunders(
    findings: Sequence[Findings], engine: Engine, settings: ReviewSettings, threads: int
) -> list[Findings]:
    """The findings with every blunder analysed again by a rollout."""
    analyzer = _RolloutAnalyzer(engine, settings, threads)

    def again(decision: ReviewedDecision) -> ReviewedDecision:
        if decision.is_blunder and decision.kind is Kind.CHECKER:
            return _play_again(decision, analyzer, settings, threads)
        if decision.is_blunder and decision.kind in (Kind.CUBE, Kind.ANSWER):
            return analyse_cube(decision.moment, analyzer, settings) or decision
        return decision

    return [replace(found, decisions=tuple(map(again, found.decisions))) for found in findings]


def _play_again(
    decision: ReviewedDecision, analyzer: Analyzer, settings: ReviewSettings, threads: int
) -> ReviewedDecision:
    """The best play and the chosen one with the same dice."""
    before, chosen = decision.decision, decision.play
    assert isinstance(before, PlayDecision)
    assert chosen is not None
    both = [before[0].play, chosen]
    if any(play.result.is_over for play in both):
        return decision  # a game that is over cannot be rolled out
    rolled = analyzer.engine.rollout(before.state, play=both, trials=settings.rollout, threads=threads).plays
    others = [row for row in before if row.play not in both]
    ranked = PlayAnalysis.of([*rolled, *others]).plays
    after = PlayDecision(before.state, ranked, play_confidence(ranked))
    made = after.find(chosen)
    assert made is not None
    lost, lost_mwc = loss(after[0], made)
    rolled_out = replace(decision, decision=after, lost=lost, lost_mwc=lost_mwc, reason="", themes=())
    return with_reason(rolled_out, analyzer, settings)


class _RolloutAnalyzer(Analyzer):
    """An analyzer that rolls cube decisions out."""

    def __init__(self, engine: Engine, settings: ReviewSettings, threads: int) -> None:
        super().__init__(engine, settings.level)
        self._trials, self._threads = settings.rollout, threads
        self._rolled: dict[tuple[Position, MatchState], CubeDecision] = {}

    def cube(self, state: State, *, made: bool) -> CubeDecision:  # noqa: ARG002
        """A cube decision by a rollout, made once for the doubler and the one who answers."""
        asked = replace(state, offer=Offer.NONE)
        if not self._cube(asked, deep=False).available:
            return self._cube(state, deep=False)
        key = (state.position, state.match)
        if key not in self._rolled:
            self._rolled[key] = self.engine.rollout(asked, trials=self._trials, threads=self._threads).decision
        return replace(self._rolled[key], state=state)
