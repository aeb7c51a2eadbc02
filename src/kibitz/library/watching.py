"""Watching folders: what is new or changed in them is imported, once it has stopped changing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.formats.folders import find_files
from kibitz.library.importing import ImportReport

if TYPE_CHECKING:
    from kibitz.library.library import Library

INTERVAL = 2.0
"""Seconds between two looks."""
Stamp = tuple[int, int]
"""When a file was changed, and its size."""


class Watcher:
    """Looks at folders again and again. A file is taken when two looks in a row found it the same."""

    def __init__(self, library: Library, paths: Iterable[Path | str]) -> None:
        self._library = library
        self._paths = [Path(path) for path in paths]
        self._seen: dict[Path, Stamp] = {}
        self._taken: dict[Path, Stamp] = {}

    def look(self) -> ImportReport | None:
        """One look: imports what has come and is at rest; None if there is nothing."""
        found = {file: stamp for file in find_files(self._paths) if (stamp := _stamp(file)) is not None}
        ready = [
            file for file, stamp in found.items() if self._seen.get(file) == stamp and self._taken.get(file) != stamp
        ]
        self._seen = found
        if not ready:
            return None
        report = self._library.add_files(ready, threads=1)
        self._taken.update((file, found[file]) for file in ready)
        return report

    def run(self, *, interval: float = INTERVAL, stop: Callable[[], bool] = lambda: False) -> Iterator[ImportReport]:
        """What came of each look that found something, until asked to stop."""
        while not stop():
            if (report := self.look()) is not None:
                yield report
            time.sleep(interval)


def _stamp(file: Path) -> Stamp | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
