"""The commands of the analyst: hint, cube, met and analyze --stdin."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from kibitz.cli import app

START = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10"


def run(*words: str, input: str | None = None) -> str:
    result = CliRunner().invoke(app, list(words), input=input, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_hint_ranks_plays_and_the_named_one() -> None:
    text = run("hint", START, "31", "--plies", "1", "--top", "2", "--play", "24/20", "--threads", "1")
    assert "8/5 6/5" in text and "24/20" in text
    assert max(map(len, text.splitlines())) <= 80


def test_hint_answers_in_json() -> None:
    data = json.loads(run("hint", START, "31", "--plies", "0", "--json"))
    assert data["question"] == "play"
    best = data["plays"][0]
    assert set(best) >= {"rank", "play", "equity", "difference", "plies", "kind", "evaluation", "mwc"}


def test_hint_decides_by_the_state_what_is_asked() -> None:
    assert json.loads(run("hint", XGID, "--plies", "0", "--json"))["question"] == "double"
    doubled = XGID.replace(":00:", ":D:")
    assert json.loads(run("hint", doubled, "--plies", "0", "--json"))["question"] == "take"


def test_the_heuristic_engines_still_answer() -> None:
    assert "8/5 6/5" in run("hint", START, "31", "--engine", "ten-factor", "--top", "3")


@pytest.mark.parametrize("words", [["--plies", "9"], ["--filter", "wide"], ["--time", "soon"], ["--met", "nonsense"]])
def test_wrong_options_are_refused(words: list[str]) -> None:
    result = CliRunner().invoke(app, ["hint", START, "31", *words])
    assert result.exit_code != 0


def test_cube_tells_equities_owners_and_matrix() -> None:
    text = run("cube", XGID, "--plies", "0")
    assert "Proper action" in text and "EMG and MWC" in text
    assert run("cube", START, "--plies", "0", "--owners").count("Cube decision") == 3
    data = json.loads(run("cube", START, "--plies", "0", "--matrix", "3", "--json"))
    assert len(data["cells"]) == 9 + 4  # the Crawford game apart
    assert "Rows:" in run("cube", START, "--plies", "0", "--matrix", "7")


def test_answers_fit_a_terminal_of_80_columns() -> None:
    after_crawford = "mGfwATDgc8UBMA:MAFgABAAEAAE"
    for words in (
        ["cube", after_crawford, "--plies", "0"],
        ["cube", after_crawford, "--plies", "0", "--matrix", "9"],
        ["cube", START, "--plies", "0", "--owners"],
        ["hint", after_crawford, "31", "--plies", "0"],
        ["met", "show"],
        ["met", "show", "--size", "25"],
    ):
        assert max(len(line) for line in run(*words).splitlines()) <= 80


def test_met_shows_and_answers() -> None:
    assert "Kazaross-XG2" in run("met", "show", "--size", "3")
    assert json.loads(run("met", "equity", "3", "5", "--json"))["chance"] == 0.64795
    assert "48.803" in run("met", "equity", "2", "1", "--post-crawford")
    assert json.loads(run("met", "equity", "3", "5", "--cube", "9" * 30, "--json"))["after"]["lose_single"] == 0.0


def test_analyze_answers_line_by_line_and_bad_lines_alone() -> None:
    lines = [
        json.dumps({"id": "a", "position": START, "dice": [3, 1], "plies": 0, "top": 1}),
        "{broken",
        json.dumps({"id": 7, "position": "nonsense"}),
        json.dumps({"id": 8, "position": START, "dice": "31", "play": "13/7"}),
        json.dumps({"id": 9, "position": XGID, "plies": 0}),
        json.dumps({"id": 10, "position": START, "depth": 3}),
        START,
    ]
    answers = [
        json.loads(line) for line in run("analyze", "--stdin", "--plies", "0", input="\n".join(lines)).splitlines()
    ]
    assert [one["id"] for one in answers] == ["a", 2, 7, 8, 9, 10, 7]
    assert answers[0]["best"] == "8/5 6/5" and len(answers[0]["plays"]) == 1
    assert [one["error"]["code"] for one in (answers[1], answers[2], answers[3], answers[5])] == [
        "notation",
        "notation",
        "illegal_play",
        "notation",
    ]
    assert answers[4]["question"] == "double" and answers[6]["question"] == "double"
