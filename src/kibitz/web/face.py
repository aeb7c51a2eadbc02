"""The face as part of the service's application: one page for every screen, and the files that it is made of."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from kibitz import __version__
from kibitz.service.app import make_app, set_up_process
from kibitz.service.gate import FACE_POLICY
from kibitz.service.settings import Settings

SCREENS = ("/position", "/match/{id:int}", "/play", "/library", "/study", "/jobs", "/settings")
"""Addresses that the page itself knows; each may have more behind a slash. `/` is the start."""
WORKERS = "kibitz.web.face:app_of_environment"
"""What makes the application in worker processes."""
_PLACE = "/static/VERSION/"
"""What stands in the page for the folder of this version."""
_KINDS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
_FOREVER = "public, max-age=31536000, immutable"


def static_folder() -> Path:
    """Where the files are."""
    return Path(str(files("kibitz.web"))) / "static"


@cache
def version() -> str:
    """The version of the package with a hash of all files, so that no browser keeps an old one."""
    digest = hashlib.sha256()
    for path in sorted(static_folder().rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(static_folder()).as_posix()}\n".encode() + path.read_bytes())
    return f"{__version__}-{digest.hexdigest()[:12]}"


def page() -> str:
    """The one page. Modules are named in it, so that the browser need not find them one after the other."""
    text = (static_folder() / "index.html").read_text(encoding="utf-8")
    return text.replace(_PLACE, f"/static/{version()}/")


def add_face(app: FastAPI) -> None:
    """Answer browsers with the face. Programs, which ask for JSON, get what they got before."""
    for kind, media in _KINDS.items():
        mimetypes.add_type(media, kind)  # a system may know scripts by another name
    shell = page().encode()

    async def answer(_: Request) -> Response:
        return Response(shell, media_type="text/html", headers=_headers("no-cache"))

    addresses = ("/", *SCREENS, *(f"{address}/{{rest:path}}" for address in SCREENS))
    app.router.routes[:0] = [_BrowserRoute(address, answer, include_in_schema=False) for address in addresses]
    app.mount(f"/static/{version()}", _Files(directory=static_folder(), follow_symlink=False), name="static")


def make_face_app(settings: Settings | None = None, *, key: str | None = None) -> FastAPI:
    """The service with the face."""
    app = make_app(settings, key=key)
    add_face(app)
    return app


def app_of_environment() -> FastAPI:
    """For worker processes, which are told by the environment what to be."""
    set_up_process()
    return make_face_app(Settings.from_environment())


class _BrowserRoute(Route):
    """Matches only what a browser asks for when a person goes to an address."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        found, child = super().matches(scope)
        if found is Match.NONE or "text/html" not in Headers(scope=scope).get("accept", ""):
            return Match.NONE, {}
        return found, child


class _Files(StaticFiles):
    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers.update(_headers(_FOREVER))
        return response


def _headers(caching: str) -> dict[str, str]:
    return {"content-security-policy": FACE_POLICY, "cache-control": caching}
