"""The analyses that came with a file, counted by the same rules as our own."""

from __future__ import annotations

from dataclasses import replace

from kibitz.analysis.analyse import analyse
from kibitz.analysis.analyzer import Analyzer, Luck
from kibitz.analysis.decisions import Kind, ReviewedDecision
from kibitz.analysis.levels import ReviewSettings
from kibitz.decision import AnalysisLevel, CubeDecision, Evaluation, PlayDecision, RankedPlay
from kibitz.library.analyses import AnalystInfo, StoredAnalysis, file_analyst, level_of, stored_analyses, unplayed
from kibitz.move import Play
from kibitz.record import Beaver, Double, Drop, Match, Moment, Roll, Setup, Take
from kibitz.state import Offer, State

_UNKNOWN = AnalysisLevel("?")
_NOTHING = Evaluation(0.5, 0.0, 0.0, 0.0, 0.0)


def file_analyses(match: Match) -> list[tuple[AnalystInfo, list[StoredAnalysis]]]:
    """What a file says of its decisions, together by who said it."""
    found: dict[str, list[StoredAnalysis]] = {}
    analysts: dict[str, AnalystInfo] = {}

    def keep(level: AnalysisLevel, rows: list[StoredAnalysis]) -> None:
        analyst = file_analyst(level)
        analysts[analyst.key] = analyst
        found.setdefault(analyst.key, []).extend(rows)

    for moment in match.moments():
        for level, rows in _said_of(moment):
            keep(level, rows)
    return [(analysts[key], rows) for key, rows in found.items()]


def _said_of(moment: Moment) -> list[tuple[AnalysisLevel, list[StoredAnalysis]]]:
    """What is said of one action, with the level of each."""
    action = moment.action
    said: list[tuple[AnalysisLevel, list[StoredAnalysis]]] = []
    ranked = action.analysis if isinstance(action, Roll) else None
    cube = _cube_of(moment)
    if isinstance(action, Setup) or (isinstance(action, Roll) and action.moves is None):
        if cube is not None:
            state = replace(moment.state, dice=None)
            said.append((cube.level, [unplayed(moment, replace(cube, state=state))]))
        if ranked is not None and ranked.plays:
            said.append((ranked.plays[0].level, [unplayed(moment, PlayDecision(moment.state, ranked.plays))]))
        return said
    if cube is None and (ranked is None or not ranked.plays):
        return said
    if not isinstance(action, Roll | Double | Take | Drop | Beaver) or moment.state.offer not in (
        Offer.NONE,
        Offer.DOUBLE,
    ):
        return said
    findings = analyse(moment, _FileAnalyzer(moment, cube), ReviewSettings(candidates=100, reasons=False))
    for decision in findings.decisions:
        if _is_known(decision, cube is not None, ranked is not None and bool(ranked.plays)):
            has_luck = decision.kind is Kind.CHECKER and isinstance(action, Roll) and action.luck is not None
            luck = [findings.luck] if has_luck and findings.luck is not None else []
            said.append((level_of(decision.decision), stored_analyses([decision], luck)))
    return said


def _is_known(decision: ReviewedDecision, cube: bool, plays: bool) -> bool:
    return plays if decision.kind is Kind.CHECKER else cube


def _cube_of(moment: Moment) -> CubeDecision | None:
    """What the file says of the cube; of an answer it may have said it with the double."""
    if moment.action.cube is not None:
        return moment.action.cube
    answers = isinstance(moment.action, Take | Drop | Beaver) and isinstance(moment.previous, Double)
    return moment.previous.cube if answers and moment.previous is not None else None


class _FileAnalyzer(Analyzer):
    """What a file says, as a review asks for it. Where it is silent the answer is empty, and nobody keeps it."""

    def __init__(self, moment: Moment, cube: CubeDecision | None) -> None:
        self._moment = moment
        self._cube_said = cube

    def plays(self, state: State, played: Play | None) -> PlayDecision:
        action = self._moment.action
        if isinstance(action, Roll) and action.analysis is not None and action.analysis.plays:
            return PlayDecision(state, action.analysis.plays)
        made = played or self._moment.play
        assert made is not None
        return PlayDecision(state, (RankedPlay(made, 0.0, _NOTHING, _UNKNOWN),))

    def cube(self, state: State, *, made: bool) -> CubeDecision:  # noqa: ARG002
        if self._cube_said is not None:
            return replace(self._cube_said, state=state, available=True)
        return CubeDecision(state, 0.0, 0.0, 1.0, _NOTHING, _UNKNOWN, 0.0, available=False)

    def luck(self, state: State, *, opening: bool) -> Luck:  # noqa: ARG002
        action = self._moment.action
        return Luck(action.luck or 0.0 if isinstance(action, Roll) else 0.0, None)
