"""What a position is worth: its class and who answers, chances and equities at a score, with and without the cube."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz import ALL_ROLLS, Evaluation, MatchState, NotationError, Position, State, Variant, _core
from kibitz.bearoff import use_tables
from kibitz.bearoff.tables import build
from kibitz.cli import app
from kibitz.decision import AnalysisLevel, PositionClass
from kibitz.engine.classes import PositionValue, is_solved
from kibitz.engine.engine import Engine


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(plies=0, threads=1)


@pytest.mark.parametrize(
    ("mine", "theirs", "words"),
    [
        ({}, {6: 3}, "over"),
        ({6: 2, 1: 2}, {3: 6}, "bearoff two-sided, answered by the table two-sided-6x6 in memory"),
        ({6: 7}, {3: 6}, "bearoff one-sided, answered by the table one-sided-6x15 in memory"),
        ({7: 7}, {3: 6}, "race, answered by the race net"),
        ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, "contact, answered by the contact net"),
        ({13: 2, 2: 6, 1: 7}, {22: 2, 13: 5, 8: 3, 6: 5}, "crashed, answered by the contact net"),
    ],
)
def test_classes_are_told_with_who_answers(
    engine: Engine, mine: dict[int, int], theirs: dict[int, int], words: str
) -> None:
    position = Position.of(mine, theirs)
    assert str(engine.position_class(position, match=MatchState())) == words
    for plies in (0, 1):
        told = engine.evaluate(position, match=MatchState(), plies=plies)
        assert str(told.position_class) == words
        assert told == Evaluation(*told) and Evaluation.from_dict(told.to_dict()) == told


def test_tables_on_disk_and_hypergammon_are_classes_too(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    one = State(Position.start("hypergammon-1"), MatchState(variant=Variant.HYPERGAMMON_1))
    assert engine.position_class(one).name == "hypergammon-1"
    use_tables([build("two-sided-7x4"), build("one-sided-7x6")])
    try:
        assert str(engine.position_class(Position.of({7: 4}, {3: 4}))).endswith("the table two-sided-7x4 on disk")
        assert str(engine.position_class(Position.of({7: 6}, {3: 4}))).endswith("the table one-sided-7x6 on disk")
        assert engine.position_class(Position.of({6: 4}, {3: 4})).on_disk is False
    finally:
        use_tables(())


def test_a_finished_game_is_worth_its_result(engine: Engine) -> None:
    value = engine.value(Position.of({}, {6: 3}), match=MatchState(jacoby=False))
    assert (value.equity, value.position_class.source) == (1.0, "result")


def test_one_ply_at_a_score_is_the_mean_of_the_best_replies(engine: Engine) -> None:
    """At 1-away both a gammon is worth nothing, and replies are chosen for that."""
    match = MatchState(length=1)
    position = Position.of({6: 5, 5: 3, 4: 3, 3: 2, 21: 2}, {24: 2, 6: 5, 8: 3, 13: 3, 1: 2})
    found = engine.value(position, match=match, plies=1, cubeful=False, replies=60, last_replies=60)
    mean = 0.0
    for roll in ALL_ROLLS:
        results = [play.result for play in position.plays(roll)] or [position.swapped()]
        mean += roll.weight * max(1 - engine.evaluate(result).win for result in results) / 36
    assert found.mwc == pytest.approx(mean, abs=2e-4)
    assert found.equity == pytest.approx(2 * mean - 1, abs=4e-4)


def test_the_cubeful_value_is_that_of_the_cube_decision(engine: Engine) -> None:
    position = Position.start()
    for match in (MatchState(), MatchState(length=7, my_score=3, their_score=5)):
        value = engine.value(State(position, match), plies=1)
        cube = engine.cube(State(position, match), plies=1)
        assert (value.equity, value.mwc, value.level.cubeful) == (cube.equity, cube.equity_mwc, True)


def evaluated(*arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(app, ["eval", "4HPwATDgc/ABMA", "--json", *arguments])
    assert result.exit_code == 0, result.output
    data: dict[str, object] = json.loads(result.stdout)
    return data


def test_every_option_of_the_command_changes_the_answer() -> None:
    plain = evaluated("--plies", "0")
    assert plain["class"] == {"name": "contact", "source": "net", "answered_by": "contact net", "on_disk": False}
    assert plain["mwc"] is None and plain["kind"] == "cubeless"
    assert evaluated("--plies", "1")["evaluation"] != plain["evaluation"]
    cubeful = evaluated("--plies", "0", "--cubeful")
    assert cubeful["kind"] == "cubeful" and cubeful["equity"] != plain["equity"]
    match = evaluated("--plies", "0", "--match", "7:3-5")
    assert 0.25 < float(str(match["mwc"])) < 0.35
    assert evaluated("--plies", "0", "--match", "7:3-5", "--cubeful")["mwc"] != match["mwc"]
    assert evaluated("--plies", "0", "--match", "7:3-5", "--met", "zadeh")["mwc"] != match["mwc"]
    crawford = evaluated("--plies", "0", "--match", "7:6-4C", "--cubeful")["mwc"]
    assert crawford != evaluated("--plies", "0", "--match", "7:6-4", "--cubeful")["mwc"]


def test_a_score_that_cannot_be_read_is_refused() -> None:
    result = CliRunner().invoke(app, ["eval", "4HPwATDgc/ABMA", "--match", "3-5"])
    assert isinstance(result.exception, NotationError) and "LENGTH:MINE-THEIRS" in str(result.exception)


def test_the_text_names_class_score_and_kind() -> None:
    result = CliRunner().invoke(app, ["eval", "4HPwATDgc/ABMA", "--plies", "0", "--match", "7:3-5", "--cubeful"])
    assert "class: contact, answered by the contact net" in result.stdout
    assert "4 away against 2" in result.stdout and "match winning chance" in result.stdout


def test_an_evaluator_of_the_callers_own_is_named() -> None:
    engine = Engine(evaluator=_core.MockEvaluator(), plies=0)
    assert str(engine.position_class(Position.start())) == "contact, answered by the caller's own evaluator"


def test_a_value_is_told_in_one_line_and_as_plain_data() -> None:
    chances, level = Evaluation(0.6, 0.2, 0.01, 0.1, 0.005), AnalysisLevel.searched(1)
    told = PositionClass("race", "net", "race net")
    money = PositionValue(State(Position.start()), chances, 0.25, None, told, level)
    match = replace(money, mwc=0.625, level=AnalysisLevel.searched(2, cubeful=False))
    about = f"{chances}; race, answered by the race net"
    assert str(money) == f"cubeful +0.2500 ({about}; 1 ply)"
    assert str(match) == f"cubeless +0.2500, MWC 62.50 % ({about}; 2 plies)"
    assert match.to_dict() == {
        "plies": 2,
        "kind": "cubeless",
        "class": told.to_dict(),
        "evaluation": chances.to_dict(),
        "equity": 0.25,
        "mwc": 0.625,
    }
    assert "+0.25" in money._repr_html_()


@pytest.mark.parametrize(
    ("mine", "theirs", "solved"),
    [({}, {6: 3}, True), ({6: 2, 1: 2}, {3: 6}, True), ({6: 7}, {3: 6}, False), ({24: 1, 6: 2}, {6: 2}, False)],
)
def test_finished_games_and_small_races_are_solved_for_money(
    mine: dict[int, int], theirs: dict[int, int], solved: bool
) -> None:
    rows = Position.of(mine, theirs).rows
    assert is_solved(rows, MatchState()) is solved
    assert not is_solved(rows, MatchState(length=5))
    assert is_solved(rows, MatchState(variant=Variant.HYPERGAMMON_3))  # of few checkers the table knows all


def test_cubeless_values_know_no_jacoby_rule_and_match_values_are_chances(engine: Engine) -> None:
    """Given gammons to win, with the cube dead they count for money, and at a score as the table says."""
    position = Position.of({6: 3, 5: 3, 4: 3, 3: 3, 8: 3}, {25: 2, 24: 5, 23: 8})
    plain = [engine.value(position, match=MatchState(jacoby=jacoby), cubeful=False) for jacoby in (True, False)]
    assert plain[0].equity == plain[1].equity == plain[0].evaluation.equity
    assert plain[0].mwc is None and not plain[0].level.cubeful
    assert engine.value(position).equity == engine.cube(position).equity
    dmp = engine.value(position, match=MatchState(length=1), cubeful=False)
    assert dmp.mwc == pytest.approx(dmp.evaluation.win, abs=1e-6)
    assert dmp.equity == pytest.approx(2 * dmp.evaluation.win - 1, abs=1e-6)
    for cubeful in (True, False):
        over = engine.value(Position.of({}, {6: 15}), match=MatchState(jacoby=False), cubeful=cubeful)
        assert (over.equity, over.mwc, over.evaluation.win_gammon) == (2.0, None, 1.0)
