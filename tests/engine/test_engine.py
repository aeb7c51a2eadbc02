"""The engine's answers: rankings, cube decisions, levels and questions."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz import Cube, Dice, Engine, MatchState, Offer, Owner, Position, State, _core
from kibitz.cube import HIGHEST_CUBE
from kibitz.decision import AnalysisLevel, CubeDecision, Evaluation, PlayDecision, ResignationDecision
from kibitz.engine.filters import MoveFilter
from kibitz.engine.levels import LEVELS, noise_of
from kibitz.engine.matrix import MatrixCell, labels, matrix
from kibitz.engine.settings import DEFAULT_PLIES, SearchSettings
from kibitz.errors import EngineError
from kibitz.report.decisions import answer_text, matrix_text

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
        assert one.equity == pytest.approx(-engine.evaluate(one.play.result, plies=0).equity, abs=1e-6)


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
    assert not engine.rank(closed, "31", plies=2)
    assert engine.rank(closed, "31", plies=2).best == "no play"


def test_threads_do_not_change_a_digit(engine: Engine) -> None:
    assert engine.rank(START, "64", plies=2, threads=3) == engine.rank(START, "64", plies=2)
    assert engine.cube(RACE, plies=2, threads=3) == engine.cube(RACE, plies=2)


def test_time_deepens_until_it_is_over(engine: Engine) -> None:
    ranked = engine.rank(START, "31", time=0.5)
    assert 1 <= (ranked[0].plies or 0) < 7


def test_cancellation_from_another_thread(engine: Engine) -> None:
    cancellation = kibitz.Cancellation()
    threading.Timer(0.1, cancellation.cancel).start()
    start = time.perf_counter()
    ranked = engine.rank(START, "31", plies=6, filter="everything", cancellation=cancellation)
    assert time.perf_counter() - start < 2
    assert (ranked[0].plies or 0) < 6


def test_all_searches_of_some_work_end_with_it(engine: Engine) -> None:
    """Given an engine for work that is cancelled, when one question after the other is asked, then none is answered."""
    cancellation = kibitz.Cancellation()
    stopped = engine.stopped_by(cancellation)
    assert stopped.rank(START, "31", plies=1) == engine.rank(START, "31", plies=1)
    cancellation.cancel()
    for ask in (stopped.roll_values, stopped.roll_replies, stopped.cube, stopped.changed(plies=2).cube):
        with pytest.raises(EngineError, match="cancelled"):
            ask(START, plies=2)
    assert engine.cube(START).state.position == START


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell the memory")
def test_any_number_of_noises_takes_the_memory_of_a_few() -> None:
    """Each has a cache of its own, of 32 MB here: forty of them would be more than a gigabyte."""

    def megabytes() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    engine = Engine(plies=0, threads=1)
    before = megabytes()
    answers = [engine.rank(START, "31", noise=0.1, noise_seed=seed)[0].equity for seed in range(40)]
    assert len({engine.rank(START, "31", noise_seed=seed)[0].equity for seed in range(40)}) == 1
    assert megabytes() < before + 300
    assert answers[0] == engine.rank(START, "31", noise=0.1, noise_seed=0)[0].equity
    assert len(set(answers)) > 30


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


def test_crawford_and_dead_cubes_are_not_available(engine: Engine) -> None:
    crawford = MatchState(length=5, my_score=4, their_score=2, crawford=True)
    assert engine.cube(START, match=crawford).action == "cube not available"
    dead = MatchState(length=5, my_score=3, their_score=2, cube=Cube(2, Owner.MINE))
    assert not engine.cube(START, match=dead).available


def test_match_decisions_tell_winning_chances(engine: Engine) -> None:
    decision = engine.cube(START, match=MatchState(length=7, my_score=2, their_score=4), plies=1)
    assert decision.mwc is not None
    assert decision.double_pass == pytest.approx(1.0)
    assert decision.mwc.double_pass == pytest.approx(engine.met.chance(4, 3))
    points = decision.live_points
    assert points.take_point == pytest.approx(1 - (points.cash_point or 0))


def test_answers_are_told_in_text_within_80_columns(engine: Engine) -> None:
    match = MatchState(length=7, my_score=2, their_score=4)
    for state in (
        State(START, dice=Dice(3, 1)),
        State(START, match, dice=Dice(6, 6)),
        State(START, match),
        State(START, offer=Offer.DOUBLE),
        State(START, offer=Offer.RESIGN_SINGLE),
    ):
        text = answer_text(engine.answer(state, plies=1))
        assert text
        assert max(map(len, text.splitlines())) <= 80


def test_resignations_are_accepted_when_they_are_enough(engine: Engine) -> None:
    behind, ahead = Position.of({20: 2, 19: 2}, {1: 2}), Position.of({1: 2}, {20: 2, 19: 2})
    for position, offer, accept in (
        (behind, Offer.RESIGN_BACKGAMMON, True),
        (ahead, Offer.RESIGN_SINGLE, True),
        (Position.of({20: 8, 19: 7}, {1: 1}), Offer.RESIGN_SINGLE, False),
    ):
        state = State(position, MatchState(jacoby=False, cube=Cube(2, Owner.THEIRS)), offer=offer)
        assert engine.resignation(state).accept is accept


def test_an_unusual_double_is_still_answered(engine: Engine) -> None:
    """A leader who needs one point gains nothing by doubling; the trailer still has to answer."""
    state = State(START, MatchState(length=5, my_score=4, their_score=1), offer=Offer.DOUBLE)
    found = engine.cube(state)
    assert found.available and found.take and found.best == "take"
    assert found.mwc is not None and found.mwc.double_take < found.mwc.no_double


def test_filters_are_read_from_text() -> None:
    custom = MoveFilter.of("1:3:0.2,skip,0:2:0.04")
    assert [step.skip for step in custom.steps] == [False, True, False]
    with pytest.raises(EngineError, match="tiny, narrow, normal"):
        MoveFilter.of("wide")
    for steps in ("0:8:nan", "0:8:inf", "0:8:-1", "99999999999999999999:0:0", "0:2147483648:1"):
        with pytest.raises(EngineError, match="a filter keeps 0 to 10000 plays"):
            MoveFilter.of(steps)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(EngineError, match="plies"):
        Engine(evaluator=_core.MockEvaluator(), plies=9)
    with pytest.raises(EngineError, match="threads"):
        Engine(evaluator=_core.MockEvaluator(), threads=-1)


def test_noise_is_normal_and_shrinks_with_the_level() -> None:
    noises = [noise_of(0, number) for number in range(2000)]
    assert abs(sum(noises) / 2000) < 0.1
    assert abs(sum(noise * noise for noise in noises) / 2000 - 1) < 0.15
    assert [level.noise for level in LEVELS.values()] == sorted(
        (level.noise for level in LEVELS.values()), reverse=True
    )


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


# --- one way to ask ---------------------------------------------------------------------------------------------------


def test_settings_of_the_engine_are_the_defaults_of_every_method() -> None:
    """Given an engine that looks one ply deep, every method does, and one that is told otherwise does that."""
    shallow, deep = (Engine(evaluator=_core.MockEvaluator(), threads=1, plies=plies) for plies in (0, 1))
    assert deep.evaluate(START) == shallow.evaluate(START, plies=1) != shallow.evaluate(START)
    assert deep.cube(START) == shallow.cube(START, plies=1) != shallow.cube(START)
    assert deep.rank(START, "31") == shallow.rank(START, "31", plies=1) != shallow.rank(START, "31")
    assert deep.roll_values(START) == shallow.roll_values(START, plies=1) != shallow.roll_values(START)
    assert deep.equity(START) == deep.cube(START).equity
    assert deep.rank(START, "31")[0].plies == 1
    assert deep.cube(START).plies == 1


def test_the_default_depth_is_the_same_everywhere() -> None:
    assert Engine(evaluator=_core.MockEvaluator()).settings.plies == SearchSettings().plies == DEFAULT_PLIES


def test_a_state_brings_its_match_and_its_dice(engine: Engine) -> None:
    match = MatchState(length=7, my_score=5, their_score=3)
    state = State(START, match, dice=Dice(3, 1))
    assert engine.rank(state, plies=0).plays == engine.rank(START, "31", match=match, plies=0).plays
    assert engine.rank(state, plies=0).plays != engine.rank(START, "31", plies=0).plays
    assert engine.rank(state, "42", plies=0).state.dice == Dice(4, 2)
    assert (
        engine.cube(replace(state, dice=None), plies=0).no_double == engine.cube(START, match=match, plies=0).no_double
    )
    assert engine.evaluate(state, plies=0) == engine.evaluate(START, plies=0)
    with pytest.raises(EngineError, match="brings its match"):
        engine.rank(state, match=match)


def test_what_is_no_position_is_refused_in_one_line(engine: Engine) -> None:
    with pytest.raises(EngineError, match="expected a State or a Position, not str"):
        engine.cube("4HPwATDgc/ABMA")  # type: ignore[arg-type]
    with pytest.raises(EngineError, match="expected dice"):
        engine.rank(START)
    with pytest.raises(EngineError, match="no setting depth"):
        engine.rank(START, "31", depth=3)  # type: ignore[call-arg]
    with pytest.raises(EngineError, match="the game is over"):
        engine.answer(State(Position.of({}, {1: 1})))
    with pytest.raises(EngineError, match="the game is over"):
        engine.cube(Position.of({}, {1: 1}))


def test_a_state_gets_the_answer_that_it_asks_for(engine: Engine) -> None:
    played = engine.answer(State(START, dice=Dice(3, 1)), plies=0, play="24/20")
    assert isinstance(played, PlayDecision) and played.plays == engine.rank(START, "31", plies=0, play="24/20").plays
    doubled = engine.answer(State(START), plies=0)
    assert isinstance(doubled, CubeDecision) and doubled.question.value == "double"
    taken = engine.answer(State(START, offer=Offer.DOUBLE), plies=0)
    assert isinstance(taken, CubeDecision) and taken.question.value == "take" and taken.best == "take"
    assert isinstance(engine.answer(State(START, offer=Offer.RESIGN_SINGLE), plies=0), ResignationDecision)


def test_a_beaver_is_answered_by_the_doubler_at_the_cube_before_it(engine: Engine) -> None:
    match = MatchState(beavers=True, cube=Cube(2, Owner.THEIRS))
    found = engine.cube(State(START, match, offer=Offer.BEAVER), plies=0)
    assert found.owner is Owner.CENTRED and found.match.cube.value == 2
    like = engine.cube(START, match=MatchState(beavers=True, cube=Cube(2)), plies=0)
    assert found.double_take == like.double_take


def test_the_plays_of_a_list_have_one_depth(engine: Engine) -> None:
    """A filter alone leaves most plays to the first look: a deeper row may then stand above a better one."""
    match = MatchState(length=5, my_score=2, their_score=3)
    alone = engine.rank(START, "31", match=match, plies=1, filter="tiny")
    assert {one.plies for one in alone[:10]} == {0, 1}
    listed = engine.rank(START, "31", match=match, plies=1, filter="tiny", listed=10)
    assert [one.plies for one in listed[:10]] == [1] * 10
    equities = [one.equity for one in listed[:10]]
    assert equities == sorted(equities, reverse=True)
    assert engine.answer(State(START, match, dice=Dice(3, 1)), plies=1, filter="tiny", listed=10) == listed


def test_at_a_score_the_best_plays_without_the_cube_get_a_second_look(engine: Engine) -> None:
    """Given a filter that leaves one play, the best with a dead cube, at the score and for money, go on beside it."""
    match = MatchState(length=5, my_score=1, their_score=4)
    first = engine.rank(START, "52", match=match, plies=0)
    by_money = max(first, key=lambda one: one.evaluation.equity)
    deep = {one.play for one in engine.rank(START, "52", match=match, plies=1, filter="1:0:0") if one.plies == 1}
    assert {first[0].play, by_money.play} <= deep and len(deep) <= 3
    money = engine.rank(START, "52", plies=1, filter="1:0:0")
    assert [one.plies for one in money].count(1) == 1


def test_a_cube_decision_tells_the_chances_of_each_line() -> None:
    """At 2-away 1-away the trailer plays for the match once the cube is turned: gammons count for nothing then."""
    real = Engine(threads=1, plies=1)
    match = MatchState(length=3, my_score=1, their_score=2)
    position = Position.from_id("4HPwATDgc/ABMA")
    decision = real.cube(position, match=match, lines=True)
    assert real.cube(position, match=match).taken_evaluation is None
    turned = MatchState(length=3, my_score=1, their_score=2, cube=Cube(2, Owner.THEIRS))
    assert decision.taken_evaluation == real.cube(position, match=turned).evaluation
    assert decision.taken_evaluation != decision.evaluation
    shown = replace(decision, taken_evaluation=replace(decision.evaluation, win_gammon=0.01))
    assert "doubled   wins" in answer_text(shown) and "undoubled wins" in answer_text(shown)
    assert "undoubled" not in answer_text(replace(decision, taken_evaluation=decision.evaluation))
    asked = replace(decision, state=replace(decision.state, offer=Offer.DOUBLE))
    answers = {line.split()[0]: line.split()[1] for line in answer_text(asked).splitlines() if line.startswith("  ")}
    assert (answers["take"], answers["pass"]) == (f"{-decision.double_take:+.4f}", f"{-decision.double_pass:+.4f}")
    assert answers["wins"] == f"{100 * (1 - (decision.taken_evaluation or decision.evaluation).win):.1f}"
    assert "of the player who is doubled" in answer_text(asked) and "no double " not in answer_text(asked)
    assert f"wins {answers['wins']} %" in asked._repr_html_()


def test_every_equity_says_what_it_is(engine: Engine) -> None:
    money = engine.cube(START, plies=0)
    assert f"cubeless money equity {money.evaluation.equity:+.4f}" in answer_text(money)
    assert f"without gammons, as Jacoby counts, {money.cubeless:+.4f}" in answer_text(money)
    assert "Jacoby counts" not in answer_text(engine.cube(START, match=MatchState(jacoby=False), plies=0))
    score = engine.cube(START, match=MatchState(length=7), plies=0)
    assert f"cubeless EMG at the score {score.cubeless:+.4f}" in answer_text(score)


# --- resignations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("match", "size", "points"),
    [
        (MatchState(jacoby=True), 2, 1.0),  # by the Jacoby rule a gammon counts once the cube has been turned
        (MatchState(jacoby=True, cube=Cube(2)), 3, 1.0),  # an automatic double turns nothing
        (MatchState(jacoby=True, cube=Cube(2, Owner.THEIRS)), 2, 2.0),
        (MatchState(jacoby=True, cube=Cube(4, Owner.MINE)), 3, 3.0),
        (MatchState(jacoby=False), 2, 2.0),
    ],
)
def test_a_resignation_is_worth_what_the_rules_say(engine: Engine, match: MatchState, size: int, points: float) -> None:
    found = engine.resignation(State(START, match, offer=Offer.resignation(size)), plies=0)
    assert (found.size, found.accepted, found.accepted_mwc) == (size, points, None)
    assert found.played_on == -engine.cube(START, match=match, plies=0).equity


def test_a_resignation_in_a_match_is_worth_its_winning_chance(engine: Engine) -> None:
    match = MatchState(length=7, my_score=2, their_score=4)
    found = engine.resignation(State(START, match, offer=Offer.RESIGN_GAMMON), plies=0)
    assert found.accepted_mwc == pytest.approx(engine.met.chance(1, 5))
    assert found.accepted > 1.0 > found.played_on
    assert found.played_on_mwc == pytest.approx(1 - (engine.cube(START, match=match, plies=0).equity_mwc or 0))
    whole = MatchState(length=3, my_score=1, their_score=1)
    assert engine.resignation(State(START, whole, offer=Offer.RESIGN_GAMMON), plies=0).accepted_mwc == 1.0
    highest = MatchState(length=3, cube=Cube(HIGHEST_CUBE), max_cube=HIGHEST_CUBE)
    assert engine.resignation(State(START, highest, offer=Offer.RESIGN_BACKGAMMON), plies=0).accepted_mwc == 1.0


def test_a_resignation_after_the_roll_looks_at_the_best_play(engine: Engine) -> None:
    state = State(START, dice=Dice(6, 6), offer=Offer.RESIGN_SINGLE)
    found = engine.resignation(state, plies=0)
    assert found.played_on == -engine.rank(START, "66", plies=0)[0].equity
    match = replace(state, match=MatchState(length=7, my_score=2, their_score=4))
    in_match = engine.resignation(match, plies=1, filter="1:0:0")
    best, second, *_ = engine.rank(replace(match, offer=Offer.NONE), plies=1, filter="1:0:0")
    assert (best.plies, second.mwc == best.mwc) == (1, False)
    assert (in_match.played_on, in_match.level) == (-best.equity, best.level)
    assert in_match.played_on_mwc == pytest.approx(1 - (best.mwc or 0))
    with pytest.raises(EngineError, match="nobody resigns"):
        engine.resignation(State(START))


# --- score matrices ---------------------------------------------------------------------------------------------------


def test_matrices_cover_all_scores_with_crawford_apart(engine: Engine) -> None:
    cells = matrix(engine, State(RACE), 4, plies=0)
    assert len(cells) == 4 * 4 + 2 * 3  # every score, and the Crawford game where one side alone needs one point
    assert {(cell.row, cell.column) for cell in cells if cell.match.crawford} == {
        *(("C", str(away)) for away in (2, 3, 4)),
        *((str(away), "C") for away in (2, 3, 4)),
    }
    assert {cell.code for cell in cells if cell.row in ("C", "PC")} == {"--"}
    for cell in cells:
        assert cell.decision.to_dict() == engine.answer(cell.decision.state, plies=0).to_dict()
    text = matrix_text(cells).splitlines()
    assert max(map(len, text)) <= 80
    assert text[3].split() == ["C", "PC", "2", "3", "4"]
    assert text[6].split()[0] == "2" and text[6].split()[1] == "--"


def test_a_matrix_of_plays_has_a_letter_for_each(engine: Engine) -> None:
    cells = matrix(engine, State(START, dice=Dice(3, 1)), 3, plies=0)
    assert len(cells) == 9 + 4
    best = engine.rank(START, "31", match=MatchState(length=3), plies=0).best
    assert next(cell.code for cell in cells if (cell.row, cell.column) == ("3", "3")) == best
    assert f"A  {max({cell.code for cell in cells}, key=[cell.code for cell in cells].count)}" in matrix_text(cells)
    with pytest.raises(EngineError, match="1 to 25"):
        matrix(engine, State(START), 26)


@pytest.mark.parametrize(
    ("no_double", "take", "available", "code"),
    [
        (0.3, 0.1, True, "ND"),
        (0.5, 0.7, True, "DT"),
        (0.9, 1.2, True, "DP"),
        (1.1, 1.3, True, "TG"),
        (0.7, 0.7, True, "OT"),
        (1.0, 1.3, True, "OP"),
        (0.5, 0.7, False, "--"),
    ],
)
def test_a_cell_tells_its_decision_in_two_letters(no_double: float, take: float, available: bool, code: str) -> None:
    state = State(START, MatchState(length=5, my_score=1, their_score=2))
    level, chances = AnalysisLevel.searched(0), Evaluation(0.5, 0.1, 0, 0.1, 0)
    decision = CubeDecision(state, no_double, take, 1.0, chances, level, 0.0, available=available)
    cell = MatrixCell(decision)
    assert (cell.row, cell.column, cell.code, str(cell)) == ("4", "3", code, f"4 to 3 away: {code}")
    assert cell._repr_html_().startswith(f"<p>4 to 3 away: {code}</p>")
    assert cell.to_dict() == {
        "my_away": 4,
        "their_away": 3,
        "crawford": False,
        "post_crawford": False,
        "code": code,
        "decision": decision.to_dict(),
    }


def test_the_scores_of_a_matrix_are_matches_of_their_own(engine: Engine) -> None:
    """Given a cube of two in a match, every cell has it but for the Crawford games, and as little else as it needs."""
    match = MatchState(length=9, my_score=4, their_score=2, cube=Cube(2, Owner.MINE), max_cube=64)
    cells = matrix(engine, State(START, match, dice=Dice(3, 1), offer=Offer.RESIGN_SINGLE), 2, plies=0)
    turned, plain = Cube(2, Owner.MINE), Cube()
    assert [cell.match for cell in cells] == [
        MatchState(length=length, my_score=mine, their_score=theirs, cube=cube, crawford=crawford, max_cube=64)
        for length, mine, theirs, cube, crawford in (
            (1, 0, 0, turned, False),
            (2, 1, 0, plain, True),
            (2, 1, 0, turned, False),
            (2, 0, 1, plain, True),
            (2, 0, 1, turned, False),
            (2, 0, 0, turned, False),
        )
    ]
    assert {cell.decision.state.offer for cell in cells} == {Offer.NONE}
    assert [(cell.row, cell.column) for cell in cells] == [
        ("PC", "PC"),
        ("C", "2"),
        ("PC", "2"),
        ("2", "C"),
        ("2", "PC"),
        ("2", "2"),
    ]
    assert [len(cells[0].to_dict(**top)["decision"]["plays"]) for top in ({}, {"top": 2})] == [3, 2]
    assert [cell.to_dict()["post_crawford"] for cell in cells[:3]] == [True, False, True]
    assert labels(3) == ["C", "PC", "2", "3"] and labels(1) == ["C", "PC"]
    assert len(matrix(engine, State(START, dice=Dice(3, 1)), 1, plies=0)) == 1
    with pytest.raises(EngineError, match="1 to 25 points away, not 0"):
        matrix(engine, State(START), 0)


def test_a_matrix_that_is_cancelled_is_none(engine: Engine) -> None:
    cancellation = kibitz.Cancellation()
    asked = State(START, dice=Dice(3, 1))
    assert len(matrix(engine, asked, 1, cancellation=cancellation, plies=0)) == 1
    cancellation.cancel()
    with pytest.raises(EngineError, match="the matrix was cancelled"):
        matrix(engine, asked, 1, cancellation=cancellation, plies=0)


# --- many boards ------------------------------------------------------------------------------------------------------


def test_boards_have_one_shape_and_fifteen_checkers_a_side(engine: Engine) -> None:
    both = np.stack([START.board, RACE.board])
    found = engine.evaluate_batch(both)
    assert found.shape == (2, 5) and found.dtype == np.float32
    for outputs, position in zip(found, (START, RACE), strict=True):
        assert engine.evaluate(position, plies=0) == Evaluation.of(outputs.tolist())
    assert engine.evaluate_batch(both[:0]).shape == (0, 5)
    for wrong in (both[0], both[:, :, :24], both[:, :1]):
        with pytest.raises(EngineError, match=r"boards have the shape \(n, 2, 25\), not"):
            engine.evaluate_batch(wrong)
    more = both.copy()
    more[1, 1, 0] += 15 - more[1, 1].sum() + 1
    with pytest.raises(EngineError, match="more than 15 checkers on one side"):
        engine.evaluate_batch(more)


def test_the_replies_to_all_rolls_are_the_best_plays(engine: Engine) -> None:
    """Given nets of plain pips, the reply to a roll is the best play of its ranking, worth what that says."""
    replies = engine.roll_replies(START, plies=0)
    values = engine.roll_values(START, plies=0)
    assert [reply.dice for reply in replies] == list(kibitz.ALL_ROLLS)
    for reply, value in zip(replies, values, strict=True):
        best = engine.rank(START, reply.dice, plies=0)[0]
        assert reply.result == best.play.result and reply.held == pytest.approx(best.equity, abs=1e-5)
        assert reply.held == pytest.approx(value, abs=1e-6)
        assert tuple(reply.evaluation) == pytest.approx(tuple(best.evaluation), abs=1e-6)
        assert str(reply).startswith(f"{reply.dice}: to {reply.result.id}, held {reply.held:+.4f} (wins ")
        assert reply._repr_html_().startswith(f"<p>{reply.dice}: to {reply.result.id}, held {reply.held:+.4f}</p>")
