"""Reviewing files, one or many: each read, reviewed and kept; many at once in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.analysis.levels import ReviewSettings
from kibitz.cores import usable_cores
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.analysis.review import MatchReview, Progress
    from kibitz.engine.engine import Engine


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
    progress: Progress | None = None,
) -> Iterator[FileReview]:
    """The reviews in the order of the files. A file that cannot be read does not stop the others.

    One file is shared out among the cores; of several, each core takes one at a time. `progress` counts the moments of
    a single file, or the files.
    """
    workers = min(threads or usable_cores(), len(paths))
    if workers <= 1 or len(paths) < 4:
        from kibitz.engine.engine import Engine

        engine = Engine()
        for path in paths:
            yield _review(path, settings, engine, threads, cache, progress)
        return
    from multiprocessing import get_context

    # New processes rather than forked ones: the engine has threads, and threads do not survive a fork.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for number, found in enumerate(
                pool.map(_review_here, paths, [settings] * len(paths), [cache] * len(paths)), start=1
            ):
                if progress is not None:
                    progress(number, len(paths))
                yield found
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _review(
    path: Path, settings: ReviewSettings, engine: Engine, threads: int, cache: bool, progress: Progress | None = None
) -> FileReview:
    from kibitz.analysis.review import review

    try:
        found = review(path, engine=engine, settings=settings, threads=threads, cache=cache, progress=progress)
    except KibitzError as error:
        return FileReview(path, error=str(error))
    return FileReview(path, found)


_engine: Engine | None = None


def _review_here(path: Path, settings: ReviewSettings, cache: bool) -> FileReview:
    """One file in a process of a pool, which keeps its engine."""
    global _engine
    if _engine is None:
        from kibitz.engine.engine import Engine

        _engine = Engine(threads=1)
    return _review(path, settings, _engine, 1, cache)
