"""Importing files and folders: read in parallel, written in small transactions, so that a kill loses nothing written.

Importing again goes on where it was: a file is known by what it holds.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from kibitz.cores import usable_cores
from kibitz.errors import FormatError, KibitzError
from kibitz.formats import read
from kibitz.formats.folders import find_files
from kibitz.formats.limits import check_size
from kibitz.library import likeness
from kibitz.library.analyses import AnalystInfo, StoredAnalysis
from kibitz.library.file_analyses import file_analyses
from kibitz.library.models import MatchSource, SourceFile
from kibitz.library.rows import MatchRows, clean, match_rows
from kibitz.library.store import Outcome, Source, Store
from kibitz.record import Match

if TYPE_CHECKING:
    from kibitz.library.database import Database

Progress = Callable[[int, int], None]
"""Called with the number of files done and of all files."""
AT_ONCE = 16
"""Matches of one transaction."""
FEW = 8
"""So few files are read here: starting other processes would take longer."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file as it will be written, or why it cannot be."""

    path: Path
    source: Source | None = None
    rows: MatchRows | None = None
    analyses: Sequence[tuple[AnalystInfo, Sequence[StoredAnalysis]]] = ()
    warnings: tuple[str, ...] = ()
    error: str = ""
    match_id: int | None = None  # the library has this very file already


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What became of a file: a match, or words on why not."""

    path: Path
    outcome: Outcome | None
    match_id: int | None = None
    error: str = ""
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "file": str(self.path),
            "outcome": "refused" if self.outcome is None else self.outcome.value,
            "match": self.match_id,
            "error": self.error,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of all files, in their order."""

    files: tuple[ImportedFile, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many files were new, merged, extended, known and refused."""
        found = Counter("refused" if one.outcome is None else one.outcome.value for one in self.files)
        return {name: found[name] for name in (*(outcome.value for outcome in Outcome), "refused")}

    @property
    def refused(self) -> list[ImportedFile]:
        """The files that could not be read."""
        return [one for one in self.files if one.outcome is None]

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in self.counts.items() if count) or "nothing to import"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"counts": self.counts, "files": [one.to_dict() for one in self.files]}


def prepare(path: Path) -> Prepared:
    """Read a file and make the rows of it. Whatever is wrong with it is told, not raised."""
    try:
        check_size(path.stat().st_size)
        data = path.read_bytes()
        match = read(data, file=path.name)
        return prepare_match(match, path, data)
    except OSError as error:
        return Prepared(path, error=f"cannot be read: {error.strerror or error}")
    except KibitzError as error:
        return Prepared(path, error=str(error))


def prepare_match(match: Match, path: Path, data: bytes) -> Prepared:
    """The rows of a match that was read from these bytes."""
    if not any(game.actions for game in match.games):
        raise FormatError("there is no action in it, and so nothing to keep")
    name = clean(os.fsencode(path.name).decode("utf-8", "replace"))
    source = Source(hashlib.sha256(data).hexdigest(), name, match.format, len(data), zlib.compress(data, 6))
    warnings = tuple(map(str, match.warnings))
    return Prepared(path, source, match_rows(match), file_analyses(match), warnings)


class Importer:
    """What brings files into a library."""

    def __init__(self, database: Database, owner_id: int) -> None:
        self._database = database
        self._owner = owner_id
        self._store = Store(database, owner_id)

    def run(
        self,
        paths: Iterable[Path | str],
        *,
        threads: int = 0,
        progress: Progress | None = None,
        done: Callable[[ImportedFile], None] | None = None,
    ) -> ImportReport:
        """Import files and folders. `done` is told of each file once it is safely written."""
        files = list(dict.fromkeys(find_files(paths)))
        found: dict[Path, ImportedFile] = {}

        def tell(results: Iterable[ImportedFile]) -> None:
            for one in results:
                found[one.path] = one
                if done is not None:
                    done(one)
            if progress is not None:
                progress(len(found), len(files))

        waiting: list[Prepared] = []
        for prepared in self._prepared(files, threads):
            waiting.append(prepared)
            if len(waiting) >= AT_ONCE:
                tell(self.write(waiting))
                waiting = []
        tell(self.write(waiting))
        likeness.fill(self._database)
        return ImportReport(tuple(found[file] for file in files))

    def write(self, prepared: Sequence[Prepared]) -> list[ImportedFile]:
        """Write some files in one transaction."""
        if not any(one.rows is not None for one in prepared):
            return [_unwritten(one) for one in prepared]
        results = []
        with self._database.writing() as connection:
            for one in prepared:
                if one.rows is None:
                    results.append(_unwritten(one))
                    continue
                added = self._store.add(connection, one.rows, one.source, one.analyses)
                results.append(ImportedFile(one.path, added.outcome, added.match_id, warnings=one.warnings))
        return results

    def _prepared(self, files: Sequence[Path], threads: int) -> Iterator[Prepared]:
        """Files that are ready to be written, in their order. Known ones are not read again."""
        known = self._known()
        workers = min(threads or usable_cores(), len(files))
        if workers <= 1 or len(files) <= FEW:
            for file in files:
                yield _if_known(file, known) or prepare(file)
            return
        from multiprocessing import get_context

        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            window: deque[Future[Prepared] | Prepared] = deque()
            try:
                for file in files:
                    window.append(_if_known(file, known) or pool.submit(prepare, file))
                    if len(window) > 4 * AT_ONCE:
                        yield _now(window.popleft())
                while window:
                    yield _now(window.popleft())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _known(self) -> dict[str, int]:
        """The matches of all files that are there, by the hash of each file."""
        query = (
            select(SourceFile.sha256, MatchSource.match_id)
            .join(MatchSource, MatchSource.source_id == SourceFile.id)
            .where(SourceFile.owner_id == self._owner)
        )
        with self._database.reading() as connection:
            return dict(connection.execute(query).all())


def _if_known(file: Path, known: dict[str, int]) -> Prepared | None:
    """A file that the library has already, without reading what it says."""
    if not known:
        return None
    try:
        check_size(file.stat().st_size)
        match = known.get(hashlib.sha256(file.read_bytes()).hexdigest())
    except (OSError, KibitzError):
        return None
    return None if match is None else Prepared(file, match_id=match)


def _unwritten(prepared: Prepared) -> ImportedFile:
    if prepared.match_id is not None:
        return ImportedFile(prepared.path, Outcome.KNOWN, prepared.match_id)
    return ImportedFile(prepared.path, None, error=prepared.error)


def _now(prepared: Future[Prepared] | Prepared) -> Prepared:
    return prepared.result() if isinstance(prepared, Future) else prepared
