"""Putting a review into the match it was made of, so that writers which keep analyses write ours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kibitz.analysis.decisions import Decision, Kind
from kibitz.analysis.judge import ENGINE_NAME
from kibitz.record import Action, AnalysisLevel, Candidate, Match, PlayAnalysis, Roll

if TYPE_CHECKING:
    from kibitz.analysis.review import MatchReview


def annotated(review: MatchReview) -> Match:
    """The match with our analyses and luck where the file had none of its own; what it had is kept."""
    plays: dict[tuple[int, int], Decision] = {}
    cubes: dict[tuple[int, int], Decision] = {}
    for decision in review.decisions:
        target = plays if decision.kind is Kind.CHECKER else cubes
        target.setdefault((decision.game, decision.index), decision)
    lucks = {(roll.game, roll.index): roll.luck for roll in review.rolls}
    games = []
    for number, game in enumerate(review.match.games):
        actions: list[Action] = []
        for index, action in enumerate(game.actions):
            where = (number, index)
            changed = action
            cube = cubes.get(where)
            if changed.cube is None and cube is not None and cube.cube is not None:
                changed = replace(changed, cube=cube.cube)
            if isinstance(changed, Roll):
                if changed.analysis is None and where in plays and not plays[where].is_forced:
                    changed = replace(changed, analysis=_analysis(plays[where]))
                if changed.luck is None and where in lucks:
                    changed = replace(changed, luck=lucks[where])
            actions.append(changed)
        games.append(replace(game, actions=tuple(actions)))
    return replace(review.match, games=tuple(games))


def _analysis(decision: Decision) -> PlayAnalysis | None:
    candidates: list[Candidate] = []
    played = None
    for option in decision.options:
        play = decision.play_of(option.name)
        if play is None:
            continue
        if option.name == decision.chosen:
            played = len(candidates)
        name = "rollout" if option.plies is None else f"{option.plies}-ply"
        level = AnalysisLevel(ENGINE_NAME, name, option.plies)
        five, error = option.probabilities, option.standard_error
        candidates.append(Candidate(play.moves, level, option.equity, option.mwc, five, error))
    return PlayAnalysis(tuple(candidates), played) if candidates else None
