"""kibitz library: all your matches in a database: import, review, list, show, export, merge, backup."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import library_decision, library_questions
from kibitz.cli.analyze import LevelOption, progress_bar
from kibitz.cli.common import JsonOption, print_beside, print_json
from kibitz.cli.library_filters import Conditions, LibraryOption, LimitOption, PlayerOption, WhereOption, open_library
from kibitz.cli.neural import ThreadsOption
from kibitz.cli.streams import shown, tell
from kibitz.errors import LibraryError, NotationError

if TYPE_CHECKING:
    from kibitz.library.importing import ImportReport
    from kibitz.library.library import Library
    from kibitz.library.queries import MatchInfo
    from kibitz.library.statistics import Sums

app = typer.Typer(
    no_args_is_help=True,
    help="All your matches: import, review, statistics, search, export.",
)
MatchArgument = Annotated[int, typer.Argument(metavar="MATCH", help="The number of a match.", show_default=False)]


# --- in ---------------------------------------------------------------------------------------------------------------


@app.command("import")
def import_files(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help="Files of any format, or folders.", show_default=False)
    ],
    library: LibraryOption = None,
    watch: Annotated[bool, typer.Option("--watch", help="Go on: import what comes into the folders.")] = False,
    threads: ThreadsOption = 0,
    json: JsonOption = False,
) -> None:
    """Import match and position files. The same match in several files becomes one; a second import goes on."""
    with open_library(library) as found:
        with progress_bar("importing") as progress:
            report = found.add_files(paths, threads=threads, progress=progress)
        _print_report(report, json)
        if watch:
            _watch(found, paths, json)
    if report.refused:
        raise typer.Exit(2)


def _print_report(report: ImportReport, json: bool) -> None:
    for one in report.files:
        if one.outcome is None:
            tell(f"{one.path}: {one.error}")
        for warning in one.warnings:
            tell(warning)
    if json:
        print_json(report.to_dict())
    else:
        print(report)


def _watch(library: Library, paths: list[Path], json: bool) -> None:
    from kibitz.library.watching import Watcher

    watcher = Watcher(library, paths)
    if not json:
        print(f"Watching {', '.join(map(str, paths))}; Ctrl-C ends it.", flush=True)
    try:
        for report in watcher.run():
            if any(count for name, count in report.counts.items() if name != "known"):
                _print_report(report, json)
                sys.stdout.flush()
    except KeyboardInterrupt:
        return


@app.command()
def review(
    library: LibraryOption = None,
    level: LevelOption = "default",
    player: PlayerOption = None,
    where: WhereOption = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", min=1, help="How many matches at most.")] = None,
    rollout: Annotated[
        int | None, typer.Option("--rollout", min=1, metavar="TRIALS", help="Roll every blundered play out.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask cluster such as tcp://10.0.0.1:8786.")
    ] = None,
    threads: ThreadsOption = 0,
    json: JsonOption = False,
) -> None:
    """Review whatever is not analysed at this level yet: your own matches first. Ctrl-C keeps what is done."""
    from kibitz.analysis.levels import ReviewLevel, ReviewSettings

    settings = ReviewSettings(level=ReviewLevel.of(level), rollout=rollout or 0)
    with open_library(library) as found, progress_bar() as progress:
        wanted = Conditions(player, None, where).filter(found)
        report = found.review(
            settings=settings, wanted=wanted, threads=threads, limit=limit, cluster=cluster, progress=progress
        )
    for match, error in report.failed:
        tell(f"match {match}: {error}")
    if json:
        print_json(report.to_dict())
    else:
        print(report)


# --- out --------------------------------------------------------------------------------------------------------------


@app.command("list")
def list_matches(
    library: LibraryOption = None,
    player: PlayerOption = None,
    where: WhereOption = None,
    limit: LimitOption = 50,
    json: JsonOption = False,
) -> None:
    """List matches, the newest first, with the PR of both players where they were reviewed."""
    with open_library(library) as found:
        wanted = Conditions(player, None, where).filter(found)
        matches = found.matches(wanted, limit=limit)
        sums = found.match_sums([one.id for one in matches])
    numbers = {one.id: [_rating(one, sums.get((one.id, seat))) for seat in (0, 1)] for one in matches}
    if json:
        print_json([one.to_dict() | {"pr": numbers[one.id]} for one in matches])
        return
    for one in matches:
        ratings = " ".join("    -" if rating is None else f"{rating:5.2f}" for rating in numbers[one.id])
        print_beside(f"{one.id:>6}  {ratings}  ", str(one))


def _rating(match: MatchInfo, sums: Sums | None) -> float | None:
    """The PR of a match; a position by itself has none."""
    return None if sums is None or match.kind == "position" else sums.pr


@app.command()
def show(
    match: MatchArgument,
    library: LibraryOption = None,
    top: Annotated[int, typer.Option("--top", min=0, help="How many of the worst decisions to print.")] = 10,
    json: JsonOption = False,
) -> None:
    """Show a match: its review if there is one, notes and files."""
    with open_library(library) as found:
        info = found.info(match)
        notes = [note for note in found.notes.all() if note.match_id == match]
        files = [(name, len(data)) for name, data in found.files(match)]
        try:
            reviewed = found.review_of(match)
        except LibraryError:
            reviewed = None
    if json:
        print_json(
            {
                "match": info.to_dict(),
                "files": [{"name": name, "size": size} for name, size in files],
                "notes": [note.to_dict() for note in notes],
                "review": None if reviewed is None else reviewed.to_dict(),
            }
        )
        return
    print_beside(f"{match}: ", str(info))
    for name, size in files:
        print(f"  from {shown(name)} ({size} bytes)")
    for note in notes:
        print("  note: " + "\n        ".join(map(shown, note.text.splitlines())))
    if reviewed is None:
        print("  not reviewed yet: kibitz library review does it")
        return
    from kibitz.report.summary import summary

    print("\n".join(map(shown, summary(reviewed, top=top, full=True).splitlines())))


@app.command()
def export(
    matches: Annotated[list[int], typer.Argument(metavar="MATCH…", help="Numbers of matches.", show_default=False)],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="A file for one match: .mat, .sgf, .json, or a report as .html or .csv; a folder for several, or for "
            "the original files.",
            show_default=False,
        ),
    ],
    library: LibraryOption = None,
    original: Annotated[bool, typer.Option("--original", help="The files as they were imported.")] = False,
) -> None:
    """Write matches with their current analyses and comments, or the original files."""
    with open_library(library) as found:
        for match in matches:
            for path in _exported(found, match, output, original, alone=len(matches) == 1):
                print(f"-> {path}")


def _exported(library: Library, match: int, output: Path, original: bool, *, alone: bool) -> list[Path]:
    from kibitz import save

    if original:
        return _originals(library, match, output)
    is_folder = output.is_dir() or not output.suffix
    if not alone and not is_folder:
        raise NotationError(f"{output} is one file: expected a folder for several matches")
    path = output
    if is_folder:
        output.mkdir(parents=True, exist_ok=True)
        path = output / f"{match}.sgf"
    suffix = path.suffix.lower()
    if suffix in (".html", ".csv"):
        library.review_of(match).save(path)
    else:
        for words in save(library.match(match), path):
            tell(words)
    return [path]


def _originals(library: Library, match: int, folder: Path) -> list[Path]:
    """The files of a match. Their names come from elsewhere, so only the last part of each is taken."""
    from kibitz.files import write_file

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, (name, data) in enumerate(library.files(match), start=1):
        safe = "".join(letter if letter.isprintable() and letter not in '/\\:*?"<>|' else "_" for letter in name)
        path = folder / f"{match}-{number}-{safe.lstrip('.')[-100:]}"
        write_file(path, data)
        written.append(path)
    return written


# --- care -------------------------------------------------------------------------------------------------------------


@app.command()
def merge(
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Another library: a file or a URL.")],
    library: LibraryOption = None,
    json: JsonOption = False,
) -> None:
    """Take over all matches of another library, with files, analyses and notes."""
    if "://" not in other and not Path(other).exists():
        raise LibraryError(f"there is no library {other}")
    with open_library(library) as found, open_library(other) as source, progress_bar("merging") as progress:
        report = found.merge(source, progress=progress)
    _print_report(report, json)


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the copy.", show_default=False)],
    library: LibraryOption = None,
) -> None:
    """Copy the library, also while it is used."""
    with open_library(library) as found:
        print(f"-> {found.backup(target)}")


@app.command()
def delete(
    match: MatchArgument,
    library: LibraryOption = None,
    with_notes: Annotated[bool, typer.Option("--with-notes", help="Also what you wrote about it.")] = False,
) -> None:
    """Delete a match. Your notes stay, with the position they were about, unless you say otherwise."""
    with open_library(library) as found:
        info = found.info(match)
        found.delete(match, with_notes=with_notes)
        print(f"deleted {match}: {shown(info)}")


@app.command()
def players(library: LibraryOption = None, json: JsonOption = False) -> None:
    """List players, their names and how many matches each has."""
    with open_library(library) as found:
        everyone = found.players.all()
    if json:
        print_json([one.to_dict() for one in everyone])
        return
    for one in everyone:
        others = [alias for alias in one.aliases if alias != one.name.casefold()]
        known = f" (also {', '.join(others)})" if others else ""
        print(f"{one.matches:>6}  {shown(one.name + known)}{'  <- me' if one.is_me else ''}")


@app.command()
def me(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Your name in the matches.")],
    library: LibraryOption = None,
) -> None:
    """Say which player you are."""
    with open_library(library) as found:
        found.players.set_me(name)
        known = any(one.is_me and one.matches for one in found.players.all())
    print(
        f"{shown(name)} is you" + ("." if known else ", but in no match yet: kibitz library players lists the names.")
    )


@app.command()
def alias(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that stays.")],
    others: Annotated[list[str], typer.Argument(metavar="OTHER…", help="Other names of the same player.")],
    library: LibraryOption = None,
) -> None:
    """Make several names one player."""
    with open_library(library) as found:
        found.players.merge(name, *others)
        print(f"{', '.join(others)}: now {name}")


@app.command()
def note(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you want to remember.")],
    match: Annotated[int | None, typer.Option("--match", help="About a match.")] = None,
    decision: Annotated[int | None, typer.Option("--decision", help="About a decision.")] = None,
    tag: Annotated[bool, typer.Option("--tag", help="The text is a tag, to search by.")] = False,
    library: LibraryOption = None,
) -> None:
    """Write a note, or put a tag, on a match or a decision."""
    from kibitz.library.notes import Target

    with open_library(library) as found:
        target = Target(match_id=match, decision_id=decision)
        if tag:
            found.notes.tag(target, text)
        else:
            found.notes.add(target, text)


app.command()(library_questions.stats)
app.command()(library_questions.search)
app.command()(library_decision.decision)
app.command()(library_decision.kept)
