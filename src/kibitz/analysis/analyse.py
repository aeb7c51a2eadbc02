"""Analysing one moment of a match: the decisions in it, the luck of its roll, and how the game stands after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kibitz.analysis.analyzer import Analyzer
from kibitz.analysis.decisions import CurvePoint, Flaw, Kind, ReviewedDecision, RollLuck, chosen_action
from kibitz.analysis.levels import ReviewSettings
from kibitz.analysis.marks import Thresholds
from kibitz.analysis.reasons import with_reason
from kibitz.decision import OPTIONAL, CubeAction, CubeDecision, Decision, PlayDecision, RankedAction, RankedPlay
from kibitz.plain_json import PlainData
from kibitz.record import Beaver, Double, Drop, Moment, Raccoon, Resign, Roll, Setup, Take
from kibitz.state import Offer

PR_INDIFFERENT = 0.001
"""eXtreme Gammon counts no decision in which all options are closer than this."""
PR_CLEAR = 0.2
"""Nor a cube that stays where it is when doubling is worse than this, or playing on better."""
PR_LOST = -0.9
"""Nor one of a player who is worse off than this, doubled or not."""

_WRONG = {
    CubeAction.TAKE: Flaw.WRONG_TAKE,
    CubeAction.PASS: Flaw.WRONG_PASS,
    CubeAction.BEAVER: Flaw.WRONG_BEAVER,
}


@dataclass(frozen=True, slots=True)
class Findings(PlainData):
    """What came of a moment."""

    decisions: tuple[ReviewedDecision, ...] = ()
    luck: RollLuck | None = None
    point: CurvePoint | None = None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], moment: Moment, limits: Thresholds) -> Findings:
        """What `to_dict` gave, with the moment that it was made of."""
        return cls(
            tuple(ReviewedDecision.from_dict(one, moment, limits) for one in data["decisions"]),
            None if data["luck"] is None else RollLuck.from_dict(data["luck"], moment),
            None if data["point"] is None else CurvePoint.from_dict(data["point"]),
        )


def analyse(moment: Moment, analyzer: Analyzer, settings: ReviewSettings) -> Findings:
    """All that can be said of a moment."""
    action = moment.action
    if moment.state.position.is_over:
        return Findings()
    if isinstance(action, Roll):
        return _roll(moment, action, analyzer, settings)
    if isinstance(action, Resign):
        return Findings(tuple(_resignation(moment, action, analyzer, settings)))
    found = analyse_cube(moment, analyzer, settings)
    return Findings() if found is None else Findings((found,))


def analyse_cube(moment: Moment, analyzer: Analyzer, settings: ReviewSettings) -> ReviewedDecision | None:
    """The decision about the cube at a moment: a double made or not, or the answer to one."""
    action, offer = moment.action, moment.state.offer
    if isinstance(action, Double | Roll):
        return _double(moment, analyzer, settings)
    if isinstance(action, Take | Drop | Beaver) and offer is Offer.DOUBLE:
        return _answer(moment, analyzer, settings)
    if isinstance(action, Take | Drop | Raccoon) and offer is Offer.BEAVER:
        return _counter(moment, analyzer, settings)
    return None


# --- rolls ------------------------------------------------------------------------------------------------------------


def _roll(moment: Moment, action: Roll, analyzer: Analyzer, settings: ReviewSettings) -> Findings:
    decisions = []
    previous = moment.previous
    was_asked = isinstance(previous, Take | Beaver | Raccoon | Double)
    if isinstance(previous, Setup):
        was_asked = action.cube is None  # a position that was set up with its dice: nobody asks about the cube
    if not moment.is_opening and not was_asked and (found := _double(moment, analyzer, settings)) is not None:
        decisions.append(found)
    luck = analyzer.luck(moment.state, opening=moment.is_opening)
    roll = RollLuck(moment, luck.equity, luck.mwc, settings.thresholds.luck(luck.equity))
    point = None
    if action.moves is not None:
        play = analyse_play(moment, analyzer, settings)
        decisions.append(play)
        if (row := play.chosen_option) is not None:
            point = CurvePoint.after(moment, row)
    return Findings(tuple(decisions), roll, point)


def analyse_play(moment: Moment, analyzer: Analyzer, settings: ReviewSettings) -> ReviewedDecision:
    """The play of a roll, which may be that no checker can move."""
    action, played = moment.action, moment.play
    assert isinstance(action, Roll)
    assert played is not None
    ranked = analyzer.plays(moment.state, played if action.legal and action.moves else None)
    made = next((row for row in ranked if row.play.result == played.result), None)
    kept = ranked[: settings.candidates]
    if made is not None and made.rank > settings.candidates:
        kept = (*kept, made)
    counts = len(ranked) > 1 and made is not None
    spread = ranked[0].equity - min(row.equity for row in ranked)
    lost, lost_mwc = (0.0, None if moment.state.match.is_money else 0.0) if made is None else loss(ranked[0], made)
    found = ReviewedDecision(
        moment,
        Kind.CHECKER,
        PlayDecision(moment.state, kept, ranked.confidence),
        played,
        lost,
        lost_mwc,
        counts=counts,
        counts_pr=counts and spread >= PR_INDIFFERENT,
        is_forced=len(ranked) == 1,
        limits=settings.thresholds,
    )
    return with_reason(found, analyzer, settings, ranked)


# --- the cube ---------------------------------------------------------------------------------------------------------


def _double(moment: Moment, analyzer: Analyzer, settings: ReviewSettings) -> ReviewedDecision | None:
    """To double or not; None where the rules leave no choice."""
    made = isinstance(moment.action, Double)
    state = moment.state if moment.state.dice is None else replace(moment.state, dice=None)
    cube = analyzer.cube(state, made=made)
    if not cube.available:
        return None
    flaw = Flaw.NONE
    if not made and cube.doubled - cube.no_double > OPTIONAL:
        flaw = Flaw.MISSED_BELOW_CASH if cube.double_take < cube.double_pass else Flaw.MISSED_ABOVE_CASH
    elif made and cube.no_double - cube.doubled > OPTIONAL:
        flaw = Flaw.WRONG_ABOVE_TOO_GOOD if cube.no_double > cube.double_pass else Flaw.WRONG_BELOW_DOUBLE
    found = _acted(
        moment,
        Kind.CUBE,
        cube,
        settings,
        flaw=flaw,
        counts=made or cube.is_close(),
        counts_pr=made or counts_in_pr(cube),
    )
    return with_reason(found, analyzer, settings)


def _answer(moment: Moment, analyzer: Analyzer, settings: ReviewSettings) -> ReviewedDecision:
    """To take, to pass or to beaver. The state is the doubler's."""
    cube = analyzer.cube(moment.state, made=True)
    found = with_reason(_acted(moment, Kind.ANSWER, cube, settings), analyzer, settings)
    chosen, best = found.chosen_option, found.best
    assert isinstance(chosen, RankedAction)
    assert isinstance(best, RankedAction)
    if chosen.equity >= best.equity - OPTIONAL:
        return found
    missed = chosen.action is CubeAction.TAKE and best.action is CubeAction.BEAVER
    return replace(found, flaw=Flaw.WRONG_BEAVER if missed else _WRONG[chosen.action])


def _counter(moment: Moment, analyzer: Analyzer, settings: ReviewSettings) -> ReviewedDecision:
    """What the doubler does about a beaver: take it, turn the cube once more, or give the game up."""
    cube = analyzer.cube(replace(moment.state, offer=Offer.DOUBLE), made=True)
    cube = replace(cube, state=moment.state)
    return _acted(moment, Kind.COUNTER, cube, settings, counts=False, counts_pr=False)


def counts_in_pr(cube: CubeDecision) -> bool:
    """Whether eXtreme Gammon counts a cube that was left alone."""
    hold, taken, passed = cube.no_double, cube.double_take, cube.double_pass
    if abs(cube.doubled - hold) < PR_INDIFFERENT:
        return False
    if hold - taken > PR_CLEAR or hold - passed > PR_CLEAR:
        return False
    return not (hold < PR_LOST and taken < PR_LOST)


# --- resignations -----------------------------------------------------------------------------------------------------


def _resignation(
    moment: Moment, action: Resign, analyzer: Analyzer, settings: ReviewSettings
) -> Sequence[ReviewedDecision]:
    """What giving up cost, and, if it cost nothing, what the opponent lost by accepting too little."""
    if isinstance(moment.previous, Double | Beaver | Raccoon):
        return []
    decision = analyzer.resignation(moment, action)
    kinds = [Kind.RESIGNATION] if decision.accept else [Kind.RESIGNATION, Kind.ACCEPTANCE]
    return [_acted(moment, kind, decision, settings, counts=False, counts_pr=False) for kind in kinds]


# --- what all have ----------------------------------------------------------------------------------------------------


def _acted(
    moment: Moment,
    kind: Kind,
    decision: Decision,
    settings: ReviewSettings,
    *,
    flaw: Flaw = Flaw.NONE,
    counts: bool = True,
    counts_pr: bool = True,
) -> ReviewedDecision:
    """A decision in which something was done about the cube or a resignation."""
    chosen = chosen_action(moment, kind)
    found = ReviewedDecision(
        moment, kind, decision, chosen, 0.0, None, counts, counts_pr, flaw, limits=settings.thresholds
    )
    row = found.chosen_option
    assert row is not None
    lost, lost_mwc = loss(found.best, row)
    return replace(found, lost=lost, lost_mwc=lost_mwc)


def loss(best: RankedPlay | RankedAction, chosen: RankedPlay | RankedAction) -> tuple[float, float | None]:
    """What a choice gave away: equity, and match winning chance where it is known."""
    mwc = None if best.mwc is None or chosen.mwc is None else max(best.mwc - chosen.mwc, 0.0)
    return max(best.equity - chosen.equity, 0.0), mwc
