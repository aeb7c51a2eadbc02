"""Rollouts on a Dask cluster. The only file that knows Dask: install it with the extra `cluster`."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
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


class DaskExecutor:
    """A cluster by its address such as tcp://10.0.0.1:8786, a client, or "local" for processes on this machine.

    A task is a range of games worth a second or more. The tasks of a worker that dies are done again elsewhere.
    """

    def __init__(self, cluster: Any = "local", *, workers: int | None = None) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise EngineError("a cluster needs the package distributed: pip install 'kibitz[cluster]'") from None
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
            except (OSError, ValueError) as error:
                raise EngineError(f"there is no Dask cluster at {cluster!r}: {error}") from None
            self._owned = [self.client]

    def run(self, work: Work, games: range) -> Iterator[Part]:
        """Play these games, some seconds' worth at a time."""
        if work.evaluator is not None or work.luck is not None or work.job.net_names == (OUR_EVALUATOR,):
            raise EngineError("an evaluator of your own cannot be sent to a cluster; use nets, or threads")
        job = self.client.scatter(work.job, broadcast=True, hash=False)
        waiting: set[Any] = set()
        next_game = games.start
        size = 1  # games of a task; the first tasks find out how long one takes
        completed: Any = import_module("distributed").as_completed()

        def submit() -> None:
            nonlocal next_game
            # Large tasks are whole groups, so that few parts are cut.
            stop = next_game + size
            stop = min(games.stop, max(stop // GROUP * GROUP, next_game + 1) if size >= GROUP else stop)
            future = self.client.submit(_timed, job, next_game, stop - next_game, pure=False, retries=RETRIES)
            waiting.add(future)
            completed.add(future)
            next_game = stop

        try:
            while waiting or next_game < games.stop:
                slots = max(sum(self.client.nthreads().values()), 1)
                while next_game < games.stop and len(waiting) < 2 * slots:
                    submit()
                future = next(completed)
                waiting.discard(future)
                parts, seconds = future.result()
                future.release()
                played = sum(part.count for part in parts)
                size = max(1, min(int(TASK_SECONDS / max(seconds / played, 1e-9)) + 1, 100 * GROUP))
                yield from parts
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


def _timed(job: Any, first: int, count: int) -> tuple[list[Part], float]:
    """One task, on a worker."""
    started = time.perf_counter()
    parts = play_remotely(job, first, count)
    return parts, time.perf_counter() - started
