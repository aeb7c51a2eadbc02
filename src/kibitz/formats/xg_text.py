"""Positions as XG copies them to the clipboard: XGID, names, a board, and ranked plays or a cube decision.

XG writes them in its user's language, so lines are known by their shape and not by their words.
"""

from __future__ import annotations

import re
from typing import Any

from kibitz.decision import AnalysisLevel, Evaluation
from kibitz.errors import FormatError
from kibitz.formats.analyses import CubeRow
from kibitz.formats.builder import MatchBuilder
from kibitz.formats.limits import decode_text, lines_of
from kibitz.formats.position_text import (
    NUMBER,
    XGID,
    add_roll,
    build,
    check_pips,
    percentages,
    read_positions,
    start_position,
    to_float,
)
from kibitz.record import Match

NAME = "xg-text"

_NAMES = re.compile(r"^\s*X:(.*?)\s+O:(.*?)\s*$")
_PIPS = re.compile(r"X\s*:\s*(\d{1,6})\s+O\s*:\s*(\d{1,6})(?:\s+X-O|\s*$)")
_CANDIDATE = re.compile(rf"^\s*\d{{1,6}}\.\s+(\S.*?)\s{{2,}}(\S.*?)\s+\S+\s*:\s*({NUMBER})(?:\s+\(({NUMBER})\))?\s*$")
_SHARE = r"(\d{1,6}[.,]\d{1,12})\s*%"
_CHANCES = re.compile(rf":\s*{_SHARE}\s*\(\s*[^\s:]+:\s*{_SHARE}\s+[^\s:]+:\s*{_SHARE}\)")
_EQUITY = re.compile(rf"^\s+\S[^:=]*:\s*({NUMBER})(?:\s+\({NUMBER}\))?\s*$")
_CUBELESS = re.compile(rf"=({NUMBER}).*=({NUMBER})")
_LEVEL = re.compile(r"(XG Roller\+{0,2}|\d{1,4}-ply(?: red)?|Rollout|rollout|Book\S*)")
_VERSION = re.compile(r"eXtreme Gammon")


def looks_like(text: str) -> bool:
    """Whether text is a position copied from XG."""
    return XGID.search(text) is not None and (
        _VERSION.search(text) is not None or any(_NAMES.match(line) for line in lines_of(text[:50_000])[:50])
    )


def read(data: bytes, file: str = "") -> Match:
    """Read positions copied from XG."""
    text = decode_text(data)
    if XGID.search(text) is None:
        raise FormatError("a position copied from XG has a line 'XGID=…'; there is none")
    builder = MatchBuilder(NAME, file)
    for state, lines, first in read_positions(builder, text):
        names: tuple[str, str] | None = None
        chances: list[tuple[str, str, str]] = []
        equities: list[float] = []
        candidates: list[tuple[str, dict[str, Any]]] = []
        level = AnalysisLevel("XG")
        cubeless = None
        for number, line in enumerate(lines, start=first):
            if (found := _NAMES.match(line)) and names is None:
                names = found[2] or "O", found[1] or "X"
            elif found := _CANDIDATE.match(line):
                details = {"level": _level(found[1]), "equity": to_float(found[3])}
                candidates.append((found[2], details))
                chances = []
            elif found := _CHANCES.search(line):
                chances.append((found[1], found[2], found[3]))
                if len(chances) == 2 and candidates:
                    candidates[-1][1]["evaluation"] = _both(chances)
            elif found := _CUBELESS.search(line):
                cubeless = to_float(found[1])
            elif (found := _EQUITY.match(line)) and not candidates:
                equities.append(to_float(found[1]))
            elif (found := _LEVEL.search(line)) and not candidates and not chances:
                level = _level(found[1])
            elif found := _PIPS.search(line):
                check_pips(builder, state, int(found[1]), int(found[2]), number)
        notes: dict[str, Any] = {}
        if len(equities) >= 3 and not candidates:
            evaluation = _both(chances) if len(chances) == 2 else None
            hold, take, drop = equities[:3]
            notes["cube"] = CubeRow(level, (hold, take, drop), evaluation=evaluation, cubeless=cubeless)
        game = start_position(builder, state, names, first, notes)
        if game is not None:
            add_roll(game, state, candidates, first)
    return build(builder)


def _both(chances: list[tuple[str, str, str]]) -> Evaluation:
    mine, theirs = chances[:2]
    return percentages(*mine, theirs[1], theirs[2])


def _level(name: str) -> AnalysisLevel:
    found = re.match(r"(\d{1,4})-ply", name)
    return AnalysisLevel("XG", name.strip(), int(found[1]) - 1 if found else None)
