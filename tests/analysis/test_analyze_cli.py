"""`kibitz analyze` and `kibitz quiz` as people call them."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from typer.testing import CliRunner

from kibitz.analysis.decisions import Kind
from kibitz.cli import app
from kibitz.cli.quiz import answers, ask
from kibitz.decision import CubeDecision
from kibitz.record import Double, Take
from kibitz.report.summary import decision_lines, summary

from .samples import SAMPLE, mock_review, money, short_match

MATCH = str(SAMPLE)


@pytest.fixture(scope="module", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> object:
    """One cache for all of these tests: the match is reviewed once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def run(*arguments: str, said: str | None = None, status: int = 0) -> str:
    found = CliRunner().invoke(app, list(arguments), input=said, catch_exceptions=True)
    assert found.exit_code == status, found.output + str(found.exception)
    return found.stdout


def test_the_summary_fits_the_terminal_and_names_the_worst() -> None:
    text = run("analyze", MATCH, "--level", "fast", "--top", "3")
    assert "Ada 1 - 7 Ben, 3-point match, 3 games" in text
    assert max(map(len, text.splitlines())) <= 80
    for words in ("Snowie error rate", "XG performance rating (PR)", "Luck-adjusted result", "Worst decisions"):
        assert words in text
    assert text.count("better:") == 3
    data = json.loads(run("analyze", MATCH, "--level", "fast", "--json"))
    first, second = data["statistics"]
    for label, name in (("Moves", "total_moves"), ("Doubles", "doubles"), ("Takes", "takes"), ("Rolls", "rolls")):
        line = next(line for line in text.splitlines() if line.startswith(f"  {label} "))
        assert line.split()[1:] == [str(first[name]), str(second[name])], "Ada stands left, Ben right"
    errors = next(line for line in text.splitlines() if line.startswith("  Errors / blunders (>0.02 / >0.08)"))
    told = [str(player[name]) for player in (first, second) for name in ("errors", "blunders")]
    assert errors.split("0.08)")[1].replace("/", " ").split() == told


def test_json_is_the_review() -> None:
    data = json.loads(run("analyze", MATCH, "--level", "fast", "--json"))
    assert data["players"] == ["Ada", "Ben"]
    assert len(data["games"]) == 3
    assert data["settings"]["level"]["name"] == "fast"
    assert {decision["kind"] for decision in data["decisions"]} == {"checker play", "double", "answer"}
    assert {(decision["player"], decision["name"]) for decision in data["decisions"]} == {(0, "Ada"), (1, "Ben")}
    assert {decision["game"] for decision in data["decisions"]} == {1, 2, 3}


def test_csv_has_a_row_for_each_decision() -> None:
    rows = list(csv.DictReader(io.StringIO(run("analyze", MATCH, "--level", "fast", "--csv"))))
    data = json.loads(run("analyze", MATCH, "--level", "fast", "--json"))
    assert [float(row["lost"]) for row in rows] == [decision["lost"] for decision in data["decisions"]]


@pytest.mark.parametrize("suffix", [".html", ".csv", ".json", ".sgf"])
def test_reports_by_suffix(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"report{suffix}"
    text = run("analyze", MATCH, "--level", "fast", "-o", str(target))
    assert str(target) in text.replace("\n", "")
    start = target.read_text("utf-8")[:40]
    assert {".html": "<!doctype", ".csv": "game,move", ".json": "{", ".sgf": "("}[suffix] in start


def test_many_files_at_once_and_one_that_is_none(tmp_path: Path) -> None:
    broken = tmp_path / "broken.mat"
    broken.write_text("this is no match")
    found = CliRunner().invoke(app, ["analyze", MATCH, MATCH, str(broken), "--level", "fast"])
    assert found.exit_code == 2
    assert found.stdout.count("Ada 1 - 7 Ben") == 2
    assert "broken.mat" in found.output


def test_files_in_processes_give_the_same_reviews() -> None:
    rows = run("analyze", *[MATCH] * 5, "--level", "fast", "--csv", "--threads", "2")
    one = run("analyze", MATCH, "--level", "fast", "--csv")
    assert len(rows.splitlines()) - 1 == 5 * (len(one.splitlines()) - 1)


def test_impossible_requests_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is reviewed, which may take minutes."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("reviewed")

    monkeypatch.setattr("kibitz.analysis.files.review_files", never)
    for arguments, words in (
        (["analyze", MATCH, "--level", "odd"], "no review level"),
        (["analyze", MATCH, "--csv", "--json"], "not both"),
        (["analyze", MATCH, "-o", str(tmp_path / "x.pdf")], "a report is one of"),
        (["quiz", MATCH, "--level", "fast", "--player", "Cid"], "expected one of the players"),
        (["quiz", str(tmp_path / "none.mat")], "none.mat"),
        (["quiz", str(tmp_path)], "Is a directory"),
    ):
        found = CliRunner().invoke(app, arguments)
        assert found.exit_code != 0
        assert words in str(found.exception)


def test_the_quiz_asks_for_the_worst_decisions() -> None:
    asked = json.loads(run("quiz", MATCH, "--level", "fast", "--json", "--count", "3"))
    assert len(asked) == 3
    assert asked[0]["lost"] >= asked[1]["lost"] >= asked[2]["lost"]
    assert all(question["lost"] > 0.02 and question["error"] for question in asked)
    answers = ["abcde"[question["answers"].index(question["best"])] for question in asked]
    text = run("quiz", MATCH, "--level", "fast", "--count", "3", said="?\n" + "\n".join(answers) + "\n")
    assert "3 of 3 right; 0.000 lost" in text
    played = [line.split("  ")[1].strip() for line in text.splitlines() if line.endswith("<- played")]
    assert played == [question["chosen"] for question in asked]
    for question in asked:
        assert f" {question['name']} " in text
        assert f"game {question['game']}, move {question['move']}" in text
    assert "Please answer with one of a, b" in text
    last = "abcde"[len(asked[0]["answers"]) - 1]
    assert f" Your answer (a-{last}, q to stop): " in text


def test_the_quiz_waits_on_a_terminal_before_the_next_board(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    for said, boards in ((["a", "", "a", "", "a"], 3), (["a", "", "a", "q"], 2), (["a", "q"], 1)):
        asked = Mock(side_effect=said)
        monkeypatch.setattr("builtins.input", asked)
        app(["quiz", MATCH, "--level", "fast", "--count", "3"], standalone_mode=False)
        text = capsys.readouterr().out
        assert text.count("Question ") == text.count("Position ID") == boards
        assert f" of {boards} right" in text
        waits = [call for call in asked.call_args_list if "Enter for the next question, q to stop" in call.args[0]]
        assert len(waits) == len(said) - boards


def test_a_take_of_a_quiz_is_seen_by_the_taker_and_has_chances(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = mock_review(money(Double(0), Take(1))).decisions[-1]
    assert taken.kind is Kind.ANSWER and isinstance(taken.decision, CubeDecision)
    monkeypatch.setattr("builtins.input", lambda _: "a")
    ask(taken, 1, 1, 1)
    text = capsys.readouterr().out
    assert "O  Ada doubles to 2" in text and "X  Ben to answer" in text
    assert " Ben is doubled to 2 by Ada" in text
    chances = taken.decision.evaluation.swapped()
    take = next(line for line in text.splitlines() if line.startswith("   take "))
    assert take.split()[1] == f"{-taken.decision.double_take:+.3f}"
    assert f"{100 * chances.win:5.1f} {100 * chances.win_gammon:5.1f} {100 * chances.lose_gammon:5.1f}" in take
    assert str(taken).startswith("game 1, move 1: Ben is doubled to 2 by Ada: take")
    assert "Ben is doubled to 2 by Ada" in " ".join(" ".join(decision_lines(taken)).split())


def test_a_quiz_of_one_player_can_be_left() -> None:
    for name in ("ben", "1"):
        asked = json.loads(run("quiz", MATCH, "--level", "fast", "--player", name, "--count", "5", "--json"))
        assert {question["name"] for question in asked} == {"Ben"}
    text = run("quiz", MATCH, "--level", "fast", "--player", "ben", "--count", "5", said="a\nq\n")
    assert "Question 2 of 5" in text
    assert "of 1 right" in text


def test_the_play_that_was_made_is_among_the_answers_and_names_fit() -> None:
    match = replace(short_match(), players=("A" * 40, "Be\nn"))
    found = mock_review(match)
    far = [d for d in found.decisions if d.kind is Kind.CHECKER and d.options.index(d.chosen_option) > 3]
    assert far
    for decision in far:
        names = [row.name for row in answers(decision, seed=1)]
        assert len(names) == 5
        assert {decision.best.name, decision.chosen_name} < set(names)
    text = summary(found)
    assert "A" * 19 + "…" in text
    assert "Be?n" in text
