"""kibitz met: match equity tables."""

from __future__ import annotations

import textwrap
from typing import Annotated

import typer

from kibitz.cli.common import JsonOption, print_json
from kibitz.errors import EngineError

met = typer.Typer(no_args_is_help=True, help="Match equity tables: show one, or ask for a score.")
TableOption = Annotated[
    str, typer.Option("--met", metavar="TABLE", help="kazaross-xg2, zadeh, mec, or a gnubg or XG table file.")
]


@met.command()
def show(
    size: Annotated[int, typer.Option("--size", min=1, max=64, help="Show scores up to this many points away.")] = 9,
    met: TableOption = "kazaross-xg2",
    json: JsonOption = False,
) -> None:
    """Show a table: the chance in per cent of the side that needs so many points (rows) against the other (columns)."""
    from kibitz.match_equity import MatchEquityTable

    table = MatchEquityTable.named(met)
    size = min(size, table.length)
    if json:
        print_json(table.to_dict())
        return
    print(f"{table.name}, {table.length} points")
    for line in textwrap.wrap(table.notice or "", 80):
        print(line)
    for first in range(0, size, 12):
        columns = range(first, min(first + 12, size))
        print("\nneeds " + "".join(f"{column + 1:>6}" for column in columns))
        for row in range(size):
            print(f"{row + 1:>5} " + "".join(f"{100 * table.pre_crawford[row][column]:6.2f}" for column in columns))
        print(" post " + "".join(f"{100 * table.post_crawford[column]:6.2f}" for column in columns))
    print("\nRow and column 1: before the Crawford game. Post: the trailer, after it.")


@met.command()
def equity(
    my_away: Annotated[int, typer.Argument(help="Points that I need.")],
    their_away: Annotated[int, typer.Argument(help="Points that the opponent needs.")],
    post_crawford: Annotated[bool, typer.Option("--post-crawford", help="The Crawford game has been played.")] = False,
    cube: Annotated[int, typer.Option("--cube", min=1, help="Also what a game at this cube is worth.")] = 1,
    met: TableOption = "kazaross-xg2",
    json: JsonOption = False,
) -> None:
    """The chance to win a match, and what single games, gammons and backgammons make of it."""
    from kibitz.match_equity import MatchEquityTable

    if my_away < 1 or their_away < 1:
        raise EngineError(f"both sides need at least one point, not {my_away} and {their_away}")
    table = MatchEquityTable.named(met)
    chance = table.chance(my_away, their_away, post_crawford=post_crawford)
    after = {
        name: table.after_game(my_away, their_away, sign * times * cube)
        for sign, verb in ((1, "win"), (-1, "lose"))
        for times, name in ((1, f"{verb}_single"), (2, f"{verb}_gammon"), (3, f"{verb}_backgammon"))
    }
    swing = after["win_single"] - after["lose_single"]
    price = {
        "win": (after["win_gammon"] - after["win_single"]) / swing if swing else 0.0,
        "lose": (after["lose_single"] - after["lose_gammon"]) / swing if swing else 0.0,
    }
    if json:
        print_json({"met": table.name, "chance": chance, "cube": cube, "after": after, "gammon_value": price})
        return
    print(f"{table.name}: {my_away}-away against {their_away}-away: {100 * chance:.3f} %")
    print(f"after a game with the cube at {cube}:")
    for name, value in after.items():
        print(f"  {name.replace('_', ' '):<16}{100 * value:8.3f} %")
    print(f"gammon value: {price['win']:.3f} to win, {price['lose']:.3f} to lose (0.5 for money)")
