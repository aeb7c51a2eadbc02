"""kibitz library decision and kept: what is behind a number, and what was put aside to come back to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import JsonOption, print_beside, print_json
from kibitz.cli.library_filters import LibraryOption, open_library
from kibitz.cli.streams import shown

if TYPE_CHECKING:
    from kibitz.library.restoring import AnalysisInfo


def decision(
    number: Annotated[int, typer.Argument(metavar="DECISION", help="The number of a decision.", show_default=False)],
    library: LibraryOption = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How many plays of each analysis to print.")] = 5,
    json: JsonOption = False,
) -> None:
    """Show a decision: the board, what every engine says of it, side by side, and your notes and tags."""
    from kibitz.library.notes import Target

    with open_library(library) as found:
        asked = found.decision(number)
        said = found.analyses(number)
        notes = found.notes.all(Target(decision_id=number))
        tags = found.notes.tags_of(Target(decision_id=number))
    if json:
        print_json(
            asked.to_dict()
            | {
                "analyses": [one.to_dict() for one in said],
                "notes": [note.to_dict() for note in notes],
                "tags": tags,
            }
        )
        return
    print_beside(f"{number}: ", asked.about, asked.outcome)
    print(f"\n{asked.state}")
    for one in said:
        _print_analysis(one, top)
    if not said:
        print("\nNobody has analysed it yet: kibitz library review does it.")
    for note in notes:
        print("\nnote: " + "\n      ".join(map(shown, note.text.splitlines())))
    if tags:
        print(f"\ntags: {', '.join(map(shown, tags))}")


def _print_analysis(one: AnalysisInfo, top: int) -> None:
    from kibitz.report.decisions import answer_text
    from kibitz.report.terminal import wants_colour

    whose = "from a file" if one.origin == "file" else "our own"
    current = ", the one that counts" if one.is_current else ""
    loses = f"what was played loses {one.lost:.3f}" if one.lost else "what was played is right"
    print(f"\n{shown(one.analyst)} {shown(one.level)} ({whose}{current}): {loses}")
    if one.decision is not None:
        print(answer_text(one.decision, top=top, colour=wants_colour()))
    if one.reason:
        print_beside("", one.reason)


def kept(library: LibraryOption = None, json: JsonOption = False) -> None:
    """List saved searches, collections and tags, with how much is in each."""
    with open_library(library) as found:
        searches = found.notes.searches()
        collections, tags = found.notes.collections(), found.notes.tags()
        counts = {name: found.count(wanted) for name, wanted in searches.items()}
    if json:
        saved = {name: {"count": counts[name], "filter": wanted.to_dict()} for name, wanted in searches.items()}
        print_json({"searches": saved, "collections": collections, "tags": tags})
        return
    for name, wanted in searches.items():
        said = ", ".join(f"{key}={value}" for key, value in wanted.spelled().items())
        print(f"{counts[name]:>7}  search      {shown(name)} ({shown(said)})")
    for what, names in (("collection", collections), ("tag", tags)):
        for name, count in names.items():
            print(f"{count:>7}  {what:<10}  {shown(name)}")
    if not searches and not collections and not tags:
        print("Nothing is kept yet: see --save and --collect of kibitz library search, and kibitz library note --tag.")
