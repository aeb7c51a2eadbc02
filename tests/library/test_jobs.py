"""Jobs and their chunks: nothing is done twice at once, nothing is lost when a worker dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from kibitz.errors import LibraryError
from kibitz.library.database import Database
from kibitz.library.jobs import MOST_ATTEMPTS, Jobs, JobState
from kibitz.library.models import Owner


@contextmanager
def jobs_of(url: str) -> Iterator[Jobs]:
    with Database(url) as database:
        with database.writing() as connection:
            connection.execute(database.insert(Owner).values(name="me").on_conflict_do_nothing())
            owner = connection.exec_driver_sql("SELECT id FROM owner").scalar_one()
        yield Jobs(database, owner)


@pytest.fixture
def jobs(url: str) -> Iterator[Jobs]:
    with jobs_of(url) as found:
        yield found


CHUNKS = [{"trials": [number, number + 1]} for number in range(3)]


def test_a_job_is_done_when_its_chunks_are(jobs: Jobs) -> None:
    number = jobs.create("rollout", {"xgid": "…", "trials": 3}, CHUNKS, cost=2.5)
    assert jobs.get(number).state is JobState.QUEUED
    done = []
    while (chunk := jobs.claim("worker")) is not None:
        assert not jobs.complete(number)
        assert chunk.request["trials"] == 3
        assert jobs.finish(chunk, {"sum": chunk.number})
        done.append(jobs.get(number).progress)
    assert done == [pytest.approx(1 / 3), pytest.approx(2 / 3), 1.0]
    assert jobs.get(number).state is JobState.RUNNING
    assert jobs.results(number) == [{"sum": 0}, {"sum": 1}, {"sum": 2}]
    assert jobs.complete(number, {"equity": 0.25})
    job = jobs.get(number)
    assert job.state is JobState.DONE
    assert job.result == {"equity": 0.25}
    assert job.finished_at is not None and job.started_at is not None and job.created_at <= job.started_at
    assert job.to_dict()["state"] == "done"
    assert not jobs.complete(number)


def test_jobs_are_found_by_kind_and_match(jobs: Jobs) -> None:
    first, other, second = (jobs.create("review", {"match": match}, CHUNKS) for match in (3, 4, 3))
    rollout = jobs.create("rollout", {"xgid": "…"}, CHUNKS)
    assert [job.id for job in jobs.find()] == [rollout, second, other, first]
    assert [job.id for job in jobs.find(kind="review", limit=2)] == [second, other]
    assert [job.id for job in jobs.find(kind="review", match=3)] == [second, first]
    assert jobs.find(kind="rollout", match=3) == []


def test_the_urgent_come_first_then_the_old(jobs: Jobs) -> None:
    slow = jobs.create("review", {}, CHUNKS[:2])
    quick = jobs.create("hint", {}, CHUNKS[:1], priority=10)
    late = jobs.create("review", {}, CHUNKS[:1])
    order = [chunk.job_id for _ in range(4) if (chunk := jobs.claim("worker"))]
    assert order == [quick, slow, slow, late]
    assert jobs.claim("worker") is None


def test_a_worker_may_ask_for_some_kinds_only(jobs: Jobs) -> None:
    jobs.create("review", {}, CHUNKS)
    assert jobs.claim("worker", kinds=["hint"]) is None
    assert jobs.claim("worker", kinds=["hint", "review"]) is not None


def test_what_a_dead_worker_had_is_done_by_another(jobs: Jobs) -> None:
    number = jobs.create("review", {}, CHUNKS[:1])
    lost = jobs.claim("dead", lease=timedelta(0))
    assert lost is not None
    again = jobs.claim("alive")
    assert again is not None and again.id == lost.id
    assert not jobs.finish(lost, {"from": "dead"}), "the one that comes back late has nothing to say"
    assert jobs.finish(again, {"from": "alive"})
    assert jobs.results(number) == [{"from": "alive"}]


def test_a_start_takes_back_what_a_known_worker_had(jobs: Jobs) -> None:
    jobs.create("review", {}, CHUNKS)
    assert jobs.claim("this") is not None
    assert jobs.claim("other") is not None
    assert jobs.resume(worker="this") == 1
    assert [chunk.number for _ in range(3) if (chunk := jobs.claim("this"))] == [0, 2]


def test_a_chunk_that_kills_its_workers_ends_the_job(jobs: Jobs) -> None:
    number = jobs.create("review", {}, CHUNKS[:1])
    for _ in range(MOST_ATTEMPTS):
        assert jobs.claim("worker", lease=timedelta(0)) is not None
    assert jobs.claim("worker") is None
    assert jobs.get(number).state is JobState.FAILED
    assert "attempts" in jobs.get(number).error


def test_a_cancelled_job_hands_out_nothing_and_keeps_nothing(jobs: Jobs) -> None:
    number = jobs.create("review", {}, CHUNKS)
    chunk = jobs.claim("worker")
    assert chunk is not None
    assert jobs.renew(chunk)
    assert jobs.cancel(number)
    assert not jobs.renew(chunk), "the worker learns that it may stop"
    assert not jobs.finish(chunk, {})
    assert jobs.claim("worker") is None
    assert not jobs.cancel(number)
    assert jobs.get(number).state is JobState.CANCELLED
    jobs.forget(number)
    with pytest.raises(LibraryError, match="no job"):
        jobs.get(number)


def test_a_failed_chunk_fails_its_job_with_its_words(jobs: Jobs) -> None:
    number = jobs.create("review", {}, CHUNKS)
    chunk = jobs.claim("worker")
    assert chunk is not None and jobs.fail(chunk, "no such match")
    assert jobs.get(number).error == "no such match"
    assert [job.id for job in jobs.find(states=[JobState.FAILED])] == [number]
    assert jobs.find(states=[JobState.DONE]) == []
    with pytest.raises(LibraryError, match="at least one chunk"):
        jobs.create("review", {}, [])


def _work(url: str, name: str) -> None:
    with jobs_of(url) as jobs:
        while (chunk := jobs.claim(name, lease=timedelta(seconds=1.5))) is not None:
            time.sleep(0.002)
            jobs.finish(chunk, {"number": chunk.number, "by": name})


def test_many_workers_of_whom_some_are_killed_do_everything_once(url: str, jobs: Jobs) -> None:
    number = jobs.create("review", {}, [{"n": n} for n in range(120)])
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_work, args=(url, f"worker {n}")) for n in range(3)]
    for worker in workers:
        worker.start()
    while jobs.get(number).progress < 0.2:
        assert any(worker.is_alive() for worker in workers), "all workers ended before they had done a fifth"
        time.sleep(0.02)
    assert workers[0].pid is not None
    os.kill(workers[0].pid, signal.SIGKILL)
    for worker in workers:
        worker.join(60)
        assert worker.exitcode is not None
    time.sleep(1.6)
    _work(url, "last")  # takes over what the killed one had
    assert [result["number"] for result in jobs.results(number)] == list(range(120))
    assert jobs.complete(number)
