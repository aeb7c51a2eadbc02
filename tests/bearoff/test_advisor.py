"""The bearing-off advisor: the source document's examples, with exact values."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from kibitz.bearoff import OneSided, analyze, next_boards, rank_plays, suggest
from kibitz.bearoff.advisor import ROLLS, format_board, parse_board, play_in_words
from kibitz.cli import app
from kibitz.errors import NotationError

from . import plain

# dice: minimum, maximum and expected turns in the document; the exact expectation is never above its.
DOCUMENT = """
11 2 9 3.936 3.904858   12 2 9 4.132 4.098465   13 2 9 3.936 3.904858   14 2 9 3.832 3.802222
15 2 8 3.71  3.681046   16 2 8 3.596 3.560218   22 1 8 3.413 3.385498   23 2 9 3.832 3.802222
24 2 8 3.71  3.681046   25 2 8 3.619 3.593195   26 2 8 3.493 3.456330   33 1 6 2.986 2.956768
34 2 8 3.596 3.560218   35 2 8 3.493 3.456330   36 2 7 3.404 3.368247   44 1 5 2.648 2.622945
45 1 7 3.279 3.248329   46 1 7 3.188 3.157845   55 1 4 2.42  2.380573   56 1 7 3.069 3.036122
66 1 3 1.716 1.709877
"""


def run(*arguments: str, text: str | None = None) -> str:
    result = CliRunner().invoke(app, ["bearoff", *arguments], input=text)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_documents_table_for_000222() -> None:
    words = DOCUMENT.split()
    rows = [words[i : i + 5] for i in range(0, len(words), 5)]
    rolls = {roll.to_dict()["dice"]: roll for roll in analyze("000222").rolls}
    assert list(rolls) == [row[0] for row in rows] and len(rows) == 21
    for dice, least, most, printed, exact in rows:
        turns = rolls[dice].turns
        assert (turns.least, turns.most) == (int(least), int(most)), dice
        assert turns.mean == pytest.approx(float(exact), abs=1e-6)
        assert turns.mean <= float(printed) + 5e-4


def test_the_documents_suggestion() -> None:
    best = suggest("002220", "16")
    assert format_board(best.result) == "011210"
    assert (best.turns.least, best.turns.most) == (2, 6)
    assert best.turns.mean == pytest.approx(3.089730, abs=1e-6)
    assert str(best.play) == "5/off 3/2"
    assert play_in_words(best.play) == "bear off from the 5 point, move from the 3 point to the 2 point"


@pytest.mark.parametrize("board", ["000222", "110011", "600000", "012120"])
def test_suggestions_are_the_best_of_all_plays(board: str) -> None:
    row = parse_board(board)
    for roll in ROLLS:
        best = min(map(plain.mean_turns, plain.plays(row, (roll.high, roll.low))))
        found = suggest(board, roll)
        assert found.turns.mean == pytest.approx(best, abs=1e-9)
        assert found.result in plain.plays(row, (roll.high, roll.low))


@pytest.mark.parametrize("board", ["000222", "110011", "600000", "000001", "012120"])
def test_every_play_of_a_roll_is_ranked_by_its_expected_turns(board: str) -> None:
    row = parse_board(board)
    for roll in ROLLS:
        after = plain.plays(row, (roll.high, roll.low))
        ranked = rank_plays(board, roll)
        assert {one.result for one in ranked} == after and len(ranked) == len(after)
        assert [one.turns.mean for one in ranked] == pytest.approx(sorted(map(plain.mean_turns, after)), abs=1e-9)
        assert [one.rank for one in ranked] == list(range(1, len(ranked) + 1))
        for one in ranked:
            assert one.difference == pytest.approx(one.turns.mean - ranked[0].turns.mean, abs=1e-12)
        assert rank_plays(board, roll, top=2) == ranked[:2]
        assert suggest(board, roll) == ranked[0]


def test_the_boards_that_a_roll_can_lead_to_are_those_of_the_rules() -> None:
    """Also where the lower die alone or no die can be played in full."""
    for row in plain.rows(6, 4):
        of_any_roll: set[tuple[int, ...]] = set()
        for roll in ROLLS:
            after = plain.plays(row, (roll.high, roll.low)) if any(row) else frozenset()
            assert set(next_boards(row, roll)) == after
            of_any_roll |= after
        assert next_boards(row) == tuple(sorted(of_any_roll))


def test_the_empty_board_needs_no_turn() -> None:
    analysis = analyze("000000")
    assert (analysis.turns.least, analysis.turns.most, analysis.turns.mean) == (0, 0, 0.0)
    assert analysis.rolls == ()
    assert OneSided().turns("000000").probabilities == (1.0,)
    assert next_boards("000000") == next_boards("000000", "31") == ()
    with pytest.raises(NotationError, match="no checker left to bear off in '000000'"):
        suggest("000000", "31")
    assert "minimum 0, maximum 0, expected 0 turns" in run("analyze", "000000")
    assert json.loads(run("analyze", "000000", "--json"))["turns"]["mean"] == 0


def test_fifteen_checkers_and_stacks_of_more_than_nine() -> None:
    assert parse_board("f00000") == (15, 0, 0, 0, 0, 0) == parse_board("15,0,0,0,0,0")
    assert format_board((0, 0, 0, 0, 0, 15)) == "00000f"
    assert analyze("333222").turns.mean > 7
    for wrong in ("00222", "0022200", "00222x", "", "555555", "-1,0,0,0,0,2"):
        with pytest.raises(NotationError):
            parse_board(wrong)


def test_commands_print_text_and_json() -> None:
    assert "Suggested move is 011210" in run("suggest", "002220", "16")
    text = run("analyze", "000222")
    assert "36.245" in text and "#####" in text
    assert max(map(len, text.splitlines())) <= 80
    data = json.loads(run("suggest", "002220", "16", "--json"))
    assert data["result"] == "011210" and data["expected_turns"] == pytest.approx(3.08973, abs=1e-5)
    assert len(json.loads(run("analyze", "000222", "--json"))["rolls"]) == 21


def test_suggest_lists_as_many_plays_as_asked_for() -> None:
    lines = run("suggest", "000222", "11", "--top", "2").splitlines()
    assert lines[-4].split() == ["#", "board", "expected", "behind", "min", "max", "play"]
    assert lines[-3].split() == [">", "1", "000122", "3.904858", "2", "9", "4/off"]
    assert lines[-2].split()[:4] == ["2", "011112", "3.986654", "+0.081796"]
    assert lines[-1] == "     and 16 more"
    assert len(run("suggest", "000222", "11", "--top", "50").splitlines()) == 6 + 18
    data = json.loads(run("suggest", "000222", "11", "--top", "3", "--json"))
    assert data["result"] == data["plays"][0]["result"] == "000122"
    assert [play["rank"] for play in data["plays"]] == [1, 2, 3]


def test_boards_lists_what_can_follow() -> None:
    assert run("boards", "002220", "16").split() == ["002300", "003110", "011210"]
    assert set(run("boards", "002220").split()) > {"002300", "003110", "011210"}
    assert json.loads(run("boards", "000200", "21", "--json")) == {
        "board": "000200",
        "dice": "12",
        "boards": ["011000", "100100"],
    }


def test_the_menu_asks_again_on_bad_input() -> None:
    answers = ["3", "1", "992222", "000000", "002220", "17", "16", "1", "2", "000222", "2"]
    text = run(text="\n".join(answers) + "\n")
    assert "1 Suggest Move" in text and "2 Analyze Board" in text
    assert "Error: expected 1 or 2, not '3'. Try again." in text
    assert "Error: numbers entered must total to 15 or less" in text
    assert "Error: there is no checker left to bear off in '000000'. Try again." in text
    assert "Error: die values must be between 1 and 6" in text
    assert "Suggested move is 011210" in text and "For the board 000222" in text


def test_the_end_of_the_input_ends_the_menu() -> None:
    assert "Please select" in run(text="1\n")


def test_bad_arguments_end_with_one_line_and_status_2() -> None:
    code = "import sys; sys.argv[0] = 'kibitz'; from kibitz.cli import main; main()"
    for arguments, message in (
        (["suggest", "002220", "17"], "die values must be between 1 and 6"),
        (["suggest", "999999", "16"], "15 or less"),
        (["analyze", "00"], "six numbers"),
        (["suggest", "000000", "16"], "no checker left"),
        (["boards", "002220", "7"], "dice must be two digits"),
        (["entry", "0022201"], "a key is six digits for a board, or eight"),
        (["entry", "00000011"], "no checker left"),
        (["export", "-o", "/nowhere/at/all"], "cannot write /nowhere/at/all"),
    ):
        done = subprocess.run([sys.executable, "-c", code, "bearoff", *arguments], capture_output=True, text=True)
        assert done.returncode == 2 and done.stdout == ""
        assert message in done.stderr and done.stderr.count("\n") == 1
