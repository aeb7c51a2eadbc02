"""`kibitz eval`: what the net says of a position."""

from __future__ import annotations

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("eval")(evaluate)


def evaluate(position: PositionArgument, as_json: JsonOption = False) -> None:
    """Judge a position by the net or the exact tables alone: five chances and the cubeless equity."""
    import kibitz

    state = kibitz.parse(position)
    evaluation = kibitz.Engine().evaluate(state.position)
    if as_json:
        print_json({"position": state.position.to_dict(), "plies": 0, "evaluation": evaluation.to_dict()})
        return
    print(f"Position ID {state.position.id}, 0 plies, for the player on roll")
    print(f"{'':6}{'win':>9}{'gammon':>9}{'backgammon':>12}")
    print(f"{'wins':6}{evaluation.win:9.2%}{evaluation.win_gammon:9.2%}{evaluation.win_backgammon:12.2%}")
    print(f"{'loses':6}{evaluation.lose:9.2%}{evaluation.lose_gammon:9.2%}{evaluation.lose_backgammon:12.2%}")
    print(f"cubeless equity {evaluation.equity:+.4f}")
