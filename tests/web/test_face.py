"""The face as the service serves it: addresses, policy, files, and what programs get."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kibitz.analysis.marks import Thresholds
from kibitz.rollout.settings import PRESETS
from kibitz.web.face import SCREENS, page, static_folder, version
from tests.service.running import Server

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
MOST = 150_000
"""Bytes of all scripts and styles together, gzipped."""


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def test_a_browser_gets_the_page_and_a_program_gets_json(client: httpx.Client) -> None:
    for address in ("/", *(one.replace("{id:int}", "7") for one in SCREENS), "/library/players/3"):
        answer = client.get(address, headers=BROWSER)
        assert answer.status_code == 200, address
        assert answer.headers["content-type"].startswith("text/html")
        assert "<kb-app>" in answer.text
        assert answer.headers["cache-control"] == "no-cache"
    assert client.get("/").json()["name"] == "kibitz"
    assert client.get("/position").status_code == 404
    assert client.get("/match/x", headers=BROWSER).status_code == 404


def test_nobody_gets_in_without_the_cookie(server: Server) -> None:
    for address in ("/", "/position", f"/static/{version()}/app.js"):
        answer = httpx.get(server.url + address, headers=BROWSER)
        assert answer.status_code == 401
        assert "open the address that the server printed" in answer.text
        assert answer.headers["content-type"].startswith("text/html")
    assert httpx.get(server.url).json()["type"] == "/problems/not-authenticated"
    evil = {**BROWSER, "host": "127.0.0.1<script>alert(1)</script>"}
    assert "<script>" not in httpx.get(server.url, headers=evil).text


def test_the_policy_allows_nothing_inline(client: httpx.Client) -> None:
    for address in ("/", f"/static/{version()}/app.js"):
        policy = client.get(address, headers=BROWSER).headers["content-security-policy"]
        assert "default-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert not re.search(r"<script>|<style| style=| on\w+=", page())


def test_files_are_served_as_they_are_and_for_ever(client: httpx.Client) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}
    for path in static_folder().rglob("*"):
        if path.suffix not in kinds:
            continue
        answer = client.get(f"/static/{version()}/{path.relative_to(static_folder()).as_posix()}")
        assert answer.content == path.read_bytes()
        assert answer.headers["content-type"].startswith(kinds[path.suffix])
        assert "immutable" in answer.headers["cache-control"]
    for wrong in ("none.js", "../face.py", "%2e%2e/face.py", "vendor"):
        assert client.get(f"/static/{version()}/{wrong}").status_code == 404
    assert client.get("/static/0-old/app.js").status_code == 404


def test_the_page_names_files_that_are_there() -> None:
    named = re.findall(rf"/static/{re.escape(version())}/([\w./-]+)", page())
    assert len(named) > 10
    assert [name for name in named if not (static_folder() / name).is_file()] == []


def test_vendored_files_are_what_the_manifest_says() -> None:
    folder = static_folder() / "vendor"
    manifest = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    assert {path.name for path in folder.glob("*.js")} == set(manifest)
    for name, told in manifest.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == told["sha256"]
        assert told["version"] in name and "Redistribution" in told["licence_text"]


def test_scripts_and_styles_are_small() -> None:
    """All that a browser may get of the face; the entry of the offline page and its reader are never asked for."""
    offline = {"page.js", "page.css", "review-data.js"}
    files = [path for path in static_folder().rglob("*") if path.suffix in (".js", ".css") and path.name not in offline]
    asked = [path.read_text(encoding="utf-8") for path in files]
    assert not any(name in text for name in offline for text in asked)
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in files) < MOST


def test_the_scripts_load_nothing_from_elsewhere_and_build_no_markup_from_text() -> None:
    for path in static_folder().rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        if path.parent.name != "vendor":
            assert not re.search(r"https?://", text), path.name
            assert not re.search(r"unsafe|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text), (
                path.name
            )


def test_without_the_extra_there_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'fastapi' else find(name, *rest)\n"
    )
    code = "import sitecustomize; from kibitz.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "web", "--no-browser"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr == 'kibitz: the service needs fastapi: pip install "kibitz[web]"\n'


def test_losses_are_marked_as_reviews_mark_them() -> None:
    text = (static_folder() / "words.js").read_text(encoding="utf-8")
    limits = {name: float(limit) for limit, name in re.findall(r'loss > ([\d.]+)\) return \{ name: "(\w+)"', text)}
    marks = Thresholds()
    assert limits == {"blunder": marks.very_bad, "error": marks.bad, "doubtful": marks.doubtful}


def test_the_presets_of_rollouts_are_those_of_the_engine() -> None:
    text = (static_folder() / "elements" / "kb-rollout.js").read_text(encoding="utf-8")
    shown = [(name, int(games)) for name, games in re.findall(r'\["([\w+-]+)", "[^:]+: (\d+) games', text)]
    assert shown == [(preset.name, preset.trials) for preset in PRESETS.values()]
