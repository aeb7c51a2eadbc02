"""Writes net files of format 1 anew: the same numbers, with their architecture told before them.

    python -m kibitz.train.upgrade FILE...

Each is replaced by a file of the present format, whose name carries another hash.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kibitz.engine.network_file import MAGIC, UNITS, NetworkFile, architecture_head
from kibitz.errors import NetworkFileError


def upgraded(content: bytes) -> NetworkFile:
    """The net of a file of format 1, whose header told what its numbers did not."""
    start = len(MAGIC) + 4
    size = int.from_bytes(content[len(MAGIC) : start], "little")
    header = json.loads(content[start : start + size])
    if content[: len(MAGIC)] != MAGIC or header["format"] != 1:
        raise NetworkFileError("expected a net file of format 1")
    shape = tuple(header["shape"])
    head = architecture_head(shape, UNITS[header["feature_set"]], header.get("sets", 1))
    file = NetworkFile(header["role"], shape, head + content[start + size : -32], header.get("provenance", {}))
    return NetworkFile.from_bytes(file.to_bytes())


def main() -> None:
    """Rewrite the files that are named."""
    for name in sys.argv[1:]:
        path = Path(name)
        written = upgraded(path.read_bytes()).save(path.parent)
        path.unlink()
        print(f"{path} -> {written}")


if __name__ == "__main__":
    main()
