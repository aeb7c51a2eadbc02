"""How much a reader takes in before it refuses, and the ways in: bytes to text, compressed to plain."""

from __future__ import annotations

import re
import zlib

from kibitz.errors import FormatError

MAX_FILE = 16 << 20
"""Bytes of a file. The largest real match files are below one megabyte."""
MAX_EXPANDED = 64 << 20
"""Bytes that a compressed part may expand to. Real ones stay below four megabytes."""
MAX_RATIO = 200
"""How many times its size a compressed part may expand to, once it is larger than `FREE_EXPANDED`."""
FREE_EXPANDED = 8 << 20
"""Below this size the ratio is not looked at: XG's records are mostly zeros."""
MAX_NESTING = 64
"""Objects inside objects."""
MAX_LINES = 500_000
"""Lines of a text."""
MAX_LINE = 400
"""Characters of a line that the readers of texts look at, so that no pattern takes long. Real ones are below 200."""
MAX_GAMES = 5_000
"""Games of a match."""
MAX_ACTIONS = 5_000
"""Actions of a game."""
MAX_WARNINGS = 200
"""Warnings that are kept; after that they are only counted."""

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BLANKS = re.compile(r"\s{3,}")


def check_size(size: int) -> None:
    """Refuse a file that is too large to be a match."""
    if size > MAX_FILE:
        raise FormatError(f"a match file has at most {MAX_FILE >> 20} MB, this one has {size / (1 << 20):.0f} MB")


def inflate(data: bytes, *, gzip: bool = False, limit: int = MAX_EXPANDED) -> bytes:
    """Expand a zlib or gzip stream, stopping early when it grows beyond all reason."""
    decoder = zlib.decompressobj(wbits=31 if gzip else 15)
    limit = min(limit, max(FREE_EXPANDED, MAX_RATIO * len(data)))
    try:
        expanded = decoder.decompress(data, limit + 1)
    except zlib.error as error:
        raise FormatError(f"the compressed part is damaged: {error}") from None
    if len(expanded) > limit:
        raise FormatError(
            f"{len(data)} compressed bytes expand to more than {limit >> 20} MB, which no match file does"
        )
    if not decoder.eof:
        raise FormatError("the compressed part is cut off")
    return expanded


def lines_of(text: str) -> list[str]:
    """The lines of a text for patterns to look at: cut where they are too long, and of any blanks two are enough."""
    return [_BLANKS.sub("  ", line[:MAX_LINE]).rstrip() for line in split_lines(text)]


def split_lines(text: str) -> list[str]:
    """The lines of a text as they are."""
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        raise FormatError(f"a match file has at most {MAX_LINES:,} lines, this one has {len(lines):,}")
    return lines


def printable(text: str) -> str:
    """Text without what a terminal would obey: escapes, bells, marks that turn the direction of what follows."""
    return _UNPRINTABLE.sub("\ufffd", text)


def decode_text(data: bytes) -> str:
    """Text from bytes: byte-order marks, UTF-8, else Windows' Latin-1. Line ends become '\\n'."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
