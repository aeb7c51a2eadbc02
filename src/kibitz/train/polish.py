"""Lessons for the glance net: what the strong net says of all results of a roll."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.engine.network_file import NetworkFile
from kibitz.train.buffer import in_contact

POSITIONS = 3000
"""Positions whose results are one lesson."""
BATCH = 1024
RATES = (1e-3, 1e-5)
AVERAGING = 1e-3
CONTENDERS = 0.2
"""Results that give up no more equity than this are all learnt from, of the others ..."""
OTHERS = 0.15
"""... this share."""
FORGIVEN = 0.95
"""How much of an error that all results of a roll have in common is forgiven: a glance only puts them in order."""

Outputs = npt.NDArray[np.float32]


def polished(
    glance: NetworkFile, evaluator: _core.Evaluator, boards: npt.NDArray[np.uint8], lessons: int, seed: int
) -> NetworkFile:
    """A glance net that tells plays of one roll apart better than one that has only seen positions of games.

    The positions are those of `boards`, each time with another roll; the evaluator's outputs of the results that are in
    contact are the targets.
    """
    random = np.random.default_rng(seed)
    learner = _core.Learner(*glance.widths, seed)
    learner.load_payload(glance.payload)
    for lesson in range(lessons):
        chosen = np.ascontiguousarray(boards[random.integers(0, len(boards), POSITIONS)])
        dice = random.integers(1, 7, (POSITIONS, 2)).astype(np.uint8)
        offsets, results = _core.legal_results_bulk(chosen, dice)
        rolls = np.repeat(np.arange(POSITIONS), np.diff(offsets))
        contact = in_contact(results)
        results, rolls = np.ascontiguousarray(results[contact]), rolls[contact]
        targets = evaluator.evaluate_batch(results)
        kept = contenders(targets, rolls) | (random.random(len(rolls)) < OTHERS)
        results, rolls, targets = np.ascontiguousarray(results[kept]), rolls[kept], targets[kept]
        targets = forgiving(targets, learner.evaluate_batch(results, False), rolls)
        order = random.permutation(len(results))[: len(results) // BATCH * BATCH].astype(np.uint32)
        rate = RATES[1] + (RATES[0] - RATES[1]) * 0.5 * (1.0 + math.cos(math.pi * lesson / lessons))
        learner.train(results, targets, order, BATCH, rate, AVERAGING)
    provenance = {**glance.provenance, "polished": {"lessons": lessons, "seed": seed}}
    return replace(glance, payload=learner.payload(True), provenance=provenance)


def contenders(outputs: Outputs, rolls: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """The results, those of one roll after the other, that are not far behind the best of their roll.

    Outputs are those of the opponent: the least equity is best.
    """
    equities = outputs @ np.array([2, 1, 1, -1, -1], np.float32)
    starts, places = _runs(rolls)
    return equities <= np.minimum.reduceat(equities, starts)[places] + CONTENDERS


def forgiving(targets: Outputs, estimates: Outputs, rolls: npt.NDArray[np.int64]) -> Outputs:
    """Targets moved towards the estimates by most of the error that the results of a roll have in common."""
    starts, places = _runs(rolls)
    counts = np.diff(starts, append=len(rolls))
    common = np.add.reduceat(estimates - targets, starts, axis=0) / counts[:, None]
    return np.clip(targets + FORGIVEN * common[places], 0.0, 1.0).astype(np.float32)


def _runs(rolls: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where the results of each roll start, and of which of those starts each result is."""
    begins = np.diff(rolls, prepend=-1) != 0
    return np.flatnonzero(begins), np.cumsum(begins) - 1
