"""The advisor's database as records and as text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.bearoff import Entry, analyze, entries, entry, suggest
from kibitz.bearoff.advisor import ROLLS, format_board, format_roll
from kibitz.bearoff.database import boards_up_to
from kibitz.cli import app
from kibitz.errors import NotationError

from . import plain


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["bearoff", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_records_are_written_as_the_document_writes_them() -> None:
    """ "minimum maximum expected value", and with a roll "suggested move: ..."; a whole number has no point."""
    assert str(entry("000000")) == "000000 0 0 0"
    assert str(entry("110000")) == "110000 1 1 1"
    assert str(entry("00020012")) == str(entry("00020021")) == "00020012 1 2 1.194444 suggested move: 100100"
    assert entry("00222016").value == "2 6 3.08973 suggested move: 011210"
    assert entry("000222").value == "2 10 4.438164"


def test_the_database_holds_every_board_and_every_roll_of_it_once() -> None:
    found = list(entries(3))
    boards = {format_board(row) for row in plain.rows(6, 3)}
    expected = boards | {board + format_roll(roll) for board in boards - {"000000"} for roll in ROLLS}
    assert sorted(record.key for record in found) == sorted(expected)
    assert len(boards) == boards_up_to(3)
    assert found[0] == Entry((0, 0, 0, 0, 0, 0), None, 0, 0, 0.0)


def test_records_agree_with_the_advisor_and_with_plain_computation() -> None:
    for record in entries(3):
        assert entry(record.key) == record
        if record.dice is None:
            assert record.mean == pytest.approx(plain.mean_turns(record.board), abs=1e-9)
            if any(record.board):
                rolls = [suggest(record.board, roll) for roll in ROLLS]
                assert record.least == 1 + min(one.turns.least for one in rolls)
                assert record.most == 1 + max(one.turns.most for one in rolls)
                expected = 1 + sum(one.dice.weight * one.turns.mean for one in rolls) / 36
                assert record.mean == pytest.approx(expected, abs=1e-9)
        else:
            assert record.result in plain.plays(record.board, (record.dice.high, record.dice.low))


def test_the_suggested_moves_of_fifteen_checkers_are_the_advisors() -> None:
    for board in ("333222", "00000f", "f00000", "111930"):
        for one in analyze(board).rolls:
            record = entry(board + format_roll(one.dice))
            assert (record.result, record.mean) == (one.result, one.turns.mean)


def test_records_survive_json() -> None:
    for record in (entry("000222"), entry("00022264")):
        assert Entry.from_dict(json.loads(json.dumps(record.to_dict()))) == record


@pytest.mark.parametrize("key", ["", "00022", "0002221", "000222111", "00022x"])
def test_wrong_keys_are_refused(key: str) -> None:
    with pytest.raises(NotationError):
        entry(key)


@pytest.mark.parametrize("checkers", [0, 16])
def test_a_database_has_one_to_fifteen_checkers(checkers: int) -> None:
    with pytest.raises(NotationError, match="1 to 15 checkers"):
        next(entries(checkers))


def test_the_entry_command() -> None:
    assert run("entry", "00020012") == "00020012 1 2 1.194444 suggested move: 100100\n"
    assert json.loads(run("entry", "00020012", "--json"))["result"] == "100100"


def test_the_export_is_the_whole_database() -> None:
    """As far as the document's goes, unless another number of checkers is asked for."""
    lines = run("export").splitlines()
    assert len(lines) == 924 + 923 * 21
    assert lines[0] == "000000 0 0 0"
    assert "00222016 2 6 3.08973 suggested move: 011210" in lines
    assert run("export", "--checkers", "2").splitlines() == [str(record) for record in entries(2)]


def test_the_export_goes_to_a_file_as_text_or_as_json(tmp_path: Path) -> None:
    text, data = tmp_path / "bearoff.txt", tmp_path / "bearoff.jsonl"
    assert run("export", "--checkers", "1", "-o", str(text)) == ""
    assert text.read_text() == run("export", "--checkers", "1")
    run("export", "--checkers", "1", "--output", str(data), "--json")
    records = [Entry.from_dict(json.loads(line)) for line in data.read_text().splitlines()]
    assert records == list(entries(1))
    assert sorted(file.name for file in tmp_path.iterdir() if file.is_file()) == ["bearoff.jsonl", "bearoff.txt"]
