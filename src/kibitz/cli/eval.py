"""`kibitz eval`: what a position is worth, without the cube or with it, and who says so."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json, read_state
from kibitz.cli.neural import (
    MetOption,
    NetsOption,
    NoiseOption,
    NoiseSeedOption,
    PliesOption,
    PruningOption,
    TablesOption,
    ThreadsOption,
    VariantOption,
    make_engine,
    with_score,
)


def eval(
    position: PositionArgument,
    plies: PliesOption = None,
    cubeful: Annotated[bool, typer.Option("--cubeful", help="The equity with the cube too.")] = False,
    match: Annotated[
        str | None,
        typer.Option(
            "--match", metavar="SCORE", help="A match score: 7:3-5 is 3 to 5 in a match to 7; 7:6-4C Crawford."
        ),
    ] = None,
    met: MetOption = None,
    nets: NetsOption = None,
    variant: VariantOption = None,
    tables: TablesOption = None,
    pruning: PruningOption = True,
    noise: NoiseOption = 0.0,
    noise_seed: NoiseSeedOption = 0,
    threads: ThreadsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Evaluate a position: its class, five chances and the cubeless equity; with --cubeful the equity with the cube."""
    state = with_score(read_state(position, None, variant), match)
    context: dict[str, Any] = {"pruning": pruning, "noise": noise, "noise_seed": noise_seed}
    engine = make_engine(plies=plies, nets=nets, threads=threads, met=met, tables=tables, **context)
    found = engine.value(state, cubeful=cubeful)
    if as_json:
        print_json({"position": state.position.to_dict(), "match": state.match.to_dict()} | found.to_dict())
        return
    evaluation, depth = found.evaluation, found.level.depth
    score = "" if state.match.is_money else f", {state.match.my_away} away against {state.match.their_away}"
    print(f"Position ID {state.position.id}, {depth}{score}, for the player on roll")
    print(f"class: {found.position_class}")
    print(f"{'':6}{'win':>9}{'gammon':>9}{'backgammon':>12}")
    print(f"{'wins':6}{evaluation.win:9.2%}{evaluation.win_gammon:9.2%}{evaluation.win_backgammon:12.2%}")
    print(f"{'loses':6}{evaluation.lose:9.2%}{evaluation.lose_gammon:9.2%}{evaluation.lose_backgammon:12.2%}")
    print(f"cubeless money equity {evaluation.equity:+.4f}")
    if cubeful:
        print(f"cubeful equity {found.equity:+.4f}" + ("" if state.match.is_money else ", normalised"))
    elif not state.match.is_money:
        print(f"cubeless equity at the score {found.equity:+.4f}, normalised")
    if found.mwc is not None:
        print(f"match winning chance {found.mwc:.2%}, {found.level.kind}")
