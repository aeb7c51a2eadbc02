"""Doing jobs: threads that claim chunks, do them at a lower priority than questions, and keep what comes of them."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

from kibitz.engine.engine import Cancellation, Engine
from kibitz.errors import KibitzError
from kibitz.library.database import Database
from kibitz.library.jobs import Chunk, Job, Jobs, JobState
from kibitz.library.library import Library
from kibitz.rollout.executors import Executor, ThreadExecutor
from kibitz.service.kinds import KINDS, Gathering, StoppedError, Tools
from kibitz.service.metrics import Metrics
from kibitz.service.problems import is_of_database

LOG = logging.getLogger("kibitz.service")
LEASE = timedelta(seconds=15)
"""How long a chunk is ours unless we say that we still work on it."""
RENEWAL = 3.0
"""Seconds between two looks at whether the work is still wanted."""
IDLE = 1.0
"""Seconds between two looks for work that another process may have been given."""
NICENESS = 10
"""How much lower the priority of jobs is than that of questions."""
SETTLING = 10
"""Renewals between two looks for jobs that were left with nothing to do."""
MOST_GATHERINGS = 16


class Workers:
    """The threads that do jobs, of all owners. Any number of processes may share one database."""

    def __init__(self, database: Database, library_of: Callable[[str], Library], metrics: Metrics) -> None:
        self._database = database
        self._library_of = library_of
        self._metrics = metrics
        self.jobs = Jobs(database, None)
        self._host = socket.gethostname().replace(":", "_")
        self.name = f"{self._host}:{os.getpid()}:{secrets.token_hex(4)}"
        self._engine = Engine(threads=1)
        self._threads: list[threading.Thread] = []
        self._work = threading.Condition()
        self._stopped = threading.Event()
        self._held: dict[int, tuple[Chunk, Cancellation]] = {}
        self._gatherings: OrderedDict[int, Gathering] = OrderedDict()
        self._lock = threading.Lock()
        self._executor: Executor = ThreadExecutor(1)
        self._cluster: Any = None

    # --- starting and stopping --------------------------------------------------------------------------------------

    def start(self, threads: int, cluster: str | None = None) -> None:
        """Go on with what was cut off, and with whatever else there is to do."""
        if cluster is not None:
            from kibitz.rollout.dask_executor import DaskExecutor

            self._cluster = self._executor = DaskExecutor(cluster)
            threads = max(threads, 2 * sum(self._cluster.client.nthreads().values()))
        for dead in self.jobs.workers():
            if not self._is_alive(dead):
                self.jobs.resume(worker=dead)
        self._threads = [
            threading.Thread(target=self._loop, name=f"job-{number}", daemon=True) for number in range(threads)
        ]
        self._threads.append(threading.Thread(target=self._watch, name="job-watch", daemon=True))
        for thread in self._threads:
            thread.start()

    def _settle_all(self) -> None:
        """Finish jobs whose last chunk was done by a process that died right after it."""
        for job in self.jobs.find(states=[JobState.RUNNING], limit=1000):
            try:
                self.settle(job.id)
            except KibitzError as error:
                if is_of_database(error):
                    raise
                self.jobs.fail_job(job.id, str(error)[:500])

    def stop(self) -> None:
        """Put chunks back that are not done, and end."""
        self._stopped.set()
        with self._lock:
            for _, stop in self._held.values():
                stop.cancel()
        self.notify()
        for thread in self._threads:
            thread.join(10)
        if self._cluster is not None:
            self._cluster.close()

    @property
    def alive(self) -> bool:
        """Whether every thread is there."""
        return bool(self._threads) and all(thread.is_alive() for thread in self._threads)

    def notify(self) -> None:
        """There may be work."""
        with self._work:
            self._work.notify_all()

    def cancelled(self, job: int) -> None:
        """A job is not wanted any more: stop its chunks at once."""
        with self._lock:
            for chunk, stop in self._held.values():
                if chunk.job_id == job:
                    stop.cancel()

    def _is_alive(self, worker: str) -> bool:
        """Whether a worker may still be there: another process of this machine that runs, or another machine's."""
        host, _, rest = worker.partition(":")
        pid = rest.partition(":")[0]
        if host != self._host or not pid.isdigit():
            return True  # its claim will run out
        if int(pid) == os.getpid():
            return worker == self.name
        if sys.platform == "win32":  # where asking for a process by a signal would end it
            return True
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return True

    # --- threads ----------------------------------------------------------------------------------------------------

    def _loop(self) -> None:
        lower_priority()
        while not self._stopped.is_set():
            try:
                chunk = self.jobs.claim(self.name, kinds=list(KINDS), lease=LEASE)
            except KibitzError as error:
                LOG.warning("no work can be claimed: %s", error)
                chunk = None
            if chunk is None:
                with self._work:
                    if not self._stopped.is_set():
                        self._work.wait(IDLE)
                continue
            self._do(chunk)

    def _watch(self) -> None:
        """Renew claims, stop what is not wanted any more, and now and then finish what nobody else does."""
        lower_priority()
        rounds = 0
        while not self._stopped.is_set():
            if rounds % SETTLING == 0:
                with suppress(KibitzError):
                    self._settle_all()
            rounds += 1
            self._stopped.wait(RENEWAL)
            with self._lock:
                held = list(self._held.values())
            for chunk, stop in held:
                with suppress(KibitzError):
                    if not self.jobs.renew(chunk, lease=LEASE):
                        stop.cancel()

    def _do(self, chunk: Chunk) -> None:
        stop = Cancellation()
        with self._lock:
            self._held[chunk.id] = (chunk, stop)
        try:
            result = KINDS[chunk.kind].run(chunk.request, chunk.payload, self.tools(chunk.job_id), stop)
            kept = self.jobs.finish(chunk, result)
            self._metrics.count("chunks")
            if kept:
                self.settle(chunk.job_id)
        except StoppedError:
            with suppress(KibitzError):
                self.jobs.release(chunk)
        except KibitzError as error:
            if is_of_database(error):
                self._put_back(chunk, error)
            else:
                self._failed(chunk, str(error))
        except Exception as error:
            LOG.exception("chunk %s of job %s", chunk.number, chunk.job_id)
            self._failed(chunk, f"{type(error).__name__}: see the log of the server")
        finally:
            with self._lock:
                self._held.pop(chunk.id, None)

    def _failed(self, chunk: Chunk, words: str) -> None:
        LOG.warning("job %s failed: %s", chunk.job_id, words)
        with suppress(KibitzError):  # the claim runs out, and the chunk is done again
            self.jobs.fail(chunk, words[:500])

    def _put_back(self, chunk: Chunk, error: KibitzError) -> None:
        """A full disk is no fault of the chunk's: it is done again when there is room."""
        LOG.warning("job %s waits for the library: %s", chunk.job_id, error)
        with suppress(KibitzError):  # else the claim runs out
            self.jobs.release(chunk)
        self._stopped.wait(IDLE)

    # --- what comes of it -------------------------------------------------------------------------------------------

    def tools(self, job: int) -> Tools:
        """What is needed to work on a job: first of all the library of its owner."""
        library = self._library_of(self.jobs.owner_name(job))
        cluster = None if self._cluster is None else self._on_cluster
        return Tools(self._engine, self._executor, library, cluster=cluster)

    def _on_cluster(self, function: Callable[..., Any], *arguments: Any) -> Any:
        future = self._cluster.client.submit(function, *arguments, pure=False, retries=3)
        return future.result()

    def gathering(self, job: Job) -> Gathering:
        """What the chunks of a job amount to by now. Only new ones are fetched."""
        with self._lock:
            found = self._gatherings.pop(job.id, None)
        if found is None:
            found = KINDS[job.kind].gather(job.request, self.tools(job.id))
        for number, result in self.jobs.done_chunks(job.id, found.known):
            found.add(number, result)
        with self._lock:
            self._gatherings[job.id] = found
            while len(self._gatherings) > MOST_GATHERINGS:
                self._gatherings.popitem(last=False)
        return found

    def settle(self, number: int) -> None:
        """Finish a job if nothing is left to do."""
        job = self.jobs.get(number)
        if job.state.is_final or (job.progress < 1.0 and not self._may_end(job)):
            return
        found = self.gathering(job)
        if job.progress >= 1.0 or found.ended:
            if self.jobs.complete(number, found.finish(), early=found.ended, keep=False):
                self.cancelled(number)
            with self._lock:
                self._gatherings.pop(number, None)

    def _may_end(self, job: Job) -> bool:
        rule = job.request.get("stop") or {}
        return rule.get("error") is not None or rule.get("separation") is not None


def lower_priority() -> None:
    """Let the threads of questions go first. Threads that this one starts inherit it."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
