"""Positions: plays, evaluations, hints, cube decisions, matrices, comparisons, notations and pictures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from kibitz.bulk import checked_boards
from kibitz.decision import PlayDecision
from kibitz.dice import ALL_ROLLS
from kibitz.engine.engine import Cancellation
from kibitz.engine.levels import Level
from kibitz.errors import KibitzError, NotationError
from kibitz.formats import read
from kibitz.notation import parse, parse_play
from kibitz.position import CHECKERS
from kibitz.service import requests
from kibitz.service.context import Context, JsonRoute, context_of, dump
from kibitz.service.desk import QUICK_PLIES, hung_up
from kibitz.service.problems import Problem
from kibitz.service.schema_parts import named
from kibitz.service.schemas import answers
from kibitz.service.streams import FINAL, PARTIAL, Event, wants_stream
from kibitz.state import Offer, State

BOARD_BYTES = 50
"""Of one board in a batch: two rows of 25 counts."""
OCTETS = "application/octet-stream"
router = APIRouter(prefix="/v1", tags=["positions"], route_class=JsonRoute)


# --- questions that deepen --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A question and how deep to look for its answer; `ask` is given the plies and writes the answer as JSON.

    `beyond` says how many plies more than that its search takes in all.
    """

    context: Context
    plies: int
    ask: Callable[[int, int, Cancellation], bytes]
    seconds: float | None = None
    beyond: int = 0

    async def response(self, request: Request) -> Response:
        """A stream if the caller wants one, else the final answer alone."""
        if wants_stream(request):
            return self.context.stream(self.events())
        if self.seconds is None:
            depth = self.plies + self.beyond
            threads = self.context.desk.threads() if depth > QUICK_PLIES else 1
            return await self.context.answer(request, lambda stop: self.ask(self.plies, threads, stop), plies=depth)
        closed = asyncio.Event()
        async with hung_up(request, closed.set):
            last = b""
            async for event in self.events():
                last = event.data
                if closed.is_set():
                    break
        return Response(last, media_type="application/json")

    async def events(self) -> AsyncIterator[Event]:
        """The answer at 0 plies, at 1, and so on; the last one is final, and it is what the caller asked for."""
        until = time.monotonic() + (self.seconds or 0.0)
        found = b""
        for plies in range(self.plies + 1):
            try:
                left = until - time.monotonic() if self.seconds is not None and plies else None
                async with asyncio.timeout(left):
                    found = await self._at(plies)
            except TimeoutError:
                break
            if plies < self.plies:
                yield Event(PARTIAL, found, str(plies))
        yield Event(FINAL, found, "final")

    async def _at(self, plies: int) -> bytes:
        desk = self.context.desk
        depth = plies + self.beyond
        return await desk.run(lambda stop: self.ask(plies, desk.threads() if depth else 1, stop), plies=depth)


@router.post("/hint", responses=answers("Decision", stream=True), response_class=Response)
async def hint(request: Request, body: requests.Hint) -> Response:
    """What to do now: the best play of a roll, double or not, take or pass, or how to answer a resignation."""
    context = context_of(request)
    state = body.state()
    if body.play:
        _check_plays(state, body.play)
    level = None if body.level is None else Level.of(body.level)

    def ask(plies: int, threads: int, stop: Cancellation) -> bytes:
        search = {**body.search(), "plies": plies, "threads": threads}
        if level is not None and plies == level.search.plies:  # the final look; those before it are plain searches
            search = {**body.search(), "threads": threads, "level": level}
        found = context.engine.answer(state, play=body.play, listed=body.listed, cancellation=stop, **search)  # type: ignore[arg-type]
        return dump(found.to_dict(top=body.top) if isinstance(found, PlayDecision) else found.to_dict())

    if level is None:
        plies = context.plies_of(body.plies, timed=body.time is not None)
    else:
        if body.time is not None or any(value is not None for value in body.search().values()):
            raise Problem("refused", "expected a level, or a time and settings of a search: a level brings its own")
        plies = level.search.plies
        context.plies_of(max(plies, *(step.plies for step in level.steps if not isinstance(step, str)), 0))
    return await Question(context, plies, ask, body.time).response(request)


@router.post("/cube", responses=answers("CubeDecision", stream=True), response_class=Response)
async def cube(request: Request, body: requests.Cubed) -> Response:
    """Whether to double, and whether to take."""
    context = context_of(request)
    state = replace(body.state(), dice=None)
    if state.offer.is_resignation:
        state = replace(state, offer=Offer.NONE)

    def ask(plies: int, threads: int, stop: Cancellation) -> bytes:
        search = {**body.search(), "plies": plies, "threads": threads}
        found = context.engine.cube(state, lines=body.lines, cancellation=stop, **search)  # type: ignore[arg-type]
        return dump(found.to_dict())

    plies = context.plies_of(body.plies, timed=body.time is not None)
    return await Question(context, plies, ask, body.time).response(request)


# --- evaluations ------------------------------------------------------------------------------------------------------


@router.post("/evaluate", responses=answers("Evaluation", stream=True), response_class=Response)
async def evaluate(request: Request, body: requests.Searched) -> Response:
    """The cubeless chances of the player on roll."""
    context = context_of(request)
    state = body.state()
    plies = context.plies_of(body.plies)
    context.metrics.count("evaluations")

    def ask(plies: int, threads: int, stop: Cancellation) -> bytes:
        search = {**body.search(), "plies": plies, "threads": threads}
        return dump(context.engine.evaluate(state, cancellation=stop, **search).to_dict())  # type: ignore[arg-type]

    if plies == 0 and not body.noise and state.match.variant.checkers == CHECKERS and not wants_stream(request):
        # Some microseconds: another thread would cost more.
        return Response(ask(0, 1, Cancellation()), media_type="application/json")
    return await Question(context, plies, ask).response(request)


_BATCH: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Boards"}},
            OCTETS: {"schema": {"type": "string", "format": "binary", "description": "50 bytes a board."}},
        },
    }
}


@router.post(
    "/evaluations",
    responses={
        **answers("Evaluations"),
        200: {
            "description": "The five chances of each board; as octets, five little-endian floats of 32 bits each.",
            "content": {
                "application/json": {"schema": named("Evaluations")},
                OCTETS: {"schema": {"type": "string", "format": "binary"}},
            },
        },
    },
    response_class=Response,
    openapi_extra=_BATCH,
)
async def evaluations(request: Request) -> Response:
    """Many boards at once, at 0 plies: as JSON, or as octets for speed."""
    import numpy as np

    context = context_of(request)
    data = await request.body()
    given: Any
    if request.headers.get("content-type", "").startswith(OCTETS):
        if len(data) % BOARD_BYTES:
            raise Problem("invalid-request", f"expected {BOARD_BYTES} bytes for each board, not {len(data)} in all")
        given = np.frombuffer(data, np.uint8).reshape(-1, 2, 25)
    else:
        given = None
    raw = OCTETS in request.headers.get("accept", "")

    def work(_: Cancellation) -> bytes:
        boards = _boards(data) if given is None else given
        if len(boards) > context.limits.boards:
            raise Problem("too-large", f"at most {context.limits.boards} boards at once", limit=context.limits.boards)
        found = context.engine.evaluate_batch(checked_boards(boards))
        context.metrics.count("evaluations", len(boards))
        if raw:
            return found.astype("<f4", copy=False).tobytes()
        return dump({"evaluations": found.astype(float).tolist()})

    answer = await context.desk.answer(request, work)
    return Response(answer, media_type=OCTETS if raw else "application/json")


def _boards(data: bytes) -> Any:
    """Boards from JSON, checked by their schema first."""
    import numpy as np
    from fastapi.exceptions import RequestValidationError
    from pydantic import ValidationError

    try:
        found = requests.Boards.model_validate_json(data)
    except ValidationError as error:
        shown = error.errors(include_url=False, include_input=False, include_context=False)
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in shown]) from None
    return np.array(found.boards, np.uint8).reshape(-1, 2, 25)


@router.post("/rolls", responses=answers("Rolls", stream=True), response_class=Response)
async def rolls(request: Request, body: requests.Searched) -> Response:
    """What each of the 21 rolls is worth to the player on roll."""
    context = context_of(request)
    state = body.state()
    plies = context.plies_of(body.plies)
    _check_going_on(state)

    def ask(plies: int, threads: int, stop: Cancellation) -> bytes:
        search = {**body.search(), "plies": plies, "threads": threads}
        values = context.engine.roll_values(state, cancellation=stop, **search)  # type: ignore[arg-type]
        found = [
            {"dice": list(roll), "weight": roll.weight, "value": value}
            for roll, value in zip(ALL_ROLLS, values, strict=True)
        ]
        return dump({"state": state.to_dict(), "plies": plies, "rolls": found})

    return await Question(context, plies, ask, beyond=1).response(request)


@router.post("/replies", responses=answers("Replies", stream=True), response_class=Response)
async def replies(request: Request, body: requests.Searched) -> Response:
    """The best play of each of the 21 rolls with its worth, looking `plies` further after the play."""
    context = context_of(request)
    state = body.state()
    plies = context.plies_of(body.plies)
    _check_going_on(state)

    def ask(plies: int, threads: int, stop: Cancellation) -> bytes:
        search = {**body.search(), "plies": plies, "threads": threads}
        found = [
            {
                "dice": list(one.dice),
                "result": one.result.id,
                "evaluation": one.evaluation.to_dict(),
                "held": one.held,
                "doubled": one.doubled,
            }
            for one in context.engine.roll_replies(state, cancellation=stop, **search)  # type: ignore[arg-type]
        ]
        return dump({"state": state.to_dict(), "plies": plies, "replies": found})

    return await Question(context, plies, ask, beyond=1).response(request)


@router.post("/matrix", responses=answers("Matrix", stream=True), response_class=Response)
async def matrix(request: Request, body: requests.Matrix) -> Response:
    """The decision at all scores: with dice the best play, without them the cube."""
    from kibitz.engine.matrix import matrix as score_matrix

    context = context_of(request)
    state = body.state()
    plies = context.plies_of(body.plies)

    def ask(plies: int, threads: int, stop: Cancellation) -> bytes:
        search = {**body.search(), "plies": plies, "threads": threads}
        cells = score_matrix(context.engine, state, body.away, cancellation=stop, **search)  # type: ignore[arg-type]
        return dump({"away": body.away, "cells": [cell.to_dict() for cell in cells]})

    return await Question(context, plies, ask, beyond=2).response(request)


# --- rules, words and pictures ----------------------------------------------------------------------------------------


@router.post("/plays", responses=answers("Plays"), response_class=Response)
async def plays(request: Request, body: requests.Asked) -> Response:
    """All legal plays of a roll, so that a client needs no rules of its own."""
    state = body.turn()

    def work(_: Cancellation) -> bytes:
        assert state.dice is not None
        found = [play.to_dict() for play in state.position.plays(state.dice)]
        return dump({"state": state.to_dict(), "plays": found})

    return await context_of(request).answer(request, work)


@router.post("/explain", responses=answers("Explanation", stream=True), response_class=Response)
async def explain(request: Request, body: requests.Explained) -> Response:
    """Why the best play or cube action is best, in figures that can be checked and in words."""
    from kibitz.explain.explain import explain as explained

    context = context_of(request)
    state = body.state()
    plies = context.plies_of(body.plies)

    def ask(plies: int, threads: int, stop: Cancellation) -> bytes:
        engine = context.engine.stopped_by(stop)
        search = {**body.search(), "plies": plies, "threads": threads}
        return dump(explained(state, None, *body.options, engine=engine, **search).to_dict())  # type: ignore[arg-type]

    return await Question(context, plies, ask, beyond=2).response(request)


@router.post("/compare", responses=answers("Comparison"), response_class=Response)
async def compare(request: Request, body: requests.Compared) -> Response:
    """Two plays side by side by the hand-made engines, factor by factor, and what the second gives up."""
    from kibitz.heuristics.compare import compare_plays

    state = body.turn()
    assert state.dice is not None
    given = parse_play(body.play, state.position, state.dice)
    # A lone play is the one in question, so it is told second.
    pair = (None, given) if body.other is None else (given, parse_play(body.other, state.position, state.dice))

    def work(_: Cancellation) -> bytes:
        return dump({"state": state.to_dict()} | compare_plays(*pair).to_dict())

    return await context_of(request).answer(request, work, plies=2)


_PARSED: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Text"}},
            OCTETS: {"schema": {"type": "string", "format": "binary", "description": "A position file."}},
        },
    }
}


@router.post("/parse", responses=answers("State"), response_class=Response, openapi_extra=_PARSED)
async def parse_text(request: Request) -> Response:
    """The state in any notation, in a text that holds one, or in a position file of any format."""
    from fastapi.exceptions import RequestValidationError
    from pydantic import ValidationError

    data = await request.body()
    text: str | None = None
    if not request.headers.get("content-type", "").startswith(OCTETS):
        try:
            text = requests.Text.model_validate_json(data).text
        except ValidationError as error:
            shown = error.errors(include_url=False, include_input=False, include_context=False)
            raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in shown]) from None
    return await context_of(request).answer(request, lambda _: dump(state_in(data, text).to_dict()))


def state_in(data: bytes, text: str | None) -> State:
    """The state that a text or the bytes of a file tell."""
    if text is not None:
        try:
            return parse(text)
        except NotationError:
            data = text.encode()
            try:
                moments = list(read(data).moments())
            except KibitzError:
                moments = []
            if not moments:
                raise
            return moments[-1].state
    moments = list(read(data).moments())
    if not moments:
        raise NotationError("the file holds no position")
    return moments[-1].state


@router.get("/board.svg", responses=answers("board", media="image/svg+xml"), response_class=Response)
async def board(
    request: Request,
    position: Annotated[str, Query(max_length=2000, examples=["4HPwATDgc/ABMA"])],
    dice: Annotated[str | None, Query(max_length=20)] = None,
    play: Annotated[str | None, Query(max_length=200)] = None,
    flip: bool = False,
    left: bool = False,
) -> Response:
    """A picture of the board, with a play as arrows."""
    from kibitz.report.svg import draw_state

    state = requests.Asked(position=position, dice=dice).state()
    shown = None
    if play is not None:
        if state.dice is None:
            raise NotationError("a play needs dice: give them beside the position")
        shown = parse_play(play, state.position, state.dice)

    def work(_: Cancellation) -> bytes:
        return draw_state(state, play=shown, flip=flip, left=left).encode("utf-8", "replace")

    drawn = await context_of(request).desk.answer(request, work)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return Response(drawn, media_type="image/svg+xml", headers={"content-security-policy": policy})


def _check_plays(state: State, named_plays: str | list[str]) -> None:
    """Plays that are named must be legal, and need dice."""
    if state.dice is None:
        raise NotationError("plays are named, but there are no dice")
    for one in [named_plays] if isinstance(named_plays, str) else named_plays:
        parse_play(one, state.position, state.dice)


def _check_going_on(state: State) -> None:
    if state.position.is_over:
        raise Problem("refused", "the game is over: no roll is worth anything")
