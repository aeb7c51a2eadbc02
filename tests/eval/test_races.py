"""Races: the one-sided net and the tables against games counted out, and what two sides make of a race."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from kibitz import ALL_ROLLS, Engine, NetworkFileError, Position, _core
from kibitz.bench import boards
from kibitz.engine.network_file import layers_of
from kibitz.engine.networks import NetworkFolder, evaluator_from
from kibitz.train.buffer import in_contact
from kibitz.train.race import (
    RaceCourse,
    RaceLearner,
    RaceSettings,
    _distribution_delta,
    fresh_rows,
    guesses_of,
    inputs_of,
    train_race,
)
from tests.bearoff.plain import Row, distribution, mean_turns, mean_turns_to_first, plays, rows

Floats = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def network() -> _core.RaceNetwork:
    return NetworkFolder.load().files["race"].race_network()


def padded(some: list[Row]) -> npt.NDArray[np.uint8]:
    return np.array([row + (0,) * (25 - len(row)) for row in some], np.uint8)


def means(chances: npt.NDArray[np.float32]) -> Floats:
    return np.asarray(chances.astype(np.float64) @ np.arange(1.0, chances.shape[1] + 1))


def race_boards() -> npt.NDArray[np.uint8]:
    """Races of the bench that no table knows."""
    found = boards()
    outside = found[:, :, 6:].sum(axis=2).max(axis=1) > 0
    both = found.sum(axis=2).min(axis=1) > 0
    return np.ascontiguousarray(found[~in_contact(found) & outside & both])


def test_few_checkers_need_the_turns_that_are_counted_out(network: _core.RaceNetwork) -> None:
    """Every row of up to three checkers on the first twelve points, some of them outside."""
    some = [row for row in rows(12, 3) if any(row[6:])]
    distributions, _ = _core.turns_distributions(network, padded(some))
    off = means(distributions) - np.array([mean_turns(row) for row in some])
    assert np.sqrt((off**2).mean()) < 0.04  # such rows are rare in games, and in training
    assert np.abs(off).max() < 0.15
    for row, found in list(zip(some, distributions, strict=True))[::40]:
        expected = np.array(distribution(row)[1:])
        assert np.abs(found[: len(expected)] - expected).max() < 0.06


def test_the_first_checker_needs_the_turns_that_are_counted_out(network: _core.RaceNetwork) -> None:
    """Fifteen checkers, all but two on the ace and deuce point and those two anywhere up to the ten point."""
    some = []
    for places in combinations_with_replacement(range(10), 2):
        row = [7, 6, *[0] * 8]
        for place in places:
            row[place] += 1
        if any(row[6:]):
            some.append(tuple(row))
    _, distributions = _core.turns_distributions(network, padded(some))
    off = means(distributions) - np.array([mean_turns_to_first(row, 15) for row in some])
    assert np.sqrt((off**2).mean()) < 0.02


def test_rows_at_home_are_those_of_the_table(network: _core.RaceNetwork) -> None:
    """Not a net's but exact."""
    some = [row for row in rows(6, 4) if any(row)]
    distributions, _ = _core.turns_distributions(network, padded(some))
    for row, found in zip(some, distributions, strict=True):
        expected = np.array(distribution(row)[1:])
        np.testing.assert_allclose(found[: len(expected)], expected, atol=1e-6)


def test_a_race_follows_from_the_turns_of_both_sides(network: _core.RaceNetwork) -> None:
    """Who is on roll wins if the other needs as many turns or more, and gammons likewise: all pairs of turns."""
    found = race_boards()
    assert len(found) > 30
    outputs = evaluator_from(NetworkFolder.load().files).evaluate_batch(found).astype(np.float64)
    (mine, my_first), (theirs, their_first) = (
        [
            distribution.astype(np.float64)
            for distribution in _core.turns_distributions(network, np.ascontiguousarray(found[:, side]))
        ]
        for side in (0, 1)
    )
    turns = np.arange(32)
    no_later = (turns[:, None] <= turns[None, :]).astype(np.float64)
    win = np.einsum("ni,ij,nj->n", mine, no_later, theirs)
    win_gammon = np.einsum("ni,ij,nj->n", mine, no_later[:, :16], their_first)
    saved = np.einsum("ni,ij,nj->n", my_first, no_later[:16], theirs)
    np.testing.assert_allclose(outputs[:, 0], win, atol=1e-5)
    settled = found.sum(axis=2).min(axis=1) > 4  # otherwise the next roll is counted
    whole = found.sum(axis=2) == 15
    np.testing.assert_allclose(outputs[settled, 1], np.where(whole[:, 1], win_gammon, 0.0)[settled], atol=1e-5)
    np.testing.assert_allclose(outputs[settled, 3], np.where(whole[:, 0], 1 - saved, 0.0)[settled], atol=1e-5)


@cache
def chance_of_backgammon(position: Position, runs: bool) -> float:
    """That the side at home bears off all before the other has left its home board; `runs`: the latter is on roll."""
    total = 0.0
    for roll in ALL_ROLLS:
        results = [play.result for play in position.plays(roll)]
        if runs:
            after = min(0.0 if not any(one.theirs[18:]) else chance_of_backgammon(one, False) for one in results)
        else:
            after = max(1.0 if not any(one.theirs) else chance_of_backgammon(one, True) for one in results)
        total += roll.weight * after
    return total / 36.0


def test_backgammons_are_counted_out() -> None:
    """A last checker in the winner's home board, by who is on roll."""
    row = [0] * 25
    row[0], row[20], row[22] = 13, 1, 1
    winner = [2, *[0] * 24]
    running = Position.from_board(np.array([row, winner], np.uint8))
    caught = Engine().evaluate(running)
    assert caught.lose_backgammon == pytest.approx(chance_of_backgammon(running, True), abs=1e-6)
    winning = Position.from_board(np.array([[3, *[0] * 24], row], np.uint8))
    assert Engine().evaluate(winning).win_backgammon == pytest.approx(chance_of_backgammon(winning, False), abs=1e-6)


def test_the_net_is_that_of_numpy(network: _core.RaceNetwork) -> None:
    """Integers against floating point, straight from the description; what no turn can bring is left out."""
    file = NetworkFolder.load().files["race"]
    found = fresh_rows(2000, np.random.default_rng(1))
    found = found[found.sum(axis=1) == 15]
    layers = {name: values.astype(np.float64) for name, values in layers_of(file.payload, file.shape).items()}
    one, weight = _core.ACTIVATION_ONE, _core.WEIGHT_ONE
    hidden = np.clip(inputs_of(found) @ layers["units"] / one + layers["bias1"] / one, 0, 4)
    hidden = np.clip(hidden @ layers["weights2"] / weight + layers["bias2"] / (one * weight), 0, 4)
    logits = hidden @ layers["weights3"] / weight + layers["bias3"] / (one * weight) + guesses_of(found) / np.log(2)
    for chances, some in zip(_core.turns_distributions(network, found), (logits[:, :32], logits[:, 32:]), strict=True):
        powers = 2.0 ** (some - some.max(axis=1, keepdims=True)) * (chances > 0)
        np.testing.assert_allclose(chances, powers / powers.sum(axis=1, keepdims=True), atol=0.01)


def test_targets_are_exact_one_sided_backups(network: _core.RaceNetwork) -> None:
    """One turn more than the best distribution after each roll, for the last checker and for the first."""
    some = [(2, 2, 3, 2, 2, 2, 1, 0, 1), (2, 2, 2, 3, 2, 3, 0, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0, 1, 1)]
    targets, moved = _core.RaceTeacher(network, 1).teach(padded(some))
    for row, target, after in zip(some, targets, moved, strict=True):
        expected = np.zeros(48)
        for roll in ALL_ROLLS:
            results = sorted(plays(row, (roll.high, roll.low)))
            assert len(row) == len(results[0])
            distributions, firsts = _core.turns_distributions(network, padded([one for one in results if any(one)]))
            later = np.concatenate([np.zeros((len(distributions), 1)), distributions[:, :-1]], axis=1)
            expected[:32] += roll.weight / 36 * later[means(distributions).argmin()]
            if sum(row) == 15:
                best = means(firsts).argmin()
                off = any(sum(one) < 15 for one in results)
                distribution = np.eye(16)[0] if off else np.concatenate([[0], firsts[best][:-1]])
                expected[32:] += roll.weight / 36 * distribution
        np.testing.assert_allclose(target, expected, atol=2e-3)
        assert any(
            tuple(after[: len(row)]) in plays(row, (roll.high, roll.low)) and not after[len(row) :].any()
            for roll in ALL_ROLLS
        )


def test_rows_that_are_home_are_not_taught(network: _core.RaceNetwork) -> None:
    """The table knows them."""
    with pytest.raises(ValueError, match="a checker outside"):
        _core.RaceTeacher(network, 1).teach(padded([(1, 2, 3)]))


def test_fresh_rows_have_a_checker_outside_and_at_most_fifteen() -> None:
    """Some of them have borne off a few."""
    found = fresh_rows(5000, np.random.default_rng(3))
    assert (found[:, 6:24].sum(axis=1) > 0).all()
    assert (found[:, 24] == 0).all()
    counts = found.sum(axis=1)
    assert counts.max() == 15
    assert 0.05 < (counts < 15).mean() < 0.2


def test_a_learner_learns(network: _core.RaceNetwork) -> None:
    """Fixed targets are met more closely with every pass."""
    found = fresh_rows(256, np.random.default_rng(1))
    targets, _ = _core.RaceTeacher(network, 1).teach(found)
    learner = RaceLearner((64, 16), 1)
    losses = [learner.step(found, targets, 1e-2, 1e-2) for _ in range(200)]
    assert losses[-1] < 0.2 * losses[0]


def test_slopes_are_those_of_small_steps() -> None:
    """By each logit the loss changes as its slope says."""
    random = np.random.default_rng(1)
    logits = random.normal(0.0, 1.0, (3, 16)).astype(np.float32)
    targets = random.dirichlet(np.ones(16), 3).astype(np.float32)
    slopes, nowhere = np.empty_like(logits), np.empty_like(logits)
    _distribution_delta(logits, targets, slopes)
    for place in np.ndindex(*logits.shape):
        moved = logits.astype(np.float64)
        losses = []
        for step in (1e-4, -2e-4):
            moved[place] += step
            losses.append(_distribution_delta(moved, targets, nowhere))  # type: ignore[arg-type]
        assert (losses[0] - losses[1]) / 2e-4 == pytest.approx(slopes[place], abs=1e-4)


def test_a_race_net_is_learnt_from_nothing() -> None:
    """A few seconds bring the mean turns of rows that are nearly home within a turn; the seed decides everything."""
    settings = RaceSettings(shape=(64, 32), rows=128, rounds=12, steps=32, batch=256)
    first, again = (train_race(settings, seed=2) for _ in range(2))
    assert first is not None and again is not None
    assert first.payload == again.payload
    some = [row for row in rows(9, 2) if any(row[6:])]
    distributions, _ = _core.turns_distributions(first.race_network(), padded(some))
    assert np.abs(means(distributions) - [mean_turns(row) for row in some]).mean() < 1.0


def test_sums_stay_inside_16_bits() -> None:
    """Wherever fifteen checkers are, the first layer of the shipped net does not overflow."""
    file = NetworkFolder.load().files["race"]
    layers = layers_of(file.payload, file.shape)
    largest = np.abs(layers["units"].astype(int)).max(axis=0)
    assert (15 * largest + np.abs(layers["bias1"].astype(int))).max() < 1 << 15


def test_a_course_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    """With the weights and rounds it had; the finished net leaves no checkpoint behind."""
    settings = RaceSettings(shape=(64, 16), rows=64, rounds=4, steps=2)
    checkpoint = tmp_path / "race.npz"
    course = RaceCourse(settings, seed=1)
    course.step()
    course.step()
    course.checkpoint(checkpoint)
    resumed = RaceCourse(settings, seed=1, checkpoint=checkpoint)
    assert resumed.done == 2
    assert resumed.learner.payload() == course.learner.payload()
    finished = train_race(settings, seed=1, checkpoint=checkpoint)
    assert finished is not None and finished.payload != course.learner.payload()
    assert list(tmp_path.iterdir()) == []


def test_a_net_for_positions_is_refused_for_races() -> None:
    """And the other way round."""
    files = NetworkFolder.load().files
    with pytest.raises(NetworkFileError, match="it is for positions"):
        evaluator_from({**files, "race": files["prefilter"]})
    with pytest.raises(NetworkFileError, match="it is for one side of a race"):
        evaluator_from({**files, "pruning": files["race"]})
