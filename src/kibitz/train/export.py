"""From a training folder to net files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.engine.network_file import FEATURES, NetworkFile, Shape, kind_of, layers_of, payload_of
from kibitz.engine.networks import ROLES
from kibitz.train.pruning import distilled_pruning
from kibitz.train.run import TrainingRun
from kibitz.train.settings import TrainingSettings

Boards = npt.NDArray[np.uint8]

SAMPLE = 5000
"""Positions by which the company of units is judged."""


def export(folder: Path, target: Path) -> list[Path]:
    """Write the averaged nets of a folder's checkpoint as net files, in place of the ones of the same roles.

    The pruning net is made of the prefilter net here, by what the finished contact net says: that takes some minutes.
    """
    run = TrainingRun(folder, TrainingSettings.load(folder / "settings.json"))
    boards = run.buffer.newest(run.settings.capacity)[0]
    files = run.networks(provenance(folder, run))
    prefilter = next(file for file in files if file.role == "prefilter")
    pruning = replace(prefilter, role="pruning")
    files.append(distilled_pruning(pruning, run.evaluator, boards, run.settings.pruning_rounds, run.settings.seed))
    return write(files, boards, target)


def write(files: list[NetworkFile], boards: Boards, target: Path) -> list[Path]:
    """Net files in place of the ones of the same roles."""
    target.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(files):
        if file.role != "race":
            files[number] = replace(file, payload=in_company(file.payload, file.widths, boards[-SAMPLE:]))
    written = [file.save(target) for file in files]
    for role in ROLES:
        for path in target.glob(f"{role}-*.net"):
            if path not in written:
                path.unlink()
    return written


def in_company(payload: bytes, shape: Shape, boards: Boards) -> bytes:
    """The same net with its first layer's units in another order: neighbours are active together as often as possible.

    Inference skips pairs of neighbours that are both inactive; so there are more of them. No output changes.
    """
    layers = layers_of(payload, shape)
    counts = np.concatenate([boards[:, 0], boards[:, 1], 15 - boards.sum(axis=2)], axis=1).astype(np.int64)
    units = np.stack([*(counts >= least for least in (1, 2, 3, 4)), np.maximum(counts - 4, 0)], axis=2)
    inputs = units.reshape(len(boards), -1)
    if kind_of(payload, shape)[0] == FEATURES:
        inputs = np.concatenate([inputs, _core.features(boards)], axis=1)
    active = (inputs @ layers["units"].astype(np.int64) + layers["bias1"] > 0).astype(np.float64)
    together = active.T @ active
    order: list[int] = []
    alone = np.ones(len(together), bool)
    # The pair that is most often active together, then the next one of those that are left.
    for place in np.argsort(-np.triu(together, 1), axis=None, kind="stable"):
        pair = np.array(divmod(int(place), len(together)))
        if alone[pair].all() and pair[0] != pair[1]:
            alone[pair] = False
            order += pair.tolist()
    layers["units"] = layers["units"][:, order]
    layers["bias1"] = layers["bias1"][order]
    layers["weights2"] = layers["weights2"][:, order]
    return payload_of(layers)


def provenance(folder: Path, run: TrainingRun) -> dict[str, Any]:
    """How these nets came about: seeds, settings, time and the last line of the curve."""
    curve = folder / "curve.jsonl"
    lines = curve.read_text().splitlines() if curve.exists() else []
    return {
        "settings": run.settings.to_dict(),
        "minutes": round(run.progress.seconds / 60.0, 1),
        "games": run.progress.games,
        "positions": run.progress.positions,
        "curve_end": json.loads(lines[-1]) if lines else None,
    }
