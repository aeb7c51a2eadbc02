"""The race net: how many turns one side needs, learnt from nothing by exact one-sided backups.

Some thousand rows are on their way home at any time, each played by itself. A row's target is the average over 21 rolls
of the best distribution after each, one turn later; rows that are home have theirs from the exact table, and what is
known there spreads to the rows before them.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.engine.network_file import NetworkFile, payload_of
from kibitz.files import writing
from kibitz.train.buffer import arrays_in

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.uint8]

CHECKPOINT_SECONDS = 30.0
TURNS = _core.RACE_TURNS
ACTIVATION_MOST = 4.0
UNIT_LIMIT = 1.9
"""So that the units of fifteen checkers, wherever they are, add up to what 16 bits hold."""
WEIGHT_LIMIT = 7.9
"""So that a weight fits 16 bits."""
BITS = 1.0 / math.log(2.0)
"""A net file has logarithms to base 2, the learner natural ones."""
MEAN_SHARE = 1.0
"""How much the squared error of the mean counts beside the cross entropy of a distribution."""


@dataclass(frozen=True, slots=True)
class RaceSettings:
    """How the race net is trained."""

    shape: tuple[int, int] = (128, 64)
    rows: int = 2048  # on their way at once
    rounds: int = 300  # each a turn of all rows
    steps: int = 128  # batches after each round
    batch: int = 512
    window: int = 120  # newest rounds that are learnt from, at the end; a fifth of them at first
    rate: tuple[float, float] = (6e-3, 2e-5)
    warming: int = 6  # rounds until the rate is as high: large first steps would leave units dead
    averaging: float = 2e-3

    def rate_at(self, done: float) -> float:
        """Down by cosine, after a short rise."""
        cosine = 0.5 * (1.0 + math.cos(math.pi * done / self.rounds))
        rate = self.rate[1] + (self.rate[0] - self.rate[1]) * cosine
        return rate * min(1.0, (done + 0.1) / self.warming)


def inputs_of(rows: Rows) -> Floats:
    """The units that each row switches on, as `cpp/eval/features.hpp` has them."""
    counts = np.concatenate([rows, 15 - rows.sum(axis=1, dtype=np.uint8, keepdims=True)], axis=1).astype(np.float32)
    units = np.stack([*(counts >= least for least in (1, 2, 3, 4)), np.maximum(counts - 4, 0)], axis=2)
    return units.reshape(len(rows), -1).astype(np.float32)


def guesses_of(rows: Rows) -> Floats:
    """The natural logarithms that the net's are added to: the guess of `cpp/eval/turns_law.hpp`."""
    guesses = _core.turns_guesses(rows)
    parts = []
    for distribution, turns in enumerate((TURNS, _core.FIRST_TURNS)):
        mean, steepness = guesses[:, 2 * distribution, None], guesses[:, 2 * distribution + 1, None]
        far = (np.arange(1, turns + 1, dtype=np.float32) - mean) ** 2 * steepness
        parts.append(np.minimum(far, _core.GUESSED_BITS) / -BITS)
    return np.concatenate(parts, axis=1).astype(np.float32)


def fresh_rows(count: int, random: np.random.Generator) -> Rows:
    """Rows to start from, each with a checker outside: the start of a game, or any number of checkers anywhere."""
    rows = np.zeros((count, 25), np.uint8)
    rows[:, [5, 7, 12, 23]] = [5, 3, 5, 2]
    anywhere = np.flatnonzero(random.random(count) < 0.8)
    # Most checkers are home, and the fewer the further; how much fewer, how deep and how even differs from row to row.
    spread, depth, unevenness = random.random((3, len(anywhere), 1))
    spread = 1.5 * spread**2
    shares = np.concatenate([np.ones_like(spread), 0.5 * spread, 0.25 * spread**2, 0.08 * spread**3], axis=1)
    deep = np.exp((0.2 - 0.9 * depth**2) * np.minimum(np.arange(24), 5))
    noise = np.exp((0.4 + 1.2 * unevenness) * random.normal(0.0, 1.0, (len(anywhere), 24)))
    weights = np.repeat(shares, 6, axis=1) * deep * noise
    borne_off = np.where(random.random(len(anywhere)) < 0.15, random.integers(1, 15, len(anywhere)), 0)
    rows[anywhere, :24] = random.multinomial(15 - borne_off, weights / weights.sum(axis=1, keepdims=True))
    home = np.flatnonzero(rows[:, 6:].sum(axis=1) == 0)
    first = rows[home].argmax(axis=1)
    rows[home, first] -= 1
    rows[home, random.integers(6, 18, len(home))] += 1
    return rows


class RaceLearner:
    """The net in floating point, with gradients and Adam."""

    def __init__(self, shape: tuple[int, int], seed: int) -> None:
        random = np.random.default_rng(seed)
        width, hidden = shape
        outputs = TURNS + _core.FIRST_TURNS

        def normal(rows: int, columns: int, spread: float) -> Floats:
            return (random.normal(0.0, 1.0, (rows, columns)) * spread).astype(np.float32)

        self.layers: dict[str, Floats] = {
            "units": normal(_core.ROW_UNITS, width, 0.1),
            "bias1": np.zeros(width, np.float32),
            "weights2": normal(width, hidden, math.sqrt(2.0 / width)),
            "weights3": normal(hidden, outputs, 0.02),
            "bias2": np.zeros(hidden, np.float32),
            "bias3": np.zeros(outputs, np.float32),
        }
        self.layers["units"][4::5] *= 0.25  # it is multiplied by the count
        self.averaged = {name: values.copy() for name, values in self.layers.items()}
        self._moments = {name: (np.zeros_like(values), np.zeros_like(values)) for name, values in self.layers.items()}
        self._steps = 0

    def step(self, rows: Rows, targets: Floats, rate: float, averaging: float) -> float:
        """One step of Adam on a batch. Returns the loss: cross entropy above that of the targets themselves."""
        layers = self.layers
        inputs = inputs_of(rows)
        sums1 = inputs @ layers["units"] + layers["bias1"]
        hidden1 = np.clip(sums1, 0.0, ACTIVATION_MOST)
        sums2 = hidden1 @ layers["weights2"] + layers["bias2"]
        hidden2 = np.clip(sums2, 0.0, ACTIVATION_MOST)
        logits = hidden2 @ layers["weights3"] + layers["bias3"] + guesses_of(rows)
        delta = np.empty_like(logits)
        loss = 0.0
        for part in (slice(0, TURNS), slice(TURNS, None)):
            loss += _distribution_delta(logits[:, part], targets[:, part], delta[:, part])
        gradients = {"weights3": hidden2.T @ delta, "bias3": delta.sum(axis=0)}
        delta = (delta @ layers["weights3"].T) * ((sums2 > 0.0) & (sums2 < ACTIVATION_MOST))
        gradients |= {"weights2": hidden1.T @ delta, "bias2": delta.sum(axis=0)}
        delta = (delta @ layers["weights2"].T) * ((sums1 > 0.0) & (sums1 < ACTIVATION_MOST))
        gradients |= {"units": inputs.T @ delta, "bias1": delta.sum(axis=0)}
        self._apply(gradients, rate, averaging)
        return loss

    def _apply(self, gradients: dict[str, Floats], rate: float, averaging: float) -> None:
        self._steps += 1
        fade1, fade2 = 0.9, 0.999
        rate *= math.sqrt(1.0 - fade2**self._steps) / (1.0 - fade1**self._steps)
        for name, gradient in gradients.items():
            first, second = self._moments[name]
            first += (1.0 - fade1) * (gradient - first)
            second += (1.0 - fade2) * (gradient * gradient - second)
            limit = {"units": UNIT_LIMIT, "bias1": UNIT_LIMIT, "weights3": WEIGHT_LIMIT / BITS}.get(name, WEIGHT_LIMIT)
            values = self.layers[name]
            values -= rate * first / (np.sqrt(second) + 1e-8)
            np.clip(values, -limit, limit, out=values)
            # An average from the start would remember the random weights for long.
            self.averaged[name] += max(averaging, 1.0 / self._steps) * (values - self.averaged[name])

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that a checkpoint needs: weights, their averages, both moments of Adam, steps."""
        state: dict[str, npt.NDArray[Any]] = {"steps": np.array(self._steps)}
        for name, values in self.layers.items():
            parts = (values, self.averaged[name], *self._moments[name])
            state |= {f"{name}.{part}": part_values for part, part_values in enumerate(parts)}
        return state

    def set_state(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from there."""
        self._steps = int(state["steps"])
        for name in self.layers:
            parts = [state[f"{name}.{part}"] for part in range(4)]
            if any(part.shape != self.layers[name].shape or part.dtype != np.float32 for part in parts):
                raise ValueError("the state belongs to a net of another shape")
            self.layers[name], self.averaged[name], *moments = parts
            self._moments[name] = (moments[0], moments[1])

    def payload(self) -> bytes:
        """The averaged weights as a net file has them."""
        one, weight = _core.ACTIVATION_ONE, _core.WEIGHT_ONE
        scales = {
            "units": one,
            "bias1": one,
            "weights2": weight,
            "weights3": weight * BITS,
            "bias2": one * weight,
            "bias3": one * weight * BITS,
        }
        return payload_of({name: np.round(values * scales[name]) for name, values in self.averaged.items()})


def _distribution_delta(logits: Floats, targets: Floats, delta: Floats) -> float:
    """Fills in the slope of the loss by one distribution's logits, zero where there is no target. Returns the loss."""
    known = targets.sum(axis=1, keepdims=True) > 0.0
    count = len(logits)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    turns = np.arange(1, logits.shape[1] + 1, dtype=np.float32)
    mean = chances @ turns
    error = mean - targets @ turns
    delta[:] = chances - targets
    delta += (2.0 * MEAN_SHARE) * error[:, None] * chances * (turns - mean[:, None])
    delta *= known / count
    ratio = np.log(np.maximum(targets, 1e-12) / np.maximum(chances, 1e-12))
    entropy = float((targets * ratio).sum())
    return (entropy + MEAN_SHARE * float((error[:, None] ** 2 * known).sum())) / count


class RaceCourse:
    """The rounds of a race net, one after the other, from nothing or from where a checkpoint has them."""

    def __init__(self, settings: RaceSettings, seed: int, checkpoint: Path | None = None) -> None:
        self.settings = settings
        self.learner = RaceLearner(settings.shape, seed)
        self.done = 0
        self._samples: list[tuple[Rows, Floats]] = []  # rows and targets of the newest rounds
        if checkpoint is not None and checkpoint.exists():
            self._resume(checkpoint)
        # What comes after a checkpoint is not what would have come without: two runs are alike, not equal.
        self._random = np.random.default_rng([seed, self.done])
        self._teacher = _core.RaceTeacher(self._network(), seed + self.done)
        self.rows = fresh_rows(settings.rows, self._random)

    def _network(self) -> _core.RaceNetwork:
        return NetworkFile("race", self.settings.shape, self.learner.payload()).race_network()

    def step(self) -> float:
        """One round: a turn of all rows, and some batches of what they and those before them taught. The mean loss."""
        settings = self.settings
        self._teacher.set_network(self._network())
        targets, moved = self._teacher.teach(self.rows)
        self._samples.append((self.rows, targets))
        del self._samples[: -max(1, round(settings.window * (0.2 + 0.8 * self.done / settings.rounds)))]
        home = np.flatnonzero(moved[:, 6:].sum(axis=1) == 0)
        moved[home] = fresh_rows(len(home), self._random)
        self.rows = moved
        every, wanted = (np.concatenate([kind[place] for kind in self._samples]) for place in (0, 1))
        loss = 0.0
        for step in range(settings.steps):
            rate = settings.rate_at(self.done + step / settings.steps)
            chosen = self._random.integers(0, len(every), settings.batch)
            loss += self.learner.step(every[chosen], wanted[chosen], rate, settings.averaging) / settings.steps
        self.done += 1
        return loss

    def checkpoint(self, path: Path) -> None:
        """Save what a resumed course needs; the old checkpoint is replaced only by a complete new one."""
        rows, targets = (np.concatenate([kind[place] for kind in self._samples]) for place in (0, 1))
        arrays: dict[str, Any] = {"done": self.done, "rows": rows, "targets": targets, **self.learner.state()}
        with writing(path) as file:
            np.savez(file, **arrays)

    def _resume(self, path: Path) -> None:
        with arrays_in(path) as arrays:
            self.done = int(arrays["done"])
            self._samples = [(arrays["rows"], arrays["targets"])]
            self.learner.set_state(dict(arrays))


def train_race(
    settings: RaceSettings, seed: int, checkpoint: Path | None = None, minutes: float | None = None
) -> NetworkFile | None:
    """A race net from nothing, or from where the checkpoint is; that is gone in the end.

    None if the minutes are over before: then, and after Ctrl-C, the checkpoint has all rounds.
    """
    course = RaceCourse(settings, seed, checkpoint)
    started = saved = time.monotonic()
    try:
        while course.done < settings.rounds:
            course.step()
            now = time.monotonic()
            late = minutes is not None and now - started > 60.0 * minutes and course.done < settings.rounds
            if checkpoint is not None and (late or now - saved > CHECKPOINT_SECONDS):
                course.checkpoint(checkpoint)
                saved = now
            if late:
                return None
    except KeyboardInterrupt:
        if checkpoint is not None and course.done:
            course.checkpoint(checkpoint)
        raise
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    provenance = {"settings": {"seed": seed, **asdict(settings)}}
    return NetworkFile("race", settings.shape, course.learner.payload(), provenance)
