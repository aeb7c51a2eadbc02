"""How jobs are told about: as they stand, and as events that go on where a reader left off."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson

from kibitz.errors import LibraryError
from kibitz.library.jobs import Job, Jobs
from kibitz.service.kinds import RolloutGathering, RolloutJob, finished_rollout
from kibitz.service.streams import FINAL, PROGRESS, Event
from kibitz.service.workers import Workers

PACE = 0.25
"""Seconds between two events, and how old what is told may be."""
JOBS = "jobs"
"""The event that lists jobs."""
END = "end"
"""The id of the last event."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A job at one moment, as it is told."""

    data: dict[str, Any]
    done: int
    is_final: bool

    @property
    def id(self) -> str:
        """What `Last-Event-ID` names: how many chunks were done, or the end."""
        return END if self.is_final else str(self.done)


class Watching:
    """Tells about jobs. Many readers of one job cost as much as one."""

    def __init__(self, reading: Callable[[Callable[[], Snapshot]], Awaitable[Snapshot]], workers: Workers) -> None:
        self._reading = reading
        self._workers = workers
        self._seen: OrderedDict[int, tuple[float, Snapshot]] = OrderedDict()

    def snapshot(self, jobs: Jobs, number: int) -> Snapshot:
        """A job as it stands, with what is done of it."""
        job = jobs.get(number)
        done, total = jobs.count_chunks(number)
        data = told(job) | {"chunks": {"done": done, "total": total}, "result": self.result(job)}
        return Snapshot(data, done, job.state.is_final)

    def result(self, job: Job) -> dict[str, Any] | None:
        """What came of a job, or of what is done of it."""
        if job.kind == RolloutJob.name:
            if job.result is not None:
                return finished_rollout(job.result).to_dict()
            found = self._workers.gathering(job)
            return found.counted().to_dict() if isinstance(found, RolloutGathering) and found.known else None
        return job.result

    async def events(self, jobs: Jobs, number: int, last: str) -> AsyncIterator[Event]:
        """Events of a job from one on; the last is final, and there is exactly one of it."""
        while True:
            snapshot = await self._recent(jobs, number)
            if snapshot.is_final:
                yield Event(FINAL, snapshot.data, END)
                return
            if snapshot.id != last:
                yield Event(PROGRESS, snapshot.data, snapshot.id)
                last = snapshot.id
            await asyncio.sleep(PACE)

    async def all_events(
        self, jobs: Jobs, reading: Callable[[Callable[[], bytes]], Awaitable[bytes]], most: int
    ) -> AsyncIterator[Event]:
        """The newest jobs as a list, at once and whenever something about them changes. There is no last event."""
        last = b""
        while True:
            listed = await reading(lambda: orjson.dumps({"jobs": [told(job) for job in jobs.find(limit=most)]}))
            if listed != last:
                yield Event(JOBS, listed)
                last = listed
            await asyncio.sleep(PACE)

    async def _recent(self, jobs: Jobs, number: int) -> Snapshot:
        found = self._seen.get(number)
        now = time.monotonic()
        if found is not None and now - found[0] < PACE * 0.9:
            return found[1]
        snapshot = await self._reading(lambda: self.snapshot(jobs, number))
        self._seen[number] = (now, snapshot)
        while len(self._seen) > 1000:
            self._seen.popitem(last=False)
        return snapshot


def told(job: Job) -> dict[str, Any]:
    """A job without what only workers need."""
    data = job.to_dict()
    data["request"] = job.request.get("asked", {})
    del data["result"]
    return data


def owned(jobs: Jobs, number: int) -> Job:
    """A job of this owner. Raises LibraryError for those of others as for those that are not there."""
    if not 0 < number < 1 << 62:
        raise LibraryError(f"there is no job {number}")
    return jobs.get(number)
