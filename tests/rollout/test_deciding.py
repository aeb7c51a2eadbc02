"""Levels of thought: they go on while a decision is open, and only with what may still be the best."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz import Cancellation, Dice, Engine, MatchState, Offer, Position, State, _core, parse
from kibitz.decision import CubeDecision, Evaluation, PlayDecision
from kibitz.engine.levels import LEVELS, Level
from kibitz.engine.settings import SearchSettings
from kibitz.errors import EngineError
from kibitz.rollout.deciding import chunks, decide, mixed, open_plays, share_of_games
from kibitz.rollout.run import prepare
from kibitz.rollout.settings import PRESETS, RolloutSettings

START = Position.start()
TURN = State(START, dice=Dice(6, 2))
NET = SearchSettings(plies=0)
ONE_PLY = Level("one ply", NET, steps=(SearchSettings(plies=1),), sure=0.999)
GAMES = Level("games", NET, steps=("tiny",), sure=0.999)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rollout preset that takes no time."""
    tiny = replace(PRESETS["roller"], name="tiny", trials=288, settings=RolloutSettings(truncate=2))
    monkeypatch.setitem(PRESETS, "tiny", tiny)


@pytest.fixture(scope="module")
def engine() -> Engine:
    """Evaluates by pips and blots alone."""
    return Engine(evaluator=_core.MockEvaluator(), threads=1, plies=0)


def plays(engine: Engine, level: Level | str, state: State = TURN) -> PlayDecision:
    found = decide(engine, state, level)
    assert isinstance(found, PlayDecision)
    return found


def test_every_level_names_presets_that_exist() -> None:
    for level in LEVELS.values():
        assert all(isinstance(step, SearchSettings) or step in PRESETS for step in level.steps)
        assert level.to_dict()["steps"] == [s if isinstance(s, str) else s.to_dict() for s in level.steps]


def test_an_open_decision_gets_a_deeper_look_at_its_open_plays_alone(engine: Engine) -> None:
    before, after = plays(engine, Level("net", NET)), plays(engine, ONE_PLY)
    wanted = {one.play for one in open_plays(before)}
    assert 1 < len(wanted) < len(before)
    assert {one.play for one in after if one.plies == 1} == wanted
    assert {one.play for one in after} == {one.play for one in before}
    deep = engine.rank(TURN, plies=1, filter="everything")
    assert after[0].play == deep[0].play
    assert after[0].equity == deep[0].equity
    assert [one.rank for one in after] == list(range(1, len(after) + 1))
    assert after[0].difference == 0.0


def test_a_clear_decision_gets_no_further_thought(engine: Engine) -> None:
    easy = replace(GAMES, sure=0.5)
    assert plays(engine, easy) == plays(engine, Level("net", NET))


def test_games_count_beside_the_search(engine: Engine) -> None:
    before, after = plays(engine, Level("net", NET)), plays(engine, GAMES)
    assert after[0].level.is_rollout
    assert after[0].standard_error is not None
    rolled = [one for one in after if one.level.is_rollout]
    assert len(rolled) > 1
    everything = prepare(engine, TURN, PRESETS["tiny"].settings, play=[one.play for one in rolled])
    games = {one.play: one for one in everything.extend(288, threads=1).results}
    for one in rolled:
        searched = before.find(one.play)
        assert searched is not None
        low, high = sorted((searched.evaluation.win, games[one.play].evaluation.win))
        if one.level.trials == 288:
            assert low - 1e-9 <= one.evaluation.win <= high + 1e-9


def test_the_digits_depend_on_no_threads() -> None:
    answers = [
        plays(Engine(evaluator=_core.MockEvaluator(), threads=threads, plies=0), GAMES).to_dict() for threads in (1, 2)
    ]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("match", [MatchState(), MatchState(length=5, my_score=1, their_score=3)])
def test_a_cube_decision_lies_between_search_and_games(engine: Engine, match: MatchState) -> None:
    state = State(parse("XGID=-a-BBBB-C----B-a-cbcbb--A-:0:0:1:00:0:0:0:0:10").position, match)
    before = decide(engine, state, Level("net", NET))
    after = decide(engine, state, replace(GAMES, sure=0.9999999))
    assert isinstance(before, CubeDecision)
    assert isinstance(after, CubeDecision)
    assert after.level.trials == 288
    assert after.double_pass == before.double_pass
    held, taken = prepare(engine, state, PRESETS["tiny"].settings).extend(288, threads=1).results
    for mixed_, searched, games in (
        (after.no_double, before.no_double, held.equity),
        (after.double_take, before.double_take, taken.equity),
    ):
        assert min(searched, games) <= mixed_ <= max(searched, games)
    if before.mwc is not None and after.mwc is not None and taken.mwc is not None:
        low, high = sorted((before.mwc.double_take, taken.mwc))
        assert low <= after.mwc.double_take <= high


def test_an_answer_to_a_double_and_a_resignation_are_decided_too(engine: Engine) -> None:
    answer = engine.answer(State(START, offer=Offer.DOUBLE), level=GAMES)
    assert isinstance(answer, CubeDecision)
    assert answer.best == "take"
    assert engine.answer(State(START, offer=Offer.RESIGN_SINGLE), level=GAMES).best.startswith("accept")


def test_a_level_brings_its_own_settings(engine: Engine) -> None:
    with pytest.raises(EngineError, match="a level brings its own"):
        engine.answer(TURN, level="deep", plies=2)
    with pytest.raises(EngineError, match="world-class"):
        engine.answer(TURN, level="deepest")
    with pytest.raises(EngineError, match=r"between 0\.5 and 1"):
        Level("sure", NET, sure=1.0)


def test_a_cancelled_level_answers_with_what_it_has(engine: Engine) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    found = decide(engine, TURN, ONE_PLY, cancellation=cancellation)
    assert isinstance(found, PlayDecision)
    assert found[0].plies == 0


def test_a_narrowed_rollout_is_that_of_its_candidates(engine: Engine) -> None:
    named = [one.play for one in engine.rank(TURN)[:3]]
    both = prepare(engine, TURN, RolloutSettings(truncate=2), play=named).extend(72, threads=1).narrowed([0, 2])
    alone = prepare(engine, TURN, RolloutSettings(truncate=2), play=[named[0], named[2]])
    assert both.extend(144, threads=1).results == alone.extend(144, threads=1).results


def test_mixed_chances_keep_their_order() -> None:
    found = mixed(Evaluation(0.5, 0.2, 0.1, 0.3, 0.2), Evaluation(0.05, 0.3, 0.4, 1.2, -0.1), 0.9)
    assert 0 <= found.win_backgammon <= found.win_gammon <= found.win <= 1
    assert 0 <= found.lose_backgammon <= found.lose_gammon <= found.lose
    assert mixed(Evaluation(0.5, 0.2, 0.1, 0.3, 0.2), found, 0.0) == Evaluation(0.5, 0.2, 0.1, 0.3, 0.2)


def test_the_better_one_counts_more() -> None:
    assert share_of_games(0.006, 0.006, 0.0) == 0.5
    assert share_of_games(0.006, 0.003, 0.0) > 0.5 > share_of_games(0.006, 0.003, 0.01)
    assert chunks(288) == [36, 72, 144, 288]
