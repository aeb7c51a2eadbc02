"""Recorded games, rare starts, distillation and held-out rollouts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from kibitz import Position, _core
from kibitz.cli import app
from kibitz.engine.network_file import NetworkFile
from kibitz.engine.networks import NetworkFolder
from kibitz.errors import FormatError
from kibitz.train.buffer import in_contact
from kibitz.train.distil import Distillation, DistillationSettings
from kibitz.train.held_out import NATURAL, HeldOut, make, roll_out
from kibitz.train.prefilter import PrefilterSettings, batch_of, floats_of, loss_of, train_prefilter
from kibitz.train.record import ONE, RecordSettings, boards_of, equity_of, load_games, record_games
from kibitz.train.starts import KINDS, rare_starts, start_of

FEW = RecordSettings(turns=300, rare=2)


@pytest.fixture(scope="module")
def nets() -> NetworkFolder:
    """The shipped nets."""
    return NetworkFolder.load()


@pytest.fixture(scope="module")
def games(nets: NetworkFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two files of games, the second of rare starts."""
    folder = tmp_path_factory.mktemp("games")
    assert len(list(record_games(nets.evaluator(), folder, 2, 5, FEW))) == 2
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_rare_starts_are_positions_of_their_kind(kind: str) -> None:
    """A start is a legal position with contact, for either side to roll."""
    random = np.random.default_rng(4)
    for _ in range(50):
        board = start_of(kind, random)
        position = Position.from_board(board)  # refuses too many checkers and points that both sides hold
        assert position.in_contact and not position.is_over
        back = board[:, 16:].sum(axis=1).max()
        if kind == "back game":
            assert ((board[:, 18:24] >= 2).sum(axis=1) >= 2).any()
        if kind == "many back":
            assert back >= 4
        if kind == "containment":
            assert ((board[:, 1:14] >= 2).sum(axis=1) >= 3).any()


def test_rare_starts_are_of_all_kinds() -> None:
    """As many of each kind, and none twice."""
    boards = rare_starts(len(KINDS) * 20, np.random.default_rng(1))
    assert len(np.unique(boards.reshape(len(boards), -1), axis=0)) > 0.99 * len(boards)


def test_recorded_games_are_played_once(nets: NetworkFolder, games: Path, tmp_path: Path) -> None:
    """A file follows from its seed and number, and one that is there is not played again."""
    assert not list(record_games(nets.evaluator(), games, 2, 5, FEW))
    (path,) = record_games(nets.evaluator(), tmp_path, 1, 5, FEW)
    with np.load(path) as again, np.load(games / path.name) as first:
        for name in first.files:
            np.testing.assert_array_equal(again[name], first[name])


def test_targets_of_recorded_games_are_lambda_returns(games: Path) -> None:
    """Each target is a mean of the n-step returns, weighted by (1 - lambda) lambda^n and lambda^n for the last."""
    path = sorted(games.glob("*.npz"))[0]
    lambda_ = 0.8
    boards, targets = load_games(path, lambda_)
    assert in_contact(boards).all()
    with np.load(path) as file:
        values, backups = (equity_of(file[name] / ONE) for name in ("values", "backups"))
        traced = file["traced"].astype(bool)
    assert 0.9 < traced.mean() < 1.0

    def returned(turn: int, steps: int) -> float:
        """The backup after so many more turns, with what the luck of the turns between was worth taken out."""
        total = 0.0
        for later in range(turn, turn + steps):
            total += (-1) ** (later - turn) * (backups[later] + values[later + 1])
        return float(total + (-1) ** steps * backups[turn + steps])

    for turn in range(0, len(boards), 37):
        last = 0
        while traced[turn + last]:
            last += 1
        expected = sum((1 - lambda_) * lambda_**n * returned(turn, n) for n in range(last))
        expected += lambda_**last * returned(turn, last)
        assert equity_of(targets[turn]) == pytest.approx(expected, abs=1e-4)


def test_a_start_without_contact_is_refused(nets: NetworkFolder) -> None:
    """Games end with the contact, so they cannot start without."""
    board = np.zeros((1, 2, 25), np.uint8)
    board[0, :, 0] = 2
    with pytest.raises(ValueError, match="no contact"):
        _core.Generator(nets.evaluator(), 1).record(10, board)


def test_games_from_rare_starts_may_have_a_lambda_of_their_own(nets: NetworkFolder, tmp_path: Path) -> None:
    """The third file of a seed begins with rare starts; the others keep the usual lambda."""
    few = RecordSettings(turns=100)
    paths = list(record_games(nets.evaluator(), tmp_path / "games", 3, 7, few))
    settings = DistillationSettings(steps=1, lambda_=0.2, rare_lambda=0.9)
    learning = Distillation(tmp_path / "run", [tmp_path / "games"], nets.files["contact"], settings)
    learning.look()
    expected = np.concatenate([load_games(path, 0.9 if path is paths[2] else 0.2)[1] for path in paths])
    np.testing.assert_array_equal(learning.buffer.newest(len(expected))[1], expected)
    assert not np.array_equal(load_games(paths[2], 0.9)[1], load_games(paths[2], 0.2)[1])


def test_distillation_goes_on_from_its_checkpoint(nets: NetworkFolder, games: Path, tmp_path: Path) -> None:
    """What a net has learnt is kept, its steps count on, and it is closer to the targets than before."""
    settings = DistillationSettings(32, 0.9, rate=(3e-4, 1e-4), batch=128, averaging=0.1, capacity=2000, uses=100)
    contact = nets.files["contact"]
    first = Distillation(tmp_path, [games], contact, settings)
    net = first.run(print)
    again = Distillation(tmp_path, [games], contact, settings)
    assert again.learner.steps == 32
    assert again.run(print).payload == net.payload
    boards, targets = load_games(sorted(games.glob("*.npz"))[0], settings.lambda_)
    off = [
        np.abs(equity_of(one.network().evaluate_batch(boards)) - equity_of(targets)).mean() for one in (contact, net)
    ]
    assert off[1] < off[0]
    assert net.provenance["from"] == contact.provenance


def test_the_prefilters_gradients_are_right(nets: NetworkFolder, games: Path) -> None:
    """Every layer's steepest gradient is the difference that a small change of the weight makes."""
    batch = batch_of(nets.evaluator(), boards_of([games]), 60, np.random.default_rng(2))
    weights: Any = {name: value.astype(np.float64) for name, value in floats_of(nets.files["prefilter"]).items()}
    sharpness = (0.08, 0.03)
    _, gradients = loss_of(weights, batch, sharpness)
    for name, gradient in gradients.items():
        place = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        losses = []
        for step in (1e-5, -1e-5):
            moved: Any = {**weights, name: weights[name].copy()}
            moved[name][place] += step
            losses.append(loss_of(moved, batch, sharpness)[0])
        assert gradient[place] == pytest.approx((losses[0] - losses[1]) / 2e-5, rel=1e-4)


def test_the_prefilter_learns_the_order_of_plays(nets: NetworkFolder, games: Path) -> None:
    """From a net that says nothing of plays it comes to find the good ones likelier, in the integers of its file."""
    boards = boards_of([games])
    fresh = NetworkFile("prefilter", (128, 32, 32), _core.Learner(128, 32, 32, 1).payload(False))
    learnt = train_prefilter(fresh, nets.evaluator(), boards, PrefilterSettings(40, 200, (5e-3, 1e-3), 0.1))
    batch = batch_of(nets.evaluator(), boards, 300, np.random.default_rng(9))
    losses = [loss_of(floats_of(net), batch, (0.08, 0.03))[0] for net in (fresh, learnt)]
    assert losses[0] > losses[1] + 0.3


def test_pruning_nets_are_taught_by_a_command(nets: NetworkFolder, games: Path, tmp_path: Path) -> None:
    """Both small nets are new, the others as they were; without games there is a clear line."""
    words = ["train", "pruning", "--games", str(games), "--export", str(tmp_path / "nets")]
    result = CliRunner().invoke(app, [*words, "--rounds", "1", "--prefilter", "1"])
    assert result.exit_code == 0
    made = NetworkFolder.load(tmp_path / "nets")
    boards = boards_of([games])
    for role in ("contact", "pruning"):
        before, after = (folder.files[role].network().evaluate_batch(boards) for folder in (nets, made))
        assert np.array_equal(before, after) == (role == "contact")
    assert made.files["race"] == nets.files["race"]
    assert made.files["prefilter"].payload != nets.files["prefilter"].payload
    with pytest.raises(FormatError, match="no recorded games"):
        boards_of([tmp_path / "nothing"])


def test_held_out_pairs_are_rolled_out_once(nets: NetworkFolder, tmp_path: Path) -> None:
    """A file that is there is gone on with, and holds the same pairs as one that was made at once."""
    for path, counts in ((tmp_path / "once.npz", (3,)), (tmp_path / "twice.npz", (2, 3))):
        for count in counts:
            make(nets.evaluator(), path, count, 36, 3)
    with np.load(tmp_path / "once.npz") as once, np.load(tmp_path / "twice.npz") as twice:
        for name in once.files:
            np.testing.assert_array_equal(once[name], twice[name])
        assert in_contact(once["boards"].reshape(-1, 2, 25)).all()
        games = roll_out(nets.evaluator(), once["boards"][1], 36, 3 + 1)
        np.testing.assert_allclose(once["means"][1], games.mean(axis=0))
    result = CliRunner().invoke(app, ["train", "measure", str(tmp_path / "once.npz")])
    assert result.exit_code == 0 and NATURAL in result.output


def test_held_out_errors(tmp_path: Path) -> None:
    """Rollouts themselves have no error; a choice loses what the rollouts say; what both share spoils no difference."""
    path = tmp_path / "held.npz"
    means = np.zeros((2, 2, 5))
    means[:, :, 0] = [[0.5, 0.45], [0.5, 0.52]]  # of the player on roll after the play: the lower, the better
    np.savez(
        path, kinds=[NATURAL, "snake"], boards=np.zeros((2, 2, 2, 25), np.uint8), means=means, errors=np.zeros((2, 3))
    )
    held = HeldOut(path)
    exact = held.measure(held.equities)
    assert exact["all"] == {"pairs": 2, "rms": 0, "bias": 0, "apart": 0, "lost": 0}
    shifted = held.measure(held.equities + 0.01)["all"]
    assert shifted["rms"] == pytest.approx(10) and shifted["bias"] == pytest.approx(10)
    assert shifted["apart"] == pytest.approx(0, abs=1e-6) and shifted["lost"] == 0
    wrong = held.measure(-held.equities)
    assert wrong[NATURAL]["lost"] == pytest.approx(100) and wrong["snake"]["lost"] == pytest.approx(40)
    assert wrong["rare"] == wrong["snake"]


def test_train_knows_its_parts() -> None:
    """The parts of training are listed, and a folder needs no word before it."""
    runner = CliRunner()
    listed = runner.invoke(app, ["train", "--help"]).output
    assert all(part in listed for part in ("run", "record", "distil", "pruning", "held-out", "measure"))
    assert "--minutes" in runner.invoke(app, ["train", "FOLDER", "--help"]).output
