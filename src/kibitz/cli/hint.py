"""kibitz hint: what to do now, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import (
    ColorOption,
    JsonOption,
    OptionalDice,
    PositionArgument,
    ThemeOption,
    board_text,
    chosen_theme,
    print_json,
    read_state,
    read_turn,
    was_given,
)
from kibitz.cli.neural import (
    CacheOption,
    CubelessOption,
    FilterOption,
    LevelOption,
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
)
from kibitz.errors import EngineError
from kibitz.heuristics import RANKERS, make_ranker

if TYPE_CHECKING:
    from kibitz.dice import Dice
    from kibitz.heuristics.protocol import HintEngine
    from kibitz.state import State

NEURAL = "neural"
"""The engine that also knows the cube, the score and looking ahead."""
DEFAULT_ENGINE = NEURAL
ENGINES = (NEURAL, *RANKERS)
"""The names of all engines, which is what --engine takes."""

SettingsOption = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="A TOML file with settings of the engine.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="One setting of the engine, such as blots=1.1; may be repeated."),
]


def hint(
    context: typer.Context,
    position: PositionArgument,
    dice: OptionalDice = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="NAME",
            help=f"{', '.join(ENGINES)}, or http://HOST:PORT.",
            autocompletion=lambda: list(ENGINES),
        ),
    ] = DEFAULT_ENGINE,
    plies: PliesOption = None,
    level: LevelOption = None,
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
    board: Annotated[bool, typer.Option("--board/--no-board", help="Show the board above the answer.")] = True,
    color: ColorOption = "auto",
    theme: ThemeOption = "light",
    json: JsonOption = False,
) -> None:
    """What to do now: the best play of a roll, double or not, take or pass, or how to answer a resignation."""
    painted = chosen_theme(color, theme)
    if engine == NEURAL or engine.startswith(("http://", "https://")):
        from kibitz.cli.hint_neural import Shown, hint_by_net

        if settings is not None or assignments:
            raise EngineError(
                "the neural engine has no settings file: its options are --plies, --filter and the others"
            )
        noisy: dict[str, Any] = {"pruning": pruning, "noise": noise, "noise_seed": noise_seed}
        search: dict[str, Any] = {"plies": plies, "filter": filter, "cubeless": cubeless, "threads": threads}
        search |= {"cache": cache, "nets": nets, "met": met, "tables": tables} | noisy
        if engine != NEURAL:
            search["url"] = engine
        shown = Shown(
            top=top, matrix=matrix, level=level, rollout=rollout, why=why, board=board, theme=painted, json=json
        )
        hint_by_net(read_state(position, dice, variant), plays=play or [], time=time, shown=shown, options=search)
        return
    if engine not in RANKERS:
        raise EngineError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    if why:
        raise EngineError("only the neural engine says why; the lists of the hand-made ones speak for themselves")
    others = ("plies", "level", "time", "filter", "met", "cubeless", "nets", "cache", "matrix", "rollout", "variant")
    names = (*others, "tables", "pruning", "noise", "noise_seed")
    if given := [f"--{name.replace('_', '-')}" for name in names if was_given(context, name)]:
        raise EngineError(f"{engine} knows no {', '.join(given)}: it has --settings, --set, --play and --top")
    from dataclasses import replace

    from kibitz.heuristics.protocol import EngineOptions
    from kibitz.state import Offer

    options = EngineOptions(settings, tuple(assignments or ()), threads)
    state, roll = read_turn(position, dice)
    shown_board = board_text(replace(state, dice=roll, offer=Offer.NONE), painted) if board else ""
    ranker = make_ranker(engine, options)
    hint_by_heuristic(state, roll, ranker, plays=play or [], top=top, board=shown_board, json=json)


def hint_by_heuristic(
    state: State, roll: Dice, ranker: HintEngine[Any], *, plays: list[str], top: int, board: str, json: bool
) -> None:
    """Rank the plays of a roll by one of the hand-made engines."""
    from kibitz.notation import parse_play

    named = [parse_play(text, state.position, roll) for text in plays]
    ranked = ranker.rank(state.position, roll)
    if json:
        found: dict[str, Any] = {"position": state.position_id, "dice": list(roll)}
        found |= {"named": [str(one) for one in named], "plays": [entry.to_dict() for entry in ranked]}
        print_json(ranker.to_dict() | found)
        return
    print(f"{board}{ranker.name}: {state.position_id} with {roll}")
    print(ranker.text(ranked, top=top, named=named))
