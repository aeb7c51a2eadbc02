"""Taking over what the user of another library added: names, searches, notes, tags, collections, decks and cards.

What is here already stays as it is: a search, a deck's settings or a card's schedule of the same name is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from kibitz.library.models import Base, DecisionRow, GameRow, Player, PlayerAlias, PositionRow
from kibitz.library.models_notes import (
    CardReview,
    CardRow,
    Collection,
    CollectionItem,
    Deck,
    Note,
    SavedSearch,
    Tag,
    Tagging,
)
from kibitz.library.players import Players
from kibitz.library.rows import Place
from kibitz.library.store import AT_ONCE, Store

if TYPE_CHECKING:
    from kibitz.library.library import Library


def take_over(mine: Library, other: Library, matches: Mapping[int, int]) -> None:
    """All that is not of one match alone, in one transaction; `matches` tells the numbers of theirs in this library."""
    with other.database.reading() as theirs, mine.database.writing() as connection:
        taker = _Taker(mine, other, theirs, connection, matches)
        taker.people()
        taker.searches()
        taker.notes()
        taker.tags()
        taker.collections()
        taker.decks()


class _Taker:
    """Both libraries, with the numbers that their things have in ours."""

    def __init__(
        self, mine: Library, other: Library, theirs: Connection, connection: Connection, matches: Mapping[int, int]
    ) -> None:
        self._database = mine.database
        self._owner, self._their_owner = mine.owner_id, other.owner_id
        self._theirs, self._connection = theirs, connection
        self._matches = matches
        self._store = Store(mine.database, mine.owner_id)
        self._players = Players(mine.database, mine.owner_id)

    # --- what belongs to the library as a whole -----------------------------------------------------------------------

    def people(self) -> None:
        """Other names of the players who came along, and who is "me" if nobody is here."""
        query = (
            select(Player.name, Player.is_me, PlayerAlias.alias)
            .join(PlayerAlias, PlayerAlias.player_id == Player.id)
            .where(Player.owner_id == self._their_owner)
            .order_by(Player.id)
        )
        nobody = self._players.me_in(self._connection) is None
        for name, is_me, alias in self._theirs.execute(query).all():
            player = self._players.ensure(self._connection, name)
            row = {"owner_id": self._owner, "alias": alias, "player_id": player}
            self._connection.execute(self._database.insert(PlayerAlias).values(row).on_conflict_do_nothing())
            if is_me and nobody:
                self._connection.execute(update(Player).where(Player.id == player).values(is_me=True))

    def searches(self) -> None:
        """Saved searches under names that are not taken."""
        for row in self._their_own(SavedSearch):
            values = {"owner_id": self._owner, "name": row["name"], "query": row["query"]}
            self._connection.execute(self._database.insert(SavedSearch).values(values).on_conflict_do_nothing())

    def notes(self) -> None:
        """Notes on positions, and those whose match is gone. Those of a match come with it."""
        known = select(Note.position_id, Note.about, Note.text).where(
            Note.owner_id == self._owner, Note.match_id.is_(None)
        )
        there = set(map(tuple, self._connection.execute(known)))
        rows = [row for row in self._their_own(Note) if row["match_id"] is None]
        positions = self._positions(row["position_id"] for row in rows)
        for row in rows:
            position = positions.get(row["position_id"])
            if (position, row["about"], row["text"]) in there:
                continue
            values = {name: row[name] for name in ("origin", "about", "text", "created_at")}
            self._connection.execute(insert(Note).values(values | {"owner_id": self._owner, "position_id": position}))

    # --- what stands on decisions -------------------------------------------------------------------------------------

    def tags(self) -> None:
        """Tags on matches, decisions and positions."""
        known = select(Tagging.tag_id, Tagging.match_id, Tagging.decision_id, Tagging.position_id)
        there = set(map(tuple, self._connection.execute(known)))
        numbers = self._named(Tag)
        rows = self._of(Tagging, Tagging.tag_id, numbers)
        places = self._places(rows)
        for row in rows:
            place = (places.matches.get(row["match_id"]), *places.of(row))
            if place == (None, None, None) or (numbers[row["tag_id"]], *place) in there:
                continue
            values = dict(zip(("match_id", "decision_id", "position_id"), place, strict=True))
            values |= {"tag_id": numbers[row["tag_id"]], "origin": row["origin"], "created_at": row["created_at"]}
            self._connection.execute(insert(Tagging).values(values))

    def collections(self) -> None:
        """What was collected; also what no match is left of."""
        numbers = self._named(Collection)
        known = select(CollectionItem.collection_id, CollectionItem.decision_id, CollectionItem.position_id)
        there = set(map(tuple, self._connection.execute(known)))
        rows = self._of(CollectionItem, CollectionItem.collection_id, numbers)
        places = self._places(rows)
        for row in rows:
            place = (numbers[row["collection_id"]], *places.of(row))
            if place in there:
                continue
            values = dict(zip(("collection_id", "decision_id", "position_id"), place, strict=True))
            self._connection.execute(insert(CollectionItem).values(values | {"added_at": row["added_at"]}))

    def decks(self) -> None:
        """Decks; cards that are not in ours, with their schedule and all answers to them."""
        numbers = self._named(Deck, "query", "settings", "created_at")
        rows = self._of(CardRow, CardRow.deck_id, numbers)
        places = self._places(rows)
        for row in rows:
            decision, position = places.of(row)
            values = dict(row) | {"deck_id": numbers[row["deck_id"]], "decision_id": decision, "position_id": position}
            del values["id"]
            write = self._database.insert(CardRow).values(values).on_conflict_do_nothing().returning(CardRow.id)
            card = self._connection.execute(write).scalar()
            if card is None:
                continue
            answers = select(CardReview).where(CardReview.card_id == row["id"]).order_by(CardReview.id)
            for answer in self._theirs.execute(answers).mappings().all():
                copy = dict(answer) | {"card_id": card}
                del copy["id"]
                self._connection.execute(insert(CardReview).values(copy))

    # --- numbers there and here ---------------------------------------------------------------------------------------

    def _their_own(
        self, table: type[Note] | type[SavedSearch] | type[Tag] | type[Collection] | type[Deck]
    ) -> list[Any]:
        query = select(table).where(table.owner_id == self._their_owner).order_by(table.id)
        return list(self._theirs.execute(query).mappings())

    def _named(self, table: type[Tag] | type[Collection] | type[Deck], *columns: str) -> dict[int, int]:
        """Their tags, collections or decks with the numbers of ours of the same names; new ones are made."""
        numbers = {}
        for row in self._their_own(table):
            values = {"owner_id": self._owner} | {name: row[name] for name in ("name", *columns)}
            self._connection.execute(self._database.insert(table).values(values).on_conflict_do_nothing())
            query = select(table.id).where(table.owner_id == self._owner, table.name == row["name"])
            numbers[row["id"]] = self._connection.execute(query).scalar_one()
        return numbers

    def _of(self, table: type[Base], parent: Any, numbers: Mapping[int, int]) -> list[RowMapping]:
        query = select(table).where(parent.in_(numbers)).order_by(parent, table.__table__.c.id)
        return list(self._theirs.execute(query).mappings())

    def _places(self, rows: Iterable[RowMapping]) -> _Places:
        found = list(rows)
        decisions = self._decisions({row["decision_id"] for row in found} - {None})
        return _Places(self._matches, decisions, self._positions(row["position_id"] for row in found))

    def _decisions(self, wanted: set[int]) -> dict[int, int]:
        """Decisions by where they stand in their matches."""
        columns = (DecisionRow.id, DecisionRow.match_id, GameRow.number, DecisionRow.move, DecisionRow.kind)
        placed = select(*columns).join(GameRow, GameRow.id == DecisionRow.game_id)
        here: dict[int, dict[Place, int]] = {}
        numbers, asked = {}, sorted(wanted)
        for start in range(0, len(asked), AT_ONCE):
            query = placed.where(DecisionRow.id.in_(asked[start : start + AT_ONCE]))
            for number, match, game, move, kind in self._theirs.execute(query):
                if match not in here:
                    here[match] = self._store.places(self._connection, self._matches[match])
                if (found := here[match].get((game, move, kind))) is not None:
                    numbers[number] = found
        return numbers

    def _positions(self, wanted: Iterable[int | None]) -> dict[int, int]:
        """Positions, which are made if they are new."""
        numbers = sorted({number for number in wanted if number is not None})
        rows: list[dict[str, Any]] = []
        for start in range(0, len(numbers), AT_ONCE):
            query = select(PositionRow).where(PositionRow.id.in_(numbers[start : start + AT_ONCE]))
            rows += [dict(row) for row in self._theirs.execute(query).mappings()]
        theirs = [row.pop("id") for row in rows]
        return dict(zip(theirs, self._store.positions(self._connection, rows), strict=True))


class _Places:
    """What their numbers of matches, decisions and positions are here."""

    def __init__(self, matches: Mapping[int, int], decisions: Mapping[int, int], positions: Mapping[int, int]) -> None:
        self.matches = matches
        self._decisions = decisions
        self._positions = positions

    def of(self, row: RowMapping) -> tuple[int | None, int | None]:
        """The decision and the position that a row is on."""
        return self._decisions.get(row["decision_id"]), self._positions.get(row["position_id"])
