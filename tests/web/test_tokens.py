"""Contrast of every theme, from the tokens themselves: text 4.5 to 1, what is drawn 3 to 1."""

from __future__ import annotations

import re

import pytest

from kibitz.web.face import static_folder

CSS = (static_folder() / "styles" / "tokens.css").read_text(encoding="utf-8")
COLOUR = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{6})\b")
TEXTS = ("text", "muted", "accent", "accent-strong", "good", "doubtful", "error", "blunder")
GROUNDS = ("page", "surface", "raised")
SOFT = (
    ("accent-strong", "accent-soft"),
    ("text", "accent-soft"),
    ("text", "sunken"),
    ("muted", "sunken"),
    ("blunder", "blunder-soft"),
    ("text", "warn-soft"),
    ("on-accent", "accent"),
    ("light-text", "light"),
    ("dark-text", "dark"),
    ("cube-text", "cube"),
    ("board-number", "board-frame"),
)


def themes() -> dict[str, dict[str, str]]:
    """The tokens of each theme; what a theme does not change is as in the light one."""
    found: dict[str, dict[str, str]] = {}
    for name, body in re.findall(r":root(?:\[data-theme=\"(\w+)\"\])? \{(.*?)\n\}", CSS, re.S):
        tokens = dict(COLOUR.findall(body))
        found[name or "light"] = {**found.get("light", {}), **tokens}
    paper = re.search(r"@media print \{\s*:root,\s*:root\[data-theme\] \{(.*?)\}", CSS, re.S)
    assert paper is not None
    found["print"] = dict(COLOUR.findall(paper[1]))  # whole: a theme that is dark on the screen must not shine through
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast", "print"])
def test_contrast(theme: str) -> None:
    tokens = themes()[theme]
    pairs = [(text, ground, 4.5) for text in TEXTS for ground in GROUNDS] + [(*pair, 4.5) for pair in SOFT]
    pairs += [(name, ground, 3.0) for name in ("edge", "focus") for ground in GROUNDS]
    for arrow in ("arrow-best", "arrow-chosen", "arrow-hover"):
        pairs += [(arrow, "arrow-halo", 3.0)]
    wrong = [
        f"{one} on {other}: {contrast(tokens[one], tokens[other]):.2f}, not {least}"
        for one, other, least in pairs
        if contrast(tokens[one], tokens[other]) < least
    ]
    # A checker is seen by its face or by its edge, wherever it stands.
    for checker in ("light", "dark"):
        for ground in ("board-field", "board-point", "board-other", "board-bar", "board-frame"):
            seen = max(contrast(tokens[name], tokens[ground]) for name in (checker, f"{checker}-edge"))
            if seen < 3:
                wrong.append(f"{checker} checkers on {ground}: {seen:.2f}, not 3")
    wrong += [] if contrast(tokens["light"], tokens["dark"]) > 7 else ["the two sides look alike"]
    assert wrong == []
