"""What work will cost, told before it is begun: seconds of one core, right within a small factor."""

from __future__ import annotations

import time
from functools import lru_cache
from math import ceil

from kibitz.analysis.levels import ReviewSettings
from kibitz.bearoff.tables import TableName
from kibitz.engine.engine import Engine
from kibitz.position import Position
from kibitz.rollout.settings import GROUP, RolloutSettings

CHUNK_SECONDS = 0.5
"""What a chunk should take: little is lost by a kill, and handing it out costs little in comparison."""
_MEASURED_SPEED = 1.3e6
"""Evaluations a second of the machine on which the next figures were measured."""
_TURN = (0.00015, 0.0006, 0.0025, 0.015, 0.1, 0.7, 5.0, 35.0)
"""Seconds of a turn of one game by plies, with the luck of its roll."""
_MOMENT = (0.002, 0.004, 0.025, 0.12, 1.0, 7.0, 50.0, 350.0)
"""Seconds of a moment of a match by plies."""
_THOUGHT = {"roller": 0.15, "roller+": 0.3, "world-class": 0.3, "roller++": 1.5, "ultimate": 1.5}
"""Seconds of a moment by levels that roll out what is open."""
_USUAL_TURNS = 50
_TABLE = {"one-sided": 3e-5, "two-sided": 1e-6, "hypergammon": 2e-5}
"""Seconds of one position of a table."""


@lru_cache(maxsize=1)
def slowness() -> float:
    """How many times slower this machine is than the one of the figures."""
    import numpy as np

    boards = np.repeat(Position.start().board[None], 2000, axis=0)
    engine = Engine(threads=1)
    best = 1.0
    for _ in range(3):
        started = time.thread_time()
        engine.evaluate_batch(boards)
        best = min(best, time.thread_time() - started)
    return max(_MEASURED_SPEED * best / len(boards), 0.2)


def rollout_game(settings: RolloutSettings, candidates: int) -> float:
    """One game of each candidate."""
    (early, late), (theirs, theirs_late) = settings.stages()
    turns = settings.truncate or _USUAL_TURNS
    first = turns if settings.late_after is None else min(settings.late_after, turns)
    depth = [max(one.play, one.cube - 1, 0) for one in (early, theirs, late, theirs_late)]
    one_turn = first * (_TURN[depth[0]] + _TURN[depth[1]]) / 2
    one_turn += (turns - first) * (_TURN[depth[2]] + _TURN[depth[3]]) / 2
    if settings.variance_reduction:
        one_turn += turns * _TURN[settings.luck_plies]
    one_turn += _TURN[settings.truncation_plies] if settings.truncate else 0.0
    return slowness() * candidates * one_turn


def review_moment(settings: ReviewSettings) -> float:
    """One moment of a match, without rollouts of its blunders."""
    level = settings.level
    share = 1.0 if level.every or not level.search.plies else 0.5
    deeper = _THOUGHT.get(level.thought, _MOMENT[level.search.plies])
    seconds = _MOMENT[0] + share * deeper + (_MOMENT[level.luck_plies] if level.luck_plies else 0)
    if settings.rollout:  # one moment in twenty or so is a blunder
        seconds += 0.05 * 2 * settings.rollout * rollout_game(RolloutSettings(), 1)
    return slowness() * seconds


def table(name: TableName) -> float:
    """A whole table."""
    return slowness() * _TABLE[name.kind] * name.positions


def chunk_size(total: int, seconds_each: float, *, whole: int = 1) -> int:
    """How many of so many a chunk should hold; many are cut at multiples of `whole`."""
    size = max(1, int(CHUNK_SECONDS / max(seconds_each, 1e-9)))
    if size >= whole > 1:
        size = size // whole * whole
    return min(size, max(total, 1))


def ranges(total: int, size: int) -> list[tuple[int, int]]:
    """0 to `total`, cut into parts of this size."""
    return [(start, min(start + size, total)) for start in range(0, total, size)]


def whole_groups(trials: int) -> int:
    """Trials rounded up so that every first roll comes equally often."""
    return ceil(trials / GROUP) * GROUP
