"""The linear prefilter learns what it is for: its slope at a position has to put the plays of a roll in order.

The prefilter (cpp/eval/linear_prefilter.hpp) never evaluates a result. It takes the slope of a small net's equity
before the play, and a result is worth the sum of what each changed count brings. So it is this sum that is compared
with the contact net's word on the results, and the net's weights follow, through the slope.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.engine.network_file import NetworkFile, layers_of, payload_of
from kibitz.train.buffer import in_contact
from kibitz.train.record import equity_of

Floats = npt.NDArray[np.float32]
Boards = npt.NDArray[np.uint8]
Weights = dict[str, Floats]

EQUITY = np.array([2.0, 1.0, 1.0, -1.0, -1.0], np.float32)
MOST = 4.0
"""Activations are clipped to [0, MOST]."""
REACHES = (0.6, 1.6, 1.6)
"""How far the slope of each layer's activation is blurred, as in cpp/eval/linear_prefilter.cpp."""
HOME = 6
LIMITS = {"units": 3.9, "weights": 7.9}
"""Weights beyond these do not fit the integers of a net file."""
NAMES = ("units", "bias1", "weights2", "bias2", "weights3", "bias3", "weights4", "bias4")


@dataclass(frozen=True, slots=True)
class PrefilterSettings:
    """How the prefilter learns."""

    batches: int = 2500
    positions: int = 1500  # of a batch, each with one roll
    rate: tuple[float, float] = (1e-3, 1e-5)
    averaging: float = 2e-3
    sharpness: tuple[float, float] = (0.08, 0.03)
    """Equity by which a play is e times less likely to be the best: by the prefilter, and by the contact net."""
    seed: int = 1


def inputs_of(boards: Boards) -> Floats:
    """The first layer's inputs: five units for each of 52 counts."""
    counts = np.concatenate([boards[:, 0], boards[:, 1], 15 - boards.sum(axis=2)], axis=1).astype(np.int16)
    units = np.stack([*(counts >= least for least in (1, 2, 3, 4)), np.maximum(counts - 4, 0)], axis=2)
    return units.reshape(len(boards), -1).astype(np.float32)


class Slope:
    """The slope of the equity by each input, at some positions, and how it depends on the weights."""

    def __init__(self, weights: Weights, inputs: Floats) -> None:
        self.weights, self.inputs = weights, inputs
        w = [weights[name] for name in NAMES[::2]]
        b = [weights[name] for name in NAMES[1::2]]
        self.sums, self.values = [], [inputs]
        for layer in range(3):
            self.sums.append(self.values[-1] @ w[layer] + b[layer])
            self.values.append(np.clip(self.sums[-1], 0.0, MOST))
        self.chances = 1.0 / (1.0 + np.exp(-(self.values[3] @ w[3] + b[3])))
        # From the logits back to the first layer's sums; `raw` before and `slopes` after each blurred activation.
        self.slopes: list[Floats] = [self.chances] * 4
        self.raw: list[Floats] = [self.chances] * 3
        self.slopes[3] = EQUITY * self.chances * (1.0 - self.chances)
        for layer in (2, 1, 0):
            self.raw[layer] = self.slopes[layer + 1] @ w[layer + 1].T
            self.slopes[layer] = self.raw[layer] * _blur(self.sums[layer], REACHES[layer])
        self.prices: Floats = self.slopes[0] @ w[0].T

    def gradients(self, by_prices: Floats) -> Weights:
        """The gradients of a loss by all weights, from its gradient by the prices."""
        w = [self.weights[name] for name in NAMES[::2]]
        by_w = [by_prices.T @ self.slopes[0]]
        by_slope = by_prices @ w[0]
        by_sums = []
        for layer in range(3):
            by_sums.append(by_slope * self.raw[layer] * _blur_slope(self.sums[layer], REACHES[layer]))
            by_raw = by_slope * _blur(self.sums[layer], REACHES[layer])
            by_w.append(by_raw.T @ self.slopes[layer + 1])
            by_slope = by_raw @ w[layer + 1]
        # What the chances have to do with it, and then down through the net as usual.
        flow = by_slope * EQUITY * (1.0 - 2.0 * self.chances) * self.chances * (1.0 - self.chances)
        by_b = [flow.sum(axis=0)]
        for layer in (2, 1, 0):
            by_w[layer + 1] = by_w[layer + 1] + self.values[layer + 1].T @ flow
            inside = (self.sums[layer] > 0.0) & (self.sums[layer] < MOST)
            flow = by_sums[layer] + (flow @ w[layer + 1].T) * inside
            by_b.append(flow.sum(axis=0))
        by_w[0] = by_w[0] + self.inputs.T @ flow
        return dict(zip(NAMES, (part for pair in zip(by_w, by_b[::-1], strict=True) for part in pair), strict=True))


def _step(distance: Floats, reach: float) -> Floats:
    return np.asarray(np.clip(distance * (0.5 / reach) + 0.5, 0.0, 1.0))


def _blur(sums: Floats, reach: float) -> Floats:
    return _step(sums, reach) * _step(MOST - sums, reach)


def _blur_slope(sums: Floats, reach: float) -> Floats:
    up, down = _step(sums, reach), _step(MOST - sums, reach)
    rises = ((up > 0.0) & (up < 1.0)) * down
    falls = ((down > 0.0) & (down < 1.0)) * up
    return (rises * 1.0 - falls * 1.0).astype(np.float32) * (0.5 / reach)


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions before a play, seen by the opponent of who plays, and the results of one roll each."""

    bases: Boards
    results: Boards
    starts: npt.NDArray[np.int64]  # where the results of each position start
    equities: Floats  # of the results, for who is on roll there: the least is best


def batch_of(evaluator: _core.Evaluator, boards: Boards, count: int, random: np.random.Generator) -> Batch:
    """Random positions, a random roll for each, and the contact net's word on all results in contact."""
    chosen = np.ascontiguousarray(boards[random.integers(0, len(boards), count)])
    chosen = np.ascontiguousarray(chosen[in_contact(chosen) & (chosen[:, 0, HOME:].sum(axis=1) > 0)])
    dice = random.integers(1, 7, (len(chosen), 2)).astype(np.uint8)
    offsets, results = _core.legal_results_bulk(chosen, dice)
    rolls = np.repeat(np.arange(len(chosen)), np.diff(offsets))
    contact = in_contact(results)
    counts = np.bincount(rolls[contact], minlength=len(chosen))
    kept = contact & (counts[rolls] > 1)
    results, rolls = np.ascontiguousarray(results[kept]), rolls[kept]
    positions, starts = np.unique(rolls, return_index=True)
    equities = equity_of(evaluator.evaluate_batch(results)).astype(np.float32)
    return Batch(np.ascontiguousarray(chosen[positions][:, ::-1]), results, starts, equities)


def loss_of(weights: Weights, batch: Batch, sharpness: tuple[float, float]) -> tuple[float, Weights]:
    """How unlikely the prefilter finds the plays that the contact net likes, a mean over rolls, and its gradients."""
    counts = np.diff(batch.starts, append=len(batch.results))
    places = np.repeat(np.arange(len(counts)), counts)
    before = inputs_of(batch.bases)
    slope = Slope(weights, before)
    changes = inputs_of(batch.results) - before[places]
    predicted = np.einsum("ru,ru->r", changes, slope.prices[places])

    def likely(equities: Floats, softness: float) -> Floats:
        least = np.minimum.reduceat(equities, batch.starts)[places]
        powers = np.exp((least - equities) / softness)
        return np.asarray(powers / np.add.reduceat(powers, batch.starts)[places])

    ours, theirs = likely(predicted, sharpness[0]), likely(batch.equities, sharpness[1])
    loss = float(-(theirs * np.log(ours + 1e-12)).sum() / len(counts))
    by_predicted = (theirs - ours) / (sharpness[0] * len(counts))
    by_prices = np.add.reduceat(changes * by_predicted[:, None], batch.starts, axis=0)
    return loss, slope.gradients(by_prices.astype(np.float32))


def train_prefilter(
    given: NetworkFile,
    evaluator: _core.Evaluator,
    boards: Boards,
    settings: PrefilterSettings,
    report: Callable[[int, float], None] | None = None,
) -> NetworkFile:
    """A prefilter that starts as the given one, and learns on positions of these boards."""
    random = np.random.default_rng(settings.seed)
    weights = floats_of(given)
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    averaged = {name: value.copy() for name, value in weights.items()}
    recent = 0.0
    for number in range(1, settings.batches + 1):
        part = number / settings.batches
        rate = settings.rate[1] + (settings.rate[0] - settings.rate[1]) * 0.5 * (1.0 + math.cos(math.pi * part))
        batch = batch_of(evaluator, boards, settings.positions, random)
        loss, gradients = loss_of(weights, batch, settings.sharpness)
        for name, gradient in gradients.items():
            mean[name] += 0.1 * (gradient - mean[name])
            square[name] += 0.001 * (gradient**2 - square[name])
            step = mean[name] / (1 - 0.9**number) / (np.sqrt(square[name] / (1 - 0.999**number)) + 1e-8)
            weights[name] -= (rate * step).astype(np.float32)
            limit = LIMITS["units" if name in ("units", "bias1") else "weights"]
            np.clip(weights[name], -limit, limit, out=weights[name])
            averaged[name] += max(settings.averaging, 1 / number) * (weights[name] - averaged[name])
        recent += max(0.01, 1 / number) * (loss - recent)
        if report is not None and number % 100 == 0:
            report(number, recent)
    provenance = {**given.provenance, "prefilter": {"batches": settings.batches, "seed": settings.seed}}
    return replace(given, payload=_payload(averaged), provenance=provenance)


def _scales() -> dict[str, float]:
    """What the integers of a net file are multiples of."""
    one, weight = float(_core.ACTIVATION_ONE), float(_core.WEIGHT_ONE)
    return {
        name: one if name in ("units", "bias1") else one * weight if name.startswith("bias") else weight
        for name in NAMES
    }


def floats_of(file: NetworkFile) -> Weights:
    """The weights of a net file."""
    layers = layers_of(file.payload, file.widths)
    found = {}
    for name, scale in _scales().items():
        values = layers[name] if name in ("units", "bias1") else layers[name][0]  # the only set of later layers
        found[name] = (values / scale).astype(np.float32)
    return found


def _payload(weights: Weights) -> bytes:
    layers = {}
    for name, scale in _scales().items():
        values = np.rint(weights[name].astype(np.float64) * scale)
        layers[name] = values if name in ("units", "bias1") else values[None]
    return payload_of(layers)
