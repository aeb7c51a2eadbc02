"""kibitz play: a game or a match against the engine."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.neural import MetOption, NetsOption, ThreadsOption, make_engine
from kibitz.errors import EngineError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)


def play(
    length: Annotated[int, typer.Option("--length", "-n", min=0, help="Points of the match; 0 for money.")] = 5,
    level: Annotated[str, typer.Option("--level", help="beginner, casual, intermediate … grandmaster.")] = "expert",
    name: Annotated[str, typer.Option("--name", help="Your name in the record.")] = "You",
    seed: Annotated[
        int | None, typer.Option("--seed", help="Dice and errors follow from it; random by default.")
    ] = None,
    games: Annotated[int, typer.Option("--games", min=1, help="Games of a money session.")] = 1,
    jacoby: Annotated[bool, typer.Option("--jacoby/--no-jacoby", help="The Jacoby rule, for money.")] = True,
    beavers: Annotated[bool, typer.Option("--beavers", help="Beavers, for money.")] = False,
    automatic_doubles: Annotated[
        int, typer.Option("--automatic-doubles", min=0, help="How often equal first dice turn the cube, for money.")
    ] = 0,
    variant: Annotated[
        str, typer.Option("--variant", help="backgammon, nackgammon, hypergammon-1, -2 or -3.")
    ] = "backgammon",
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Where to keep the match: .mat, .sgf or .json.")
    ] = None,
    no_save: Annotated[bool, typer.Option("--no-save", help="Keep no record.")] = False,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a match that was kept.")
    ] = None,
    met: MetOption = None,
    nets: NetsOption = None,
    threads: ThreadsOption = 0,
) -> None:
    """Play against the engine in the terminal. The match is saved after every action."""
    import secrets

    from kibitz.cli.play_terminal import ENGINE, PERSON, TerminalMatch
    from kibitz.engine.levels import Level
    from kibitz.formats import by_suffix, load
    from kibitz.play.live_match import LiveMatch
    from kibitz.play.players import EnginePlayer
    from kibitz.position import Variant
    from kibitz.record import Match, Rules

    chosen = Level.of(level)
    if variant not in list(Variant):
        raise EngineError(f"the variants that can be played are {', '.join(Variant)}, not {variant!r}")
    engine = make_engine(plies=chosen.search.plies, threads=threads, nets=nets, met=met)
    now = datetime.now()
    if resume is not None:
        match = load(resume)
        path: Path | None = save or resume
    else:
        rules = Rules(jacoby=jacoby and not length, beavers=beavers and not length)
        date = now.date().isoformat()
        match = Match((name, f"Kibitz ({chosen.name})"), length, rules=rules, variant=Variant(variant), date=date)
        path = save or Path(f"kibitz-{now:%Y%m%d-%H%M%S}.mat")
    if no_save:
        path = None
    elif path is not None and not by_suffix(path.suffix).writer:
        raise EngineError(f"a match can be kept as .mat, .sgf or .json, not as {path.suffix!r}")
    seed = secrets.randbits(32) if seed is None else seed
    live = LiveMatch(match, seed=seed, games=games, automatic_doubles=automatic_doubles, path=path)
    print(f"{match.players[PERSON]} against {match.players[ENGINE]}, seed {seed}. Say help for help.")
    TerminalMatch(live, EnginePlayer(engine, chosen, seed=seed), input, print).run()
