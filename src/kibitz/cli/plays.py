"""kibitz plays: every legal play of a roll."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(plays)


def plays(
    position: PositionArgument,
    dice: Annotated[
        str | None,
        typer.Argument(metavar="DICE", help="A roll such as 31; by default the one in POSITION.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List every legal play of a roll, with the Position ID that it leads to."""
    from kibitz.dice import Dice
    from kibitz.errors import NotationError
    from kibitz.notation import parse

    state = parse(position)
    roll = Dice.of(dice) if dice is not None else state.dice
    if roll is None:
        raise NotationError("expected dice such as 31 after the position, which says none itself")
    legal = sorted(state.position.plays(roll), key=lambda play: [(-move.source, move.target) for move in play.moves])
    if json:
        data = {"position": state.position_id, "dice": list(roll), "plays": [play.to_dict() for play in legal]}
        print_json(data)
        return
    print(f"{state.position_id} with {roll}: {len(legal) or 'no'} legal play{'' if len(legal) == 1 else 's'}")
    width = max((len(str(play)) for play in legal), default=0)
    for play in legal:
        print(f"  {play!s:<{width}}  {play.result.id}")
