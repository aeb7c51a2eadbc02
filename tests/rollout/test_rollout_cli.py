from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

START = "4HPwATDgc/ABMA"
QUICK = ("--truncate", "3", "--trials", "36", "--threads", "1")


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Done]


@pytest.fixture
def kibitz(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, called in this process."""

    def call(*arguments: str | Path) -> Done:
        from kibitz.cli import main

        monkeypatch.setattr(sys, "argv", ["kibitz", "rollout", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        captured = capsys.readouterr()
        return Done(int(stop.value.code or 0), captured.out, captured.err)

    return call


def test_plays_as_text_and_json(kibitz: Command) -> None:
    done = kibitz(START, "31", "--top", "2", *QUICK)
    assert done.returncode == 0 and done.stderr == ""
    assert "8/5 6/5" in done.stdout and all(len(line) <= 80 for line in done.stdout.splitlines())
    data = json.loads(kibitz(START, "31", "--play", "8/5 6/5", "--json", *QUICK).stdout)
    assert [one["name"] for one in data["results"]] == ["8/5 6/5"]
    assert data["trials"] == 36 and data["settings"]["truncate"] == 3


def test_saved_ranges_merge_to_one_run(kibitz: Command, tmp_path: Path) -> None:
    first, second, whole, merged = (tmp_path / name for name in ("a", "b", "c", "d"))
    common = (START, "--truncate", "3", "--json")
    kibitz(*common, "--games", "0:36", "--save", first)
    kibitz(*common, "--games", "36:72", "--save", second)
    expected = json.loads(kibitz(*common, "--trials", "72", "--save", whole).stdout)
    found = json.loads(kibitz("--merge", first, "--merge", second, "--save", merged, "--json").stdout)
    assert found["results"] == expected["results"] and found["decision"] == expected["decision"]
    assert json.loads(merged.read_text())["tally"] == json.loads(whole.read_text())["tally"]
    refused = kibitz("--merge", first, "--merge", whole)
    assert refused.returncode == 2 and "games 0 to 35 are in both" in refused.stderr and refused.stdout == ""


def test_errors_are_one_line(kibitz: Command) -> None:
    for arguments in ((), (START, "--preset", "none"), (START, "--games", "abc"), ("--merge", "/nowhere")):
        done = kibitz(*arguments)
        assert done.returncode == 2 and done.stdout == ""
        assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("kibitz: ")
