"""A training run: some threads play, one learns, checkpoints keep what was learnt."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import _core
from kibitz.engine.network_file import NetworkFile
from kibitz.engine.networks import evaluator_from
from kibitz.files import append_line, cannot_write, write_file, writing
from kibitz.train.buffer import ReplayBuffer, arrays_in
from kibitz.train.grow import grown
from kibitz.train.plot import plot_curve
from kibitz.train.race import train_race
from kibitz.train.settings import Progress, Stage, TrainingSettings

CHECKPOINT_SECONDS = 45.0
PUBLISH_SECONDS = 15.0
SCORE_SECONDS = 120.0
STEPS_PER_TURN = 16
"""Batches that the learner does between two looks at what else is to do."""
FIRST_SAMPLES = 5000
PREFILTER_SHARE = 4
"""The small prefilter net is content with one sample in so many."""
KEPT_SAMPLES = 1_000_000
"""Newest samples that a checkpoint keeps, enough to go on without wearing them out; the window fills up by itself."""
MAX_OWED = 200_000
"""Samples that the learner may be behind before the players wait for it."""

Score = Callable[[_core.Evaluator], dict[str, float]]


def _learner(role: str, stage: Stage, seed: int) -> _core.Learner:
    """A net of random weights. Only contact has features; pruning nets and prefilters at it have no time for them."""
    contact = role == "contact"
    return _core.Learner(*stage.shapes[role], seed, features=contact, buckets=contact and stage.buckets)


def race_net(
    folder: Path, settings: TrainingSettings, nets: dict[str, NetworkFile], minutes: float | None = None
) -> NetworkFile | None:
    """A folder's race net, the given one, or one from nothing: all else builds on it, so it comes first.

    None if the minutes are over before it is there; what was learnt is kept. The folder gets its settings here.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from None
    if not (folder / "settings.json").exists():
        write_file(folder / "settings.json", json.dumps(settings.to_dict(), indent=2))
    for path in folder.glob("race-*.net"):
        return NetworkFile.load(path)
    race = nets.get("race") or train_race(settings.race, settings.seed, folder / "race.npz", minutes)
    if race is not None:
        race.save(folder)
    return race


class TrainingRun:
    """Self-play training in a folder, from nothing, from given nets, or from where the folder's checkpoint left off."""

    def __init__(
        self,
        folder: Path,
        settings: TrainingSettings,
        score: Score | None = None,
        nets: dict[str, NetworkFile] | None = None,
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.score = score
        self.progress = Progress()
        self.buffer = ReplayBuffer(settings.capacity)
        self.learners: dict[str, _core.Learner] = {}
        self._random = np.random.default_rng(settings.seed)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._owed = 0.0  # samples that the learner still has to train on
        self._losses = dict.fromkeys(self.stage.shapes, 0.0)
        race = race_net(folder, settings, nets or {})
        assert race is not None
        self.race = race
        if not self._resume():
            self._begin(nets or {})
        self.evaluator = self._published()

    # --- nets -------------------------------------------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        """The stage that the run is in."""
        return self.settings.stages[min(self.progress.stage, len(self.settings.stages) - 1)]

    def _begin(self, nets: dict[str, NetworkFile]) -> None:
        """Start from nothing, or for the roles that are given from nets no larger than the first stage's."""
        for number, (role, shape) in enumerate(self.stage.shapes.items()):
            self.learners[role] = _learner(role, self.stage, self.settings.seed * 100 + number)
            if given := nets.get(role):
                self.learners[role].load_payload(grown(given.payload, given.widths, shape, self.settings.seed))

    def _published(self) -> _core.NeuralEvaluator:
        files = {file.role: file for file in self.networks({})}
        return evaluator_from({**files, "pruning": files["prefilter"]})  # the pruning net is made at the end

    def _next_stage(self) -> None:
        """Go on with larger nets that begin where the smaller ones ended."""
        before = self.stage
        self.progress.stage += 1
        if self.stage.exact and not before.exact:
            with self._lock:
                self.buffer.clear()
                self._owed = 0.0
        self.progress.stage_steps = 0
        for role, shape in self.stage.shapes.items():
            learner = self.learners[role]
            if shape != before.shapes[role] or self.stage.buckets != before.buckets:
                larger = _learner(role, self.stage, self.settings.seed)
                larger.load_payload(grown(learner.payload(True), learner.shape, shape, self.settings.seed))
                self.learners[role] = larger

    def networks(self, provenance: dict[str, Any]) -> list[NetworkFile]:
        """The averaged nets as files, and the race net."""
        learnt = [
            NetworkFile(role, learner.shape, learner.payload(True), provenance)
            for role, learner in self.learners.items()
        ]
        return [*learnt, self.race]

    # --- the threads ------------------------------------------------------------------------------------------------

    def run(self, minutes: float | None = None, report: Callable[[dict[str, Any]], None] | None = None) -> None:
        """Train until the stages are over, the minutes are up or stop() is called."""
        players = [
            threading.Thread(target=self._play, args=(number,), daemon=True) for number in range(self.settings.players)
        ]
        for player in players:
            player.start()
        started = before = time.monotonic()
        last = {"checkpoint": started, "publish": started, "score": started}
        # Early nets improve by the second: exchange them often.
        while not self._stop.is_set():
            self._learn()
            now = time.monotonic()
            self.progress.seconds += now - before
            before = now
            if now - last["publish"] > min(PUBLISH_SECONDS, 2.0 + self.progress.seconds / 20.0):
                self.evaluator = self._published()
                last["publish"] = now
            if now - last["score"] > SCORE_SECONDS or (self.progress.seconds < 300 and now - last["score"] > 60):
                self._record(report)
                last["score"] = now
            if now - last["checkpoint"] > CHECKPOINT_SECONDS:
                self.checkpoint()
                last["checkpoint"] = now
            if self.progress.stage_steps >= self.stage.steps:
                if self.progress.stage + 1 >= len(self.settings.stages):
                    break
                self._next_stage()
            if minutes is not None and now - started > 60.0 * minutes:
                break
        self._stop.set()
        for player in players:
            player.join()
        self._record(report)
        self.checkpoint()

    def stop(self) -> None:
        """Ask the run to end; it saves what it has."""
        self._stop.set()

    def _play(self, number: int) -> None:
        seed = (self.settings.seed * 1_000_003 + self.progress.generation) * 64 + number
        generator = _core.Generator(self.evaluator, seed)
        while not self._stop.is_set():
            if self._owed > MAX_OWED:
                time.sleep(0.05)  # the learner is behind: leave it the processor
                continue
            stage = self.stage
            rates = stage.at(self.progress.stage_steps / stage.steps)
            generator.set_evaluator(self.evaluator)
            generator.set_settings(
                stage.exact,
                stage.shortlist,
                self.settings.explore,
                self.settings.explore_near,
                self.settings.random_openings,
                stage.doubt,
            )
            games, boards, targets = generator.generate(self.settings.chunk, rates["trace"])
            with self._lock:
                self.buffer.add(boards, targets)
                self._owed += self.settings.samples_per_position * len(boards)
                self.progress.games += games
                self.progress.positions += len(boards)

    def _learn(self) -> None:
        """A few batches."""
        count = self.settings.batch * STEPS_PER_TURN
        if self._owed < count or self.buffer.size < FIRST_SAMPLES:
            time.sleep(0.01)
            return
        stage = self.stage
        rates = stage.at(self.progress.stage_steps / stage.steps)
        with self._lock:
            chosen = self.buffer.draw(count, int(rates["window"]), self._random)
            self._owed -= count
        self.progress.stage_steps += STEPS_PER_TURN
        for role, learner in self.learners.items():
            share = chosen if role != "prefilter" else chosen[: count // PREFILTER_SHARE]
            loss = learner.train(
                self.buffer.boards, self.buffer.targets, share, self.settings.batch, rates["rate"], stage.averaging
            )
            self._losses[role] += 0.02 * (loss - self._losses[role])

    # --- what is kept -----------------------------------------------------------------------------------------------

    def _record(self, report: Callable[[dict[str, Any]], None] | None) -> None:
        """One line of the learning curve."""
        evaluator = self._published()
        rates = self.stage.at(self.progress.stage_steps / self.stage.steps)
        line: dict[str, Any] = {
            "minutes": round(self.progress.seconds / 60.0, 2),
            "stage": self.stage.name,
            "games": self.progress.games,
            "positions": self.progress.positions,
            "steps": self.learners["contact"].steps,
            "rate": rates["rate"],
            "trace": rates["trace"],
            "owed": round(self._owed),
            "loss": {role: round(loss, 6) for role, loss in self._losses.items()},
        }
        if self.score is not None:
            line.update(self.score(evaluator))
        append_line(self.folder / "curve.jsonl", json.dumps(line))
        plot_curve(self.folder / "curve.jsonl", self.folder / "curve.svg")
        if report is not None:
            report(line)

    def checkpoint(self) -> None:
        """Save everything a resumed run needs. The old checkpoint is replaced only by a complete new one."""
        arrays: dict[str, Any] = {}
        for role, learner in self.learners.items():
            arrays[f"{role}.state"] = learner.state()
            arrays[f"{role}.steps"] = np.array(learner.steps, np.uint64)
        with self._lock:
            self.progress.generation += 1
            arrays["progress"] = np.frombuffer(json.dumps(asdict(self.progress)).encode(), np.uint8)
            arrays["boards"], arrays["targets"] = self.buffer.newest(KEPT_SAMPLES)
        with writing(self.folder / "checkpoint.npz") as file:
            np.savez(file, **arrays)

    def _resume(self) -> bool:
        path = self.folder / "checkpoint.npz"
        if not path.exists():
            return False
        with arrays_in(path) as arrays:
            self.progress = Progress(**json.loads(arrays["progress"].tobytes()))
            for role in self.stage.shapes:
                self.learners[role] = _learner(role, self.stage, self.settings.seed)
                self.learners[role].set_state(arrays[f"{role}.state"], int(arrays[f"{role}.steps"]))
            self.buffer.add(arrays["boards"], arrays["targets"])
        return True
