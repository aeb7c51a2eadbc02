"""kibitz bearoff: the bearing-off advisor, by command or by menu."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from kibitz.cli.common import JsonOption, print_json

if TYPE_CHECKING:
    from kibitz.bearoff.advisor import Analysis, Board, Suggestion
    from kibitz.bearoff.one_sided import Turns

Answer = TypeVar("Answer")

BoardArgument = Annotated[
    str,
    typer.Argument(metavar="BOARD", help="Six digits, the ace point first; a to f mean 10 to 15.", show_default=False),
]

RollArgument = Annotated[str, typer.Argument(metavar="DICE", help="A roll such as 16.", show_default=False)]

app = typer.Typer(invoke_without_command=True, help="Bear off in the fewest turns. Alone: a menu.")


@app.callback()
def _menu_if_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        menu()


@app.command()
def suggest(
    board: BoardArgument,
    dice: RollArgument,
    top: Annotated[int, typer.Option("--top", min=1, help="How many plays to list.")] = 10,
    json: JsonOption = False,
) -> None:
    """Tell the best play of a roll and how many turns it leaves, then the other plays with theirs."""
    from kibitz.bearoff import advisor

    ranked = advisor.rank_plays(board, dice)
    if json:
        print_json(ranked[0].to_dict() | {"plays": [one.to_dict() for one in ranked[:top]]})
    else:
        print(suggestion_text(ranked[0]))
        print()
        print(plays_text(ranked, top))


@app.command()
def analyze(board: BoardArgument, json: JsonOption = False) -> None:
    """Show what every roll leads to, and how many turns the board needs."""
    from kibitz.bearoff import advisor

    analysis = advisor.analyze(board)
    if json:
        print_json(analysis.to_dict())
    else:
        print(analysis_text(analysis))


@app.command()
def boards(
    board: BoardArgument,
    dice: Annotated[
        str | None,
        typer.Argument(metavar="DICE", help="A roll such as 16; by default all 21 rolls.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List all boards that a roll, or any roll, can lead to."""
    from kibitz.bearoff import advisor
    from kibitz.dice import Dice

    found = [advisor.format_board(after) for after in advisor.next_boards(board, dice)]
    if json:
        roll = None if dice is None else advisor.format_roll(Dice.of(dice))
        print_json({"board": advisor.format_board(advisor.parse_board(board)), "dice": roll, "boards": found})
    else:
        print("\n".join(found) if found else "no board follows: there is no checker left to bear off")


@app.command()
def entry(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="A board such as 000200, or with a roll 00020012.", show_default=False)
    ],
    json: JsonOption = False,
) -> None:
    """Show one record of the database: least, most and expected turns, and the suggested move."""
    from kibitz.bearoff import database

    found = database.entry(key)
    if json:
        print_json(found.to_dict())
    else:
        print(found)


@app.command()
def export(
    checkers: Annotated[
        int, typer.Option("--checkers", min=1, max=15, help="All boards with at most so many checkers.")
    ] = 6,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of the terminal.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write JSON, one record a line, instead of text.")] = False,
) -> None:
    """Write the whole database as text: a line for every board, and one for every board and roll."""
    from kibitz.bearoff import database

    records = database.entries(checkers)
    lines = (json_module.dumps(record.to_dict()) if json else str(record) for record in records)
    if output is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    from kibitz.files import writing

    with writing(output) as file:
        file.writelines(f"{line}\n".encode() for line in lines)


def plays_text(ranked: Sequence[Suggestion], top: int) -> str:
    """A line a play: the board it leads to, its turns, and how many more than the best play it needs."""
    from kibitz.bearoff.advisor import format_board

    lines = [f"   # {'board':<6} {'expected':>9} {'behind':>9} {'min':>4} {'max':>4}  play"]
    for one in ranked[:top]:
        mark, behind = (">", "") if one.rank == 1 else (" ", f"{one.difference:+.6f}")
        lines.append(
            f"{mark}{one.rank:>3} {format_board(one.result)} {one.turns.mean:>9.6f} {behind:>9} "
            f"{one.turns.least:>4} {one.turns.most:>4}  {one.play}"
        )
    if len(ranked) > top:
        lines.append(f"     and {len(ranked) - top} more")
    return "\n".join(lines)


def suggestion_text(suggestion: Suggestion) -> str:
    """The answer as sentences."""
    from kibitz.bearoff.advisor import format_board, play_in_words

    turns = suggestion.turns
    return "\n".join(
        [
            f"Suggested move is {format_board(suggestion.result)}: {suggestion.play}",
            f"  ({play_in_words(suggestion.play)})",
            f"with min turns remaining of {turns.least}, max turns remaining of {turns.most}",
            f"and expected remaining turns of {turns.mean:.6f}",
        ]
    )


def analysis_text(analysis: Analysis) -> str:
    """The table over the 21 rolls, and the distribution of the turns as a bar chart."""
    from kibitz.bearoff.advisor import format_board, format_roll

    board = format_board(analysis.board)
    if not analysis.rolls:
        return f"The board {board} is empty: minimum 0, maximum 0, expected 0 turns remaining."
    lines = [
        f"For the board {board} the following values are turns remaining, not including",
        "the current turn:",
        "",
        "Dice | Minimum | Maximum |  Expected | Board  | Play",
        "-----+---------+---------+-----------+--------+-----------------------------",
    ]
    for roll in analysis.rolls:
        turns = roll.turns
        lines.append(
            f"{format_roll(roll.dice):>4} | {turns.least:>7} | {turns.most:>7} | {turns.mean:>9.6f} | "
            f"{format_board(roll.result)} | {roll.play}"
        )
    turns = analysis.turns
    lines += [
        "",
        f"Before the roll {board} takes {turns.mean:.6f} turns on average (standard deviation",
        f"{turns.standard_deviation:.3f}), {turns.least} at least and {turns.most} at most. Its effective pip count is "
        f"{turns.effective_pips:.3f}.",
        "",
        *bar_chart(turns),
    ]
    return "\n".join(lines)


def bar_chart(turns: Turns, width: int = 50) -> list[str]:
    """One bar for every number of turns with a chance worth a line."""
    shown = [(n, chance) for n, chance in enumerate(turns.probabilities) if chance >= 5e-6]
    highest = max(chance for _, chance in shown)
    lines = [
        f"{n:>3} turn{' ' if n == 1 else 's'} {100 * chance:8.3f} % {'#' * round(width * chance / highest)}"
        for n, chance in shown
    ]
    rest = 1 - sum(chance for _, chance in shown)
    if rest > 1e-12:
        lines.append(f"  other   {100 * rest:8.5f} %")
    return lines


# --- the menu --------------------------------------------------------------------------------------------------------


def menu() -> None:
    """Ask what to do, until the user has had enough."""
    from kibitz.bearoff import advisor

    while True:
        print("Please select one of the following options:\n\n  1 Suggest Move\n  2 Analyze Board\n")
        if _ask("Selection: ", _choice) == 1:
            board = _ask("Please enter your board (six numbers, no spaces) : ", _board_to_play)
            dice = _ask("Please enter the die roll (two numbers, no spaces) : ", _roll)
            print(suggestion_text(advisor.suggest(board, dice)))
        else:
            board = _ask("Please enter your board (six numbers, no spaces) : ", advisor.parse_board)
            print(analysis_text(advisor.analyze(board)))
        print("\nWould you like to continue using the program?\n1 for yes\n2 for no")
        if _ask("Your choice: ", _choice) == 2:
            return


def _ask(prompt: str, read: Callable[[str], Answer]) -> Answer:
    """Ask again until the answer can be read. The end of the input ends the program."""
    from kibitz.errors import NotationError

    while True:
        try:
            given = input(prompt)
        except EOFError:
            print()
            raise typer.Exit from None
        try:
            return read(given)
        except NotationError as error:
            print(f"Error: {error}. Try again.")


def _board_to_play(text: str) -> Board:
    from kibitz.bearoff.advisor import parse_board
    from kibitz.errors import NotationError

    board = parse_board(text)
    if not any(board):
        raise NotationError(f"there is no checker left to bear off in {text.strip()!r}")
    return board


def _choice(text: str) -> int:
    from kibitz.errors import NotationError

    if text.strip() not in ("1", "2"):
        raise NotationError(f"expected 1 or 2, not {text.strip()!r}")
    return int(text)


def _roll(text: str) -> str:
    from kibitz.dice import Dice

    return str(Dice.of(text.strip()))
