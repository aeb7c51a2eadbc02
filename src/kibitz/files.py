"""Files are written whole or not at all: a full disk, a crash or Ctrl-C leaves what was there before.

What is new is written aside, brought to the disk, and put in place in one step. Logs, which only ever grow, grow by
whole lines.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from kibitz.errors import FormatError


def write_file(path: Path | str, content: bytes | str) -> None:
    """Write a file in one step. Text becomes UTF-8, with its line ends as they are."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    with writing(path) as file:
        file.write(data)


@contextmanager
def writing(path: Path | str) -> Iterator[BinaryIO]:
    """A file to write into that gets its name when the block ends, and is forgotten if the block fails.

    A link keeps pointing to where it points. What is no file, such as a pipe or a terminal, is written to directly.
    """
    named = Path(path)
    try:
        if (named.is_absolute() and named.parts[1:2] == ("dev",)) or (named.exists() and not named.is_file()):
            with named.open("wb") as file:
                yield file
            return
        target = named.resolve()
        mode = _mode_of(target)
        aside = target.with_name(f".kibitz-{secrets.token_hex(8)}.part")
        try:
            with aside.open("xb") as file:
                if mode is not None:
                    aside.chmod(mode)
                yield file
                file.flush()
                os.fsync(file.fileno())
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
        _settle(target.parent)
    except OSError as error:
        raise cannot_write(named, error) from None


def append_line(path: Path | str, line: str, *, mode: int = 0o666) -> None:
    """Append a line to a log, whole or not at all. A file that is new gets `mode`, less what the user masks."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), mode)
        try:
            _append(handle, line.encode("utf-8", "replace") + b"\n")
        finally:
            os.close(handle)
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path | str, error: OSError) -> FormatError:
    """What to say when a file or a folder cannot be written."""
    return FormatError(f"cannot write {path}: {error.strerror or error}")


def _append(handle: int, data: bytes) -> None:
    size = os.fstat(handle).st_size
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
    except OSError:
        with suppress(OSError):  # a device has no length to go back to
            os.ftruncate(handle, size)
        raise


def _mode_of(target: Path) -> int | None:
    """The permissions of a file that is there; one that the user has protected is not replaced."""
    if not target.exists():
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied")
    return target.stat().st_mode & 0o7777


def _settle(folder: Path) -> None:
    """Bring the new name to the disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
