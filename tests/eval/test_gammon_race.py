"""Races for a gammon that are nearly over: what the engine says against games counted out."""

from __future__ import annotations

from functools import cache

import pytest

from kibitz import ALL_ROLLS, Engine, Position


@cache
def gammon_chance(position: Position) -> float:
    """The chance that the side on roll bears off its last checkers before the other bears off its first."""
    total = 0.0
    for roll in ALL_ROLLS:
        results = [play.result for play in position.plays(roll)]
        total += roll.weight * max(1.0 if not any(result.theirs) else chance_after(result) for result in results)
    return total / 36.0


@cache
def chance_after(position: Position) -> float:
    """The same when the other side is on roll, which bears off a checker as soon as it can."""
    total = 0.0
    for roll in ALL_ROLLS:
        results = [play.result for play in position.plays(roll)]
        total += roll.weight * min(0.0 if sum(result.theirs) < 15 else gammon_chance(result) for result in results)
    return total / 36.0


def test_the_chance_to_lose_a_gammon_is_counted_out() -> None:
    """Five plays bring the last checker home or next to it. The net alone thought that some save more gammons."""
    for play in Engine().rank(Position.from_id("LQAA4DtvgAAAAA"), (3, 3), plies=0)[:5]:
        assert play.evaluation.lose_gammon == pytest.approx(gammon_chance(play.play.result), abs=2e-6)
        assert play.evaluation.win == 0.0


def test_of_plays_that_save_as_many_gammons_the_one_that_gets_home_is_best() -> None:
    """13/4 5/2 and 13/7 5/2 4/1 leave the same chance: people bring the last checker home."""
    best = Engine().rank(Position.from_id("LQAA4DtvgAAAAA"), (3, 3), plies=0)[0]
    assert sum(best.play.result.theirs[6:]) == 0
