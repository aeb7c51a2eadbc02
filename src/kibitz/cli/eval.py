"""`kibitz eval`: what a position is worth, without the cube."""

from __future__ import annotations

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json
from kibitz.cli.neural import NetsOption, PliesOption, ThreadsOption, make_engine, read_state


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("eval")(evaluate)


def evaluate(
    position: PositionArgument,
    plies: PliesOption = None,
    nets: NetsOption = None,
    threads: ThreadsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Evaluate a position without the cube: five chances and the cubeless money equity."""
    state = read_state(position)
    engine = make_engine(plies=plies, nets=nets, threads=threads)
    evaluation = engine.evaluate(state)
    depth = engine.settings.plies
    if as_json:
        print_json({"position": state.position.to_dict(), "plies": depth, "evaluation": evaluation.to_dict()})
        return
    print(f"Position ID {state.position.id}, {depth} {'ply' if depth == 1 else 'plies'}, for the player on roll")
    print(f"{'':6}{'win':>9}{'gammon':>9}{'backgammon':>12}")
    print(f"{'wins':6}{evaluation.win:9.2%}{evaluation.win_gammon:9.2%}{evaluation.win_backgammon:12.2%}")
    print(f"{'loses':6}{evaluation.lose:9.2%}{evaluation.lose_gammon:9.2%}{evaluation.lose_backgammon:12.2%}")
    print(f"cubeless money equity {evaluation.equity:+.4f}")
