"""The learning curve as a picture."""

from __future__ import annotations

import json
from pathlib import Path

from kibitz.files import write_file

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 28, 44
LABEL_BELOW = {"meq"}
"""Whose label stands below its line: that of all decisions runs close under that of those with contact."""
COLOURS = {"meq": "#1f6f8b", "contact": "#c8553d", "race": "#588157"}
NAMES = {"meq": "all", "contact": "contact", "race": "race"}


def plot_curve(curve: Path, picture: Path) -> None:
    """Draw the scores of a learning curve (JSON lines) over its minutes, on a logarithmic scale, as SVG."""
    lines = [json.loads(line) for line in curve.read_text().splitlines() if line]
    scored = [line for line in lines if "meq" in line]
    if len(scored) < 2:
        return
    write_file(picture, _svg(scored))


def _svg(lines: list[dict[str, float]]) -> str:
    from math import log

    longest = max(line["minutes"] for line in lines)
    values = [line[key] for line in lines for key in COLOURS if line.get(key, 0) > 0]
    low, high = log(min(values) * 0.9), log(max(values) * 1.1)

    def x(minutes: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * minutes / longest

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (log(value) - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        '  font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for tick in (0.3, 0.5, 1, 2, 3, 4, 6, 8, 10, 15, 20, 30):
        if low < log(tick) < high:
            parts.append(f'<path d="M{LEFT} {y(tick):.1f}H{WIDTH - RIGHT}" stroke="#e3e3e3"/>')
            parts.append(f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for step in range(0, 7):
        minutes = longest * step / 6
        parts.append(f'<text x="{x(minutes):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{minutes:.0f}</text>')
    for key, colour in COLOURS.items():
        points = " ".join(f"{x(line['minutes']):.1f},{y(line[key]):.1f}" for line in lines if line.get(key, 0) > 0)
        end = lines[-1]
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        label = f"{NAMES[key]} {end[key]:.2f}"
        height = y(end[key]) + (18 if key in LABEL_BELOW else -14)
        parts.append(f'<text x="{WIDTH - RIGHT}" y="{height:.1f}" fill="{colour}" text-anchor="end">{label}</text>')
    parts.append(f'<text x="{LEFT}" y="16">thousandths of a point lost per decision, 0 plies</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">minutes</text></svg>')
    return "\n".join(parts)
