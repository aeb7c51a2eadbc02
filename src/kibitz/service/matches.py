"""Matches: upload any format, look at what was read, have it reviewed, and take it away as a page or a file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.review import MatchReview
from kibitz.errors import LibraryError
from kibitz.formats import FORMATS, by_name, read
from kibitz.library.importing import Importer, prepare_match
from kibitz.library.jobs import Job, Jobs
from kibitz.library.library import Library
from kibitz.record import Game
from kibitz.service import requests
from kibitz.service.context import Context, JsonRoute, caller_of, context_of, dump, json_bytes
from kibitz.service.jobs import Estimate, made
from kibitz.service.kinds import JobPlan, ReviewGathering, ReviewJob
from kibitz.service.problems import Problem, is_of_database
from kibitz.service.requests_library import MatchList
from kibitz.service.schemas import answers

OCTETS = "application/octet-stream"
LONGEST_NAME = 200
router = APIRouter(prefix="/v1", tags=["matches"], route_class=JsonRoute)
Number = Annotated[int, Path(ge=1, lt=1 << 62)]
Written = Annotated[str, Query(json_schema_extra={"enum": [form.name for form in FORMATS.values() if form.writer]})]
SANDBOX = "sandbox allow-scripts; "
"""The page of a review has a script of its own. In a sandbox it can neither read cookies nor ask this server."""

_UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {OCTETS: {"schema": {"type": "string", "format": "binary", "description": "A match file."}}},
    }
}


@router.post(
    "/matches",
    status_code=201,
    responses=answers("Uploaded", status=201) | {200: answers("Uploaded")[200]},
    response_class=Response,
    openapi_extra=_UPLOAD,
)
async def upload(request: Request, name: Annotated[str, Query(max_length=LONGEST_NAME)] = "match") -> Response:
    """Add a match: the body is a file of any format, as it is. 200 if the library had the match already."""
    context = context_of(request)
    data = await request.body()
    library = context.library(caller_of(request))
    shown = PurePosixPath(name.replace("\\", "/").replace("\0", "")).name or "match"  # told, never opened

    def work(_: object) -> tuple[bool, bytes]:
        match = read(data, file=shown)
        prepared = prepare_match(match, _as_path(shown), data)
        written = Importer(library.database, library.owner_id).write([prepared])[0]
        assert written.outcome is not None and written.match_id is not None
        info = library.info(written.match_id)
        found = {
            "outcome": written.outcome.value,
            "match": info.to_dict(),
            "warnings": [_clean(str(one)) for one in match.warnings],
        }
        return found["outcome"] == "new", dump(found)

    is_new, answer = await context.desk.answer(request, work, plies=2)
    return json_bytes(answer, 201 if is_new else 200)


@router.get("/matches", responses=answers("Matches"), response_class=Response)
async def list_matches(request: Request, asked: Annotated[MatchList, Query()]) -> Response:
    """Matches, the newest first, with the PR of both players where they have been analysed."""
    library = _library(request)
    wanted = asked.wanted()

    def work() -> bytes:
        found = library.matches(wanted, limit=asked.limit + 1, after=asked.after)
        page = found[: asked.limit]
        sums = library.match_sums([info.id for info in page])
        listed = []
        for info in page:
            rates = [sums[info.id, seat].pr if (info.id, seat) in sums else None for seat in (0, 1)]
            listed.append(info.to_dict() | {"pr": rates})
        return dump({"matches": listed, "next": page[-1].id if len(found) > asked.limit else None})

    return json_bytes(await context_of(request).reading(work))


@router.get("/matches/{number}", responses=answers("Match"), response_class=Response)
async def match_info(request: Request, number: Number) -> Response:
    """What a match is, without its games."""
    library = _library(request)
    return json_bytes(await context_of(request).reading(lambda: dump(library.info(number).to_dict())))


@router.get("/matches/{number}/moments", responses=answers("Moments"), response_class=Response)
async def moments(request: Request, number: Number) -> Response:
    """Every action of a match with the state it was taken in. `me` is the user's own seat, if that is known."""
    context = context_of(request)
    jobs = context.jobs(caller_of(request))
    library = _library(request)

    def work() -> bytes:
        info, match = library.info(number), library.match(number, analyses=False)
        own = {player.id for player in library.players.all() if player.is_me}
        found = {
            "match": info.to_dict(),
            "me": next((seat for seat, player in enumerate(info.player_ids) if player in own), None),
            "reviewed": _analysed(context, _job(jobs, number)) is not None or library.is_reviewed(number),
            "formats": writable_formats(),
            "games": [_game(game) for game in match.games],
            "moments": [moment.to_dict() for moment in match.moments()],
        }
        return dump(found)

    return json_bytes(await context.reading(work))


def writable_formats() -> list[str]:
    """The formats that can be written here; the codec of one of them may be missing."""
    return [form.name for form in FORMATS.values() if form.writer and (form.name != "ogxm" or find_spec("ogxm"))]


def _game(game: Game) -> dict[str, Any]:
    return {name: value for name, value in game.to_dict().items() if name != "actions"}


@router.get("/matches/{number}/opinions", responses=answers("Opinions"), response_class=Response)
async def opinions(request: Request, number: Number) -> Response:
    """What the files of a match say of its decisions themselves: XG's, gnubg's or BGBlitz's analyses."""
    library = _library(request)

    def work() -> bytes:
        return dump({"opinions": [one.to_dict() for one in library.opinions(number)]})

    return json_bytes(await context_of(request).reading(work))


@router.delete("/matches/{number}", status_code=204, responses=answers("gone", status=204), response_class=Response)
async def delete(request: Request, number: Number) -> Response:
    """Delete a match with what was said of it. Notes stay."""
    library = _library(request)
    await context_of(request).reading(lambda: library.delete(number))
    return Response(status_code=204)


@router.get("/matches/{number}/file", responses=answers("file", media=OCTETS), response_class=Response)
async def converted(request: Request, number: Number, format: Written = "json") -> Response:
    """The match in another format. What the format cannot hold is named in the header `kibitz-dropped`."""
    context = context_of(request)
    library = _library(request)
    form = by_name(format)

    def work() -> tuple[bytes, list[str]]:
        return form.write(library.match(number))

    data, dropped = await context.reading(work)
    headers = {"content-disposition": f'attachment; filename="match-{number}{form.suffixes[0]}"'}
    if dropped:
        words = "; ".join(dropped)[:500]
        headers["kibitz-dropped"] = "".join(letter if 32 <= ord(letter) < 127 else "?" for letter in words)
    return Response(data, media_type=OCTETS, headers=headers)


# --- reviews ----------------------------------------------------------------------------------------------------------


@router.post(
    "/matches/{number}/reviews",
    status_code=202,
    responses=answers("Job", status=202) | {200: answers("Estimate")[200]},
    response_class=Response,
)
async def review(request: Request, number: Number, body: requests.ReviewBody, estimate: Estimate = False) -> Response:
    """Have a match reviewed."""
    context = context_of(request)
    library = _library(request)
    settings = ReviewSettings(level=ReviewLevel.of(body.level)).changed(rollout=body.rollout)
    context.plies_of(settings.level.search.plies)

    def plan() -> JobPlan:
        match = library.match(number)
        context.engine.evaluator_for(match.variant)  # a table that is missing is told before there is a job
        asked = body.model_dump(mode="json") | {"match": number}
        return ReviewJob.plan(match, number, settings, asked)

    return await made(request, await context.reading(plan), body.priority, estimate=estimate)


@router.get("/matches/{number}/review", responses=answers("ReviewSoFar"), response_class=Response)
async def review_so_far(request: Request, number: Number) -> Response:
    """The review of a match, as far as it is done."""
    context = context_of(request)
    jobs = context.jobs(caller_of(request))
    library = _library(request)

    def work() -> bytes:
        found, job, complete = _review(context, library, jobs, number)
        told = {"match": number, "job": None if job is None else job.id, "complete": complete}
        return dump(told | {"review": found.to_dict(), "sections": _sections(found)})

    return json_bytes(await context.reading(work))


@router.get("/matches/{number}/page", responses=answers("page", media="text/html"), response_class=Response)
async def page(request: Request, number: Number, download: bool = False) -> Response:
    """The review of a match as a page that works offline; with `download`, as a file to keep."""
    from kibitz.report.bundle import policy
    from kibitz.report.html import page as html_page

    context = context_of(request)
    jobs = context.jobs(caller_of(request))
    library = _library(request)
    written = await context.reading(lambda: html_page(_review(context, library, jobs, number)[0]))
    headers = {"content-security-policy": SANDBOX + policy()}
    if download:
        headers["content-disposition"] = f'attachment; filename="match-{number}.html"'
    return Response(written.encode("utf-8", "replace"), media_type="text/html", headers=headers)


def _review(context: Context, library: Library, jobs: Jobs, number: int) -> tuple[MatchReview, Job | None, bool]:
    """The newest review of a match: that of a job that goes on or was cancelled, or the one that the library keeps."""
    library.info(number)
    job = _job(jobs, number)
    if (analysed := _analysed(context, job)) is not None:
        return analysed.review(), job, False
    try:
        return library.review_of(number), job, True
    except LibraryError as error:
        if is_of_database(error):
            raise
        words = f"match {number} has not been reviewed yet: POST /v1/matches/{number}/reviews"
        raise Problem("not-found", words) from None


def _job(jobs: Jobs, number: int) -> Job | None:
    """The newest job that is about a match, and did not fail."""
    return next((one for one in jobs.find(kind=ReviewJob.name, match=number) if not one.error), None)


def _analysed(context: Context, job: Job | None) -> ReviewGathering | None:
    """What is done of a job about a match that has not come to its end, if some moments are analysed."""
    if job is None or job.result is not None:
        return None
    gathered = context.workers.gathering(job)
    assert isinstance(gathered, ReviewGathering)
    return gathered if gathered.known else None


def _sections(found: MatchReview) -> list[list[dict[str, Any]]]:
    """The statistics as reports print them: of the match, then of each game."""
    from kibitz.report.statistics import sections

    games = [None, *range(1, len(found.match.games) + 1)]
    return [
        [one.to_dict() for one in sections((found.statistics(0, game), found.statistics(1, game)))] for game in games
    ]


def _library(request: Request) -> Library:
    return context_of(request).library(caller_of(request))


def _as_path(name: str) -> Any:
    from pathlib import Path as FilePath

    return FilePath(name)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
