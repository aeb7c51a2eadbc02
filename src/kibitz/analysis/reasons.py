"""The sentence that each error of a review gets: why the best option is better than the one that was chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kibitz.analysis.decisions import Kind, ReviewedDecision
from kibitz.analysis.levels import ReviewSettings
from kibitz.decision import CubeDecision, PlayDecision
from kibitz.errors import EngineError
from kibitz.explain.cube import explain_cube
from kibitz.explain.plays import explain_play
from kibitz.move import Play

if TYPE_CHECKING:
    from kibitz.analysis.analyzer import Analyzer

MOST_PLIES = 2
"""Reasons look no deeper than this: a third ply takes thirty times as long and seldom finds another reason."""


def with_reason(
    found: ReviewedDecision, analyzer: Analyzer, settings: ReviewSettings, ranked: PlayDecision | None = None
) -> ReviewedDecision:
    """The decision with its sentence if it is an error. `ranked` has all plays where the decision holds the best ones.

    Resignations and answers to beavers have none: their equities say all.
    """
    if not (settings.reasons and found.is_error and found.is_legal):
        return found
    decision, engine = ranked or found.decision, analyzer.explainer
    try:
        if isinstance(decision, PlayDecision) and isinstance(found.chosen, Play):
            plies = decision[0].plies
            explained = explain_play(
                engine, decision, found.chosen, plies=MOST_PLIES if plies is None else min(plies, MOST_PLIES)
            )
            return replace(found, reason=explained.reason, themes=explained.themes)
        if isinstance(decision, CubeDecision) and found.kind in (Kind.CUBE, Kind.ANSWER):
            return replace(found, reason=explain_cube(engine, decision, str(found.chosen)).reason)
    except EngineError:  # a search that was cancelled; the review is then given up by whoever asked for it
        return found
    return found
