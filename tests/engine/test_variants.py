"""Hypergammon in the engine: the table answers whatever is asked, and no state is taken for another game's."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import kibitz
from kibitz import ALL_ROLLS, MatchState, Position, State, Variant
from kibitz.analysis.review import review
from kibitz.bearoff import Hypergammon
from kibitz.bearoff.hypergammon import FIELDS
from kibitz.bearoff.tables import TableName
from kibitz.cli import app
from kibitz.cube import Cube, Owner
from kibitz.engine.engine import Engine
from kibitz.errors import EngineError, NotationError, TableError
from kibitz.notation import in_game, parse_play
from kibitz.play.players import EnginePlayer
from kibitz.protocols.answers import Answerer
from kibitz.protocols.bei import BeiConversation
from kibitz.protocols.json_lines import answer_line
from kibitz.protocols.ubgi import UbgiConversation

USERS_TABLE = TableName.of("hypergammon-3").path  # before the tests get a cache directory of their own
TWO = Variant.HYPERGAMMON_2


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A cache directory of these tests' own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("KIBITZ_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture(scope="module")
def two() -> Hypergammon:
    return Hypergammon(2)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(plies=0, threads=1)


def some_positions(count: int, checkers: int, seed: int) -> list[Position]:
    """Positions of both sides with checkers left anywhere, none of them on a point of the other's."""
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        rows = [[0] * 25, [0] * 25]
        for row in rows:
            for _ in range(chance.randint(1, checkers)):
                row[chance.randrange(25)] += 1
        if not any(rows[0][slot] and rows[1][23 - slot] for slot in range(24)):
            found.append(Position(*rows))
    return found


def check_evaluations(table: Hypergammon, engine: Engine, count: int) -> None:
    boards = np.stack([position.board for position in some_positions(count, table.checkers, 1)])
    values = table.look_up(boards)
    found = engine.evaluate_batch(boards, variant=table.variant)
    assert np.abs(found - values[:, :5]).max() < 1e-6


def check_cubes(table: Hypergammon, engine: Engine, count: int) -> None:
    """`table.cube` looks one roll ahead in Python, the engine in C++."""
    for number, position in enumerate(some_positions(count, table.checkers, 2)):
        owner, jacoby = tuple(Owner)[number % 3], number % 2 == 0
        expected = table.cube(position, owner, jacoby=jacoby)
        match = MatchState(cube=Cube(1 if owner is Owner.CENTRED else 2, owner), jacoby=jacoby, variant=table.variant)
        found = engine.cube(State(position, match))
        assert found.no_double == pytest.approx(expected.no_double, abs=1e-6)
        if expected.available:
            assert found.double_take == pytest.approx(expected.double_take, abs=1e-6)
        assert found.available == expected.available
        value = table.evaluate(position)
        exact = {Owner.CENTRED: value.centred_jacoby if jacoby else value.centred, Owner.MINE: value.owned}
        assert found.equity == pytest.approx(exact.get(owner, value.unavailable), abs=2e-6)


def check_plays(table: Hypergammon, engine: Engine, count: int) -> None:
    """No play is better by the table than the one that the engine puts first."""
    column = FIELDS.index("centred")
    match = MatchState(jacoby=False, variant=table.variant)
    for position in some_positions(count, table.checkers, 3):
        for roll in ALL_ROLLS:
            results = [play.result for play in position.plays(roll)]
            ranked = engine.rank(position, roll, match=match)
            assert len(ranked) == len(results)
            if not results:
                continue
            values = -table.look_up(np.stack([result.board for result in results]))[:, column]
            by_table = dict(zip(results, values.tolist(), strict=True))
            assert by_table[ranked[0].play.result] == pytest.approx(max(values), abs=1e-7)
            assert ranked[0].equity == pytest.approx(max(values), abs=1e-6)


def test_evaluations_are_those_of_the_table(two: Hypergammon, engine: Engine) -> None:
    check_evaluations(two, engine, 10_000)
    start = State(Position.start(TWO), MatchState(variant=TWO))
    assert engine.evaluate(start).win_gammon == pytest.approx(two.evaluate(start.position).win_gammon, abs=1e-7)


def test_looking_ahead_finds_what_the_table_says(two: Hypergammon, engine: Engine) -> None:
    for position in some_positions(20, 2, 5):
        found = engine.evaluate(State(position, MatchState(variant=TWO)), plies=1)
        assert found.equity == pytest.approx(two.evaluate(position).equity, abs=2e-6)


def test_cube_decisions_are_those_of_the_table(two: Hypergammon, engine: Engine) -> None:
    check_cubes(two, engine, 10_000)


def test_best_plays_are_those_of_the_table(two: Hypergammon, engine: Engine) -> None:
    check_plays(two, engine, 1_000)


@pytest.mark.slow
def test_all_of_it_for_three_checkers(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads the user's table of three checkers where there is one; else it is built, which takes minutes."""
    if USERS_TABLE.is_file():
        monkeypatch.setenv("KIBITZ_CACHE", str(USERS_TABLE.parents[1]))
    engine.evaluate(State(Position.start("hypergammon-3"), MatchState(variant=Variant.HYPERGAMMON_3)))
    three = Hypergammon(3)
    check_evaluations(three, engine, 10_000)
    check_cubes(three, engine, 10_000)
    check_plays(three, engine, 1_000)
    printed = CliRunner().invoke(app, ["tables", "opening", "hypergammon-3"]).stdout
    assert "cubeless equity +0.0836795" in printed


@pytest.mark.usefixtures("two")
def test_what_a_table_has_solved_is_certain(engine: Engine) -> None:
    def said(state: State, engine: Engine = engine) -> tuple[float | None, ...]:
        cube = engine.cube(state)
        return engine.rank(state, "61").confidence, cube.double_confidence, cube.take_confidence

    start = State(Position.start(TWO), MatchState(variant=TWO))
    assert said(start) == (1.0, 1.0, 1.0)
    assert said(State(Position.of({6: 3, 5: 1}, {6: 2, 1: 3}), MatchState())) == (1.0, 1.0, 1.0)
    guesses = (
        said(start, Engine(plies=0, threads=1, noise=0.05)),
        said(State(start.position, MatchState(length=5, variant=TWO))),  # the score is not in the table
        said(
            State(Position.of({6: 8, 5: 1}, {6: 5, 1: 3}), MatchState())
        ),  # two distributions, not both sides together
    )
    assert all(min(one for one in chances if one is not None) < 1.0 for chances in guesses)


def test_a_match_uses_the_table_and_the_score(two: Hypergammon, engine: Engine) -> None:
    position = Position.of({24: 1, 5: 1}, {19: 1, 3: 1})
    at_last = engine.cube(State(position, MatchState(length=1, variant=TWO)))
    assert at_last.mwc is not None and at_last.mwc.no_double == pytest.approx(two.evaluate(position).win, abs=1e-6)


def test_rollouts_of_hypergammon_need_no_preparation(two: Hypergammon, engine: Engine) -> None:
    position = Position.of({24: 1, 5: 1}, {19: 1, 3: 1})
    state = State(position, MatchState(jacoby=False, variant=TWO))
    rolled = engine.rollout(state, cube=False, trials=36, stop_at_tables=False).results[0]
    exact = two.evaluate(position).centred
    assert abs(rolled.equity - exact) < 5 * rolled.standard_error + 1e-4
    assert rolled.standard_error < 0.05  # the luck of a perfect judge leaves nearly nothing


def test_nackgammon_is_answered_as_backgammon_is(engine: Engine) -> None:
    position = Position.start("nackgammon")
    match = MatchState(variant=Variant.NACKGAMMON)
    assert engine.evaluate(position, match=match) == engine.evaluate(position)
    assert engine.rank(position, "31", match=match)[0].equity == engine.rank(position, "31")[0].equity


# --- whose game it is -------------------------------------------------------------------------------------------------


def test_few_checkers_without_a_variant_are_asked_about(engine: Engine) -> None:
    start = Position.start(TWO)
    with pytest.raises(NotationError, match=r"2 checkers against 2 .* --variant"):
        in_game(kibitz.parse(start.id))
    with pytest.raises(EngineError, match=r"match=MatchState\(variant="):
        engine.evaluate(start)
    with pytest.raises(NotationError, match="there is no variant 'hyper'"):
        in_game(kibitz.parse(start.id), "hyper")
    assert in_game(kibitz.parse(start.id), "hypergammon-2").match.variant is TWO
    assert engine.evaluate(start, match=MatchState()).win_gammon == 0  # it was said to be backgammon


def test_plain_bearoffs_are_taken_for_backgammon_and_commands_say_so(engine: Engine, two: Hypergammon) -> None:
    ending = Position.of({6: 2}, {2: 1, 1: 1})
    assert in_game(kibitz.parse(ending.id)).match.variant is Variant.BACKGAMMON
    assert engine.evaluate(ending).lose_gammon == 0
    taken = CliRunner().invoke(app, ["eval", ending.id, "--plies", "0", "--json"])
    assert "taken for backgammon; --variant hypergammon-3 says otherwise" in taken.stderr
    assert json.loads(taken.stdout)["evaluation"]["lose_gammon"] == 0
    named = CliRunner().invoke(app, ["eval", ending.id, "--plies", "0", "--json", "--variant", "hypergammon-2"])
    assert named.stderr == ""
    gammons = json.loads(named.stdout)["evaluation"]["lose_gammon"]
    assert gammons == pytest.approx(two.evaluate(ending).lose_gammon, abs=1e-6) and gammons > 0.3


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("asked", [("61",), ()])
def test_reasons_are_those_of_the_game_that_is_named(asked: tuple[str, ...], engine: Engine) -> None:
    start = Position.start(TWO)
    refused = CliRunner().invoke(app, ["explain", start.id, *asked])
    assert isinstance(refused.exception, NotationError) and "--variant" in str(refused.exception)
    told = CliRunner().invoke(app, ["explain", start.id, *asked, "--variant", "hypergammon-2", "--plies", "0"]).stdout
    state = State(start, MatchState(variant=TWO))
    best = str(engine.rank(state, "61")[0].play)
    assert (best if asked else f"no double {engine.cube(state).no_double:+.3f}") in told


@pytest.mark.parametrize("command", ["hint", "eval", "cube", "rollout"])
def test_commands_ask_for_the_variant_and_use_it(command: str, two: Hypergammon) -> None:
    start = Position.start(TWO)
    arguments = [command, start.id, *(["--trials", "36"] if command == "rollout" else [])]
    refused = CliRunner().invoke(app, arguments)
    assert isinstance(refused.exception, NotationError) and "--variant" in str(refused.exception)
    answered = CliRunner().invoke(app, [*arguments, "--variant", "hypergammon-2", "--json"])
    assert answered.exit_code == 0
    data = json.loads(answered.stdout)
    chances = data["evaluation"] if command != "rollout" else data["results"][0]["evaluation"]
    assert chances["win"] == pytest.approx(two.evaluate(start).win, abs=0.02 if command == "rollout" else 1e-6)


def test_the_opening_is_told_by_a_command(two: Hypergammon) -> None:
    answered = CliRunner().invoke(app, ["tables", "opening", "hypergammon-2", "--json"])
    assert json.loads(answered.stdout)["opening"]["equity"] == pytest.approx(two.opening().equity, abs=1e-7)
    refused = CliRunner().invoke(app, ["tables", "opening", "two-sided-6x6"])
    assert isinstance(refused.exception, TableError)


def test_protocols_play_hypergammon(two: Hypergammon, engine: Engine) -> None:
    start = Position.start(TWO)
    results = [play.result for play in start.plays("61")]
    values = two.look_up(np.stack([result.board for result in results]))[:, FIELDS.index("centred_jacoby")]
    best = results[int(np.argmin(values))]
    answerer = Answerer(EnginePlayer(engine))
    ubgi = UbgiConversation(answerer)
    for line in ("set game.variant hypergammon-2", f"position gnubgid {start.id}", "dice 6 1"):
        assert ubgi.answer(line) == []
    assert ubgi.answer("get game.variant") == ["value game.variant hypergammon-2"]
    assert ubgi.answer("go role chequer")[1] == f"bestmoveid {best.id}"
    assert ubgi.answer("set game.variant chess")[0].startswith("error unsupported_feature")
    asked = {"position": start.id, "dice": "61", "variant": "hypergammon-2", "plies": 0}
    assert answer_line(engine, json.dumps(asked))["plays"][0]["result"] == best.id
    del asked["variant"]
    assert "--variant" in answer_line(engine, json.dumps(asked))["error"]["message"]
    bei = BeiConversation(answerer, TWO)
    bei.answer("bei")
    board = [0] * 45
    board[24], board[23], board[1], board[2], board[28], board[29], board[39] = 1, 1, -1, -1, 6, 1, 1
    said = json.loads(bei.answer("move " + ",".join(map(str, board))) or "")
    steps = said["Moves"][0]["Play"]
    played = "/".join(map(str, steps[0].values())) + " " + "/".join(map(str, steps[-1].values()))
    assert parse_play(played, start, kibitz.Dice(6, 1)).result == best


def test_a_match_of_hypergammon_is_reviewed_by_the_table(engine: Engine, tmp_path: Path) -> None:
    """Two players who follow the table make no error."""
    from kibitz.play.live_match import LiveMatch
    from kibitz.record import Match

    live = LiveMatch(Match(("a", "b"), 0, variant=TWO), seed=3)
    player = EnginePlayer(engine)
    while live.result is None:
        live.engine_turn(player)
    found = review(live.record, engine=engine, cache=False)
    assert len(found.decisions) > 5
    assert all(abs(one.lost) < 1e-6 for one in found.decisions)
    # A file that does not say what was played is told by whoever reads it.
    file = tmp_path / "silent.mat"
    kibitz.save(live.record, file)
    file.write_text("\n".join(line for line in file.read_text().splitlines() if "Variation" not in line))
    assert kibitz.load(file).warnings
    assert kibitz.load(file, variant="hypergammon-2").games == live.record.games
    command = ["analyze", str(file), "--variant", "hypergammon-2", "--json", "--no-cache"]
    data = json.loads(CliRunner().invoke(app, command).stdout)
    assert [one["lost"] for one in data["decisions"]] == pytest.approx([0.0] * len(found.decisions), abs=1e-6)
    refused = CliRunner().invoke(app, ["analyze", str(file), "--variant", "chess"])
    assert refused.exit_code != 0


def test_a_damaged_table_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    monkeypatch.setattr("kibitz.bearoff.hypergammon._IN_USE", set())
    path = TableName.of("hypergammon-3").path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"KBTZTAB1" + bytes(5000))
    with pytest.raises(TableError, match=r"hypergammon-3\.kbt"):
        Engine(plies=0).evaluate(State(Position.start("hypergammon-3"), MatchState(variant=Variant.HYPERGAMMON_3)))
