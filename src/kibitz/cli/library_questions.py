"""kibitz library stats and search: questions to all matches at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import JsonOption, print_json
from kibitz.cli.library_filters import (
    Conditions,
    KindOption,
    LibraryOption,
    LimitOption,
    PlayerOption,
    SavedOption,
    WhereOption,
    open_library,
)

if TYPE_CHECKING:
    from kibitz.library.filters import DecisionFilter
    from kibitz.library.library import Library
    from kibitz.library.statistics import Sums


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(stats)
    app.command()(search)


def stats(
    library: LibraryOption = None,
    player: PlayerOption = "me",
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="GROUP",
            help="Told apart by kind, opponent, event, length, year, month, day, match, game, phase, plan, score, "
            "opening, reply or direction.",
        ),
    ] = None,
    kind: KindOption = None,
    where: WhereOption = None,
    saved: SavedOption = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="OUT.svg", help="Draw the PR over time.")] = None,
    window: Annotated[int, typer.Option("--window", min=1, help="Matches of the rolling PR.")] = 10,
    json: JsonOption = False,
) -> None:
    """How good, where, and is it getting better: PR, errors and luck with counts and standard errors."""
    with open_library(library) as found:
        wanted = Conditions(player, kind, where, saved).filter(found)
        if plot is not None:
            _plot(found, wanted, plot, window)
        if by is not None:
            rows = found.statistics_by(by, wanted)
            if json:
                print_json([row.to_dict() for row in rows])
            else:
                _print_rows([(row.key, row.sums) for row in rows])
            return
        whole = found.statistics(wanted)
        kinds = [] if wanted.kind else [(row.key, row.sums) for row in found.statistics_by("kind", wanted)]
        points = found.progress(wanted, window=window)
        bars = found.histogram(wanted)
    if json:
        data = whole.to_dict() | {"kinds": {key: sums.to_dict() for key, sums in kinds}}
        data["recent"] = points[-1].recent.to_dict() if points else None
        data["histogram"] = [{"from": low, "below": high, "count": count} for low, high, count in bars]
        print_json(data)
        return
    if not whole.decisions:
        print("Nothing has been reviewed yet: kibitz library review does it.")
        return
    recent = [(f"last {min(window, len(points))} matches", points[-1].recent)] if points else []
    _print_rows([("all", whole), *sorted(kinds), *recent])
    print("\nErrors by size (equity lost):")
    most = max(count for _, _, count in bars) or 1
    for low, high, count in bars:
        span = f"{low:.3f} - {high:.3f}" if high is not None else f"{low:.3f} -      "
        print(f"  {span}  {count:>7}  {'#' * round(40 * count / most)}")


def _plot(library: Library, wanted: DecisionFilter, path: Path, window: int) -> None:
    from kibitz.files import write_file
    from kibitz.report.progress import draw_progress

    points = library.progress(wanted, window=window)
    title = f"PR of {wanted.player or 'all'} from match to match"
    write_file(path, draw_progress(points, title))


def _print_rows(rows: list[tuple[str, Sums]]) -> None:
    width = max([len(key) for key, _ in rows], default=0)
    print(f"{'':{width}}  matches  decisions     PR        errors  blunders    luck/roll")
    for key, sums in rows:
        rating = "     -      " if sums.pr is None else f"{sums.pr:6.2f}{_margin(sums.pr_error, '5.2f')}"
        luck = "" if sums.luck_rate is None else f"{sums.luck_rate:+.4f}{_margin(sums.luck_error, '.4f')}"
        print(
            f"{key:{width}}  {sums.matches:>7}  {sums.pr_counted:>9}  {rating:<13} {sums.errors:>5}  {sums.blunders:>8}"
            f"    {luck}"
        )


def _margin(error: float | None, form: str) -> str:
    return "" if error is None else f" ±{error:{form}}"


def search(
    pattern: Annotated[
        str | None,
        typer.Argument(
            metavar="PATTERN",
            help="Such as '6>=2 5>=2 obar>=1': own points, o for the opponent's, bar; >=, <=, =, ! for not.",
            show_default=False,
        ),
    ] = None,
    library: LibraryOption = None,
    like: Annotated[
        str | None, typer.Option("--like", metavar="POSITION", help="The positions most like this one.")
    ] = None,
    mirrored: Annotated[bool, typer.Option("--mirrored", help="Also where the other side has the pattern.")] = False,
    player: PlayerOption = None,
    kind: KindOption = None,
    where: WhereOption = None,
    saved: SavedOption = None,
    order: Annotated[str, typer.Option("--order", help="played, lost (costliest first) or newest.")] = "lost",
    limit: LimitOption = 20,
    save: Annotated[str | None, typer.Option("--save", metavar="NAME", help="Keep the conditions.")] = None,
    collect: Annotated[
        str | None, typer.Option("--collect", metavar="NAME", help="Put them into a collection.")
    ] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw each position.")] = False,
    json: JsonOption = False,
) -> None:
    """Find decisions by a pattern on the board, by likeness, and by who, where and how bad."""
    from kibitz.library.patterns import Pattern

    with open_library(library) as found:
        wanted = Conditions(player, kind, where, saved).filter(found)
        if pattern is not None:
            wanted = wanted.but(pattern=Pattern.of(pattern, mirrored=mirrored))
        if save is not None:
            found.notes.save_search(save, wanted)
        if like is not None:
            pairs = found.like(like, limit, wanted)
            decisions, distances = [one for _, one in pairs], [distance for distance, _ in pairs]
            total = len(decisions)
        else:
            decisions = found.decisions(wanted, order=order, limit=limit)
            distances = []
            total = found.count(wanted)
        if collect is not None:
            found.notes.collect(collect, [one.id for one in decisions])
    if json:
        data = [one.to_dict() for one in decisions]
        for row, distance in zip(data, distances, strict=False):
            row["distance"] = distance
        print_json({"count": total, "decisions": data})
        return
    for number, one in enumerate(decisions):
        near = f"  [{distances[number]:.0f}]" if distances else ""
        print(f"{one.id:>7}{near}  {one}")
        if boards:
            print(one.state)
    if total > len(decisions):
        print(f"… {total - len(decisions)} more")
