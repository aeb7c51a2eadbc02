"""Putting a review into the match it was made of, so that writers which keep analyses write ours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kibitz.analysis.decisions import Kind, ReviewedDecision
from kibitz.decision import PlayDecision
from kibitz.record import Action, Match, PlayAnalysis, Roll

if TYPE_CHECKING:
    from kibitz.analysis.review import MatchReview


def annotated(review: MatchReview) -> Match:
    """The match with our analyses and luck where the file had none of its own; what it had is kept."""
    plays: dict[tuple[int, int], ReviewedDecision] = {}
    cubes: dict[tuple[int, int], ReviewedDecision] = {}
    for decision in review.decisions:
        target = plays if decision.kind is Kind.CHECKER else cubes
        target.setdefault((decision.game, decision.index), decision)
    lucks = {(roll.game, roll.index): roll.luck for roll in review.rolls}
    games = []
    for number, game in enumerate(review.match.games, start=1):
        actions: list[Action] = []
        for index, action in enumerate(game.actions):
            where = (number, index)
            changed = action
            if changed.cube is None and where in cubes:
                changed = replace(changed, cube=cubes[where].cube)
            if isinstance(changed, Roll):
                if changed.analysis is None and where in plays and not plays[where].is_forced:
                    changed = replace(changed, analysis=_analysis(plays[where]))
                if changed.luck is None and where in lucks:
                    changed = replace(changed, luck=lucks[where])
            actions.append(changed)
        games.append(replace(game, actions=tuple(actions)))
    return replace(review.match, games=tuple(games))


def _analysis(decision: ReviewedDecision) -> PlayAnalysis:
    rows = decision.decision
    assert isinstance(rows, PlayDecision)
    played = next((number for number, row in enumerate(rows) if decision.is_chosen(row)), None)
    return PlayAnalysis.of(rows, played)
