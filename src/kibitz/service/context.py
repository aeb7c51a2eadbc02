"""What the routes share: the engine, the desk, the library of each caller, and how answers are written."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import cached_property
from typing import Any, TypeVar

import orjson
from fastapi import Request
from fastapi.routing import APIRoute
from sqlalchemy import func, select
from starlette.responses import Response

from kibitz.engine.engine import Cancellation, Engine
from kibitz.errors import KibitzError
from kibitz.library.database import Database
from kibitz.library.jobs import Jobs
from kibitz.library.library import Library
from kibitz.library.models_notes import JobRow
from kibitz.service.access import OWNER, Access, Caller
from kibitz.service.desk import Desk
from kibitz.service.metrics import Metrics
from kibitz.service.problems import Problem
from kibitz.service.settings import Settings
from kibitz.service.streams import Event, EventStream
from kibitz.service.watching import Watching
from kibitz.service.workers import Workers

T = TypeVar("T")
MOST_LIBRARIES = 1000
"""Owners whose libraries are kept at hand; all share one database."""


class Context:
    """One for each application. The library is opened when the application starts."""

    def __init__(self, settings: Settings, *, engine: Engine | None = None, key: str | None = None) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.metrics = Metrics()
        self.access = Access(settings, key=key)
        self.engine = engine or Engine(plies=settings.plies, threads=1)
        self.desk = Desk(self.engine, settings.limits, self.metrics, settings.cores)
        self.stopping = asyncio.Event()
        self._database: Database | None = None
        self._workers: Workers | None = None
        self._libraries: OrderedDict[str, Library] = OrderedDict()
        self._lock = threading.Lock()

    # --- the library ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the library, upgrading it if that is needed, and go on with its jobs."""
        self._database = Database(self.settings.library)
        self._workers = Workers(self._database, lambda owner: self.library(Caller(owner)), self.metrics)
        self._workers.start(self.settings.job_cores, self.settings.cluster)

    @cached_property
    def watching(self) -> Watching:
        """What tells about jobs."""
        return Watching(self.reading, self.workers)

    @property
    def workers(self) -> Workers:
        """Those who do jobs."""
        if self._workers is None:
            raise Problem("unavailable", "the library is not open", headers={"retry-after": "1"})
        return self._workers

    @property
    def database(self) -> Database:
        """The database of all owners."""
        if self._database is None:
            raise Problem("unavailable", "the library is not open", headers={"retry-after": "1"})
        return self._database

    def library(self, caller: Caller) -> Library:
        """The library of a caller, who sees nothing of the others'."""
        with self._lock:
            found = self._libraries.pop(caller.name, None)
            if found is None:
                found = Library(self.database, owner=caller.name)
                while len(self._libraries) >= MOST_LIBRARIES:
                    self._libraries.popitem(last=False)
            self._libraries[caller.name] = found
            return found

    def jobs(self, caller: Caller) -> Jobs:
        """The jobs of a caller."""
        return self.library(caller).jobs

    async def can_read(self) -> bool:
        """Whether the database answers."""
        try:
            await self.reading(self.job_counts)
        except (KibitzError, Problem):
            return False
        return True

    def job_counts(self) -> dict[str, int]:
        """How many jobs of all owners are in each state."""
        with self.database.reading() as connection:
            query = select(JobRow.state, func.count()).group_by(JobRow.state)
            return dict(connection.execute(query).tuples().all())

    async def reading(self, work: Callable[[], T]) -> T:
        """Ask the database, off the loop."""
        return await self.desk.read(work)

    def close(self) -> None:
        """Stop what is going on, and give the database back."""
        if self._workers is not None:
            self._workers.stop()
        self.desk.close()
        if self._database is not None:
            self._database.close()

    # --- searching --------------------------------------------------------------------------------------------------

    def plies_of(self, asked: int | None, *, timed: bool = False) -> int:
        """How deep to look: as asked, within the limit."""
        most = self.limits.plies
        if asked is None:
            return most if timed else min(self.settings.plies, most)
        if asked > most:
            raise Problem("budget-exceeded", f"at most {most} plies may be asked for, not {asked}", limit=most)
        return asked

    async def answer(self, request: Request, work: Callable[[Cancellation], bytes], *, plies: int = 0) -> Response:
        """The JSON that some work writes, for a caller who may hang up before."""
        return json_bytes(await self.desk.answer(request, work, plies=plies))

    def stream(self, events: AsyncIterator[Event]) -> EventStream:
        """A stream of events."""
        return EventStream(events, self.metrics, self.limits.streams, self.stopping)


def context_of(request: Request) -> Context:
    """The context of the application that a request came to."""
    found: Context = request.app.state.context
    return found


def caller_of(request: Request) -> Caller:
    """Who asks."""
    found: Caller = request.scope.get("kibitz.caller") or Caller(OWNER)
    return found


def dump(data: Any) -> bytes:
    """Plain data as JSON."""
    return orjson.dumps(data)


def json_bytes(data: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer that is JSON already."""
    return Response(data, status, headers, "application/json")


class JsonRoute(APIRoute):
    """A route whose bodies are read by orjson, which refuses what JSON does not have: NaN, lone surrogates, depth."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler with another kind of request."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return await handler(_JsonRequest(request.scope, request.receive))

        return handle


class _JsonRequest(Request):
    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = orjson.loads(await self.body())
        return self._json
