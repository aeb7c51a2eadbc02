"""kibitz show: a position as a board."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(show)


def show(
    position: PositionArgument,
    play: Annotated[
        str | None, typer.Option(help="A play to draw as arrows into the picture, such as '8/5 6/5'.")
    ] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Put the player on roll at the top.")] = False,
    left: Annotated[bool, typer.Option("--left", help="Bear off to the left instead of to the right.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file instead of the terminal.")] = None,
    json: JsonOption = False,
) -> None:
    """Show a position: board, pips, cube, score and IDs."""
    from kibitz.errors import FormatError
    from kibitz.notation import parse, parse_play

    state = parse(position)
    drawn = parse_play(play, state.position, state.dice) if play is not None else None
    if svg is not None:
        from kibitz.report.svg import draw_state as draw_picture

        try:
            svg.write_text(draw_picture(state, play=drawn, flip=flip, left=left), encoding="utf-8")
        except OSError as error:
            raise FormatError(f"cannot write the picture to {svg}: {error.strerror}") from None
    if json:
        print_json(state.to_dict() | ({} if drawn is None else {"play": drawn.to_dict()}))
    elif svg is None:
        from kibitz.report.terminal import draw_state

        print(draw_state(state, flip=flip, left=left))
        if drawn is not None:
            print(f" {drawn.dice}: {drawn} -> {drawn.result.id}")
