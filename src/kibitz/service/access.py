"""Who calls, and whether they may: hosts, tokens, cookies, keys, proxies and origins."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.datastructures import Headers

from kibitz.errors import EngineError
from kibitz.service.keys import KeyRing, check_name, new_key
from kibitz.service.problems import Problem
from kibitz.service.settings import Settings, key_file

COOKIE = "kibitz_session"
OWNER = "me"
"""The owner of what a local caller brings: the same whom `kibitz library` serves."""
OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""What anyone may ask who reaches the server: whether it is there."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `by_browser` callers bring a cookie or come through a proxy, so other sites could act for them."""

    name: str
    by_browser: bool = False


class Access:
    """Decides about requests before anything else looks at them.

    The token of the opened address counts once and is exchanged for a cookie. The cookie holds no secret of its own: it
    is a keyed hash that this process can recompute. Programs send a key as a bearer token.
    """

    def __init__(self, settings: Settings, *, key: str | None = None) -> None:
        self.settings = settings
        self.ring = KeyRing(key_file(settings))
        self.key: str | None = None
        if settings.is_local:
            self.key = key or new_key()
            self.ring.add(OWNER, self.key)
        self.token = secrets.token_urlsafe(32)
        self._unused = settings.is_local
        self._lock = threading.Lock()
        self._cookie = hmac.new(secrets.token_bytes(32), b"session", hashlib.sha256).hexdigest()

    # --- checks -----------------------------------------------------------------------------------------------------

    def check_host(self, headers: Headers) -> None:
        """Refuse names that are not ours: a page of another site may have had its name point here."""
        given = headers.get("host", "")
        if host_name(given) not in self.settings.answers_to:
            raise Problem("wrong-host", f"the server does not answer to the name {given[:100]!r}")

    def caller(self, headers: Headers, peer: str) -> Caller:
        """Who calls; a problem if that is not known."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            if name := self.ring.name_of(given.strip()):
                return Caller(name)
            raise _unknown("the key is not known")
        if self.settings.is_local and self._has_cookie(headers):
            return Caller(OWNER, by_browser=True)
        if peer in self.settings.proxies and (user := headers.get(self.settings.user_header)):
            try:
                return Caller(check_name(user), by_browser=True)
            except EngineError as error:
                raise _unknown(str(error)) from None
        raise _unknown("send a key as a bearer token, or open the address that the server printed")

    def check_origin(self, headers: Headers, method: str) -> None:
        """Refuse what another site makes a browser send. Browsers say where a request comes from; programs do not."""
        if method in _SAFE:
            return
        site = headers.get("sec-fetch-site")
        if site is not None:
            if site not in ("same-origin", "none"):
                raise Problem("forbidden", f"the request comes from another site ({site[:40]})")
            return
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower():
            raise Problem("forbidden", f"the request comes from {origin[:100]!r}, which is another site")

    # --- the token --------------------------------------------------------------------------------------------------

    def exchanged(self, headers: Headers, query: bytes) -> str | None:
        """The cookie for a token that has not been used; None where there is no token."""
        if b"token=" not in query:
            return None
        given = parse_qs(query.decode("latin-1")).get("token", [""])[0]
        with self._lock:
            right = hmac.compare_digest(given.encode(), self.token.encode())
            if not (right and self._unused):
                raise _unknown("the token is not known, or it has been used: start the server again for another")
            self._unused = False
        return f"{_cookie_name(headers)}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"

    def _has_cookie(self, headers: Headers) -> bool:
        wanted = _cookie_name(headers)
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == wanted:
                return hmac.compare_digest(value.encode("utf-8", "replace"), self._cookie.encode())
        return False


def host_name(host: str) -> str:
    """A host without its port, in lower case; an IPv6 address keeps its brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _cookie_name(headers: Headers) -> str:
    """Browsers send the cookies of one port to all others of the host: two servers must not take each other's away."""
    port = headers.get("host", "").rpartition(":")[2]
    return f"{COOKIE}_{port}" if port.isascii() and port.isdigit() else COOKIE


def _unknown(words: str) -> Problem:
    return Problem("not-authenticated", words, headers={"www-authenticate": "Bearer"})
