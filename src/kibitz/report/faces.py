"""Matches and reviews as short HTML for notebooks. Names come from files that anyone wrote, so all text is escaped."""

from __future__ import annotations

from html import escape

from kibitz.analysis.decisions import ReviewedDecision, RollLuck
from kibitz.analysis.review import MatchReview
from kibitz.analysis.statistics import PlayerStatistics
from kibitz.record import Game, Match
from kibitz.report.layout import html_table, result_words
from kibitz.report.statistics import sections
from kibitz.report.svg import draw_state

WORST = 5
"""How many errors a review shows."""


def match_html(match: Match) -> str:
    """Who played whom, and how the games ended."""
    rows = [
        [
            str(number),
            f"{game.score[0]}-{game.score[1]}",
            "Crawford game" if game.crawford else "",
            result_words(game, match.players),
        ]
        for number, game in enumerate(match.games, start=1)
    ]
    return f"<p>{escape(str(match))}</p>" + html_table(["game", "score", "", "result"], rows)


def game_html(game: Game) -> str:
    """What happened, action by action."""
    rows = [[str(action.player), action.kind, str(action) if action.kind == "roll" else ""] for action in game.actions]
    return f"<p>{escape(str(game))}</p>" + html_table(["player", "action", ""], rows)


def review_html(review: MatchReview) -> str:
    """The statistics of both players and the worst errors."""
    both = (review.statistics(0), review.statistics(1))
    overall = sections(both)[-1]
    table = html_table(["", *review.match.players], [[row.label, *row.cells] for row in overall.rows])
    worst = "".join(f"<li>{escape(str(decision))}</li>" for decision in review.errors()[:WORST])
    heading = f"{review.match}; {review.engine}, {review.depth}"
    return f"<p>{escape(heading)}</p>{table}<ol>{worst}</ol>"


def reviewed_html(decision: ReviewedDecision) -> str:
    """The board with the play that was made, and the options."""
    rows = [
        [
            "played" if decision.is_chosen(row) else "",
            row.name,
            f"{row.equity:+.4f}",
            f"{row.equity - decision.best.equity:+.4f}",
            "" if row.mwc is None else f"{100 * row.mwc:.2f} %",
            "" if row.evaluation is None else f"{100 * row.evaluation.win:.1f} %",
        ]
        for row in decision.options
    ]
    board = draw_state(decision.state, play=decision.play)
    return f"<p>{escape(str(decision))}</p>{board}" + html_table(["", "", "equity", "difference", "MWC", "wins"], rows)


def statistics_html(one: PlayerStatistics) -> str:
    """All statistics of a player."""
    rows = [
        [section.title if number == 0 else "", row.label, row.cells[0]]
        for section in sections((one, one))
        for number, row in enumerate(section.rows)
    ]
    return html_table(["", "", ""], rows)


def luck_html(roll: RollLuck) -> str:
    """The board with the roll, and how lucky it was."""
    return f"<p>{escape(str(roll))}</p>{draw_state(roll.moment.state)}"
