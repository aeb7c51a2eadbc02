"""The engine's answers: rankings, cube decisions, levels and questions."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

import kibitz
from kibitz import Cube, Dice, Engine, MatchState, Offer, Owner, Position, State, _core
from kibitz.engine.filters import MoveFilter
from kibitz.engine.levels import LEVELS, Level, noise_of
from kibitz.engine.matrix import cube_matrix, play_matrix
from kibitz.engine.player import EnginePlayer
from kibitz.engine.question import Question, answer, question_of
from kibitz.engine.results import CubeDecision
from kibitz.errors import EngineError
from kibitz.report.analysis import answer_text, cube_matrix_text, play_matrix_text

START = Position.start()
RACE = Position.of({6: 3, 5: 3, 4: 3, 3: 2}, {6: 3, 5: 3, 4: 3, 3: 3, 2: 2})


@pytest.fixture(scope="module")
def engine() -> Engine:
    """Judges by pips and blots alone: fast, and the same whatever nets are shipped."""
    return Engine(evaluator=_core.MockEvaluator(), threads=1)


def test_every_legal_play_is_ranked_once_best_first(engine: Engine) -> None:
    ranked = engine.rank(START, "31", plies=1)
    assert {one.play.result for one in ranked} == {play.result for play in START.plays("31")}
    assert [one.rank for one in ranked] == list(range(1, len(ranked) + 1))
    deep = [one for one in ranked if one.plies == 1]
    assert [one.equity for one in deep] == sorted((one.equity for one in deep), reverse=True)
    assert ranked[0].difference == 0
    assert all(one.difference == pytest.approx(one.equity - ranked[0].equity) for one in ranked)


def test_cubeless_equity_is_that_of_the_probabilities(engine: Engine) -> None:
    for one in engine.rank(START, "52", plies=0, cubeful=False):
        assert one.equity == pytest.approx(one.evaluation.equity, abs=1e-6)
        assert one.equity == pytest.approx(-engine.evaluate(one.play.result).equity, abs=1e-6)


def test_a_match_changes_what_is_ranked_by(engine: Engine) -> None:
    match = MatchState(length=7, my_score=5, their_score=3)
    ranked = engine.rank(START, "31", plies=1, match=match)
    assert all(0 < (one.mwc or 0) < 1 for one in ranked)
    assert engine.rank(START, "31", plies=1)[0].mwc is None


def test_a_named_play_gets_the_deepest_look(engine: Engine) -> None:
    ranked = engine.rank(START, "31", plies=2, filter="0:1:0.0", play="24/23 24/21")
    found = {str(one.play): one.plies for one in ranked}
    assert found["24/23 24/21"] == 2
    with pytest.raises(kibitz.IllegalPlayError):
        engine.rank(START, "31", play="13/7")


def test_no_legal_play_is_an_empty_ranking(engine: Engine) -> None:
    closed = Position.of({25: 1, 6: 2}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2})
    assert engine.rank(closed, "31", plies=2) == []


def test_threads_do_not_change_a_digit(engine: Engine) -> None:
    assert engine.rank(START, "64", plies=2, threads=3) == engine.rank(START, "64", plies=2)
    assert engine.cube(RACE, plies=2, threads=3) == engine.cube(RACE, plies=2)


def test_time_deepens_until_it_is_over(engine: Engine) -> None:
    ranked = engine.rank(START, "31", time=0.5)
    assert 1 <= ranked[0].plies < 7


def test_cancellation_from_another_thread(engine: Engine) -> None:
    cancellation = kibitz.Cancellation()
    threading.Timer(0.1, cancellation.cancel).start()
    start = time.perf_counter()
    ranked = engine.rank(START, "31", plies=6, filter="everything", cancellation=cancellation)
    assert time.perf_counter() - start < 2
    assert ranked[0].plies < 6


def test_ctrl_c_stops_a_search(engine: Engine) -> None:
    import _thread

    threading.Timer(0.2, _thread.interrupt_main).start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        engine.rank(START, "31", plies=6, filter="everything")
    assert time.perf_counter() - start < 2


def test_cubes_of_every_owner_by_one_search(engine: Engine) -> None:
    decisions = engine.cubes(RACE, plies=1)
    assert set(decisions) == set(Owner)
    assert decisions[Owner.MINE].no_double >= decisions[Owner.CENTRED].no_double - 1e-9
    assert decisions[Owner.CENTRED].no_double >= decisions[Owner.THEIRS].no_double - 1e-9
    assert not decisions[Owner.THEIRS].available
    for owner, decision in decisions.items():
        alone = engine.cube(RACE, match=MatchState(cube=Cube(2 if owner is not Owner.CENTRED else 1, owner)), plies=1)
        assert decision.no_double == pytest.approx(alone.no_double, abs=1e-12)


def made(no_double: float, take: float, *, owner: Owner = Owner.CENTRED, beavers: bool = False) -> CubeDecision:
    evaluation = kibitz.Evaluation(0.5, 0, 0, 0, 0)
    return CubeDecision(no_double, take, 1.0, True, owner, evaluation, 0, 0.0, beavers)


@pytest.mark.parametrize(
    ("no_double", "take", "beavers", "action"),
    [
        (0.3, 0.1, False, "no double, take"),
        (0.5, 0.7, False, "double, take"),
        (0.9, 1.2, False, "double, pass"),
        (1.1, 1.3, False, "too good to double, pass"),
        (1.05, 0.95, False, "too good to double, take"),
        (0.7, 0.7, False, "optional double, take"),
        (-0.1, -0.4, True, "no double, beaver"),
        (-0.5, -0.1, True, "double, beaver"),
    ],
)
def test_the_proper_action_in_words(no_double: float, take: float, beavers: bool, action: str) -> None:
    assert made(no_double, take, beavers=beavers).action == action


def test_redoubles_are_called_so_and_errors_are_told() -> None:
    decision = made(0.5, 0.7, owner=Owner.MINE)
    assert decision.action == "redouble, take"
    assert decision.errors == pytest.approx({"no_double": -0.2, "double": 0.0, "take": 0.0, "pass": -0.3})


def test_crawford_and_dead_cubes_are_not_available(engine: Engine) -> None:
    crawford = MatchState(length=5, my_score=4, their_score=2, crawford=True)
    assert engine.cube(START, match=crawford).action == "cube not available"
    dead = MatchState(length=5, my_score=3, their_score=2, cube=Cube(2, Owner.MINE))
    assert not engine.cube(START, match=dead).available


def test_match_decisions_tell_winning_chances(engine: Engine) -> None:
    decision = engine.cube(START, match=MatchState(length=7, my_score=2, their_score=4), plies=1)
    assert decision.mwc is not None
    assert decision.double_pass == pytest.approx(1.0)
    assert decision.mwc["double_pass"] == pytest.approx(engine.met.chance(4, 3))
    points = decision.live_points
    assert points.take_point == pytest.approx(1 - (points.cash_point or 0))


def test_every_state_asks_its_own_question() -> None:
    state = State(START)
    assert question_of(state) is Question.DOUBLE
    assert question_of(replace(state, dice=Dice(3, 1))) is Question.PLAY
    assert question_of(replace(state, offer=Offer.DOUBLE)) is Question.TAKE
    assert question_of(replace(state, offer=Offer.RESIGN_GAMMON)) is Question.RESIGNATION


def test_answers_are_told_in_text_within_80_columns(engine: Engine) -> None:
    match = MatchState(length=7, my_score=2, their_score=4)
    for state in (
        State(START, dice=Dice(3, 1)),
        State(START, match, dice=Dice(6, 6)),
        State(START, match),
        State(START, offer=Offer.DOUBLE),
        State(START, offer=Offer.RESIGN_SINGLE),
    ):
        text = answer_text(answer(engine, state, plies=1))
        assert text
        assert max(map(len, text.splitlines())) <= 80


def test_resignations_are_accepted_when_they_are_enough(engine: Engine) -> None:
    behind, ahead = Position.of({20: 2, 19: 2}, {1: 2}), Position.of({1: 2}, {20: 2, 19: 2})
    for position, offer, accept in (
        (behind, Offer.RESIGN_BACKGAMMON, True),
        (ahead, Offer.RESIGN_SINGLE, True),
        (Position.of({20: 8, 19: 7}, {1: 1}), Offer.RESIGN_SINGLE, False),
    ):
        found = answer(engine, State(position, MatchState(jacoby=False, cube=Cube(2, Owner.THEIRS)), offer=offer))
        assert found.resignation is not None
        assert found.resignation.accept is accept


def test_an_unusual_double_is_still_answered(engine: Engine) -> None:
    """A leader who needs one point gains nothing by doubling; the trailer still has to answer."""
    state = State(START, MatchState(length=5, my_score=4, their_score=1), offer=Offer.DOUBLE)
    found = answer(engine, state).cube
    assert found is not None and found.available and found.take


def test_filters_are_read_from_text() -> None:
    custom = MoveFilter.of("1:3:0.2,skip,0:2:0.04")
    assert [step.skip for step in custom.steps] == [False, True, False]
    with pytest.raises(EngineError, match="tiny, narrow, normal"):
        MoveFilter.of("wide")


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(EngineError, match="plies"):
        Engine(evaluator=_core.MockEvaluator(), plies=9)
    with pytest.raises(EngineError, match="threads"):
        Engine(evaluator=_core.MockEvaluator(), threads=-1)


def test_levels_err_the_same_way_every_time(engine: Engine) -> None:
    beginner = EnginePlayer(engine, Level.of("beginner"), seed=1)
    rolls = ["31", "42", "53", "61", "65", "21", "64"]
    plays = [beginner.play(START, roll) for roll in rolls]
    assert plays == [EnginePlayer(engine, Level.of("beginner"), seed=1).play(START, roll) for roll in rolls]
    assert plays != [EnginePlayer(engine, Level.of("expert")).play(START, roll) for roll in rolls]
    assert plays != [EnginePlayer(engine, Level.of("beginner"), seed=2).play(START, roll) for roll in rolls]
    noises = [noise_of(0, number) for number in range(2000)]
    assert abs(sum(noises) / 2000) < 0.1
    assert abs(sum(noise * noise for noise in noises) / 2000 - 1) < 0.15
    assert [level.noise for level in LEVELS.values()] == sorted(
        (level.noise for level in LEVELS.values()), reverse=True
    )


def test_matrices_cover_all_scores(engine: Engine) -> None:
    cells = cube_matrix(engine, RACE, 4, plies=0)
    assert len(cells) == 16
    assert {cell.code for cell in cells if cell.score.my_away == 1} == {"--"}
    assert max(map(len, cube_matrix_text(cells).splitlines())) <= 84
    plays = play_matrix(engine, START, "31", 3, plies=0)
    assert len(plays) == 9 and play_matrix_text(plays)


def test_exact_bearoffs_decide_by_the_table() -> None:
    """Two checkers on the ace point always bear off: the other side has no turn left."""
    real = Engine(threads=1)
    decision = real.cube(Position.of({1: 2}, {1: 2}), plies=2)
    assert decision.no_double == pytest.approx(1.0)
    assert decision.action in ("double, pass", "optional double, pass")
    close = real.cube(Position.of({6: 1, 1: 1}, {1: 1}), plies=2)
    assert close.double_take == pytest.approx(2 * (2 * close.evaluation.win - 1), abs=1e-6)


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_of_equal_plays_the_one_that_gets_further_is_first(plies: int) -> None:
    """A race that is lost for sure, without a gammon: who bears a checker off has got further."""
    ranked = Engine(threads=1).rank(Position.from_id("nQAAgLn3BQAAAA"), "42", plies=plies)
    best = [entry for entry in ranked if entry.equity == ranked[0].equity]
    assert len(best) > 3
    assert str(best[0].play) == "7/3 2/off"
