"""Speed of the hand-made engines: python -m pytest benchmarks/test_heuristics.py --benchmark-enable -s"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import pytest

from kibitz import Position, _core
from kibitz.heuristics import TabulaSettings, TenFactorSettings

OPENING = Position.start()._rows
WEIGHTS = TabulaSettings().weights()
OPENING_31_SCORED = 7475  # 16 plays and 7459 replies


def best_time(work: Callable[[], Any], repeats: int) -> float:
    """Seconds of the quickest of many repeats: what the machine can do when nobody else uses it."""
    best = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best


def scored(plays: list[Any]) -> int:
    return len(plays) + sum(play[5] for play in plays)


def test_tabula_opening_31_on_one_core(benchmark: Any) -> None:
    """Both steps, every reply of every roll: at most 3 ms."""
    plays = benchmark(_core.tabula_analyze, OPENING, 3, 1, WEIGHTS, 1)
    assert scored(plays) == OPENING_31_SCORED
    seconds = best_time(lambda: _core.tabula_analyze(OPENING, 3, 1, WEIGHTS, 1), 200)
    print(f"\ntabula, opening 3-1, one core: {1e3 * seconds:.3f} ms, {scored(plays) / seconds / 1e6:.0f} M positions/s")


@pytest.mark.parametrize("threads", [1, 2])
def test_tabula_positions_per_second(benchmark: Any, threads: int) -> None:
    """A thousand openings at once, shared out among the cores."""
    asked = [(OPENING, 3, 1)] * 1000
    found = benchmark.pedantic(_core.tabula_analyze_many, (asked, WEIGHTS, threads), rounds=3)
    assert sum(map(scored, found)) == 1000 * OPENING_31_SCORED
    seconds = best_time(lambda: _core.tabula_analyze_many(asked, WEIGHTS, threads), 5)
    print(f"\ntabula, {threads} threads: {1000 * OPENING_31_SCORED / seconds / 1e6:.0f} M positions/s")


def test_ten_factors_of_the_opening_31(benchmark: Any) -> None:
    plays = benchmark(_core.ten_factors, OPENING, 3, 1, TenFactorSettings().weights())
    assert len(plays) == 16


def test_shots_at_two_blots(benchmark: Any) -> None:
    after = next(play for play in Position.start().plays("43") if str(play) == "13/10 13/9").result
    _, count = benchmark(_core.shots, after._rows)
    assert count == 11
