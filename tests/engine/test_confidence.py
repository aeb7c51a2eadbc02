"""How sure a decision is: a chance that grows with the lead and with the depth, and is told wherever decisions are."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz import Cube, Dice, Engine, MatchState, Offer, Owner, Play, Position, State, _core
from kibitz.decision import AnalysisLevel, CubeDecision, Evaluation, PlayDecision, RankedPlay, ResignationDecision
from kibitz.engine.confidence import (
    chance_ahead,
    chance_better,
    chances_better,
    distance,
    kind_factor,
    play_confidence,
    resignation_confidence,
    spread_between,
    with_confidence,
)
from kibitz.report.decisions import answer_text, confidence_words

START = Position.start()
LEGAL = START.plays("31")
EVEN = Evaluation(0.5, 0.1, 0.02, 0.1, 0.02)


@pytest.fixture(scope="module")
def engine() -> Engine:
    """Evaluates by pips and blots alone."""
    return Engine(evaluator=_core.MockEvaluator(), threads=1, plies=0)


def rows(*equities: float, plies: int = 2, apart: float = 0.02) -> list[RankedPlay]:
    """Plays with these equities; the chance to win of each is so far from that of the next."""
    return [
        RankedPlay(play, equity, Evaluation(0.5 - apart * number, 0.1, 0, 0.1, 0), AnalysisLevel.searched(plies))
        for number, (play, equity) in enumerate(zip(LEGAL, equities, strict=False))
    ]


def student(z: float, steps: int = 20_000) -> float:
    """Student's t with four degrees of freedom up to z, summed up plainly."""
    width = z / steps
    total = math.fsum(math.pow(1 + (width * (step + 0.5)) ** 2 / 4, -2.5) for step in range(steps))
    return 0.5 + math.gamma(2.5) / (math.sqrt(4 * math.pi) * math.gamma(2.0)) * total * width


@pytest.mark.parametrize("z", [0.0, 0.3, 1.0, 2.5, 7.0])
def test_the_chance_of_a_lead_is_that_of_students_t(z: float) -> None:
    assert chance_ahead(z * 0.01, 0.01) == pytest.approx(student(z), abs=1e-6)
    assert chance_ahead(-z * 0.01, 0.01) == pytest.approx(1 - student(z), abs=1e-6)


def test_without_any_error_a_lead_is_sure() -> None:
    assert chance_ahead(1e-9, 0.0) == 1.0
    assert chance_ahead(0.0, 0.0) == 0.5


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=8), st.integers(0, 7))
def test_confidence_is_a_chance(behind: list[float], plies: int) -> None:
    ranked = rows(*sorted(behind, reverse=True), plies=plies)
    found = play_confidence(ranked)
    assert found is not None
    assert 0.0 <= found <= 1.0


def test_a_larger_lead_is_surer() -> None:
    chances = [play_confidence(rows(0.1, 0.1 - lead)) for lead in (0.001, 0.005, 0.02, 0.1)]
    assert chances == sorted(chances, key=lambda one: one or 0.0)
    assert chances[-1] is not None
    assert chances[-1] > 0.99


def test_a_deeper_look_is_surer() -> None:
    chances = [play_confidence(rows(0.1, 0.09, plies=plies)) or 0.0 for plies in range(4)]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


def test_a_further_rival_makes_it_less_sure() -> None:
    assert (play_confidence(rows(0.1, 0.09, 0.085)) or 1) < (play_confidence(rows(0.1, 0.09)) or 0)


def test_plays_that_lead_to_the_same_games_are_better_told_apart() -> None:
    near, far = rows(0.1, 0.098, apart=0.001), rows(0.1, 0.098, apart=0.03)
    assert spread_between(near[0], near[1]) < spread_between(far[0], far[1])


def test_of_two_looks_the_shallower_one_counts_and_a_rollout_counts_as_the_other() -> None:
    def spread(one: int | None, other: int | None) -> float:
        best, second = (
            replace(row, level=AnalysisLevel.rolled_out(1296) if plies is None else AnalysisLevel.searched(plies))
            for row, plies in zip(rows(0.1, 0.09), (one, other), strict=True)
        )
        return spread_between(best, second)

    assert spread(2, 0) == spread(0, 2) == spread(None, 0) == spread(0, None) == spread(0, 0)
    assert spread(0, 0) > spread(1, 1) > spread(2, 2) > spread(3, 3) == spread(7, 7) > spread(None, None)


def test_races_are_surer_and_back_games_less_sure() -> None:
    race = Position.of({3: 5, 4: 5, 5: 5}, {3: 5, 4: 5, 5: 5}).plays("31")[0]
    back = Position.of({24: 2, 22: 2, 6: 5, 5: 3, 8: 3}, {6: 5, 8: 5, 4: 3, 13: 2}).plays("31")[0]
    assert kind_factor(race) < kind_factor(LEGAL[0]) < kind_factor(back)


def test_the_luck_that_is_left_in_a_rollout_counts() -> None:
    rolled = [replace(one, level=AnalysisLevel.rolled_out(144), standard_error=0.001) for one in rows(0.1, 0.09)]
    rough = [replace(one, standard_error=0.02) for one in rolled]
    assert (play_confidence(rough) or 1) < (play_confidence(rolled) or 0)


# --- the figures ------------------------------------------------------------------------------------------------------

LOOKS = (0, 1, 2, 3, 7, None)
"""Plies, and None for a rollout."""
PLAY_SPREADS = dict(zip(LOOKS, (0.0178, 0.0109, 0.0061, 0.0045, 0.0045, 0.0025), strict=True))
DOUBLE_SPREADS = dict(zip(LOOKS, (0.040, 0.040, 0.0105, 0.0095, 0.0095, 0.006), strict=True))
TAKE_SPREADS = dict(zip(LOOKS, (0.055, 0.042, 0.028, 0.022, 0.022, 0.012), strict=True))
VALUE_SPREADS = dict(zip(LOOKS, (0.040, 0.035, 0.012, 0.012, 0.012, 0.008), strict=True))


def look(plies: int | None) -> AnalysisLevel:
    return AnalysisLevel.rolled_out(1296) if plies is None else AnalysisLevel.searched(plies)


@pytest.mark.parametrize("plies", LOOKS)
@pytest.mark.parametrize("apart", [0.0, 0.01, 0.049, 0.051, 0.3])
def test_the_spread_of_two_plays_grows_with_their_distance_up_to_a_limit(plies: int | None, apart: float) -> None:
    """The published spread for plays that are 0.05 apart; 0.01 is added, and 0.004 is what nobody knows better."""
    best, other = (
        replace(row, equity=equity, evaluation=EVEN, level=look(plies))
        for row, equity in zip(rows(0.0, 0.0), (apart, 0.0), strict=True)
    )
    part = ((min(apart, 0.05) + 0.01) / 0.05) ** 0.8
    assert spread_between(best, other) == pytest.approx(math.hypot(part * PLAY_SPREADS[plies], 0.004), rel=1e-9)
    doubled = math.hypot(2 * math.hypot(part * PLAY_SPREADS[plies], 0.004), 0.03, 0.04)
    rough = replace(best, standard_error=0.03), replace(other, standard_error=0.04)
    assert spread_between(*rough, factor=2.0) == pytest.approx(doubled, rel=1e-9)


def test_chances_are_as_far_apart_as_they_count() -> None:
    """A win counts two points, every other chance one; several add up as the sides of a box do."""
    names = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
    found = [distance(EVEN, replace(EVEN, **{name: getattr(EVEN, name) + 0.01})) for name in names]
    assert found == pytest.approx([0.02, 0.01, 0.01, 0.01, 0.01])
    assert distance(EVEN, replace(EVEN, win=0.52, lose_gammon=0.13)) == pytest.approx(0.05)


def test_what_is_far_behind_has_no_chance_and_equals_do_not_count() -> None:
    def chance(lead: float, plies: int = 2, factor: float = 1.0) -> float:
        best, other = rows(lead, 0.0)
        return chance_better(best, replace(other, level=look(plies)), factor)

    assert chance(0.26) == 0.0 < chance(0.24)
    assert chance(0.26, factor=1.9) > 0.0 == chance(0.48, factor=1.9)
    assert chance(0.9e-5) == chance(-0.9e-5) == 0.0  # the same
    assert chance(1.1e-5) == pytest.approx(0.5, abs=0.01)
    assert chance(0.9e-5, plies=0) == pytest.approx(0.5, abs=0.01)  # a look of another depth is no proof
    assert chance(-0.1) > 0.99


def test_further_rivals_count_less_and_less() -> None:
    """The likeliest counts in full, the next 0.4 times, the third 0.16 times, in whatever order they stand."""
    ranked = rows(0.1, 0.085, 0.095, 0.09)
    likeliest = sorted((chance_better(ranked[0], other) for other in ranked[1:]), reverse=True)
    expected = math.prod(1 - 0.4**number * chance for number, chance in enumerate(likeliest))
    assert play_confidence(ranked) == pytest.approx(expected, rel=1e-12)


HOME = {6: 5, 5: 4, 4: 2}
OUTSIDE = {13: 5, 8: 5, 3: 5}


@pytest.mark.parametrize(
    ("mine", "theirs", "factor"),
    [
        (HOME | {8: 4}, HOME | {8: 4}, 0.15),  # a race
        (HOME | {8: 2, 19: 2}, OUTSIDE, 1.0),
        (HOME | {8: 1, 19: 3}, OUTSIDE, 1.0),
        (HOME | {19: 4}, OUTSIDE, 1.9),  # the whole home of the other side counts
        (HOME | {18: 4}, OUTSIDE, 1.0),
        (HOME | {24: 3, 25: 1}, OUTSIDE, 1.9),  # and the bar
        (HOME | {8: 4}, {13: 5, 8: 6, 22: 4}, 1.9),  # of either side
        (HOME | {8: 2, 24: 2}, {13: 5, 8: 8, 23: 2}, 1.0),
    ],
)
def test_back_games_are_those_with_four_checkers_back(
    mine: dict[int, int], theirs: dict[int, int], factor: float
) -> None:
    """Given a position before and after a play, the kind of game is told by what the play leaves."""
    before = Position.of(mine, theirs)
    assert kind_factor(Play(before, Dice(2, 1), before.swapped())) == factor
    plays = [replace(row, play=Play(before, Dice(2, 1), before.swapped())) for row in rows(0.1, 0.09)]
    assert chances_better(plays) == [chance_better(plays[0], plays[1], factor)]
    assert chances_better(plays[:1]) == []


@pytest.mark.parametrize("plies", LOOKS)
def test_cubes_and_resignations_have_spreads_of_their_own(plies: int | None) -> None:
    """Doubling is 0.02 better than not doubling here, passing 0.03 better than taking."""
    cube = CubeDecision(State(START), 0.98, 1.03, 1.0, EVEN, look(plies), 0.0)
    found, noisy = with_confidence(cube), with_confidence(replace(cube, standard_error=0.05))
    assert found.double_confidence == pytest.approx(chance_ahead(0.02, DOUBLE_SPREADS[plies]))
    assert found.take_confidence == pytest.approx(chance_ahead(0.03, TAKE_SPREADS[plies]))
    assert noisy.double_confidence == pytest.approx(chance_ahead(0.02, math.hypot(DOUBLE_SPREADS[plies], 0.05)))
    assert noisy.take_confidence == pytest.approx(chance_ahead(0.03, math.hypot(TAKE_SPREADS[plies], 0.05)))
    for accepted in (0.03, -0.03):
        resigned = ResignationDecision(State(START, offer=Offer.RESIGN_SINGLE), accepted, 0.0, look(plies))
        assert resignation_confidence(resigned) == pytest.approx(chance_ahead(0.03, VALUE_SPREADS[plies]))


# --- decisions that carry it ------------------------------------------------------------------------------------------


def test_a_forced_play_and_equal_plays_are_sure() -> None:
    assert play_confidence(rows(0.1)) == 1.0
    assert play_confidence(rows(-1.0, -1.0, -1.0)) == 1.0
    assert play_confidence([]) is None


def test_decisions_carry_it_through_dictionaries(engine: Engine) -> None:
    plays = engine.rank(START, "31")
    assert plays.confidence == play_confidence(plays)
    again = PlayDecision.from_dict(json.loads(json.dumps(plays.to_dict(top=2))))
    assert again.confidence == plays.confidence
    old = plays.to_dict()
    del old["confidence"]  # as written before there was one
    assert PlayDecision.from_dict(old).confidence is None
    cube = engine.cube(START)
    assert cube.confidence == cube.double_confidence
    assert cube.take_confidence is not None
    assert CubeDecision.from_dict(cube.to_dict()) == cube


def test_the_one_who_is_asked_is_told_his_own(engine: Engine) -> None:
    asked = engine.cube(State(START, offer=Offer.DOUBLE))
    assert asked.confidence == asked.take_confidence != asked.double_confidence
    assert asked.to_dict()["confidence"] == asked.take_confidence


def test_without_a_cube_to_turn_nothing_is_sure_or_unsure(engine: Engine) -> None:
    held = engine.cube(START, match=MatchState(cube=Cube(2, Owner.THEIRS)))
    assert held.confidence is None
    assert held.take_confidence is None


def test_every_face_tells_it(engine: Engine) -> None:
    plays, cube = engine.rank(START, "31"), engine.cube(START)
    assert plays.confidence is not None
    assert f"{100 * plays.confidence:.0f} %" in str(plays)
    assert "confidence" in str(cube)
    for decision in (plays, cube):
        assert "Confidence: " in answer_text(decision)
        assert "confidence" in decision._repr_html_()
    assert confidence_words(0.99999) == "over 99.9 %"
    assert confidence_words(0.993) == "99.3 %"
    assert confidence_words(0.87) == "87 %"


def test_a_resignation_has_one_too(engine: Engine) -> None:
    state = kibitz.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    found = engine.resignation(replace(state, offer=Offer.RESIGN_SINGLE))
    assert found.confidence is not None
    assert found.confidence > 0.99
    assert type(found).from_dict(found.to_dict()) == found


def test_a_rollout_has_one(engine: Engine) -> None:
    rolled = engine.rollout(START, "31", top=2, trials=36, truncate=2, threads=1)
    assert rolled.plays.confidence is not None
    assert 0 < rolled.plays.confidence <= 1
