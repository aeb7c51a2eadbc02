"""Two-sided bearing off: against a direct recursion, and the cube decisions that follow."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz import Position, parse
from kibitz.bearoff import TwoSided, exact_evaluations, exact_money_equities
from kibitz.cube import Owner
from kibitz.errors import TableError

from . import plain

TWO_ROLLS_AGAINST_ONE = "XGID=-D----------------------b-:0:0:1:00:0:0:3:0:10"


def board(mine: plain.Row, theirs: plain.Row) -> np.ndarray:
    array = np.zeros((2, 25), dtype=np.uint8)
    array[0, : len(mine)], array[1, : len(theirs)] = mine, theirs
    return array


@pytest.fixture(scope="module")
def pairs() -> list[tuple[plain.Row, plain.Row]]:
    rows = [row for row in plain.rows(6, 3) if any(row)]
    return [(mine, theirs) for mine in rows for theirs in rows]


def test_all_positions_of_up_to_three_checkers_a_side(pairs: list[tuple[plain.Row, plain.Row]]) -> None:
    found = TwoSided().look_up(np.stack([board(*pair) for pair in pairs]))
    expected = np.array([plain.equities(*pair) for pair in pairs])
    assert found.shape == (83 * 83, 4)
    assert np.abs(found - expected).max() < 1e-8


def test_cube_decisions_follow_from_the_same_recursion(pairs: list[tuple[plain.Row, plain.Row]]) -> None:
    table = TwoSided()
    for mine, theirs in pairs[::41]:
        position = Position.from_board(board(mine, theirs))
        win, no_double, no_redouble, unavailable = plain.no_cube_action(mine, theirs)
        for owner, expected in ((Owner.CENTRED, no_double), (Owner.MINE, no_redouble), (Owner.THEIRS, unavailable)):
            cube = table.cube(position, owner)
            assert (cube.win, cube.no_double) == pytest.approx((win, expected), abs=1e-8)
            assert cube.double_take == pytest.approx(2 * unavailable, abs=1e-8)
            if owner is not Owner.THEIRS:
                best = max(cube.no_double, min(cube.double_take, 1.0))
                value = table.evaluate(position)
                assert best == pytest.approx(value.owned if owner is Owner.MINE else value.centred, abs=1e-8)
                assert cube.double == (min(cube.double_take, 1.0) > cube.no_double + 1e-8)


def test_two_rolls_against_one() -> None:
    cube = TwoSided().cube(parse(TWO_ROLLS_AGAINST_ONE).position)
    assert cube.win == pytest.approx(1 / 6)
    assert cube.no_double == pytest.approx(-2 / 3)
    assert cube.double_take == pytest.approx(-4 / 3)
    assert cube.beavered == pytest.approx(-8 / 3)
    assert not cube.double and cube.take and cube.beaver
    assert cube.action == "no double, beaver"


def test_the_last_roll_is_doubled_and_taken_at_a_quarter() -> None:
    """A checker on the five point and one on the two point bear off with 19 rolls of 36: a double, and a take."""
    cube = TwoSided().cube(Position.of({5: 1, 2: 1}, {1: 1}))
    assert cube.win == pytest.approx(19 / 36)
    assert cube.double_take == pytest.approx(2 * (2 * 19 / 36 - 1))
    assert cube.action == "double, take"
    # 31 rolls of 36 are too many for the opponent.
    assert TwoSided().cube(Position.of({4: 1}, {1: 1})).action == "double, pass"


def test_the_cube_belongs_to_somebody() -> None:
    position = Position.of({6: 1}, {1: 1})
    value = TwoSided().evaluate(position)
    assert value.unavailable <= value.equity <= value.owned <= value.centred + 1e-9
    assert TwoSided().cube(position, Owner.THEIRS).action == "the cube is not available"


def test_larger_shapes_can_be_built_in_memory() -> None:
    table = TwoSided.build(7, 2, threads=2)
    assert len(table) == 36 * 36
    pairs = [(mine, theirs) for mine in plain.rows(7, 2) for theirs in plain.rows(7, 2) if any(mine) and any(theirs)]
    found = table.look_up(np.stack([board(*pair) for pair in pairs]))
    assert np.abs(found - np.array([plain.equities(*pair) for pair in pairs])).max() < 1e-8


def test_positions_out_of_reach_and_finished_games_are_refused() -> None:
    with pytest.raises(TableError, match="up to 6 checkers a side"):
        TwoSided().evaluate(Position.start())
    with pytest.raises(TableError, match="up to 6 checkers a side"):
        TwoSided().cube(Position.start())
    with pytest.raises(TableError, match="over"):
        TwoSided().cube(Position.of({}, {1: 1}))


def test_evaluation_asks_by_position_class() -> None:
    six = Position.of({6: 3, 3: 3}, {5: 6})
    fifteen = Position.of({1: 2}, {6: 15})
    lost_backgammon = Position.of({19: 1, 1: 14}, {})
    outputs, known = exact_evaluations(np.stack([p.board for p in (six, fifteen, lost_backgammon, Position.start())]))
    assert known.tolist() == [True, True, True, False]
    assert outputs[0].tolist() == pytest.approx([TwoSided().evaluate(six).win, 0, 0, 0, 0])
    assert outputs[1].tolist() == [1, 1, 0, 0, 0]
    assert outputs[2].tolist() == [0, 0, 0, 1, 1]
    assert exact_money_equities(Position.start()) is None
    equities = exact_money_equities(six)
    assert equities is not None and equities["centred"] == pytest.approx(TwoSided().evaluate(six).centred)


def test_gammons_are_counted_by_the_turns_to_the_first_checker() -> None:
    """Fifteen on the six point bear one off with any six, 5-1, 4-2, 3-3 and 2-2: 17 rolls."""
    outputs, _ = exact_evaluations(Position.of({6: 15}, {1: 2}).board[np.newaxis])
    assert outputs[0].tolist() == pytest.approx([0, 0, 0, 19 / 36, 0], abs=1e-7)
