"""A review for the terminal: who played how, and the decisions that cost most, within 80 columns."""

from __future__ import annotations

import textwrap

from kibitz.analysis.decisions import ReviewedDecision, question_words
from kibitz.analysis.marks import Mark
from kibitz.analysis.review import MatchReview
from kibitz.report.statistics import Scale, errors_label, sections

_LABEL, _CELL = 36, 21
_INDENT = " " * 14
_MAIN = {
    "Error rate, mEMG per decision",
    "XG performance rating (PR)",
    "Rating by PR",
    "Rating by error rate",
    "Luck-adjusted result",
}


def summary(review: MatchReview, *, top: int = 10, full: bool = True, scale: Scale = Scale.PR) -> str:
    """The text: a heading, the statistics (all of them, or the main rows), and the worst decisions."""
    match = review.match
    lines = [
        str(match),
        f"{review.engine}, {review.depth}",
        "",
        f"{'':{_LABEL}}{_cut(match.players[0]):>{_CELL}} {_cut(match.players[1]):>{_CELL}}",
    ]
    main = _MAIN | {errors_label(review.settings.thresholds)}
    for section in sections((review.statistics(0), review.statistics(1)), scale):
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
    """Who decided what where, what it cost, and why."""
    where = f"game {decision.game}, move {decision.number}"
    who = f"{_cut(decision.name, 20)} {_plain(question_words(decision))}"
    mwc = "" if decision.lost_mwc is None else f", {100 * decision.lost_mwc:.2f}% MWC"
    word = "blunder  " if decision.is_blunder and decision.mark is Mark.VERY_BAD else ""
    first = f"  {decision.mark.symbol or '  ':2} {-decision.lost:+.3f}  "
    return [
        *textwrap.wrap(f"{word}{where}: {who}", 80, initial_indent=first, subsequent_indent=_INDENT),
        f"{_INDENT}{decision.chosen_name}; better: {decision.verdict}{mwc}"[:80],
        *textwrap.wrap(decision.reason, 80, initial_indent=_INDENT, subsequent_indent=_INDENT, break_on_hyphens=False),
    ]


def _plain(words: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in words)


def _cut(name: str, width: int = _CELL - 1) -> str:
    clean = _plain(name)
    return clean if len(clean) <= width else clean[: width - 1] + "…"
