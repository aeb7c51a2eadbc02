"""The library: decisions, statistics of which every number opens its decisions, search, players, and archives."""

from __future__ import annotations

import math
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from kibitz.formats import by_name
from kibitz.library.filters import DecisionFilter
from kibitz.library.library import Library
from kibitz.library.notes import Target
from kibitz.library.statistics import StatisticsRow, is_stored
from kibitz.library.tallies import ERROR
from kibitz.service import requests_library as requests
from kibitz.service.context import JsonRoute, caller_of, context_of, dump, json_bytes
from kibitz.service.matches import OCTETS
from kibitz.service.problems import Problem
from kibitz.service.schemas import answers

router = APIRouter(prefix="/v1", tags=["library"], route_class=JsonRoute)
Number = Annotated[int, Path(ge=1, lt=1 << 62)]


async def told(request: Request, work: Callable[[Library], Any], *, status: int = 200) -> Response:
    """What some work makes of the caller's library, as JSON."""
    context = context_of(request)
    library = context.library(caller_of(request))
    return json_bytes(await context.reading(lambda: dump(work(library))), status)


async def done(request: Request, work: Callable[[Library], object]) -> Response:
    """The answer to work that has nothing to tell."""
    context = context_of(request)
    library = context.library(caller_of(request))
    await context.reading(lambda: work(library))
    return Response(status_code=204)


# --- decisions --------------------------------------------------------------------------------------------------------


@router.get("/decisions", responses=answers("Decisions"), response_class=Response)
async def decisions(request: Request, asked: Annotated[requests.DecisionList, Query()]) -> Response:
    """Decisions by any conditions, a page at a time."""
    wanted = asked.wanted()

    def work(library: Library) -> dict[str, Any]:
        found = library.decisions(wanted, order=asked.order, limit=asked.limit + 1, after=asked.after)
        page = found[: asked.limit]
        return {
            "decisions": [one.to_dict() for one in page],
            "count": library.count(wanted),
            "next": page[-1].id if len(found) > asked.limit else None,
        }

    return await told(request, work)


@router.get("/decisions/{number}", responses=answers("DecisionDetail"), response_class=Response)
async def decision(request: Request, number: Number) -> Response:
    """A decision with all that was said of it: analyses side by side, notes, tags."""

    def work(library: Library) -> dict[str, Any]:
        target = Target(decision_id=number)
        return {
            "decision": library.decision(number).to_dict(),
            "analyses": [one.to_dict() for one in library.analyses(number)],
            "notes": [one.to_dict() for one in library.notes.all(target)],
            "tags": library.notes.tags_of(target),
        }

    return await told(request, work)


@router.get("/like", responses=answers("Likes"), response_class=Response)
async def like(request: Request, asked: Annotated[requests.Likeness, Query()]) -> Response:
    """Decisions in the positions that are most like one, the nearest first."""
    wanted = asked.wanted()

    def work(library: Library) -> dict[str, Any]:
        found = library.like(asked.position, asked.count, wanted)
        return {"likes": [{"distance": distance, "decision": one.to_dict()} for distance, one in found]}

    return await told(request, work)


# --- statistics -------------------------------------------------------------------------------------------------------


def row_of(row: StatisticsRow) -> dict[str, Any]:
    """A row with the queries that open its decisions."""
    wanted = row.filter
    queries = {
        "decisions": wanted,
        "pr_counted": wanted.but(counts=True),
        "errors": wanted.but(at_least=max(wanted.at_least or 0.0, math.nextafter(ERROR, 1.0))),
        "blunders": wanted.but(blunder=True),
    }
    told_queries = {name: one.to_query() for name, one in queries.items()}
    return {"key": row.key} | row.sums.to_dict() | {"queries": told_queries}


def _analysed(wanted: DecisionFilter) -> DecisionFilter:
    return wanted.but(kind=wanted.kind or "all", judged=True)


@router.get("/statistics", responses=answers("Statistics"), response_class=Response)
async def statistics(request: Request, asked: Annotated[requests.StatisticsList, Query()]) -> Response:
    """What decisions add up to, all together and told apart. Every count has the query that opens its decisions."""
    wanted = asked.wanted()
    if asked.by is not None and not is_stored(wanted):
        raise Problem("invalid-request", "no sums are kept by such conditions: ask without `by`")
    if asked.by == "opponent" and wanted.player is None:
        raise Problem("invalid-request", "opponents are those of a player: say whose")

    def work(library: Library) -> dict[str, Any]:
        total = StatisticsRow("all", library.statistics(wanted), _analysed(wanted))
        rows = [] if asked.by is None else library.statistics_by(asked.by, wanted)
        return {"total": row_of(total), "by": asked.by, "rows": [row_of(row) for row in rows]}

    return await told(request, work)


@router.get("/progress", responses=answers("Progress"), response_class=Response)
async def progress(request: Request, asked: Annotated[requests.ProgressList, Query()]) -> Response:
    """Whether it is getting better: one point a match, the oldest first."""
    wanted = asked.wanted()
    if not is_stored(wanted):
        raise Problem("invalid-request", "no sums are kept by such conditions")

    def work(library: Library) -> dict[str, Any]:
        points = library.progress(wanted, window=asked.window)
        query = _analysed(wanted)
        return {
            "window": asked.window,
            "points": [one.to_dict() | {"query": query.but(match=one.match_id).to_query()} for one in points],
        }

    return await told(request, work)


@router.get("/histogram", responses=answers("Histogram"), response_class=Response)
async def histogram(request: Request, asked: Annotated[requests.Filter, Query()]) -> Response:
    """How many decisions lost how much."""
    wanted = asked.wanted()

    def work(library: Library) -> dict[str, Any]:
        bars = [
            {"at_least": bar.low, "below": bar.high, "count": bar.count, "query": bar.filter.to_query()}
            for bar in library.histogram(wanted)
        ]
        return {"bars": bars}

    return await told(request, work)


# --- people and events ------------------------------------------------------------------------------------------------


def _players(library: Library) -> dict[str, Any]:
    return {"players": [player.to_dict() for player in library.players.all()]}


@router.get("/players", responses=answers("Players"), response_class=Response)
async def players(request: Request) -> Response:
    """Players with all their names, the busiest first."""
    return await told(request, _players)


@router.post("/players/me", responses=answers("Players"), response_class=Response)
async def me(request: Request, body: requests.PlayerName) -> Response:
    """Say who is "me"."""

    def work(library: Library) -> dict[str, Any]:
        library.players.set_me(body.name)
        return _players(library)

    return await told(request, work)


@router.post("/players/merge", responses=answers("Players"), response_class=Response)
async def merge(request: Request, body: requests.MergeBody) -> Response:
    """Make several names one player."""

    def work(library: Library) -> dict[str, Any]:
        library.players.merge(body.name, *body.others)
        return _players(library)

    return await told(request, work)


@router.post("/players/rename", responses=answers("Players"), response_class=Response)
async def rename(request: Request, body: requests.RenameBody) -> Response:
    """Show a player under another name; the old one is still known."""

    def work(library: Library) -> dict[str, Any]:
        library.players.rename(body.name, body.new)
        return _players(library)

    return await told(request, work)


@router.get("/tournaments", responses=answers("Events"), response_class=Response)
async def tournaments(request: Request) -> Response:
    """Tournaments and other events, those with the newest matches first."""

    def work(library: Library) -> dict[str, Any]:
        found = library.tournaments()
        return {"events": [one.to_dict() | {"query": DecisionFilter(event=one.name).to_query()} for one in found]}

    return await told(request, work)


# --- archives ---------------------------------------------------------------------------------------------------------


@router.get("/export", responses=answers("file", media="application/zip"), response_class=Response)
async def export(request: Request, asked: Annotated[requests.ExportList, Query()]) -> Response:
    """Matches as files of one format in a zip archive."""
    context = context_of(request)
    library = context.library(caller_of(request))
    form, wanted, most = by_name(asked.format), asked.wanted(), context.limits.exported_matches

    def write(path: FilePath) -> None:
        found = library.matches(wanted, limit=most + 1)
        if len(found) > most:
            raise Problem("budget-exceeded", f"an archive has at most {most} matches: ask for fewer", limit=most)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for info in found:
                archive.writestr(f"match-{info.id}{form.suffixes[0]}", form.write(library.match(info.id))[0])

    return _sent(await context.reading(lambda: written("matches.zip", write)), "application/zip")


@router.get("/backup", responses=answers("file", media=OCTETS), response_class=Response)
async def backup(request: Request) -> Response:
    """A copy of the whole library as it is kept. It holds what all owners have, so only a local server gives it."""
    context = context_of(request)
    if not context.settings.is_local or not context.database.is_sqlite:
        raise Problem("conflict", "only a local server whose library is a file gives a copy of it")
    path = await context.reading(lambda: written("library.db", context.database.backup))
    return _sent(path, OCTETS)


def written(name: str, write: Callable[[FilePath], object]) -> FilePath:
    """A temporary file in a folder of its own. Nothing stays of one that could not be written."""
    folder = FilePath(tempfile.mkdtemp(prefix="kibitz-"))
    try:
        write(folder / name)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Problem("unavailable", f"{name} cannot be written: {error.strerror}") from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder / name


def _sent(path: FilePath, media: str) -> Response:
    """A temporary file, which goes with its folder when it has been sent."""
    remove = BackgroundTask(shutil.rmtree, path.parent, ignore_errors=True)
    return FileResponse(path, media_type=media, filename=path.name, background=remove)
