"""HTTP as uvicorn reads it, with an end to what stands before the body: its fast reader has none of its own."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 64 << 10
"""Bytes of the request line and the headers."""


class LimitedProtocol(HttpToolsProtocol):
    """Hangs up on a head without an end, before it fills the memory."""

    _in_head = True
    _head = 0

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
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its body follows."""
        self._in_head = False
        super().on_headers_complete()
