"""Writing matches and analyses: new ones, and what other files tell of the same match. Always within a transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, insert, select, update

from kibitz.library.analyses import AnalystInfo, StoredAnalysis
from kibitz.library.keys import Identity, identity
from kibitz.library.models import (
    Analysis,
    AnalysisDetail,
    Analyst,
    DecisionRow,
    GameRow,
    MatchReviewRow,
    MatchRow,
    MatchSource,
    PositionRow,
    SourceFile,
    Tournament,
    now,
)
from kibitz.library.models_notes import Note
from kibitz.library.players import NAMELESS, Players, alias_of
from kibitz.library.rows import MatchRows, Place, index_positions, unpack_record
from kibitz.library.tallies import choose_again

if TYPE_CHECKING:
    from kibitz.library.database import Database

AT_ONCE = 1000
"""How many values a query is given at a time."""
FileAnalyses = Sequence[tuple[AnalystInfo, Sequence[StoredAnalysis]]]
"""Who has analysed a match, and how."""


Names = tuple[str, str]
"""The players as a file calls them."""


class Outcome(StrEnum):
    """What became of a match that was to be added."""

    NEW = "new"
    MERGED = "merged"  # the library has it: what this file knows beside is added
    EXTENDED = "extended"  # the library had a shorter record of it
    KNOWN = "known"  # this very file was there already


@dataclass(frozen=True, slots=True)
class Added:
    """A match with what became of it."""

    match_id: int
    outcome: Outcome
    swapped: bool = False  # the players sit the other way round than in the library


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it is kept; `data` is compressed."""

    sha256: str
    name: str
    format: str
    size: int
    data: bytes


class Store:
    """What writes into a library for one owner."""

    def __init__(self, database: Database, owner_id: int) -> None:
        self._database = database
        self._owner = owner_id
        self._players = Players(database, owner_id)

    # --- matches ----------------------------------------------------------------------------------------------------

    def add(
        self, connection: Connection, rows: MatchRows, source: Source | None = None, analyses: FileAnalyses = ()
    ) -> Added:
        """Add a match, or to the same match what this record of it tells besides."""
        source_id = None
        if source is not None:
            source_id, known = self._source(connection, source)
            if known is not None:
                return Added(known, Outcome.KNOWN)
        found = self._same(connection, rows.identity)
        if found is None:
            match, outcome, swapped = self._new(connection, rows), Outcome.NEW, False
        else:
            match, there = found
            swapped = there.first != rows.identity.first
            outcome = Outcome.EXTENDED if rows.identity.goes_beyond(there) else Outcome.MERGED
            self._fill_in(connection, match, rows, swapped)
            if outcome is Outcome.EXTENDED:
                self._extend(connection, match, rows, swapped)
        if source_id is not None:
            self._link(connection, match, source_id, rows.players, swapped)
        if rows.notes:
            self.add_notes(connection, match, rows.notes, source_id=source_id)
        for analyst, stored in analyses:
            self.add_analyses(connection, match, analyst, stored, swapped=swapped)
        if analyses:
            choose_again(connection, match)
        return Added(match, outcome, swapped)

    def add_source(self, connection: Connection, match: int, source: Source, names: Names, swapped: bool) -> None:
        """Keep a file as one that a match came from, unless it is known."""
        source_id, known = self._source(connection, source)
        if known is None:
            self._link(connection, match, source_id, names, swapped)

    def _link(self, connection: Connection, match: int, source_id: int, names: Names, swapped: bool) -> None:
        link = {"match_id": match, "source_id": source_id, "swapped": swapped, "name0": names[0], "name1": names[1]}
        connection.execute(insert(MatchSource).values(link))

    def _source(self, connection: Connection, source: Source) -> tuple[int, int | None]:
        """The number of a file, and of the match that it gave if it was there before."""
        query = select(SourceFile.id).where(SourceFile.owner_id == self._owner, SourceFile.sha256 == source.sha256)
        if (there := connection.execute(query).scalar()) is not None:
            match = connection.execute(select(MatchSource.match_id).where(MatchSource.source_id == there)).scalar()
            return there, match
        row = {name: getattr(source, name) for name in Source.__slots__}
        row |= {"owner_id": self._owner, "imported_at": now()}
        return connection.execute(insert(SourceFile).values(row).returning(SourceFile.id)).scalar_one(), None

    def _same(self, connection: Connection, wanted: Identity) -> tuple[int, Identity] | None:
        """The match of the library that this is a record of."""
        mine = select(MatchRow.id, MatchRow.full_key, MatchRow.record).where(MatchRow.owner_id == self._owner)
        rows = connection.execute(mine.where(MatchRow.full_key == wanted.full_key)).all()
        rows = rows or connection.execute(mine.where(MatchRow.prefix_key == wanted.prefix_key)).all()
        for row in rows:
            there = identity(unpack_record(row.record))
            if there.is_same_match(wanted):
                return row.id, there
        return None

    def _new(self, connection: Connection, rows: MatchRows) -> int:
        header = rows.header | {"owner_id": self._owner, "imported_at": now()}
        header["player0_id"], header["player1_id"] = (self._players.ensure(connection, name) for name in rows.players)
        header["tournament_id"] = self._tournament(connection, rows.header)
        match = connection.execute(insert(MatchRow).values(header).returning(MatchRow.id)).scalar_one()
        games = self._add_games(connection, match, rows.games)
        positions = self.positions(connection, rows.positions)
        self._add_decisions(connection, match, games, positions, rows.decisions)
        return match

    def _tournament(self, connection: Connection, header: dict[str, Any]) -> int | None:
        if not header["event"].strip():
            return None
        row = {"owner_id": self._owner, "name": header["event"].strip(), "place": header["place"]}
        connection.execute(self._database.insert(Tournament).values(row).on_conflict_do_nothing())
        query = select(Tournament.id).where(Tournament.owner_id == self._owner, Tournament.name == row["name"])
        return connection.execute(query).scalar_one()

    def _add_games(self, connection: Connection, match: int, games: Sequence[dict[str, Any]]) -> dict[int, int]:
        """The numbers of the games by how they are counted."""
        if games:
            connection.execute(insert(GameRow), [game | {"match_id": match} for game in games])
        rows = connection.execute(select(GameRow.number, GameRow.id).where(GameRow.match_id == match))
        return {row.number: row.id for row in rows}

    def positions(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> list[int]:
        """The numbers of positions, those that are new made."""
        if not rows:
            return []
        connection.execute(self._database.insert(PositionRow).on_conflict_do_nothing(), list(rows))
        numbers: dict[str, int] = {}
        names = [row["position_id"] for row in rows]
        for start in range(0, len(names), AT_ONCE):
            query = select(PositionRow.position_id, PositionRow.id)
            query = query.where(PositionRow.position_id.in_(names[start : start + AT_ONCE]))
            numbers.update((row.position_id, row.id) for row in connection.execute(query))
        return [numbers[name] for name in names]

    def _add_decisions(
        self,
        connection: Connection,
        match: int,
        games: dict[int, int],
        positions: Sequence[int],
        decisions: Iterable[dict[str, Any]],
    ) -> None:
        rows = []
        for decision in decisions:
            row = {**decision, "match_id": match, "game_id": games[decision["game"]]}
            row["position_id"] = positions[decision["position"]]
            del row["game"], row["position"]
            rows.append(row)
        if rows:
            connection.execute(insert(DecisionRow), rows)

    # --- more about a match that is there ---------------------------------------------------------------------------

    def _fill_in(self, connection: Connection, match: int, rows: MatchRows, swapped: bool) -> None:
        """Take what the library does not know yet: event, date, and the names of the nameless."""
        columns = [MatchRow.event, MatchRow.round, MatchRow.place, MatchRow.dated]
        there = connection.execute(select(*columns).where(MatchRow.id == match)).mappings().one()
        changes = {name: rows.header[name] for name, known in there.items() if not known and rows.header[name]}
        if "dated" in changes:
            changes["played_on"] = rows.header["played_on"]
        if "event" in changes:
            changes["tournament_id"] = self._tournament(connection, rows.header)
        names = rows.players[::-1] if swapped else rows.players
        query = select(MatchSource.name0, MatchSource.name1, MatchSource.swapped)
        given = connection.execute(query.where(MatchSource.match_id == match)).all()
        for seat, name in enumerate(names):
            known = {row.name1 if bool(seat) != row.swapped else row.name0 for row in given}
            if known and all(alias_of(one) in NAMELESS for one in known) and alias_of(name) not in NAMELESS:
                changes[f"player{seat}_id"] = self._players.ensure(connection, name)
        if changes:
            connection.execute(update(MatchRow).where(MatchRow.id == match).values(changes))

    def _extend(self, connection: Connection, match: int, rows: MatchRows, swapped: bool) -> None:
        """Let a longer record take the place of the one that is there. What is said of its decisions stays."""
        turned = turned_round(rows) if swapped else rows
        connection.execute(delete(MatchReviewRow).where(MatchReviewRow.match_id == match))  # they end too early now
        header = {name: turned.header[name] for name in _OF_THE_RECORD}
        connection.execute(update(MatchRow).where(MatchRow.id == match).values(header))
        there = connection.execute(select(GameRow.number, GameRow.id).where(GameRow.match_id == match))
        known = dict(there.all())
        for game in turned.games:
            if game["number"] in known:
                connection.execute(update(GameRow).where(GameRow.id == known[game["number"]]).values(game))
        games = self._add_games(connection, match, [one for one in turned.games if one["number"] not in known])
        places = self.places(connection, match)
        missing, kept = [], {}
        for row in turned.decisions:
            number = places.get((row["game"], row["move"], row["kind"]))
            if number is None:
                missing.append(row)
            else:
                kept[number] = {"ply": row["ply"], "chosen": row["chosen"]}
        self._make_room(connection, match, turned.decisions, kept)
        for number, changes in kept.items():
            connection.execute(update(DecisionRow).where(DecisionRow.id == number).values(changes))
        positions = self.positions(connection, turned.positions)
        self._add_decisions(connection, match, games, positions, missing)

    def _make_room(
        self, connection: Connection, match: int, rows: Iterable[dict[str, Any]], kept: Collection[int]
    ) -> None:
        """Let decisions change their plies in any order: a longer record may have actions that the shorter one lacks.

        Those that are kept step aside first. Others that stand where the record has another one of their kind go.
        """
        wanted = {(row["game"], row["ply"], row["kind"]) for row in rows}
        query = (
            select(DecisionRow.id, GameRow.number, DecisionRow.ply, DecisionRow.kind)
            .join(GameRow, GameRow.id == DecisionRow.game_id)
            .where(DecisionRow.match_id == match)
        )
        for number, game, ply, kind in connection.execute(query).all():
            if number in kept:
                connection.execute(update(DecisionRow).where(DecisionRow.id == number).values(ply=-1 - number))
            elif (game, ply, kind) in wanted:
                connection.execute(delete(DecisionRow).where(DecisionRow.id == number))

    def places(self, connection: Connection, match: int) -> dict[Place, int]:
        """The decisions of a match by where they stand. Of a raccoon's answers the last counts."""
        query = (
            select(GameRow.number, DecisionRow.move, DecisionRow.kind, DecisionRow.id)
            .join(GameRow, GameRow.id == DecisionRow.game_id)
            .where(DecisionRow.match_id == match)
            .order_by(DecisionRow.ply)
        )
        return {(row.number, row.move, row.kind): row.id for row in connection.execute(query)}

    def add_notes(
        self,
        connection: Connection,
        match: int,
        notes: Iterable[tuple[Place | None, str]],
        *,
        source_id: int | None = None,
        origin: str = "file",
    ) -> None:
        """Comments of a file, or notes of a user; the same words on the same thing are kept once."""
        places = self.places(connection, match)
        known = select(Note.decision_id, Note.text).where(Note.match_id == match, Note.owner_id == self._owner)
        there = {(decision, words) for decision, words in connection.execute(known)}
        for place, words in notes:
            decision = None if place is None else places.get(place)
            if (decision, words) in there:
                continue
            there.add((decision, words))
            position = None
            if decision is not None:
                query = select(DecisionRow.position_id).where(DecisionRow.id == decision)
                position = connection.execute(query).scalar()
            row: dict[str, Any] = {"owner_id": self._owner, "match_id": match, "decision_id": decision}
            row |= {"position_id": position, "source_id": source_id, "origin": origin, "about": "", "text": words}
            connection.execute(insert(Note).values(row | {"created_at": now()}))

    # --- analyses ---------------------------------------------------------------------------------------------------

    def analyst(self, connection: Connection, analyst: AnalystInfo) -> int:
        """The number of an analyst, made if it is new."""
        row = {
            name: getattr(analyst, name)
            for name in ("key", "engine", "version", "network", "level", "origin", "rank", "settings")
        }
        connection.execute(self._database.insert(Analyst).values(row).on_conflict_do_nothing())
        return connection.execute(select(Analyst.id).where(Analyst.key == analyst.key)).scalar_one()

    def add_review(
        self,
        connection: Connection,
        match: int,
        analyst: AnalystInfo,
        stored: Sequence[StoredAnalysis],
        rest: bytes,
    ) -> None:
        """Write a whole review of a match; an earlier one by the same analyst goes."""
        number = self.add_analyses(connection, match, analyst, stored)
        row = {"match_id": match, "analyst_id": number, "created_at": now(), "rest": rest}
        write = self._database.insert(MatchReviewRow).values(row)
        again = {"created_at": row["created_at"], "rest": rest}
        keys = ["match_id", "analyst_id"]
        connection.execute(write.on_conflict_do_update(index_elements=keys, set_=again))
        choose_again(connection, match)

    def add_analyses(
        self,
        connection: Connection,
        match: int,
        analyst: AnalystInfo,
        stored: Sequence[StoredAnalysis],
        *,
        swapped: bool = False,
    ) -> int:
        """Write what an analyst says. Decisions that the record is silent about, as a cube left alone, are added."""
        number = self.analyst(connection, analyst)
        places = self.places(connection, match)
        missing = [{**one.decision} for one in stored if one.place not in places]
        if missing:
            for row in missing:
                row["seat"] = 1 - row["seat"] if swapped else row["seat"]
            positions = self.positions(connection, index_positions(missing))
            games = self._add_games(connection, match, [])
            missing = [row for row in missing if row["game"] in games]
            self._add_decisions(connection, match, games, positions, missing)
            places = self.places(connection, match)
        wanted = [(places[one.place], one) for one in stored if one.place in places]
        self._replace(connection, number, wanted)
        return number

    def _replace(self, connection: Connection, analyst: int, wanted: Sequence[tuple[int, StoredAnalysis]]) -> None:
        """Write analyses of decisions in the place of those by the same analyst."""
        rows = [
            one.values | {"decision_id": decision, "analyst_id": analyst, "current": False} for decision, one in wanted
        ]
        if not rows:
            return
        write = self._database.insert(Analysis)
        changed = {name: getattr(write.excluded, name) for name in wanted[0][1].values}
        keys = ["decision_id", "analyst_id"]
        connection.execute(write.on_conflict_do_update(index_elements=keys, set_=changed), rows)
        numbers: dict[int, int] = {}
        decisions = [decision for decision, _ in wanted]
        for start in range(0, len(decisions), AT_ONCE):
            query = select(Analysis.decision_id, Analysis.id).where(
                Analysis.analyst_id == analyst, Analysis.decision_id.in_(decisions[start : start + AT_ONCE])
            )
            numbers.update(connection.execute(query).all())
        details = [
            {"analysis_id": numbers[decision], "data": one.data} for decision, one in wanted if one.data is not None
        ]
        if details:
            detail = self._database.insert(AnalysisDetail)
            again = detail.on_conflict_do_update(index_elements=["analysis_id"], set_={"data": detail.excluded.data})
            connection.execute(again, details)


_OF_THE_RECORD = ("full_key", "prefix_key", "score0", "score1", "winner", "games", "record")


def turned_round(rows: MatchRows) -> MatchRows:
    """The rows of the same match with the players in the other seats."""
    from kibitz.library.keys import with_seats_swapped
    from kibitz.library.rows import match_rows

    return match_rows(with_seats_swapped(unpack_record(rows.header["record"])))
