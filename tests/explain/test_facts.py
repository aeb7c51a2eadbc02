"""Facts equal a slow and plain count of the same thing."""

from __future__ import annotations

import random

import pytest

from kibitz import Position
from kibitz.explain.facts import facts_of, next_roll, turn_facts
from kibitz.explain.standing import standing
from tests.explain.plain_facts import (
    Generator,
    by_the_package,
    by_the_rule_book,
    plain_mean_turns,
    plain_next_roll,
    plain_shots,
    plain_standing,
    positions_of_play,
)
from tests.reference import rules


def check_standing(position: Position) -> None:
    mine, theirs = rules.from_rows(position.mine, position.theirs)
    for row, other, one, another in (
        (position.mine, position.theirs, mine, theirs),
        (position.theirs, position.mine, theirs, mine),
    ):
        found = standing(row, other)
        expected = plain_standing(one, another)
        assert {name: getattr(found, name) for name in expected} == expected
        contact = max(one, default=0) + max(another, default=0) > 25
        assert (found.effective_pips is None) == (contact or max(one, default=0) > 6)
        assert {*expected, "effective_pips"} == set(found.__slots__)


def check_rolls(position: Position, generate: Generator) -> None:
    board = rules.from_rows(position.mine, position.theirs)
    found = facts_of(position)
    assert (found.shots.count, found.double_shots) == plain_shots(board, generate)
    expected = plain_next_roll(board, generate)
    assert {name: getattr(next_roll(position), name) for name in expected} == expected
    assert next_roll(position.swapped()) == found.next_roll


def test_how_a_side_stands_equals_a_plain_count_on_10_000_positions() -> None:
    for position in positions_of_play(10_000, seed=1):
        check_standing(position)


def check_effective_pips(count: int, most: int, seed: int) -> None:
    random_ = random.Random(seed)
    for _ in range(count):
        home = tuple(sorted(random_.choices(range(1, 7), k=random_.randint(0, most))))
        found = standing(rules.to_rows((home, (1,)))[0], (0,) * 25)
        expected = plain_mean_turns(home) * 49 / 6
        assert found.effective_pips == pytest.approx(expected, abs=1e-4)
        assert found.wastage == pytest.approx(expected - sum(home), abs=1e-4)


def test_effective_pips_equal_a_plain_recursion() -> None:
    check_effective_pips(200, 5, seed=5)


@pytest.mark.slow
def test_effective_pips_equal_a_plain_recursion_on_10_000_home_boards() -> None:
    check_effective_pips(10_000, 10, seed=6)


def test_what_the_next_roll_does_equals_a_plain_count() -> None:
    for position in positions_of_play(24, seed=2):
        check_rolls(position, by_the_package)


def test_what_the_next_roll_does_follows_the_rule_book() -> None:
    few = [position for position in positions_of_play(60, seed=3) if sum(position.mine + position.theirs) < 14]
    assert few
    for position in few[:4]:
        check_rolls(position, by_the_rule_book)


@pytest.mark.slow
def test_what_the_next_roll_does_equals_a_plain_count_on_10_000_positions() -> None:
    for position in positions_of_play(10_000, seed=4):
        check_rolls(position, by_the_package)


def test_known_facts_of_the_starting_position() -> None:
    facts = facts_of(Position.start())
    assert facts.mine.points == (6, 8, 13, 24)
    assert facts.mine.escapes == ((24, 15),)  # 62, 63, 64, 65, 53, 54, 44, 33 and 22
    assert facts.mine.enter == 35
    assert facts.shots.count == 0


def test_a_full_prime_lets_nothing_escape() -> None:
    prime = Position.of(dict.fromkeys(range(4, 10), 2), {24: 2, 1: 2})
    assert facts_of(prime.swapped()).theirs.escapes == ((24, 0),)
    assert facts_of(prime.swapped()).mine.prime == 6


def test_a_turn_is_told_by_what_it_changed() -> None:
    start = Position.start()
    made = turn_facts(start, start.play("8/5 6/5", "31"))
    assert (made.made, made.broken, made.new_blots, made.hits) == ((5,), (), (), 0)
    ran = turn_facts(start, start.play("24/18 13/11", "62"))
    assert (ran.broken, ran.new_blots, ran.left_back) == ((24,), (11, 18, 24), 1)
