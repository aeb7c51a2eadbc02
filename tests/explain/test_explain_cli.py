"""kibitz explain and kibitz hint --why."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

START = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [(START, "31", "24/20"), (XGID, "24/20"), (START, "31", "24/20", "8/5 6/5")])
def test_plays_are_explained_with_dice_in_the_position_or_beside_it(arguments: tuple[str, ...]) -> None:
    done = run("explain", *arguments, "--plies", "1")
    assert done.returncode == 0
    assert done.stdout.startswith("8/5 6/5 is better than 24/20 by ")
    assert "makes the 5" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_detail_shows_the_ledger_and_the_appendix_within_80_columns() -> None:
    done = run("explain", START, "31", "24/20", "--plies", "1", "--detail")
    assert "A less B: +" in done.stdout
    assert "By the hand-made engines:" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_pictures_are_drawn(tmp_path: Path) -> None:
    done = run("explain", START, "21", "13/11 6/5", "24/23 13/11", "--plies", "1", "--svg", str(tmp_path / "new"))
    assert done.returncode == 0
    boards = ElementTree.parse(tmp_path / "new" / "boards.svg").getroot()
    assert len(boards.findall("{http://www.w3.org/2000/svg}svg")) == 2
    assert "15" in [text.text for text in boards.iter("{http://www.w3.org/2000/svg}text")]  # shots at the slot
    rolls = ElementTree.parse(tmp_path / "new" / "rolls.svg").getroot()
    assert len(rolls.findall("{http://www.w3.org/2000/svg}rect")) == 37  # 36 rolls and the ground


def test_json_holds_everything() -> None:
    data = json.loads(run("explain", START, "31", "24/20", "--plies", "1", "--json").stdout)
    assert len(data["ledger"]["rows"]) == 21
    assert data["appendix"]["plays"] == ["8/5 6/5", "24/20"]


def test_the_cube_is_explained_without_dice() -> None:
    done = run("explain", START, "double", "--plies", "1")
    assert done.stdout.startswith("Double is wrong by ")
    assert "loses the market" in " ".join(done.stdout.split())


def test_hint_says_why() -> None:
    done = run("hint", START, "31", "--plies", "1", "--why", "--top", "1")
    assert "8/5 6/5 is better than " in done.stdout
    data = json.loads(run("hint", START, "--plies", "1", "--why", "--json").stdout)
    assert data["why"]["best"] == "no double"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", START, "31", "24/10"), "not legal"),
        (("explain", START, "37"), "between 1 and 6"),
        (("explain", START, "jump"), "expected a cube action"),
        (("explain", START, "--svg", "x"), "pictures of plays only"),
        (("hint", START, "31", "--engine", "tabula", "--why"), "only the neural engine says why"),
    ],
)
def test_errors_are_one_line_and_status_2(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments, *(() if "tabula" in arguments else ("--plies", "0")))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
