"""kibitz explain: why one play or cube action is better than another."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json
from kibitz.cli.neural import MetOption, NetsOption, PliesOption, TablesOption, ThreadsOption, VariantOption
from kibitz.errors import EngineError

if TYPE_CHECKING:
    from kibitz.explain import Explanation
    from kibitz.heuristics.compare import Comparison

ROLL_LENGTH = 3
"""Dice are at most this long; what is longer is a play or a cube action."""


def explain(
    position: PositionArgument,
    options: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DICE] [PLAY] [PLAY2]",
            help="A roll such as 31, unless POSITION says one, and the plays to compare. One play is compared with the "
            "best one; without plays the best one is compared with the next. For the cube: the action in question.",
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
    plies: PliesOption = None,
    detail: Annotated[
        bool,
        typer.Option("--detail", help="All figures: rolls, outcomes, facts, and the hand-made engines' account."),
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FOLDER", help="Draw boards.svg and rolls.svg into this folder.")
    ] = None,
    met: MetOption = None,
    nets: NetsOption = None,
    variant: VariantOption = None,
    tables: TablesOption = None,
    threads: ThreadsOption = 0,
    json: JsonOption = False,
) -> None:
    """Say why a play or a cube action is better than another, with figures that can be checked."""
    from kibitz.cli.common import read_state
    from kibitz.cli.neural import make_engine
    from kibitz.explain.explain import explain as explain_state
    from kibitz.report.explanations import explanation_text

    given = list(options or [])
    dice = given.pop(0) if given and len(given[0]) <= ROLL_LENGTH and "/" not in given[0] else None
    state = read_state(position, dice, variant)
    engine = make_engine(plies=plies, threads=threads, nets=nets, met=met, tables=tables)
    found = explain_state(state, None, *given, engine=engine)
    appendix = _appendix(found, settings, assignments or ())
    if svg is not None:
        _draw(found, svg)
    if json:
        print_json(found.to_dict() | {"appendix": None if appendix is None else appendix.to_dict()})
        return
    print(explanation_text(found, detail=detail))
    if detail and appendix is not None:
        from kibitz.heuristics.compare import comparison_text

        words = textwrap.fill(appendix.words, width=80, break_on_hyphens=False)
        print(f"\nBy the hand-made engines:\n\n{comparison_text(appendix)}\n\n{words}")


def _appendix(found: Explanation, file: Path | None, assignments: Sequence[str]) -> Comparison | None:
    """What tabula and the ten factors say of the two plays, with their settings as given."""
    from kibitz.explain import PlayExplanation
    from kibitz.heuristics import Tabula, TenFactor
    from kibitz.heuristics.compare import compare_plays
    from kibitz.heuristics.settings import read_both

    factors, parts = read_both(file, assignments)
    if not isinstance(found, PlayExplanation):
        return None
    plays = found.first.play, found.second.play
    return compare_plays(*plays, ten_factor=TenFactor(factors), tabula=Tabula(parts))


def _draw(found: Explanation, folder: Path) -> None:
    from kibitz.explain import PlayExplanation
    from kibitz.files import cannot_write, write_file
    from kibitz.report.explanations import pair_svg, rolls_svg

    if not isinstance(found, PlayExplanation):
        raise EngineError("there are pictures of plays only, not of cube decisions")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from None
    write_file(folder / "boards.svg", pair_svg(found))
    write_file(folder / "rolls.svg", rolls_svg(found.ledger, found.names))
