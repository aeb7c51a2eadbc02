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
from kibitz.library.library import Library
from tests.service.running import TURN, Server
from tests.service.test_jobs import SAMPLE, finished, same

ROLLOUT = {"position": TURN, "top": 2, "trials": 360}


def begin(folder: Path) -> tuple[str, str, int]:
    """The locations of a rollout and of a review, and the number of the match."""
    with Server(folder) as server, server.client() as client:
        number = client.post("/v1/matches", content=SAMPLE.read_bytes()).json()["match"]["id"]
        rollout = client.post("/v1/rollouts", json=ROLLOUT).headers["location"]
        made = client.post(f"/v1/matches/{number}/reviews", json={"level": "default"})
        return rollout, made.headers["location"], number


def disturb(folder: Path, kills: int, longest: float) -> None:
    """Start the server so many times, and kill it at a random moment each time."""
    moments = random.Random(7)
    for _ in range(kills):
        server = Server(folder)
        time.sleep(moments.uniform(0.0, longest))
        server.kill()
        with sqlite3.connect(server.library) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def done_chunks(folder: Path) -> int:
    with sqlite3.connect(folder / "library.db") as database:
        return int(database.execute("SELECT count(*) FROM job_chunk WHERE state = 'done'").fetchone()[0])


def check_after(folder: Path, kills: int, longest: float) -> None:
    rollout, reviewed, number = begin(folder)
    before = done_chunks(folder)
    disturb(folder, kills, longest)
    assert done_chunks(folder) >= before  # what was done is not lost
    with Server(folder) as server, server.client() as client:
        job = finished(client, rollout, 300)
        assert job["state"] == "done", job
        engine = Engine(plies=2, threads=1)
        direct = engine.rollout(parse(TURN), top=2, trials=360, threads=1)
        assert same(job["result"]) == json.loads(json.dumps(same(direct.to_dict())))
        assert finished(client, reviewed, 300)["state"] == "done"
        found: Any = client.get(f"/v1/matches/{number}/review").json()
        with Library(server.library) as library:
            expected = review(library.match(number, analyses=False), level="default", engine=engine, threads=1)
        whole = json.loads(json.dumps(expected.to_dict()))
        for name in ("decisions", "rolls", "curve", "statistics"):
            assert _unsaid(found["review"][name]) == _unsaid(whole[name])


def _unsaid(data: Any) -> Any:
    """Without the opinions of a file, which the library fills in by our own analyses."""
    return [{k: v for k, v in one.items() if k != "opinion"} for one in data] if isinstance(data, list) else data


def test_a_server_that_is_killed_goes_on(tmp_path: Path) -> None:
    check_after(tmp_path, 3, 0.8)


@pytest.mark.slow
def test_twenty_kills_at_random_moments_change_no_digit(tmp_path: Path) -> None:
    check_after(tmp_path, 20, 1.2)


def test_a_stopped_server_gives_its_chunks_back(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        client.post("/v1/rollouts", json={**ROLLOUT, "trials": 36_000})
        time.sleep(0.5)
    with sqlite3.connect(server.library) as database:
        states = dict(database.execute("SELECT state, count(*) FROM job_chunk GROUP BY state").fetchall())
        attempts = database.execute("SELECT max(attempts) FROM job_chunk WHERE state = 'queued'").fetchone()[0]
    assert "running" not in states
    assert states["queued"] > 0
    assert attempts == 0
