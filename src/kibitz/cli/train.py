"""`kibitz train`: self-play training, from nothing to net files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("train")(train)


def train(
    folder: Annotated[
        Path, typer.Argument(help="Where checkpoints and the learning curve are kept.", show_default=False)
    ],
    minutes: Annotated[float | None, typer.Option(help="Stop after so many minutes; run again to go on.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of a new run.")] = 1,
    nets: Annotated[Path | None, typer.Option(help="Nets that a new run starts from, instead of from nothing.")] = None,
    score: Annotated[
        Path | None, typer.Option(help="Judged decisions for the learning curve; never trained on.")
    ] = None,
    export: Annotated[Path | None, typer.Option(help="Write the nets into this folder at the end.")] = None,
) -> None:
    """Train nets by self-play. A folder with a checkpoint is continued, at most a minute is lost by a kill."""
    from kibitz.engine.networks import NetworkFolder
    from kibitz.train.export import export as export_nets
    from kibitz.train.run import TrainingRun
    from kibitz.train.score import JudgedDecisions, curve_score
    from kibitz.train.settings import TrainingSettings

    kept = folder / "settings.json"
    given = None if nets is None else NetworkFolder.load(nets).files
    if kept.exists():
        settings = TrainingSettings.load(kept)
    elif given is None:
        settings = TrainingSettings(seed=seed)
    else:
        settings = TrainingSettings.onward(seed=seed)
    decisions = None if score is None else JudgedDecisions(score)
    judge = None if decisions is None else lambda evaluator: curve_score(decisions, evaluator)
    if given is None and not any(folder.glob("race-*.net")):
        print("kibitz: the race net comes first, which takes some minutes", file=sys.stderr, flush=True)
    run = TrainingRun(folder, settings, judge, nets=given)
    try:
        run.run(minutes, _report)
    except KeyboardInterrupt:
        run.stop()
        run.checkpoint()
        print(f"kibitz: stopped; the checkpoint in {folder} is complete", file=sys.stderr)
    if export is not None:
        for path in export_nets(folder, export):
            print(path)


def _report(line: dict[str, Any]) -> None:
    """One line of the curve, for people."""
    text = f"{line['minutes']:7.1f} min  {line['stage']:8} {line['games']:9,} games {line['positions']:11,} positions"
    loss = f"  loss {line['loss']['contact']:.5f}"
    score = f"  {line['meq']:.2f} mEq (contact {line['contact']:.2f}, race {line['race']:.2f})" if "meq" in line else ""
    print(text + loss + score, file=sys.stderr, flush=True)
