"""Rollouts, reviews and duels on a Dask cluster. The only file that knows Dask, which the extra `cluster` installs."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from kibitz.errors import EngineError
from kibitz.rollout.executors import Work
from kibitz.rollout.job import OUR_EVALUATOR, Part, play_remotely
from kibitz.rollout.settings import GROUP

TASK_SECONDS = 1.5
"""What a task should take at least: sending it costs milliseconds."""
RETRIES = 10
"""How many workers may die under a task before it is given up."""
MOST_UNITS = 100 * GROUP
"""Units, such as games, of a task."""
Cut = Callable[[int], tuple[tuple[Any, ...], int] | None]
"""Cuts about so many units off what is to be done: the arguments of a task and its units; None when all is done."""


class DaskExecutor:
    """A cluster by its address such as tcp://10.0.0.1:8786, a client, or "local" for processes on this machine.

    A task is work for a second or more. The tasks of a worker that dies are done again elsewhere.
    """

    def __init__(self, cluster: Any = "local", *, workers: int | None = None) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise EngineError('a cluster needs the package distributed: pip install "kibitz[cluster]"') from None
        self._owned: list[Any] = []
        if isinstance(cluster, distributed.Client):
            self.client: Any = cluster
        elif cluster == "local":
            local = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.ERROR,
            )
            self.client = distributed.Client(local)
            self._owned = [self.client, local]
        else:
            try:
                self.client = distributed.Client(cluster, timeout=10)
            except (OSError, ValueError, TypeError) as error:  # the last where TLS is not configured
                raise EngineError(f"there is no Dask cluster at {cluster!r}: {error}") from None
            self._owned = [self.client]

    def run(self, work: Work, games: range) -> Iterator[Part]:
        """Play these games, some seconds' worth at a time."""
        if work.evaluator is not None or work.luck is not None or work.job.net_names == (OUR_EVALUATOR,):
            raise EngineError("an evaluator of your own cannot be sent to a cluster; use nets, or threads")
        next_game = games.start

        def cut(size: int) -> tuple[tuple[int, int], int] | None:
            nonlocal next_game
            if next_game >= games.stop:
                return None
            # Large tasks are whole groups, so that few parts are cut.
            first, stop = next_game, next_game + size
            stop = min(games.stop, max(stop // GROUP * GROUP, next_game + 1) if size >= GROUP else stop)
            next_game = stop
            return (first, stop - first), stop - first

        for parts in self.shared_out(play_remotely, work.job, cut):
            yield from parts

    def shared_out(self, function: Callable[..., Any], shared: Any, cut: Cut) -> Iterator[Any]:
        """What `function(shared, *arguments)` gives for all the arguments that `cut` cuts off, as it comes.

        `cut` is told how many units are worth a task's time. `shared` goes with every task: some kilobytes, which no
        worker can take with it when it dies.
        """
        distributed: Any = import_module("distributed")
        completed = distributed.as_completed()
        waiting: dict[Any, int] = {}
        size, done = 1, False  # the first tasks find out how long a unit takes
        try:
            while True:
                slots = max(sum(self.client.nthreads().values()), 1)
                while not done and len(waiting) < 2 * slots:
                    if (task := cut(size)) is None:
                        done = True
                        break
                    arguments, units = task
                    future = self.client.submit(_timed, function, shared, *arguments, pure=False, retries=RETRIES)
                    waiting[future] = units
                    completed.add(future)
                if not waiting:
                    return
                future = next(completed)
                units = waiting.pop(future)
                result, seconds = future.result()
                future.release()
                size = max(1, min(int(TASK_SECONDS / max(seconds / units, 1e-9)) + 1, MOST_UNITS))
                yield result
        except distributed.scheduler.KilledWorker as error:
            raise EngineError(f"workers of the cluster died one after the other under a task: {error}") from None
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """Let go of the cluster, and end it if it was started here."""
        for one in self._owned:
            one.close()
        self._owned = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _timed(function: Callable[..., Any], shared: Any, *arguments: Any) -> tuple[Any, float]:
    """One task, on a worker."""
    started = time.perf_counter()
    result = function(shared, *arguments)
    return result, time.perf_counter() - started
