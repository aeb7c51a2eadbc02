from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz._core import rollout_faces

seeds = st.integers(0, 2**64 - 1)


@given(seeds, st.integers(0, 10**6))
def test_every_36_games_see_every_roll_once_at_each_of_the_first_three_turns(seed: int, group: int) -> None:
    faces = rollout_faces(seed, True, 36 * group, 36, 3)
    for turn in range(3):
        assert sorted(faces[:, turn].tolist()) == list(range(36))


@pytest.mark.parametrize("seed", [1, 7, 2**63 + 5])
@pytest.mark.parametrize("block", [0, 1, 36, 12345])
def test_every_1296_games_see_every_pair_of_first_rolls_once(seed: int, block: int) -> None:
    faces = rollout_faces(seed, True, 1296 * block, 1296, 2)
    assert set(Counter(map(tuple, faces.tolist())).values()) == {1}
    assert len(set(map(tuple, faces.tolist()))) == 1296


def test_every_46656_games_see_every_triple_of_first_rolls_once() -> None:
    faces = rollout_faces(3, True, 46656, 46656, 3).astype(np.int64)
    assert len(set((faces @ [1296, 36, 1]).tolist())) == 46656


@given(seeds, st.integers(0, 2**40), st.integers(1, 40), st.integers(0, 39), st.booleans())
def test_a_game_has_the_same_dice_wherever_its_range_starts(
    seed: int, first: int, count: int, skip: int, stratified: bool
) -> None:
    skip = min(skip, count)
    whole = rollout_faces(seed, stratified, first, count, 6)
    part = rollout_faces(seed, stratified, first + skip, count - skip, 6)
    assert (whole[skip:] == part).all()


@pytest.mark.parametrize("stratified", [False, True])
def test_dice_are_even_and_turns_independent(stratified: bool) -> None:
    faces = rollout_faces(11, stratified, 0, 60_000, 8).astype(np.int64)
    for turn in range(3 if stratified else 0, 8):
        counts = np.bincount(faces[:, turn], minlength=36)
        chi = ((counts - 60_000 / 36) ** 2 / (60_000 / 36)).sum()
        assert 10 < chi < 75  # 35 degrees of freedom: one in 20,000 on either side
        if turn:
            pairs = np.bincount(36 * faces[:, turn - 1] + faces[:, turn], minlength=1296)
            chi = ((pairs - 60_000 / 1296) ** 2 / (60_000 / 1296)).sum()
            assert 1080 < chi < 1500


def test_seeds_give_other_dice() -> None:
    assert (rollout_faces(1, True, 0, 360, 5) != rollout_faces(2, True, 0, 360, 5)).mean() > 0.9
