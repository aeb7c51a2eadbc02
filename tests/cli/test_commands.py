"""The commands of the ground floor, run as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import __version__

START = "4HPwATDgc/ABMA"


def kibitz(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_version() -> None:
    assert kibitz("--version").stdout.startswith(f"kibitz {__version__} (")


def test_plays() -> None:
    done = kibitz("plays", START, "31")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == f"{START} with 31: 16 legal plays"
    assert "  8/5 6/5      sGfwATDgc/ABMA" in lines
    assert len(lines) == 17


def test_plays_as_json() -> None:
    data = json.loads(kibitz("plays", START, "31", "--json").stdout)
    assert data["dice"] == [3, 1]
    assert len(data["plays"]) == 16
    assert {"play": "8/5 6/5", "moves": [[8, 5], [6, 5]], "hits": 0, "result": "sGfwATDgc/ABMA"} in data["plays"]


def test_the_dice_may_be_in_the_position() -> None:
    assert "with 31: 16 legal plays" in kibitz("plays", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10").stdout
    assert kibitz("plays", START).returncode == 2


def test_show() -> None:
    done = kibitz("show", START)
    assert done.returncode == 0
    assert f" Position ID {START}   Match ID cAkAAAAAAAAA" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert kibitz("show", START, "--flip").stdout != done.stdout != kibitz("show", START, "--left").stdout


def test_show_as_json() -> None:
    data = json.loads(kibitz("show", START, "--json").stdout)
    assert data["position"]["id"] == START
    assert data["position"]["pips"] == [167, 167]


def test_show_as_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    done = kibitz("show", START, "--svg", str(picture), "--play", "8/5 6/5")
    assert (done.returncode, done.stdout) == (0, "")
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert kibitz("show", START, "--svg", str(tmp_path / "no" / "board.svg")).returncode == 2


def test_bench() -> None:
    data = json.loads(kibitz("bench", "--repeats", "1", "--json").stdout)
    (plays,) = [section for section in data["sections"] if section["name"] == "plays"]
    assert (plays["count"], plays["digest"]) == (322253, "e6e42b72")
    assert data["signature"]


@pytest.mark.parametrize(
    "arguments",
    [("plays", START, "99"), ("plays", "nonsense", "31"), ("show", "AAAAAAAAAAAAAA"), ("show", START, "--play", "1/2")],
)
def test_errors_are_one_line_on_stderr(arguments: tuple[str, ...]) -> None:
    done = kibitz(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("kibitz: ")
    assert len(done.stderr.splitlines()) == 1
