"""Legal plays, position keys and IDs a second, on one thread: in C++, and through Python in bulk.

    python benchmarks/bench_plays.py

1,100 fixed positions of all kinds x 21 rolls.
"""

from __future__ import annotations

from kibitz import bench
from kibitz.dice import ALL_ROLLS

RESULTS = 322_253
TARGETS = {
    "distinct results in C++": 40e6,
    "distinct results through Python in bulk": 20e6,
    "position keys in C++": 5e6,
    "Position IDs through Python in bulk": 5e6,
}


def main() -> None:
    section = bench.bench_plays(repeats=20)
    assert section.count == RESULTS, section.count
    print(f"{section.count:,} distinct results of {len(bench.positions()):,} positions x {len(ALL_ROLLS)} rolls")
    for speed in section.speeds:
        target = TARGETS[speed.what]
        print(f"{speed.per_second / 1e6:8.1f} million/s  {speed.what} (target {target / 1e6:.0f})")


if __name__ == "__main__":
    main()
