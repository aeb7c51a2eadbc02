"""Levels by strength and time: PR by rollouts against milliseconds a decision, as a table and as a picture.

The points of Kibitz are measured by `benchmarks/levels.py`; those of others are as published, or measured beside ours.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from kibitz.errors import FormatError

LEVEL_SOURCES = ("money", "match5")
"""The parts of the benchmark that levels are told by: money games and 5-point matches."""
ON_THE_LINE = ("fast", "standard", "deep", "world-class", "ultimate")
"""The levels that the line of the picture joins."""


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """A level with the CPU milliseconds of a decision and, by source, its PR, the standard error and the decisions.

    `settled` is the PR with what our own rollouts say where the judge disagrees, and its standard error.
    """

    name: str
    milliseconds: float
    prs: Mapping[str, tuple[float, float, int]]
    settled: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "name": self.name,
            "milliseconds": round(self.milliseconds, 3),
            "prs": {
                source: [round(value, 4), round(error, 4), count] for source, (value, error, count) in self.prs.items()
            },
            "settled": {source: [round(number, 4) for number in pair] for source, pair in self.settled.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LevelPoint:
        """What `to_dict` gave."""
        prs = {source: (float(row[0]), float(row[1]), int(row[2])) for source, row in data["prs"].items()}
        settled = {source: (float(row[0]), float(row[1])) for source, row in data.get("settled", {}).items()}
        return cls(data["name"], data["milliseconds"], prs, settled)


@dataclass(frozen=True, slots=True)
class OtherPoint:
    """Another engine on the same benchmark; None where the time of a decision is not published."""

    engine: str
    name: str
    milliseconds: float | None
    money: float
    match5: float | None = None


OTHERS = (
    OtherPoint("gnubg", "0-ply", 0.15, 3.05),
    OtherPoint("gnubg", "2-ply", 130.0, 0.89),
    OtherPoint("Sage", "2 plies", 146.0, 0.60, 0.56),
    OtherPoint("Sage", "3 plies", 1600.0, 0.43, 0.41),
    OtherPoint("Sage", "3T", 24000.0, 0.23, 0.23),
    OtherPoint("XG", "2 plies", None, 0.57, 0.54),
    OtherPoint("XG", "3 plies", None, 0.47, 0.46),
    OtherPoint("XG", "Roller+", None, 0.41, 0.44),
    OtherPoint("XG", "Roller++", None, 0.34, 0.36),
)
"""PR as published with the benchmark, plies counted as here, and gnubg's on 917 of its plays. Times of one core: Sage's
by its documentation (3T: 1.5 s on 16 threads), gnubg's as measured beside ours."""


def load_points(path: Path) -> list[LevelPoint]:
    """What was measured before."""
    try:
        return [LevelPoint.from_dict(one) for one in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{path}: no measured levels: {error}") from None


def levels_table(points: Sequence[LevelPoint]) -> list[str]:
    """The levels as a table, the quickest first."""
    lines = [
        "| level | money | 5-point | money, settled | 5-point, settled | ms (CPU) a decision | decisions |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for one in points:
        known = [column.get(source) for column in (one.prs, one.settled) for source in LEVEL_SOURCES]
        cells = [one.name, *("" if row is None else f"{row[0]:.2f} ± {row[1]:.2f}" for row in known)]
        count = sum(row[2] for row in one.prs.values())
        cells += [f"{one.milliseconds:,.{1 if one.milliseconds < 10 else 0}f}", f"{count:,}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def levels_section(points: Sequence[LevelPoint], picture: str) -> list[str]:
    """What the page of results says of levels."""
    return [
        "## Levels: what time buys",
        "",
        "PR by bgsage's public benchmark of rolled-out decisions (500 x the equity lost per decision), with standard",
        "errors, against the processor time of a decision. A level differs from `standard` only where that is unsure;",
        "its PR is that of `standard` on all decisions and the difference on those that it was measured on.",
        "`benchmarks/levels.py` measures them and draws the picture. The judge is bgsage's own rollouts: by XG's, XG",
        "Roller++ has 0.21 and Sage 3T 0.28. *Settled* is the PR after our own rollouts at 2 plies had their say on a",
        "sample of what the judge charges a level with (`benchmarks/settle.py`); below 0 they have our choices better",
        "than the judge's. Either judge is kind to its own: the truth is somewhere between.",
        "",
        f"![PR against time]({picture})",
        "",
        *levels_table(points),
        "",
        "Others, as published with the benchmark: "
        + "; ".join(
            f"{one.engine} {one.name} {one.money:.2f}" + ("" if one.match5 is None else f" and {one.match5:.2f}")
            for one in OTHERS
        )
        + ". No times of XG are published.",
    ]


# --- the picture ------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 56, 110, 34, 46
COLOURS = {"Kibitz": "#1f6f8b", "gnubg": "#588157", "Sage": "#c8553d", "XG": "#7a5195"}
_MS_TICKS = (0.1, 1, 10, 100, 1000, 10_000)
_PR_TICKS = (0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0)


def draw_levels(points: Sequence[LevelPoint]) -> str:
    """PR in money games against time, both on logarithmic scales, as SVG."""
    ours = [(one, one.prs["money"]) for one in points if "money" in one.prs]
    times = [one.milliseconds for one, _ in ours] + [one.milliseconds for one in OTHERS if one.milliseconds]
    low_x, high_x = math.log(min(times) * 0.7), math.log(max(times) * 1.5)
    values = [value for _, (value, _, _) in ours] + [one.money for one in OTHERS]
    low_y, high_y = math.log(min(values) * 0.85), math.log(max(values) * 1.1)

    def x(milliseconds: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log(milliseconds) - low_x) / (high_x - low_x)

    def y(pr: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log(pr) - low_y) / (high_y - low_y)

    parts = _frame(x, y, (low_x, high_x), (low_y, high_y))
    for other in OTHERS:
        colour, name = COLOURS[other.engine], escape(f"{other.engine} {other.name}")
        if other.milliseconds is None:
            parts.append(
                f'<path d="M{LEFT} {y(other.money):.1f}H{WIDTH - RIGHT}" stroke="{colour}" stroke-dasharray="2 5"/>'
            )
            parts.append(f'<text x="{WIDTH - RIGHT + 6}" y="{y(other.money) + 4:.1f}" fill="{colour}">{name}</text>')
        else:
            parts += _dot(x(other.milliseconds), y(other.money), name, colour, above=True)
    line = [one for one, _ in ours if one.name in ON_THE_LINE]
    joined = " ".join(f"{x(one.milliseconds):.1f},{y(one.prs['money'][0]):.1f}" for one in line)
    parts.append(f'<polyline points="{joined}" fill="none" stroke="{COLOURS["Kibitz"]}" stroke-width="2"/>')
    for one, (value, error, _) in ours:
        across, top, bottom = x(one.milliseconds), y(value + error), y(max(value - error, 0.5 * value))
        parts.append(f'<path d="M{across:.1f} {top:.1f}V{bottom:.1f}" stroke="{COLOURS["Kibitz"]}"/>')
        parts += _dot(across, y(value), escape(one.name), COLOURS["Kibitz"], above=one.name not in ON_THE_LINE)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _frame(x: Any, y: Any, across: tuple[float, float], up: tuple[float, float]) -> list[str]:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        '  font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for tick in _PR_TICKS:
        if up[0] < math.log(tick) < up[1]:
            parts.append(f'<path d="M{LEFT} {y(tick):.1f}H{WIDTH - RIGHT}" stroke="#e8e8e8"/>')
            parts.append(f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in _MS_TICKS:
        if across[0] < math.log(tick) < across[1]:
            words = f"{tick / 1000:g} s" if tick >= 1000 else f"{tick:g} ms"
            parts.append(f'<path d="M{x(tick):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e8e8e8"/>')
            parts.append(f'<text x="{x(tick):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{words}</text>')
    parts.append(f'<text x="{LEFT}" y="18">PR in money games by rollouts: lower is better</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">processor time of a decision</text>')
    return parts


def _dot(x: float, y: float, name: str, colour: str, *, above: bool) -> list[str]:
    height = y - 9 if above else y + 18
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>',
        f'<text x="{x:.1f}" y="{height:.1f}" fill="{colour}" text-anchor="middle">{name}</text>',
    ]
