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


def test_a_saved_rollout_goes_on_by_itself(kibitz: Command, tmp_path: Path) -> None:
    path, whole = tmp_path / "some.json", tmp_path / "all.json"
    kibitz(START, "--truncate", "3", "--seed", "5", "--trials", "36", "--save", path)
    more = json.loads(kibitz("--save", path, "--trials", "72", "--json").stdout)
    at_once = json.loads(
        kibitz(START, "--truncate", "3", "--seed", "5", "--trials", "72", "--save", whole, "--json").stdout
    )
    assert more["trials"] == 72 and more["results"] == at_once["results"]
    refused = kibitz("--save", path, "--plies", "1")
    assert refused.returncode == 2 and "the file says how its games are played" in refused.stderr
    assert "expected a POSITION" in kibitz("--save", tmp_path / "none.json").stderr


def test_the_answer_to_a_pending_double_is_told(kibitz: Command) -> None:
    done = kibitz("XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:D:0:0:3:0:10", *QUICK)
    assert "proper answer to the double: " in done.stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--truncation-plies", "1"),
        ("--luck-plies", "1"),
        ("--plies", "1", "--filter", "0:0:0.0"),
        ("--plies", "1", "--opponent-filter", "0:0:0.0"),
        ("--noise", "0.2"),
        ("--opponent-noise", "0.2"),
        ("--noise", "0.2", "--noise-seed", "3"),
        ("--noise", "0.2", "--opponent-noise-seed", "3"),
        ("--plies", "1"),
        ("--cube-plies", "1"),
        ("--opponent-plies", "1"),
        ("--opponent-cube-plies", "1"),
        ("--late-after", "1", "--late-plies", "1"),
        ("--truncate", "4"),
        ("--seed", "2"),
        ("--no-luck",),
        ("--random",),
        ("--cubeless",),
        ("--no-pruning",),
        ("--no-opponent-pruning",),
        ("--cubeless-plays",),
        ("--opponent-cubeless-plays",),
    ],
)
def test_settings_of_the_command_change_the_games(kibitz: Command, options: tuple[str, ...]) -> None:
    """The last option alone makes the difference."""
    last = max(place for place, word in enumerate(options) if word.startswith("--"))
    if options[0] == "--late-after":
        last = 0
    rare = any(word in " ".join(options) for word in ("pruning", "-plays", "cube-plies"))
    long = ("--truncate", "24", "--trials", "144", "--no-luck") if rare else ()
    plain = (START, "31", "--play", "8/5 6/5", *QUICK, *long, "--json", *options[:last])
    before, after = (json.loads(kibitz(*plain, *more).stdout) for more in ((), options[last:]))
    assert before["results"][0]["equity"] != after["results"][0]["equity"]


def test_games_play_on_beyond_the_tables_if_asked(kibitz: Command) -> None:
    ending = ("MgMAANkAAAAAAA", "--no-cube", "--random", "--no-luck", "--trials", "36", "--json")
    known, played = (
        json.loads(kibitz(*ending, option).stdout)["results"][0] for option in ("--stop-at-tables", "--play-on")
    )
    assert known["standard_error"] == 0 < played["standard_error"]


def test_a_score_is_valued_by_the_table_that_is_named(kibitz: Command) -> None:
    asked = ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10", *QUICK, "--json")
    ours, other = (json.loads(kibitz(*asked, *more).stdout) for more in ((), ("--met", "zadeh")))
    assert ours["results"][0]["mwc"] != other["results"][0]["mwc"]
    refused = kibitz(*asked, "--nets", "no-such-folder")
    assert refused.returncode == 2 and "no-such-folder" in refused.stderr


def test_a_hint_may_be_rolled_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from kibitz.cli import main

    def hint(*arguments: str) -> dict[str, object]:
        monkeypatch.setattr(sys, "argv", ["kibitz", "hint", *arguments, "--json", "--plies", "0"])
        with pytest.raises(SystemExit):
            main()
        data: dict[str, object] = json.loads(capsys.readouterr().out)
        return data

    plays = hint("MgMAANkAAAAAAA", "21", "--rollout", "quick", "--top", "2")
    assert plays["plays"][0]["level"]["trials"] == 324  # type: ignore[index]
    cube = hint("MgMAANkAAAAAAA", "--rollout", "quick")
    assert cube["level"]["trials"] == 324  # type: ignore[index]
