"""Position files and folders through `analyze` and `hint`, and several matches in one report."""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import kibitz
from kibitz import Dice, Match, Move, Position
from kibitz.analysis.positions import is_position, load_state, open_question
from kibitz.cli import app
from kibitz.decision import question_of
from kibitz.errors import FormatError
from kibitz.formats.folders import find_files
from kibitz.record import Action, Double, Game, Roll, Setup, Take
from kibitz.report.several import totals
from tests.analysis.samples import SAMPLE, short_match, short_review

START = Position.start()
PLAYED = (Move(8, 5), Move(6, 5))
DATA = Path(__file__).resolve().parents[1] / "formats" / "data"
PLAYS, CUBE = DATA / "xg_plays.txt", DATA / "xg_cube_fr.txt"


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout


def test_a_position_file_is_a_question() -> None:
    asked = open_question(kibitz.load(PLAYS))
    assert asked is not None and asked.dice is not None
    cube = open_question(kibitz.load(CUBE))
    assert cube is not None and cube.dice is None
    assert open_question(short_match()) is None
    assert not is_position(short_match())
    assert load_state(PLAYS).position == asked.position
    with pytest.raises(FormatError, match="holds a match"):
        load_state(SAMPLE)


@pytest.mark.parametrize(
    ("actions", "is_one", "asks"),
    [
        ((), False, None),
        ((Setup(0, START),), True, "double"),
        ((Setup(0, START), Roll(0, Dice(3, 1), None)), True, "play"),
        ((Setup(0, START), Roll(0, Dice(3, 1), PLAYED)), True, None),
        ((Setup(0, START), Double(0)), True, None),
        ((Setup(0, START), Double(0), Take(1)), True, None),
        ((Setup(0, START), Double(0), Take(1), Roll(0, Dice(3, 1), None)), False, None),
        ((Roll(0, Dice(3, 1), None),), False, None),
    ],
)
def test_a_position_is_a_board_with_at_most_two_actions(
    actions: tuple[Action, ...], is_one: bool, asks: str | None
) -> None:
    match = Match(("Ada", "Ben"), 5, (Game((0, 0), False, actions),))
    assert is_position(match) is is_one
    asked = open_question(match)
    assert (None if asked is None else question_of(asked).value) == asks
    assert not is_position(replace(match, games=(*match.games, *match.games)))


def test_analyze_answers_a_position_file() -> None:
    state = load_state(PLAYS)
    best = kibitz.Engine(threads=1, plies=0).answer(state).best
    text = run("analyze", str(PLAYS), "--level", "fast")
    assert best in text
    assert "Moves" not in text, "there is nothing to count"
    data = json.loads(run("analyze", str(PLAYS), "--level", "fast", "--json"))
    assert data["file"] == str(PLAYS)
    assert data["question"] == "play"
    assert data["best"] == best
    assert json.loads(run("analyze", str(CUBE), "--level", "fast", "--json"))["question"] == "double"


def test_the_answer_to_a_position_is_a_page_with_its_board(tmp_path: Path) -> None:
    """Given a position file, when a page is asked for, then it shows board and best answer, and runs nothing."""
    page, named = tmp_path / "answer.html", tmp_path / "<b>position.txt"
    shutil.copy(PLAYS, named)
    assert str(page) in run("analyze", str(named), str(CUBE), "--level", "fast", "-o", str(page))
    text = page.read_text(encoding="utf-8")
    best = kibitz.Engine(threads=1, plies=0).answer(load_state(PLAYS)).best
    assert text.count("<svg") == 2 and best in text
    assert "<b>position" not in text and "&lt;b&gt;position" in text and "<script" not in text
    run("analyze", str(PLAYS), "--level", "fast", "-o", str(tmp_path / "answer.json"))
    assert json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))["best"] == best
    with pytest.raises(FormatError, match=r"\.html or \.json, not as 'answer.csv'"):
        run("analyze", str(PLAYS), "--level", "fast", "-o", str(tmp_path / "answer.csv"))


def test_a_position_with_what_was_chosen_is_told_without_statistics(tmp_path: Path) -> None:
    """Given a position in which somebody doubled, when it is reviewed, then its decisions are told with their cost."""
    from kibitz.formats.builder import MatchBuilder

    builder = MatchBuilder("test")
    builder.players, builder.length = ("Ada", "Ben"), 7
    game = builder.start_game()
    game.setup(0, load_state(CUBE).position)
    game.double(0)
    game.take(1)
    path = tmp_path / "made.json"
    kibitz.save(builder.build(), path)
    (made, answered) = kibitz.review(path, level="fast", threads=1).decisions
    text = run("analyze", str(path), "--level", "fast")
    assert "Moves" not in text
    for one in (made, answered):
        cost = f"loses {one.lost:.4f}" if one.lost else "right"
        assert f"{one.name} chose {one.chosen_name}: {cost}" in text


def test_hint_takes_a_position_file() -> None:
    by_file = json.loads(run("hint", str(PLAYS), "--plies", "0", "--json"))
    state = load_state(PLAYS)
    by_name = json.loads(run("hint", state.xgid, "--plies", "0", "--json"))
    assert [one["equity"] for one in by_file["plays"]] == [one["equity"] for one in by_name["plays"]]
    other = json.loads(run("hint", str(PLAYS), "11", "--plies", "0", "--json"))
    assert other["state"]["dice"] == [1, 1]


def test_analyze_takes_a_folder_and_names_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "matches" / "deeper"
    folder.mkdir(parents=True)
    shutil.copy(SAMPLE, folder / "a.mat")
    kibitz.save(short_match(), folder.parent / "b.json")
    (folder / "picture.png").write_bytes(b"x")
    (folder / ".hidden.mat").write_bytes(b"x")
    assert [path.name for path in find_files([tmp_path])] == ["b.json", "a.mat"]
    data = json.loads(run("analyze", str(tmp_path), "--level", "fast", "--json", "--no-cache"))
    assert [Path(one["file"]).name for one in data] == ["b.json", "a.mat"]
    for suffix in (".csv", ".json"):
        run("analyze", str(tmp_path / "matches"), "--level", "fast", "--no-cache", "-o", str(tmp_path / f"out{suffix}"))
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {Path(row["file"]).name for row in rows} == {"a.mat", "b.json"}
    written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [Path(one["file"]).name for one in written] == ["b.json", "a.mat"]


def test_several_matches_have_an_index_and_totals(tmp_path: Path) -> None:
    from kibitz.report.html import page

    review = short_review()
    both = [review, review]
    found = {total.name: total for total in totals(both)}
    ada = review.statistics("Ada")
    assert found["Ada"].matches == 2
    assert found["Ada"].decisions == 2 * ada.pr_decisions
    assert found["Ada"].pr == pytest.approx(ada.pr)
    assert found["Ada"].luck == pytest.approx(2 * ada.luck.emg)
    html = page(both)
    assert '<a href="#m1">Ada - Ben</a>' in html and '<a href="#m2">' in html
    assert "Totals by player" in html
    assert "Totals by player" not in page(review)
    shutil.copy(SAMPLE, tmp_path / "a.mat")
    shutil.copy(SAMPLE, tmp_path / "b.mat")
    text = run("analyze", str(tmp_path), "--level", "fast")
    lines = text[text.index("Totals") :].splitlines()
    assert lines[1].split()[:2] == ["Ada", "2"]
    assert all(len(line) <= 80 for line in lines)
