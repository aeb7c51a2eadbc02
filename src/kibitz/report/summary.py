"""A review for the terminal: who played how, and the decisions that cost most, within 80 columns."""

from __future__ import annotations

from kibitz.analysis.decisions import ReviewedDecision, question_words
from kibitz.analysis.review import MatchReview
from kibitz.report.statistics import errors_label, sections

_LABEL, _CELL = 36, 21
_MAIN = {
    "Error rate, mEMG per decision",
    "XG performance rating (PR)",
    "Rating by PR",
    "Luck-adjusted result",
}


def summary(review: MatchReview, *, top: int = 10, full: bool = True) -> str:
    """The text: a heading, the statistics (all of them, or the main rows), and the worst decisions."""
    match = review.match
    lines = [
        str(match),
        f"{review.engine}, {review.depth}",
        "",
        f"{'':{_LABEL}}{_cut(match.players[0]):>{_CELL}} {_cut(match.players[1]):>{_CELL}}",
    ]
    main = _MAIN | {errors_label(review.settings.thresholds)}
    for section in sections((review.statistics(0), review.statistics(1))):
        rows = section.rows if full else [row for row in section.rows if row.label in main]
        if rows:
            lines.append(section.title)
        for row in rows:
            lines.append(f"  {row.label:{_LABEL - 2}}{row.cells[0]:>{_CELL}} {row.cells[1]:>{_CELL}}".rstrip())
    worst = review.errors()[:top]
    if worst:
        lines += ["", "Worst decisions"]
        for decision in worst:
            lines += decision_lines(decision)
    return "\n".join(lines)


def decision_lines(decision: ReviewedDecision) -> list[str]:
    """Two lines about a decision: who decided what where, and what it cost."""
    where = f"game {decision.game}, move {decision.number}"
    who = f"{_cut(decision.name, 20)} {question_words(decision)}"
    mwc = "" if decision.lost_mwc is None else f", {100 * decision.lost_mwc:.2f}% MWC"
    word = "blunder  " if decision.is_blunder else ""
    return [
        f"  {decision.mark.symbol or '  ':2} {-decision.lost:+.3f}  {word}{where}: {who}"[:80],
        f"              {decision.chosen_name}; better: {decision.verdict}{mwc}"[:80],
    ]


def _cut(name: str, width: int = _CELL - 1) -> str:
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= width else clean[: width - 1] + "…"
