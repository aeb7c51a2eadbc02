"""kibitz play: a game or a match against the engine."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common import ColorOption, ThemeOption, chosen_theme, was_given
from kibitz.cli.hint import ENGINES, NEURAL
from kibitz.cli.neural import MetOption, NetsOption, ThreadsOption, make_engine
from kibitz.errors import EngineError
from kibitz.heuristics import make_ranker

_LEVEL, _ENGINE = "Kibitz level", "Kibitz engine"
"""Headers of the record that keep who plays."""


def level_names() -> list[str]:
    """The levels, weakest first, for the shell to complete."""
    from kibitz.engine.levels import LEVELS

    return list(LEVELS)


def play(
    context: typer.Context,
    length: Annotated[int, typer.Option("--length", "-n", min=0, help="Points of the match; 0 for money.")] = 5,
    level: Annotated[
        str,
        typer.Option(
            "--level",
            metavar="LEVEL",
            help="beginner, casual, intermediate, advanced, expert, master or grandmaster.",
            autocompletion=level_names,
        ),
    ] = "expert",
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
        Path | None,
        typer.Option("--resume", metavar="FILE", help="Go on with a match that was kept: same dice, same opponent."),
    ] = None,
    tutor: Annotated[bool, typer.Option("--tutor", help="Object to errors before they are made.")] = False,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="NAME",
            help=f"Who plays: {', '.join(ENGINES)}.",
            autocompletion=lambda: list(ENGINES),
        ),
    ] = NEURAL,
    color: ColorOption = "auto",
    theme: ThemeOption = "light",
    met: MetOption = None,
    nets: NetsOption = None,
    threads: ThreadsOption = 0,
) -> None:
    """Play against the engine in the terminal. The match is saved after every action."""
    import secrets

    from kibitz.cli.play_terminal import ENGINE, PERSON, TerminalMatch
    from kibitz.engine.levels import Level
    from kibitz.formats import by_suffix, load
    from kibitz.formats.limits import printable
    from kibitz.play.live_match import LiveMatch
    from kibitz.play.players import EnginePlayer
    from kibitz.play.tutor import Tutor
    from kibitz.position import Variant
    from kibitz.record import Match, Rules

    painted = chosen_theme(color, theme)
    match = None if resume is None else load(resume)
    kept = {} if match is None else dict(match.info)
    if not was_given(context, "level"):
        level = kept.get(_LEVEL, level)
    if not was_given(context, "engine"):
        engine = kept.get(_ENGINE, engine)
    chosen = Level.of(level)
    if engine not in ENGINES:
        raise EngineError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    ranker = None if engine == NEURAL else make_ranker(engine)
    if variant not in list(Variant):
        raise EngineError(f"the variants that can be played are {', '.join(Variant)}, not {variant!r}")
    net = make_engine(plies=chosen.search.plies, threads=threads, nets=nets, met=met)
    now = datetime.now()
    path = save or resume
    if match is None:
        rules = Rules(jacoby=jacoby and not length, beavers=beavers and not length)
        date = now.date().isoformat()
        opponent = f"Kibitz ({chosen.name if ranker is None else engine})"
        info = ((_LEVEL, chosen.name), (_ENGINE, engine))
        match = Match((printable(name), opponent), length, rules=rules, variant=Variant(variant), date=date, info=info)
        path = save or Path(f"kibitz-{now:%Y%m%d-%H%M%S}.mat")
        seed = secrets.randbits(32) if seed is None else seed
    if no_save:
        path = None
    elif path is not None and not by_suffix(path.suffix).writer:
        raise EngineError(f"a match can be kept as .mat, .sgf or .json, not as {path.suffix!r}")
    agreed = {"games": games, "automatic_doubles": automatic_doubles}
    if resume is not None:  # what was agreed on stays, unless it is said anew
        agreed = {name: value for name, value in agreed.items() if was_given(context, name)}
    live = LiveMatch(match, seed=seed, path=path, **agreed)
    print(f"{match.players[PERSON]} against {match.players[ENGINE]}, seed {live.seed}. Enter rolls; help says more.")
    player = EnginePlayer(net, chosen, seed=live.seed, ranker=ranker)
    _edit_lines()
    TerminalMatch(live, player, input, print, Tutor(net) if tutor else None, painted).run()


def _edit_lines() -> None:
    """Let arrow keys edit the line and bring back what was said before, where the system can do that."""
    import sys
    from contextlib import suppress
    from importlib import import_module

    if sys.stdin.isatty():
        with suppress(ImportError):
            import_module("readline")  # input() uses it once it is there; not every system has it
