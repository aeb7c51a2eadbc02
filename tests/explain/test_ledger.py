"""The ledger sums to the difference that it explains, and so do outcomes and counterfactual boards."""

from __future__ import annotations

import random

import pytest

from kibitz import ALL_ROLLS, Cube, MatchState, Owner, Position, shots
from kibitz.decision import RankedPlay
from kibitz.engine.engine import Engine
from kibitz.explain.facts import turn_facts
from kibitz.explain.fragments import anatomy, board_after
from kibitz.explain.ledger import CubeReply, Ledger, RollClass, account
from kibitz.explain.outcomes import outcomes_of
from kibitz.state import State
from tests.explain.plain_facts import positions_of_play

MATCHES = (
    MatchState(),
    MatchState(cube=Cube(2, Owner.MINE)),
    MatchState(cube=Cube(2, Owner.THEIRS), beavers=True),
    MatchState(jacoby=False, beavers=True),
    MatchState(7, 2, 4),
    MatchState(5, 4, 3, crawford=True),
    MatchState(3, 0, 2, Cube(1)),
    MatchState(9, 3, 5, Cube(2, Owner.MINE)),
)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(threads=1)


def pairs(engine: Engine, count: int, plies: int, seed: int) -> list[tuple[State, RankedPlay, RankedPlay]]:
    """Pairs of plays that a search of this depth has judged, at different scores."""
    random_ = random.Random(seed)
    found: list[tuple[State, RankedPlay, RankedPlay]] = []
    while len(found) < count:
        for position in positions_of_play(200, seed=random_.randrange(1 << 30)):
            state = State(position, random_.choice(MATCHES), random_.choice(ALL_ROLLS))
            ranked = engine.rank(state, plies=plies, filter="large")
            deep = [entry for entry in ranked if entry.plies == plies]
            if len(deep) > 1:
                one, other = random_.sample(deep, 2)
                found.append((state, one, other))
    return found[:count]


def check_sums(engine: Engine, count: int, seed: int) -> None:
    for state, one, other in pairs(engine, count, 1, seed):
        ledger = Ledger(*(account(engine, entry.play.result, state.match, 1) for entry in (one, other)))
        assert ledger.difference == pytest.approx(one.equity - other.equity, abs=1e-6)
        classes = ledger.classes()
        assert sum(share.contribution for share in classes.values()) == pytest.approx(ledger.difference, abs=1e-9)
        assert sum(share.count for share in classes.values()) == 36


def test_the_ledger_sums_to_the_difference_of_the_search() -> None:
    check_sums(Engine(threads=1), 300, seed=1)


@pytest.mark.slow
def test_the_ledger_sums_to_the_difference_on_10_000_pairs() -> None:
    check_sums(Engine(threads=1), 10_000, seed=2)


def test_the_ledger_sums_at_two_plies_too(engine: Engine) -> None:
    for state, one, other in pairs(engine, 40, 2, seed=3):
        ledger = Ledger(*(account(engine, entry.play.result, state.match, 2) for entry in (one, other)))
        assert ledger.difference == pytest.approx(one.equity - other.equity, abs=1e-6)


def test_outcomes_and_counterfactual_boards_sum_to_the_same_difference(engine: Engine) -> None:
    for state, one, other in pairs(engine, 100, 1, seed=4):
        ledger = Ledger(*(account(engine, entry.play.result, state.match, 1) for entry in (one, other)))
        outcomes = outcomes_of(engine, ledger, state.match)
        assert outcomes.difference == pytest.approx(ledger.difference, abs=1e-9)
        parts = anatomy(engine, one.play, other.play, state.match, 1)
        gains = sum(part.gain for part in parts.first) - sum(part.gain for part in parts.second)
        assert gains == pytest.approx(ledger.difference, abs=1e-9)
        for entry, fragments in ((one, parts.first), (other, parts.second)):
            moves = [*parts.common, *(move for fragment in fragments for move in fragment.moves)]
            assert board_after(state.position, moves) == entry.play.result


def test_each_roll_holds_the_reply_and_its_equity(engine: Engine) -> None:
    after = Position.start().play("13/11 6/5", "21")
    found = account(engine, after, MatchState(), 1)
    for entry in found.rolls:
        assert entry.result in [play.result for play in after.plays(entry.dice)]
        assert entry.turn == turn_facts(after, entry.result)
    # Nearly every four hits the slot on the 5 point; nothing but a shot hits.
    fours = [entry.turn.hit for entry in found.rolls if 4 in entry.dice]
    assert fours.count((20,)) >= 4
    assert {entry.dice for entry in found.rolls if entry.turn.hits} <= set(shots(after).rolls)


def test_a_position_that_is_cashed_is_worth_the_same_with_every_roll(engine: Engine) -> None:
    # Given: two rolls each, and the opponent, who is on roll, loses only if we roll a double and he does not.
    after = Position.of({1: 4}, {1: 4})
    found = account(engine, after, MatchState(), 1)
    assert found.cube is CubeReply.PASSED
    assert {entry.equity for entry in found.rolls} == {-1.0}
    assert account(engine, after, MatchState(), 1, hold=True).cube is CubeReply.HOLD


def test_a_game_that_is_won_needs_no_rolls(engine: Engine) -> None:
    found = account(engine, Position.of({6: 15}, {}), MatchState(cube=Cube(2, Owner.MINE)), 2)
    assert found.equity == pytest.approx(2.0)


def test_random_rolls_carry_what_the_null_says(engine: Engine) -> None:
    """The mean and the spread of a share beside those of many random draws of as many of the 36 rolls."""
    start = Position.start()
    plays = [start.play("8/5 6/5", "31"), start.play("24/23 13/10", "31")]
    ledger = Ledger(*(account(engine, after, MatchState(), 1) for after in plays))
    hitting = [row.dice for row in ledger.rows if row.roll_class is RollClass.HIT_SECOND]
    share = ledger.share(hitting)
    tickets = [row.difference / 36 for row in ledger.rows for _ in range(row.dice.weight)]
    random_ = random.Random(5)
    draws = [sum(random_.sample(tickets, share.count)) for _ in range(20_000)]
    mean = sum(draws) / len(draws)
    spread = (sum((draw - mean) ** 2 for draw in draws) / len(draws)) ** 0.5
    assert mean == pytest.approx(share.by_chance, abs=4 * spread / len(draws) ** 0.5)
    assert spread == pytest.approx(share.spread, rel=0.03)
