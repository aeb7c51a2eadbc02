"""Impossible positions, cubes, scores and rolls are refused, and every defect is named."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from kibitz import (
    Cube,
    Dice,
    MatchState,
    NotationError,
    Offer,
    Owner,
    Position,
    PositionError,
    PositionStatus,
    State,
    plays_bulk,
)

FULL = [2] * 6 + [0] * 18 + [1]


def row(**points: int) -> list[int]:
    """A row from keywords such as p6=5, bar=1."""
    counts = [0] * 25
    for name, count in points.items():
        counts[24 if name == "bar" else int(name[1:]) - 1] = count
    return counts


@pytest.mark.parametrize(
    ("mine", "theirs", "status", "words"),
    [
        (row(p6=16), row(p6=1), PositionStatus.TOO_MANY_CHECKERS, ["the player on roll has 16 checkers"]),
        (row(p6=1), row(p19=1), PositionStatus.SHARED_POINT, ["both sides stand on point 6"]),
        (row(), row(), PositionStatus.BOTH_BORNE_OFF, ["both sides have borne off"]),
        (FULL, FULL, PositionStatus.BOTH_CLOSED_OUT, ["both sides are on the bar against closed boards"]),
        (row(p3=-1), row(p6=1), PositionStatus.NEGATIVE_COUNT, ["fewer than no checkers on point 3"]),
        ([0] * 24, row(p6=1), PositionStatus.WRONG_SHAPE, ["24 counts instead of 25"]),
        (
            row(p6=16, p5=-1),
            row(p19=20),
            PositionStatus.TOO_MANY_CHECKERS | PositionStatus.SHARED_POINT | PositionStatus.NEGATIVE_COUNT,
            ["fewer than no checkers on point 5", "the opponent has 20 checkers", "point 6"],
        ),
    ],
)
def test_positions(mine: list[int], theirs: list[int], status: PositionStatus, words: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        Position(mine, theirs)
    assert status in error.value.status
    assert all(any(word in defect for defect in error.value.defects) for word in words)
    again = pickle.loads(pickle.dumps(error.value))
    assert (again.defects, again.status) == (error.value.defects, error.value.status)


def test_one_side_off_is_a_game_that_is_over() -> None:
    position = Position.of({}, {6: 1})
    assert position.is_over
    assert position.plays((6, 5)) == []


def test_points_that_do_not_exist() -> None:
    for point in (0, 26, -1):
        with pytest.raises(PositionError, match=f"no point {point}"):
            Position.of({point: 1}, {6: 1})


@pytest.mark.parametrize("value", [0, 3, -2, 48])
def test_cubes(value: int) -> None:
    with pytest.raises(PositionError, match=f"shows {value}, not a power of two"):
        Cube(value)


@pytest.mark.parametrize(
    ("match", "status"),
    [
        ({"length": -1}, PositionStatus.NEGATIVE_LENGTH),
        ({"my_score": -1}, PositionStatus.NEGATIVE_SCORE),
        ({"length": 7, "my_score": 7}, PositionStatus.SCORE_BEYOND_MATCH),
        (
            {"length": 7, "my_score": 9, "their_score": -2, "cube": Cube(8), "max_cube": 4},
            PositionStatus.SCORE_BEYOND_MATCH | PositionStatus.NEGATIVE_SCORE | PositionStatus.CUBE_TOO_HIGH,
        ),
        ({"length": 7, "crawford": True}, PositionStatus.WRONG_CRAWFORD),
        ({"length": 7, "my_score": 6, "their_score": 6, "crawford": True}, PositionStatus.WRONG_CRAWFORD),
        ({"crawford": True}, PositionStatus.WRONG_CRAWFORD),
        ({"length": 7, "my_score": 6, "crawford": True, "cube": Cube(2)}, PositionStatus.WRONG_CRAWFORD),
        ({"max_cube": 3}, PositionStatus.CUBE_NOT_POWER_OF_TWO),
        ({"max_cube": 1 << 31}, PositionStatus.CUBE_NOT_POWER_OF_TWO),
    ],
)
def test_matches(match: dict[str, Any], status: PositionStatus) -> None:
    with pytest.raises(PositionError) as error:
        MatchState(**match)
    assert error.value.status == status


def test_jacoby_and_beavers_are_for_money() -> None:
    match = MatchState(7, jacoby=True, beavers=True)
    assert not match.jacoby
    assert not match.beavers
    assert MatchState().jacoby


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ({"offer": Offer.DOUBLE, "dice": Dice(3, 1)}, PositionStatus.DICE_DURING_OFFER),
        (
            {"offer": Offer.DOUBLE, "match": MatchState(cube=Cube(2, Owner.THEIRS))},
            PositionStatus.CUBE_NOT_AVAILABLE,
        ),
        ({"offer": Offer.DOUBLE, "match": MatchState(3, 2, 0, crawford=True)}, PositionStatus.CUBE_NOT_AVAILABLE),
        ({"offer": Offer.BEAVER, "match": MatchState(3, 2, 0, crawford=True)}, PositionStatus.CUBE_NOT_AVAILABLE),
        ({"offer": Offer.DOUBLE, "match": MatchState(max_cube=1)}, PositionStatus.CUBE_TOO_HIGH),
        ({"offer": Offer.BEAVER, "match": MatchState(max_cube=1)}, PositionStatus.CUBE_TOO_HIGH),
        ({"offer": Offer.RACCOON, "match": MatchState(cube=Cube(8), max_cube=8)}, PositionStatus.CUBE_TOO_HIGH),
        ({"match": MatchState(variant="hypergammon-3")}, PositionStatus.TOO_MANY_CHECKERS),  # type: ignore[arg-type]
    ],
)
def test_states(state: dict[str, Any], status: PositionStatus) -> None:
    with pytest.raises(PositionError) as error:
        State(Position.start(), **state)
    assert error.value.status == status


@pytest.mark.parametrize("dice", [(9, 9), (0, 1), "71", "3", "331", "x1", (1, 2, 3), 31, (1.5, 2)])
def test_dice(dice: object) -> None:
    with pytest.raises(NotationError, match=r"di(c)?e"):
        Dice.of(dice)  # type: ignore[arg-type]
    with pytest.raises(NotationError):
        Position.start().plays(dice)  # type: ignore[arg-type]


def test_bulk_calls_refuse_what_single_ones_refuse() -> None:
    start = Position.start().board
    bad = start.copy()
    bad[0, 5] = 16
    with pytest.raises(PositionError, match=r"board 1.*26 checkers"):
        plays_bulk([start, bad], [(3, 1), (3, 1)])
    with pytest.raises(PositionError, match="shape"):
        plays_bulk(start, [(3, 1)])
    with pytest.raises(PositionError, match="fewer than no checkers"):
        plays_bulk([start.astype(np.int64) - 4 * (start == 3)], [(3, 1)])
    with pytest.raises(NotationError, match="between 1 and 6"):
        plays_bulk([start], [(0, 1)])
    with pytest.raises(NotationError, match="a roll for each board"):
        plays_bulk([start], [(1, 1), (2, 2)])


def test_a_position_cannot_be_changed() -> None:
    position = Position.start()
    with pytest.raises(AttributeError):
        position.mine = ()  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        position.board[0, 0] = 1
