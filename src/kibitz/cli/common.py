"""What the commands share: arguments, options and JSON output."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION", help="A Position ID, POSITIONID:MATCHID, an XGID or a position file.", show_default=False
    ),
]
DiceArgument = Annotated[str, typer.Argument(metavar="DICE", help="A roll such as 31.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def print_json(data: Any) -> None:
    """Print plain data as JSON on stdout."""
    print(json.dumps(data, indent=2, ensure_ascii=False))
