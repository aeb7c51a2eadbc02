"""Speed of the opening rollout, side by side with Debian's gnubg: python benchmarks/bench_rollout.py [--trials 1296]

The opening position, cubeless, 0 plies, to the end (both programs stop where one-sided bearoff tables answer), with and
without variance reduction, on one core. Times are processor times, the best of several runs, so that other work on the
machine counts little; with variance reduction gnubg runs once, which takes a minute. Without gnubg only Kibitz is
measured. Two threads are compared with one by the clock on the wall, which means something only on an idle machine.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import time

from measure import GNUBG

import kibitz
from kibitz import MatchState, Position

COMMANDS = """set threads 1
set automatic game off
set automatic roll off
set rollout trials {trials}
set rollout cubeful off
set rollout varredn {luck}
set rollout quasirandom on
set rollout truncation enable off
set rollout limit enable off
set rollout jsd stop off
set rollout player 0 chequerplay evaluation plies 0
set rollout player 1 chequerplay evaluation plies 0
set rollout player 0 cubedecision evaluation plies 0
set rollout player 1 cubedecision evaluation plies 0
new session
set turn 0
set board 4HPwATDgc/ABMA
{rollout}
quit
y
"""


def gnubg_seconds(trials: int, luck: bool, repeats: int) -> float:
    """Processor seconds of gnubg's rollout alone: the best run with it less the best run without."""

    def run(rollout: str) -> float:
        commands = COMMANDS.format(trials=trials, luck="on" if luck else "off", rollout=rollout)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(GNUBG), "-t", "-q"], input=commands, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert not rollout or "Rollout done" in done.stdout, done.stdout[-1000:]
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(run("rollout") for _ in range(repeats)) - min(run("") for _ in range(repeats))


def kibitz_seconds(trials: int, luck: bool, *, threads: int = 1, repeats: int = 3, wall: bool = False) -> float:
    """The best of several runs."""
    clock = time.perf_counter if wall else time.process_time
    best = math.inf
    for _ in range(repeats):
        engine = kibitz.Engine(threads=threads)
        started = clock()
        rollout = engine.rollout(
            Position.start(),
            match=MatchState.money(jacoby=False),
            cube=False,
            cubeful=False,
            variance_reduction=luck,
            trials=trials,
        )
        best = min(best, clock() - started)
        assert rollout.trials == trials
    result = rollout.best
    print(f"    cubeless {result.equity:+.4f} ± {result.standard_error:.4f}")
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=1296)
    parser.add_argument("--gnubg-trials", type=int, help="fewer for gnubg, whose time is then scaled up")
    parser.add_argument("--repeats", type=int, default=3, help="runs with variance reduction; without it twice as many")
    options = parser.parse_args()
    trials = options.trials
    kibitz_seconds(36, True, repeats=1)  # tables and memory
    for luck in (True, False):
        print(f"{trials} trials, {'with' if luck else 'without'} variance reduction, one core")
        repeats = options.repeats if luck else 2 * options.repeats
        ours = kibitz_seconds(trials, luck, repeats=repeats)
        print(f"    kibitz {ours:8.3f} s")
        if GNUBG is not None:
            fewer = options.gnubg_trials or trials
            theirs = gnubg_seconds(fewer, luck, 1 if luck else repeats) * trials / fewer
            print(f"    gnubg  {theirs:8.3f} s: kibitz is {theirs / ours:.1f} times as fast")
    one = kibitz_seconds(trials, True, repeats=options.repeats, wall=True)
    two = kibitz_seconds(trials, True, threads=2, repeats=options.repeats, wall=True)
    print(f"two threads: {one / two:.2f} times one by the clock on the wall ({one:.2f} s, {two:.2f} s)")


if __name__ == "__main__":
    main()
