"""The application: routes, gate and errors put together, and the OpenAPI document."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import PlainTextResponse, Response

from kibitz.bearoff.hypergammon import large_tables_by_request_only
from kibitz.engine.engine import Engine
from kibitz.service import collections, jobs, library, matches, notes, play, positions, requests, study
from kibitz.service.context import Context, context_of, dump, json_bytes
from kibitz.service.gate import Gate, set_up_logs
from kibitz.service.handbook import POLICY, handbook
from kibitz.service.problems import add_handlers
from kibitz.service.schemas import SCHEMAS, answers
from kibitz.service.settings import Settings

ABOUT = """Analysis of backgammon positions and matches.
Answers are the dictionaries of Kibitz's decision model. Equities are
points per unit of the present cube unless a name says otherwise. Errors are `application/problem+json`."""

SWITCH = 0.0005
"""Seconds that one thread of Python may keep the others waiting; the loop that answers must not wait long."""

operations = APIRouter(tags=["operations"])


@operations.get("/", responses=answers("About"), response_class=Response)
async def about(request: Request) -> Response:
    """What this is."""
    from kibitz import build_info

    info = build_info()
    context = context_of(request)
    data = {
        "name": "kibitz",
        "version": info["version"],
        "engine": context.engine.fingerprint,
        "instruction_set": info["instruction_set"],
        "api": "/openapi.json",
    }
    return json_bytes(dump(data))


@operations.get("/healthz", responses=answers("Health"), response_class=Response)
async def health() -> Response:
    """Whether the process answers."""
    return json_bytes(b'{"status":"ok"}')


@operations.get("/readyz", responses=answers("Ready"), response_class=Response)
async def ready(request: Request) -> Response:
    """Whether it can work: the library answers, the engine is there, jobs are done."""
    context = context_of(request)
    library = await context.can_read()
    fine = library and context.workers.alive and not context.stopping.is_set()
    status = "stopping" if context.stopping.is_set() else "ok" if fine else "not ready"
    data = {"status": status, "library": library, "engine": True, "jobs": context.workers.alive}
    return json_bytes(dump(data), 200 if fine else 503)


@operations.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """The OpenAPI document as a page to read."""
    page = handbook(document(request.app)).encode()
    return Response(page, media_type="text/html", headers={"content-security-policy": POLICY})


@operations.get("/metrics", responses=answers("metrics", media="text/plain"), response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """Figures for Prometheus."""
    context = context_of(request)
    jobs = await context.reading(context.job_counts)
    return PlainTextResponse(context.metrics.text(jobs), media_type="text/plain; version=0.0.4")


def make_app(settings: Settings | None = None, *, engine: Engine | None = None, key: str | None = None) -> FastAPI:
    """An application of its own, with its engine, library and workers."""
    settings = settings or Settings()
    context = Context(settings, engine=engine, key=key)
    app = FastAPI(
        title="Kibitz",
        description=ABOUT,
        version="1",
        openapi_url="/openapi.json",
        docs_url=None,  # its page would be fetched from elsewhere: ours is `docs`
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.context = context
    app.include_router(operations)
    for room in (positions, jobs, matches, notes, play, library, collections, study):
        app.include_router(room.router)
    add_handlers(app)
    app.add_middleware(Gate, context.access, context.metrics, settings.limits)
    app.openapi = lambda: document(app)  # type: ignore[method-assign]
    return app


def set_up_process(log_level: int = logging.INFO) -> None:
    """What a process that serves has for itself: logs, threads that take turns quickly, no long builds by the way."""
    set_up_logs(log_level)
    sys.setswitchinterval(SWITCH)
    large_tables_by_request_only()


def app_of_environment() -> FastAPI:
    """For worker processes, which are told by the environment what to be."""
    set_up_process()
    return make_app(Settings.from_environment())


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    context: Context = app.state.context
    context.open()
    try:
        yield
    finally:
        context.stopping.set()
        context.close()


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document: routes and bodies as FastAPI finds them, answers by `SCHEMAS`."""
    if app.openapi_schema is None:
        found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schemas: dict[str, Any] = found.setdefault("components", {}).setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        for model in (requests.Boards, requests.Text):
            schemas[model.__name__] = model.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= SCHEMAS
        found["components"]["schemas"] = dict(sorted(schemas.items()))
        found["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{"key": []}]
        for path, methods in found["paths"].items():
            for one in methods.values():
                one["responses"].pop("422", None)  # the schema of FastAPI's own answer; ours is a problem
                if path in ("/healthz", "/readyz"):
                    one["security"] = []
        app.openapi_schema = found
    return app.openapi_schema
