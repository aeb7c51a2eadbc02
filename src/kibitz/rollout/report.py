"""Rollouts for people: a table for the terminal, a chart for notebooks."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from kibitz.decision import Question
from kibitz.rollout.counts import counts_text

if TYPE_CHECKING:
    from kibitz.rollout.results import RolloutResult
    from kibitz.rollout.rollout import Rollout

_BAR = 19  # characters of an error bar
_LETTER = 8  # pixels for a letter of a chart, whichever font there is


def summary(rollout: Rollout) -> str:
    """The best candidates with their errors, a line for each; of a cube decision also what is right."""
    lines = [f"{one.rank}. {one.name} {one.equity:+.4f} ± {one.standard_error:.4f}" for one in rollout.results[:4]]
    told = f"rollout of {rollout.trials:,} trials"
    decided = rollout.is_cube_decision and rollout.trials
    return "\n".join([f"{told}: {rollout.decision.best}" if decided else told, *lines])


def html(rollout: Rollout) -> str:
    """The chart and the table."""
    return f"{draw(rollout) if rollout.results else ''}<pre>{escape(text(rollout))}</pre>"


def text(rollout: Rollout, *, counts: bool = False) -> str:
    """The candidates with their errors, at most 80 columns wide; with `counts`, how their games went."""
    job = rollout.job
    results = rollout.results
    lines = [job.title] if job.title else []
    lines.append(f"{rollout.trials:,} trials, {job.settings.words()}")
    if not results:
        return "\n".join(lines)
    width = max(24, *(len(one.name) for one in results))
    kind = "cubeful" if job.settings.cubeful else "cubeless"
    lines.append(f"{'':4}{'':{width}} {kind:>9}  {'± se':>7} {'behind':>8}  {'± joint':>7}")
    for one in results:
        behind = "" if one.difference == 0 else f"{one.difference:+8.4f}  {_error(one.joint_error)}"
        lines.append(
            f"{one.rank:>2}. {one.name:{width}} {one.equity:+9.4f}  {_error(one.standard_error)} {behind}".rstrip()
        )
        chances, errors = one.evaluation, one.errors
        lines.append(
            f"    wins {chances.win:6.2%} {chances.win_gammon:6.2%} {chances.win_backgammon:5.2%}"
            f"   loses {chances.lose:6.2%} {chances.lose_gammon:6.2%} {chances.lose_backgammon:5.2%}"
            f"   cubeless {one.cubeless_equity:+.4f}"
        )
        if one.mwc is not None and one.mwc_error is not None:
            lines.append(f"    match winning chance {one.mwc:.3%} ± {one.mwc_error:.3%}")
        if errors.known:
            lines.append(
                f"       ± {errors.win:6.2%} {errors.win_gammon:6.2%} {errors.win_backgammon:5.2%}"
                f"       ± {errors.win:6.2%} {errors.lose_gammon:6.2%} {errors.lose_backgammon:5.2%}"
                f"          ± {one.cubeless_error:.4f}"
            )
        if counts:
            lines.append(counts_text(one.counts, job.match.cube.value))
    if rollout.is_cube_decision:
        decision = rollout.decision
        lines.append(f"    {'double, pass':{width}} {decision.double_pass:+9.4f}")
        if decision.question is Question.TAKE:
            lines.append(f"proper answer to the double: {decision.best}")
        else:
            lines.append(f"proper action: {decision.action}")
    if rollout.stopped not in (None, "trials"):
        lines.append(f"stopped by {_REASONS[rollout.stopped or '']}")
    return "\n".join(lines)


_REASONS = {
    "error": "the limit of the standard error",
    "separation": "a clear decision",
    "time": "the time limit",
    "interrupted": "Ctrl-C",
    "cancelled": "a cancellation",
}


def _error(value: float) -> str:
    return f"{'-':>7}" if math.isnan(value) else f"{value:7.4f}"


def error_bars(results: list[RolloutResult]) -> list[str]:
    """One bar of characters for each candidate: a dot at the equity, a line over two standard errors to each side."""
    spans = [(one.equity, 0.0 if math.isnan(one.standard_error) else 2 * one.standard_error) for one in results]
    low = min(equity - error for equity, error in spans)
    high = max(equity + error for equity, error in spans)
    scale = (_BAR - 1) / (high - low) if high > low else 0.0
    bars = []
    for equity, error in spans:
        cells = [" "] * _BAR
        for cell in range(round((equity - error - low) * scale), round((equity + error - low) * scale) + 1):
            cells[cell] = "─"
        cells[round((equity - low) * scale)] = "●"
        bars.append("".join(cells))
    return bars


def draw(rollout: Rollout) -> str:
    """A chart as SVG: every candidate's equity with one and two standard errors."""
    results = rollout.results
    words = f"{rollout.trials:,} trials, {rollout.job.settings.words()}"
    row, right = 26, 20 + _LETTER * len("+0.0000 ± 0.0000")
    left = max(230, 24 + _LETTER * max((len(one.name) for one in results), default=0))
    width = max(640, left + 280 + right, 24 + _LETTER * max(len(rollout.job.title), len(words)))
    height = 54 + row * max(len(results), 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(rollout.job.title or 'Rollout')}</title>",
        f'<rect width="{width}" height="{height}" fill="#fdfcf9"/>',
        f'<text x="12" y="20" fill="#2b3a42">{escape(rollout.job.title)}</text>',
    ]
    spans = [(one, 0.0 if math.isnan(one.standard_error) else one.standard_error) for one in results]
    low = min((one.equity - 2 * error for one, error in spans), default=0.0)
    high = max((one.equity + 2 * error for one, error in spans), default=1.0)
    scale = (width - left - right) / (high - low) if high > low else 0.0
    for number, (one, error) in enumerate(spans):
        y = 44 + row * number
        x = left + (one.equity - low) * scale
        two, single = 2 * error * scale, error * scale
        parts += [
            f'<text x="12" y="{y + 4}" fill="#2b3a42">{escape(one.name)}</text>',
            f'<line x1="{x - two:.1f}" x2="{x + two:.1f}" y1="{y}" y2="{y}" stroke="#93b0a7" stroke-width="2"/>',
            f'<line x1="{x - single:.1f}" x2="{x + single:.1f}" y1="{y}" y2="{y}" stroke="#34515a" stroke-width="5"/>',
            f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="#d1495b"/>',
            f'<text x="{width - 12}" y="{y + 4}" text-anchor="end" fill="#2b3a42">'
            f"{one.equity:+.4f} ± {error:.4f}</text>",
        ]
    parts.append(f'<text x="12" y="{height - 8}" fill="#6b7a80" font-size="10">{escape(words)}</text></svg>')
    return "\n".join(parts)
