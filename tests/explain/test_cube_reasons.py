"""The figures of cube explanations: sequences, windows, gammon prices and the rules that players know."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import kibitz
from kibitz import Cube, MatchState, Owner, Position
from kibitz.decision import CubeAction
from kibitz.engine.engine import Engine
from kibitz.explain import CubeExplanation, explain_cube, explain_decision
from kibitz.explain.cube import gammon_prices
from kibitz.explain.references import WOOLSEY
from kibitz.explain.sequences import SEQUENCES, swing
from kibitz.state import Offer, State

RACE = Position.of({6: 5, 5: 4, 4: 3, 3: 2, 2: 1}, {6: 5, 5: 5, 4: 4, 3: 1})


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(threads=1, plies=1)


def cube_of(engine: Engine, position: Position, match: MatchState, chosen: str | None = None) -> CubeExplanation:
    return explain_cube(engine, engine.cube(State(position, match)), chosen)


def test_sequences_count_all_and_their_parts_make_the_difference_of_doubling(engine: Engine) -> None:
    for position, match in (
        (Position.start(), MatchState()),
        (Position.from_id("4HPhASLgc8MBAw"), MatchState()),
        (Position.from_id("4G07AFBsWyMCBQ"), MatchState(cube=Cube(2, Owner.MINE))),
        (Position.from_id("27YFAAaau20AAA"), MatchState(5)),
    ):
        found = swing(engine, position, match)
        assert sum(one.weight for one in found.sequences) == SEQUENCES
        doubled = sum(one.weight * one.doubled for one in found.sequences) / SEQUENCES
        assert found.lost_market - found.saved == pytest.approx(doubled - found.mean, abs=1e-9)


def test_what_waiting_loses_and_saves_agrees_with_the_equities(engine: Engine) -> None:
    """Two rolls ahead by the net is what a search of two plies sees, up to the replies that it looks at."""
    for pid in ("4HPhASLgc8MBAw", "4PPIATCGb4MBJA", "0HPwAQbgc8MFIA"):
        state = State(Position.from_id(pid))
        decision = engine.cube(state, plies=2)
        found = swing(engine, state.position, state.match)
        assert found.lost_market - found.saved == pytest.approx(decision.double_take - decision.no_double, abs=0.02)


def test_two_rolls_ahead_the_opponent_turns_a_cube_that_he_may_turn(engine: Engine) -> None:
    """At 2-away against 6-away a taker redoubles at once: doubling costs what the search says it costs."""
    for pid in ("4HPhASLgc8MBAw", "4PPIATCGb4MBJA"):
        state = State(Position.from_id(pid), MatchState(7, 5, 1))
        decision = engine.cube(state, plies=2)
        found = swing(engine, state.position, state.match)
        gained = found.lost_market - found.saved
        assert gained == pytest.approx(decision.double_take - decision.no_double, abs=0.05)
        assert gained < -0.1


def test_where_the_opponent_passes_no_loss_of_market_is_told(engine: Engine) -> None:
    # Given: two checkers each on the ace point, and we roll first.
    explanation = cube_of(engine, Position.of({1: 2}, {1: 2}), MatchState())
    assert not explanation.decision.take
    assert "the opponent has to pass" in explanation.words.lower()
    assert "if you wait" not in explanation.words


def test_woolseys_law_says_nothing_to_the_taker(engine: Engine) -> None:
    decision = next(
        found
        for lead in range(1, 17)
        if abs((found := engine.cube(State(race(lead)))).double_take - 1.0) < 0.1 and found.available
    )
    doubler, taker = explain_cube(engine, decision, "double"), explain_cube(engine, decision, "take")
    assert WOOLSEY in [one.name for one in doubler.references]
    assert WOOLSEY in doubler.words
    assert WOOLSEY not in taker.words


def race(lead: int) -> Position:
    """A race in which we lead by some pips."""
    theirs = [8, 8 + lead // 2, 8 + lead - lead // 2, *[6] * 5, *[5] * 4, *[4] * 3]
    return Position.of({8: 3, 6: 5, 5: 4, 4: 3}, Counter(theirs))


def test_a_gammon_is_worth_half_for_money_and_nothing_to_who_needs_no_more(engine: Engine) -> None:
    assert gammon_prices(engine, MatchState()) == pytest.approx((0.5, 0.5))
    mine, theirs = gammon_prices(engine, MatchState(5, 3, 3))
    assert (mine, theirs) == pytest.approx((0.0, 0.0), abs=1e-9)  # a doubled cube of 2 wins the match for either side


def test_race_rules_and_woolseys_law_apply_where_they_should(engine: Engine) -> None:
    names = [one.name for one in cube_of(engine, RACE, MatchState()).references]
    assert names[:3] == ["8-9-12", "Keith", "Trice"]
    contact = cube_of(engine, Position.start(), MatchState())
    assert not contact.references
    assert not [one for one in cube_of(engine, RACE, MatchState(7)).references if one.name == "Trice"]


def test_the_error_of_the_chosen_action_is_told(engine: Engine) -> None:
    explanation = cube_of(engine, Position.start(), MatchState(), "double")
    decision = explanation.decision
    assert explanation.best is CubeAction.NO_DOUBLE
    assert explanation.error == pytest.approx(decision.no_double - decision.doubled)
    assert f"{explanation.error:.3f}" in explanation.words
    assert f"{decision.no_double:+.3f}" in explanation.words


def test_a_take_is_explained_from_the_takers_side(engine: Engine) -> None:
    state = State(Position.from_id("4PPgAUJhr4MBMA"), offer=Offer.DOUBLE)
    explanation = explain_decision(engine, engine.answer(state), "take")
    assert isinstance(explanation, CubeExplanation)
    need = explanation.decision.points.take_point
    assert need is not None
    assert f"{100 * need:.1f} %" in explanation.words
    assert "market" not in explanation.words


def test_a_cube_that_is_not_available_is_said_to_be_so(engine: Engine) -> None:
    explanation = cube_of(engine, Position.start(), MatchState(cube=Cube(2, Owner.THEIRS)))
    assert explanation.words == "The cube is not available."


def test_everything_is_plain_data(engine: Engine) -> None:
    explanation = kibitz.explain("4HPwATDgc/ABMA", engine=engine)
    assert json.loads(json.dumps(explanation.to_dict()))["swing"]["of"] == SEQUENCES
