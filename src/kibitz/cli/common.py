"""What the commands share: arguments, options, positions from wherever they come, and JSON output."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.errors import NotationError

if TYPE_CHECKING:
    from kibitz.dice import Dice
    from kibitz.report.themes import Theme
    from kibitz.state import State

PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="A Position ID, POSITIONID:MATCHID, an XGID, a FIBS board, a position file, or - for standard input.",
        show_default=False,
    ),
]
OptionalDice = Annotated[
    str | None,
    typer.Argument(metavar="DICE", help="A roll such as 31; by default the one in POSITION.", show_default=False),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster such as tcp://10.0.0.1:8786, or local."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
ColorOption = Annotated[
    str, typer.Option("--color", metavar="WHEN", help="auto, always or never.", autocompletion=lambda: list(_WHEN))
]
ThemeOption = Annotated[
    str,
    typer.Option(
        "--theme",
        metavar="NAME",
        help="The colours of boards: light, dark, wood or contrast.",
        autocompletion=lambda: ["light", "dark", "wood", "contrast"],
    ),
]
_WHEN = ("auto", "always", "never")
MOST_INPUT = 1 << 20
"""Bytes of a position that are read from standard input."""


def read_position(text: str) -> State:
    """The state of a notation, a position file or standard input."""
    from kibitz.notation import parse

    if text == "-":
        text = sys.stdin.buffer.read(MOST_INPUT).decode("utf-8", "replace").strip()
        if not text:
            raise NotationError("expected a position on standard input, which is empty")
    elif _is_file(text):
        from kibitz.analysis.positions import load_state

        return load_state(text)
    return parse(text)


def read_state(position: str, dice: str | None = None, variant: str | None = None) -> State:
    """What is asked about, in a variant; dice beside it replace its dice and offers.

    Few checkers of both sides at home are most likely the end of a game of backgammon. Who plays hypergammon is told.
    """
    from kibitz.dice import Dice
    from kibitz.notation import in_game
    from kibitz.position import HYPERGAMMON_CHECKERS, Variant
    from kibitz.state import Offer

    state = in_game(read_position(position), variant)
    few = max(sum(state.position.mine), sum(state.position.theirs)) <= HYPERGAMMON_CHECKERS
    if few and variant is None and state.match.variant is Variant.BACKGAMMON:
        print("kibitz: taken for backgammon; --variant hypergammon-3 says otherwise", file=sys.stderr)
    return state if dice is None else replace(state, dice=Dice.of(dice), offer=Offer.NONE)


def read_turn(position: str, dice: str | None) -> tuple[State, Dice]:
    """The state and the roll that a command is asked about."""
    from kibitz.dice import Dice

    state = read_position(position)
    roll = Dice.of(dice) if dice is not None else state.dice
    if roll is None:
        raise NotationError("expected dice such as 31 after the position, which says none itself")
    return state, roll


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # longer than a path may be, or with a zero byte in it
        return False


def was_given(context: typer.Context, name: str) -> bool:
    """Whether an option stands on the command line; what the user has set as a default does not."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def chosen_theme(color: str, theme: str) -> Theme | None:
    """The colours that stdout is to have; None for none."""
    from kibitz.report.terminal import wants_colour
    from kibitz.report.themes import Theme

    if color not in _WHEN:
        raise NotationError(f"--color is one of {', '.join(_WHEN)}, not {color!r}")
    chosen = Theme.of(theme)
    return chosen if wants_colour(color) else None


def board_text(state: State, theme: Theme | None) -> str:
    """The board above an answer and a blank line, without the IDs that the answer tells itself."""
    from kibitz.report.terminal import draw_state

    return draw_state(state, theme=theme, ids=False) + "\n\n"


def print_beside(lead: str, *lines: str) -> None:
    """Print lines of text beside what leads them, such as a number, none wider than a terminal."""
    import textwrap

    from kibitz.cli.help import WIDTH
    from kibitz.cli.streams import shown

    indent = " " * len(lead)
    for line in lines:
        print(textwrap.fill(shown(line), WIDTH, initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False))
        lead = indent


def print_json(data: Any) -> None:
    """Print plain data as JSON on stdout, with escapes where the terminal cannot show every letter."""
    from kibitz.cli.streams import is_unicode

    print(json.dumps(data, indent=2, ensure_ascii=not is_unicode()))
