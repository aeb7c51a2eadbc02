"""Speed of the hand-made engines: python benchmarks/bench_heuristics.py"""

from __future__ import annotations

from functools import partial
from typing import Any

from measure import best_of

from kibitz import Position, _core
from kibitz.heuristics import TabulaSettings, TenFactorSettings

OPENING = Position.start().rows
WEIGHTS = TabulaSettings().weights()
OPENING_31_SCORED = 7475  # 16 plays and 7459 replies


def scored(plays: list[Any]) -> int:
    return len(plays) + sum(int(play[5]) for play in plays)


def main() -> None:
    seconds, plays = best_of(200, lambda: _core.tabula_analyze(OPENING, 3, 1, WEIGHTS, 1))
    assert scored(plays) == OPENING_31_SCORED
    print(f"tabula, opening 3-1: {1e3 * seconds:.3f} ms (target 3), {scored(plays) / seconds / 1e6:.0f} M positions/s")
    asked = [(OPENING, 3, 1)] * 1000
    for threads in (1, 2):
        seconds, found = best_of(5, partial(_core.tabula_analyze_many, asked, WEIGHTS, threads))
        assert sum(map(scored, found)) == 1000 * OPENING_31_SCORED
        rate = 1000 * OPENING_31_SCORED / seconds / 1e6
        print(f"tabula, a thousand openings on {threads} threads: {rate:.0f} M positions/s of processor time")
    weights = TenFactorSettings().weights()
    seconds, rows = best_of(200, lambda: _core.ten_factors(OPENING, 3, 1, weights))
    assert len(rows) == 16
    print(f"ten factors, opening 3-1: {1e6 * seconds:.0f} us")
    after = next(play for play in Position.start().plays("43") if str(play) == "13/10 13/9").result
    seconds, (_, count) = best_of(200, lambda: _core.shots(after.rows))
    assert count == 11
    print(f"shots at two blots: {1e6 * seconds:.1f} us")


if __name__ == "__main__":
    main()
