"""kibitz tables: which exact tables there are, building them and verifying them."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import JsonOption, print_json
from kibitz.cli.streams import tell

if TYPE_CHECKING:
    from kibitz.bearoff.tables import TableInfo

NameArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME...", help="Such as one-sided-8x15, two-sided-6x8 or hypergammon-3.", show_default=False
    ),
]
ThreadsOption = Annotated[int, typer.Option("--threads", min=0, help="How many threads; 0 uses all cores.")]

app = typer.Typer(no_args_is_help=True, help="Exact tables: list, build and verify them.")


@app.command("list")
def list_tables(json: JsonOption = False) -> None:
    """List the tables, where they are, how large they are and how long they took."""
    from kibitz.bearoff.tables import folder, table_infos

    infos = table_infos()
    if json:
        print_json({"folder": str(folder()), "tables": [info.to_dict() for info in infos]})
        return
    print(f"Table files are in {folder()}\n")
    print("Name             Positions       Size  Build      Checksum          State")
    print("-" * 80)
    for info in infos:
        seconds = "" if info.seconds is None else f"{info.seconds:.1f} s"
        print(
            f"{info.name!s:<15} {info.name.positions:>10}  {_size(info):>9}  {seconds:<9}  "
            f"{info.checksum or '':<16}  {info.state}"
        )


@app.command()
def build(
    names: NameArgument,
    threads: ThreadsOption = 0,
    force: Annotated[bool, typer.Option("--force", help="Build again even if the table is there and sound.")] = False,
    json: JsonOption = False,
) -> None:
    """Build tables into the cache directory. A build that was cut off goes on where it was."""
    from kibitz.bearoff import tables
    from kibitz.errors import TableError

    wanted = [tables.TableName.of(name) for name in names]
    answers = []
    for name in wanted:
        built = True
        if not force and name.path.is_file():
            try:
                tables.open_native(name)
                built = False
            except TableError as error:
                tell(error)
        start = time.perf_counter()
        if built:
            size, seconds = _bytes(name.expected_bytes), _duration(name.expected_seconds)
            print(f"{name}: {size} in {name.path.parent}, about {seconds} on two cores", file=sys.stderr)
            tables.build(name, threads=threads, progress=tables.terminal_progress(name))
        info = tables.table_info(name)
        answers.append(info.to_dict() | {"built": built})
        if not json:
            took = f"built in {time.perf_counter() - start:.1f} s" if built else "already there and sound"
            print(f"{name}: {took}, {_size(info)}, checksum {info.checksum}\n  {info.path}")
    if json:
        print_json(answers)


@app.command()
def verify(names: NameArgument, json: JsonOption = False) -> None:
    """Check a table's bytes against its checksum, and samples of it against their plays one roll ahead."""
    from kibitz.bearoff.verify import verify as check

    answers = []
    for name in names:
        found = check(name)
        answers.append(found.to_dict())
        if not json:
            checksum = "in memory" if found.checksum is None else f"checksum {found.checksum} agrees"
            print(
                f"{found.name}: sound; {checksum}; {found.positions} positions agree with their plays "
                f"(largest difference {found.largest_error:.1e})"
            )
    if json:
        print_json(answers)


@app.command()
def opening(
    name: Annotated[str, typer.Argument(metavar="NAME", help="hypergammon-1, -2 or -3.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """What the winner of the opening roll of a hypergammon can expect, by its table, which is built on first use."""
    from kibitz.bearoff.hypergammon import opening_value
    from kibitz.errors import TableError
    from kibitz.position import Variant

    known = [one.value for one in Variant if one.value.startswith("hypergammon")]
    if name not in known:
        raise TableError(f"the opening is known of {', '.join(known)}, not of {name!r}")
    value = opening_value(Variant(name))
    if json:
        print_json({"name": name, "opening": value.to_dict()})
        return
    print(f"{name}: the winner of the opening roll, which is no double")
    print(f"cubeless equity {value.equity:+.7f}")
    print(f"wins {value.win:.5%} (gammons {value.win_gammon:.5%}, backgammons {value.win_backgammon:.5%})")
    print(f"loses {1 - value.win:.5%} (gammons {value.lose_gammon:.5%}, backgammons {value.lose_backgammon:.5%})")
    print(f"cubeful equity {value.centred:+.7f}, with the Jacoby rule {value.centred_jacoby:+.7f}")


def _size(info: TableInfo) -> str:
    about = "~" if info.path is None and info.name.kind == "one-sided" else ""
    return about + _bytes(info.bytes)


def _duration(seconds: float) -> str:
    return f"{max(seconds, 1):.0f} s" if seconds < 100 else f"{seconds / 60:.0f} minutes"


def _bytes(size: int) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} B"
