"""What the commands of the library share: which library, and which decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kibitz.library.filters import DecisionFilter
    from kibitz.library.library import Library

LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        "-l",
        metavar="WHERE",
        help="A file, or a URL such as postgresql://me@host/db; your own by default.",
        show_default=False,
    ),
]
PlayerOption = Annotated[
    str | None, typer.Option("--player", "-p", metavar="NAME", help="Whose decisions; me for yours.")
]
KindOption = Annotated[str | None, typer.Option("--kind", metavar="KIND", help="checker, cube, double or take.")]
WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        "-w",
        metavar="NAME=VALUE",
        help="A condition such as opponent=Ben, since=2024-01-01, length=7 or at_least=0.08. May be repeated.",
        show_default=False,
    ),
]
SavedOption = Annotated[str | None, typer.Option("--saved", metavar="NAME", help="The conditions of a saved search.")]
LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")]


@dataclass(frozen=True, slots=True)
class Conditions:
    """What was said on the command line about which decisions are meant."""

    player: str | None = None
    kind: str | None = None
    where: Sequence[str] | None = None
    saved: str | None = None

    def filter(self, library: Library) -> DecisionFilter:
        """All of it as one filter."""
        from kibitz.errors import LibraryError
        from kibitz.library.filters import DecisionFilter

        wanted = DecisionFilter()
        if self.saved is not None:
            searches = library.notes.searches()
            if self.saved not in searches:
                raise LibraryError(f"no search is saved as {self.saved!r}; there are {', '.join(searches) or 'none'}")
            wanted = searches[self.saved]
        wanted = wanted.but(**DecisionFilter.parse(self.where or ()).given())
        if self.player is not None:
            wanted = wanted.but(player=self.player)
        return wanted if self.kind is None else wanted.but(kind=self.kind)


def open_library(where: str | None) -> Library:
    """The library that is meant; tells of a backup that opening it made."""
    import sys

    from kibitz.library.library import Library

    library = Library(where)
    if library.database.backup_made is not None:
        print(f"kibitz: upgraded the library; the old one is {library.database.backup_made}", file=sys.stderr)
    return library
