"""kibitz hint and kibitz explain with the hand-made engines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz import Position
from kibitz.heuristics import TenFactor, TenFactorSettings

START = "4HPwATDgc/ABMA"


def kibitz(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_hint_marks_the_best_play() -> None:
    done = kibitz("hint", START, "31", "--engine", "ten-factor")
    assert done.returncode == 0
    assert ">  1 8/5 6/5" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_every_listed_play_has_its_raw_and_weighted_factors() -> None:
    ranked = TenFactor().rank(Position.start(), "31")
    lines = kibitz("hint", START, "31", "--engine", "ten-factor", "--top", "3", "--no-board").stdout.splitlines()
    assert lines[2].split() == ["score", "blot", "hits", "pnts", "pips", "home", "prim", "bldr", "stck", "oblt", "high"]
    assert [float(word) for word in lines[3].split()[1:]] == TenFactorSettings().weights()
    for number, entry in enumerate(ranked[:3]):
        play, raw, adds = lines[4 + 3 * number : 7 + 3 * number]
        assert play.split(maxsplit=1)[-1].endswith(str(entry.play))
        score, word, *values = raw.split()
        assert word == "raw"
        assert float(score) == pytest.approx(entry.score, abs=5e-5)
        assert [float(value) for value in values] == pytest.approx([one.raw for one in entry.factors], abs=6e-4)
        word, *values = adds.split()
        assert word == "adds"
        assert [float(value) for value in values] == pytest.approx(
            [one.contribution for one in entry.factors], abs=6e-4
        )
    assert lines[13] == "     and 13 more"


@pytest.mark.parametrize("engine", ["tabula", "ten-factor"])
def test_a_named_play_is_listed_however_bad_and_shown_in_full(engine: str) -> None:
    plain = kibitz("hint", START, "31", "--engine", engine, "--top", "1").stdout
    named = kibitz("hint", START, "31", "--engine", engine, "--top", "1", "--play", "6/3 6/5").stdout
    assert "6/5 6/3" not in plain and "\n8/" in plain
    place = next(line for line in named.splitlines() if "6/5 6/3" in line)
    assert int(place.split()[0]) >= 5
    assert "\n6/5 6/3:\n" in named and "and 14 more" in named
    data = json.loads(kibitz("hint", START, "31", "--engine", engine, "--play", "6/3 6/5", "--json").stdout)
    assert data["named"] == ["6/5 6/3"]
    assert [entry["rank"] for entry in data["plays"]] == list(range(1, 17))


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
    assert kibitz("hint", xgid, "--engine", "tabula", "--no-board").stdout.startswith(f"tabula: {START} with 31\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hint", START, "31", "--engine", "tabla"), "there is no engine 'tabla'; there are "),
        (("hint", START, "31", "--engine", "tabula", "--set", "bots=1"), "tabula has no setting 'bots'; it has pips,"),
        (("hint", START, "--engine", "tabula"), "expected dice such as 31"),
        (("hint", START, "37", "--engine", "tabula"), "between 1 and 6"),
        (("hint", START, "31", "--engine", "tabula", "--plies", "2"), "tabula knows no --plies: it has --settings"),
        (("hint", START, "31", "--engine", "ten-factor", "--cubeless", "--met", "mec"), "knows no --met, --cubeless"),
        (("hint", START, "31", "--engine", "ten-factor", "--play", "8/4 6/2"), "8/4 6/2"),
        (("explain", START, "31", "8/4 6/2"), "8/4 6/2"),
        (("explain", START, "31", "8/5 6/5", "--set", "blots=1"), "ENGINE.NAME=VALUE, such as tabula.blots=1.1"),
        (("explain", START, "31", "8/5 6/5", "--set", "tabula.bots=1"), "tabula has no setting 'bots'"),
    ],
)
def test_errors_are_one_line_and_status_2(arguments: tuple[str, ...], message: str) -> None:
    done = kibitz(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_explain_tells_what_the_second_play_gives_up() -> None:
    done = kibitz("explain", START, "31", "8/5 6/5", "13/10 6/5", "--plies", "0", "--detail")
    assert done.returncode == 0
    assert "leaves two blots: 18 shots; makes no point" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_explain_as_json() -> None:
    data = json.loads(kibitz("explain", START, "31", "13/10 6/5", "--plies", "0", "--json").stdout)["appendix"]
    assert data["plays"] == ["8/5 6/5", "13/10 6/5"]
    assert len(data["tabula"]) == len(data["ten-factor"]) == 2
    assert "makes no point" in data["gives_up"]
    assert data["settings"]["tabula"]["opponent"] == -3.0


def explained(*arguments: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(kibitz("explain", START, "31", *arguments, "--json").stdout)
    return data


def test_explain_takes_settings_of_both_engines() -> None:
    """The appendix is the hand-made engines' account of the two plays, by the settings that are given."""
    usual = explained("13/9")["appendix"]
    changed = explained("13/9", "--set", "ten-factor.builders=0", "--set", "tabula.opponent=0")["appendix"]
    assert usual["plays"] == changed["plays"] == ["8/5 6/5", "13/9"]
    assert usual["settings"]["ten-factor"]["builders"] != changed["settings"]["ten-factor"]["builders"] == 0
    for entry in changed["tabula"]:
        assert entry["score"] == entry["player"]["score"]
    text = kibitz("explain", START, "31", "8/5 6/5", "13/9", "--detail", "--set", "ten-factor.builders=2").stdout
    assert "Builder coverage           2    0.0000    0.0000    1.0000    2.0000   +2.0000" in text


def test_explain_reads_settings_of_both_engines_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("[ten-factor]\npoints = 5\n[tabula]\nblots = 7\n")
    data = explained("13/9", "--settings", str(file), "--set", "tabula.blots=8")["appendix"]
    assert data["settings"]["ten-factor"]["points"] == 5
    assert data["settings"]["tabula"]["blots"] == 8
    usual = explained("13/9")["appendix"]
    assert data["ten-factor"][0]["score"] == pytest.approx(usual["ten-factor"][0]["score"] + 2 * 4.7)
