"""What the user adds: notes, tags, collections and saved searches. None of it goes unasked when a match goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select, delete, func, insert, or_, select, update

from kibitz.analysis.decisions import Kind
from kibitz.errors import LibraryError
from kibitz.library.filters import DecisionFilter
from kibitz.library.models import DecisionRow, GameRow, MatchRow, MatchSource, PositionRow, SourceFile, now
from kibitz.library.models_notes import Collection, CollectionItem, Note, SavedSearch, Tag, Tagging
from kibitz.library.rows import clean, position_rows
from kibitz.library.store import Store
from kibitz.plain_json import PlainData
from kibitz.position import Position

if TYPE_CHECKING:
    from kibitz.library.database import Database


@dataclass(frozen=True, slots=True)
class Target:
    """What a note or a tag is on: a match, a decision, or a position wherever it occurs."""

    match_id: int | None = None
    decision_id: int | None = None
    position: Position | None = None

    def __post_init__(self) -> None:
        if sum(part is not None for part in (self.match_id, self.decision_id, self.position)) != 1:
            raise LibraryError("expected a match, a decision or a position, and only one of them")


@dataclass(frozen=True, slots=True)
class NoteInfo(PlainData):
    """A note. `origin` is 'user' or 'file'; `about` tells what it was on, also when that is gone.

    Of a decision, `game` (from 1) and `index` (of the action, from 0) say where in its match it was made.
    """

    id: int
    text: str
    origin: str
    match_id: int | None
    decision_id: int | None
    position_id: str | None
    about: str
    created_at: datetime
    game: int | None = None
    index: int | None = None


class Notes:
    """The notes, tags, collections and saved searches of one owner."""

    def __init__(self, database: Database, owner_id: int) -> None:
        self._database = database
        self._owner = owner_id
        self._store = Store(database, owner_id)

    # --- notes ------------------------------------------------------------------------------------------------------

    def add(self, target: Target, text: str, *, about: str = "") -> int:
        """Write a note. Returns its number."""
        if not text.strip():
            raise LibraryError("a note has some text")
        with self._database.writing() as connection:
            row = self._target(connection, target)
            row |= {"owner_id": self._owner, "origin": "user", "about": clean(about), "text": clean(text)}
            row["created_at"] = now()
            return connection.execute(insert(Note).values(row).returning(Note.id)).scalar_one()

    def change(self, note: int, text: str) -> None:
        """Write another text in the place of a note's."""
        if not text.strip():
            raise LibraryError("a note has some text")
        with self._database.writing() as connection:
            mine = update(Note).where(Note.id == note, Note.owner_id == self._owner)
            if not connection.execute(mine.values(text=clean(text))).rowcount:
                raise LibraryError(f"there is no note {note}")

    def remove(self, note: int) -> None:
        """Delete a note."""
        with self._database.writing() as connection:
            if not connection.execute(delete(Note).where(Note.id == note, Note.owner_id == self._owner)).rowcount:
                raise LibraryError(f"there is no note {note}")

    def get(self, note: int) -> NoteInfo:
        """A note."""
        with self._database.reading() as connection:
            row = connection.execute(self._query().where(Note.id == note)).first()
        if row is None:
            raise LibraryError(f"there is no note {note}")
        return NoteInfo(*row)

    def all(self, target: Target | None = None) -> list[NoteInfo]:
        """Notes on something, or all, the oldest first. Those of a match are also those of its decisions."""
        query = self._query()
        if target is not None:
            if target.match_id is not None:
                query = query.where(Note.match_id == target.match_id)
            elif target.decision_id is not None:
                query = query.where(Note.decision_id == target.decision_id)
            elif target.position is not None:
                query = query.where(PositionRow.position_id == target.position.id)
        with self._database.reading() as connection:
            return [NoteInfo(*row) for row in connection.execute(query)]

    def _query(self) -> Select[*tuple[Any, ...]]:
        return (
            select(
                Note.id,
                Note.text,
                Note.origin,
                Note.match_id,
                Note.decision_id,
                PositionRow.position_id,
                Note.about,
                Note.created_at,
                GameRow.number,
                DecisionRow.ply,
            )
            .outerjoin(PositionRow, PositionRow.id == Note.position_id)
            .outerjoin(DecisionRow, DecisionRow.id == Note.decision_id)
            .outerjoin(GameRow, GameRow.id == DecisionRow.game_id)
            .where(Note.owner_id == self._owner)
            .order_by(Note.id)
        )

    def at(self, match: int, game: int, index: int) -> Target:
        """What was decided by an action of a match; of a roll, its play rather than the cube before it."""
        query = (
            select(DecisionRow.id, DecisionRow.kind)
            .join(GameRow, GameRow.id == DecisionRow.game_id)
            .join(MatchRow, MatchRow.id == DecisionRow.match_id)
            .where(MatchRow.id == match, MatchRow.owner_id == self._owner)
            .where(GameRow.number == game, DecisionRow.ply == index)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        if not rows:
            raise LibraryError(f"nothing was decided by action {index} of game {game} of match {match}")
        return Target(decision_id=next((row.id for row in rows if row.kind == Kind.CHECKER.value), rows[0].id))

    def _target(self, connection: Connection, target: Target) -> dict[str, Any]:
        """The columns that say what a row is on; a decision brings its match and position."""
        if target.position is not None:
            (number,) = self._store.positions(connection, position_rows([target.position.rows]))
            return {"match_id": None, "decision_id": None, "position_id": number}
        if target.match_id is not None:
            self._own_match(connection, target.match_id)
            return {"match_id": target.match_id, "decision_id": None, "position_id": None}
        query = (
            select(DecisionRow.match_id, DecisionRow.position_id)
            .join(MatchRow, MatchRow.id == DecisionRow.match_id)
            .where(DecisionRow.id == target.decision_id, MatchRow.owner_id == self._owner)
        )
        row = connection.execute(query).first()
        if row is None:
            raise LibraryError(f"there is no decision {target.decision_id} in the library")
        return {"match_id": row.match_id, "decision_id": target.decision_id, "position_id": row.position_id}

    def _own_match(self, connection: Connection, match: int) -> None:
        query = select(MatchRow.id).where(MatchRow.id == match, MatchRow.owner_id == self._owner)
        if connection.execute(query).first() is None:
            raise LibraryError(f"there is no match {match} in the library")

    # --- tags -------------------------------------------------------------------------------------------------------

    def tag(self, target: Target, name: str) -> None:
        """Put a tag on something; a second time changes nothing."""
        with self._database.writing() as connection:
            where = self._target(connection, target)
            tag = self._named(connection, Tag, name)
            same = [getattr(Tagging, column) == value for column, value in where.items()]
            same = [clause if where[column] is not None else getattr(Tagging, column).is_(None)
                    for clause, column in zip(same, where, strict=True)]  # fmt: skip
            if connection.execute(select(Tagging.id).where(Tagging.tag_id == tag, *same)).first() is None:
                row = where | {"tag_id": tag, "origin": "user", "created_at": now()}
                connection.execute(insert(Tagging).values(row))

    def untag(self, target: Target, name: str) -> None:
        """Take a tag off something."""
        with self._database.writing() as connection:
            where = self._target(connection, target)
            tags = select(Tag.id).where(Tag.owner_id == self._owner, Tag.name == clean(name))
            key = next(column for column in ("decision_id", "match_id", "position_id") if where[column] is not None)
            connection.execute(delete(Tagging).where(Tagging.tag_id.in_(tags), getattr(Tagging, key) == where[key]))

    def tags(self) -> dict[str, int]:
        """All tags and how often each is used."""
        query = (
            select(Tag.name, func.count(Tagging.id))
            .outerjoin(Tagging, Tagging.tag_id == Tag.id)
            .where(Tag.owner_id == self._owner)
            .group_by(Tag.name)
            .order_by(Tag.name)
        )
        with self._database.reading() as connection:
            return dict(connection.execute(query).all())

    def tags_of(self, target: Target) -> list[str]:
        """The tags on something, by itself or wherever its position has them."""
        with self._database.reading() as connection:
            where = self._target(connection, target)
            on_it = [getattr(Tagging, column) == value for column, value in where.items() if value is not None]
            query = select(Tag.name).join(Tagging, Tagging.tag_id == Tag.id).where(Tag.owner_id == self._owner)
            if target.decision_id is not None:
                loose = Tagging.decision_id.is_(None) & (Tagging.position_id == where["position_id"])
                on_it = [or_(Tagging.decision_id == target.decision_id, loose)]
            elif target.match_id is not None:
                on_it.append(Tagging.decision_id.is_(None))
            return list(connection.execute(query.where(*on_it).distinct().order_by(Tag.name)).scalars())

    # --- collections ------------------------------------------------------------------------------------------------

    def collect(self, name: str, decisions: Iterable[int]) -> int:
        """Put decisions into a collection, which is made if there is none. Returns how many were new in it."""
        with self._database.writing() as connection:
            collection = self._named(connection, Collection, name)
            added = 0
            for decision in decisions:
                where = self._target(connection, Target(decision_id=decision))
                row = {"collection_id": collection, "decision_id": decision, "position_id": where["position_id"]}
                write = self._database.insert(CollectionItem).values(row | {"added_at": now()})
                write = write.on_conflict_do_nothing().returning(CollectionItem.id)
                added += connection.execute(write).first() is not None
        return added

    def collections(self) -> dict[str, int]:
        """All collections and how much is in each."""
        query = (
            select(Collection.name, func.count(CollectionItem.id))
            .outerjoin(CollectionItem, CollectionItem.collection_id == Collection.id)
            .where(Collection.owner_id == self._owner)
            .group_by(Collection.name)
            .order_by(Collection.name)
        )
        with self._database.reading() as connection:
            return dict(connection.execute(query).all())

    def remove_collection(self, name: str) -> None:
        """Delete a collection; what was in it stays in the library."""
        with self._database.writing() as connection:
            mine = delete(Collection).where(Collection.owner_id == self._owner, Collection.name == clean(name))
            if not connection.execute(mine).rowcount:
                raise LibraryError(f"there is no collection {name!r}")

    def _named(self, connection: Connection, table: type[Tag] | type[Collection], name: str) -> int:
        """The number of a tag or a collection by its name, made if it is new."""
        cleaned = clean(name).strip()
        if not cleaned:
            raise LibraryError("a tag or a collection has a name")
        row = {"owner_id": self._owner, "name": cleaned}
        connection.execute(self._database.insert(table).values(row).on_conflict_do_nothing())
        query = select(table.id).where(table.owner_id == self._owner, table.name == cleaned)
        return connection.execute(query).scalar_one()

    # --- saved searches ---------------------------------------------------------------------------------------------

    def save_search(self, name: str, wanted: DecisionFilter) -> None:
        """Keep a search under a name; one of that name is replaced."""
        row = {"owner_id": self._owner, "name": clean(name).strip(), "query": wanted.to_dict()}
        write = self._database.insert(SavedSearch).values(row)
        again = write.on_conflict_do_update(index_elements=["owner_id", "name"], set_={"query": row["query"]})
        with self._database.writing() as connection:
            connection.execute(again)

    def remove_search(self, name: str) -> None:
        """Forget a saved search."""
        with self._database.writing() as connection:
            mine = delete(SavedSearch).where(SavedSearch.owner_id == self._owner, SavedSearch.name == clean(name))
            if not connection.execute(mine).rowcount:
                raise LibraryError(f"there is no saved search {name!r}")

    def searches(self) -> dict[str, DecisionFilter]:
        """All saved searches."""
        query = select(SavedSearch.name, SavedSearch.query).where(SavedSearch.owner_id == self._owner)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(SavedSearch.name)).all()
        return {row.name: DecisionFilter.from_dict(row.query) for row in rows}


# --- deleting ---------------------------------------------------------------------------------------------------------


def _keep_tags(connection: Connection, match: int) -> None:
    """Write down how the user tagged a match that will be gone."""
    query = select(Tag.owner_id, Tag.name).join(Tagging, Tagging.tag_id == Tag.id)
    query = query.where(Tagging.match_id == match, Tagging.decision_id.is_(None), Tagging.origin == "user")
    tags = connection.execute(query.order_by(Tag.name)).all()
    if tags:
        words = f"tagged: {', '.join(name for _, name in tags)}"
        row = {"owner_id": tags[0][0], "match_id": match, "origin": "user", "text": words, "created_at": now()}
        connection.execute(insert(Note).values(row | {"about": ""}))


def delete_match(connection: Connection, match: int, about: str, *, with_notes: bool) -> None:
    """Delete a match and the files that gave nothing else.

    The user's notes and the tags of its decisions keep the position, and the notes say what they were about; the tags
    of the match itself become a note. Unless they are asked to go as well.
    """
    if not with_notes:
        _keep_tags(connection, match)
    decisions = select(DecisionRow.id).where(DecisionRow.match_id == match)
    for table in (Note, Tagging):
        on_it = or_(table.match_id == match, table.decision_id.in_(decisions))
        gone = delete(table).where(on_it)
        connection.execute(gone if with_notes else gone.where(table.origin == "file"))
    keep = update(Note).where(or_(Note.match_id == match, Note.decision_id.in_(decisions)))
    connection.execute(keep.where(Note.about == "").values(about=about))
    connection.execute(delete(Tagging).where(Tagging.match_id == match, Tagging.position_id.is_(None)))
    files = list(connection.execute(select(MatchSource.source_id).where(MatchSource.match_id == match)).scalars())
    connection.execute(delete(MatchRow).where(MatchRow.id == match))
    used = select(MatchSource.source_id)
    connection.execute(delete(SourceFile).where(SourceFile.id.in_(files), SourceFile.id.not_in(used)))
