"""The shot counter: known counts, and brute force with the move generator."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest

import kibitz
from kibitz import ALL_ROLLS, Position, _core
from kibitz.heuristics.shots import BlotShots, ShotKind, Shots

from . import heuristics_reference as reference

FAR = {3: 5, 2: 4, 1: 4}  # hitters' checkers that are out of the way


def shots_at(distance: int, blocks: dict[int, int] | None = None) -> Shots:
    """The shots of two checkers on their 24 point at a blot so many pips away."""
    owner = {1 + distance: 1} | (blocks or {})
    return kibitz.shots(Position.of({24: 2} | FAR, owner))


@pytest.mark.parametrize(
    ("distance", "expected"),
    [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6), (9, 5), (10, 3), (11, 2), (12, 3)],
)
def test_the_well_known_table_of_shots(distance: int, expected: int) -> None:
    """On an open board; 15, 16, 18, 20 and 24 away follow below."""
    assert shots_at(distance).count == expected


@pytest.mark.parametrize(("distance", "expected"), [(15, 1), (16, 1), (18, 1), (17, 0), (13, 0)])
def test_far_blots_are_hit_by_doubles_alone(distance: int, expected: int) -> None:
    found = shots_at(distance)
    assert found.count == expected
    assert all(kind == ShotKind.DOUBLE for blot in found.blots for kind in blot.kinds)


def test_blocked_paths_take_shots_away() -> None:
    """Six away: 17 shots; without the ways over the fifth and the first point 5-1 is gone, over the others 4-2 too."""
    assert shots_at(6, {2: 2, 6: 2}).count == 15
    assert shots_at(6, {2: 2, 6: 2, 3: 2, 5: 2}).count == 12  # 3-3 is left besides the sixes
    assert shots_at(6, {2: 2, 6: 2, 3: 2, 5: 2, 4: 2}).count == 11


def test_kinds_of_shots() -> None:
    (blot,) = shots_at(6).blots
    assert [blot.counted(kind) for kind in ShotKind] == [11, 4, 2]
    assert (blot.point, blot.their_point) == (18, 7)


def test_a_checker_on_the_bar_enters_first() -> None:
    """Given two on the bar, only entering can hit; given one, the other die is free after it."""
    blots = {3: 1, 12: 1}
    two = kibitz.shots(Position.of({25: 2, 18: 3}, blots))
    assert [mixed_rolls(blot) for blot in two.blots] == [set(), {"31", "32", "43", "53", "63"}]
    # Their 5 point is made: the 5 that hits from the 18 point cannot be used to enter.
    one = kibitz.shots(Position.of({25: 1, 18: 3}, blots | {5: 2}))
    assert mixed_rolls(one.blots[0]) == {"51", "52", "53", "54", "65"}


def mixed_rolls(blot: BlotShots) -> set[str]:
    return {str(roll) for roll in blot.rolls if not roll.is_double}


def test_a_hit_that_the_rules_forbid_is_no_shot() -> None:
    """Given that the 1 can only be played if the 6 is played first, a hit with the 1 alone does not count."""
    position = Position.of({14: 1, 1: 1}, {12: 1, 19: 2})
    brute = reference.shots_on(position.rows)
    assert {blot.their_point: blot.count for blot in kibitz.shots(position).blots} == brute


def test_no_blots_no_shots() -> None:
    found = kibitz.shots(Position.start())
    assert (found.blots, found.rolls, found.count, found.probability) == ((), (), 0, 0)


def test_plain_data() -> None:
    data = shots_at(12).to_dict()
    assert data["count"] == 3
    assert data["blots"][0]["rolls"] == {"33": "double", "44": "double", "66": "double"}


def brute_force(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """For boards (n, 2, 25): whether a roll hits a blot, (n, 21, 24) by the owner's points, from all legal results."""
    rolls = np.array([(roll.high, roll.low) for roll in ALL_ROLLS], dtype=np.uint8)
    repeated = np.repeat(boards, len(rolls), axis=0)
    offsets, results = _core.legal_results_bulk(repeated, np.tile(rolls, (len(boards), 1)))
    source = np.repeat(np.arange(len(repeated)), np.diff(offsets))
    gone = (repeated[source, 1, :24] == 1) & (results[:, 0, :24] == 0)
    hit = np.zeros((len(repeated), 24), dtype=bool)
    np.logical_or.at(hit, source[gone.any(axis=1)], gone[gone.any(axis=1)])
    return hit.reshape(len(boards), len(rolls), 24)


def test_agrees_with_brute_force_on_20_000_positions() -> None:
    positions = itertools.chain(
        reference.positions_from_games(10_000, seed=21), reference.odd_positions(10_000, seed=22)
    )
    checked = 0
    shot = 0
    while chunk := list(itertools.islice(positions, 1000)):
        hit = brute_force(np.stack([position.board for position in chunk]))
        for position, expected in zip(chunk, hit, strict=True):
            masks, count = _core.shots(position.rows)
            bits = (np.array(masks, dtype=np.uint32)[:, None] >> np.arange(23, -1, -1, dtype=np.uint32)) & 1
            assert np.array_equal(bits.astype(bool), expected), position
            weights = np.array([roll.weight for roll in ALL_ROLLS])
            assert count == weights[expected.any(axis=1)].sum()
            shot += count > 0
        checked += len(chunk)
    assert checked == 20_000
    assert shot > 8_000
