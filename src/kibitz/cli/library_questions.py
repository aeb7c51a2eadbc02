"""kibitz library stats and search: questions to all matches at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import JsonOption, print_beside, print_json
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
from kibitz.cli.streams import shown

if TYPE_CHECKING:
    from kibitz.library.filters import DecisionFilter
    from kibitz.library.library import Library
    from kibitz.library.queries import HistogramBar
    from kibitz.library.statistics import StatisticsRow, Sums


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
                _print_rows([(shown(row.key), row.sums) for row in rows])
                if rows:
                    _print_way("The decisions of the first row, and of the others likewise", rows[0].filter)
            return
        whole = found.statistics(wanted)
        kinds = {} if wanted.kind else {row.key: row for row in sorted(found.statistics_by("kind", wanted), key=_key)}
        recent = _recent(found, wanted, [None, *kinds], window)
        bars = found.histogram(wanted)
    analysed = wanted.but(kind=wanted.kind or "all", judged=True)
    if json:
        data = whole.to_dict() | {"filter": analysed.to_dict()}
        data["kinds"] = {key: row.to_dict() for key, row in kinds.items()}
        data["recent"] = {key or "all": sums.to_dict() for key, sums in recent.items()}
        data["histogram"] = [bar.to_dict() for bar in bars]
        print_json(data)
        return
    if not whole.decisions:
        print("None of these has been reviewed yet: kibitz library review does it;")
        print("kibitz library players lists whose decisions there are.")
        return
    lines = [("all", whole), *((f"  {key}", row.sums) for key, row in kinds.items())]
    last = recent[None].matches
    lines += [(f"  {key}" if key else f"last {last} matches", sums) for key, sums in recent.items()]
    _print_rows(lines)
    _print_bars(bars)
    _print_way("All these decisions, the costliest first", analysed)


def _key(row: StatisticsRow) -> str:
    return row.key


def _recent(library: Library, wanted: DecisionFilter, kinds: list[str | None], window: int) -> dict[str | None, Sums]:
    """What the last so many matches add up to, all kinds of decisions together (None) and each by itself."""
    from kibitz.library.statistics import Sums

    own = {
        kind: {point.match_id: point.own for point in library.progress(wanted.but(kind=kind or wanted.kind))}
        for kind in kinds
    }
    last = list(own[None])[-window:]
    return {kind: sum((sums[match] for match in last if match in sums), Sums()) for kind, sums in own.items()}


def _print_bars(bars: list[HistogramBar]) -> None:
    print("\nErrors by size (equity lost):")
    most = max(bar.count for bar in bars) or 1
    for bar in bars:
        span = f"{bar.low:.3f} - {bar.high:.3f}" if bar.high is not None else f"{bar.low:.3f} -      "
        print(f"  {span}  {bar.count:>7}  {'#' * round(40 * bar.count / most)}")


def _print_way(what: str, wanted: DecisionFilter) -> None:
    """How to see the decisions behind a number."""
    import shlex

    said = wanted.spelled()
    player = said.pop("player", None)
    words = ["kibitz", "library", "search", *([] if player is None else ["-p", player])]
    for name, value in said.items():
        if (name, value) not in (("kind", "all"), ("judged", "yes")):
            words += ["-w", f"{name}={value}"]
    print(f"\n{what}: {shown(shlex.join(words))}")


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
        print_beside(f"{one.id:>7}{near}  ", one.outcome, one.about)
        if boards:
            print(one.state)
    if total > len(decisions):
        print(f"… {total - len(decisions)} more")
