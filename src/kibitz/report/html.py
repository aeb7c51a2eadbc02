"""The review of a match as one page: no outside resource, works offline, prints, fits a phone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from kibitz.analysis.decisions import Decision, Kind, Option, RollLuck, question_words
from kibitz.analysis.marks import Mark
from kibitz.analysis.review import MatchReview
from kibitz.errors import NotationError
from kibitz.record import Ending, Game
from kibitz.report import statistics_table
from kibitz.report.boards import draw_board, shared_parts
from kibitz.report.curves import anchor, draw_curve

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
            title=title, matches=matches, shared=Markup(shared_parts()), marks=[mark for mark in Mark if mark.symbol]
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
    level = review.settings.level
    depth = "the net alone" if not review.deepest else f"up to {review.deepest} plies"
    return {
        "id": f"m{number}",
        "title": f"{match.players[0]} - {match.players[1]}",
        "players": match.players,
        "facts": [fact for fact in facts if fact],
        "score": match.score,
        "winner": match.winner,
        "engine": f"{review.engine}, {level.name} level ({depth})",
        "cards": [_card(review, player) for player in (0, 1)],
        "sections": statistics_table.sections(statistics),
        "games": [_game(review, index, game, f"m{number}-") for index, game in enumerate(match.games)],
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
        "rate": statistics_table.milli(one.error_rate),
        "luck": statistics_table.gained(one.luck, one.unit),
        "lost": statistics_table.lost(one.overall, one.unit),
        "result": statistics_table.stake(one.actual_result, one.unit),
        "adjusted": statistics_table.stake(one.luck_adjusted_result, one.unit),
        "marks": [
            {"mark": mark, "css": _css(mark), "count": one.marks(mark) + one.cube_marked.get(mark.value, 0)}
            for mark in Mark
            if mark.symbol
        ],
    }


def _game(review: MatchReview, index: int, game: Game, prefix: str) -> dict[str, Any]:
    from markupsafe import Markup

    match = review.match
    decisions = [decision for decision in review.game(index) if is_shown(decision)]
    lucks = {roll.index: roll for roll in review.rolls if roll.game == index}
    points = [point for point in review.curve if point.game == index]
    marked = [decision for decision in decisions if decision.is_error]
    players = (match.players[0], match.players[1])
    curves = []
    if match.length:
        curves.append(("Match winning chance", Markup(draw_curve(points, marked, players, mwc=True, links=prefix))))
    curves.append(("Equity", Markup(draw_curve(points, marked, players, mwc=False, links=prefix))))
    statistics = (review.statistics(0, index), review.statistics(1, index))
    return {
        "number": index + 1,
        "score": game.score,
        "note": "Crawford game" if game.crawford else "",
        "result": _result_words(review, game),
        "curves": [curve for curve in curves if curve[1]],
        "sections": statistics_table.sections(statistics),
        "decisions": [_decision(review, one, lucks.get(one.index), prefix) for one in decisions],
        "comment": game.comment,
    }


def is_shown(decision: Decision) -> bool:
    """Whether a decision has a place of its own: all that left a choice, and cubes that somebody might have turned."""
    if decision.kind is Kind.CHECKER:
        return not decision.is_forced
    return decision.kind is not Kind.CUBE or decision.counts or decision.counts_pr or decision.is_error


def _decision(review: MatchReview, decision: Decision, luck: RollLuck | None, prefix: str) -> dict[str, Any]:
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
        "name": review.match.players[decision.player],
        "on_roll": review.match.players[decision.state.turn],
        "kind": "checker" if decision.kind is Kind.CHECKER else "cube",
        "question": question_words(decision),
        "dice": decision.state.dice,
        "chosen": decision.chosen,
        "best": best.name,
        "verdict": decision.verdict,
        "lost": f"{decision.lost:.3f}",
        "lost_value": f"{decision.lost:.6f}",
        "lost_stake": statistics_table.stake(-decision.stake, unit),
        "mark": decision.mark,
        "css": _css(decision.mark),
        "is_blunder": decision.is_blunder,
        "is_error": decision.is_error,
        "is_legal": decision.is_legal,
        "flaw": decision.flaw.value,
        "score": f"{score[0]}-{score[1]}" + (f" of {match.length}" if match.length else ""),
        "cube": match.cube.value,
        "options": [_option(option, decision) for option in decision.options],
        "cube_rows": _cube_rows(decision),
        "has_mwc": best.mwc is not None,
        "luck": None if luck is None or decision.kind is not Kind.CHECKER else f"{luck.luck:+.3f}",
        "luck_mark": "" if luck is None else luck.mark.symbol,
        "opinions": decision.opinions,
        "comment": decision.comment,
        "board": Markup(board),
        "xgid": _xgid(decision),
    }


def _option(option: Option, decision: Decision) -> dict[str, Any]:
    five = option.probabilities
    behind = option.equity - decision.best.equity
    depth = "" if option.plies is None else f"{option.plies}-ply"
    if option.standard_error is not None:
        depth = f"rollout ±{option.standard_error:.3f}"
    return {
        "name": option.name,
        "equity": f"{option.equity:+.3f}",
        "behind": "" if option is decision.best else f"{behind:+.3f}",
        "mwc": "" if option.mwc is None else f"{100 * option.mwc:.2f}%",
        "chances": None if five is None else [f"{100 * value:.1f}" for value in (*five[:3], 1 - five[0], *five[3:])],
        "plies": depth,
        "is_chosen": option.name == decision.chosen,
    }


def _cube_rows(decision: Decision) -> list[tuple[str, str, str]]:
    """No double, double and take, double and pass, seen by the doubler."""
    cube = decision.cube
    if cube is None:
        return []
    rows = (
        ("No double", cube.no_double, cube.no_double_mwc),
        ("Double, take", cube.double_take, cube.double_take_mwc),
        ("Double, pass", cube.double_pass, cube.double_pass_mwc),
    )
    return [
        (name, "" if equity is None else f"{equity:+.3f}", "" if mwc is None else f"{100 * mwc:.2f}%")
        for name, equity, mwc in rows
    ]


def _result_words(review: MatchReview, game: Game) -> str:
    result = game.result
    if result is None:
        return "unfinished"
    points = f"{result.points} point{'s' if result.points != 1 else ''}"
    how = {Ending.DROPPED: " by a pass", Ending.RESIGNED: " by resignation"}.get(result.ending, "")
    return f"{review.match.players[result.winner]} wins {points}{how}"


def _css(mark: Mark) -> str:
    return mark.value.replace(" ", "-")


def _xgid(decision: Decision) -> str:
    try:
        return decision.state.xgid
    except NotationError:
        return decision.state.position_id
