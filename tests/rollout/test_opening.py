"""The opening position, money: figures that a strong net has to reach."""

from __future__ import annotations

from typing import Any

import pytest

import kibitz
from kibitz import MatchState, Position
from kibitz.rollout.results import RolloutResult

pytestmark = pytest.mark.slow


def opening(**changes: Any) -> RolloutResult:
    engine = kibitz.Engine()
    match = MatchState.money(jacoby=False)
    return engine.rollout(Position.start(), match=match, cube=False, cubeful=False, trials=1296, **changes).best


def test_the_opening_position_is_worth_what_it_is_known_to_be_worth() -> None:
    found = opening()
    assert 0.07 <= found.equity <= 0.08
    assert found.standard_error <= 0.005


def test_luck_makes_the_error_at_least_four_times_smaller() -> None:
    with_luck, without = opening(), opening(variance_reduction=False)
    assert 4 * with_luck.standard_error <= without.standard_error
    assert abs(with_luck.equity - without.equity) <= 3 * without.standard_error
