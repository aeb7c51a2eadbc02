"""How long tables take to build, and how many look-ups a second they answer.

Targets on two cores: one-sided 6x15 in 0.5 s, two-sided 6x6 in 2.5 s, hypergammon with 2 checkers in 5 s and with 3 in
12 minutes; 20 million look-ups a second. Run by `make bench`; the figures are printed with the processor time beside
them, which other work on the machine disturbs less.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import Position, _core
from kibitz.bearoff import Hypergammon, OneSided, TwoSided, tables


def timed(what: str, target: float, build: Callable[[], Any], rounds: int = 3) -> Any:
    best, processor = float("inf"), float("inf")
    for _ in range(rounds):
        start, used = time.perf_counter(), time.process_time()
        result = build()
        best = min(best, time.perf_counter() - start)
        processor = min(processor, time.process_time() - used)
    print(f"\n{what}: {best:.3f} s, {processor:.3f} s of processor time (target {target} s)")
    return result


def test_build_one_sided() -> None:
    table = timed("one-sided 6x15", 0.5, lambda: OneSided.build(6, 15))
    assert len(table) == 54264
    assert table.turns("700000").mean == pytest.approx(3.5509259259, abs=1e-9)


def test_build_two_sided() -> None:
    table = timed("two-sided 6x6", 2.5, lambda: TwoSided.build(6, 6))
    assert len(table) == 853776
    assert table.evaluate(Position.of({1: 4}, {1: 2})).win == pytest.approx(1 / 6)


def test_build_hypergammon_2() -> None:
    table = timed("hypergammon 2", 5, lambda: Hypergammon.build(2), rounds=1)
    assert len(table) == 107253
    assert table.evaluate(Position.start("hypergammon-2")).equity == pytest.approx(0.152244, abs=1e-5)


@pytest.mark.slow
def test_build_hypergammon_3(tmp_path: Path) -> None:
    path = tmp_path / "hypergammon-3.kbt"
    timed("hypergammon 3", 720, lambda: tables.build("hypergammon-3", path=path), rounds=1)
    check_hypergammon_3(Hypergammon(3, path=path))


def check_hypergammon_3(table: Hypergammon) -> None:
    """The published values for the winner of the opening roll."""
    opening = table.opening()
    assert opening.equity == pytest.approx(0.0836795, abs=1e-6)
    assert [opening.win, opening.win_gammon, opening.win_backgammon] == pytest.approx(
        [0.52118, 0.31021, 0.02082], abs=6e-6
    )
    assert [1 - opening.win, opening.lose_gammon, opening.lose_backgammon] == pytest.approx(
        [0.47882, 0.27245, 0.01726], abs=6e-6
    )


def boards_of(points: int, most: int, count: int = 1 << 16) -> np.ndarray:
    random = np.random.default_rng(1)
    rows = [
        np.bincount(random.integers(0, points, random.integers(1, most + 1)), minlength=25) for _ in range(2 * 1024)
    ]
    table = np.array(rows, dtype=np.uint8)
    return np.ascontiguousarray(table[random.integers(0, len(table), (count, 2))])


@pytest.mark.parametrize(
    ("what", "points", "most", "measure"),
    [
        ("one-sided mean", 6, 15, lambda: _core.OneSidedTable.shared().measure_look_ups),
        ("one-sided winning chance", 6, 15, lambda: _core.OneSidedTable.shared().measure_chances),
        ("two-sided equities", 6, 6, lambda: _core.TwoSidedTable.shared().measure_look_ups),
        ("hypergammon equities", 25, 2, lambda: _core.HypergammonTable.build(2, 0, None).measure_look_ups),
    ],
)
def test_look_ups(what: str, points: int, most: int, measure: Callable[[], Any]) -> None:
    boards = boards_of(points, most)
    look_up = measure()
    results = [look_up(boards, 20) for _ in range(5)]
    best = max(rate for rate, _ in results)
    assert len({total for _, total in results}) == 1 and results[0][1] != 0
    print(f"\n{what}: {best / 1e6:.1f} million look-ups a second of processor time (target 20)")


def test_batch_look_ups_from_python() -> None:
    boards = boards_of(6, 6)
    table = TwoSided()
    start = time.perf_counter()
    values = table.look_up(boards)
    seconds = time.perf_counter() - start
    assert values.shape == (len(boards), 4)
    print(f"\ntwo-sided from numpy: {len(boards) / seconds / 1e6:.1f} million look-ups/s")
