"""Match files: one module a format, known by their content and not by their names.

>>> from kibitz.formats import FORMATS
>>> sorted(name for name, form in FORMATS.items() if form.writer)
['json', 'mat', 'ogxm', 'sgf']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from kibitz.errors import FormatError, KibitzError
from kibitz.files import write_file
from kibitz.formats.limits import check_size, decode_text, printable
from kibitz.notation import variant_of
from kibitz.position import Variant
from kibitz.record import Match


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its name, what it is, its usual suffixes and the modules that read and write it."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    module: str
    writer: str = ""
    is_binary: bool = False

    def read(self, data: bytes, file: str = "") -> Match:
        """Read the bytes of a file."""
        match: Match = import_module(f"kibitz.formats.{self.module}").read(data, file)
        return match

    def write(self, match: Match) -> tuple[bytes, list[str]]:
        """The bytes of a file, and in words what it could not hold."""
        if not self.writer:
            writers = ", ".join(form.name for form in FORMATS.values() if form.writer)
            raise FormatError(f"{self.title} can be read but not written; written are {writers}")
        written: tuple[bytes, list[str]] = import_module(f"kibitz.formats.{self.writer}").write(match)
        return written

    def looks_like(self, content: Any) -> bool:
        """Whether bytes (of a binary format) or text look like this format."""
        looks: Callable[[Any], bool] = import_module(f"kibitz.formats.{self.module}").looks_like
        return looks(content)


_ALL = (
    Format("xg", "eXtreme Gammon's match or position", (".xg", ".xgp"), "xg", is_binary=True),
    Format("bgf", "BGBlitz's match", (".bgf",), "bgf", is_binary=True),
    Format("ogxm", "an OGXM match", (".ogxm",), "ogxm", "ogxm", is_binary=True),
    Format("json", "Kibitz's JSON", (".json",), "json_", "json_"),
    Format("sgf", "SGF of backgammon", (".sgf",), "sgf", "sgf_writer"),
    Format("bgblitz-text", "a position written by BGBlitz", (".txt",), "bgblitz_text"),
    Format("xg-text", "a position copied from XG", (".txt",), "xg_text"),
    Format("gnubg-text", "gnubg's text export", (".txt",), "gnubg_text"),
    Format("fibs", "a FIBS record", (".fibs", ".txt"), "fibs"),
    Format("mat", "a .mat file", (".mat", ".txt"), "mat", "mat_writer"),
    Format("snowie", "a Snowie position", (".txt",), "snowie"),
)

FORMATS: dict[str, Format] = {form.name: form for form in _ALL}
"""All formats by name, in the order in which they are tried."""


def recognise(data: bytes) -> Format:
    """The format of a file, told by its content."""
    for form in _ALL:
        if form.is_binary and form.looks_like(data):
            return form
    if not data.strip():
        raise FormatError("the file is empty")
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("this is no match file that Kibitz knows: it is binary, but neither XG's nor BGBlitz's")
    text = decode_text(data)
    for form in _ALL:
        if not form.is_binary and form.looks_like(text):
            return form
    first = next(line.strip() for line in [*text.splitlines(), "?"] if line.strip())
    raise FormatError(f"this is no match file that Kibitz knows; it begins with {first[:60]!r}")


def read(data: bytes, *, format: str | None = None, file: str = "", variant: Variant | str | None = None) -> Match:
    """Read the bytes of a file; without a format it is told by the content, and without a variant by what it says."""
    from kibitz.formats.builder import asked_variant

    check_size(len(data))
    form = recognise(data) if format is None else by_name(format)
    asked = asked_variant.set(None if variant is None else variant_of(variant))
    try:
        return form.read(data, printable(file))
    except FormatError:
        raise
    except KibitzError as error:
        raise FormatError(f"{form.title} that cannot be read: {error}") from error
    finally:
        asked_variant.reset(asked)


def load(path: str | Path, *, format: str | None = None, variant: Variant | str | None = None) -> Match:
    """Read a match file of any format. Few formats name the variant; the one given here counts in any case.

    What cannot be understood is in `match.warnings`, each with file and line; the rest is kept. Raises FormatError for
    a file that is no match at all.
    """
    file = Path(path)
    try:
        check_size(file.stat().st_size)
        data = file.read_bytes()
    except OSError as error:
        raise FormatError(f"cannot read {file}: {error.strerror or error}") from None
    except FormatError as error:
        raise FormatError(f"{file}: {error}") from None
    try:
        return read(data, format=format, file=file.name, variant=variant)
    except FormatError as error:
        raise FormatError(f"{file}: {error}") from None


def save(match: Match, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a match; the format is that of the suffix unless it is named. Returns in words what it could not hold."""
    file = Path(path)
    form = by_name(format) if format is not None else by_suffix(file.suffix)
    data, dropped = form.write(match)
    write_file(file, data)
    return dropped


def by_name(name: str) -> Format:
    """A format by its name."""
    if name not in FORMATS:
        raise FormatError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def by_suffix(suffix: str) -> Format:
    """A format that can be written, by its suffix."""
    for form in _ALL:
        if form.writer and suffix.lower() == form.suffixes[0]:
            return form
    named = next((form for form in _ALL if suffix.lower() in form.suffixes and suffix.lower() != ".txt"), None)
    if named is not None:
        return named  # its write() says that it cannot
    writable = ", ".join(form.suffixes[0] for form in _ALL if form.writer)
    raise FormatError(f"the suffix {suffix!r} does not say in which format to write; {writable} do, or name a format")
