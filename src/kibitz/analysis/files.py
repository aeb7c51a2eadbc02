"""Reviewing files, one or many: each read, reviewed and kept; many at once in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.analysis.levels import ReviewSettings
from kibitz.cores import usable_cores
from kibitz.errors import KibitzError
from kibitz.position import Variant

if TYPE_CHECKING:
    from kibitz.analysis.review import MatchReview, Progress
    from kibitz.engine.engine import Engine
    from kibitz.record import Match


@dataclass(frozen=True)
class FileReview:
    """A file with its review, or with what was wrong with it."""

    path: Path
    review: MatchReview | None = None
    error: str = ""


def review_files(
    paths: Sequence[Path],
    settings: ReviewSettings,
    *,
    threads: int = 0,
    cache: bool = True,
    cluster: str | None = None,
    progress: Progress | None = None,
    variant: Variant | None = None,
) -> Iterator[FileReview]:
    """The reviews in the order of the files. A file that cannot be read does not stop the others.

    `variant` is the game of all of them, whatever the files say.

    One file is shared out among the cores; of several, each core takes one at a time. `progress` counts the moments of
    a single file, or the files. On a Dask cluster, by its address or "local", each worker takes a match at a time;
    files are read and reviews are kept here.
    """
    if cluster is not None:
        yield from _on_cluster(paths, settings, cluster, cache, progress, variant)
        return
    workers = min(threads or usable_cores(), len(paths))
    if workers <= 1 or len(paths) < 4:
        from kibitz.engine.engine import Engine

        engine = Engine()
        for path in paths:
            yield _review(path, settings, engine, threads, cache, progress, variant)
        return
    from multiprocessing import get_context

    # New processes rather than forked ones: the engine has threads, and threads do not survive a fork.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for number, found in enumerate(
                pool.map(_review_here, paths, repeat(settings), repeat(cache), repeat(variant)), start=1
            ):
                if progress is not None:
                    progress(number, len(paths))
                yield found
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _review(
    path: Path,
    settings: ReviewSettings,
    engine: Engine,
    threads: int,
    cache: bool,
    progress: Progress | None,
    variant: Variant | None,
) -> FileReview:
    from kibitz.analysis.review import review
    from kibitz.formats import load

    try:
        match = load(path, variant=variant)
        found = review(match, engine=engine, settings=settings, threads=threads, cache=cache, progress=progress)
    except KibitzError as error:
        return FileReview(path, error=str(error))
    return FileReview(path, found)


def _on_cluster(
    paths: Sequence[Path],
    settings: ReviewSettings,
    cluster: str,
    cache: bool,
    progress: Progress | None,
    variant: Variant | None,
) -> Iterator[FileReview]:
    """The reviews in the order of the files. Those that are kept need no worker."""
    from kibitz.analysis import cache as kept
    from kibitz.engine.engine import Engine
    from kibitz.formats import load
    from kibitz.rollout.dask_executor import DaskExecutor

    engine = Engine(threads=1)
    found: dict[int, FileReview] = {}
    todo = iter(enumerate(paths))

    def cut(_: int) -> tuple[tuple[int, Match], int] | None:
        for number, path in todo:
            try:
                match = load(path, variant=variant)
            except KibitzError as error:
                found[number] = FileReview(path, error=str(error))
                continue
            if cache and (known := kept.find(match, settings, engine)) is not None:
                found[number] = FileReview(path, known)
                continue
            return (number, match), 1
        return None

    told = 0
    with DaskExecutor(cluster) as executor:
        for number, review in executor.shared_out(review_remotely, settings, cut):
            if isinstance(review, str):
                found[number] = FileReview(paths[number], error=review)
            else:
                found[number] = FileReview(paths[number], review)
                if cache:
                    kept.keep(review, engine)
            while told in found:
                yield _told(found, told, paths, progress)
                told += 1
    for number in range(told, len(paths)):
        yield _told(found, number, paths, progress)


def _told(found: dict[int, FileReview], number: int, paths: Sequence[Path], progress: Progress | None) -> FileReview:
    if progress is not None:
        progress(number + 1, len(paths))
    return found.pop(number)


def review_remotely(settings: ReviewSettings, number: int, match: Match) -> tuple[int, MatchReview | str]:
    """One match on a worker of a cluster, with its number; in words what was wrong."""
    from kibitz.analysis.review import review

    try:
        return number, review(match, engine=_engine_here(), settings=settings, threads=1, cache=False)
    except KibitzError as error:
        return number, str(error)


_engine: Engine | None = None


def _review_here(path: Path, settings: ReviewSettings, cache: bool, variant: Variant | None) -> FileReview:
    """One file in a process of a pool."""
    return _review(path, settings, _engine_here(), 1, cache, None, variant)


def _engine_here() -> Engine:
    """The engine of a worker, which keeps it."""
    global _engine
    if _engine is None:
        from kibitz.engine.engine import Engine

        _engine = Engine(threads=1)
    return _engine
