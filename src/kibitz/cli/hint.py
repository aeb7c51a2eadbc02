"""kibitz hint: the best plays of a roll, and why."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json
from kibitz.errors import EngineError, NotationError

if TYPE_CHECKING:
    from kibitz.dice import Dice
    from kibitz.engine.protocol import EngineOptions, HintEngine
    from kibitz.state import State

ENGINES: dict[str, str] = {
    "ten-factor": "kibitz.heuristics.ten_factor:make",
    "tabula": "kibitz.heuristics.tabula:make",
}
"""Engines by name: the module, loaded when needed, and the function in it that makes one from EngineOptions."""

DEFAULT_ENGINE = "ten-factor"

SettingsOption = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="A TOML file with settings of the engine.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="One setting of the engine, such as blots=1.1; may be repeated."),
]
ThreadsOption = Annotated[int, typer.Option("--threads", min=0, help="Cores to use; 0 for all.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(hint)


def hint(
    position: PositionArgument,
    dice: Annotated[
        str | None,
        typer.Argument(metavar="[DICE]", help="A roll such as 31; by default the one in POSITION.", show_default=False),
    ] = None,
    engine: Annotated[str, typer.Option("--engine", help=f"One of {', '.join(ENGINES)}.")] = DEFAULT_ENGINE,
    settings: SettingsOption = None,
    assignments: SetOption = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How many plays to print.")] = 10,
    threads: ThreadsOption = 0,
    json: JsonOption = False,
) -> None:
    """Rank the plays of a roll, with all that each engine's score is made of."""
    from kibitz.engine.protocol import EngineOptions

    state, roll = read_turn(position, dice)
    ranker = make_engine(engine, EngineOptions(settings, tuple(assignments or ()), threads))
    ranked = ranker.rank(state.position, roll)
    if json:
        plays = [entry.to_dict() for entry in ranked]
        print_json(ranker.to_dict() | {"position": state.position_id, "dice": list(roll), "plays": plays})
        return
    print(f"{ranker.name}: {state.position_id} with {roll}")
    print(ranker.table(ranked, top=top))


def make_engine(name: str, options: EngineOptions) -> HintEngine[Any]:
    """The engine of this name."""
    if name not in ENGINES:
        raise EngineError(f"there is no engine {name!r}; there are {', '.join(ENGINES)}")
    module, _, function = ENGINES[name].partition(":")
    engine: HintEngine[Any] = getattr(import_module(module), function)(options)
    return engine


def read_turn(position: str, dice: str | None) -> tuple[State, Dice]:
    """The state and the roll that a command is asked about."""
    from kibitz.dice import Dice
    from kibitz.notation import parse

    state = parse(position)
    roll = Dice.of(dice) if dice is not None else state.dice
    if roll is None:
        raise NotationError("expected dice such as 31 after the position, which says none itself")
    return state, roll
