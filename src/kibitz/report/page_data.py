"""The data of the offline page: a review written short, as `review-data.js` of the face reads it.

Numbers are rounded to what is shown, states are XGIDs, and what follows from something else is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kibitz.analysis.decisions import Kind, ReviewedDecision
from kibitz.analysis.marks import LuckMark, Mark
from kibitz.analysis.review import MatchReview
from kibitz.decision import CubeDecision, Evaluation, PlayDecision
from kibitz.errors import NotationError
from kibitz.record import Moment
from kibitz.report.statistics import Section, sections
from kibitz.state import State

_KINDS = (Kind.CHECKER, Kind.CUBE, Kind.ANSWER, Kind.COUNTER, Kind.RESIGNATION, Kind.ACCEPTANCE)
_MARKS = tuple(Mark)
_LUCK = tuple(LuckMark)
_CARD = ("pr", "pr_rating", "marked", "cube_marked", "overall", "luck")


def packed(review: MatchReview, facts: list[str]) -> dict[str, Any]:
    """All that the page shows of a review."""
    match = review.match
    levels: dict[str, int] = {}
    return {
        "match": {
            "players": list(match.players),
            "length": match.length,
            "score": list(match.score),
            "variant": match.variant.value,
            "facts": facts,
            "comments": list(match.comments),
        },
        "engine": f"{review.engine}, {review.depth}",
        "games": [
            {
                "score": list(game.score),
                "crawford": game.crawford,
                "result": None if game.result is None else game.result.to_dict(),
            }
            for game in match.games
        ],
        "statistics": [_card(review, player) for player in (0, 1)],
        "sections": _sections(review),
        "moments": [_moment(moment) for moment in match.moments()],
        "decisions": [_decision(one, levels) for one in review.decisions],
        "rolls": [
            [one.game, one.index, _short(one.luck), _short(one.luck_mwc, 5), _LUCK.index(one.mark)]
            for one in review.rolls
        ],
        "curve": [[one.game, one.index, _short(one.equity), _short(one.mwc)] for one in review.curve],
        "levels": list(levels),
    }


def _card(review: MatchReview, player: int) -> dict[str, Any]:
    found = review.statistics(player).to_dict()
    return {name: found[name] for name in _CARD}


def _sections(review: MatchReview) -> dict[str, Any]:
    """Labels once; cells of the match and of each game."""
    match = sections((review.statistics(0), review.statistics(1)))
    games = [
        sections((review.statistics(0, number), review.statistics(1, number)))
        for number in range(1, len(review.match.games) + 1)
    ]
    return {
        "titles": [[section.title, [row.label for row in section.rows]] for section in match],
        "cells": [_cells(match, found) for found in (match, *games)],
    }


def _cells(wanted: Iterable[Section], found: Iterable[Section]) -> list[list[str]]:
    """The cells of the rows that are wanted; a game without beavers has no row for them."""
    known = {(section.title, row.label): list(row.cells) for section in found for row in section.rows}
    return [known.get((section.title, row.label), ["0", "0"]) for section in wanted for row in section.rows]


def _moment(moment: Moment) -> list[Any]:
    play = moment.play
    return [
        moment.game,
        moment.index,
        moment.action.player,
        moment.action.kind,
        "" if play is not None else moment.words,
        _state(moment.state),
        None if play is None else str(play),
    ]


def _state(state: State) -> str | dict[str, Any]:
    """Its XGID; where that cannot say everything, all of it."""
    try:
        return state.xgid
    except NotationError:
        return state.to_dict()


def _decision(one: ReviewedDecision, levels: dict[str, int]) -> list[Any]:
    truths = (one.counts, one.counts_pr, one.is_forced, not one.is_legal, one.is_error, one.is_blunder)
    row = [
        one.game,
        one.index,
        one.player,
        _KINDS.index(one.kind),
        one.chosen_name,
        one.best.name,
        one.verdict if one.cube is not None else "",
        _short(one.lost, 5),
        _short(one.lost_mwc, 5),
        _MARKS.index(one.mark),
        sum(1 << bit for bit, true in enumerate(truths) if true),
        one.flaw.value,
        _answer(one, levels),
    ]
    more = _more(one)
    return [*row, more] if more else row


def _more(one: ReviewedDecision) -> dict[str, Any]:
    """What only few decisions have."""
    opinion = one.opinion
    found = {
        "opinion": None if opinion is None else [opinion.source, opinion.best, _short(opinion.lost)],
        "comment": one.comment,
        "reason": one.reason,
    }
    return {name: value for name, value in found.items() if value}


def _answer(one: ReviewedDecision, levels: dict[str, int]) -> list[Any]:
    decision = one.decision
    if isinstance(decision, PlayDecision):
        return [_play(row, levels) for row in decision.plays]
    if not isinstance(decision, CubeDecision):
        return []
    mwc = decision.mwc
    return [
        _short(decision.no_double),
        _short(decision.double_take),
        _short(decision.double_pass),
        _short(decision.equity),
        int(decision.take),
        None if mwc is None else [_short(value, 5) for value in (mwc.no_double, mwc.double_take, mwc.double_pass)],
        _chances(decision.evaluation),
        levels.setdefault(decision.level.name, len(levels)),
    ]


def _play(row: Any, levels: dict[str, int]) -> list[Any]:
    found = [
        row.name,
        _short(row.equity),
        _short(row.mwc, 5),
        _chances(row.evaluation),
        levels.setdefault(row.level.name, len(levels)),
    ]
    return found if row.standard_error is None else [*found, _short(row.standard_error)]


def _chances(evaluation: Evaluation) -> list[int]:
    return [round(10_000 * value) for value in evaluation]


def _short(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits) + 0.0
