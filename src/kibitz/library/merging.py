"""Taking over another library: matches with their files, what all analysts said of them, and the user's notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select

from kibitz.library.analyses import AnalystInfo, StoredAnalysis
from kibitz.library.importing import ImportedFile, ImportReport, Progress
from kibitz.library.merging_notes import take_over
from kibitz.library.models import (
    Analysis,
    AnalysisDetail,
    Analyst,
    DecisionRow,
    GameRow,
    MatchReviewRow,
    MatchSource,
    PositionRow,
    SourceFile,
)
from kibitz.library.models_notes import Note
from kibitz.library.rows import Place, match_rows
from kibitz.library.store import Names, Source, Store

if TYPE_CHECKING:
    from kibitz.library.library import Library

Analysed = dict[str, tuple[AnalystInfo, list[StoredAnalysis]]]
"""Analysts by their keys, each with what it says."""


def merge(mine: Library, other: Library, progress: Progress | None = None) -> ImportReport:
    """Take over all matches of another library, each in a transaction of its own, then what its user added."""
    store = Store(mine.database, mine.owner_id)
    matches = other.matches()
    done = []
    numbers = {}
    for count, info in enumerate(reversed(matches), start=1):
        bare = other.match(info.id, analyses=False)
        with other.database.reading() as theirs:
            sources, analysed = _sources(theirs, info.id), _analysed(theirs, info.id)
            reviews, notes = _reviews(theirs, info.id), _notes(theirs, info.id)
        with mine.database.writing() as connection:
            added = store.add(connection, match_rows(bare), None, list(analysed.values()))
            for source, names, swapped in sources:
                store.add_source(connection, added.match_id, source, names, swapped != added.swapped)
            if not added.swapped:  # curves and results are told from one seat: those of the other are made anew
                for key, created_at, rest in reviews:
                    row: dict[str, Any] = {"match_id": added.match_id}
                    row["analyst_id"] = store.analyst(connection, analysed[key][0])
                    row |= {"created_at": created_at, "rest": rest}
                    connection.execute(mine.database.insert(MatchReviewRow).values(row).on_conflict_do_nothing())
            for origin in ("file", "user"):
                words = [(place, text) for place, text, whose in notes if whose == origin]
                store.add_notes(connection, added.match_id, words, origin=origin)
        numbers[info.id] = added.match_id
        done.append(ImportedFile(Path(str(info)), added.outcome, added.match_id))
        if progress is not None:
            progress(count, len(matches))
    take_over(mine, other, numbers)
    return ImportReport(tuple(done))


def _sources(connection: Connection, match: int) -> list[tuple[Source, Names, bool]]:
    query = (
        select(SourceFile, MatchSource.name0, MatchSource.name1, MatchSource.swapped)
        .join(MatchSource, MatchSource.source_id == SourceFile.id)
        .where(MatchSource.match_id == match)
    )
    return [
        (Source(*(row[name] for name in Source.__slots__)), (row["name0"], row["name1"]), row["swapped"])
        for row in connection.execute(query).mappings()
    ]


_SAID = (
    *("best", "lost", "lost_mwc", "stake", "mark", "flaw", "is_blunder", "counts", "counts_pr"),
    *("luck", "luck_mwc", "luck_stake"),
)
_DECIDED = ("ply", "move", "kind", "seat", "dice", "my_away", "their_away", "cube", "cube_owner", "crawford", "chosen")
_ANALYST = ("engine", "origin", "rank", "version", "network", "settings")


def _analysed(connection: Connection, match: int) -> Analysed:
    """What all analysts say of a match."""
    columns: list[Any] = [getattr(Analysis, name) for name in (*_SAID, "level")]
    columns += [getattr(DecisionRow, name) for name in _DECIDED]
    columns += [getattr(Analyst, name) for name in _ANALYST]
    query = (
        select(*columns, Analyst.key, Analyst.level.label("depth"), GameRow.number, PositionRow.board)
        .add_columns(AnalysisDetail.data)
        .select_from(Analysis)
        .join(Analyst, Analyst.id == Analysis.analyst_id)
        .join(DecisionRow, DecisionRow.id == Analysis.decision_id)
        .join(GameRow, GameRow.id == DecisionRow.game_id)
        .join(PositionRow, PositionRow.id == DecisionRow.position_id)
        .outerjoin(AnalysisDetail, AnalysisDetail.analysis_id == Analysis.id)
        .where(DecisionRow.match_id == match)
        .order_by(Analysis.id)
    )
    found: Analysed = {}
    for row in connection.execute(query).mappings():
        analyst = AnalystInfo(level=row["depth"], **{name: row[name] for name in _ANALYST})
        decision = {name: row[name] for name in _DECIDED} | {"game": row["number"], "rows": row["board"]}
        said = {name: row[name] for name in (*_SAID, "level")}
        place = (row["number"], row["move"], row["kind"])
        found.setdefault(row["key"], (analyst, []))[1].append(StoredAnalysis(place, decision, said, row["data"]))
    return found


def _reviews(connection: Connection, match: int) -> Sequence[tuple[str, datetime, bytes]]:
    query = (
        select(Analyst.key, MatchReviewRow.created_at, MatchReviewRow.rest)
        .join(Analyst, Analyst.id == MatchReviewRow.analyst_id)
        .where(MatchReviewRow.match_id == match)
    )
    return list(connection.execute(query))


def _notes(connection: Connection, match: int) -> list[tuple[Place | None, str, str]]:
    query = (
        select(GameRow.number, DecisionRow.move, DecisionRow.kind, Note.text, Note.origin)
        .select_from(Note)
        .outerjoin(DecisionRow, DecisionRow.id == Note.decision_id)
        .outerjoin(GameRow, GameRow.id == DecisionRow.game_id)
        .where(Note.match_id == match)
        .order_by(Note.id)
    )
    return [
        (None if game is None else (game, move, kind), text, origin)
        for game, move, kind, text, origin in connection.execute(query)
    ]
