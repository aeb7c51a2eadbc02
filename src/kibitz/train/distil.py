"""Distillation: a contact net learns from recorded games, starting from a given net."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import _core
from kibitz.engine.network_file import NetworkFile
from kibitz.files import write_file, writing
from kibitz.train.buffer import ReplayBuffer, arrays_in
from kibitz.train.record import games_in, is_rare, load_games, number_of

STEPS_PER_TURN = 32
"""Batches between two looks at the clock and the folder."""
CHECKPOINT_SECONDS = 60.0
LOOK_SECONDS = 20.0
"""How often new files of games are looked for."""


@dataclass(frozen=True, slots=True)
class DistillationSettings:
    """How recorded games are learnt from."""

    steps: int
    lambda_: float = 0.65  # of the targets
    rare_lambda: float | None = None  # of those of games from rare starts; None for the same
    rate: tuple[float, float] = (3e-4, 1e-5)  # by cosine
    batch: int = 2048
    averaging: float = 2e-4
    capacity: int = 60_000_000  # newest turns that are kept
    uses: float = 6.0  # how often a turn is trained on at most: the learner waits for more games
    seed: int = 1


class Distillation:
    """A learner of recorded games in a folder of its own, which is continued if it has a checkpoint."""

    def __init__(self, folder: Path, games: list[Path], given: NetworkFile, settings: DistillationSettings) -> None:
        self.folder = folder
        self.games = games
        self.given = given
        self.settings = settings
        self.learner = _core.Learner(*given.widths, settings.seed, features=True, buckets=True)
        self.learner.load_payload(given.payload)
        self.buffer = ReplayBuffer(settings.capacity)
        self.seen: set[Path] = set()
        self.turns = 0
        self._random = np.random.default_rng(settings.seed)
        folder.mkdir(parents=True, exist_ok=True)
        if self._checkpoint.exists():
            with arrays_in(self._checkpoint) as kept:
                self.learner.set_state(kept["state"], int(kept["steps"]))

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "distilled.npz"

    def run(self, report: Callable[[str], None], minutes: float | None = None) -> NetworkFile:
        """Learn until the steps are done or the minutes are over; returns the net of averaged weights."""
        settings = self.settings
        started = saved = time.monotonic()
        looked = -math.inf
        while self.learner.steps < settings.steps:
            now = time.monotonic()
            if minutes is not None and now - started > 60.0 * minutes:
                break
            if now - looked > LOOK_SECONDS:
                self.look()
                looked = now
            if self.learner.steps * settings.batch > settings.uses * self.turns:
                time.sleep(1.0)
                continue
            part = self.learner.steps / settings.steps
            rate = settings.rate[1] + (settings.rate[0] - settings.rate[1]) * 0.5 * (1.0 + math.cos(math.pi * part))
            chosen = self.buffer.draw(settings.batch * STEPS_PER_TURN, settings.capacity, self._random)
            loss = self.learner.train(
                self.buffer.boards, self.buffer.targets, chosen, settings.batch, rate, settings.averaging
            )
            if now - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = now
                report(f"{self.learner.steps:8} steps  {self.turns:11,} turns  rate {rate:.1e}  loss {loss:.5f}")
        self.save()
        return self.network()

    def look(self) -> None:
        """Take in the files of games that are new."""
        for folder in self.games:
            for path in games_in(folder):
                if path not in self.seen:
                    boards, targets = load_games(path, self._lambda_of(path))
                    self.buffer.add(boards, targets)
                    self.turns += len(boards)
                    self.seen.add(path)

    def _lambda_of(self, path: Path) -> float:
        rare = self.settings.rare_lambda
        return rare if rare is not None and is_rare(number_of(path)) else self.settings.lambda_

    def save(self) -> None:
        """Everything that a resumed run needs beside the games, and the net as it is."""
        with writing(self._checkpoint) as file:
            np.savez(file, state=self.learner.state(), steps=np.array(self.learner.steps, np.uint64))
        write_file(self.folder / "settings.json", json.dumps(self.provenance(), indent=2))

    def provenance(self) -> dict[str, Any]:
        """How the net came about."""
        return {
            "distilled": {**asdict(self.settings), "turns": self.turns, "done": self.learner.steps},
            "from": self.given.provenance,
        }

    def network(self) -> NetworkFile:
        """The net of averaged weights."""
        return replace(self.given, payload=self.learner.payload(True), provenance=self.provenance())
