"""Running the service: one process, or several workers behind keys or a proxy."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

from kibitz.errors import EngineError
from kibitz.service.app import make_app, set_up_process
from kibitz.service.settings import Settings

KEY_VARIABLE = "KIBITZ_KEY"
"""The key of a local server, if programs are to know it beforehand."""
GRACE = 5
"""Seconds that requests get to end when the server stops."""
BACKLOG = 2048


def serve(
    settings: Settings,
    *,
    make: Callable[..., FastAPI] = make_app,
    factory: str = "kibitz.service.app:app_of_environment",
    tell: Callable[[str], None] | None = None,
    ready: Callable[[str], None] | None = None,
    log_level: int = logging.INFO,
) -> None:
    """Serve until a signal says stop. `tell` is told where to go, `ready` gets the address once it answers.

    `make` makes the application; `factory` names what makes it in worker processes.
    """
    tell = tell or (lambda text: print(text, file=sys.stderr, flush=True))
    if settings.workers > 1:
        _several(settings, tell, factory)
        return
    set_up_process(log_level)
    listener = _listener(settings)
    port = listener.getsockname()[1]
    app = make(settings, key=os.environ.get(KEY_VARIABLE))
    tell(_words(settings, app, port))
    server = _Server(app, uvicorn.Config(app, **_options(settings)), ready and (lambda: ready(_address(app, port))))
    # The server has its own handlers while it runs, and raises the signal again when all is put away.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _options(settings: Settings) -> dict[str, Any]:
    return {
        "host": settings.host,
        "port": settings.port,
        "access_log": False,  # it would write addresses with their queries
        "log_config": None,
        "server_header": False,
        "proxy_headers": False,  # who calls is decided by the gate, by the real peer
        "timeout_graceful_shutdown": GRACE,
        "timeout_keep_alive": 30,
        "backlog": BACKLOG,
        "http": "kibitz.service.protocol:LimitedProtocol",
        "ws": "none",
    }


class _Server(uvicorn.Server):
    """Tells open streams to end when it is told to stop, instead of waiting for them."""

    def __init__(self, app: FastAPI, config: uvicorn.Config, ready: Callable[[], None] | None = None) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen. What is there by now stays, so that no search for garbage has to look at it again."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()
        if self._ready is not None:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal has come."""
        self._app.state.context.stopping.set()
        super().handle_exit(sig, frame)


def _several(settings: Settings, tell: Callable[[str], None], factory: str) -> None:
    """Several processes that share a port and a library."""
    settings.to_environment()
    tell(f"listening on http://{settings.host}:{settings.port} with {settings.workers} workers; Ctrl-C ends it")
    uvicorn.run(factory, factory=True, workers=settings.workers, **_options(settings))


def _listener(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise EngineError(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from None
    return listener


def _address(app: FastAPI, port: int) -> str:
    """Where to go; with the token for a local server."""
    settings, access = app.state.context.settings, app.state.context.access
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{port}" + (f"/?token={access.token}" if settings.is_local else "")


def _words(settings: Settings, app: FastAPI, port: int) -> str:
    if not settings.is_local:
        return f"listening on {_address(app, port)}; Ctrl-C ends it"
    lines = [f"open {_address(app, port)} in a browser (once)"]
    if KEY_VARIABLE not in os.environ:
        lines.append(f"programs send the key {app.state.context.access.key}")
    lines.append("Ctrl-C ends it")
    return "\n".join(lines)
