"""The core's legal plays against the slow generator of tests/reference and against OpenSpiel."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tests.reference import rules

import kibitz
from kibitz import _core, bench


def random_positions(count: int, seed: int) -> Iterator[tuple[kibitz.Position, kibitz.Dice]]:
    """Positions of random games with random rolls. Several variants, so that few checkers and bear-offs are common."""
    dice = random.Random(seed)
    position = kibitz.Position.start()
    for _ in range(count):
        if position.is_over:
            position = kibitz.Position.start(dice.choice([*kibitz.Variant, kibitz.Variant.BACKGAMMON]))
        roll = kibitz.Dice(dice.randint(1, 6), dice.randint(1, 6))
        yield position, roll
        plays = _core.legal_results(position.rows, roll.high, roll.low)
        position = kibitz.Position.from_rows(dice.choice(plays)) if plays else position.swapped()


def check(position: kibitz.Position, roll: kibitz.Dice) -> None:
    expected = rules.results(rules.from_rows(position.mine, position.theirs), (roll.high, roll.low))
    rows = _core.legal_results(position.rows, roll.high, roll.low)
    found = [kibitz.Position.from_rows(row) for row in rows]
    # A result is seen by the opponent, the reference's by the mover.
    assert {rules.to_rows(board) for board in expected} == {(result.theirs, result.mine) for result in found}, (
        f"{position!r} {roll}"
    )
    assert len(set(found)) == len(found), f"a result comes twice: {position!r} {roll}"


def test_random_games_agree_with_the_reference() -> None:
    """A fixed sample of reachable positions has the same results in both generators."""
    for position, roll in random_positions(3000, seed=1):
        check(position, roll)


def test_every_roll_of_the_bench_positions_agrees_with_the_reference() -> None:
    """Some of the fixed bench positions, chosen for variety, with all 21 rolls."""
    for position in bench.positions()[::16]:
        for roll in kibitz.ALL_ROLLS:
            check(position, roll)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_200_000_random_positions_agree_with_the_reference(part: int) -> None:
    """The large sample, in parts that can run side by side."""
    for position, roll in random_positions(25_000, seed=1000 + part):
        check(position, roll)
