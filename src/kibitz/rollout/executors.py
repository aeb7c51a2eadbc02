"""Where the games of a rollout are played: one small protocol, and threads on this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

from kibitz import _core
from kibitz.cores import usable_cores
from kibitz.rollout.job import Job, Part
from kibitz.rollout.settings import GROUP

TASK_SECONDS = 0.05
"""What a task of a thread should take: short enough to stop soon, long enough to be worth handing out. What Python does
between two tasks takes the nets out of the caches, which costs several times its own time."""


@dataclass(frozen=True, slots=True)
class Work:
    """A job, with evaluators of the caller's own where it has them. Only the job can leave this process.

    `by_groups`: somebody looks after every 36 games, so no part may hold games of two groups.
    """

    job: Job
    evaluator: _core.Evaluator | None = None
    luck: _core.Evaluator | None = None
    by_groups: bool = True


class Executor(Protocol):
    """Plays games somewhere.

    `run` yields every game of the range exactly once, as parts in any order, each within one group of 36 if the work
    is by groups. Closing the iterator stops the work; what has not been yielded is lost. The sums of a part do not
    depend on who plays it.
    """

    def run(self, work: Work, games: range) -> Iterator[Part]:
        """Play these games."""


class ThreadExecutor:
    """Threads of this process; 0 for all cores."""

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads or usable_cores()

    def run(self, work: Work, games: range) -> Iterator[Part]:
        """Play these games, a fraction of a second's worth at a time."""
        roller = work.job.roller(work.evaluator, work.luck)
        cancel = _core.CancelFlag()
        size = 1
        next_game = games.start
        waiting: set[Future[tuple[list[Part] | None, float]]] = set()

        def play(first: int, count: int) -> tuple[list[Part] | None, float]:
            started = time.perf_counter()
            parts = work.job.play(roller, first, count, cancel, by_groups=work.by_groups)
            return parts, (time.perf_counter() - started) / count

        with ThreadPoolExecutor(self.threads, thread_name_prefix="rollout") as pool:
            try:
                while waiting or next_game < games.stop:
                    while next_game < games.stop and len(waiting) < 2 * self.threads:
                        stop = min(next_game // size * size + size, games.stop)
                        waiting.add(pool.submit(play, next_game, stop - next_game))
                        next_game = stop
                    # A wait without an end would keep Ctrl-C waiting too.
                    done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                    for future in done:
                        parts, seconds = future.result()
                        assert parts is not None
                        # The last tasks are smaller, so that no thread is left with nothing to do.
                        fair = max((games.stop - next_game) / (2 * self.threads), GROUP)
                        size = _whole(min(TASK_SECONDS / seconds, fair))
                        yield from parts
            finally:
                cancel.set()
                for future in waiting:
                    future.cancel()


def _whole(games: float) -> int:
    """About so many games: some groups, or an even part of one."""
    if games >= GROUP:
        return int(games) // GROUP * GROUP
    return max((size for size in range(1, GROUP) if GROUP % size == 0 and size <= games), default=1)
