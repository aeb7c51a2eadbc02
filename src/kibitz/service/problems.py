"""What goes wrong, as `application/problem+json` (RFC 9457) with types that stay as they are."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from kibitz.errors import KibitzError, LibraryError, PositionError

MEDIA = "application/problem+json"
LONGEST_DETAIL = 500


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A type of problem: its status and its title. The name is what programs rely on."""

    name: str
    status: int
    title: str

    @property
    def type(self) -> str:
        """The type as the answer names it."""
        return f"/problems/{self.name}"


_ALL = (
    ProblemKind("invalid-request", 422, "The request is not as documented"),
    ProblemKind("invalid-notation", 422, "The text is in no notation that Kibitz reads"),
    ProblemKind("invalid-position", 422, "The position, cube or score cannot occur"),
    ProblemKind("illegal-play", 422, "The rules forbid the play"),
    ProblemKind("refused", 422, "The engine cannot serve the request"),
    ProblemKind("unreadable-file", 422, "The file is no match that Kibitz reads"),
    ProblemKind("unusable-table", 422, "There is no such table, or it cannot be used"),
    ProblemKind("budget-exceeded", 422, "The work would take longer than is allowed"),
    ProblemKind("bad-request", 400, "The request cannot be understood"),
    ProblemKind("not-authenticated", 401, "A key, or the cookie of an opened address, is needed"),
    ProblemKind("forbidden", 403, "The request comes from another site"),
    ProblemKind("not-found", 404, "There is nothing here"),
    ProblemKind("wrong-method", 405, "The method is not one of this address"),
    ProblemKind("conflict", 409, "The state of the thing does not allow it"),
    ProblemKind("too-large", 413, "The body is too large"),
    ProblemKind("unsupported-media", 415, "The body is of a kind that is not read"),
    ProblemKind("wrong-host", 421, "The server does not answer to this name"),
    ProblemKind("rate-limited", 429, "Too many requests"),
    ProblemKind("queue-full", 429, "Too many of your jobs are waiting or running"),
    ProblemKind("internal", 500, "The server made an error"),
    ProblemKind("busy", 503, "There is too much to do just now"),
    ProblemKind("unavailable", 503, "The library cannot be read or written just now"),
)
KINDS: dict[str, ProblemKind] = {kind.name: kind for kind in _ALL}
"""All types of problems by name."""

_BY_CODE = {
    "notation": "invalid-notation",
    "position": "invalid-position",
    "illegal_play": "illegal-play",
    "format": "unreadable-file",
    "table": "unusable-table",
    "engine": "refused",
    "network_file": "refused",
    "library": "not-found",
}
_BY_STATUS = {400: "bad-request", 404: "not-found", 405: "wrong-method", 413: "too-large"}


class Problem(HTTPException):
    """A problem that is answered. `more` holds members beyond the standard ones, `headers` those of the answer."""

    def __init__(self, name: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any) -> None:
        self.kind = KINDS[name]
        super().__init__(self.kind.status, detail, headers or {})
        self.more = more

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        kind = self.kind
        detail = self.detail if len(self.detail) <= LONGEST_DETAIL else self.detail[: LONGEST_DETAIL - 1] + "…"
        return {"type": kind.type, "title": kind.title, "status": kind.status, "detail": _clean(detail)} | self.more

    def response(self) -> Response:
        """The answer."""
        return Response(orjson.dumps(self.to_dict()), self.kind.status, dict(self.headers or {}), MEDIA)

    def page(self) -> Response:
        """The answer for a person who sees it in a browser."""
        words = self.to_dict()
        text = (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Kibitz</title>'
            f"<h1>{escape(words['title'])}</h1><p>{escape(words['detail'])}</p></html>"
        )
        return Response(text, self.kind.status, dict(self.headers or {}), "text/html")


def is_of_database(error: KibitzError) -> bool:
    """Whether the database could not read or write, as with a full disk: nobody asked for anything wrong."""
    return isinstance(error, LibraryError) and error.__cause__ is not None


def problem_of(error: KibitzError) -> Problem:
    """An error of ours as a problem."""
    if is_of_database(error):
        words = str(error).partition(": ")[2]  # where the library lies is the server's own business
        return Problem("unavailable", f"the library: {words or 'it does not answer'}", headers={"retry-after": "5"})
    if isinstance(error, PositionError):
        defects = [_clean(str(one)) for one in error.defects]
        return Problem("invalid-position", str(error), defects=defects, given=_clean(error.given[:200]))
    return Problem(_BY_CODE.get(error.code, "refused"), str(error))


def add_handlers(app: FastAPI) -> None:
    """Answer every error as a problem."""

    async def ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, KibitzError)
        return problem_of(error).response()

    async def told(_: Request, error: Exception) -> Response:
        assert isinstance(error, Problem)
        return error.response()

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return validation_problem(error).response()

    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        name = _BY_STATUS.get(error.status_code, "bad-request" if error.status_code < 500 else "internal")
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        return Problem(name, str(error.detail or HTTPStatus(error.status_code).phrase), headers=headers).response()

    app.add_exception_handler(KibitzError, ours)
    app.add_exception_handler(Problem, told)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)


def validation_problem(error: RequestValidationError) -> Problem:
    """What is wrong with a request, all of it at once, each with a pointer to its place."""
    found = []
    for one in list(error.errors())[:20]:
        pointer = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in one["loc"][1:])
        found.append({"in": str(one["loc"][0]), "pointer": _clean(pointer[:200]), "reason": _clean(one["msg"][:200])})
    words = "; ".join(f"{one['in']}{one['pointer']}: {one['reason']}" for one in found)
    return Problem("invalid-request", words or "the request is not as documented", errors=found)


def _clean(text: str) -> str:
    """Text that can be written as UTF-8, whatever was sent."""
    return text.encode("utf-8", "replace").decode("utf-8")
