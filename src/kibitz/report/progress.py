"""Progress as a picture: the PR from match to match, over the last ones and over all."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.library.progress import ProgressPoint

WIDTH, HEIGHT = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 16, 34, 30
_STYLE = (
    "text{font:11px sans-serif;fill:#333}.grid{stroke:#ddd;fill:none}.own{fill:#9aa7b5}"
    ".recent{stroke:#1f6fb2;stroke-width:2.5;fill:none}.lifetime{stroke:#333;stroke-dasharray:5 4;fill:none}"
    ".band{fill:#1f6fb2;opacity:.15}.of-recent{fill:#1f6fb2}"
)


def draw_progress(points: Sequence[ProgressPoint], title: str = "PR from match to match") -> str:
    """An SVG that stands by itself: a dot a match, a line for the last ones with its standard error, one for all."""
    shown = [point for point in points if point.own.pr is not None]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" class="progress">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><text x="{_LEFT}" y="18">{escape(title)}</text>',
    ]
    if not shown:
        parts.append(f'<text x="{_LEFT}" y="{HEIGHT // 2}">No match has been reviewed yet.</text></svg>')
        return "".join(parts)
    top = _top(shown)

    def x(number: int) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (number + 0.5) / len(shown)

    def y(value: float) -> float:
        return _TOP + (1 - min(value, top) / top) * (HEIGHT - _TOP - _BOTTOM)

    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        height = f"{y(share * top):.1f}"
        parts.append(f'<path class="grid" d="M{_LEFT} {height}H{WIDTH - _RIGHT}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{height}" text-anchor="end">{share * top:g}</text>')
    step = max(len(shown) // 8, 1)
    for number in range(0, len(shown), step):
        when = shown[number].played_on
        label = str(number + 1) if when is None else when.isoformat()
        parts.append(f'<text x="{x(number):.1f}" y="{HEIGHT - 10}" text-anchor="middle">{label}</text>')
    parts.append(_band(shown, x, y))
    for number, point in enumerate(shown):
        words = f"match {point.match_id}: PR {point.own.pr:.2f}, {point.own.pr_counted} decisions"
        dot = f'<circle class="own" cx="{x(number):.1f}" cy="{y(point.own.pr or 0):.1f}" r="3">'
        parts.append(f"{dot}<title>{escape(words)}</title></circle>")
    for name in ("lifetime", "recent"):
        line = "L".join(f"{x(n):.1f} {y(getattr(point, name).pr or 0):.1f}" for n, point in enumerate(shown))
        parts.append(f'<path class="{name}" d="M{line}"/>')
    last = shown[-1]
    legend = (
        f'<tspan class="of-recent">\u2501 last matches {last.recent.pr:.2f}</tspan> \u2505 all {last.lifetime.pr:.2f}'
    )
    parts.append(f'<text x="{WIDTH - _RIGHT}" y="18" text-anchor="end">{legend}</text></svg>')
    return "".join(parts)


def _top(points: Sequence[ProgressPoint]) -> float:
    """A round value that most matches stay below: one bad match does not flatten the rest."""
    values = sorted(point.own.pr or 0.0 for point in points)
    most = max(values[int(0.95 * (len(values) - 1))], *(point.recent.pr or 0.0 for point in points))
    return next((float(limit) for limit in (2, 4, 6, 8, 12, 16, 20, 30, 40, 60, 80) if most <= limit), 100.0)


def _band(points: Sequence[ProgressPoint], x: object, y: object) -> str:
    assert callable(x) and callable(y)
    upper, lower = [], []
    for number, point in enumerate(points):
        value, error = point.recent.pr or 0.0, point.recent.pr_error or 0.0
        upper.append(f"{x(number):.1f} {y(value + error):.1f}")
        lower.append(f"{x(number):.1f} {y(max(value - error, 0.0)):.1f}")
    return f'<path class="band" d="M{"L".join(upper)}L{"L".join(reversed(lower))}Z"/>'
