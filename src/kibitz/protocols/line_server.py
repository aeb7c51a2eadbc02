"""Lines over TCP: a thread for each client, within limits. Only this machine can connect unless told otherwise."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from typing import Protocol

from kibitz.errors import EngineError
from kibitz.protocols.limits import Limits, LineBuffer

LOOPBACK = "127.0.0.1"
_PAUSE_SECONDS = 0.1


class Conversation(Protocol):
    """What one client talks to."""

    def answer(self, line: str) -> str | None:
        """The whole answer to a line, with its line ends; None ends the conversation without a word. Never raises."""

    def too_long(self) -> str | None:
        """The answer to a line that was too long."""

    def too_many(self) -> str:
        """What a client hears for whom there is no place."""


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
        self._clients: dict[socket.socket, threading.Thread] = {}
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

    @property
    def clients(self) -> int:
        """How many conversations there are."""
        return len(self._clients)

    def serve(self) -> None:
        """Accept clients until closed."""
        while not self._closing:
            try:
                client, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                # Too many open files, or a client that went away before it was met: others may have more luck.
                if not self._closing:
                    time.sleep(_PAUSE_SECONDS)
                continue
            if not self._slots.acquire(blocking=False):
                self._refuse(client)
                continue
            self._begin(client)

    def _begin(self, client: socket.socket) -> None:
        thread = threading.Thread(target=self._serve_client, args=(client,), daemon=True)
        with self._lock:
            self._clients[client] = thread
        try:
            thread.start()
        except RuntimeError:  # the system has no more threads
            with self._lock:
                del self._clients[client]
            self._slots.release()
            self._refuse(client)

    def _refuse(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            client.settimeout(0.0)  # a line fits into any buffer, and nobody is waited for
            client.sendall(self._talk().too_many().encode())

    def close(self, seconds: float = 5.0) -> None:
        """Stop listening, end all conversations and wait for them, so that none outlives the interpreter."""
        self._closing = True
        with contextlib.suppress(OSError):
            self._listener.close()
        with self._lock:
            clients = dict(self._clients)
        for client in clients:
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
        until = time.monotonic() + seconds
        for thread in clients.values():
            if thread.is_alive():
                thread.join(max(0.0, until - time.monotonic()))

    def _serve_client(self, client: socket.socket) -> None:
        try:
            with client, contextlib.suppress(OSError):
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._converse(client)
        finally:
            with self._lock:
                self._clients.pop(client, None)
            self._slots.release()

    def _converse(self, client: socket.socket) -> None:
        conversation = self._talk()
        buffer = LineBuffer(self.limits)
        until = time.monotonic() + self.limits.idle_seconds  # bytes that are no line do not count
        while (left := until - time.monotonic()) > 0:
            client.settimeout(left)
            if not (data := client.recv(4096)):
                return
            for line in buffer.feed(data):
                answer = conversation.too_long() if line is None else conversation.answer(line)
                if answer is None:
                    return
                client.settimeout(self.limits.idle_seconds)
                client.sendall(answer.encode("utf-8"))
                until = time.monotonic() + self.limits.idle_seconds
            if buffer.flooded:
                return
