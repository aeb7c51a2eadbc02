"""The gate that every request passes: who may come in, how large it may be, and what is told about it afterwards."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections import deque
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.service.access import OPEN_PATHS, Access, Caller
from kibitz.service.desk import ClosedError
from kibitz.service.metrics import Metrics
from kibitz.service.problems import Problem
from kibitz.service.rates import Rates
from kibitz.service.settings import Limits

LOG = logging.getLogger("kibitz.service")
_FIXED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""What a browser may load for an answer of the API: nothing."""
FACE_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)
"""What a browser may load for the pages of the face: what this server serves, and no inline script."""
A_ROUND = 2
"""Requests that begin in one round of the loop."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Gate:
    """Pure ASGI, since every microsecond here is paid by every request."""

    def __init__(self, app: ASGIApp, access: Access, metrics: Metrics, limits: Limits) -> None:
        self._app = app
        self._access = access
        self._metrics = metrics
        self._limits = limits
        self._rates = Rates(limits.rate, limits.burst)
        self._strangers = Rates(limits.rate, limits.burst)
        self._turnstile = _Turnstile()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                return await _refuse_websocket(receive, send)
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        visit = _Visit(scope, headers)
        body = _Body(receive, self._allowed(scope["path"], scope["method"]))

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                visit.begin(message)
            elif message["type"] == "http.response.body":
                visit.sent += len(message.get("body", b""))
            await send(message)

        try:
            if scope["path"] not in OPEN_PATHS:
                await self._turnstile()
            refusal = self._check(scope, headers, visit, body)
            if refusal is not None:
                await refusal(scope, receive, answer)
            else:
                await self._app(scope, body, answer)
        except Problem as problem:  # a body that turned out too large while it was read
            if visit.status:
                raise
            await problem.response()(scope, receive, answer)
        except (ClosedError, ClientDisconnect):
            pass
        except Exception:
            LOG.exception("error in request %s", visit.id)
            if visit.status:
                raise
            words = f"see the log of the server for request {visit.id}"
            await Problem("internal", words).response()(scope, receive, answer)
        finally:
            self._done(scope, visit)
        return None

    def _check(self, scope: Scope, headers: Headers, visit: _Visit, body: _Body) -> Response | None:
        """A refusal or a redirection; None to go on."""
        try:
            self._access.check_host(headers)
            path, method = scope["path"], scope["method"]
            if path not in OPEN_PATHS:
                if path == "/" and method == "GET":
                    cookie = self._access.exchanged(headers, scope.get("query_string", b""))
                    if cookie is not None:
                        return RedirectResponse("/", 303, headers={"set-cookie": cookie, "cache-control": "no-store"})
                visit.caller = self._known(headers, scope)
                if visit.caller.by_browser:
                    self._access.check_origin(headers, method)
                self._rates.check(visit.caller.name)
                scope["kibitz.caller"] = visit.caller
            body.check_headers(headers)
        except Problem as problem:
            return problem.page() if "text/html" in headers.get("accept", "") else problem.response()
        return None

    def _known(self, headers: Headers, scope: Scope) -> Caller:
        peer = (scope.get("client") or ("", 0))[0]
        try:
            return self._access.caller(headers, peer)
        except Problem:
            self._strangers.check(peer)
            raise

    def _allowed(self, path: str, method: str) -> int:
        if path == "/v1/matches" and method == "POST":
            return self._limits.upload
        return self._limits.boards_body if path == "/v1/evaluations" else self._limits.body

    def _done(self, scope: Scope, visit: _Visit) -> None:
        seconds = time.perf_counter() - visit.started
        route = getattr(scope.get("route"), "path", "") or ("unknown" if visit.status in (0, 404) else "gate")
        self._metrics.request(visit.method, route, visit.status, seconds)
        if LOG.isEnabledFor(logging.INFO):
            LOG.info(
                "request",
                extra={
                    "told": {
                        "request": visit.id,
                        "method": visit.method,
                        "route": route,
                        "status": visit.status or "closed",
                        "ms": round(1000 * seconds, 2),
                        "bytes": visit.sent,
                        "caller": None if visit.caller is None else visit.caller.name,
                    }
                },
            )


class _Turnstile:
    """Lets few requests begin in one round of the loop, so that a crowd at the door keeps nobody inside waiting."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._begun = 0
        self._turning = False

    async def __call__(self) -> None:
        """Wait for one's turn."""
        loop = asyncio.get_running_loop()
        if not self._turning:
            self._turning = True
            loop.call_soon(self._turn, loop)
        if self._begun < A_ROUND and not self._waiting:
            self._begun += 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        self._begun = 0
        while self._waiting and self._begun < A_ROUND:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self._begun += 1
        self._turning = bool(self._begun)
        if self._turning:
            loop.call_soon(self._turn, loop)


class _Visit:
    """One request on its way."""

    __slots__ = ("caller", "face", "id", "method", "sent", "started", "status")

    def __init__(self, scope: Scope, headers: Headers) -> None:
        given = headers.get("x-request-id", "")
        self.id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        method = scope["method"]
        self.method = method if method in ("GET", "POST", "DELETE", "HEAD", "PUT", "PATCH", "OPTIONS") else "OTHER"
        self.started = time.perf_counter()
        self.caller: Caller | None = None
        self.status = 0
        self.sent = 0
        scope["kibitz.request"] = self.id

    def begin(self, message: Message) -> None:
        """Add what every answer carries."""
        self.status = message["status"]
        headers = MutableHeaders(raw=message.setdefault("headers", []))
        for name, value in _FIXED.items():
            headers[name] = value
        headers.setdefault("content-security-policy", API_POLICY)
        headers.setdefault("cache-control", "no-store")
        headers["x-request-id"] = self.id


class _Body:
    """A body that is counted while it comes in."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0

    def check_headers(self, headers: Headers) -> None:
        """Refuse by what is announced, before anything is read."""
        announced = headers.get("content-length", "0")
        if announced.isascii() and announced.isdigit() and int(announced[:20]) > self._limit:
            raise self._too_large()
        if headers.get("content-encoding", "identity").lower() not in ("", "identity"):
            raise Problem("unsupported-media", "compressed bodies are not read: send it as it is")

    async def __call__(self) -> Message:
        """The next part."""
        message = await self._receive()
        if message["type"] == "http.request":
            self._seen += len(message.get("body", b""))
            if self._seen > self._limit:
                raise self._too_large()
        return message

    def _too_large(self) -> Problem:
        # What is still on its way is not read: the connection ends.
        return Problem(
            "too-large", f"the body may have {self._limit} bytes", limit=self._limit, headers={"connection": "close"}
        )


async def _refuse_websocket(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1008})


class JsonLines(logging.Formatter):
    """One JSON object a line. What is logged names routes, never addresses with their queries, so no token gets in."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        data: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        data |= getattr(record, "told", {})
        if record.exc_info:
            data["error"] = self.formatException(record.exc_info)
        return json.dumps(data, ensure_ascii=True, default=str)


def set_up_logs(level: int = logging.INFO) -> None:
    """Structured logs on standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    for name in ("kibitz.service", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers = [handler]
        log.setLevel(level if name.startswith("kibitz") else logging.WARNING)
        log.propagate = False
