"""How sure a decision is: a chance that grows with the lead and with the depth, and is told wherever decisions are."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz import Cube, Engine, MatchState, Offer, Owner, Position, State, _core
from kibitz.decision import AnalysisLevel, CubeDecision, Evaluation, PlayDecision, RankedPlay
from kibitz.engine.confidence import chance_ahead, kind_factor, play_confidence, spread_between
from kibitz.report.decisions import answer_text, confidence_words

START = Position.start()
LEGAL = START.plays("31")


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
