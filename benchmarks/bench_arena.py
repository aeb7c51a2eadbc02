"""How fast the arena plays: itself through the referee, and gnubg where it is installed.

    python benchmarks/bench_arena.py

Self-play runs in this process, so its games are told per second of processor time, which hardly depends on what else
the machine is doing. gnubg is another process; its figure is wall time.
"""

from __future__ import annotations

from measure import GNUBG, best_of

from kibitz.arena.rules import ArenaRules
from kibitz.arena.runner import Duel, run_duel
from kibitz.arena.specs import PlayerSpec

OURS = PlayerSpec.parse("kibitz:0")


def self_play(cube: bool, luck: bool) -> None:
    """0-ply against itself: every pair must cancel."""
    sessions = 400 if luck else 4000
    rules = ArenaRules(cube=cube)
    run_duel(Duel(OURS, OURS, rules, sessions=2, luck=luck))  # nets and tables are loaded
    seconds, result = best_of(3, lambda: run_duel(Duel(OURS, OURS, rules, sessions=sessions, luck=luck)))
    assert result.score.sessions == sessions
    assert all(sum(score.results) == 0 and sum(score.luck) == 0 for score in result.log.scores())
    kind = f"{'cubeful' if cube else 'cubeless'}{', luck measured' if luck else ''}"
    print(f"{sessions / seconds:10,.0f} games/s of processor time, {kind}")


def against_gnubg(cube: bool) -> None:
    """0-ply against gnubg's 0-ply with luck measured, one process for each core."""
    result = run_duel(Duel(OURS, PlayerSpec.parse("gnubg:0"), ArenaRules(cube=cube), sessions=40))
    assert result.score.sessions == 40
    assert not result.log.failures
    print(f"{result.rate:10,.1f} games/s against gnubg 0-ply, {'cubeful' if cube else 'cubeless'}")


def main() -> None:
    for cube in (False, True):
        for luck in (False, True):
            self_play(cube, luck)
    if GNUBG is None:
        print("gnubg is not installed: not played against")
        return
    for cube in (False, True):
        against_gnubg(cube)


if __name__ == "__main__":
    main()
