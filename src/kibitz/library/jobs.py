"""Work that takes long: jobs cut into chunks, kept in the database, done by any number of processes.

A chunk is plain data, and doing it twice gives the same result twice. A worker claims a chunk for a while and renews
the claim if it takes longer. A chunk whose claim has run out is given to the next worker. So nothing is lost when a
worker is killed, and nobody has to notice it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, and_, delete, func, insert, or_, select, update

from kibitz.errors import LibraryError
from kibitz.library.database import Database
from kibitz.library.models import Owner, now
from kibitz.library.models_notes import JobChunk, JobRow
from kibitz.plain_json import PlainData

LEASE = timedelta(seconds=60)
"""How long a claim lasts unless it is renewed."""
MOST_ATTEMPTS = 25
"""A chunk that so many workers died of is not tried again: its job has failed. A worker that is killed again and again
for other reasons may hold the same chunk each time, so a few deaths say nothing."""


class JobState(StrEnum):
    """How far a job or a chunk is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing will change any more."""
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


_OPEN = (JobState.QUEUED.value, JobState.RUNNING.value)


@dataclass(frozen=True, slots=True)
class Job(PlainData):
    """A job as it stands. `progress` goes from 0 to 1; `cost` is what was expected when it was made, in seconds."""

    id: int
    kind: str
    state: JobState
    priority: int
    request: dict[str, Any]
    cost: float
    progress: float
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    result: dict[str, Any] | None
    error: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk that a worker has claimed."""

    id: int
    job_id: int
    kind: str
    request: dict[str, Any]
    number: int
    payload: dict[str, Any]
    worker: str


class Jobs:
    """The jobs of one owner in a library's database, or of all owners for those who only do the work.

    Workers are given names of their own.
    """

    def __init__(self, database: Database, owner_id: int | None) -> None:
        self._database = database
        self._owner = owner_id

    # --- asking for work --------------------------------------------------------------------------------------------

    def create(
        self,
        kind: str,
        request: dict[str, Any],
        chunks: Sequence[dict[str, Any]],
        *,
        priority: int = 0,
        cost: float = 0.0,
    ) -> int:
        """A new job with its chunks, done in the order of priority, then of age. Returns its number."""
        if not chunks:
            raise LibraryError("a job has at least one chunk")
        if self._owner is None:
            raise LibraryError("a job has an owner")
        with self._database.writing() as connection:
            row = {
                "owner_id": self._owner,
                "kind": kind,
                "state": JobState.QUEUED.value,
                "priority": priority,
                "request": request,
                "cost": cost,
                "progress": 0.0,
                "created_at": now(),
                "error": "",
            }
            job = connection.execute(insert(JobRow).values(row).returning(JobRow.id)).scalar_one()
            connection.execute(
                insert(JobChunk),
                [
                    {"job_id": job, "number": number, "payload": chunk, "state": JobState.QUEUED.value}
                    for number, chunk in enumerate(chunks)
                ],
            )
        return job

    def get(self, job: int) -> Job:
        """A job as it stands."""
        with self._database.reading() as connection:
            row = connection.execute(self._select().where(JobRow.id == job)).mappings().one_or_none()
        if row is None:
            raise LibraryError(f"there is no job {job}")
        return _job(row)

    def find(
        self, *, states: Iterable[JobState] = (), kind: str | None = None, match: int | None = None, limit: int = 100
    ) -> list[Job]:
        """Jobs, the newest first; only those in some of these states, of a kind, about a match, if any are given."""
        query = self._select().order_by(JobRow.id.desc()).limit(limit)
        if wanted := [state.value for state in states]:
            query = query.where(JobRow.state.in_(wanted))
        if kind is not None:
            query = query.where(JobRow.kind == kind)
        if match is not None:
            query = query.where(JobRow.request["match"].as_integer() == match)
        with self._database.reading() as connection:
            return [_job(row) for row in connection.execute(query).mappings()]

    def results(self, job: int) -> list[dict[str, Any]]:
        """The results of the chunks that are done, in their order."""
        self.get(job)
        query = select(JobChunk.result).where(JobChunk.job_id == job, JobChunk.state == JobState.DONE.value)
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(JobChunk.number)).scalars().all()
        return [result for result in found if result is not None]

    def done_chunks(self, job: int, besides: Iterable[int] = ()) -> list[tuple[int, dict[str, Any]]]:
        """Numbers and results of the chunks that are done, in their order; those that are known can be left out."""
        known = set(besides)
        first = next(number for number in itertools.count() if number not in known)
        further = [number for number in known if number > first]  # few: chunks are done nearly in their order
        query = select(JobChunk.number, JobChunk.result).where(
            JobChunk.job_id == job,
            JobChunk.state == JobState.DONE.value,
            JobChunk.number >= first,
            JobChunk.number.not_in(further),
        )
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(JobChunk.number)).tuples().all()
        return [(number, result) for number, result in found if result is not None]

    def count_chunks(self, job: int) -> tuple[int, int]:
        """How many chunks are done, and how many there are."""
        with self._database.reading() as connection:
            done, total = connection.execute(_counted(job)).one()
        return done, total

    def owner_name(self, job: int) -> str:
        """Whose job it is."""
        query = select(Owner.name).join(JobRow, JobRow.owner_id == Owner.id).where(JobRow.id == job, *self._mine())
        with self._database.reading() as connection:
            name = connection.execute(query).scalar()
        if name is None:
            raise LibraryError(f"there is no job {job}")
        return name

    def cancel(self, job: int) -> bool:
        """Stop a job: no chunk of it is handed out any more. False if it was over already."""
        self.get(job)
        with self._database.writing() as connection:
            return self._end(connection, job, JobState.CANCELLED)

    def forget(self, job: int) -> None:
        """Delete a job that is over."""
        if not self.get(job).state.is_final:
            raise LibraryError(f"job {job} is not over: cancel it first")
        with self._database.writing() as connection:
            connection.execute(delete(JobRow).where(JobRow.id == job))

    # --- doing it ---------------------------------------------------------------------------------------------------

    def claim(self, worker: str, *, kinds: Sequence[str] = (), lease: timedelta = LEASE) -> Chunk | None:
        """The next chunk for a worker; None if there is nothing to do now."""
        with self._database.writing() as connection:
            while (row := connection.execute(self._next(kinds)).first()) is not None:
                if row.attempts >= MOST_ATTEMPTS:
                    words = f"chunk {row.number} was given up after {row.attempts} attempts"
                    self._end(connection, row.job_id, JobState.FAILED, words)
                    continue
                connection.execute(
                    update(JobChunk)
                    .where(JobChunk.id == row.id)
                    .values(
                        state=JobState.RUNNING.value,
                        worker=worker,
                        lease_until=now() + lease,
                        attempts=JobChunk.attempts + 1,
                    )
                )
                connection.execute(
                    update(JobRow)
                    .where(JobRow.id == row.job_id, JobRow.state == JobState.QUEUED.value)
                    .values(state=JobState.RUNNING.value, started_at=now())
                )
                return Chunk(row.id, row.job_id, row.kind, row.request, row.number, row.payload, worker)
        return None

    def renew(self, chunk: Chunk, *, lease: timedelta = LEASE) -> bool:
        """Keep a claim for longer. False if the work is no longer wanted: stop it."""
        with self._database.writing() as connection:
            return self._held(connection, chunk, lease_until=now() + lease)

    def finish(self, chunk: Chunk, result: dict[str, Any] | None = None) -> bool:
        """A chunk is done. False if it was not wanted any more, or another worker has it by now: nothing is kept."""
        with self._database.writing() as connection:
            if not self._held(connection, chunk, state=JobState.DONE.value, result=result, lease_until=None):
                return False
            done, total = connection.execute(_counted(chunk.job_id)).one()
            connection.execute(update(JobRow).where(JobRow.id == chunk.job_id).values(progress=done / total))
            return True

    def complete(
        self, job: int, result: dict[str, Any] | None = None, *, early: bool = False, keep: bool = True
    ) -> bool:
        """A job whose chunks are all done gets its result. False if it is over already or chunks are missing.

        `early`: chunks that are missing are not needed any more. `keep=False` forgets the results of the chunks.
        """
        with self._database.writing() as connection:
            missing = select(JobChunk.id).where(JobChunk.job_id == job, JobChunk.state != JobState.DONE.value)
            if not early and connection.execute(missing.limit(1)).first() is not None:
                return False
            changed = connection.execute(
                update(JobRow)
                .where(JobRow.id == job, *self._mine(), JobRow.state.in_(_OPEN))
                .values(state=JobState.DONE.value, progress=1.0, finished_at=now(), result=result)
            )
            if changed.rowcount != 1:
                return False
            chunks = update(JobChunk).where(JobChunk.job_id == job)
            gone = {"state": JobState.CANCELLED.value, "lease_until": None}
            connection.execute(chunks.where(JobChunk.state.in_(_OPEN)).values(**gone))
            if not keep:
                connection.execute(chunks.values(result=None))
            return True

    def release(self, chunk: Chunk) -> bool:
        """Put a claimed chunk back because its worker stops; that was no fault of the chunk. False if it was gone."""
        with self._database.writing() as connection:
            back = {"state": JobState.QUEUED.value, "worker": "", "lease_until": None}
            return self._held(connection, chunk, attempts=JobChunk.attempts - 1, **back)

    def workers(self) -> set[str]:
        """The names of those who hold chunks, dead or alive."""
        query = select(JobChunk.worker).distinct().where(JobChunk.state == JobState.RUNNING.value)
        with self._database.reading() as connection:
            return set(connection.execute(query).scalars())

    def fail(self, chunk: Chunk, error: str) -> bool:
        """A chunk cannot be done, and so neither can its job. False if it was over already."""
        return self.fail_job(chunk.job_id, error)

    def fail_job(self, job: int, error: str) -> bool:
        """A job cannot be done, although its chunks could. False if it was over already."""
        with self._database.writing() as connection:
            return self._end(connection, job, JobState.FAILED, error)

    def resume(self, *, worker: str | None = None) -> int:
        """Put claimed chunks back that nobody works on: those whose claim has run out, and all of a worker that is
        known to be dead. Returns how many. `claim` finds the former by itself; this is for a clean start.
        """
        dead = JobChunk.lease_until <= now()
        if worker is not None:
            dead = or_(dead, JobChunk.worker == worker)
        mine = select(JobRow.id).where(*self._mine(), JobRow.state.in_(_OPEN))
        with self._database.writing() as connection:
            changed = connection.execute(
                update(JobChunk)
                .where(JobChunk.state == JobState.RUNNING.value, dead, JobChunk.job_id.in_(mine))
                .values(state=JobState.QUEUED.value, worker="", lease_until=None)
            )
            return changed.rowcount

    # --- inside -----------------------------------------------------------------------------------------------------

    def _select(self) -> Select[Any]:
        columns = [getattr(JobRow, name) for name in Job.__slots__]
        return select(*columns).where(*self._mine())

    def _mine(self) -> list[ColumnElement[bool]]:
        return [] if self._owner is None else [JobRow.owner_id == self._owner]

    def _next(self, kinds: Sequence[str]) -> Select[Any]:
        free = or_(
            JobChunk.state == JobState.QUEUED.value,
            and_(JobChunk.state == JobState.RUNNING.value, JobChunk.lease_until <= now()),
        )
        query = (
            select(JobChunk.id, JobChunk.job_id, JobChunk.number, JobChunk.payload, JobChunk.attempts)
            .add_columns(JobRow.kind, JobRow.request)
            .join(JobRow, JobRow.id == JobChunk.job_id)
            .where(*self._mine(), JobRow.state.in_(_OPEN), free)
            .order_by(JobRow.priority.desc(), JobRow.id, JobChunk.number)
            .limit(1)
        )
        return query.where(JobRow.kind.in_(kinds)) if kinds else query

    def _held(self, connection: Connection, chunk: Chunk, **values: Any) -> bool:
        """Change a chunk if this worker still has it and its job goes on."""
        going_on = select(JobRow.id).where(JobRow.id == chunk.job_id, JobRow.state.in_(_OPEN))
        changed = connection.execute(
            update(JobChunk)
            .where(
                JobChunk.id == chunk.id,
                JobChunk.state == JobState.RUNNING.value,
                JobChunk.worker == chunk.worker,
                JobChunk.job_id.in_(going_on),
            )
            .values(**values)
        )
        return changed.rowcount == 1

    def _end(self, connection: Connection, job: int, state: JobState, error: str = "") -> bool:
        changed = connection.execute(
            update(JobRow)
            .where(JobRow.id == job, *self._mine(), JobRow.state.in_(_OPEN))
            .values(state=state.value, finished_at=now(), error=error)
        )
        if not changed.rowcount:
            return False
        connection.execute(
            update(JobChunk)
            .where(JobChunk.job_id == job, JobChunk.state.in_(_OPEN))
            .values(state=state.value, lease_until=None)
        )
        return True


def _counted(job: int) -> Select[int, int]:
    done = func.count().filter(JobChunk.state == JobState.DONE.value)
    return select(done, func.count()).where(JobChunk.job_id == job)


def _job(row: RowMapping) -> Job:
    return Job(**{**row, "state": JobState(row["state"])})
