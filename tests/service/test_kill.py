"""A server that is killed at any moment goes on from its last chunk, and ends with the digits of an undisturbed run."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from kibitz import Engine, parse
from kibitz.analysis.review import review
from kibitz.formats import by_name
from kibitz.library.library import Library
from tests.library.samples import random_match
from tests.service.running import TURN, Server
from tests.service.test_jobs import finished, same

LONGEST = 0.5
"""Seconds that a server lives at most before it is killed."""


def disturb(folder: Path, kills: int) -> int:
    """Start the server so many times, and kill it at a random moment each time; how often a job was going on."""
    moments = random.Random(7)
    disturbed = 0
    for _ in range(kills):
        server = Server(folder, "--quiet")
        done = done_chunks(folder)
        time.sleep(moments.uniform(0.0, LONGEST))
        server.kill()
        with sqlite3.connect(server.library) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            disturbed += database.execute("SELECT state FROM job").fetchone()[0] in ("queued", "running")
        assert done_chunks(folder) >= done  # what was done is not lost
    return disturbed


def done_chunks(folder: Path) -> int:
    with sqlite3.connect(folder / "library.db") as database:
        return int(database.execute("SELECT count(*) FROM job_chunk WHERE state = 'done'").fetchone()[0])


def check_rollout(folder: Path, trials: int, kills: int) -> int:
    """A rollout under kills ends with the digits of a direct one; how many kills it went through."""
    with Server(folder, "--quiet") as server, server.client() as client:
        where = client.post("/v1/rollouts", json={"position": TURN, "top": 2, "trials": trials}).headers["location"]
    disturbed = disturb(folder, kills)
    with Server(folder, "--quiet") as server, server.client() as client:
        job = finished(client, where, 900)
    assert job["state"] == "done", job
    direct = Engine(plies=2, threads=1).rollout(parse(TURN), top=2, trials=trials, threads=1)
    assert same(job["result"]) == json.loads(json.dumps(same(direct.to_dict())))
    return disturbed


def check_review(folder: Path, length: int, kills: int) -> int:
    """A review under kills is the one that a direct call makes; how many kills it went through."""
    data = by_name("json").write(random_match(7, length=length))[0]
    with Server(folder, "--quiet") as server, server.client() as client:
        number = client.post("/v1/matches", content=data).json()["match"]["id"]
        where = client.post(f"/v1/matches/{number}/reviews", json={"level": "2-ply"}).headers["location"]
    disturbed = disturb(folder, kills)
    with Server(folder, "--quiet") as server, server.client() as client:
        job = finished(client, where, 900)
        assert job["state"] == "done", job
        found: Any = client.get(f"/v1/matches/{number}/review").json()
    engine = Engine(plies=2, threads=1)
    with Library(server.library) as library:
        expected = review(library.match(number, analyses=False), level="2-ply", engine=engine, threads=1)
    whole = json.loads(json.dumps(expected.to_dict()))
    for name in ("decisions", "rolls", "curve", "statistics"):
        assert _unsaid(found["review"][name]) == _unsaid(whole[name])
    return disturbed


def _unsaid(data: Any) -> Any:
    """Without the opinions of a file, which the library fills in by our own analyses."""
    return [{k: v for k, v in one.items() if k != "opinion"} for one in data] if isinstance(data, list) else data


def test_a_rollout_goes_on_after_kills(tmp_path: Path) -> None:
    assert check_rollout(tmp_path, 720, 2) >= 1


def test_a_review_goes_on_after_kills(tmp_path: Path) -> None:
    assert check_review(tmp_path, 3, 2) >= 1


@pytest.mark.slow
def test_twenty_kills_of_a_rollout_change_no_digit(tmp_path: Path) -> None:
    assert check_rollout(tmp_path, 4320, 20) == 20


@pytest.mark.slow
def test_twenty_kills_of_a_review_change_no_digit(tmp_path: Path) -> None:
    assert check_review(tmp_path, 15, 20) == 20


def test_a_stopped_server_gives_its_chunks_back(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        client.post("/v1/rollouts", json={"position": TURN, "top": 2, "trials": 36_000})
        time.sleep(0.5)
    with sqlite3.connect(server.library) as database:
        states = dict(database.execute("SELECT state, count(*) FROM job_chunk GROUP BY state").fetchall())
        attempts = database.execute("SELECT max(attempts) FROM job_chunk WHERE state = 'queued'").fetchone()[0]
    assert "running" not in states
    assert states["queued"] > 0
    assert attempts == 0
