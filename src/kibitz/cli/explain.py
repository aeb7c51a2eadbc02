"""kibitz explain: two plays side by side, and what the second gives up."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common import DiceArgument, JsonOption, PositionArgument, print_json


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(explain)


def explain(
    position: PositionArgument,
    dice: DiceArgument,
    play: Annotated[str, typer.Argument(metavar="PLAY", help="A play such as '8/5 6/5'.", show_default=False)],
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLAY2]",
            help="What to compare it with. Alone, PLAY is compared with the best other play by the ten factors.",
            show_default=False,
        ),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option("--settings", metavar="FILE", help="A TOML file with sections [ten-factor] and [tabula]."),
    ] = None,
    assignments: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="ENGINE.NAME=VALUE",
            help="One setting, such as tabula.blots=1.1 or ten-factor.hits=0.5; may be repeated.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare two plays factor by factor and part by part, and say what the second gives up."""
    from kibitz.cli.hint import read_turn
    from kibitz.heuristics import Tabula, TenFactor
    from kibitz.heuristics.compare import compare_plays, comparison_text
    from kibitz.heuristics.settings import read_both
    from kibitz.notation import parse_play

    state, roll = read_turn(position, dice)
    given = parse_play(play, state.position, roll)
    # A lone play is the one in question, so it is told second: what it gives up is what is asked for.
    first, second = (None, given) if other is None else (given, parse_play(other, state.position, roll))
    factors, parts = read_both(settings, assignments or ())
    comparison = compare_plays(first, second, ten_factor=TenFactor(factors), tabula=Tabula(parts))
    if json:
        print_json({"position": state.position_id, "dice": list(roll)} | comparison.to_dict())
        return
    print(comparison_text(comparison))
    print()
    print(textwrap.fill(comparison.words, width=80, break_on_hyphens=False))
