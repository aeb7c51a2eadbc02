"""Output that every terminal can show: what its encoding lacks is written in other letters."""

from __future__ import annotations

import codecs
import io
import sys

_OTHERS = {"…": "...", "±": "+-", "→": "->", "·": "-", "\u2013": "-", "\u2212": "-", "\u00d7": "x", "\u2019": "'"}
_NAME = "kibitz-plain"


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Other letters for those that cannot be encoded, names of files that are no text among them."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(_OTHERS.get(one, "?") for one in error.object[error.start : error.end]), error.end


def tolerant_streams() -> None:
    """Let no letter end a command."""
    codecs.register_error(_NAME, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def is_unicode() -> bool:
    """Whether stdout can show every letter."""
    return codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name.startswith("utf")
