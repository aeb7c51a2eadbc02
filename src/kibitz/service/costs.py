"""What work will cost, told before it is begun: seconds of one core, right within a small factor."""

from __future__ import annotations

import time
from functools import lru_cache
from math import ceil

from kibitz.analysis.levels import ReviewSettings
from kibitz.bearoff.tables import TableName
from kibitz.dice import ALL_ROLLS
from kibitz.engine.engine import Engine
from kibitz.engine.filters import MoveFilter
from kibitz.engine.settings import SearchSettings
from kibitz.position import Position
from kibitz.rollout.settings import GROUP, RolloutSettings

CHUNK_SECONDS = 0.5
"""What a chunk should take: little is lost by a kill, and handing it out costs little in comparison."""
_MEASURED_SPEED = 2.2e6
"""Evaluations a second of the machine on which the next figures were measured."""
_TURN = (3e-6, 4e-4, 3.5e-3, 0.035, 0.3, 2.0, 14.0, 100.0)
"""Seconds of a turn of one game by plies, with the usual filter and replies."""
_LUCK = (6e-5, 2.6e-3, 0.023, 0.23, 2.0, 13.0, 90.0, 650.0)
"""Seconds that the luck of a roll takes, by plies."""
_MANY = 20
"""Plays that a roll has, where all are looked at."""
_MOMENT = (0.0015, 0.002, 0.01, 0.08, 0.7, 6.0, 50.0, 350.0)
"""Seconds of a moment of a match by plies."""
_THOUGHT = {"roller": 0.15, "roller+": 0.3, "world-class": 0.3, "roller++": 1.5, "ultimate": 1.5}
"""Seconds of a moment by levels that roll out what is open."""
_USUAL_TURNS = 50
_TABLE = {"one-sided": 3e-5, "two-sided": 1e-6, "hypergammon": 6e-5}
"""Seconds of one position of a table."""


@lru_cache(maxsize=1)
def slowness() -> float:
    """How many times slower this machine is than the one of the figures."""
    import numpy as np

    start = Position.start()
    after = [play.result for roll in ALL_ROLLS for play in start.plays(roll)]
    replies = [reply.result.board for one in after[::10] for roll in ALL_ROLLS for reply in one.plays(roll)]
    boards = np.unique(np.stack(replies), axis=0)[:5000]
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
    sides = (((early, late), settings.search), ((theirs, theirs_late), settings.opponent_search()))
    each = [
        _TURN[depth] * _width(search, depth)
        for plies, search in sides
        for depth in (max(one.play, one.cube) for one in plies)
    ]
    seconds = first * (each[0] + each[2]) / 2 + (turns - first) * (each[1] + each[3]) / 2
    if settings.variance_reduction:
        replies = min(settings.luck_replies, _MANY) / _MANY
        seconds += turns * _LUCK[settings.luck_plies] * (1 + replies)
    if settings.truncate:
        seconds += _TURN[settings.truncation_plies]
    return slowness() * candidates * seconds


def _width(search: SearchSettings, plies: int) -> float:
    """How many times more than with the usual filter and replies a look of so many plies takes."""
    if not plies:
        return 1.0
    usual = SearchSettings()
    wanted = [_MANY if not one.pruning else one.replies if plies == 1 else one.last_replies for one in (search, usual)]
    replies = min(wanted[0], _MANY) / wanted[1]
    return replies * _looks(MoveFilter.of(search.filter), plies) / _looks(MoveFilter.of(usual.filter), plies)


def _looks(chosen: MoveFilter, plies: int) -> float:
    """What a filter leaves to be looked at, a look of one ply more counted as twenty."""
    steps = [one for one in chosen.steps if not one.skip]
    kept = [steps[min(depth, len(steps) - 1)] for depth in range(plies)]
    return float(sum(min(one.keep + one.extra, _MANY) * 20**depth for depth, one in enumerate(kept)))


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
