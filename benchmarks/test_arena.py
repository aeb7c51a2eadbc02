"""How fast the arena plays: `pytest benchmarks/test_arena.py --benchmark-enable -s`.

Self-play runs in this process, so games per second of processor time are printed too: they hardly depend on what else
the machine is doing. gnubg is another process; its figure is wall time.
"""

from __future__ import annotations

import os
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from kibitz.arena.gnubg import find_gnubg
from kibitz.arena.rules import ArenaRules
from kibitz.arena.runner import Duel, run_duel
from kibitz.arena.specs import PlayerSpec

OURS = PlayerSpec.parse("kibitz:0")


@pytest.mark.parametrize("luck", [False, True], ids=["raw", "luck"])
@pytest.mark.parametrize("cube", [False, True], ids=["cubeless", "cubeful"])
def test_self_play_through_the_referee(benchmark: BenchmarkFixture, cube: bool, luck: bool) -> None:
    """0-ply against itself: every pair must cancel."""
    sessions = 400 if luck else 4000
    rates = []

    def play() -> None:
        before = time.process_time()
        result = run_duel(Duel(OURS, OURS, ArenaRules(cube=cube), sessions=sessions, luck=luck))
        rates.append(sessions / (time.process_time() - before))
        assert result.score.sessions == sessions
        assert all(sum(score.results) == 0 and sum(score.luck) == 0 for score in result.log.scores())

    run_duel(Duel(OURS, OURS, ArenaRules(cube=cube), sessions=2, luck=luck))  # nets and tables are loaded
    benchmark.pedantic(play, rounds=3)
    cores = os.cpu_count() or 1
    print(f"\n{max(rates):,.0f} games/s of processor time, {cores * max(rates):,.0f} on {cores} free cores")


@pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")
@pytest.mark.parametrize("cube", [False, True], ids=["cubeless", "cubeful"])
def test_against_gnubg(benchmark: BenchmarkFixture, cube: bool) -> None:
    """0-ply against gnubg's 0-ply with luck measured, one process for each core."""
    duel = Duel(OURS, PlayerSpec.parse("gnubg:0"), ArenaRules(cube=cube), sessions=40)
    result = benchmark.pedantic(lambda: run_duel(duel), rounds=1)
    assert result.score.sessions == 40
    assert not result.log.failures
    print(f"\n{result.rate:,.1f} games/s against gnubg 0-ply")
