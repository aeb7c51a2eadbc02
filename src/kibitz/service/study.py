"""Study: decks, the cards that are due, and what answers to them lose."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from kibitz.engine.engine import Cancellation
from kibitz.errors import LibraryError
from kibitz.library.library import Library
from kibitz.service import requests_library as requests
from kibitz.service.context import JsonRoute, caller_of, context_of, dump, json_bytes
from kibitz.service.library import done, told
from kibitz.service.problems import Problem
from kibitz.service.schemas import answers
from kibitz.study.decks import DeckInfo, Study
from kibitz.study.schedule import DeckSettings

router = APIRouter(prefix="/v1", tags=["study"], route_class=JsonRoute)
Number = Annotated[int, Path(ge=1, lt=1 << 62)]
MOST_CARDS = 2000


def _deck(info: DeckInfo) -> dict[str, Any]:
    return info.to_dict() | {"query": info.query.to_query()}


# --- decks ------------------------------------------------------------------------------------------------------------


@router.get("/decks", responses=answers("Decks"), response_class=Response)
async def decks(request: Request) -> Response:
    """Decks with how many cards they have, how many are new, and how many are due."""
    return await told(request, lambda library: {"decks": [_deck(one) for one in Study(library).decks()]})


@router.post("/decks", status_code=201, responses=answers("Deck", status=201), response_class=Response)
async def create(request: Request, body: requests.DeckBody) -> Response:
    """Make a deck of what a query finds: a search, a collection, or your own errors above some size."""
    wanted, settings = requests.filter_of(body.query), _settings(body.settings)

    def work(library: Library) -> dict[str, Any]:
        study = Study(library)
        if any(one.name == body.name.strip() for one in study.decks()):
            raise Problem("conflict", f"there is a deck {body.name.strip()!r} already")
        return _deck(study.create(body.name, wanted, settings, most=body.most))

    return await told(request, work, status=201)


@router.put("/decks/{number}", responses=answers("Deck"), response_class=Response)
async def change(request: Request, number: Number, body: requests.DeckSettingsBody) -> Response:
    """Schedule and grade the cards of a deck in another way from now on."""
    settings = _settings(body)

    def work(library: Library) -> dict[str, Any]:
        study = Study(library)
        study.change(number, settings)
        return _deck(study.deck(number))

    return await told(request, work)


@router.delete("/decks/{number}", status_code=204, responses=answers("gone", status=204), response_class=Response)
async def delete(request: Request, number: Number) -> Response:
    """Delete a deck with its cards and their history. The library's decisions stay."""
    return await done(request, lambda library: Study(library).remove(number))


@router.post("/decks/{number}/update", responses=answers("Updated"), response_class=Response)
async def update(request: Request, number: Number) -> Response:
    """Add what the deck's query finds by now. Cards that are there keep their schedule."""

    def work(library: Library) -> dict[str, Any]:
        study = Study(library)
        return {"added": study.update(number), "deck": _deck(study.deck(number))}

    return await told(request, work)


@router.get("/decks/{number}/file", responses=answers("file", media="application/octet-stream"))
async def file(
    request: Request, number: Number, format: Annotated[Literal["apkg", "csv"], Query()] = "apkg"
) -> Response:
    """The cards for other programs: an Anki deck with boards as pictures, or a table."""
    context = context_of(request)
    library = context.library(caller_of(request))

    def work() -> tuple[str, bytes]:
        from kibitz.report.svg import draw_state
        from kibitz.study.export import to_apkg, to_csv

        study = Study(library)
        name = study.deck(number).name
        cards = study.cards(number)
        return name, to_apkg(name, cards, draw_state) if format == "apkg" else to_csv(cards).encode()

    name, data = await context.reading(work)
    shown = re.sub(r"[^A-Za-z0-9 _-]", "_", name)[:80] or "deck"
    headers = {"content-disposition": f'attachment; filename="{shown}.{format}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


# --- cards ------------------------------------------------------------------------------------------------------------


@router.get("/decks/{number}/next", responses=answers("NextCard"), response_class=Response)
async def next_card(request: Request, number: Number) -> Response:
    """The card to be asked now: what is due first, then new ones, as many as a day may have."""

    def work(library: Library) -> dict[str, Any]:
        card = Study(library).next(number)
        return {"card": None if card is None else card.to_dict()}

    return await told(request, work)


@router.get("/decks/{number}/cards", responses=answers("Cards"), response_class=Response)
async def cards(request: Request, number: Number) -> Response:
    """The cards of a deck, the oldest first."""
    return await told(
        request, lambda library: {"cards": [one.to_dict() for one in Study(library).cards(number)[:MOST_CARDS]]}
    )


@router.get("/cards/{number}", responses=answers("Card"), response_class=Response)
async def card(request: Request, number: Number) -> Response:
    """The question of a card, without its answer."""
    return await told(request, lambda library: Study(library).card(number).to_dict())


@router.post("/cards/{number}/answers", responses=answers("Answered"), response_class=Response)
async def answer(request: Request, number: Number, body: requests.AnswerBody) -> Response:
    """Grade an answer by the equity it loses, and let the card come again when it is time. Practice changes nothing."""
    context = context_of(request)
    library = context.library(caller_of(request))

    def work(_: Cancellation) -> bytes:
        study = Study(library)
        asked = study.card(number)
        outlook = study.outlook(asked)
        given = study.answer(
            asked,
            body.answer,
            seconds=body.seconds,
            rating=body.rating,
            practice=body.practice,
            engine=context.engine,
        )
        question = asked.question
        return dump(
            given.to_dict()
            | {
                "solution": question.solution,
                "decision": question.decision.to_dict(),
                "outlook": {grade: due.isoformat() for grade, due in outlook.items()},
            }
        )

    return json_bytes(await context.desk.answer(request, work, plies=2))


@router.put(
    "/cards/{number}/suspension", status_code=204, responses=answers("gone", status=204), response_class=Response
)
async def suspend(request: Request, number: Number, body: requests.SuspendedBody) -> Response:
    """Ask a card no more, or again."""
    return await done(request, lambda library: Study(library).suspend(number, body.suspended))


def _settings(body: requests.DeckSettingsBody) -> DeckSettings:
    try:
        return DeckSettings(**body.model_dump())
    except LibraryError as error:
        raise Problem("invalid-request", str(error)) from None
