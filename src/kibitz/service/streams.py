"""Server-sent events: a stream that ends when it has said all, or when the caller hangs up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kibitz.errors import KibitzError
from kibitz.service.metrics import Metrics
from kibitz.service.problems import Problem, problem_of

MEDIA = "text/event-stream"
HEARTBEAT = 15.0
"""Seconds of silence after which a comment is sent, so that no proxy takes the connection for dead."""
PARTIAL, FINAL, PROBLEM, PROGRESS = "partial", "final", "problem", "progress"


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, its data, and an id that `Last-Event-ID` can name. Data may be JSON already."""

    name: str
    data: Any
    id: str = ""

    def encode(self) -> bytes:
        """As it is sent."""
        data = self.data if isinstance(self.data, bytes) else orjson.dumps(self.data)
        start = f"id: {self.id}\n" if self.id else ""
        return f"{start}event: {self.name}\n".encode() + b"data: " + data + b"\n\n"


def wants_stream(request: Request) -> bool:
    """Whether the caller would rather have events."""
    return MEDIA in request.headers.get("accept", "")


class EventStream(Response):
    """Events as they come. A problem that turns up is the last one.

    They stop when the caller hangs up, or when the server does: then the last event is the problem that it stops.
    """

    media_type = MEDIA

    def __init__(self, events: AsyncIterator[Event], metrics: Metrics, most: int, stopping: asyncio.Event) -> None:
        super().__init__(None, 200, {"cache-control": "no-store", "x-accel-buffering": "no"}, MEDIA)
        del self.headers["content-length"]
        self._events = events
        self._metrics = metrics
        self._stopping = stopping
        if metrics.level("streams_open", 1) > most:
            metrics.level("streams_open", -1)
            raise Problem("busy", "too many streams are open", headers={"retry-after": "5"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send them."""
        talk = asyncio.ensure_future(self._talk(send))
        closed = asyncio.ensure_future(_closed(receive))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({talk, closed, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if talk.done():
                await talk
            elif stopping.done() and not closed.done():
                talk.cancel()
                with suppress(asyncio.CancelledError):
                    await talk
                last = Event(PROBLEM, Problem("busy", "the server stops").to_dict()).encode()
                await send({"type": "http.response.body", "body": last, "more_body": False})
        finally:
            self._metrics.level("streams_open", -1)
            for task in (talk, closed, stopping):
                task.cancel()
                with suppress(asyncio.CancelledError, OSError):
                    await task

    async def _talk(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for part in _with_heartbeat(_told(self._events)):
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _told(events: AsyncIterator[Event]) -> AsyncGenerator[Event, None]:
    """The events, and a problem at the end if there is one."""
    try:
        async for event in events:
            yield event
    except Problem as problem:
        yield Event(PROBLEM, problem.to_dict())
    except KibitzError as error:
        yield Event(PROBLEM, problem_of(error).to_dict())


async def _with_heartbeat(events: AsyncGenerator[Event, None]) -> AsyncIterator[bytes]:
    following: asyncio.Future[Event] | None = None
    async with aclosing(events) as source:
        try:
            while True:
                following = following or asyncio.ensure_future(anext(source))
                done, _ = await asyncio.wait({following}, timeout=HEARTBEAT)
                if not done:
                    yield b": still there\n\n"
                    continue
                try:
                    event = following.result()
                except StopAsyncIteration:
                    return
                following = None
                yield event.encode()
        finally:
            if following is not None:
                following.cancel()
                with suppress(asyncio.CancelledError, StopAsyncIteration):
                    await following


async def _closed(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
