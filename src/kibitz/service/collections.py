"""What the user adds to the library: notes on anything, tags, collections and saved searches."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from kibitz.library.filters import DecisionFilter
from kibitz.library.library import Library
from kibitz.service import requests_library as requests
from kibitz.service.context import JsonRoute
from kibitz.service.library import done, told
from kibitz.service.schemas import answers

router = APIRouter(prefix="/v1", tags=["library"], route_class=JsonRoute)
_GONE = answers("gone", status=204)


# --- notes ------------------------------------------------------------------------------------------------------------


@router.get("/notes", responses=answers("Notes"), response_class=Response)
async def notes(request: Request, asked: Annotated[requests.NoteList, Query()]) -> Response:
    """Notes on a match with its decisions, on a decision or on a position; or all."""
    said = asked.model_dump(exclude_none=True)
    target = asked.target() if said else None
    return await told(request, lambda library: {"notes": [one.to_dict() for one in library.notes.all(target)]})


@router.post("/notes", status_code=201, responses=answers("Note", status=201), response_class=Response)
async def write_note(request: Request, body: requests.NoteOn) -> Response:
    """Write a note."""
    target = body.target()

    def work(library: Library) -> dict[str, Any]:
        about = ""
        if target.decision_id is not None:
            about = library.decision(target.decision_id).about
        elif target.match_id is not None:
            about = str(library.info(target.match_id))
        return library.notes.get(library.notes.add(target, body.text, about=about)).to_dict()

    return await told(request, work, status=201)


# --- tags -------------------------------------------------------------------------------------------------------------


@router.get("/tags", responses=answers("Tags"), response_class=Response)
async def tags(request: Request) -> Response:
    """All tags, how often each is used, and the query that opens its decisions."""

    def work(library: Library) -> dict[str, Any]:
        return {"tags": [_named(name, count, tag=name) for name, count in library.notes.tags().items()]}

    return await told(request, work)


@router.post("/tags", status_code=204, responses=_GONE, response_class=Response)
async def tag(request: Request, body: requests.TagBody) -> Response:
    """Put a tag on something."""
    target = body.target()
    return await done(request, lambda library: library.notes.tag(target, body.name))


@router.delete("/tags", status_code=204, responses=_GONE, response_class=Response)
async def untag(request: Request, asked: Annotated[requests.TagBody, Query()]) -> Response:
    """Take a tag off something."""
    target = asked.target()
    return await done(request, lambda library: library.notes.untag(target, asked.name))


# --- collections and searches -----------------------------------------------------------------------------------------


@router.get("/collections", responses=answers("Collections"), response_class=Response)
async def collections(request: Request) -> Response:
    """All collections, how much is in each, and the query that opens its decisions."""

    def work(library: Library) -> dict[str, Any]:
        found = library.notes.collections()
        return {"collections": [_named(name, count, collection=name) for name, count in found.items()]}

    return await told(request, work)


@router.post("/collections", responses=answers("Collected"), response_class=Response)
async def collect(request: Request, body: requests.CollectionBody) -> Response:
    """Put decisions into a collection, which is made if there is none."""
    return await told(request, lambda library: {"added": library.notes.collect(body.name, body.decisions)})


@router.delete("/collections", status_code=204, responses=_GONE, response_class=Response)
async def delete_collection(request: Request, asked: Annotated[requests.PlayerName, Query()]) -> Response:
    """Delete a collection; what was in it stays."""
    return await done(request, lambda library: library.notes.remove_collection(asked.name))


@router.get("/searches", responses=answers("Searches"), response_class=Response)
async def searches(request: Request) -> Response:
    """Saved searches."""

    def work(library: Library) -> dict[str, Any]:
        found = library.notes.searches()
        return {"searches": [{"name": name, "query": wanted.to_query()} for name, wanted in found.items()]}

    return await told(request, work)


@router.post("/searches", status_code=204, responses=_GONE, response_class=Response)
async def save_search(request: Request, body: requests.SearchBody) -> Response:
    """Keep a search under a name; one of that name is replaced."""
    wanted = requests.filter_of(body.query)
    return await done(request, lambda library: library.notes.save_search(body.name, wanted))


@router.delete("/searches", status_code=204, responses=_GONE, response_class=Response)
async def delete_search(request: Request, asked: Annotated[requests.PlayerName, Query()]) -> Response:
    """Forget a saved search."""
    return await done(request, lambda library: library.notes.remove_search(asked.name))


def _named(name: str, count: int, **condition: str) -> dict[str, Any]:
    return {"name": name, "count": count, "query": DecisionFilter.from_dict(condition).to_query()}
