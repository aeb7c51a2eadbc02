"""A review for the terminal: who played how, and the decisions that cost most, within 80 columns."""

from __future__ import annotations

from kibitz.analysis.decisions import Decision, question_words
from kibitz.analysis.review import MatchReview
from kibitz.report import statistics_table

_LABEL, _CELL = 36, 21


def summary(review: MatchReview, *, top: int = 10, full: bool = True, player: int | None = None) -> str:
    """The text: a heading, the table of statistics (all of it, or the main rows), and the worst decisions."""
    match = review.match
    kind = f"{match.length}-point match" if match.length else "money session"
    games = f"{len(match.games)} game{'s' if len(match.games) != 1 else ''}"
    depth = "the net alone" if not review.deepest else f"up to {review.deepest} plies"
    lines = [
        f"{match.players[0]} {match.score[0]} - {match.score[1]} {match.players[1]}, {kind}, {games}",
        f"{review.engine}, {review.settings.level.name} level ({depth})",
        "",
        f"{'':{_LABEL}}{_cut(match.players[0]):>{_CELL}} {_cut(match.players[1]):>{_CELL}}",
    ]
    wanted = statistics_table.sections((review.statistics(0), review.statistics(1)))
    for section in wanted:
        rows = section.rows if full else [row for row in section.rows if row.label in _MAIN]
        if rows:
            lines.append(section.title)
        for row in rows:
            lines.append(f"  {row.label:{_LABEL - 2}}{row.cells[0]:>{_CELL}} {row.cells[1]:>{_CELL}}".rstrip())
    worst = [decision for decision in review.errors(player) if decision.is_error][:top]
    if worst:
        lines += ["", "Worst decisions" if player is None else f"Worst decisions of {match.players[player]}"]
        for decision in worst:
            lines += decision_lines(decision, match.players)
    return "\n".join(lines)


_MAIN = {
    "Error rate, mEMG per decision",
    "XG performance rating (PR)",
    "Rating by PR",
    "Luck-adjusted result",
    "Errors / blunders (>0.02 / >0.08)",
}


def decision_lines(decision: Decision, players: tuple[str, str]) -> list[str]:
    """Two lines about a decision: who decided what where, and what it cost."""
    where = f"game {decision.game + 1}, move {decision.number}"
    who = f"{_cut(players[decision.player], 20)} {question_words(decision)}"
    mwc = "" if decision.lost_mwc is None else f", {100 * decision.lost_mwc:.2f}% MWC"
    word = "blunder  " if decision.is_blunder else ""
    best = decision.verdict or decision.best.name
    return [
        f"  {decision.mark.symbol or '  ':2} {-decision.lost:+.3f}  {word}{where}: {who}"[:80],
        f"              {decision.chosen}; better: {best}{mwc}"[:80],
    ]


def _cut(name: str, width: int = _CELL - 1) -> str:
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= width else clean[: width - 1] + "…"
