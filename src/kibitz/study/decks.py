"""Decks: cards from a search, a collection or one's own errors, and what the answers to them have been."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import fsrs
from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update

from kibitz.errors import LibraryError
from kibitz.library.filters import DecisionFilter
from kibitz.library.models import Analysis, AnalysisDetail, DecisionRow, now
from kibitz.library.models_notes import CardReview, CardRow, Deck
from kibitz.library.rows import clean, unpack
from kibitz.study.questions import STUDIED, StudyQuestion, is_answerable
from kibitz.study.schedule import STATE_COLUMNS, DeckSettings, after, new_state, plain_state

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine
    from kibitz.library.library import Library
    from kibitz.library.queries import DecisionInfo


GRADES = {1: "again", 2: "hard", 3: "good", 4: "easy"}
"""The grades of an answer by their numbers."""


@dataclass(frozen=True, slots=True)
class DeckInfo:
    """A deck as it stands: how many cards, how many of them new, and how many to be asked now."""

    id: int
    name: str
    query: DecisionFilter
    settings: DeckSettings
    cards: int
    new: int
    due: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = {name: getattr(self, name) for name in ("id", "name", "cards", "new", "due")}
        return data | {"query": self.query.to_dict(), "settings": self.settings.to_dict()}


@dataclass(frozen=True, slots=True)
class Card:
    """A card with its question and what the schedule knows of it. `lost` is what was lost when it was played."""

    id: int
    deck_id: int
    question: StudyQuestion
    about: str
    lost: float
    due: datetime
    is_new: bool
    state: dict[str, Any]
    suspended: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without the answer."""
        return {
            "id": self.id,
            "deck": self.deck_id,
            "kind": self.question.kind.value,
            "question": self.question.words,
            "state": self.question.state.to_dict(),
            "about": self.about,
            "due": self.due.isoformat(),
            "new": self.is_new,
            "suspended": self.suspended,
        }


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of an answer: what it lost, why, its grade, and when the card comes again (None in practice)."""

    answer: str
    lost: float
    rating: int
    due: datetime | None
    reason: str = ""

    @property
    def grade(self) -> str:
        """The grade in a word."""
        return GRADES[self.rating]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        due = None if self.due is None else self.due.isoformat()
        data = {"answer": self.answer, "lost": self.lost, "rating": self.rating, "grade": self.grade, "due": due}
        return data | {"reason": self.reason}


class Study:
    """The decks of a library's owner."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._database = library.database
        self._owner = library.owner_id

    # --- decks ------------------------------------------------------------------------------------------------------

    def create(
        self, name: str, wanted: DecisionFilter, settings: DeckSettings | None = None, *, most: int | None = None
    ) -> DeckInfo:
        """A deck of the decisions of a filter, the costliest first; `most` limits them."""
        cleaned = clean(name).strip()
        if not cleaned:
            raise LibraryError("a deck has a name")
        row = {"owner_id": self._owner, "name": cleaned, "query": wanted.to_dict(), "created_at": now()}
        row["settings"] = (settings or DeckSettings()).to_dict()
        found = self._found(wanted, most)
        with self._database.writing() as connection:
            known = select(Deck.id).where(Deck.owner_id == self._owner, Deck.name == cleaned)
            if connection.execute(known).first() is not None:
                raise LibraryError(f"there is a deck {cleaned!r} already")
            deck = connection.execute(insert(Deck).values(row).returning(Deck.id)).scalar_one()
            self._add_cards(connection, deck, found)
        return self.deck(cleaned)

    def update(self, name: str | int, *, most: int | None = None) -> int:
        """Add what the deck's filter finds by now. Cards that are there keep their schedule. Returns how many came."""
        deck = self.deck(name)
        found = self._found(deck.query, most)
        with self._database.writing() as connection:
            return self._add_cards(connection, deck.id, found)

    def _found(self, wanted: DecisionFilter, most: int | None) -> list[tuple[DecisionInfo, bytes]]:
        """Decisions with what is said of them."""
        studied = [kind.value for kind in STUDIED]
        decisions = self._library.decisions(wanted.but(judged=True), order="lost")
        decisions = [one for one in decisions if one.kind in studied][:most]
        numbers = [one.id for one in decisions]
        details: dict[int, bytes] = {}
        with self._database.reading() as connection:
            for start in range(0, len(numbers), 1000):
                query = (
                    select(Analysis.decision_id, AnalysisDetail.data)
                    .join(AnalysisDetail, AnalysisDetail.analysis_id == Analysis.id)
                    .where(Analysis.current, Analysis.decision_id.in_(numbers[start : start + 1000]))
                )
                details.update(connection.execute(query).all())
        return [(one, details[one.id]) for one in decisions if one.id in details]

    def _add_cards(self, connection: Connection, deck: int, found: Sequence[tuple[DecisionInfo, bytes]]) -> int:
        at = now()
        return sum(self._add_card(connection, deck, decision, at) for decision in found)

    def _add_card(self, connection: Connection, deck: int, found: tuple[DecisionInfo, bytes], at: datetime) -> int:
        decision, data = found
        question = StudyQuestion.of(unpack(data))
        if not is_answerable(question):
            return 0
        position = select(DecisionRow.position_id).where(DecisionRow.id == decision.id).scalar_subquery()
        row = {
            "deck_id": deck,
            "key": card_key(question),
            "kind": question.kind.value,
            "decision_id": decision.id,
            "position_id": position,
            "about": decision.about,
            "answer": data,
            "lost": decision.lost or 0.0,
            "suspended": False,
            "created_at": at,
        } | new_state(0, at)
        write = self._database.insert(CardRow).values(row).on_conflict_do_nothing().returning(CardRow.id)
        return int(connection.execute(write).first() is not None)

    def deck(self, name: str | int) -> DeckInfo:
        """A deck by its name or its number."""
        wanted = name if isinstance(name, int) else clean(name).strip()
        found = [deck for deck in self.decks() if wanted in (deck.id, deck.name)]
        if not found:
            raise LibraryError(f"there is no deck {name!r}")
        return found[0]

    def decks(self) -> list[DeckInfo]:
        """All decks."""
        asked = CardRow.last_review.is_not(None)
        active = CardRow.suspended.is_(False)
        counts = select(
            CardRow.deck_id,
            func.count(),
            func.count().filter(~asked, active),
            func.count().filter(asked, active, CardRow.due <= now()),
        ).group_by(CardRow.deck_id)
        query = select(Deck.id, Deck.name, Deck.query, Deck.settings).where(Deck.owner_id == self._owner)
        with self._database.reading() as connection:
            counted = {row[0]: (row[1], row[2], row[3]) for row in connection.execute(counts)}
            rows = connection.execute(query.order_by(Deck.name)).all()
        return [
            DeckInfo(
                row.id,
                row.name,
                DecisionFilter.from_dict(row.query),
                DeckSettings.from_dict(row.settings),
                *counted.get(row.id, (0, 0, 0)),
            )
            for row in rows
        ]

    def remove(self, name: str | int) -> None:
        """Delete a deck with its cards and their history. The library's decisions stay."""
        deck = self.deck(name)
        with self._database.writing() as connection:
            connection.execute(delete(Deck).where(Deck.id == deck.id))

    def change(self, name: str | int, settings: DeckSettings) -> None:
        """Schedule and grade the cards of a deck in another way from now on."""
        deck = self.deck(name)
        with self._database.writing() as connection:
            connection.execute(update(Deck).where(Deck.id == deck.id).values(settings=settings.to_dict()))

    # --- cards ------------------------------------------------------------------------------------------------------

    def cards(self, name: str | int) -> list[Card]:
        """All cards of a deck, in the order in which they came."""
        query = select(CardRow).where(CardRow.deck_id == self.deck(name).id).order_by(CardRow.id)
        with self._database.reading() as connection:
            return [_card(row) for row in connection.execute(query).mappings()]

    def card(self, number: int) -> Card:
        """A card by its number."""
        with self._database.reading() as connection:
            return _card(self._row(connection, number))

    def _row(self, connection: Connection, number: int) -> RowMapping:
        query = select(CardRow).join(Deck, Deck.id == CardRow.deck_id)
        row = connection.execute(query.where(CardRow.id == number, Deck.owner_id == self._owner)).mappings().first()
        if row is None:
            raise LibraryError(f"there is no card {number}")
        return row

    def next(self, name: str | int, *, at: datetime | None = None) -> Card | None:
        """The card to be asked now: what is due first, then new ones, as many as a day may have; None for none."""
        deck, at = self.deck(name), at or now()
        mine = select(CardRow).where(CardRow.deck_id == deck.id, CardRow.suspended.is_(False))
        due = mine.where(CardRow.last_review.is_not(None), CardRow.due <= at).order_by(CardRow.due, CardRow.id)
        new = mine.where(CardRow.last_review.is_(None)).order_by(CardRow.id)
        with self._database.reading() as connection:
            row = connection.execute(due.limit(1)).mappings().first()
            if row is None and self._begun(connection, deck.id, at) < deck.settings.new_per_day:
                row = connection.execute(new.limit(1)).mappings().first()
        return None if row is None else _card(row)

    def _begun(self, connection: Connection, deck: int, at: datetime) -> int:
        """How many cards were asked for the first time within a day."""
        first = (
            select(CardReview.card_id, func.min(CardReview.at).label("at"))
            .join(CardRow, CardRow.id == CardReview.card_id)
            .where(CardRow.deck_id == deck)
            .group_by(CardReview.card_id)
            .subquery()
        )
        query = select(func.count()).select_from(first).where(first.c.at > at - timedelta(days=1))
        return int(connection.execute(query).scalar_one())

    def answer(
        self,
        card: Card,
        answer: str,
        *,
        seconds: float | None = None,
        rating: int | None = None,
        practice: bool = False,
        engine: Engine | None = None,
        at: datetime | None = None,
    ) -> Answered:
        """Grade an answer by what it loses, and let the card come again when it is time.

        `rating` (1 again, 2 hard, 3 good, 4 easy) overrides the grade. Practice grades, and changes nothing. With an
        engine the reason speaks of this answer, else of what was played.
        """
        said, lost = card.question.lost(answer, engine)
        reason = card.question.why(answer, engine)
        with self._database.reading() as connection:
            settings = self._settings(connection, card.deck_id)
        grade = settings.grade(lost, seconds) if rating is None else fsrs.Rating(rating)
        if practice:
            return Answered(said, lost, grade.value, None, reason)
        at = at or now()
        with self._database.writing() as connection:
            row = self._row(connection, card.id)  # as it stands now: another window may have answered it
            before = {name: row[name] for name in STATE_COLUMNS}
            changed = after(settings, card.id, before, grade, at)
            connection.execute(update(CardRow).where(CardRow.id == card.id).values(changed))
            log = {"card_id": card.id, "at": at, "rating": grade.value, "answer": clean(said), "lost": lost}
            log["milliseconds"] = None if seconds is None else round(1000 * seconds)
            log |= {"before": plain_state(before), "after": plain_state(changed)}
            connection.execute(insert(CardReview).values(log))
        return Answered(said, lost, grade.value, changed["due"], reason)

    def _settings(self, connection: Connection, deck: int) -> DeckSettings:
        query = select(Deck.settings).where(Deck.id == deck, Deck.owner_id == self._owner)
        return DeckSettings.from_dict(connection.execute(query).scalar_one())

    def outlook(self, card: Card, *, at: datetime | None = None) -> dict[str, datetime]:
        """When a card would come again after each grade."""
        with self._database.reading() as connection:
            settings = self._settings(connection, card.deck_id)
        at = at or now()
        return {word: after(settings, card.id, card.state, fsrs.Rating(n), at)["due"] for n, word in GRADES.items()}

    def suspend(self, card: int, suspended: bool = True) -> None:
        """Ask a card no more, or again."""
        with self._database.writing() as connection:
            self._row(connection, card)
            connection.execute(update(CardRow).where(CardRow.id == card).values(suspended=suspended))

    def history(self, name: str | int) -> list[dict[str, Any]]:
        """All answers to the cards of a deck, the oldest first: flat rows for a table."""
        columns = ("card_id", "at", "rating", "answer", "lost", "milliseconds")
        query = (
            select(*(getattr(CardReview, column) for column in columns))
            .join(CardRow, CardRow.id == CardReview.card_id)
            .where(CardRow.deck_id == self.deck(name).id)
            .order_by(CardReview.id)
        )
        with self._database.reading() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


def card_key(question: StudyQuestion) -> str:
    """The same for the same question, whichever match it comes from."""
    state = question.state
    parts = [question.kind.value, state.position.id, str(state.dice), repr(state.match)]
    return hashlib.sha256("|".join(parts).encode()).hexdigest()


def _card(row: RowMapping) -> Card:
    return Card(
        row["id"],
        row["deck_id"],
        StudyQuestion.of(unpack(row["answer"])),
        row["about"],
        row["lost"],
        row["due"],
        row["last_review"] is None,
        {name: row[name] for name in STATE_COLUMNS},
        row["suspended"],
    )
