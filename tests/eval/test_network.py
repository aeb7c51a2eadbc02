"""The nets: C++ against plain numpy, the same bits everywhere, sane outputs always."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given

from kibitz import Dice, Engine, Position, State, _core
from kibitz.bench import boards
from kibitz.bulk import plays_bulk
from kibitz.engine.network_file import FEATURES, RaceShape, Shape, kind_of, layers_of
from kibitz.engine.networks import NetworkFolder
from kibitz.testing import dice, positions

ROLES = ("contact", "pruning", "prefilter")


@pytest.fixture(scope="module")
def nets() -> NetworkFolder:
    return NetworkFolder.load()


@pytest.fixture(scope="module")
def many_boards() -> npt.NDArray[np.uint8]:
    """Ten thousand and more boards of all kinds: the results of some rolls from the bench's positions."""
    rolls = np.tile(np.array([[6, 1], [5, 2], [4, 3]], np.uint8), (len(boards()), 1))
    found = plays_bulk(np.repeat(boards(), 3, axis=0), rolls).boards
    assert len(found) > 10_000
    return found


def forward_in_numpy(payload: bytes, shape: Shape | RaceShape, found: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """The net in floating point, straight from its description: units, clipped activations, logistic outputs."""
    layers = {name: values.astype(np.float64) for name, values in layers_of(payload, shape).items()}
    counts = np.concatenate([found[:, 0], found[:, 1], 15 - found.sum(axis=2)], axis=1).astype(np.float64)
    units = np.stack([counts >= 1, counts >= 2, counts >= 3, counts >= 4, np.maximum(counts - 4, 0)], axis=2)
    inputs = units.reshape(len(found), -1).astype(np.float64)
    feature_set, sets = kind_of(payload, shape)
    if feature_set == FEATURES:
        inputs = np.concatenate([inputs, _core.features(found)], axis=1)
    one, weight = _core.ACTIVATION_ONE, _core.WEIGHT_ONE
    first = inputs @ (layers["units"] / one) + layers["bias1"] / one
    mine, theirs = (np.minimum(found[:, side, 18:].sum(axis=1), 3) for side in (0, 1))
    chosen = 4 * mine + theirs if sets > 1 else np.zeros(len(found), int)
    logits = np.empty((len(found), 5))
    for number in np.unique(chosen):
        hidden = first[chosen == number]
        for layer in (2, 3, 4):
            weights, bias = layers[f"weights{layer}"][number] / weight, layers[f"bias{layer}"][number] / (one * weight)
            hidden = np.clip(hidden, 0, 4) @ weights + bias
        logits[chosen == number] = hidden
    return 1.0 / (1.0 + np.exp(-logits))


@pytest.mark.parametrize("role", ROLES)
def test_core_agrees_with_numpy(nets: NetworkFolder, many_boards: npt.NDArray[np.uint8], role: str) -> None:
    """Integers against floating point: what is left is the rounding of activations."""
    file = nets.files[role]
    expected = forward_in_numpy(file.payload, file.shape, many_boards)
    difference = np.abs(file.network().evaluate_batch(many_boards) - expected)
    assert difference.max() < 5e-3
    assert difference.mean() < 2e-4


def test_every_instruction_set_gives_the_same_bits(many_boards: npt.NDArray[np.uint8], tmp_path: object) -> None:
    """SSE2, AVX2 and AVX-512 agree to the last bit, one by one and along a roll."""
    np.save(f"{tmp_path}/boards.npy", many_boards)
    program = (
        "import hashlib, sys, numpy as np\n"
        "from kibitz import _core\n"
        "from kibitz.engine.networks import evaluator_of\n"
        "boards = np.load(sys.argv[1]); rolls = np.tile(np.array([[3, 1]], np.uint8), (len(boards), 1))\n"
        "evaluator = evaluator_of()\n"
        "outputs = evaluator.evaluate_batch(boards)\n"
        "_, best, values = evaluator.best_plays(boards[::9], rolls[::9], 5)\n"
        "digest = hashlib.sha256(outputs.tobytes() + best.tobytes() + values.tobytes()).hexdigest()\n"
        "print(_core.instruction_set(), digest)\n"
    )
    digests = {}
    for wanted in ("sse2", "avx2", "avx512"):
        run = subprocess.run(
            [sys.executable, "-c", program, f"{tmp_path}/boards.npy"],
            env={**os.environ, "KIBITZ_ISA": wanted},
            capture_output=True,
            text=True,
            check=True,
        )
        used, digest = run.stdout.split()
        digests[used] = digest
    assert len(set(digests.values())) == 1
    assert len(digests) >= 2 or _core.instruction_set() not in ("avx2", "avx512")


def test_along_a_roll_equals_one_by_one(nets: NetworkFolder) -> None:
    """The incremental first layer changes no bit."""
    evaluator = nets.evaluator()
    for board in boards()[::10]:
        position = Position.from_board(board)
        for roll in ((6, 5), (3, 3), (2, 1)):
            ranked = evaluator.rank_results(position.rows, *roll)
            for rows, mine in ranked[:5]:
                theirs = evaluator.evaluate_batch(Position.from_rows(rows).board[None])[0]
                swapped = [1.0 - theirs[0], theirs[3], theirs[4], theirs[1], theirs[2]]
                np.testing.assert_array_equal(np.array(mine, np.float32), np.array(swapped, np.float32))


def test_a_batch_changes_nothing(nets: NetworkFolder, many_boards: npt.NDArray[np.uint8]) -> None:
    """A position's outputs do not depend on the company it is in."""
    evaluator = nets.evaluator()
    together = evaluator.evaluate_batch(many_boards[:300])
    alone = np.concatenate([evaluator.evaluate_batch(many_boards[i : i + 1]) for i in range(300)])
    np.testing.assert_array_equal(together, alone)


@given(positions())
def test_outputs_are_sane(position: Position) -> None:
    """Probabilities, nested, and zero for what can no longer happen."""
    found = Engine(plies=0).evaluate(State(position))
    assert 0.0 <= found.win_backgammon <= found.win_gammon <= found.win <= 1.0
    assert 0.0 <= found.lose_backgammon <= found.lose_gammon <= found.lose + 1e-7
    mine, theirs = sum(position.mine), sum(position.theirs)
    if theirs < 15:
        assert found.win_gammon == found.win_backgammon == 0.0
    if mine < 15:
        assert found.lose_gammon == found.lose_backgammon == 0.0
    if not position.in_contact:
        if not any(position.theirs[18:]):
            assert found.win_backgammon == 0.0
        if not any(position.mine[18:]):
            assert found.lose_backgammon == 0.0


@given(positions(playable=True), dice())
def test_ranked_plays_are_the_legal_ones_in_order(position: Position, roll: Dice) -> None:
    """Every legal play once, best first."""
    ranked = Engine().rank(State(position, dice=roll), plies=0, cubeful=False)
    assert {entry.play.result for entry in ranked} == {play.result for play in position.plays(roll)}
    equities = [entry.equity for entry in ranked]
    assert equities == sorted(equities, reverse=True)


def test_evaluating_twice_gives_the_same_digits() -> None:
    """No state is left behind."""
    first = Engine().evaluate_batch(boards())
    second = Engine().evaluate_batch(boards())
    assert hashlib.sha256(first.tobytes()).digest() == hashlib.sha256(second.tobytes()).digest()
