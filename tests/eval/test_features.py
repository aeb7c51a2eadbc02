"""The features that the contact net is told of, against a slow count."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from kibitz import Position, _core
from kibitz.bench import boards
from kibitz.testing import positions

from .plain_features import plain_features, unit_of


def units(position: Position) -> set[int]:
    """The units that the core finds."""
    return set(np.flatnonzero(_core.features(position.board[None])[0]).tolist())


@given(positions())
def test_core_agrees_with_a_slow_count(position: Position) -> None:
    """Every unit, on any position: checkers on the bar, closed boards, borne-off checkers."""
    expected = {unit_of(*feature) for feature in plain_features(position.mine, position.theirs)}
    assert units(position) == expected


def test_core_agrees_on_positions_of_games() -> None:
    """The same on positions as they come up."""
    for board in boards()[::3]:
        position = Position.from_board(board)
        assert units(position) == {unit_of(*feature) for feature in plain_features(position.mine, position.theirs)}


def test_a_direct_shot_is_counted() -> None:
    """A blot six pips away from the only hitter: 11 rolls with a six, and 5-1, 4-2, 3-3, 2-2 beside them."""
    position = Position.of({7: 1}, {24: 1})
    assert unit_of("hit", 0, (17,)) in units(position)
    assert unit_of("shot", 0, (0, 5)) in units(position)


def test_units_fill_the_layout() -> None:
    """The last unit is the last that the core has."""
    assert unit_of("double hit", 1, (9,)) == _core.FEATURE_UNITS - 1
