"""`kibitz convert`: a match file in another format."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common import JsonOption, print_json
from kibitz.cli.streams import shown, tell


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A match file of any format.", show_default=False)],
    target: Annotated[
        str,
        typer.Argument(metavar="OUT", help="A .mat, .sgf or .json file to write; - for stdout.", show_default=False),
    ],
    read_as: Annotated[str | None, typer.Option("--from", help="The format of IN, if it cannot be told.")] = None,
    write_as: Annotated[str | None, typer.Option("--to", help="The format of OUT: mat, sgf or json.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a match file in another format, and say on stderr what that format cannot hold."""
    from kibitz import formats
    from kibitz.errors import FormatError

    if target == "-" and write_as is None:
        raise FormatError("to write to stdout, name the format: --to mat, --to sgf or --to json")
    if target != "-" and Path(target).exists() and Path(source).exists() and Path(target).samefile(source):
        raise FormatError(f"{target} is the file itself that is to be converted; expected another OUT")
    match = formats.load(source, format=read_as)
    if target == "-":
        data, dropped = formats.by_name(write_as or "").write(match)
        sys.stdout.buffer.write(data)
    else:
        dropped = formats.save(match, target, format=write_as)
    for warning in match.warnings:
        tell(warning)
    for loss in dropped:
        tell(f"not kept: {loss}")
    if target == "-":
        return
    actions = sum(len(game.actions) for game in match.games)
    if as_json:
        print_json(
            {
                "source": source,
                "source_format": match.format,
                "target": target,
                "players": list(match.players),
                "length": match.length,
                "score": list(match.score),
                "games": len(match.games),
                "actions": actions,
                "warnings": [str(warning) for warning in match.warnings],
                "dropped": dropped,
            }
        )
        return
    print(f"{match}, {actions} actions -> {shown(target)}")
