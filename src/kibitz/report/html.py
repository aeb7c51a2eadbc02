"""Reviews as one page that works offline: the parts of the face with the data in it, and all of it as text tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from kibitz.analysis.decisions import Kind, ReviewedDecision, RollLuck, Row, question_words
from kibitz.analysis.marks import Mark
from kibitz.analysis.review import MatchReview
from kibitz.errors import NotationError
from kibitz.record import Game
from kibitz.report.bundle import policy, script, style
from kibitz.report.layout import result_words
from kibitz.report.page_data import packed
from kibitz.report.several import totals
from kibitz.report.statistics import gained, lost, sections, stake

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_CANDIDATES = 4
"""How many options of an error the text names."""


def page(reviews: MatchReview | Sequence[MatchReview]) -> str:
    """The HTML of one or more reviews."""
    from markupsafe import Markup

    several = [reviews] if isinstance(reviews, MatchReview) else list(reviews)
    matches = [_match(review, number) for number, review in enumerate(several, start=1)]
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=matches[0]["title"] if len(matches) == 1 else f"{len(matches)} matches",
            matches=matches,
            totals=[] if len(several) == 1 else totals(several),
            policy=policy(),
            script=Markup(script()),
            style=Markup(style()),
        )
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("kibitz.report", "templates"),
        autoescape=True,  # names, comments and events come from files that anyone may have written
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def embedded(data: Any) -> Markup:
    """Data as JSON that cannot end the element that it stands in."""
    from markupsafe import Markup

    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


# --- what the templates are given -------------------------------------------------------------------------------------


def _match(review: MatchReview, number: int) -> dict[str, Any]:
    match = review.match
    kind = f"{match.length}-point match" if match.length else "Money session"
    facts = [fact for fact in (kind, match.event, match.round, match.place, match.date) if fact]
    return {
        "number": number,
        "title": f"{match.players[0]} - {match.players[1]}",
        "players": match.players,
        "facts": facts,
        "score": match.score,
        "engine": f"{review.engine}, {review.depth}",
        "cards": [_card(review, player) for player in (0, 1)],
        "sections": sections((review.statistics(0), review.statistics(1))),
        "games": [_game(review, index, game) for index, game in enumerate(match.games, start=1)],
        "warnings": [str(warning) for warning in match.warnings],
        "comments": match.comments,
        "data": embedded(packed(review, facts)),
    }


def _card(review: MatchReview, player: int) -> dict[str, Any]:
    one = review.statistics(player)
    counts = {mark.symbol: one.marks(mark) + one.cube_marked.get(mark.value, 0) for mark in Mark if mark.symbol}
    return {
        "name": review.match.players[player],
        "pr": "-" if one.pr is None else f"{one.pr:.1f}",
        "pr_name": one.pr_rating or "no decisions",
        "marks": ", ".join(f"{symbol} {count}" for symbol, count in counts.items()),
        "lost": lost(one.overall, one.unit),
        "luck": gained(one.luck, one.unit),
        "result": stake(one.actual_result, one.unit),
        "adjusted": stake(one.luck_adjusted_result, one.unit),
    }


def _game(review: MatchReview, number: int, game: Game) -> dict[str, Any]:
    lucks = {roll.index: roll for roll in review.rolls if roll.game == number}
    decisions = [decision for decision in review.game(number) if is_shown(decision)]
    return {
        "number": number,
        "score": game.score,
        "note": "Crawford game" if game.crawford else "",
        "result": result_words(game, (review.match.players[0], review.match.players[1])),
        "decisions": [_decision(review, one, lucks.get(one.index)) for one in decisions],
        "comment": game.comment,
    }


def is_shown(decision: ReviewedDecision) -> bool:
    """Whether a decision has a place of its own: all that left a choice, and cubes that somebody might have turned."""
    if decision.kind is Kind.CHECKER:
        return not decision.is_forced
    return decision.kind is not Kind.CUBE or decision.counts or decision.counts_pr or decision.is_error


def _decision(review: MatchReview, decision: ReviewedDecision, luck: RollLuck | None) -> dict[str, Any]:
    unit = "MWC" if review.match.length else "points"
    marked = decision.mark is not Mark.NONE
    return {
        "number": decision.number,
        "name": decision.name,
        "question": question_words(decision),
        "chosen": decision.chosen_name,
        "best": (decision.best.name if decision.cube is None else decision.verdict) if decision.lost else "",
        "lost": f"{decision.lost:.3f}" if decision.lost else "",
        "stake": stake(-decision.stake, unit) if marked else "",
        "mark": decision.mark.symbol,
        "words": "blunder" if decision.is_blunder else decision.mark.value if marked else "",
        "is_legal": decision.is_legal,
        "flaw": decision.flaw.value,
        "luck": "" if luck is None or decision.kind is not Kind.CHECKER else f"{luck.luck:+.3f} {luck.mark.symbol}",
        "options": [_option(row) for row in decision.options[:_CANDIDATES]] if marked else [],
        "reason": decision.reason,
        "opinion": decision.opinion,
        "comment": decision.comment,
        "xgid": _xgid(decision) if marked else "",
    }


def _option(row: Row) -> str:
    chance = "" if row.mwc is None else f" ({100 * row.mwc:.2f}%)"
    return f"{row.name} {row.equity:+.3f}{chance}"


def _xgid(decision: ReviewedDecision) -> str:
    try:
        return decision.state.xgid
    except NotationError:
        return decision.state.position_id
