"""kibitz serve: Kibitz as an engine for other programs."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.hint import ENGINES, NEURAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.play.players import EnginePlayer
    from kibitz.position import Variant
    from kibitz.protocols.answers import Answerer
    from kibitz.protocols.limits import Limits
    from kibitz.protocols.line_server import Conversation

serve = typer.Typer(no_args_is_help=True, help="Be an engine for other programs: http, ubgi, gnubg, bei.")

PliesOption = Annotated[
    int | None, typer.Option("--plies", min=0, max=4, help="How far to look ahead; 2 by default, or the level's.")
]
LevelOption = Annotated[
    str | None, typer.Option("--level", help="Play as beginner, casual, intermediate … grandmaster do.")
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help=f"Who plays: {', '.join(ENGINES)}.",
        autocompletion=lambda: list(ENGINES),
    ),
]
LevelSeedOption = Annotated[int, typer.Option("--seed", min=0, help="The errors of a level follow from it.")]
MostPliesOption = Annotated[int, typer.Option("--max-plies", min=0, max=4, help="The most that a client may ask for.")]
ThreadsOption = Annotated[int, typer.Option("--threads", min=0, help="Cores to use; 0 for all.")]
ThinkOption = Annotated[float, typer.Option("--think", min=0.01, help="Seconds for one answer at most.")]
VariantOption = Annotated[
    str, typer.Option("--variant", metavar="GAME", help="backgammon, nackgammon, hypergammon-1, -2 or -3.")
]
HostOption = Annotated[str, typer.Option("--host", help="The address to listen on; only this machine by default.")]
PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 for a free one.")]
ClientsOption = Annotated[int, typer.Option("--clients", min=1, help="How many may be connected at the same time.")]
IdleOption = Annotated[float, typer.Option("--idle", min=0.1, help="Seconds without a line until a client is left.")]


@serve.command()
def ubgi(
    plies: PliesOption = None,
    level: LevelOption = None,
    engine: EngineOption = NEURAL,
    seed: LevelSeedOption = 0,
    max_plies: MostPliesOption = 3,
    threads: ThreadsOption = 0,
    think: ThinkOption = 30.0,
    variant: VariantOption = "backgammon",
) -> None:
    """The Universal Backgammon Interface over standard input and output."""
    from kibitz.protocols.answers import Answerer
    from kibitz.protocols.stdio import serve_ubgi
    from kibitz.protocols.ubgi import UbgiConversation

    limits = _limits(max(plies or 0, max_plies), think)
    answerer, game = Answerer(_player(engine, plies, level, seed, threads), limits), _variant(variant)
    lines = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115
    try:
        serve_ubgi(UbgiConversation(answerer, game), lines, sys.stdout.buffer, answerer.limits)
    except KeyboardInterrupt:
        print("kibitz: stopped", file=sys.stderr)


@serve.command()
def gnubg(
    plies: PliesOption = None,
    level: LevelOption = None,
    engine: EngineOption = NEURAL,
    seed: LevelSeedOption = 0,
    port: PortOption = 4321,
    host: HostOption = "127.0.0.1",
    jacoby: Annotated[bool, typer.Option("--jacoby/--no-jacoby", help="The Jacoby rule in money games.")] = True,
    max_plies: MostPliesOption = 3,
    threads: ThreadsOption = 0,
    think: ThinkOption = 30.0,
    variant: VariantOption = "backgammon",
    clients: ClientsOption = 8,
    idle: IdleOption = 3600.0,
) -> None:
    """An external player for GNU Backgammon, and an answerer of its board and evaluation lines."""
    from kibitz.protocols.answers import Answerer
    from kibitz.protocols.gnubg_socket import GnubgConversation

    limits = _limits(max(plies or 0, max_plies), think, clients=clients, idle_seconds=idle)
    answerer, game = Answerer(_player(engine, plies, level, seed, threads), limits), _variant(variant)
    _listen(lambda: GnubgConversation(answerer, jacoby=jacoby, variant=game), answerer, host, port)


@serve.command()
def bei(
    plies: PliesOption = None,
    level: LevelOption = None,
    engine: EngineOption = NEURAL,
    seed: LevelSeedOption = 0,
    port: PortOption = 8765,
    host: HostOption = "127.0.0.1",
    max_plies: MostPliesOption = 3,
    threads: ThreadsOption = 0,
    think: ThinkOption = 30.0,
    variant: VariantOption = "backgammon",
    clients: ClientsOption = 8,
    idle: IdleOption = 600.0,
) -> None:
    """The Backgammon Engine Interface over TCP."""
    from kibitz.protocols.answers import Answerer
    from kibitz.protocols.bei import BeiConversation

    limits = _limits(max(plies or 0, max_plies), think, clients=clients, idle_seconds=idle)
    answerer, game = Answerer(_player(engine, plies, level, seed, threads), limits), _variant(variant)
    _listen(lambda: BeiConversation(answerer, game), answerer, host, port)


@serve.command()
def http(
    host: HostOption = "127.0.0.1",
    port: PortOption = 8642,
    library: Annotated[
        str | None, typer.Option("--library", metavar="FILE|URL", help="Where matches and jobs are kept.")
    ] = None,
    keys: Annotated[
        str | None, typer.Option("--keys", metavar="FILE", help="Serve others too, by API keys (kibitz serve key).")
    ] = None,
    proxy: Annotated[
        list[str] | None, typer.Option("--proxy", metavar="ADDRESS", help="A proxy that says who calls; repeatable.")
    ] = None,
    user_header: Annotated[str, typer.Option("--user-header", help="Where the proxy says it.")] = "X-Forwarded-User",
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="HOST", help="A name that the server answers to; repeatable.")
    ] = None,
    plies: Annotated[int, typer.Option("--plies", min=0, max=7, help="How far to look ahead by default.")] = 2,
    threads: ThreadsOption = 0,
    job_threads: Annotated[int, typer.Option("--job-threads", min=0, help="Cores for jobs; 0 for all.")] = 0,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="Do jobs on a Dask cluster, or on 'local' ones.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes, with --keys or --proxy.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log problems only.")] = False,
) -> None:
    """Analysis over HTTP, described by OpenAPI, and its face. Local unless keys or a proxy are given."""
    import logging

    from kibitz.service import check_extra

    check_extra()
    from kibitz.service.server import serve as serve_http
    from kibitz.service.settings import SHARED, Limits, Settings
    from kibitz.web.face import WORKERS, make_face_app

    settings = Settings(
        host=host,
        port=port,
        library=library,
        keys=keys,
        proxies=tuple(proxy or ()),
        user_header=user_header.lower(),
        hosts=tuple(name or ()),
        plies=plies,
        threads=threads,
        job_threads=job_threads,
        cluster=cluster,
        workers=workers,
        limits=SHARED if keys or proxy else Limits(),
    )
    level = logging.WARNING if quiet else logging.INFO
    serve_http(settings, make=make_face_app, factory=WORKERS, log_level=level)


@serve.command()
def key(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who gets the key; owns what it brings in.")],
    keys: Annotated[str, typer.Option("--keys", metavar="FILE", help="The file that keeps the hashes of keys.")],
) -> None:
    """Make an API key for `kibitz serve http --keys`. It is printed once; the file keeps its hash."""
    from pathlib import Path

    from kibitz.service.keys import add_key

    print(add_key(Path(keys), name))


def _player(name: str, plies: int | None, level: str | None, seed: int, threads: int) -> EnginePlayer:
    """The engine at a level, or sure of itself and as deep as `Engine` looks; or a hand-made engine."""
    from kibitz.engine.engine import Engine
    from kibitz.engine.levels import Level
    from kibitz.engine.settings import DEFAULT_PLIES
    from kibitz.errors import EngineError
    from kibitz.heuristics import make_ranker
    from kibitz.play.players import EnginePlayer

    if name not in ENGINES:
        raise EngineError(f"there is no engine {name!r}; there are {', '.join(ENGINES)}")
    if name != NEURAL:
        if plies is not None or level is not None:
            raise EngineError(f"{name} has no levels and does not look ahead: expected no --plies and no --level")
        return EnginePlayer(Engine(plies=0, threads=threads), seed=seed, ranker=make_ranker(name))
    engine = Engine(plies=DEFAULT_PLIES if plies is None else plies, threads=threads)
    if level is None:
        return EnginePlayer(engine, seed=seed)
    chosen = Level.of(level)
    if chosen.steps:
        raise EngineError(
            f"a server answers by one search, and the level {level!r} takes several; expected another one"
        )
    return EnginePlayer(engine, replace(chosen, search=chosen.search.changed(plies=plies)), seed=seed)


def _variant(name: str) -> Variant:
    from kibitz.errors import EngineError
    from kibitz.position import Variant

    if name not in list(Variant):
        raise EngineError(f"there is no variant {name!r}; there are {', '.join(Variant)}")
    return Variant(name)


def _limits(plies: int, think: float, **others: Any) -> Limits:
    from kibitz.protocols.limits import Limits

    return Limits(plies=plies, think_seconds=think, **others)


def _listen(talk: Callable[[], Conversation], answerer: Answerer, host: str, port: int) -> None:
    from kibitz.protocols.line_server import LineServer

    server = LineServer(talk, host=host, port=port, limits=answerer.limits)
    print(f"listening on {server.host}:{server.port}; Ctrl-C ends it", file=sys.stderr, flush=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        print("kibitz: stopped", file=sys.stderr)
    finally:
        answerer.stop()
        server.close()
