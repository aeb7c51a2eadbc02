"""The course of a game as a curve: equity or match winning chance after every play, with the errors marked on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from kibitz.analysis.decisions import CurvePoint, ReviewedDecision
from kibitz.report.svg import decimal

WIDTH, HEIGHT = 480, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 14, 26


@dataclass(frozen=True, slots=True)
class Scale:
    """Which values a curve shows, and how its axis is labelled."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str

    @classmethod
    def of(cls, points: Sequence[CurvePoint], *, mwc: bool, player: str) -> Scale:
        """Winning chances from 0 to 100 %, or equities around 0 up to what occurs."""
        if mwc:
            ticks = tuple((value / 100, f"{value}%") for value in (0, 25, 50, 75, 100))
            return cls(0.0, 1.0, ticks, f"Match winning chance of {player}")
        reach = max([1.0, *(abs(point.equity) for point in points)])
        limit = next((step for step in (1.0, 1.5, 2.0, 3.0) if reach <= step + 1e-9), 3.0)
        ticks = tuple((share * limit, f"{share * limit:+.2g}" if share else "0") for share in (-1, -0.5, 0, 0.5, 1))
        return cls(-limit, limit, ticks, f"Equity of {player}")

    def y(self, value: float) -> float:
        """Where a value is drawn."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return _TOP + (1 - share) * (HEIGHT - _TOP - _BOTTOM)


def draw_curve(
    points: Sequence[CurvePoint],
    errors: Sequence[ReviewedDecision],
    players: tuple[str, str],
    *,
    mwc: bool,
    links: str | None = None,
) -> str:
    """An SVG of a game's course, seen by player 0, whose errors are circles below; the other's are squares."""
    if not points:
        return ""
    scale = Scale.of(points, mwc=mwc, player=players[0])
    last = max(max(point.number for point in points), 1)

    def x(number: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * number / last

    def value(point: CurvePoint) -> float:
        return point.mwc if mwc and point.mwc is not None else point.equity

    title = f"<title>{escape(scale.title)} move by move</title>"
    parts = [f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{title}']
    for tick, label in scale.ticks:
        y = decimal(scale.y(tick))
        middle = " mid" if abs(tick - (scale.low + scale.high) / 2) < 1e-9 else ""
        parts.append(f'<path class="grid{middle}" d="M{_LEFT} {y}H{WIDTH - _RIGHT}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y}" text-anchor="end" dominant-baseline="central">{label}</text>')
    step = next((step for step in (5, 10, 20, 50, 100) if last / step <= 12), 200)
    for number in range(step, last + 1, step):
        parts.append(f'<text x="{decimal(x(number))}" y="{HEIGHT - 8}" text-anchor="middle">{number}</text>')
    line = "L".join(f"{decimal(x(point.number))} {decimal(scale.y(value(point)))}" for point in points)
    middle_y = decimal(scale.y((scale.low + scale.high) / 2))
    first_x, last_x = decimal(x(points[0].number)), decimal(x(points[-1].number))
    parts.append(f'<path class="area" d="M{first_x} {middle_y}L{line}L{last_x} {middle_y}Z"/>')
    parts.append(f'<path class="line" d="M{line}"/>')
    places = {point.number: value(point) for point in points}
    for decision in errors:
        at = places.get(decision.number, places.get(decision.number - 1))
        if at is None:
            continue
        parts.append(
            _error(
                decision, x(decision.number), scale.y(at), players, None if links is None else links + anchor(decision)
            )
        )
    parts.append("</svg>")
    return "".join(parts)


def anchor(decision: ReviewedDecision) -> str:
    """The name of a decision's place on a page."""
    return f"g{decision.game}-{decision.index}-{decision.kind.name.lower()}"


def _error(decision: ReviewedDecision, x: float, y: float, players: tuple[str, str], anchor: str | None) -> str:
    """A mark with its symbol; the shape says whose it is, the title what it was."""
    size = 9
    if decision.player == 0:
        shape = f'<circle cx="{decimal(x)}" cy="{decimal(y)}" r="{size}"/>'
    else:
        shape = f'<rect x="{decimal(x - size)}" y="{decimal(y - size)}" width="{2 * size}" height="{2 * size}" rx="3"/>'
    title = f"{players[decision.player]}, move {decision.number}: {decision.chosen_name} loses {decision.lost:.3f}"
    kind = decision.mark.value.replace(" ", "-")
    text = (
        f'<text x="{decimal(x)}" y="{decimal(y)}" text-anchor="middle" dominant-baseline="central">'
        f"{decision.mark.symbol}</text>"
    )
    inside = f'<g class="err {kind}"><title>{escape(title)}</title>{shape}{text}</g>'
    return f'<a href="#{escape(anchor)}">{inside}</a>' if anchor else inside
