"""kibitz hint: what to do now, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json
from kibitz.cli.neural import (
    CacheOption,
    CubelessOption,
    FilterOption,
    MetOption,
    NetsOption,
    NoiseOption,
    NoiseSeedOption,
    PliesOption,
    PruningOption,
    TablesOption,
    ThreadsOption,
    TimeOption,
    VariantOption,
    read_state,
)
from kibitz.errors import EngineError, NotationError
from kibitz.heuristics import RANKERS, make_ranker

if TYPE_CHECKING:
    from kibitz.dice import Dice
    from kibitz.heuristics.protocol import HintEngine
    from kibitz.state import State

NEURAL = "neural"
"""The engine that also knows the cube, the score and looking ahead."""
DEFAULT_ENGINE = NEURAL

SettingsOption = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="A TOML file with settings of the engine.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="One setting of the engine, such as blots=1.1; may be repeated."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(hint)


def hint(
    position: PositionArgument,
    dice: Annotated[
        str | None,
        typer.Argument(metavar="[DICE]", help="A roll such as 31; by default the one in POSITION.", show_default=False),
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", help=f"One of {', '.join([NEURAL, *RANKERS])}, or http://HOST:PORT.")
    ] = DEFAULT_ENGINE,
    plies: PliesOption = None,
    play: Annotated[
        list[str] | None, typer.Option("--play", help="A play to list and analyse too, however bad; may be repeated.")
    ] = None,
    time: TimeOption = None,
    filter: FilterOption = "normal",
    cubeless: CubelessOption = False,
    met: MetOption = None,
    nets: NetsOption = None,
    cache: CacheOption = 32.0,
    settings: SettingsOption = None,
    assignments: SetOption = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How many plays to print.")] = 10,
    matrix: Annotated[
        int | None, typer.Option("--matrix", metavar="N", help="The best play at all scores up to N away.")
    ] = None,
    rollout: Annotated[
        str | None,
        typer.Option("--rollout", metavar="PRESET", help="Roll it out: quick, standard, roller++ and so on."),
    ] = None,
    variant: VariantOption = None,
    tables: TablesOption = None,
    pruning: PruningOption = True,
    noise: NoiseOption = 0.0,
    noise_seed: NoiseSeedOption = 0,
    threads: ThreadsOption = 0,
    why: Annotated[bool, typer.Option("--why", help="Say why, too: see kibitz explain.")] = False,
    json: JsonOption = False,
) -> None:
    """What to do now: the best play of a roll, double or not, take or pass, or how to answer a resignation."""
    if engine == NEURAL or engine.startswith(("http://", "https://")):
        from kibitz.cli.hint_neural import Shown, hint_by_net

        if settings is not None or assignments:
            raise EngineError(
                "the neural engine has no settings file: its options are --plies, --filter and the others"
            )
        context: dict[str, Any] = {"pruning": pruning, "noise": noise, "noise_seed": noise_seed}
        search: dict[str, Any] = {"plies": plies, "filter": filter, "cubeless": cubeless, "threads": threads}
        search |= {"cache": cache, "nets": nets, "met": met, "tables": tables} | context
        if engine != NEURAL:
            search["url"] = engine
        shown = Shown(top=top, matrix=matrix, rollout=rollout, why=why, json=json)
        hint_by_net(read_state(position, dice, variant), plays=play or [], time=time, shown=shown, options=search)
        return
    if engine not in RANKERS:
        raise EngineError(f"there is no engine {engine!r}; there are {', '.join([NEURAL, *RANKERS])}")
    if why:
        raise EngineError("only the neural engine says why; the lists of the hand-made ones speak for themselves")
    others: dict[str, Any] = {"--plies": plies, "--time": time, "--met": met, "--nets": nets, "--matrix": matrix}
    others |= {
        "--rollout": rollout,
        "--variant": variant,
        "--tables": tables,
        "--noise": noise or None,
        "--no-pruning": not pruning or None,
    }
    others |= {"--cubeless": cubeless or None, "--filter": None if filter == "normal" else filter}
    if given := [name for name, value in others.items() if value is not None]:
        raise EngineError(f"{engine} knows no {', '.join(given)}: it has --settings, --set, --play and --top")
    from kibitz.heuristics.protocol import EngineOptions

    options = EngineOptions(settings, tuple(assignments or ()), threads)
    hint_by_heuristic(position, dice, make_ranker(engine, options), plays=play or [], top=top, json=json)


def hint_by_heuristic(
    position: str, dice: str | None, ranker: HintEngine[Any], *, plays: list[str], top: int, json: bool
) -> None:
    """Rank the plays of a roll by one of the hand-made engines."""
    from kibitz.notation import parse_play

    state, roll = read_turn(position, dice)
    named = [parse_play(text, state.position, roll) for text in plays]
    ranked = ranker.rank(state.position, roll)
    if json:
        found: dict[str, Any] = {"position": state.position_id, "dice": list(roll)}
        found |= {"named": [str(one) for one in named], "plays": [entry.to_dict() for entry in ranked]}
        print_json(ranker.to_dict() | found)
        return
    print(f"{ranker.name}: {state.position_id} with {roll}")
    print(ranker.text(ranked, top=top, named=named))


def read_turn(position: str, dice: str | None) -> tuple[State, Dice]:
    """The state and the roll that a command is asked about."""
    from kibitz.dice import Dice
    from kibitz.notation import parse

    state = parse(position)
    roll = Dice.of(dice) if dice is not None else state.dice
    if roll is None:
        raise NotationError("expected dice such as 31 after the position, which says none itself")
    return state, roll
