"""kibitz study: your own decisions as cards, asked again when it is time."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import JsonOption, print_json
from kibitz.cli.library_filters import (
    Conditions,
    KindOption,
    LibraryOption,
    PlayerOption,
    SavedOption,
    WhereOption,
    open_library,
)
from kibitz.cli.streams import shown
from kibitz.errors import IllegalPlayError, NotationError

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine
    from kibitz.study.decks import Card, Study

app = typer.Typer(
    no_args_is_help=True,
    help="Study your own decisions: decks of cards, asked again when it is time.",
)
DeckArgument = Annotated[str, typer.Argument(metavar="DECK", help="The name of a deck.", show_default=False)]


@app.command()
def decks(library: LibraryOption = None, json: JsonOption = False) -> None:
    """List the decks: how many cards, how many new, how many to be asked now."""
    from kibitz.study.decks import Study

    with open_library(library) as found:
        every = Study(found).decks()
    if json:
        print_json([deck.to_dict() for deck in every])
        return
    for deck in every:
        print(f"{shown(deck.name)}: {deck.cards} cards, {deck.new} new, {deck.due} due")


@app.command()
def new(
    deck: DeckArgument,
    library: LibraryOption = None,
    player: PlayerOption = "me",
    kind: KindOption = None,
    at_least: Annotated[float, typer.Option("--at-least", min=0.0, help="Errors that lost at least so much.")] = 0.08,
    where: WhereOption = None,
    saved: SavedOption = None,
    collection: Annotated[
        str | None, typer.Option("--collection", metavar="NAME", help="The decisions of a collection instead.")
    ] = None,
    most: Annotated[int | None, typer.Option("--most", min=1, help="The costliest so many.")] = None,
    retention: Annotated[float, typer.Option("--retention", help="How likely you want to know a card.")] = 0.9,
    per_day: Annotated[int, typer.Option("--new-per-day", min=0, help="New cards a day.")] = 20,
    json: JsonOption = False,
) -> None:
    """Make a deck: your errors by default, or a saved search, or a collection."""
    from kibitz.library.filters import DecisionFilter
    from kibitz.study.decks import Study
    from kibitz.study.schedule import DeckSettings

    with open_library(library) as found:
        if collection is not None:
            wanted = DecisionFilter(collection=collection)
        else:
            wanted = Conditions(player, kind, where, saved).filter(found)
            if saved is None and wanted.at_least is None:
                wanted = wanted.but(at_least=at_least)
        settings = DeckSettings(retention=retention, new_per_day=per_day)
        made = Study(found).create(deck, wanted, settings, most=most)
    if json:
        print_json(made.to_dict())
    else:
        print(f"{shown(made.name)}: {made.cards} cards")


@app.command()
def update(deck: DeckArgument, library: LibraryOption = None) -> None:
    """Add what the deck's search finds by now; cards that are there keep their schedule."""
    from kibitz.study.decks import Study

    with open_library(library) as found:
        print(f"{Study(found).update(deck)} new cards")


@app.command()
def run(
    deck: DeckArgument,
    library: LibraryOption = None,
    practice: Annotated[bool, typer.Option("--practice", help="Ask any cards; the schedule stays as it is.")] = False,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many cards at most.")] = 20,
) -> None:
    """Ask what is due: write your play (8/5 6/5), or double, no double, take, pass. An empty line ends it."""
    from kibitz.study.decks import Study

    with open_library(library) as found:
        study = Study(found)
        asked = right = 0
        lost = 0.0
        for card in _cards(study, deck, practice, count):
            answered = _ask(study, card, practice)
            if answered is None:
                break
            asked, right, lost = asked + 1, right + (answered <= 1e-9), lost + answered
        if not asked:
            print("Nothing is due now.")
        else:
            print(f"\n{right} of {asked} right; {lost:.3f} lost.")


def _cards(study: Study, deck: str, practice: bool, count: int) -> Iterator[Card]:
    """What is asked: cards as they are due, or in practice any."""
    if practice:
        import random

        every = study.cards(deck)
        yield from random.sample(every, min(count, len(every)))
        return
    for _ in range(count):
        card = study.next(deck)
        if card is None:
            return
        yield card


def _ask(study: Study, card: Card, practice: bool) -> float | None:
    """One question: what the answer lost; None when the player has had enough."""
    question = card.question
    print(f"\n{question.state}\n\n {question.words}")
    started = time.monotonic()
    while True:
        try:
            said = input(" > ").strip()
        except EOFError:
            return None
        if said.lower() in ("", "q", "quit"):
            return None
        try:
            seconds = time.monotonic() - started
            answered = study.answer(card, said, seconds=seconds, practice=practice, engine=_engine())
        except (NotationError, IllegalPlayError) as error:
            print(f" {error}")
            continue
        break
    verdict = "Right!" if answered.lost <= 1e-9 else f"That loses {answered.lost:.3f}."
    print(f" {verdict} {question.solution} ({shown(card.about)}; it cost {card.lost:.3f} then)")
    for row in question.rows[:5]:
        print(f"   {row.name:28} {row.equity:+.3f} ({row.equity - question.rows[0].equity:+.3f})")
    if answered.reason:
        print(textwrap.fill(answered.reason, 80, initial_indent=" ", subsequent_indent=" ", break_on_hyphens=False))
    if answered.due is not None:
        print(f" {answered.grade}; again on {answered.due.astimezone():%Y-%m-%d %H:%M}")
    return answered.lost


@lru_cache(maxsize=1)
def _engine() -> Engine:
    from kibitz.engine.engine import Engine

    return Engine()


@app.command()
def export(
    deck: DeckArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="An Anki deck (.apkg) or .csv.", show_default=False)
    ],
    library: LibraryOption = None,
) -> None:
    """Write the cards of a deck for Anki, with boards as pictures, or as CSV."""
    from kibitz.report.svg import draw_state
    from kibitz.study.decks import Study
    from kibitz.study.export import save

    with open_library(library) as found:
        cards = Study(found).cards(deck)
    save(output, deck, cards, draw_state)
    print(f"-> {output}")


@app.command()
def remove(deck: DeckArgument, library: LibraryOption = None) -> None:
    """Delete a deck with its cards and their history."""
    from kibitz.study.decks import Study

    with open_library(library) as found:
        Study(found).remove(deck)
        print(f"deleted {deck}")
