"""The ten factors against their document, and the native sums against the functions."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from kibitz import Dice, Position
from kibitz.dice import DiceLike
from kibitz.errors import IllegalPlayError
from kibitz.heuristics import TenFactor, TenFactorPlay, TenFactorSettings
from kibitz.heuristics.ten_factor import TITLES, high_roll_bonus, raw_factors, weighted_blot_risk
from kibitz.move import Play
from kibitz.notation import parse_play
from kibitz.testing import dice, positions, reachable_positions

from . import heuristics_reference as reference


def judged(position: Position, dice: str, play: str) -> TenFactorPlay:
    plays = {str(entry.play): entry for entry in TenFactor().rank(position, dice)}
    assert play in plays, list(plays)
    return plays[play]


def contribution(position: Position, dice: str, play: str, factor: str) -> float:
    return judged(position, dice, play)[factor].contribution


START = Position.start()


def test_the_weights_add_up_to_what_the_document_says() -> None:
    assert sum(map(abs, TenFactorSettings().weights())) == pytest.approx(1.87)
    assert list(TITLES) == TenFactorSettings.names()


def test_hitting_one_blot() -> None:
    position = Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5})
    assert contribution(position, "31", "8/5* 6/5", "hits") == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("mine", "dice", "play", "expected"),
    [
        ({8: 3, 6: 5}, "31", "8/5 6/5", 0.6),  # golden point
        ({13: 5, 8: 3}, "61", "13/7 8/7", 0.375),  # bar point
        ({8: 3, 6: 5}, "53", "8/3 6/3", 0.375),
        ({13: 5, 15: 3}, "31", "15/12 13/12", 0.33),  # any other
    ],
)
def test_points_made(mine: dict[int, int], dice: str, play: str, expected: float) -> None:
    position = Position.of(mine, {1: 2})
    assert contribution(position, dice, play, "points") == pytest.approx(expected)


def test_a_gain_of_seven_pips() -> None:
    assert contribution(START, "43", "13/10 13/9", "pips") == pytest.approx(1.4)


def test_six_checkers_in_the_home_board() -> None:
    assert contribution(START, "31", "8/5 6/5", "home") == pytest.approx(0.6)


def test_a_prime_of_two_points() -> None:
    assert contribution(START, "31", "8/5 6/5", "prime") == pytest.approx(0.3)


def test_builders_on_all_four_points() -> None:
    position = Position.of({12: 1, 11: 1, 10: 1, 9: 1, 6: 5}, {1: 2})
    assert contribution(position, "41", "12/8 6/5", "builders") == pytest.approx(1.225)


def test_builders_that_are_stacked_count_less() -> None:
    position = Position.of({13: 2, 9: 1, 8: 2, 6: 5}, {1: 2})
    assert judged(position, "41", "13/9 6/5")["builders"].raw == 0.5
    assert judged(position, "41", "9/5 6/5")["builders"].raw == 0.0


@pytest.mark.parametrize(("stack", "expected"), [(3, 0.0), (5, -0.0064), (8, -0.016)])
def test_the_stack_penalty_by_its_meaning(stack: int, expected: float) -> None:
    position = Position.of({24: 2, 4: stack}, {13: 2})
    assert contribution(position, "21", "24/23 24/22", "stack") == pytest.approx(expected)


def test_three_opponent_blots() -> None:
    position = Position.of({13: 5, 8: 3, 6: 5}, {1: 1, 2: 1, 3: 1, 24: 2})
    assert contribution(position, "31", "8/5 6/5", "opponent_blots") == pytest.approx(0.24)


def test_a_gain_of_eight_pips() -> None:
    assert contribution(START, "62", "13/5", "high_roll") == pytest.approx(0.0036)


def test_a_deep_run() -> None:
    assert contribution(START, "62", "24/16", "high_roll") == pytest.approx(0.0054)
    assert contribution(START, "62", "24/18 13/11", "high_roll") == pytest.approx(0.0054)
    assert contribution(START, "62", "24/22 13/7", "high_roll") == pytest.approx(0.0036)


def test_blot_risk_is_chance_times_cost() -> None:
    """Given one blot on the 5 point, four away from those who can hit it: 15 shots, 20 pips lost."""
    entry = judged(Position.of({8: 1, 12: 2}, {24: 2, 6: 5}), "21", "8/5")
    assert entry["blots"].raw == pytest.approx(15 / 36 * 20 / 24)


def test_the_documents_own_example_as_the_definitions_have_it() -> None:
    """13/10 13/9 makes no point and leaves blots, whatever the document's table says."""
    entry = judged(START, "43", "13/10 13/9")
    raw = {factor.name: factor.raw for factor in entry.factors}
    assert raw["points"] == 0
    assert raw["hits"] == 0
    assert raw["pips"] == 7
    assert raw["home"] == 5
    assert raw["prime"] == 1
    assert raw["builders"] == 2.0
    assert raw["stack"] == pytest.approx(0.08)
    assert raw["high_roll"] == pytest.approx(0.04)
    risk = 1 - (1 - 6 / 36 * 16 / 24) * (1 - 5 / 36 * 15 / 24)
    assert reference.shots_on(entry.play.result.rows) == {9: 6, 10: 5}
    assert raw["blots"] == pytest.approx(risk)
    assert entry.score == pytest.approx(sum(factor.contribution for factor in entry.factors), abs=1e-12)


# --- the native sums against the ten functions --------------------------------------------------------------------


def check(position: Position, dice: DiceLike, rng: random.Random) -> int:
    """Every factor of some plays of a roll, and the sum of all ten."""
    weights = TenFactorSettings().weights()
    plays = TenFactor().rank(position, dice)
    for entry in rng.sample(plays, min(4, len(plays))):
        raw = raw_factors(entry.play)
        found = {factor.name: factor.raw for factor in entry.factors}
        assert found == pytest.approx(raw, abs=1e-9), (position.id, str(entry.play))
        total = sum(value * weight for value, weight in zip(raw.values(), weights, strict=True))
        assert entry.score == pytest.approx(total, abs=1e-9)
    scores = [entry.score for entry in plays]
    assert scores == sorted(scores, reverse=True)
    assert [entry.rank for entry in plays] == list(range(1, len(plays) + 1))
    return len(plays)


@settings(max_examples=2000)
@given(positions(playable=True), dice())
def test_the_native_sums_are_those_of_the_functions_in_any_position(position: Position, roll: Dice) -> None:
    check(position, roll, random.Random(1))


@settings(max_examples=1000)
@given(reachable_positions(), dice())
def test_the_native_sums_are_those_of_the_functions_in_games(position: Position, roll: Dice) -> None:
    check(position, roll, random.Random(2))


def test_the_native_sums_are_those_of_the_functions_in_odd_positions() -> None:
    rng = random.Random(2)
    assert sum(check(one, rng.choice(reference.ROLLS), rng) for one in reference.odd_positions(1200, seed=12)) > 5000


def test_deep_runs_agree_with_the_notation() -> None:
    """Positions with checkers on the 24 point and near it, high rolls."""
    rng = random.Random(3)
    for _ in range(300):
        mine = {rng.randint(8, 23): rng.randint(1, 3) for _ in range(4)} | {24: rng.randint(1, 3)}
        position = Position.of(mine, {25: 1})
        check(position, rng.choice([(2, 2), (3, 3), (4, 4), (6, 2), (5, 3), (6, 5), (5, 5), (6, 6)]), rng)


@settings(max_examples=500)
@given(positions(playable=True))
def test_blot_risk_agrees_with_shots_counted_plainly(position: Position) -> None:
    safe = 1.0
    for point, rolls in reference.shots_on(position.swapped().rows).items():
        safe *= 1 - rolls / 36 * (25 - point) / 24
    assert weighted_blot_risk(position) == pytest.approx(1 - safe, abs=1e-12)


def test_a_deep_run_does_not_depend_on_how_the_play_was_told() -> None:
    for text in ("24/16", "24/18/16", "24/22/16"):
        assert high_roll_bonus(parse_play(text, START, "62")) == pytest.approx(0.09)
    assert high_roll_bonus(parse_play("24/22 24/18", START, "62")) == pytest.approx(0.09)
    assert high_roll_bonus(parse_play("24/22 13/7", START, "62")) == pytest.approx(0.06)


# --- one play -----------------------------------------------------------------------------------------------------


def test_a_single_play_is_what_the_ranking_says_of_it() -> None:
    for entry in TenFactor().rank(START, "31"):
        alone = TenFactor().analyze_play(entry.play)
        assert alone == entry
    heavy = TenFactor(TenFactorSettings(builders=10.0))
    assert heavy.analyze_play(parse_play("8/5 6/5", START, "31")).rank > 1


def test_a_play_of_another_roll_is_refused() -> None:
    play = parse_play("8/5 6/5", START, "31")
    with pytest.raises(IllegalPlayError, match="not among the legal plays of 62"):
        TenFactor().analyze_play(Play(START, Dice(6, 2), play.result))
