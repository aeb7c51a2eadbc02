"""API keys: given out once, kept as hashes, one line each in a file of the operator."""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
from pathlib import Path

from kibitz.errors import EngineError
from kibitz.files import append_line

LOG = logging.getLogger("kibitz.service")
PREFIX = "kbz_"
_NAME = re.compile(r"[A-Za-z0-9._@-]{1,64}")
_LINE = re.compile(r"([A-Za-z0-9._@-]{1,64}) ([0-9a-f]{64})")


def new_key() -> str:
    """A key that nobody can guess."""
    return PREFIX + secrets.token_urlsafe(32)


def hashed(key: str) -> str:
    """What is kept of a key. Keys are random, so one round of SHA-256 is enough."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def check_name(name: str) -> str:
    """The name of a caller, who is the owner of what the key brings into the library."""
    if not _NAME.fullmatch(name):
        raise EngineError(f"the name of a key has 1 to 64 letters, digits, '.', '_', '@' or '-', not {name[:80]!r}")
    return name


def add_key(path: Path, name: str) -> str:
    """Make a key for a name and append its hash to a file. Returns the key, which is told nowhere else."""
    key = new_key()
    append_line(path, f"{check_name(name)} {hashed(key)}", mode=0o600)
    return key


class KeyRing:
    """The hashes of all keys. A file that changes is read again, so that keys can be added and taken back.

    A line that cannot be read is refused at the start. In a file that changes while the server runs it opens nothing,
    and the other keys stay good; a file that cannot be read at all leaves the keys as they were.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._names: dict[str, str] = {}
        if path is not None:
            defects = self._read(path)
            if defects:
                raise EngineError("; ".join(defects))

    def name_of(self, key: str) -> str | None:
        """Whose key it is; None if nobody's. Looking up a hash tells nothing about keys by the time it takes."""
        if self._path is not None:
            self._read_if_changed(self._path)
        return self._names.get(hashed(key))

    def add(self, name: str, key: str) -> None:
        """Know a key without a file."""
        self._names[hashed(key)] = name

    def _read_if_changed(self, path: Path) -> None:
        try:
            there = path.stat()
        except OSError:
            return
        if (there.st_mtime_ns, there.st_size) != self._stamp:
            for defect in self._read(path):
                LOG.warning("keys: %s", defect)

    def _read(self, path: Path) -> list[str]:
        """Read the file; what is wrong with it."""
        try:
            there = path.stat()
            self._stamp = (there.st_mtime_ns, there.st_size)
            lines = path.read_text(encoding="ascii").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            return [f"cannot read the keys in {path}: {error}"]
        names, defects = {}, []
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            found = _LINE.fullmatch(line.strip())
            if found is None:
                defects.append(f"{path}:{number}: expected a name and the hash of its key")
            else:
                names[found[2]] = found[1]
        self._names = names
        return defects
