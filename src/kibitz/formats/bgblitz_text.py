"""Positions as BGBlitz writes them: a board, Position ID, Match ID and XGID, then ranked plays or a cube decision.

BGBlitz writes them in its user's language, so lines are known by their shape and not by their words.
"""

from __future__ import annotations

import re
from typing import Any

from kibitz.decision import AnalysisLevel, Evaluation
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.analyses import CubeRow
from kibitz.formats.builder import MatchBuilder
from kibitz.formats.limits import decode_text
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
from kibitz.notation.parse import parse
from kibitz.record import Match
from kibitz.state import State

NAME = "bgblitz-text"

_IDS = re.compile(r"Position-ID:\s*(\S{14})\s+Match-ID:\s*(\S{12})")
_SIDE = re.compile(r"\+\s{1,8}([OX]):\s*(.*?)\s+(\d{1,6})$")
_CANDIDATE = re.compile(
    rf"^\s*\d{{1,6}}\.\s+(?:({NUMBER})\s+\S+\s*/\s*)?({NUMBER})\s+(?:\(\s*{NUMBER}\s*\)\s+)?(\S*/.*?|bar.*?)$"
)
_CHANCES = re.compile(rf"^\s*({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+-\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})$")
_SHARES = re.compile(r"^\s*\S.*?\s+(\d{1,6}[.,]\d)\s+(\d{1,6}[.,]\d)\s+(\d{1,6}[.,]\d)$")
_CUBELESS = re.compile(rf"\([^()\s]*[lL]ess[^()\s]*\)[^:]*:\s*({NUMBER})|^\s*Equity[^:]*:\s*({NUMBER})\s+Std")
_CUBE = re.compile(rf"^\s*(\S.*?)\s*:\s+({NUMBER})\s+\(\s*{NUMBER}\s*\)(?:\s+({NUMBER})\s+\(\s*{NUMBER}\s*\))?$")
_PASS = re.compile(r"pass|reject|refus|ablehn|aufgeb|weg|パス|降り", re.IGNORECASE)


def looks_like(text: str) -> bool:
    """Whether text is a position written by BGBlitz."""
    return _IDS.search(text) is not None and XGID.search(text) is not None


def read(data: bytes, file: str = "") -> Match:
    """Read positions written by BGBlitz."""
    text = decode_text(data)
    if not looks_like(text):
        raise FormatError("a position written by BGBlitz has lines with Position-ID, Match-ID and XGID")
    builder = MatchBuilder(NAME, file)
    for state, lines, first in read_positions(builder, text):
        sides: dict[str, tuple[str, int]] = {}
        shares: list[tuple[str, str, str]] = []
        rows: list[tuple[str, float, float | None]] = []
        candidates: list[tuple[str, dict[str, Any]]] = []
        cubeless = None
        level = AnalysisLevel("BGBlitz")
        for number, line in enumerate(lines, start=first):
            if found := _SIDE.search(line):
                sides[found[1]] = found[2], int(found[3])
            elif found := _IDS.search(line):
                _check_ids(builder, state, found[1], found[2], number)
            elif found := _CANDIDATE.match(line):
                details: dict[str, Any] = {"level": level, "equity": to_float(found[2])}
                if found[1]:
                    details["mwc"] = to_float(found[1])
                candidates.append((found[3], details))
            elif found := _CHANCES.match(line):
                if candidates:
                    chances = [to_float(found[index]) for index in (1, 2, 3, 5, 6)]
                    candidates[-1][1]["evaluation"] = Evaluation.of(chances)
            elif found := _CUBELESS.search(line):
                cubeless = to_float(found[1] or found[2])
            elif found := _CUBE.match(line):
                rows.append((found[1], to_float(found[2]), to_float(found[3]) if found[3] else None))
            elif found := _SHARES.match(line):
                shares.append((found[1], found[2], found[3]))
        if len(sides) == 2:
            check_pips(builder, state, sides["X"][1], sides["O"][1], first)
        notes: dict[str, Any] = {}
        if cube := _cube(level, rows, shares, cubeless, state):
            notes["cube"] = cube
        names = (sides["O"][0] or "Green", sides["X"][0] or "Red") if len(sides) == 2 else None
        game = start_position(builder, state, names, first, notes)
        if game is not None:
            add_roll(game, state, candidates, first)
    return build(builder)


def _check_ids(builder: MatchBuilder, state: State, position_id: str, match_id: str, line: int) -> None:
    """The three ids of a text say the same thing, or one of them is wrong."""
    try:
        other = parse(f"{position_id}:{match_id}")
    except KibitzError as error:
        builder.warn(str(error), line)
        return
    mine, theirs = state.match, other.match
    same = (
        state.position == other.position
        and state.turn == other.turn
        and state.dice == other.dice
        and (mine.length, mine.my_score, mine.their_score, mine.cube, mine.crawford)
        == (theirs.length, theirs.my_score, theirs.their_score, theirs.cube, theirs.crawford)
    )
    if not same:
        builder.warn(f"{position_id}:{match_id} and the XGID do not say the same; the XGID is taken", line)


def _cube(
    level: AnalysisLevel,
    rows: list[tuple[str, float, float | None]],
    shares: list[tuple[str, str, str]],
    cubeless: float | None,
    state: State,
) -> CubeRow | None:
    """The three rows of a cube decision, known by their labels: one without a slash, a take, a pass."""
    hold = next((row for row in rows if "/" not in row[0]), None)
    offers = [row for row in rows if "/" in row[0]]
    if hold is None or len(offers) < 2:
        return None
    drop = next((row for row in offers if _PASS.search(row[0])), None)
    if drop is None:
        drop = next((row for row in offers if (row[2] if row[2] is not None else row[1]) == 1.0), offers[-1])
    take = next(row for row in offers if row is not drop)
    evaluation = None
    if len(shares) >= 2:
        mine, theirs = (shares[1], shares[0]) if state.turn == 1 else (shares[0], shares[1])
        evaluation = percentages(*mine, theirs[1], theirs[2])
    first, second = (hold[1], take[1], drop[1]), (hold[2], take[2], drop[2])
    if hold[2] is None:  # a money game has no winning chances of a match
        return CubeRow(level, first, evaluation=evaluation, cubeless=cubeless)
    return CubeRow(level, second, first, evaluation, cubeless)
