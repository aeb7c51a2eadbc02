"""Notes on matches and on what was decided in them: read, written, changed and deleted."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from kibitz.library.library import Library
from kibitz.library.notes import Target
from kibitz.service import requests
from kibitz.service.context import JsonRoute, caller_of, context_of, dump, json_bytes
from kibitz.service.schemas import answers

router = APIRouter(prefix="/v1", tags=["matches"], route_class=JsonRoute)
Number = Annotated[int, Path(ge=1, lt=1 << 62)]


@router.get("/matches/{number}/notes", responses=answers("Notes"), response_class=Response)
async def notes(request: Request, number: Number) -> Response:
    """The notes on a match and on its decisions, the oldest first: the user's own, and the comments of its files."""
    library = _library(request)

    def work() -> bytes:
        library.info(number)
        return dump({"notes": [note.to_dict() for note in library.notes.all(Target(match_id=number))]})

    return json_bytes(await context_of(request).reading(work))


@router.post("/matches/{number}/notes", status_code=201, responses=answers("Note", status=201), response_class=Response)
async def write(request: Request, number: Number, body: requests.NoteBody) -> Response:
    """Write a note on a match, or on the action of a game of it."""
    library = _library(request)

    def work() -> bytes:
        about = str(library.info(number))
        target = Target(match_id=number)
        if body.game is not None and body.index is not None:
            target = library.notes.at(number, body.game, body.index)
        return dump(library.notes.get(library.notes.add(target, body.text, about=about)).to_dict())

    return json_bytes(await context_of(request).reading(work), 201)


@router.put("/notes/{number}", responses=answers("Note"), response_class=Response)
async def change(request: Request, number: Number, body: requests.NoteText) -> Response:
    """Write another text in the place of a note's."""
    library = _library(request)

    def work() -> bytes:
        library.notes.change(number, body.text)
        return dump(library.notes.get(number).to_dict())

    return json_bytes(await context_of(request).reading(work))


@router.delete("/notes/{number}", status_code=204, responses=answers("gone", status=204), response_class=Response)
async def remove(request: Request, number: Number) -> Response:
    """Delete a note."""
    library = _library(request)
    await context_of(request).reading(lambda: library.notes.remove(number))
    return Response(status_code=204)


def _library(request: Request) -> Library:
    return context_of(request).library(caller_of(request))
