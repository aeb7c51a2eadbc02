"""kibitz analyze: every decision of match files and what it cost; with --stdin, positions as they come."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import ClusterOption, JsonOption, print_json
from kibitz.cli.neural import PliesOption, ThreadsOption, VariantOption, make_engine
from kibitz.cli.streams import shown, tell
from kibitz.errors import NotationError

if TYPE_CHECKING:
    from kibitz.analysis.files import FileReview
    from kibitz.analysis.levels import ReviewSettings
    from kibitz.analysis.review import MatchReview, Progress
    from kibitz.decision import Decision
    from kibitz.report.statistics import Scale

LevelOption = Annotated[
    str,
    typer.Option(
        "--level", metavar="LEVEL", help="fast, default, thorough, deep, world-class, ultimate, or such as 3-ply."
    ),
]
CacheOption = Annotated[bool, typer.Option("--cache/--no-cache", help="Use and keep the reviews made before.")]


def analyze(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE…", help="Match or position files of any format, or folders.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Write a report: .html, .csv, .json, or the match with the analysis as .sgf.",
        ),
    ] = None,
    level: LevelOption = "default",
    rollout: Annotated[
        int | None, typer.Option("--rollout", min=1, metavar="TRIALS", help="Roll every blundered play out.")
    ] = None,
    top: Annotated[int, typer.Option("--top", min=0, help="How many of the worst decisions to print.")] = 10,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of text: one row a decision.")] = False,
    json: JsonOption = False,
    threads: ThreadsOption = 0,
    cache: CacheOption = True,
    cluster: ClusterOption = None,
    reasons: Annotated[
        bool, typer.Option("--reasons/--no-reasons", help="Say why each error is one: see kibitz explain.")
    ] = True,
    variant: VariantOption = None,
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Instead of files: positions as JSON lines in, answers as JSON lines out.")
    ] = False,
    plies: PliesOption = None,
    scale: Annotated[
        str,
        typer.Option(
            "--scale",
            metavar="SCALE",
            help="Rate by the PR (pr, with eXtreme Gammon's names), by gnubg's error-rate, or both.",
            autocompletion=lambda: ["pr", "error-rate", "both"],
        ),
    ] = "pr",
) -> None:
    """Review match files: errors, luck and statistics, as text, a page, CSV or JSON."""
    if stdin:
        if variant is not None:
            raise NotationError('--variant goes with files; with --stdin each line names its own as "variant"')
        _answer_lines(plies, threads)
        return
    if not files:
        raise NotationError("expected one match file or more, or --stdin to read positions")
    if plies is not None:
        raise NotationError("--plies goes with --stdin; for files expected --level, such as --level 3-ply")
    from kibitz.analysis.files import review_files
    from kibitz.analysis.levels import ReviewLevel, ReviewSettings
    from kibitz.analysis.marks import GNUBG_MARKS, Thresholds
    from kibitz.formats.folders import find_files
    from kibitz.notation import variant_of
    from kibitz.report.files import check_suffix, save
    from kibitz.report.statistics import Scale

    if csv and json:
        raise NotationError("expected --csv or --json, not both")
    if output is not None:
        check_suffix(output)
    by = Scale.of(scale)
    marks = GNUBG_MARKS if by is Scale.ERROR_RATE else Thresholds()
    settings = ReviewSettings(level=ReviewLevel.of(level), thresholds=marks, rollout=rollout or 0, reasons=reasons)
    found: list[FileReview] = []
    game = None if variant is None else variant_of(variant)
    with progress_bar() as progress:
        paths = find_files(files)
        for one in review_files(
            paths, settings, threads=threads, cache=cache, cluster=cluster, progress=progress, variant=game
        ):
            if one.review is None:
                tell(one.error)
            else:
                for warning in one.review.match.warnings:
                    tell(warning)
            found.append(one)
    answered, reviews = _sorted(found, settings, threads)
    if output is not None:
        if reviews:
            save(output, [review for _, review in reviews], [str(path) for path, _ in reviews])
        _save_answers(output, answered, alone=not reviews)
    if json:
        data = [{"file": str(path)} | answer.to_dict() for path, answer in answered]
        data += [{"file": str(path)} | review.to_dict() for path, review in reviews]
        print_json(data[0] if len(found) == 1 and data else data)
    elif csv:
        _print_csv(reviews)
    else:
        _print_answers(answered)
        _print_text(reviews, top, by)
        if found and output is not None:
            print(f"\n-> {output}")
    if len(reviews) + len(answered) < len(found):
        raise typer.Exit(2)


def _sorted(
    found: list[FileReview], settings: ReviewSettings, threads: int
) -> tuple[list[tuple[Path, Decision]], list[tuple[Path, MatchReview]]]:
    """Positions that ask something, with the answer; and reviews of all that was played."""
    from kibitz.analysis.positions import open_question

    answered: list[tuple[Path, Decision]] = []
    reviews: list[tuple[Path, MatchReview]] = []
    engine = None
    for one in found:
        if one.review is None:
            continue
        state = open_question(one.review.match)
        if state is None:
            reviews.append((one.path, one.review))
            continue
        engine = engine or make_engine(plies=settings.level.search.plies, threads=threads)
        answered.append((one.path, engine.answer(state)))
    return answered, reviews


def _print_answers(answered: list[tuple[Path, Decision]]) -> None:
    from kibitz.report.decisions import answer_text
    from kibitz.report.terminal import wants_colour

    for number, (path, answer) in enumerate(answered):
        if number:
            print()
        print(f"{shown(path)}\n{answer.state}\n\n{answer_text(answer, colour=wants_colour())}")


def _save_answers(output: Path, answered: list[tuple[Path, Decision]], *, alone: bool) -> None:
    """Answers are a report of their own; beside reviews they are printed, and left out of the file."""
    from kibitz.report.answers import save

    if answered and alone:
        save(output, [(str(path), answer) for path, answer in answered])
    elif answered:
        tell(f"{output} holds what was played: the answers to {len(answered)} positions are only printed")


def _answer_lines(plies: int | None, threads: int) -> None:
    """One answer a line, as they come; a bad line is answered with its error."""
    from kibitz.protocols.json_lines import answers, lines_in

    for line in answers(make_engine(plies=plies, threads=threads, cache=64.0), lines_in(sys.stdin.buffer)):
        print(line, flush=True)


def _print_text(reviews: list[tuple[Path, MatchReview]], top: int, scale: Scale) -> None:
    from kibitz.analysis.positions import is_position
    from kibitz.report.summary import summary

    for number, (path, review) in enumerate(reviews):
        if number:
            print()
        if is_position(review.match):
            _print_made(path, review)
            continue
        if len(reviews) > 1:
            print(shown(path))
        print(summary(review, top=top, full=len(reviews) == 1, scale=scale))
    if len(reviews) > 1:
        from kibitz.report.several import totals_text

        print(f"\n{totals_text([review for _, review in reviews])}")


def _print_made(path: Path, review: MatchReview) -> None:
    """A position with what was chosen in it: each decision with its answer. Statistics would say nothing."""
    from kibitz.report.decisions import answer_text
    from kibitz.report.terminal import wants_colour

    print(shown(path))
    for one in review.decisions:
        named = [one.play] if one.play is not None else []
        print(f"{one.decision.state}\n\n{answer_text(one.decision, colour=wants_colour(), named=named)}")
        cost = f"loses {one.lost:.4f}" if one.lost else "right"
        print(f"{shown(one.name)} chose {one.chosen_name}: {cost}" + (f"\n{one.reason}" if one.reason else ""))


def _print_csv(reviews: list[tuple[Path, MatchReview]]) -> None:
    from kibitz.analysis.records import COLUMNS, to_csv

    several = len(reviews) > 1
    columns = ("file", *COLUMNS) if several else COLUMNS
    records = [
        ({"file": shown(path)} if several else {}) | record for path, review in reviews for record in review.records()
    ]
    sys.stdout.write(to_csv(records, columns))


# --- progress ---------------------------------------------------------------------------------------------------------


@contextmanager
def progress_bar(doing: str = "reviewing") -> Iterator[Progress | None]:
    """A bar on stderr while the block runs; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield update
