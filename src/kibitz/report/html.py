"""The review of a match as one page: no outside resource, works offline, prints, fits a phone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from kibitz.analysis.decisions import Kind, ReviewedDecision, RollLuck, Row, question_words
from kibitz.analysis.marks import Mark
from kibitz.analysis.review import MatchReview
from kibitz.errors import NotationError
from kibitz.record import Game
from kibitz.report.boards import draw_board, shared_parts
from kibitz.report.curves import anchor, draw_curve
from kibitz.report.layout import result_words
from kibitz.report.several import totals
from kibitz.report.statistics import gained, lost, milli, sections, stake

if TYPE_CHECKING:
    from jinja2 import Environment


def page(reviews: MatchReview | Sequence[MatchReview]) -> str:
    """The HTML of one or more reviews."""
    from markupsafe import Markup

    several = [reviews] if isinstance(reviews, MatchReview) else list(reviews)
    matches = [_match(review, number) for number, review in enumerate(several, start=1)]
    title = matches[0]["title"] if len(matches) == 1 else f"{len(matches)} matches"
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=title,
            matches=matches,
            totals=[] if len(several) == 1 else totals(several),
            shared=Markup(shared_parts()),
            marks=[mark for mark in Mark if mark.symbol],
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


# --- what the templates are given -------------------------------------------------------------------------------------


def _match(review: MatchReview, number: int) -> dict[str, Any]:
    match = review.match
    statistics = (review.statistics(0), review.statistics(1))
    kind = f"{match.length}-point match" if match.length else "Money session"
    facts = [kind, match.event, match.round, match.place, match.date]
    limits = review.settings.thresholds
    return {
        "id": f"m{number}",
        "title": f"{match.players[0]} - {match.players[1]}",
        "players": match.players,
        "facts": [fact for fact in facts if fact],
        "score": match.score,
        "winner": match.winner,
        "engine": f"{review.engine}, {review.depth}",
        "cards": [_card(review, player) for player in (0, 1)],
        "sections": sections(statistics),
        "limits": {"error": f"{limits.error:g}", "blunder": f"{limits.blunder:g}"},
        "games": [_game(review, index, game, f"m{number}-") for index, game in enumerate(match.games, start=1)],
        "warnings": [str(warning) for warning in match.warnings],
        "comments": match.comments,
    }


def _card(review: MatchReview, player: int) -> dict[str, Any]:
    one = review.statistics(player)
    return {
        "name": review.match.players[player],
        "shape": "circle" if player == 0 else "square",
        "pr": "-" if one.pr is None else f"{one.pr:.1f}",
        "pr_name": one.pr_rating or "no decisions",
        "rate": milli(one.error_rate),
        "luck": gained(one.luck, one.unit),
        "lost": lost(one.overall, one.unit),
        "result": stake(one.actual_result, one.unit),
        "adjusted": stake(one.luck_adjusted_result, one.unit),
        "marks": [
            {"mark": mark, "css": _css(mark), "count": one.marks(mark) + one.cube_marked.get(mark.value, 0)}
            for mark in Mark
            if mark.symbol
        ],
    }


def _game(review: MatchReview, number: int, game: Game, prefix: str) -> dict[str, Any]:
    from markupsafe import Markup

    match = review.match
    decisions = [decision for decision in review.game(number) if is_shown(decision)]
    lucks = {roll.index: roll for roll in review.rolls if roll.game == number}
    points = [point for point in review.curve if point.game == number]
    marked = [decision for decision in decisions if decision.mark is not Mark.NONE]
    players = (match.players[0], match.players[1])
    curves = []
    if match.length:
        curves.append(("Match winning chance", Markup(draw_curve(points, marked, players, mwc=True, links=prefix))))
    curves.append(("Equity", Markup(draw_curve(points, marked, players, mwc=False, links=prefix))))
    statistics = (review.statistics(0, number), review.statistics(1, number))
    return {
        "number": number,
        "score": game.score,
        "note": "Crawford game" if game.crawford else "",
        "result": result_words(game, players),
        "curves": [curve for curve in curves if curve[1]],
        "sections": sections(statistics),
        "decisions": [_decision(review, one, lucks.get(one.index), prefix) for one in decisions],
        "comment": game.comment,
    }


def is_shown(decision: ReviewedDecision) -> bool:
    """Whether a decision has a place of its own: all that left a choice, and cubes that somebody might have turned."""
    if decision.kind is Kind.CHECKER:
        return not decision.is_forced
    return decision.kind is not Kind.CUBE or decision.counts or decision.counts_pr or decision.is_error


def _decision(review: MatchReview, decision: ReviewedDecision, luck: RollLuck | None, prefix: str) -> dict[str, Any]:
    from markupsafe import Markup

    match = decision.state.match
    best = decision.best
    unit = "MWC" if review.match.length else "points"
    board = draw_board(decision.state, decision.play)
    score = (match.my_score, match.their_score)
    if decision.player != decision.state.turn:
        score = score[::-1]
    return {
        "anchor": prefix + anchor(decision),
        "number": decision.number,
        "player": decision.player,
        "name": decision.name,
        "on_roll": review.match.players[decision.state.turn],
        "kind": "checker" if decision.kind is Kind.CHECKER else "cube",
        "question": question_words(decision),
        "dice": decision.state.dice,
        "chosen": decision.chosen_name,
        "best": best.name,
        "verdict": decision.verdict if decision.cube else "",
        "lost": f"{decision.lost:.3f}",
        "lost_value": f"{decision.lost:.6f}",
        "lost_stake": stake(-decision.stake, unit),
        "mark": decision.mark,
        "css": _css(decision.mark),
        "is_blunder": decision.is_blunder,
        "is_legal": decision.is_legal,
        "flaw": decision.flaw.value,
        "score": f"{score[0]}-{score[1]}" + (f" of {match.length}" if match.length else ""),
        "cube": match.cube.value,
        "options": [_option(row, number, decision) for number, row in enumerate(decision.options)],
        "cube_rows": _cube_rows(decision),
        "has_mwc": best.mwc is not None,
        "luck": None if luck is None or decision.kind is not Kind.CHECKER else f"{luck.luck:+.3f}",
        "luck_mark": "" if luck is None else luck.mark.symbol,
        "opinion": decision.opinion,
        "comment": decision.comment,
        "board": Markup(board),
        "xgid": _xgid(decision),
    }


def _option(row: Row, number: int, decision: ReviewedDecision) -> dict[str, Any]:
    five = None if row.evaluation is None else list(row.evaluation)
    behind = row.equity - decision.best.equity
    depth = "" if row.level is None else row.level.name
    if row.standard_error is not None:
        depth = f"rollout ±{row.standard_error:.3f}"
    return {
        "name": row.name,
        "equity": f"{row.equity:+.3f}",
        "behind": f"{behind:+.3f}" if number else "",
        "mwc": "" if row.mwc is None else f"{100 * row.mwc:.2f}%",
        "chances": None if five is None else [f"{100 * value:.1f}" for value in (*five[:3], 1 - five[0], *five[3:])],
        "plies": depth,
        "is_chosen": decision.is_chosen(row),
    }


def _cube_rows(decision: ReviewedDecision) -> list[tuple[str, str, str]]:
    """No double, double and take, double and pass, seen by the doubler."""
    cube = decision.cube
    if cube is None:
        return []
    rows = (
        ("No double", cube.no_double, None if cube.mwc is None else cube.mwc.no_double),
        ("Double, take", cube.double_take, None if cube.mwc is None else cube.mwc.double_take),
        ("Double, pass", cube.double_pass, None if cube.mwc is None else cube.mwc.double_pass),
    )
    return [(name, f"{equity:+.3f}", "" if mwc is None else f"{100 * mwc:.2f}%") for name, equity, mwc in rows]


def _css(mark: Mark) -> str:
    return mark.value.replace(" ", "-")


def _xgid(decision: ReviewedDecision) -> str:
    try:
        return decision.state.xgid
    except NotationError:
        return decision.state.position_id
