"""Distillation of the pruning net: it learns to put the results of a roll in the order of the contact net."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.engine.network_file import NetworkFile
from kibitz.train.buffer import in_contact
from kibitz.train.record import equity_of

POSITIONS = 3000
"""Positions whose results are one round, with one roll each."""
BATCH = 1024
RATES = (1e-3, 1e-5)
AVERAGING = 1e-3
SOFTNESS = 0.04
"""Equity by which a result is e times less likely to be the best of its roll."""
CHANCE = 0.003
"""Results that either net finds likelier than this to be the best are all learnt from, of the others ..."""
OTHERS = 0.1
"""... this share."""
STRENGTH = 0.2
"""How far a target is from the estimate where a result is sure for one net and impossible for the other."""

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

EQUITY = np.array([2.0, 1.0, 1.0, -1.0, -1.0], np.float32)


def distilled_pruning(
    pruning: NetworkFile, evaluator: _core.Evaluator, boards: npt.NDArray[np.uint8], rounds: int, seed: int
) -> NetworkFile:
    """A pruning net that tells plays of one roll apart better than one that has only seen positions of games.

    The positions are those of `boards`, each time with another roll. The results that are in contact are learnt from.
    """
    random = np.random.default_rng(seed)
    learner = _core.Learner(*pruning.widths, seed)
    learner.load_payload(pruning.payload)
    for done in range(rounds):
        chosen = np.ascontiguousarray(boards[random.integers(0, len(boards), POSITIONS)])
        dice = random.integers(1, 7, (POSITIONS, 2)).astype(np.uint8)
        offsets, results = _core.legal_results_bulk(chosen, dice)
        rolls = np.repeat(np.arange(POSITIONS), np.diff(offsets))
        contact = in_contact(results)
        results, rolls = np.ascontiguousarray(results[contact]), rolls[contact]
        starts, places = runs(rolls)
        estimates = learner.evaluate_batch(results, False)
        ours = likely(equity_of(estimates).astype(np.float32), starts, places)
        theirs = likely(equity_of(evaluator.evaluate_batch(results)).astype(np.float32), starts, places)
        kept = (np.maximum(ours, theirs) > CHANCE) | (random.random(len(rolls)) < OTHERS)
        targets = ordering(estimates, theirs - ours)
        order = random.permutation(np.flatnonzero(kept).astype(np.uint32))
        order = order[: len(order) // BATCH * BATCH]
        rate = RATES[1] + (RATES[0] - RATES[1]) * 0.5 * (1.0 + math.cos(math.pi * done / rounds))
        learner.train(results, targets, order, BATCH, rate, AVERAGING)
    provenance = {**pruning.provenance, "distilled": {"rounds": rounds, "seed": seed}}
    return replace(pruning, payload=learner.payload(True), provenance=provenance)


def likely(equities: Floats, starts: Places, places: Places) -> Floats:
    """How likely each result is the best of its roll, by the equities of the opponent: the least is best."""
    least = np.minimum.reduceat(equities, starts)[places]
    powers = np.exp((least - equities) / SOFTNESS)
    return np.asarray(powers / np.add.reduceat(powers, starts)[places])


def ordering(estimates: Floats, missing: Floats) -> Floats:
    """Targets that lower a result's equity where it is found less likely than it should be, and raise it elsewhere.

    An output moves as much as it adds to the equity and as its logit can still move it.
    """
    slopes = EQUITY * 4.0 * estimates * (1.0 - estimates)
    return np.asarray(estimates - STRENGTH * missing[:, None] * slopes, np.float32)


def runs(rolls: Places) -> tuple[Places, Places]:
    """Where the results of each roll start, and of which of those starts each result is."""
    begins = np.diff(rolls, prepend=-1) != 0
    return np.flatnonzero(begins), np.cumsum(begins) - 1
