"""Legal plays, position keys and IDs a second, on one thread: in C++, and through Python in bulk.

1,100 fixed positions of all kinds x 21 rolls. `python benchmarks/bench_plays.py` prints the figures; with
pytest-benchmark (`make bench`) they can be compared between versions.
"""

from __future__ import annotations

from typing import Any

from kibitz import _core, bench, plays_bulk
from kibitz.dice import ALL_ROLLS

RESULTS = 322_253
TARGETS = {
    "distinct results in C++": 40e6,
    "distinct results through Python in bulk": 20e6,
    "position keys in C++": 5e6,
    "Position IDs through Python in bulk": 5e6,
}


def every_roll() -> tuple[Any, Any]:
    import numpy as np

    boards = np.repeat(bench.boards(), len(ALL_ROLLS), axis=0)
    dice = np.tile(np.array([tuple(roll) for roll in ALL_ROLLS], dtype=np.uint8), (len(bench.boards()), 1))
    return boards, dice


def test_plays_in_cpp(benchmark: Any) -> None:
    assert benchmark(_core.count_results, bench.boards()) == RESULTS


def test_plays_through_python_in_bulk(benchmark: Any) -> None:
    assert len(benchmark(plays_bulk, *every_roll()).boards) == RESULTS


def test_position_keys_in_cpp(benchmark: Any) -> None:
    boards = plays_bulk(*every_roll()).boards
    assert benchmark(_core.mixed_keys, boards) != 0


def test_position_ids_in_bulk(benchmark: Any) -> None:
    boards = plays_bulk(*every_roll()).boards
    assert len(benchmark(_core.position_ids, boards)) == RESULTS


def main() -> None:
    section = bench.bench_plays(repeats=20)
    assert section.count == RESULTS, section.count
    print(f"{section.count:,} distinct results of {len(bench.positions()):,} positions x {len(ALL_ROLLS)} rolls")
    for speed in section.speeds:
        target = TARGETS[speed.what]
        print(f"{speed.per_second / 1e6:8.1f} million/s  {speed.what} (target {target / 1e6:.0f})")


if __name__ == "__main__":
    main()
