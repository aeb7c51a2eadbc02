"""Lines over TCP: a thread for each client, within limits. Only this machine can connect unless told otherwise."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Protocol

from kibitz.errors import EngineError
from kibitz.protocols.limits import Limits, LineBuffer

LOOPBACK = "127.0.0.1"


class Conversation(Protocol):
    """What one client talks to."""

    def answer(self, line: str) -> str | None:
        """The whole answer to a line, with its line ends; None ends the conversation without a word. Never raises."""

    def too_long(self) -> str | None:
        """The answer to a line that was too long."""


class LineServer:
    """Listens on a port; every client gets a conversation of its own.

    `port=0` takes a free one, which is `port` afterwards. Use it with `with`, or call `close()`.
    """

    def __init__(
        self,
        talk: Callable[[], Conversation],
        *,
        host: str = LOOPBACK,
        port: int = 0,
        limits: Limits | None = None,
    ) -> None:
        self._talk = talk
        self.limits = limits or Limits()
        self._slots = threading.BoundedSemaphore(self.limits.clients)
        self._clients: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._closing = False
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._listener = socket.create_server((host, port), family=family, backlog=16)
        except (OSError, OverflowError) as error:
            raise EngineError(f"cannot listen on {host}:{port}: {error}") from None
        self._listener.settimeout(0.5)  # how long it takes at most to notice that the server has been closed
        self.host, self.port = self._listener.getsockname()[:2]

    def __enter__(self) -> LineServer:
        self._thread = threading.Thread(target=self.serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._thread.join(5.0)

    def serve(self) -> None:
        """Accept clients until closed."""
        while not self._closing:
            try:
                client, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                break
            if not self._slots.acquire(blocking=False):
                client.close()  # full
                continue
            with self._lock:
                self._clients.add(client)
            threading.Thread(target=self._serve_client, args=(client,), daemon=True).start()

    def close(self) -> None:
        """Stop listening and end all conversations."""
        self._closing = True
        with contextlib.suppress(OSError):
            self._listener.close()
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def _serve_client(self, client: socket.socket) -> None:
        try:
            with client, contextlib.suppress(OSError):
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                client.settimeout(self.limits.idle_seconds)
                self._converse(client)
        finally:
            with self._lock:
                self._clients.discard(client)
            self._slots.release()

    def _converse(self, client: socket.socket) -> None:
        conversation = self._talk()
        buffer = LineBuffer(self.limits)
        while data := client.recv(4096):
            for line in buffer.feed(data):
                answer = conversation.too_long() if line is None else conversation.answer(line)
                if answer is None:
                    return
                client.sendall(answer.encode("utf-8"))
            if buffer.flooded:
                return
