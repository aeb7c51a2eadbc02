"""kibitz bearoff: the bearing-off advisor, by command or by menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from kibitz.cli.common import JsonOption, print_json

if TYPE_CHECKING:
    from kibitz.bearoff.advisor import Analysis, Suggestion
    from kibitz.bearoff.one_sided import Turns

Answer = TypeVar("Answer")

BoardArgument = Annotated[
    str,
    typer.Argument(metavar="BOARD", help="Six digits, the ace point first; a to f mean 10 to 15.", show_default=False),
]

app = typer.Typer(invoke_without_command=True, help="Bear off in the fewest turns. Alone: a menu.")


def register(parent: typer.Typer) -> None:
    """Add the commands."""
    parent.add_typer(app, name="bearoff")


@app.callback()
def _menu_if_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        menu()


@app.command()
def suggest(
    board: BoardArgument,
    dice: Annotated[str, typer.Argument(metavar="DICE", help="A roll such as 16.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Tell the best play of a roll, and how many turns it leaves."""
    from kibitz.bearoff import advisor

    suggestion = advisor.suggest(board, dice)
    if json:
        print_json(suggestion.to_dict())
    else:
        print(suggestion_text(suggestion))


@app.command()
def analyze(board: BoardArgument, json: JsonOption = False) -> None:
    """Show what every roll leads to, and how many turns the board needs."""
    from kibitz.bearoff import advisor

    analysis = advisor.analyze(board)
    if json:
        print_json(analysis.to_dict())
    else:
        print(analysis_text(analysis))


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
            board = _ask("Please enter your board (six numbers, no spaces) : ", advisor.parse_board)
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


def _choice(text: str) -> int:
    from kibitz.errors import NotationError

    if text.strip() not in ("1", "2"):
        raise NotationError(f"expected 1 or 2, not {text.strip()!r}")
    return int(text)


def _roll(text: str) -> str:
    from kibitz.dice import Dice

    return str(Dice.of(text.strip()))
