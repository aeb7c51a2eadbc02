"""Where questions are answered: threads for quick ones, for deep ones and for the library, and a way to stop each.

Jobs have threads of their own and never take these. A caller who hangs up stops the work for him.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from starlette.requests import Request

from kibitz.engine.engine import Cancellation, Engine
from kibitz.errors import EngineError
from kibitz.service.metrics import Metrics
from kibitz.service.problems import Problem
from kibitz.service.settings import Limits

T = TypeVar("T")
QUICK_PLIES = 1
"""Up to so many plies a question takes milliseconds, and does not wait behind those that take seconds."""


LIBRARY_THREADS = 4
"""They mostly wait for the database."""


class ClosedError(Exception):
    """The caller has hung up."""


class Desk:
    """Answers questions one by one on threads; `engine` is shared by all."""

    def __init__(self, engine: Engine, limits: Limits, metrics: Metrics, cores: int) -> None:
        self.engine = engine
        self.limits = limits
        self._metrics = metrics
        self._cores = cores
        self._quick = ThreadPoolExecutor(max(1, cores // 2), thread_name_prefix="quick")
        self._deep = ThreadPoolExecutor(cores, thread_name_prefix="deep")
        self._library = ThreadPoolExecutor(LIBRARY_THREADS, thread_name_prefix="library")
        self._open: set[Cancellation] = set()
        self._lock = threading.Lock()

    def threads(self) -> int:
        """How many threads one deep search may use: all of them while nobody else asks."""
        return self._cores if self._metrics.levels().get("questions_waiting", 0) <= 1 else 1

    async def run(
        self, work: Callable[[Cancellation], T], *, plies: int = 0, cancellation: Cancellation | None = None
    ) -> T:
        """What the work returns, from one of our threads. It is given a cancellation, and obeys it soon.

        Work that looks ahead may take the time of one question; waiting for a thread does not count.
        """
        stop = cancellation or Cancellation()
        self._come()
        pool = self._quick if plies <= QUICK_PLIES else self._deep
        return await self._on(pool, work, stop, self.limits.seconds if plies else None)

    async def read(self, work: Callable[[], T]) -> T:
        """What the library answers."""
        self._come()
        return await self._on(self._library, lambda _: work(), Cancellation(), None)

    async def _on(
        self, pool: ThreadPoolExecutor, work: Callable[[Cancellation], T], stop: Cancellation, seconds: float | None
    ) -> T:
        loop = asyncio.get_running_loop()
        with self._lock:
            self._open.add(stop)
        clock = asyncio.timeout(None)

        def now() -> T:
            if stop.cancelled:
                raise ClosedError
            if seconds is not None:
                loop.call_soon_threadsafe(begun)
            return work(stop)

        def begun() -> None:
            with suppress(RuntimeError):  # it is done already
                clock.reschedule(loop.time() + (seconds or 0.0))

        try:
            async with clock:
                return await loop.run_in_executor(pool, now)
        except TimeoutError:
            stop.cancel()
            if not clock.expired():
                raise
            raise too_long(self.limits.seconds) from None
        except asyncio.CancelledError:
            stop.cancel()
            raise
        finally:
            self._metrics.level("questions_waiting", -1)
            with self._lock:
                self._open.discard(stop)

    def _come(self) -> None:
        """One more waits, if there is room."""
        if self._metrics.level("questions_waiting", 1) > self.limits.waiting:
            self._metrics.level("questions_waiting", -1)
            raise Problem("busy", "too many questions are waiting", headers={"retry-after": "1"})

    async def answer(self, request: Request, work: Callable[[Cancellation], T], *, plies: int = 0) -> T:
        """The same for a caller who waits: the work stops when he hangs up."""
        stop = Cancellation()
        async with hung_up(request, stop.cancel):
            try:
                return await self.run(work, plies=plies, cancellation=stop)
            except EngineError:
                if stop.cancelled:
                    raise ClosedError from None
                raise

    def close(self) -> None:
        """Stop whatever is going on."""
        with self._lock:
            for one in self._open:
                one.cancel()
        for pool in (self._quick, self._deep, self._library):
            pool.shutdown(wait=True, cancel_futures=True)


def too_long(seconds: float) -> Problem:
    """A question that took longer than one may."""
    words = f"one question may take {seconds:g} s; ask for fewer plies, give `time`, or make it a job"
    return Problem("budget-exceeded", words, limit=seconds)


@asynccontextmanager
async def hung_up(request: Request, then: Callable[[], object]) -> AsyncIterator[None]:
    """Call something as soon as the caller closes the connection. The body must have been read."""
    watch = asyncio.ensure_future(_closed(request.receive))
    watch.add_done_callback(lambda done: None if done.cancelled() else then())
    try:
        yield
    finally:
        watch.cancel()


async def _closed(receive: Callable[[], Awaitable[object]]) -> None:
    while True:
        message = await receive()
        if isinstance(message, dict) and message.get("type") == "http.disconnect":
            return
