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


def polished(
    glance: NetworkFile, evaluator: _core.Evaluator, boards: npt.NDArray[np.uint8], lessons: int, seed: int
) -> NetworkFile:
    """A glance net that tells plays of one roll apart better than one that has only seen positions of games.

    The positions are those of `boards`, each time with another roll; the evaluator's outputs of the results that are in
    contact are the targets.
    """
    random = np.random.default_rng(seed)
    learner = _core.Learner(*glance.shape, seed)
    learner.load_payload(glance.payload)
    for lesson in range(lessons):
        chosen = np.ascontiguousarray(boards[random.integers(0, len(boards), POSITIONS)])
        dice = random.integers(1, 7, (POSITIONS, 2)).astype(np.uint8)
        results = _core.legal_results_bulk(chosen, dice)[1]
        results = np.ascontiguousarray(results[in_contact(results)])
        order = random.permutation(len(results))[: len(results) // BATCH * BATCH].astype(np.uint32)
        rate = RATES[1] + (RATES[0] - RATES[1]) * 0.5 * (1.0 + math.cos(math.pi * lesson / lessons))
        learner.train(results, evaluator.evaluate_batch(results), order, BATCH, rate, AVERAGING)
    provenance = {**glance.provenance, "polished": {"lessons": lessons, "seed": seed}}
    return replace(glance, payload=learner.payload(True), provenance=provenance)
