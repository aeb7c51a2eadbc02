"""Output that every terminal can show, and that does nothing to it; streams that are closed are none."""

from __future__ import annotations

import codecs
import io
import os
import sys
from pathlib import Path
from typing import TextIO, cast

_OTHERS = {"…": "...", "±": "+-", "→": "->", "·": "-", "\u2013": "-", "\u2212": "-", "\u00d7": "x", "\u2019": "'"}
_NAME = "kibitz-plain"


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Other letters for those that cannot be encoded, names of files that are no text among them."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(_OTHERS.get(one, "?") for one in error.object[error.start : error.end]), error.end


def tolerant_streams() -> None:
    """Let no letter end a command, nor a stream that is closed, as `>&-` leaves it."""
    sys.stdin = sys.stdin or _nothing("r")
    sys.stdout = sys.stdout or _nothing("w")
    sys.stderr = sys.stderr or _nothing("w")
    codecs.register_error(_NAME, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def _nothing(mode: str) -> TextIO:
    """Where nothing comes from, and what goes in is gone."""
    return cast(TextIO, Path(os.devnull).open(mode, encoding="utf-8"))


def shown(words: object) -> str:
    """Words that do nothing to a terminal: names of files may hold anything."""
    return "".join(one if one.isprintable() else "?" for one in str(words))


def tell(words: object) -> None:
    """A line on stderr."""
    print(f"kibitz: {shown(words)}", file=sys.stderr)


def is_unicode() -> bool:
    """Whether stdout can show every letter."""
    return codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name.startswith("utf")
