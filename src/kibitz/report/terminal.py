"""Boards for the terminal, in plain characters, painted where a theme is given, and within 80 columns."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from kibitz.cube import Owner
from kibitz.errors import NotationError
from kibitz.position import BAR, Position
from kibitz.report.layout import POINTS_A_ROW, cube_words, game_words, point_rows, score_words, task_words
from kibitz.report.themes import Theme
from kibitz.state import Offer, State

_HEIGHT = 5
_MINE, _THEIRS = "X", "O"
_BESIDE = 31
"""Columns for a name beside the board."""


def wants_colour(when: str = "auto") -> bool:
    """Whether stdout is to be coloured: always, never, or (auto) where it is a terminal and NO_COLOR is not set."""
    if when != "auto":
        return when == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def draw_position(position: Position, *, flip: bool = False, left: bool = False, theme: Theme | None = None) -> str:
    """The checkers alone: X is on roll, O is the opponent, points are numbered by X."""
    mine, theirs = position.pips
    beside = [""] * (2 * _HEIGHT + 3)
    off = position.off()
    first, last = (-1, 0) if not flip else (0, -1)
    beside[first] = f"{_MINE}  on roll, {mine} pips" + (f", {off[0]} off" if off[0] else "")
    beside[last] = f"{_THEIRS}  {theirs} pips" + (f", {off[1]} off" if off[1] else "")
    return _draw(position, beside, flip=flip, left=left, theme=theme)


def draw_state(
    state: State, *, flip: bool = False, left: bool = False, theme: Theme | None = None, ids: bool = True
) -> str:
    """The board with names, pips, score, cube and what is to be decided, and, unless left out, the IDs below.

    X is whoever has to decide: the player on roll, or the one who has been offered a double or a resignation.
    """
    is_offered = state.offer is not Offer.NONE
    seen = state.swapped() if is_offered else state
    match, position = seen.match, seen.position
    me, opponent = seen.names or ("", "")
    task, offer = ("to answer", f" {task_words(state)}") if is_offered else (task_words(state), "")
    me, opponent = _shown(me, _BESIDE - len(task) - 1), _shown(opponent, _BESIDE - len(offer))
    off = position.off(match.variant)
    upper = [
        f"{_THEIRS}  {opponent or 'the opponent'}{offer}",
        f"   {position.pips[1]} pips" + (f", {off[1]} off" if off[1] else ""),
        _score(seen, mine=False),
        _cube_box(seen, theme) if match.cube.owner is Owner.THEIRS else "",
    ]
    lower = [
        f"{_MINE}  {me + ' ' if me else ''}{task}",
        f"   {position.pips[0]} pips" + (f", {off[0]} off" if off[0] else ""),
        _score(seen, mine=True),
        _cube_box(seen, theme) if match.cube.owner is Owner.MINE else "",
    ]
    if flip:
        upper, lower = lower, upper
    middle = _cube_box(seen, theme) if match.cube.owner is Owner.CENTRED else ""
    beside = [*upper, "", "", middle, "", "", *lower[::-1]]
    lines = [_draw(position, beside, flip=flip, left=left, theme=theme)]
    lines.append(f" {game_words(match)}, {cube_words(match)}")
    return "\n".join(lines + (_ids(state) if ids else []))


def _shown(name: str, width: int) -> str:
    """A name that does nothing to a terminal, and has its place."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= width else clean[: width - 1] + "…"


def _score(state: State, *, mine: bool) -> str:
    words = score_words(state.match, mine=mine)
    return f"   score {words}" if words else ""


def _cube_box(state: State, theme: Theme | None) -> str:
    """The cube; in the Crawford game that word, and nothing in a match to one point, which has no cube."""
    match = state.match
    if match.length == 1:
        return ""
    box = "[Crawford]" if match.crawford else f"[{match.cube.value:^4}]"
    return f"   {box if theme is None else theme.paint(box, 'cube')}"


def _ids(state: State) -> list[str]:
    """The IDs that can say all of this state."""
    lines = [f" Position ID {state.position_id}"]
    with suppress(NotationError):
        lines[0] += f"   Match ID {state.match_id}"
    with suppress(NotationError):
        lines.append(f" {state.xgid}")
    return lines


def _draw(position: Position, beside: list[str], *, flip: bool, left: bool, theme: Theme | None) -> str:
    """The board, and beside each of its 13 lines some words."""
    upper, lower = point_rows(flip=flip, left=left)
    top_bar, bottom_bar = (_MINE, _THEIRS) if flip else (_THEIRS, _MINE)
    rows = [_numbers(upper)]
    rows += [_row(position, upper, top_bar, depth) for depth in range(_HEIGHT)]
    rows.append("|" + " " * 18 + "|BAR|" + " " * 18 + "|")
    rows += [_row(position, lower, bottom_bar, depth) for depth in reversed(range(_HEIGHT))]
    rows.append(_numbers(lower))
    if theme is not None:
        rows = [_painted(row, theme) for row in rows]
    return "\n".join(f" {row}  {words}".rstrip() for row, words in zip(rows, beside, strict=True))


def _painted(row: str, theme: Theme) -> str:
    """A row of the board with its checkers and its frame in colour. High stacks keep the colour of the frame."""
    parts = {_MINE: "mine", _THEIRS: "theirs"}
    if "BAR" in row or row.startswith("+"):
        return theme.paint(row, "frame")
    return "".join(
        theme.paint(one, parts[one]) if one in parts else theme.paint(one, "frame") if one == "|" else one
        for one in row
    )


def _numbers(points: list[int]) -> str:
    half = POINTS_A_ROW // 2
    sides = ["-".join(f"{point:->2}" for point in part) for part in (points[:half], points[half:])]
    return f"+{sides[0]}------{sides[1]}-+"


def _row(position: Position, points: list[int], bar_owner: str, depth: int) -> str:
    """One line of checkers, `depth` away from the edge."""
    cells = []
    for point in points:
        mine, theirs = position.mine[point - 1], position.theirs[24 - point]
        cells.append(_cell(mine or theirs, _MINE if mine else _THEIRS, depth))
    on_bar = (position.mine if bar_owner == _MINE else position.theirs)[BAR - 1]
    half = POINTS_A_ROW // 2
    bar = _cell(on_bar, bar_owner, _HEIGHT - 1 - depth)
    return "|" + "".join(cells[:half]) + "|" + bar + "|" + "".join(cells[half:]) + "|"


def _cell(count: int, checker: str, depth: int) -> str:
    """Three characters for one checker; the innermost of a high stack tells how many there are."""
    if count > _HEIGHT and depth == _HEIGHT - 1:
        return f"{count:>2} "
    return f" {checker} " if depth < count else "   "
