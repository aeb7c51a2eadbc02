"""Play: matches against an opponent. Every change is kept in the library before it is answered."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from kibitz.engine.engine import Cancellation
from kibitz.errors import IllegalPlayError
from kibitz.play.kept import KeptMatch, KeptMatches, StaleError
from kibitz.play.live_match import Choice, LiveMatch
from kibitz.play.players import opponent_of
from kibitz.play.sitting import NEXT, Clock, Sitting, SittingSettings
from kibitz.play.tutor import Tutor
from kibitz.record import Match, Rules
from kibitz.service import requests_library as requests
from kibitz.service.context import Context, JsonRoute, caller_of, context_of, dump, json_bytes
from kibitz.service.problems import Problem
from kibitz.service.schemas import answers

NO_CUBE = 1
"""The highest cube of a match without one."""
DEEP = 2
"""How deep the best opponent looks: its turns run where deep questions do."""
router = APIRouter(prefix="/v1", tags=["play"], route_class=JsonRoute)
Number = Annotated[int, Path(ge=1, lt=1 << 62)]


@router.post("/play", status_code=201, responses=answers("Playing", status=201), response_class=Response)
async def begin(request: Request, body: requests.PlayBody) -> Response:
    """Begin a match. The opponent has made his first play if he begins."""
    context = context_of(request)
    library = context.library(caller_of(request))

    def work(_: Cancellation) -> bytes:
        context.engine.evaluator_for(body.variant)  # a table that is missing is told before there is a match
        kept = KeptMatches(library)
        most = context.limits.live_matches
        if len(kept) >= most:
            raise Problem("conflict", f"{most} matches are kept for you already: delete some of them", limit=most)
        names = [body.name or _my_name(library), ""]
        names[1] = f"Kibitz ({body.opponent})"
        players = (names[body.seat], names[1 - body.seat])
        money = body.length == 0
        rules = Rules(
            crawford=body.crawford,
            jacoby=body.jacoby and money,
            beavers=body.beavers and money and body.cube,
            max_cube=1024 if body.cube else NO_CUBE,
        )
        today = datetime.now().date().isoformat()
        match = Match(players, body.length, rules=rules, variant=body.variant, date=today)
        seed = secrets.randbits(48) if body.seed is None else body.seed
        live = LiveMatch(match, seed=seed, games=body.games, automatic_doubles=body.automatic_doubles * body.cube)
        clock = None if body.clock is None else Clock(reserve=body.clock.reserve, delay=body.clock.delay)
        settings = SittingSettings(opponent=body.opponent, seat=body.seat, clock=clock)
        sitting = _sitting(context, live, settings)
        sitting.answer()
        return dump(_told(kept.create(live, settings), sitting))

    data = await context.desk.answer(request, work, plies=DEEP)
    return json_bytes(data, 201)


@router.get("/play", responses=answers("PlayList"), response_class=Response)
async def list_matches(request: Request) -> Response:
    """Matches in progress, the one that was played last first, then those that are over."""
    context = context_of(request)
    library = context.library(caller_of(request))

    def work() -> bytes:
        return dump({"playing": [one.summary() for one in KeptMatches(library).all(limit=200)]})

    return json_bytes(await context.reading(work))


@router.get("/play/{number}", responses=answers("Playing"), response_class=Response)
async def look(request: Request, number: Number) -> Response:
    """A match in progress as it stands, with the game so far as what has happened."""
    context = context_of(request)
    library = context.library(caller_of(request))

    def work() -> bytes:
        kept = KeptMatches(library).get(number)
        sitting = _sitting(context, kept.live, kept.settings)
        sitting.look_back()
        return dump(_told(kept, sitting))

    return json_bytes(await context.reading(work))


@router.delete("/play/{number}", status_code=204, responses=answers("gone", status=204), response_class=Response)
async def forget(request: Request, number: Number) -> Response:
    """Forget a match in progress. One that is over stays in the library."""
    context = context_of(request)
    library = context.library(caller_of(request))
    await context.reading(lambda: KeptMatches(library).delete(number))
    return Response(status_code=204)


@router.post("/play/{number}/actions", responses=answers("Playing"), response_class=Response)
async def act(request: Request, number: Number, body: requests.ActionBody) -> Response:
    """Do something: roll, play, double, take, pass, beaver, raccoon, resign, accept, refuse, or go on to the next game.

    The answer tells what the opponent did about it, and what is asked now.
    """

    def change(kept: KeptMatch, sitting: Sitting) -> SittingSettings:
        sitting.act(body.action, body.play, size=body.size)
        clock = kept.settings.clock
        if clock is None or body.action == NEXT:
            return kept.settings
        used = kept.settings.used + max(body.seconds - clock.delay, 0.0)
        return replace(kept.settings, used=min(used, clock.reserve))

    return await _changed(request, number, body.version, change)


@router.post("/play/{number}/undo", responses=answers("Playing"), response_class=Response)
async def undo(request: Request, number: Number) -> Response:
    """Take back what you did last in this game, and all that followed. The dice come again as they were.

    The answer has the game so far as what has happened.
    """

    def change(kept: KeptMatch, sitting: Sitting) -> SittingSettings:
        if kept.live.is_over:
            raise Problem("conflict", "the match is over and in the library: nothing is taken back any more")
        if not sitting.undo():
            raise Problem("conflict", "there is nothing to take back in this game")
        return kept.settings

    return await _changed(request, number, None, change)


@router.get("/play/{number}/hint", responses=answers("Decision"), response_class=Response)
async def hint(request: Request, number: Number) -> Response:
    """What the engine would do in your place."""
    context = context_of(request)
    library = context.library(caller_of(request))

    def work(stop: Cancellation) -> bytes:
        live = _asked(KeptMatches(library).get(number))
        plies = context.plies_of(None)
        return dump(context.engine.answer(live.state, plies=plies, cancellation=stop).to_dict())

    return await context.answer(request, work, plies=DEEP)


@router.post("/play/{number}/tutor", responses=answers("Tutored"), response_class=Response)
async def tutor(request: Request, number: Number, body: requests.TutorBody) -> Response:
    """Analyse an action before it is done. What it costs is told only where that is more than the threshold."""
    context = context_of(request)
    library = context.library(caller_of(request))

    def work(stop: Cancellation) -> bytes:
        live = _asked(KeptMatches(library).get(number))
        if body.action not in live.choices:
            raise IllegalPlayError(f"{body.action!r} is not possible now; expected {', '.join(live.choices)}")
        found = Tutor(context.engine.stopped_by(stop)).analyse(live, body.action, body.play)
        if found is None or found.lost <= body.threshold:
            return dump({"warning": None})
        told = found.to_dict()
        return dump({"warning": {name: told[name] for name in ("lost", "mark", "blunder", "best", "chosen")}})

    return await context.answer(request, work, plies=DEEP)


# --- inside -----------------------------------------------------------------------------------------------------------


async def _changed(
    request: Request, number: int, version: int | None, change: Callable[[KeptMatch, Sitting], SittingSettings]
) -> Response:
    """Change a match and keep it, unless another window has been quicker."""
    context = context_of(request)
    library = context.library(caller_of(request))

    def work(_: Cancellation) -> bytes:
        matches = KeptMatches(library)
        kept = matches.get(number)
        if version is not None and version != kept.version:
            words = f"the match has gone on: this is version {kept.version}, not {version}; look at it again"
            raise Problem("conflict", words, version=kept.version)
        sitting = _sitting(context, kept.live, kept.settings)
        settings = change(kept, sitting)
        try:
            saved = matches.save(replace(kept, settings=settings))
        except StaleError as error:
            raise Problem("conflict", str(error)) from None
        return dump(_told(saved, sitting))

    return json_bytes(await context.desk.answer(request, work, plies=DEEP))


def _sitting(context: Context, live: LiveMatch, settings: SittingSettings) -> Sitting:
    return Sitting(live, settings.seat, opponent_of(settings.opponent, context.engine, seed=live.seed % (1 << 31)))


def _asked(kept: KeptMatch) -> LiveMatch:
    """The match, in which something is asked of the person."""
    if kept.live.player != kept.settings.seat:
        raise Problem("conflict", "nothing is asked: the game is over")
    return kept.live


def _my_name(library: Any) -> str:
    me = library.players.me()
    found = next((player.name for player in library.players.all() if player.id == me), None)
    return found or "Me"


def _told(kept: KeptMatch, sitting: Sitting) -> dict[str, Any]:
    """A match as it stands, with what has just happened."""
    live, settings = kept.live, kept.settings
    mine = live.player == settings.seat
    choices: list[str] = [choice.value for choice in live.choices] if mine else []
    if live.result is not None and not live.is_over:
        choices = [NEXT]
    clock = settings.clock
    return kept.summary() | {
        "state": live.state.to_dict(),
        "choices": choices,
        "plays": [play.to_dict() for play in live.plays] if mine and Choice.PLAY in live.choices else [],
        "undo": live.can_undo(settings.seat) and not live.is_over,
        "crawford": live.game.crawford,
        "opening": [list(throw) for throw in live.opening],
        "result": None if live.result is None else live.result.to_dict(),
        "happened": [one.to_dict() for one in sitting.happened],
        "clock": None
        if clock is None
        else {"reserve": clock.reserve, "delay": clock.delay, "left": clock.reserve - settings.used},
    }
