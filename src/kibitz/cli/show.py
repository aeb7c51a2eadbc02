"""kibitz show: a position as a board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common import (
    ColorOption,
    JsonOption,
    PositionArgument,
    ThemeOption,
    chosen_theme,
    print_json,
    read_position,
)


def show(
    position: PositionArgument,
    play: Annotated[
        str | None, typer.Option(help="A play to draw as arrows into the picture, such as '8/5 6/5'.")
    ] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Put the player on roll at the top.")] = False,
    left: Annotated[bool, typer.Option("--left", help="Bear off to the left instead of to the right.")] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture to this file; - for stdout.")
    ] = None,
    color: ColorOption = "auto",
    theme: ThemeOption = "light",
    json: JsonOption = False,
) -> None:
    """Show a position: board, pips, cube, score and IDs."""
    from kibitz.errors import FormatError
    from kibitz.files import write_file
    from kibitz.notation import parse_play

    state = read_position(position)
    drawn = parse_play(play, state.position, state.dice) if play is not None else None
    painted = chosen_theme(color, theme)
    if svg is not None:
        from kibitz.report.svg import draw_state as draw_picture
        from kibitz.report.themes import Theme

        picture = draw_picture(state, play=drawn, flip=flip, left=left, colours=Theme.of(theme).colours)
        if str(svg) == "-":
            if json:
                raise FormatError("expected --svg FILE beside --json: both cannot be written to stdout")
            sys.stdout.buffer.write(picture.encode())
            return
        write_file(svg, picture)
    if json:
        print_json(state.to_dict() | ({} if drawn is None else {"play": drawn.to_dict()}))
    elif svg is None:
        from kibitz.report.terminal import draw_state

        print(draw_state(state, flip=flip, left=left, theme=painted))
        if drawn is not None:
            print(f" {drawn.dice}: {drawn} -> {drawn.result.id}")
