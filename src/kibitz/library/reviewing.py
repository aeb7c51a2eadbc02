"""Reviewing in bulk: whatever an analyst has not analysed yet, a match at a time, each kept as soon as it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from sqlalchemy import case, or_, select

from kibitz.analysis.decisions import CurvePoint, Kind, ReviewedDecision, RollLuck
from kibitz.analysis.levels import ReviewSettings
from kibitz.analysis.positions import open_question
from kibitz.analysis.review import MatchReview, review
from kibitz.cores import usable_cores
from kibitz.errors import KibitzError, LibraryError
from kibitz.library.analyses import AnalystInfo, StoredAnalysis, our_analyst, stored_analyses, unplayed
from kibitz.library.filters import DecisionFilter
from kibitz.library.models import (
    Analysis,
    AnalysisDetail,
    Analyst,
    DecisionRow,
    GameRow,
    MatchReviewRow,
    MatchRow,
    Player,
)
from kibitz.library.rows import MatchKind, kind_of, pack, unpack, unpack_record
from kibitz.library.store import Store
from kibitz.record import Match

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kibitz.engine.engine import Engine
    from kibitz.library.database import Database

Progress = Callable[[int, int], None]
"""Called with the number of matches done and of all matches."""


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """What came of a bulk review: how many matches were done, and which could not be."""

    reviewed: int
    failed: tuple[tuple[int, str], ...] = ()

    def __str__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"{self.reviewed} reviewed{failed}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"reviewed": self.reviewed, "failed": [{"match": n, "error": words} for n, words in self.failed]}


class Reviewer:
    """What reviews the matches of a library."""

    def __init__(self, database: Database, owner_id: int, players: Mapping[str, int]) -> None:
        self._database = database
        self._owner = owner_id
        self._players = players
        self._store = Store(database, owner_id)

    def run(
        self,
        settings: ReviewSettings,
        wanted: DecisionFilter,
        *,
        threads: int = 0,
        limit: int | None = None,
        cluster: str | None = None,
        progress: Progress | None = None,
    ) -> ReviewReport:
        """Review what is not analysed at this level yet. May be stopped at any moment: what is done is kept."""
        from kibitz.engine.engine import Engine

        engine = Engine(threads=1)
        analyst = our_analyst(engine, settings)
        waiting = self.pending(analyst, wanted)[:limit]
        done, failed = 0, []
        for match, found in self._found(waiting, settings, engine, threads, cluster):
            if isinstance(found, str):
                failed.append((match, found))
            else:
                with self._database.writing() as connection:
                    self._store.add_review(connection, match, analyst, *found)
            done += 1
            if progress is not None:
                progress(done, len(waiting))
        return ReviewReport(done - len(failed), tuple(failed))

    def pending(self, analyst: AnalystInfo, wanted: DecisionFilter) -> list[int]:
        """The matches that an analyst has not analysed: one's own first, then the newest."""
        analysed = (
            select(MatchReviewRow.match_id)
            .join(Analyst, Analyst.id == MatchReviewRow.analyst_id)
            .where(Analyst.key == analyst.key)
        )
        me = select(Player.id).where(Player.owner_id == self._owner, Player.is_me).scalar_subquery()
        mine = case((or_(MatchRow.player0_id == me, MatchRow.player1_id == me), 0), else_=1)
        query = (
            select(MatchRow.id)
            .where(MatchRow.owner_id == self._owner, MatchRow.id.not_in(analysed))
            .where(*wanted.match_clauses(self._players))
            .order_by(mine, MatchRow.played_on.desc().nulls_last(), MatchRow.id.desc())
        )
        with self._database.reading() as connection:
            return list(connection.execute(query).scalars())

    def _record(self, match: int) -> bytes:
        with self._database.reading() as connection:
            return connection.execute(select(MatchRow.record).where(MatchRow.id == match)).scalar_one()

    def _found(
        self, matches: Sequence[int], settings: ReviewSettings, engine: Engine, threads: int, cluster: str | None
    ) -> Iterator[tuple[int, Findings | str]]:
        """Reviews as they come."""
        if cluster is not None:
            yield from self._found_elsewhere(matches, settings, cluster)
            return
        workers = min(threads or usable_cores(), len(matches))
        if workers <= 1:
            for match in matches:
                yield match, _told(self._record(match), settings, engine)
            return
        with _executor(workers) as executor:
            waiting: dict[Future[Findings | str], int] = {}
            todo = iter(matches)
            try:
                while True:
                    for match in islice(todo, 2 * workers - len(waiting)):
                        waiting[executor.submit(review_record, self._record(match), settings)] = match
                    if not waiting:
                        return
                    ready, _ = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
                    for future in ready:
                        yield waiting.pop(future), future.result()
            finally:
                for future in waiting:
                    future.cancel()

    def _found_elsewhere(
        self, matches: Sequence[int], settings: ReviewSettings, cluster: str
    ) -> Iterator[tuple[int, Findings | str]]:
        """Reviews of a cluster's workers, as they come."""
        from kibitz.rollout.dask_executor import DaskExecutor

        todo = iter(matches)

        def cut(_: int) -> tuple[tuple[int, bytes], int] | None:
            return next((((match, self._record(match)), 1) for match in todo), None)

        with DaskExecutor(cluster) as executor:
            yield from executor.shared_out(review_remotely, settings, cut)


Findings = tuple[list[StoredAnalysis], bytes]
"""What is written of a review."""


@contextmanager
def _executor(workers: int) -> Iterator[Executor]:
    """Processes of this machine."""
    from multiprocessing import get_context

    # New processes rather than forked ones: the engine has threads, and threads do not survive a fork.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def review_remotely(settings: ReviewSettings, match: int, record: bytes) -> tuple[int, Findings | str]:
    """One match on a worker of a cluster, with its number."""
    return match, review_record(record, settings)


_engine: Engine | None = None


def review_record(record: bytes, settings: ReviewSettings) -> Findings | str:
    """One match in a process of a pool, which keeps its engine."""
    global _engine
    if _engine is None:
        from kibitz.engine.engine import Engine

        _engine = Engine(threads=1)
    return _told(record, settings, _engine)


def _told(record: bytes, settings: ReviewSettings, engine: Engine) -> Findings | str:
    try:
        return findings(unpack_record(record), settings, engine)
    except KibitzError as error:
        return str(error)


def findings(match: Match, settings: ReviewSettings, engine: Engine) -> Findings:
    """What is written of a match that is reviewed now."""
    return rows_of(review(match, engine=engine, settings=settings, threads=1), engine)


def rows_of(found: MatchReview, engine: Engine) -> Findings:
    """What is written of a review."""
    match, settings = found.match, found.settings
    rows = stored_analyses(found.decisions, found.rolls)
    if kind_of(match) is MatchKind.POSITION:
        known = {row.place for row in rows if row.data is not None}
        rows = [row for row in rows if row.data is not None]
        rows += [row for row in asked(match, engine, settings) if row.place not in known]
    return rows, pack_rest(found)


def asked(match: Match, engine: Engine, settings: ReviewSettings) -> list[StoredAnalysis]:
    """The answer to what a position asks and nobody has answered."""
    state = open_question(match)
    if state is None:
        return []
    answer = engine.answer(state, plies=settings.level.search.plies, threads=1)
    return [unplayed(list(match.moments())[-1], answer)]


def pack_rest(found: MatchReview) -> bytes:
    """What belongs to no decision: settings, the curve and what each game was worth."""
    return pack(
        {
            "engine": found.engine,
            "settings": found.settings.to_dict(),
            "curve": [point.to_dict() for point in found.curve],
            "results": list(found.results),
            "luck": [roll.to_dict() for roll in found.rolls],
        }
    )


def load_review(connection: Connection, match_id: int, match: Match, analyst: int | None = None) -> MatchReview:
    """A review as it was made: that of the highest rank unless an analyst is named."""
    query = (
        select(MatchReviewRow.analyst_id, MatchReviewRow.rest)
        .join(Analyst, Analyst.id == MatchReviewRow.analyst_id)
        .where(MatchReviewRow.match_id == match_id)
        .order_by(Analyst.rank.desc(), Analyst.id.desc())
    )
    if analyst is not None:
        query = query.where(Analyst.id == analyst)
    row = connection.execute(query.limit(1)).first()
    if row is None:
        raise LibraryError(f"match {match_id} has not been reviewed yet: `kibitz library review` does it")
    rest = unpack(row.rest)
    settings = ReviewSettings.from_dict(rest["settings"])
    moments = {(moment.game, moment.index): moment for moment in match.moments()}
    details = (
        select(GameRow.number, DecisionRow.ply, AnalysisDetail.data)
        .join(Analysis, Analysis.id == AnalysisDetail.analysis_id)
        .join(DecisionRow, DecisionRow.id == Analysis.decision_id)
        .join(GameRow, GameRow.id == DecisionRow.game_id)
        .where(DecisionRow.match_id == match_id, Analysis.analyst_id == row.analyst_id)
    )
    found = [(game, ply, unpack(data)) for game, ply, data in connection.execute(details)]
    order = {kind.value: place for place, kind in enumerate(_ORDER)}
    found = [one for one in found if "lost" in one[2]]  # a question that nobody answered is no decision of a review
    found.sort(key=lambda one: (one[0], one[1], order[one[2]["kind"]]))
    return MatchReview(
        match,
        settings,
        rest["engine"],
        tuple(ReviewedDecision.from_dict(one, moments[game, ply], settings.thresholds) for game, ply, one in found),
        tuple(RollLuck.from_dict(one, moments[one["game"], one["index"]]) for one in rest["luck"]),
        tuple(CurvePoint.from_dict(one) for one in rest["curve"]),
        tuple(rest["results"]),
    )


_ORDER = (Kind.CUBE, Kind.CHECKER, Kind.ANSWER, Kind.COUNTER, Kind.RESIGNATION, Kind.ACCEPTANCE)
"""In which order decisions of one action are made."""
