"""Training: targets, growth, checkpoints."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kibitz import ALL_ROLLS, FormatError, Position, _core
from kibitz.bench import boards
from kibitz.bulk import plays_bulk
from kibitz.engine.network_file import NetworkFile, layers_of
from kibitz.engine.networks import NetworkFolder
from kibitz.train.buffer import ReplayBuffer, in_contact
from kibitz.train.export import export, in_company
from kibitz.train.grow import grown
from kibitz.train.pruning import distilled_pruning, likely, ordering, runs
from kibitz.train.race import RaceCourse, RaceSettings
from kibitz.train.record import equity_of
from kibitz.train.run import TrainingRun, race_net
from kibitz.train.score import JudgedDecisions, Score
from kibitz.train.settings import Stage, TrainingSettings

CUT = (b"", b"PK\x03\x04", b"no archive at all")


TINY = TrainingSettings(
    stages=(
        Stage("first", 32, (64, 16, 16), prefilter=(64, 16, 16), exact=False),
        Stage("second", 64, (128, 32, 16), prefilter=(64, 32, 16), buckets=True),
    ),
    race=RaceSettings(shape=(64, 16), rows=64, rounds=2, steps=2),
    batch=128,
    chunk=300,
    capacity=20_000,
    players=1,
    pruning_rounds=2,
)


def plain_backup(evaluator: _core.NeuralEvaluator, position: Position, plies: int) -> np.ndarray:
    """The average over 21 rolls of the best reply, which is looked at `plies` - 1 further, roll by roll."""
    total = np.zeros(5)
    for roll in ALL_ROLLS:
        ranked = evaluator.rank_results(position.rows, roll.high, roll.low)
        result = Position.from_rows(ranked[0][0]) if ranked else position.swapped()
        theirs = evaluator.evaluate_batch(result.board[None])[0].astype(np.float64)
        if plies > 1 and not result.is_over:
            theirs = plain_backup(evaluator, result, plies - 1)
        total += np.array([1 - theirs[0], theirs[3], theirs[4], theirs[1], theirs[2]]) * roll.weight / 36
    return total


def test_targets_are_exact_backups() -> None:
    """Without a trace, a target is the average over 21 rolls of the best reply."""
    evaluator = NetworkFolder.load().evaluator()
    generator = _core.Generator(evaluator, 7)
    generator.set_settings(True, 1000, 0.0, 0.0, 0.0)
    _, found, targets = generator.generate(40, 0.0)
    for board, target in list(zip(found, targets, strict=True))[::8]:
        np.testing.assert_allclose(target, plain_backup(evaluator, Position.from_board(board), 1), atol=2e-5)


def test_what_later_positions_learnt_flows_back_uncut() -> None:
    """A target is its backup and a share of what the next position's target adds to the net's value, be it below 0."""
    evaluator = NetworkFolder.load().evaluator()
    share = 0.9

    def generated(trace: float) -> tuple[np.ndarray, np.ndarray]:
        generator = _core.Generator(evaluator, 7)
        generator.set_settings(True, 5, 0.0, 0.0, 0.0)
        _, found, targets = generator.generate(400, trace)
        return found, targets.astype(np.float64)

    found, backups = generated(0.0)
    again, targets = generated(share)
    assert (found == again).all()
    values = evaluator.evaluate_batch(found).astype(np.float64)
    expected = backups.copy()
    for i in range(len(found) - 1):
        if (found[i + 1] != Position.start().board).any():
            learnt = targets[i + 1] - values[i + 1]
            expected[i] += share * np.array([-learnt[0], learnt[3], learnt[4], learnt[1], learnt[2]])
    np.testing.assert_allclose(targets, expected, atol=1e-5)
    assert (targets < 0).any()


def test_doubtful_targets_get_a_second_ply() -> None:
    """Where the net and its backup differ by more than the doubt, the target is two plies deep; elsewhere one."""
    evaluator = NetworkFolder.load().evaluator()
    generator = _core.Generator(evaluator, 7)
    generator.set_settings(True, 1000, 0.0, 0.0, 0.0)
    _, found, shallow = generator.generate(40, 0.0)
    again = _core.Generator(evaluator, 7)
    again.set_settings(True, 1000, 0.0, 0.0, 0.0, 0.03)
    _, boards_again, targets = again.generate(40, 0.0)
    np.testing.assert_array_equal(found, boards_again)

    def equity(outputs: np.ndarray) -> np.ndarray:
        return np.asarray(2 * outputs[:, 0] - 1 + outputs[:, 1] - outputs[:, 3] + outputs[:, 2] - outputs[:, 4])

    doubtful = np.abs(equity(shallow) - equity(evaluator.evaluate_batch(found))) > 0.03
    assert 0 < doubtful.sum() < len(found)
    np.testing.assert_array_equal(targets[~doubtful], shallow[~doubtful])
    for place in np.flatnonzero(doubtful)[:2]:
        expected = plain_backup(evaluator, Position.from_board(found[place]), 2)
        np.testing.assert_allclose(targets[place], expected, atol=5e-5)


def test_plays_explored_near_the_best_are_nearly_as_good() -> None:
    """Where every play is such a one, the next position is among those on the shortlist that give up at most 0.1."""
    evaluator = NetworkFolder.load().evaluator()
    generator = _core.Generator(evaluator, 3)
    generator.set_settings(True, 1000, 0.0, 1.0, 0.0)
    _, found, _ = generator.generate(60, 0.0)
    given_up = []
    for turn, board in pairwise(found):
        if (board == Position.start().board).all():
            break
        before = Position.from_board(turn)
        reached = [
            (ranked[0][1], mine)
            for roll in ALL_ROLLS
            for ranked in [evaluator.rank_results(before.rows, roll.high, roll.low)]
            for rows, mine in ranked
            if (Position.from_rows(rows).board == board).all()
        ]

        def equity(outputs: list[float]) -> float:
            return 2 * outputs[0] - 1 + outputs[1] - outputs[3] + outputs[2] - outputs[4]

        if reached:
            given_up.append(min(equity(best) - equity(mine) for best, mine in reached))
    assert len(given_up) > 20
    assert max(given_up) <= 0.1 + 1e-5
    assert sum(loss > 0 for loss in given_up) > 5


def test_the_same_seed_plays_the_same_games() -> None:
    """Everything follows from the seed."""
    evaluator = NetworkFolder.load().evaluator()
    runs = []
    for _ in range(2):
        generator = _core.Generator(evaluator, 11)
        generator.set_settings(True, 5, 0.1, 0.2, 0.5)
        runs.append(generator.generate(100, 0.5))
    np.testing.assert_array_equal(runs[0][1], runs[1][1])
    np.testing.assert_array_equal(runs[0][2], runs[1][2])


def test_a_learner_learns() -> None:
    """Fixed targets are met more closely with every pass."""
    learner = _core.Learner(64, 16, 16, 1)
    targets = np.clip(np.random.default_rng(1).random((len(boards()), 5), np.float32) * 0.5, 0, 1)
    targets[:] = boards()[:, 0, :5].astype(np.float32) / 15
    places = np.random.default_rng(2).integers(0, len(boards()), 4096).astype(np.uint32)
    losses = [learner.train(boards(), targets, places, 256, 3e-3, 1e-2) for _ in range(12)]
    assert losses[-1] < 0.3 * losses[0]


def test_gradients_are_those_of_numpy() -> None:
    """After one step, Adam's first moment is a tenth of the gradient: here it is again, written out layer by layer."""
    shape = (64, 32, 16)
    learner = _core.Learner(*shape, 4)
    targets = np.random.default_rng(5).random((len(boards()), 5), np.float32)
    places = np.arange(0, 300, dtype=np.uint32)
    flat = np.split(learner.state().astype(np.float64), 4)[0]
    learner.train(boards(), targets, places, len(places), 1e-3, 1e-3)
    moment = np.split(learner.state().astype(np.float64), 4)[1]

    sizes = [(260, 64), (64,), (64, 32), (32,), (32, 16), (16,), (16, 16), (16,)]
    ends = np.cumsum([int(np.prod(size)) for size in sizes])
    layers = [part.reshape(size) for part, size in zip(np.split(flat, ends[:-1]), sizes, strict=True)]
    found = boards()[places]
    counts = np.concatenate([found[:, 0], found[:, 1], 15 - found.sum(axis=2)], axis=1).astype(np.float64)
    units = np.stack([*(counts >= least for least in (1, 2, 3, 4)), np.maximum(counts - 4, 0) / 4], axis=2)
    inputs, sums = [units.reshape(len(found), -1)], []
    for number in range(4):
        sums.append(inputs[-1] @ layers[2 * number] + layers[2 * number + 1])
        inputs.append(np.clip(sums[-1], 0, 4))
    # The loss: 0.3 cross entropy, 0.7 twice the squared error, 0.5 twice the squared error of the equity.
    estimates = 1 / (1 + np.exp(-sums[3][:, :5]))
    errors, worth = estimates - targets[places], np.array([2, 1, 1, -1, -1])
    slopes = estimates * (1 - estimates)
    delta = np.zeros((len(found), 16))
    delta[:, :5] = np.abs(worth) * (0.3 * errors + 2.8 * errors * slopes)
    delta[:, :5] += 2.0 * (errors @ worth)[:, None] * worth * slopes
    delta /= len(found)
    gradients: list[np.ndarray] = []
    for number in (3, 2, 1, 0):
        gradients = [inputs[number].T @ delta, delta.sum(axis=0), *gradients]
        if number:
            delta = (delta @ layers[2 * number].T) * ((sums[number - 1] > 0) & (sums[number - 1] < 4))
    expected = np.concatenate([gradient.ravel() for gradient in gradients])
    np.testing.assert_allclose(moment * 10, expected, atol=2e-6 * max(1.0, float(np.abs(expected).max())), rtol=1e-3)


@pytest.mark.parametrize(("features", "buckets"), [(False, False), (True, False), (True, True)])
def test_quantised_and_trained_nets_agree(features: bool, buckets: bool) -> None:
    """What plays is what was trained, but for rounding."""
    learner = _core.Learner(128, 32, 16, 3, features=features, buckets=buckets)
    targets = np.full((len(boards()), 5), 0.25, np.float32)
    learner.train(boards(), targets, np.arange(len(boards()), dtype=np.uint32), 64, 1e-3, 1e-3)
    network = _core.Network(*learner.shape, learner.payload(True))
    assert np.abs(network.evaluate_batch(boards()) - learner.evaluate_batch(boards())).max() < 2e-3


def test_growing_changes_no_output() -> None:
    """New units have no say until they are trained."""
    learner = _core.Learner(64, 16, 16, 5)
    larger = grown(learner.payload(True), (64, 16, 16), (192, 48, 32), seed=1)
    before = _core.Network(64, 16, 16, learner.payload(True)).evaluate_batch(boards())
    after = _core.Network(192, 48, 32, larger).evaluate_batch(boards())
    np.testing.assert_array_equal(before, after)
    with pytest.raises(ValueError, match="cannot grow"):
        grown(larger, (192, 48, 32), (64, 16, 16), seed=1)


def test_features_have_no_say_until_they_are_trained() -> None:
    """So a net that has learnt without them can go on with them, but not the other way round."""
    plain = _core.Learner(64, 16, 16, 5)
    told = _core.Learner(64, 16, 16, 6, features=True)
    told.load_payload(plain.payload(True))
    networks = [_core.Network(64, 16, 16, one.payload(True)) for one in (plain, told)]
    np.testing.assert_array_equal(networks[0].evaluate_batch(boards()), networks[1].evaluate_batch(boards()))
    with pytest.raises(ValueError, match="without"):
        plain.load_payload(told.payload(True))
    larger = grown(told.payload(True), (64, 16, 16), (128, 16, 16), seed=1)
    np.testing.assert_array_equal(
        networks[1].evaluate_batch(boards()), _core.Network(128, 16, 16, larger).evaluate_batch(boards())
    )


def test_each_bucket_trains_layers_of_its_own() -> None:
    """Within one bucket they learn as the layers of a plain net do; those of the others stay as they were."""
    plain = _core.Learner(64, 16, 16, 5)
    split = _core.Learner(64, 16, 16, 6, buckets=True)
    for learner in (split, plain):
        learner.load_payload(plain.payload(True))
    before = layers_of(split.payload(False), split.shape)
    found = boards()[in_contact(boards())]
    np.testing.assert_array_equal(plain.evaluate_batch(found), split.evaluate_batch(found))

    # Both sides have two checkers far back, as at the start of a game: the bucket of 2 * 4 + 2.
    alike = np.ascontiguousarray(found[(found[:, :, 18:].sum(axis=2) == 2).all(axis=1)])
    assert len(alike) >= 64
    targets = np.full((len(alike), 5), 0.25, np.float32)
    for learner in (plain, split):
        learner.train(alike, targets, np.arange(64, dtype=np.uint32), 32, 1e-3, 1e-3)
    np.testing.assert_array_equal(plain.evaluate_batch(alike, False), split.evaluate_batch(alike, False))
    after = layers_of(split.payload(False), split.shape)
    changed = [number for number in range(16) if (before["weights2"][number] != after["weights2"][number]).any()]
    assert changed == [10]
    with pytest.raises(ValueError, match="without"):
        plain.load_payload(split.payload(True))


def test_a_net_with_buckets_grows_and_is_put_in_order() -> None:
    """Neither changes an output."""
    learner = _core.Learner(64, 16, 16, 5, features=True, buckets=True)
    payload = learner.payload(True)
    before = _core.Network(64, 16, 16, payload).evaluate_batch(boards())
    larger = grown(payload, (64, 16, 16), (128, 32, 32), seed=1)
    np.testing.assert_array_equal(before, _core.Network(128, 32, 32, larger).evaluate_batch(boards()))
    ordered = in_company(payload, (64, 16, 16), boards())
    np.testing.assert_array_equal(before, _core.Network(64, 16, 16, ordered).evaluate_batch(boards()))


def test_batches_teach_a_pruning_net_the_order_of_results() -> None:
    """It learns what the strong net says of the results of one roll beside each other."""
    files = NetworkFolder.load().files
    evaluator = NetworkFolder.load().evaluator()
    fresh = _core.Learner(64, 16, 16, 2)
    found = boards()[in_contact(boards())]
    bulk = plays_bulk(found, np.tile(np.array([[4, 2]], np.uint8), (len(found), 1)))
    rolls = np.repeat(np.arange(len(found)), np.diff(bulk.offsets))
    contact = in_contact(bulk.boards)
    results, rolls = bulk.boards[contact], rolls[contact]

    def error(net: NetworkFile) -> float:
        off = net.network().evaluate_batch(results)[:, 0] - evaluator.evaluate_batch(results)[:, 0]
        common = np.bincount(rolls, off) / np.maximum(np.bincount(rolls), 1)
        return float(np.abs(off - common[rolls]).mean())

    before = replace(files["pruning"], shape=(64, 16, 16), payload=fresh.payload(True))
    after = distilled_pruning(before, evaluator, found, rounds=20, seed=1)
    assert error(after) < 0.8 * error(before)
    assert after.provenance["distilled"] == {"rounds": 20, "seed": 1}


def test_the_likeliest_result_of_a_roll_is_the_best() -> None:
    """The opponent's equity counts, the least is best, and the chances of a roll's results add up to one."""
    starts, places = runs(np.array([0, 0, 0, 4, 4]))
    chances = likely(np.array([0.1, 0.06, 0.5, 0.9, 0.9], np.float32), starts, places)
    np.testing.assert_allclose(chances, [0.2689, 0.7311, 0.0, 0.5, 0.5], atol=1e-4)


def test_a_result_that_should_be_likelier_gets_a_lower_target() -> None:
    """Only then; one that is as likely as it should be keeps its estimate."""
    estimates = np.full((3, 5), 0.3, np.float32)
    targets = ordering(estimates, np.array([0.5, 0.0, -0.5], np.float32))
    lower, same, higher = equity_of(targets) - equity_of(estimates)
    assert lower < same == 0.0 < higher


def test_the_order_of_units_changes_no_output() -> None:
    """It only saves inference some work."""
    learner = _core.Learner(128, 16, 16, 9)
    payload = learner.payload(True)
    ordered = in_company(payload, learner.shape, boards())
    assert ordered != payload
    before, after = (_core.Network(*learner.shape, one).evaluate_batch(boards()) for one in (payload, ordered))
    np.testing.assert_array_equal(before, after)


def test_a_learners_state_is_all_there_is() -> None:
    """A copy made from the state goes on with the same digits."""
    targets = np.full((len(boards()), 5), 0.25, np.float32)
    places = np.arange(512, dtype=np.uint32)
    first = _core.Learner(64, 16, 16, 1)
    first.train(boards(), targets, places, 128, 1e-3, 1e-3)
    second = _core.Learner(64, 16, 16, 2)
    second.set_state(first.state(), first.steps)
    for learner in (first, second):
        learner.train(boards(), targets, places, 128, 1e-3, 1e-3)
    np.testing.assert_array_equal(first.state(), second.state())


def test_a_run_goes_through_its_stages_and_resumes(tmp_path: Path) -> None:
    """From nothing to larger nets; a second run goes on where the checkpoint is; nets come out as files."""
    run = TrainingRun(tmp_path / "run", TINY)
    run.run(minutes=2.0)
    assert run.learners["contact"].shape == (128, 32, 16)
    assert run.progress.positions > 300
    kept = {role: learner.state() for role, learner in run.learners.items()}
    again = TrainingRun(tmp_path / "run", TrainingSettings.load(tmp_path / "run" / "settings.json"))
    for role, state in kept.items():
        np.testing.assert_array_equal(again.learners[role].state(), state)
    assert again.settings == TINY
    assert again.progress.positions == run.progress.positions
    lines = [json.loads(line) for line in (tmp_path / "run" / "curve.jsonl").read_text().splitlines()]
    assert lines[-1]["positions"] == run.progress.positions
    written = export(tmp_path / "run", tmp_path / "nets")
    assert len(written) == 4
    assert NetworkFolder.load(tmp_path / "nets").files["contact"].shape == (128, 32, 16)
    export(tmp_path / "run", tmp_path / "nets")
    assert sorted(path.name for path in (tmp_path / "nets").iterdir()) == sorted(path.name for path in written)


def test_a_run_goes_on_from_given_nets(tmp_path: Path) -> None:
    """The nets of a folder, as they were, are what a new run begins with."""
    files = NetworkFolder.load().files
    settings = replace(TrainingSettings.onward(seed=3), capacity=1000)
    run = TrainingRun(tmp_path, settings, nets=files)
    for role, learner in run.learners.items():
        file = files[role]
        assert learner.shape == settings.stages[-1].shapes[role]
        now = _core.Network(*learner.shape, learner.payload(True)).evaluate_batch(boards())
        np.testing.assert_array_equal(now, file.network().evaluate_batch(boards()))
    assert run.race == files["race"]


def test_a_run_learns_races_once(tmp_path: Path) -> None:
    """The race net is kept in the folder, and games end with the contact: races are not learnt from them."""
    run = TrainingRun(tmp_path, TINY)
    assert run.race.shape == TINY.race.shape
    assert TrainingRun(tmp_path, TINY).race.payload == run.race.payload
    _, found, _ = _core.Generator(run.evaluator, 1).generate(200, 0.0)
    assert in_contact(found).all()


def test_the_buffer_keeps_the_newest() -> None:
    """Oldest samples are overwritten first, and a window looks at the newest."""
    buffer = ReplayBuffer(10)
    for number in range(13):
        board = np.full((1, 2, 25), number, np.uint8)
        buffer.add(board, np.full((1, 5), number, np.float32))
    assert buffer.newest(3)[1][:, 0].tolist() == [10, 11, 12]
    places = buffer.draw(1000, 4, np.random.default_rng(1))
    assert set(buffer.targets[places, 0].tolist()) == {9, 10, 11, 12}


def test_contact_by_numpy_agrees_with_the_position() -> None:
    """The buffer's split of boards is that of the engine."""
    expected = [Position.from_board(board).in_contact for board in boards()]
    assert in_contact(boards()).tolist() == expected


def test_scores_on_judged_decisions(shared: Path) -> None:
    """The judge itself loses nothing, and the shipped nets less than a random choice does (26 mEq)."""
    decisions = JudgedDecisions(shared / "bench" / "decisions.jsonl.gz")
    assert len(decisions.positions) == 8000
    assert decisions.losses_of(decisions.equities).sum() == 0.0
    assert decisions.score(NetworkFolder.load().evaluator())["all"].mean < 12.0
    assert str(Score.of(np.array([0.001, 0.003]))).startswith("2.000 +-0.707 mEq")


def test_the_minutes_hold_for_the_race_net_too(tmp_path: Path) -> None:
    """A run that is stopped there has kept what it learnt, and its settings."""
    settings = replace(TINY, seed=3, race=replace(TINY.race, rounds=4))
    for done in (1, 2, 3):
        assert race_net(tmp_path, settings, {}, minutes=0.0) is None
        assert RaceCourse(settings.race, 3, tmp_path / "race.npz").done == done
    assert TrainingSettings.load(tmp_path / "settings.json") == settings
    finished = race_net(tmp_path, settings, {}, minutes=0.0)
    assert finished is not None and finished.role == "race"
    assert not (tmp_path / "race.npz").exists()


@pytest.mark.parametrize("name", ["checkpoint.npz", "race.npz"])
def test_a_damaged_checkpoint_is_told_of_in_a_line(name: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole.npz"
    np.savez(whole, progress=np.zeros(3, np.uint8), done=np.array(1), steps=np.array(1), rows=np.zeros((2, 2)))
    if name == "checkpoint.npz":
        TrainingRun(tmp_path, TINY)  # the race net is there before the checkpoint is looked at
    for content in (*CUT, whole.read_bytes()[:-20], whole.read_bytes()[:300], whole.read_bytes()):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FormatError, match=f"{name} is damaged or foreign") as told:
            TrainingRun(tmp_path, TINY)
        assert "\n" not in str(told.value)


def test_damaged_settings_of_a_run_are_told_of_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for text in ("", "[]", "{}", "[" * 5000, '{"stages": [{"name": 1}], "race": {}}', '{"stages": 1e999}'):
        path.write_text(text)
        with pytest.raises(FormatError, match="no settings of a training run"):
            TrainingSettings.load(path)
