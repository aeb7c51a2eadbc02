"""The page of the service is true: its examples run, its tables are those of the code, its image can be built."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from kibitz.service.problems import KINDS
from kibitz.service.settings import SHARED, Limits
from tests.library.postgres import start_server
from tests.service.running import KEY, Server
from tests.service.test_jobs import QUICK, finished

PAGE = Path("docs/service.md").read_text(encoding="utf-8")
ROOT = Path(__file__).parents[2]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("number", range(len(blocks("sh"))))
def test_examples_with_curl_are_answered(server: Server, number: int) -> None:
    env = {**os.environ, "KIBITZ": server.url, "KIBITZ_KEY": KEY}
    run = subprocess.run(["sh", "-ec", blocks("sh")[number]], capture_output=True, text=True, env=env, check=True)
    assert "/problems/" not in run.stdout
    if "event-stream" in blocks("sh")[number]:
        assert run.stdout.count("event: final") == 1
    elif " -si " in blocks("sh")[number]:
        assert "202 Accepted" in run.stdout and "location: /v1/jobs/" in run.stdout
    else:
        assert json.loads(run.stdout)


def test_the_example_in_python_runs(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_KEY", KEY)
    printed = io.StringIO()
    names = {"url": server.url}
    with contextlib.redirect_stdout(printed):
        exec(blocks("python")[0], names)
    assert printed.getvalue().splitlines() == ["8/5 6/5", "8/5 6/5 72", "('Ada', 'Ben')"]


def test_the_page_names_every_problem_with_its_status() -> None:
    told = dict(re.findall(r"^\| `/problems/([a-z-]+)` \| (\d+) \|", PAGE, re.MULTILINE))
    assert {name: int(status) for name, status in told.items()} == {kind.name: kind.status for kind in KINDS.values()}


def test_the_page_names_every_address() -> None:
    paths = json.loads(Path("docs/openapi.json").read_text())["paths"]
    for path in paths:
        last = path.rstrip("/").rsplit("/", 1)[-1].replace("{number}", "{id}")
        assert last in PAGE, path


def test_the_page_tells_the_limits() -> None:
    local = Limits()
    assert (
        f"| plies, seconds of one question | {local.plies}, {local.seconds:g} | {SHARED.plies}, {SHARED.seconds:g} |"
        in PAGE
    )
    assert f"| jobs waiting or running | {local.queued_jobs} | {SHARED.queued_jobs} |" in PAGE
    assert f"| cost of a job | {local.job_seconds / 3600:g} h | {SHARED.job_seconds / 3600:g} h |" in PAGE
    assert f"| requests a second | none | {SHARED.rate:g}, bursts of {SHARED.burst} |" in PAGE


def test_the_commands_of_the_image_and_of_compose_are_commands_of_ours() -> None:
    """Every option that they give is one that `kibitz serve http` has."""
    shown = subprocess.run(
        [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "http", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "200"},
    ).stdout
    for name in ("Dockerfile", "compose.yaml"):
        text = (ROOT / name).read_text()
        start = text.index("serve" if name == "compose.yaml" else 'CMD ["kibitz"')
        given = set(re.findall(r"--[a-z-]+", text[start:].split("ports:")[0]))
        assert given
        assert all(option in shown for option in given), (name, given)


def test_jobs_live_in_postgresql_too(tmp_path: Path) -> None:
    database = start_server()
    try:
        url = database.new_database("service")
        with Server(tmp_path, "--library", url) as server, server.client() as client:
            job = client.post("/v1/rollouts", json=QUICK)
            assert finished(client, job.headers["location"])["state"] == "done"
            made = client.post("/v1/matches", content=Path("examples/sample.mat").read_bytes())
            assert made.status_code == 201
        with Server(tmp_path, "--library", url) as server, server.client() as client:
            assert client.get(job.headers["location"]).json()["result"]["trials"] == 72
    finally:
        database.stop()


@pytest.mark.slow
def test_the_steps_of_the_image_work_in_a_clean_environment(tmp_path: Path) -> None:
    """The wheel is built and installed as the Dockerfile says; then the server runs and answers."""
    text = (ROOT / "Dockerfile").read_text()
    assert "pip wheel --no-cache-dir --no-deps --wheel-dir /wheels ." in text
    assert "[web,library]" in text
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    wheels = tmp_path / "wheels"
    subprocess.run([python, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", wheels, ROOT], check=True)
    wheel = next(wheels.glob("kibitz-*.whl"))
    subprocess.run([python, "-m", "pip", "install", "-q", f"{wheel}[web,library]"], check=True)
    keys = tmp_path / "keys"
    kibitz = tmp_path / "env" / "bin" / "kibitz"
    made = subprocess.run(
        [kibitz, "serve", "key", "ada", "--keys", keys], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    server = Server(tmp_path, "--keys", str(keys), key=made.stdout.strip(), program=str(python))
    with server, server.client() as client:
        assert client.get("/").json()["name"] == "kibitz"
        hint = client.post("/v1/hint", json={"position": "4HPwATDgc/ABMA", "dice": "31", "plies": 0})
        assert hint.json()["best"] == "8/5 6/5"
