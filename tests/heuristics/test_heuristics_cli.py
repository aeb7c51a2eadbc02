"""kibitz hint and kibitz explain with the hand-made engines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

START = "4HPwATDgc/ABMA"


def kibitz(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_hint_marks_the_best_play() -> None:
    done = kibitz("hint", START, "31", "--engine", "ten-factor")
    assert done.returncode == 0
    assert ">  1 8/5 6/5" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_hint_with_tabula_as_json() -> None:
    done = kibitz("hint", START, "31", "--engine", "tabula", "--json", "--set", "blots=1.1", "--set", "opponent=0")
    data = json.loads(done.stdout)
    assert data["engine"] == "tabula"
    assert data["settings"]["blots"] == 1.1
    assert (data["position"], data["dice"]) == (START, [3, 1])
    assert len(data["plays"]) == 16
    best = data["plays"][0]
    assert best["score"] == best["player"]["score"]
    assert set(best["player"]) == set(best["opponent"]) == {"pips", "blots", "hits", "score"}


def test_hint_reads_settings_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("[ten-factor]\npoints = 0\n")
    done = kibitz("hint", START, "31", "--engine", "ten-factor", "--settings", str(file), "--json")
    data = json.loads(done.stdout)
    assert data["settings"]["points"] == 0
    assert len(data["plays"][0]["factors"]) == 10


def test_hint_takes_the_dice_of_an_xgid() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
    assert kibitz("hint", xgid, "--engine", "tabula").stdout.startswith(f"tabula: {START} with 31\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hint", START, "31", "--engine", "tabla"), "there is no engine 'tabla'; there are "),
        (("hint", START, "31", "--engine", "tabula", "--set", "bots=1"), "tabula has no setting 'bots'; it has pips,"),
        (("hint", START, "--engine", "tabula"), "expected dice such as 31"),
        (("hint", START, "37", "--engine", "tabula"), "between 1 and 6"),
        (("explain", START, "31", "8/4 6/2"), "8/4 6/2"),
    ],
)
def test_errors_are_one_line_and_status_2(arguments: tuple[str, ...], message: str) -> None:
    done = kibitz(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_explain_tells_what_the_second_play_gives_up() -> None:
    done = kibitz("explain", START, "31", "8/5 6/5", "13/10 6/5")
    assert done.returncode == 0
    assert "leaves two blots: 18 shots; makes no point" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_explain_as_json() -> None:
    data = json.loads(kibitz("explain", START, "31", "13/10 6/5", "--json").stdout)
    assert data["plays"] == ["8/5 6/5", "13/10 6/5"]
    assert len(data["tabula"]) == len(data["ten-factor"]) == 2
    assert "makes no point" in data["gives_up"]
