"""From a training folder to net files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kibitz.engine.networks import ROLES
from kibitz.train.run import TrainingRun
from kibitz.train.settings import TrainingSettings


def export(folder: Path, target: Path) -> list[Path]:
    """Write the averaged nets of a folder's checkpoint as net files, in place of the ones of the same roles."""
    run = TrainingRun(folder, TrainingSettings.load(folder / "settings.json"))
    target.mkdir(parents=True, exist_ok=True)
    written = [file.save(target) for file in run.networks(provenance(folder, run))]
    for role in ROLES:
        for path in target.glob(f"{role}-*.net"):
            if path not in written:
                path.unlink()
    return written


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
