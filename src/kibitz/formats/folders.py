"""Files that may be match files: those that are named, and in folders those with a known suffix."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from kibitz.formats import FORMATS

SUFFIXES = {suffix for form in FORMATS.values() for suffix in form.suffixes}
"""What is looked at in a folder; a file that is named is always read."""


def find_files(paths: Iterable[Path | str]) -> list[Path]:
    """Files as they are named, and in folders all that may be match files, in the order of their names."""
    found: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            found.append(path)
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            here = (Path(folder) / name for name in sorted(names) if not name.startswith("."))
            found += [file for file in here if file.suffix.lower() in SUFFIXES and file.is_file()]
    return found
