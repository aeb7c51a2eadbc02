"""Running it: a full disk, several workers, a cluster, and a place for pages."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from kibitz import Engine, parse
from kibitz.formats import by_name
from kibitz.service.app import make_app
from kibitz.service.gate import _Turnstile
from kibitz.service.keys import add_key
from kibitz.service.settings import Settings
from tests.library.samples import random_match
from tests.service.running import KEY, Server, wait_for
from tests.service.test_jobs import QUICK, SAMPLE, finished, same

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from kibitz.cli import main
main()
"""


def test_a_full_disk_is_a_clear_error_and_the_library_stays_sound(tmp_path: Path) -> None:
    """Given files that cannot grow any more, as on a full disk, writing is refused and reading goes on."""
    with Server(tmp_path) as server, server.client() as client:
        number = client.post("/v1/matches", content=SAMPLE.read_bytes()).json()["match"]["id"]
    size = max(path.stat().st_size for path in tmp_path.iterdir()) + 20_000
    limited = tmp_path / "limited.py"
    limited.write_text(LIMITED.format(size=size))
    wrapper = tmp_path / "python"
    wrapper.write_text(f'#!/bin/sh\nshift 2\nexec {sys.executable} {limited} "$@"\n')
    wrapper.chmod(0o755)
    with Server(tmp_path, program=str(wrapper)) as server, server.client() as client:
        statuses = set()
        for seed in range(40):
            answer = client.post("/v1/matches", content=by_name("json").write(random_match(seed))[0])
            statuses.add(answer.status_code)
            if 503 in statuses:
                break
        assert 503 in statuses, statuses
        assert answer.json()["type"] == "/problems/unavailable"
        assert "nothing was changed" in answer.json()["detail"]
        assert str(tmp_path) not in answer.text
        assert client.get(f"/v1/matches/{number}").status_code == 200
        assert client.get("/healthz").status_code == 200
    with sqlite3.connect(tmp_path / "library.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Server(tmp_path) as server, server.client() as client:
        assert client.get(f"/v1/matches/{number}").status_code == 200


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of three megabytes, as a program that runs `python` on it and a folder through which all see it."""
    where = tmp_path / "disk"
    where.mkdir()
    command = f"mount -t tmpfs -o size=3m tmpfs {where} && echo ready && exec sleep 600"
    holder = subprocess.Popen(
        ["unshare", "-rm", "sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert holder.stdout is not None
    try:
        if holder.stdout.readline() != b"ready\n":
            pytest.skip("no disk can be mounted here")
        wrapper = tmp_path / "python"
        inside = f"nsenter -t {holder.pid} -U -m --preserve-credentials"
        wrapper.write_text(f'#!/bin/sh\ncd {where}\nexec {inside} {sys.executable} "$@"\n')
        wrapper.chmod(0o755)
        yield Path(f"/proc/{holder.pid}/root{where}")
    finally:
        holder.kill()
        holder.wait(10)
        holder.stdout.close()


@pytest.mark.skipif(shutil.which("nsenter") is None, reason="there is no nsenter")
def test_a_job_waits_while_the_disk_is_full_and_ends_with_the_same_digits(tmp_path: Path, small_disk: Path) -> None:
    """Given a disk that fills up under a rollout, nothing is lost, and all goes on as soon as there is room."""
    library = tmp_path / "disk" / "library.db"
    body = {**QUICK, "trials": 1440}
    with Server(tmp_path, "--library", str(library), program=str(tmp_path / "python")) as server:
        with server.client() as client:
            job = client.post("/v1/rollouts", json=body).headers["location"]
            wait_for(lambda: client.get(job).json()["chunks"]["done"] > 0)
            filler = small_disk / "filler"
            with suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 4096)
            answers = []
            for seed in range(20):
                answers.append(client.post("/v1/matches", content=by_name("json").write(random_match(seed))[0]))
                if answers[-1].status_code == 503:
                    break
            assert answers[-1].json()["type"] == "/problems/unavailable", answers[-1].text
            assert client.get("/healthz").status_code == 200
            time.sleep(3)
            assert client.get(job).json()["state"] == "running"
            filler.unlink()
            full = finished(client, job)
        copy = tmp_path / "copy.db"
        assert server.stop() == 0
        copy.write_bytes((small_disk / "library.db").read_bytes())
    with sqlite3.connect(copy) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert full["state"] == "done", full
    state = parse(str(QUICK["position"]))
    direct = Engine(plies=2, threads=1).rollout(state, preset="roller", top=2, trials=1440, threads=1)
    assert same(full["result"]) == json.loads(json.dumps(same(direct.to_dict())))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_several_workers_share_jobs_and_keys(tmp_path: Path) -> None:
    keys, port = tmp_path / "keys", free_port()
    key = add_key(keys, "ada")
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "http", "--port", str(port)]
    options = ["--keys", str(keys), "--workers", "2", "--library", str(tmp_path / "library.db"), "--quiet"]
    with subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL) as process:
        try:
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}", headers={"authorization": f"Bearer {key}"}, timeout=60
            ) as client:
                for _ in range(400):
                    try:
                        if client.get("/readyz").status_code == 200:
                            break
                    except httpx.TransportError:
                        time.sleep(0.1)
                job = client.post("/v1/rollouts", json=QUICK)
                # Connections may reach either worker: both know the job.
                assert finished(client, job.headers["location"])["state"] == "done"
        finally:
            process.terminate()
            process.wait(30)


def test_a_cluster_gives_the_same_digits(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with Server(tmp_path, "--cluster", "local") as server, server.client() as client:
        far = finished(client, client.post("/v1/rollouts", json=QUICK).headers["location"])
        number = client.post("/v1/matches", content=SAMPLE.read_bytes()).json()["match"]["id"]
        made = client.post(f"/v1/matches/{number}/reviews", json={"level": "fast"})
        assert finished(client, made.headers["location"])["state"] == "done"
    with Server(tmp_path) as server, server.client() as client:
        near = finished(client, client.post("/v1/rollouts", json=QUICK).headers["location"])
    assert same(far["result"]) == same(near["result"])


# --- the application by itself ----------------------------------------------------------------------------------------


def asked(app: Any, path: str, **headers: str) -> httpx.Response:
    """An answer of an application in this process."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
            return await client.get(path)

    return asyncio.run(ask())


def test_without_its_library_the_service_is_alive_but_not_ready() -> None:
    app = make_app(Settings(), key=KEY)
    assert asked(app, "/healthz").status_code == 200
    answer = asked(app, "/v1/jobs", authorization=f"Bearer {KEY}")
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/unavailable")


def test_a_crowd_passes_the_turnstile_few_at_a_time() -> None:
    async def run() -> list[int]:
        turnstile = _Turnstile()
        order: list[int] = []

        async def visit(number: int) -> None:
            await turnstile()
            order.append(number)

        tasks = [asyncio.ensure_future(visit(number)) for number in range(50)]
        await asyncio.sleep(0)
        assert 0 < len(order) <= 8
        await asyncio.wait_for(asyncio.gather(*tasks), 5)
        await turnstile()  # it is open again
        return order

    assert asyncio.run(run()) == list(range(50))


def test_job_threads_have_a_lower_priority(server: Server, client: httpx.Client) -> None:
    if sys.platform != "linux":
        pytest.skip("threads have priorities of their own on Linux alone")
    location = client.post("/v1/rollouts", json={**QUICK, "trials": 72_000}).headers["location"]
    time.sleep(1.0)
    nice: dict[str, set[int]] = {}
    for task in Path(f"/proc/{server.process.pid}/task").iterdir():
        fields = (task / "stat").read_text()
        name, rest = fields.split("(", 1)[1].rsplit(")", 1)
        nice.setdefault(name[:4], set()).add(int(rest.split()[16]))
    client.delete(location)
    base = os.getpriority(os.PRIO_PROCESS, server.process.pid)
    assert any(value > base for values in nice.values() for value in values)
