"""How long tables take to build, and how many look-ups a second they answer.

    python benchmarks/bench_tables.py [--hypergammon-3]

Targets on two cores: one-sided 6x15 in 0.5 s, two-sided 6x6 in 2.5 s, hypergammon with 2 checkers in 5 s and with 3 in
12 minutes; 20 million look-ups a second. Seconds are those of the clock, and of the processor beside it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import Position, _core
from kibitz.bearoff import Hypergammon, OneSided, TwoSided, tables
from kibitz.bearoff.hypergammon import FIELDS

OPENING = (0.52118, 0.31021, 0.02082, 0.27245, 0.01726)
"""Published chances of the winner of the opening roll in hypergammon with three checkers; their equity is 0.0836795."""


def timed(what: str, target: float, build: Callable[[], Any], rounds: int = 3) -> Any:
    best, processor = float("inf"), float("inf")
    for _ in range(rounds):
        start, used = time.perf_counter(), time.process_time()
        result = build()
        best = min(best, time.perf_counter() - start)
        processor = min(processor, time.process_time() - used)
    print(f"{what}: {best:.3f} s, {processor:.3f} s of processor time (target {target} s)")
    return result


def builds() -> None:
    one_sided = timed("one-sided 6x15", 0.5, lambda: OneSided.build(6, 15))
    assert len(one_sided) == 54264
    assert abs(one_sided.turns("700000").mean - 3.5509259259) < 1e-9
    two_sided = timed("two-sided 6x6", 2.5, lambda: TwoSided.build(6, 6))
    assert len(two_sided) == 853776
    assert abs(two_sided.evaluate(Position.of({1: 4}, {1: 2})).win - 1 / 6) < 1e-9
    hyper = timed("hypergammon 2", 5, lambda: Hypergammon.build(2), rounds=1)
    assert len(hyper) == 107253
    assert abs(hyper.evaluate(Position.start("hypergammon-2")).equity - 0.152244) < 1e-5


def hypergammon_3() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hypergammon-3.kbt"
        timed("hypergammon 3", 720, lambda: tables.build("hypergammon-3", path=path), rounds=1)
        opening = Hypergammon(3, path=path).opening()
    assert abs(opening.equity - 0.0836795) < 1e-6
    chances = [getattr(opening, name) for name in FIELDS[: len(OPENING)]]
    assert np.allclose(chances, OPENING, atol=6e-6)


def boards_of(points: int, most: int, count: int = 1 << 16) -> npt.NDArray[np.uint8]:
    random = np.random.default_rng(1)
    rows = [
        np.bincount(random.integers(0, points, random.integers(1, most + 1)), minlength=25) for _ in range(2 * 1024)
    ]
    sides = np.array(rows, dtype=np.uint8)
    return np.ascontiguousarray(sides[random.integers(0, len(sides), (count, 2))])


def look_ups(what: str, points: int, most: int, look_up: Callable[..., tuple[float, float]]) -> None:
    boards = boards_of(points, most)
    results = [look_up(boards, 20) for _ in range(5)]
    assert len({total for _, total in results}) == 1 and results[0][1] != 0
    best = max(rate for rate, _ in results)
    print(f"{what}: {best / 1e6:.1f} million look-ups a second of processor time (target 20)")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--hypergammon-3", action="store_true", help="build the large table too: minutes")
    asked = options.parse_args()
    builds()
    look_ups("one-sided mean", 6, 15, _core.OneSidedTable.shared().measure_look_ups)
    look_ups("one-sided winning chance", 6, 15, _core.OneSidedTable.shared().measure_chances)
    look_ups("two-sided equities", 6, 6, _core.TwoSidedTable.shared().measure_look_ups)
    look_ups("hypergammon equities", 25, 2, _core.HypergammonTable.build(2, 0, None).measure_look_ups)
    boards = boards_of(6, 6)
    table = TwoSided()
    start = time.perf_counter()
    values = table.look_up(boards)
    seconds = time.perf_counter() - start
    assert values.shape == (len(boards), 4)
    print(f"two-sided from numpy: {len(boards) / seconds / 1e6:.1f} million look-ups/s")
    if asked.hypergammon_3:
        hypergammon_3()


if __name__ == "__main__":
    main()
