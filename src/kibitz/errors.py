"""The errors that Kibitz raises.

KibitzError
 +-- NotationError      (also ValueError)  text that is not what it claims to be
 +-- PositionError      (also ValueError)  a position, cube or score that cannot occur
 +-- IllegalPlayError   (also ValueError)  a play that the rules forbid
 +-- FormatError        a match file that cannot be read
 +-- TableError         a bearoff or hypergammon table that cannot be used
 +-- NetworkFileError   a net file that cannot be used
 +-- EngineError        a setting or request that the engine cannot serve
 +-- LibraryError       a library of matches that cannot be opened, read or written
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.status import PositionStatus, status_of

MOST_LETTERS = 3000
"""Of what an error says. Those of positions name all their defects."""


class KibitzError(Exception):
    """The root of all errors of this package. `code` is stable: programs may rely on it. The text is one line."""

    code = "kibitz"

    def __str__(self) -> str:
        text = " ".join(super().__str__().splitlines())  # what is named in it may come from anywhere
        return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


class NotationError(KibitzError, ValueError):
    """Text that is not in the notation it should be in."""

    code = "notation"


class PositionError(KibitzError, ValueError):
    """A position, cube or score that cannot occur. `defects` lists all that is wrong, not only the first.

    `status` says the same to programs: the kinds of all the defects as one set of flags.
    """

    code = "position"

    def __init__(self, defects: Sequence[str], given: str = "") -> None:
        self.defects = list(defects)
        self.given = given
        where = f" in {given!r}" if given else ""
        super().__init__(f"impossible position{where}: " + "; ".join(self.defects))

    def __reduce__(self) -> tuple[type[PositionError], tuple[list[str], str]]:
        return type(self), (self.defects, self.given)

    @property
    def status(self) -> PositionStatus:
        """The kinds of all the defects."""
        return status_of(self.defects)


class IllegalPlayError(KibitzError, ValueError):
    """A play that the rules forbid in its position."""

    code = "illegal_play"


class FormatError(KibitzError):
    """A match file that cannot be read."""

    code = "format"


class TableError(KibitzError):
    """A bearoff or hypergammon table that is damaged, foreign or missing."""

    code = "table"


class NetworkFileError(KibitzError):
    """A net file that is damaged, foreign or of another version."""

    code = "network_file"


class EngineError(KibitzError):
    """A setting or a request that the engine cannot serve."""

    code = "engine"


class LibraryError(KibitzError):
    """A library of matches that cannot be opened, read or written, or something that is not in it."""

    code = "library"
