"""HTTP as uvicorn reads it, with an end to what a caller may keep waiting: its fast reader has none of its own."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 64 << 10
"""Bytes of the request line and the headers."""


class LimitedProtocol(HttpToolsProtocol):
    """Hangs up on a head without an end, before it fills the memory, and on requests that take for ever to come in."""

    head_seconds = 30.0
    body_seconds = 600.0
    _in_head = True
    _head = 0
    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody calls."""
        super().connection_made(transport)
        self._expect_within(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._expect_within(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some more bytes have come."""
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response(f"The head of a request has at most {MOST_HEAD} bytes.")

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head, self._head = True, 0
        self._expect_within(self.head_seconds)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its body follows."""
        self._in_head = False
        self._expect_within(self.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is here."""
        self._expect_within(None)
        super().on_message_complete()

    def _expect_within(self, seconds: float | None) -> None:
        if self._clock is not None:
            self._clock.cancel()
        self._clock = None if seconds is None else self.loop.call_later(seconds, self.transport.close)
