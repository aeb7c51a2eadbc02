from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.rollout.tally import UNIT, UTILITY, Tally


def games(seed: int, count: int, candidates: int = 2, *, effects: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Values of games with stratified first rolls, some of them due to those rolls."""
    from kibitz._core import rollout_faces

    chance = np.random.default_rng(seed)
    faces = rollout_faces(seed, True, 0, count, 2)
    values = chance.normal(size=(count, candidates, 7))
    if effects:
        values += chance.normal(size=(36, 1, 7))[faces[:, 0]] + chance.normal(size=(36, 1, 7))[faces[:, 1]]
    return (values * UNIT).astype(np.int64), faces


@settings(max_examples=25)
@given(st.integers(0, 1000), st.lists(st.integers(1, 50), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_any_cuts_added_in_any_order_give_the_same_sums(seed: int, sizes: list[int], chance: Random) -> None:
    values, faces = games(seed, sum(sizes))
    cuts = np.cumsum([0, *sizes])
    parts = [Tally.of(values[a:b], faces[a:b]) for a, b in pairwise(cuts)]
    chance.shuffle(parts)
    total = Tally(2)
    for part in parts:
        total.add(part)
    assert total.to_dict() == Tally.of(values, faces).to_dict()
    assert Tally.from_dict(total.to_dict()).to_dict() == total.to_dict()


def test_means_and_errors_are_those_of_the_textbook() -> None:
    values, faces = games(5, 144, 3)
    tally = Tally.of(values, faces)
    plain = values / UNIT
    for candidate in range(3):
        for quantity in range(7):
            column = plain[:, candidate, quantity]
            assert math.isclose(tally.mean(candidate, quantity), column.mean(), abs_tol=1e-12)
            error = column.std(ddof=1) / 12
            assert math.isclose(tally.standard_error(candidate, quantity, stratified=False), error, rel_tol=1e-9)
    difference = plain[:, 0, UTILITY] - plain[:, 2, UTILITY]
    assert math.isclose(tally.joint_error(0, 2, stratified=False), difference.std(ddof=1) / 12, rel_tol=1e-9)


@pytest.mark.parametrize(("count", "turns"), [(360, 1), (1296, 2)])
def test_stratified_errors_are_those_of_what_a_regression_on_the_first_rolls_leaves(count: int, turns: int) -> None:
    values, faces = games(6, count, effects=True)
    tally = Tally.of(values, faces)
    design = np.hstack([np.eye(36)[faces[:, turn]][:, min(turn, 1) :] for turn in range(turns)])
    column = values[:, 0, UTILITY] / UNIT
    _, residuals, rank, _ = np.linalg.lstsq(design, column, rcond=None)
    error = math.sqrt(residuals[0] / (count - rank) / count)
    assert rank == 1 + 35 * turns
    assert math.isclose(tally.standard_error(0, UTILITY, stratified=True), error, rel_tol=1e-6)
    assert error < 0.9 * tally.standard_error(0, UTILITY, stratified=False)


def test_one_game_has_no_error_and_none_no_mean() -> None:
    values, faces = games(1, 1)
    assert math.isnan(Tally.of(values, faces).standard_error(0, 0, stratified=True))
    assert math.isnan(Tally(1).mean(0, 0))


def test_huge_stakes_do_not_overflow() -> None:
    values = np.full((36, 1, 7), 3 * 1024 * UNIT, np.int64)
    tally = Tally.of(values, np.zeros((36, 2), np.uint8))
    assert tally.mean(0, UTILITY) == 3072.0
    assert tally.standard_error(0, UTILITY, stratified=False) == 0.0
