"""Boards for the terminal, in plain characters and within 80 columns."""

from __future__ import annotations

from contextlib import suppress

from kibitz.cube import Owner
from kibitz.errors import NotationError
from kibitz.position import BAR, Position
from kibitz.report.layout import POINTS_A_ROW, cube_words, game_words, point_rows, score_words, task_words
from kibitz.state import State

_HEIGHT = 5
_MINE, _THEIRS = "X", "O"


def draw_position(position: Position, *, flip: bool = False, left: bool = False) -> str:
    """The checkers alone: X is on roll, O is the opponent, points are numbered by X."""
    mine, theirs = position.pips
    beside = [""] * (2 * _HEIGHT + 3)
    off = position.off()
    first, last = (-1, 0) if not flip else (0, -1)
    beside[first] = f"{_MINE}  on roll, {mine} pips" + (f", {off[0]} off" if off[0] else "")
    beside[last] = f"{_THEIRS}  {theirs} pips" + (f", {off[1]} off" if off[1] else "")
    return _draw(position, beside, flip=flip, left=left)


def draw_state(state: State, *, flip: bool = False, left: bool = False) -> str:
    """The board with names, pips, score, cube and what is to be decided, and the IDs below."""
    match = state.match
    me, opponent = state.names or ("", "")
    off = state.position.off(match.variant)
    upper = [
        f"{_THEIRS}  {opponent or 'the opponent'}",
        f"   {state.position.pips[1]} pips" + (f", {off[1]} off" if off[1] else ""),
        _score(state, mine=False),
        _cube_box(state) if match.cube.owner is Owner.THEIRS else "",
    ]
    lower = [
        f"{_MINE}  {me + ' ' if me else ''}{task_words(state)}",
        f"   {state.position.pips[0]} pips" + (f", {off[0]} off" if off[0] else ""),
        _score(state, mine=True),
        _cube_box(state) if match.cube.owner is Owner.MINE else "",
    ]
    if flip:
        upper, lower = lower, upper
    beside = [*upper, "", "", _cube_box(state) if match.cube.owner is Owner.CENTRED else "", "", "", *lower[::-1]]
    lines = [_draw(state.position, beside, flip=flip, left=left)]
    lines.append(f" {game_words(match)}, {cube_words(match)}")
    return "\n".join(lines + _ids(state))


def _score(state: State, *, mine: bool) -> str:
    words = score_words(state.match, mine=mine)
    return f"   score {words}" if words else ""


def _cube_box(state: State) -> str:
    return f"   [{state.match.cube.value:^4}]"


def _ids(state: State) -> list[str]:
    """The IDs that can say all of this state."""
    lines = [f" Position ID {state.position_id}"]
    with suppress(NotationError):
        lines[0] += f"   Match ID {state.match_id}"
    with suppress(NotationError):
        lines.append(f" {state.xgid}")
    return lines


def _draw(position: Position, beside: list[str], *, flip: bool, left: bool) -> str:
    """The board, and beside each of its 13 lines some words."""
    upper, lower = point_rows(flip=flip, left=left)
    top_bar, bottom_bar = (_MINE, _THEIRS) if flip else (_THEIRS, _MINE)
    rows = [_numbers(upper)]
    rows += [_row(position, upper, top_bar, depth) for depth in range(_HEIGHT)]
    rows.append("|" + " " * 18 + "|BAR|" + " " * 18 + "|")
    rows += [_row(position, lower, bottom_bar, depth) for depth in reversed(range(_HEIGHT))]
    rows.append(_numbers(lower))
    return "\n".join(f" {row}  {words}".rstrip() for row, words in zip(rows, beside, strict=True))


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
