"""`kibitz train`: self-play training, from nothing to net files, and distillation of recorded games."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup


class _RunByDefault(TyperGroup):
    """`kibitz train FOLDER` is `kibitz train run FOLDER`."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


train = typer.Typer(
    cls=_RunByDefault, no_args_is_help=True, help="Train nets: FOLDER, or record, distil, pruning, held-out, measure."
)

NetsOption = Annotated[Path | None, typer.Option(help="A folder of nets instead of the shipped ones.")]


@train.command()
def run(
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
    from kibitz.train.run import TrainingRun, race_net
    from kibitz.train.score import JudgedDecisions, curve_score
    from kibitz.train.settings import TrainingSettings

    _check_folder(folder)
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
    started = time.monotonic()
    if race_net(folder, settings, given or {}, minutes) is None:
        _say(f"kibitz: the minutes are over while the race net is learnt; what it has learnt is kept in {folder}")
        return
    training = TrainingRun(folder, settings, judge, nets=given)
    if minutes is not None:
        minutes = max(0.0, minutes - (time.monotonic() - started) / 60.0)
    try:
        training.run(minutes, _report)
    except KeyboardInterrupt:
        training.stop()
        training.checkpoint()
        print(f"kibitz: stopped; the checkpoint in {folder} is complete", file=sys.stderr)
    if export is not None:
        for path in export_nets(folder, export):
            print(path)


def _check_folder(path: Path) -> None:
    """A place for checkpoints or games: a folder, or one that can be made."""
    from kibitz.errors import FormatError

    if path.exists() and not path.is_dir():
        raise FormatError(f"{path} is a file: expected a folder for what training keeps")


def _say(line: str) -> None:
    """A line of progress."""
    print(line, file=sys.stderr, flush=True)


def _report(line: dict[str, Any]) -> None:
    """One line of the curve, for people."""
    text = f"{line['minutes']:7.1f} min  {line['stage']:8} {line['games']:9,} games {line['positions']:11,} positions"
    loss = f"  loss {line['loss']['contact']:.5f}"
    score = f"  {line['meq']:.2f} mEq (contact {line['contact']:.2f}, race {line['race']:.2f})" if "meq" in line else ""
    print(text + loss + score, file=sys.stderr, flush=True)


@train.command()
def record(
    games: Annotated[Path, typer.Argument(help="A folder for files of games.", show_default=False)],
    files: Annotated[
        int, typer.Option(min=1, help="Play until there are so many of the seed, half a million turns each.")
    ],
    nets: NetsOption = None,
    seed: Annotated[int, typer.Option(help="The games follow from it.")] = 1,
) -> None:
    """Record self-play games for distillation, a third of them from rare starts. What is there is not played again."""
    from kibitz.engine.networks import SHIPPED, NetworkFolder
    from kibitz.train.record import record_games

    for path in record_games(NetworkFolder.load(nets or SHIPPED).evaluator(), games, files, seed):
        _say(str(path))


@train.command()
def distil(
    folder: Annotated[Path, typer.Argument(help="Where the checkpoint is kept.", show_default=False)],
    games: Annotated[list[Path], typer.Option(help="A folder of recorded games; new files are seen while it runs.")],
    steps: Annotated[int, typer.Option(min=1, help="Batches in all.")],
    export: Annotated[Path, typer.Option(help="Write the nets into this folder at the end.")],
    nets: NetsOption = None,
    lambda_: Annotated[float, typer.Option("--lambda", min=0, max=1, help="Lambda of the targets.")] = 0.65,
    rare_lambda: Annotated[
        float | None, typer.Option(min=0, max=1, help="Lambda of games from rare starts, if it is to be another.")
    ] = None,
    rates: Annotated[tuple[float, float], typer.Option(help="First and last rate.")] = (3e-4, 1e-5),
) -> None:
    """Teach a contact net the recorded games. A folder with a checkpoint is continued."""
    from kibitz.engine.networks import SHIPPED, NetworkFolder
    from kibitz.train.distil import Distillation, DistillationSettings
    from kibitz.train.export import write

    given = NetworkFolder.load(nets or SHIPPED)
    settings = DistillationSettings(steps, lambda_, rare_lambda, rate=rates)
    distillation = Distillation(folder, games, given.files["contact"], settings)
    contact = distillation.run(_say)
    distillation.look()
    for path in write([*({**given.files, "contact": contact}).values()], distillation.buffer.newest(10_000)[0], export):
        print(path)


@train.command()
def pruning(
    games: Annotated[list[Path], typer.Option(help="A folder of recorded games: their positions are learnt on.")],
    export: Annotated[Path, typer.Option(help="Write the nets into this folder.")],
    nets: NetsOption = None,
    rounds: Annotated[int, typer.Option(min=0, help="Rounds of the pruning net, of 3,000 rolls each.")] = 1500,
    prefilter: Annotated[int, typer.Option(min=0, help="Batches of the linear prefilter, of 1,500 rolls each.")] = 2500,
    rate: Annotated[
        float, typer.Option(help="First rate of the prefilter; less for one that has learnt before.")
    ] = 1e-3,
    seed: Annotated[int, typer.Option(help="Positions and rolls follow from it.")] = 1,
) -> None:
    """Teach the pruning net and the linear prefilter to find the plays that the contact net likes."""
    from kibitz.engine.networks import SHIPPED, NetworkFolder
    from kibitz.train.export import write
    from kibitz.train.prefilter import PrefilterSettings, train_prefilter
    from kibitz.train.pruning import distilled_pruning
    from kibitz.train.record import boards_of

    given = NetworkFolder.load(nets or SHIPPED)
    evaluator, boards = given.evaluator(), boards_of(games)
    files = dict(given.files)
    if prefilter:
        settings = PrefilterSettings(prefilter, rate=(rate, 1e-5), seed=seed)
        files["prefilter"] = train_prefilter(
            files["prefilter"],
            evaluator,
            boards,
            settings,
            lambda done, loss: _say(f"{done:6} batches  loss {loss:.4f}"),
        )
    if rounds:
        files["pruning"] = distilled_pruning(files["pruning"], evaluator, boards, rounds, seed)
    for path in write([*files.values()], boards, export):
        print(path)


@train.command("held-out")
def held_out(
    file: Annotated[Path, typer.Argument(help="The file to write, or to go on with.", show_default=False)],
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of plays to roll out.")] = 1500,
    trials: Annotated[int, typer.Option(min=36, help="Games for each play.")] = 324,
    nets: NetsOption = None,
    seed: Annotated[int, typer.Option(help="Pairs and dice follow from it.")] = 77,
) -> None:
    """Roll out pairs of close plays of self-play and of rare games, to measure nets by."""
    from kibitz.engine.networks import SHIPPED, NetworkFolder
    from kibitz.train.held_out import make

    make(NetworkFolder.load(nets or SHIPPED).evaluator(), file, pairs, trials, seed)


@train.command()
def measure(
    file: Annotated[Path, typer.Argument(help="Held-out pairs.", show_default=False)],
    nets: NetsOption = None,
    plies: Annotated[int, typer.Option(min=0, max=2, help="How deep to look.")] = 0,
) -> None:
    """Tell how far nets are off held-out rollouts, by kind of game, in thousandths of a point."""
    from kibitz.engine.networks import SHIPPED, NetworkFolder
    from kibitz.train.held_out import HeldOut

    held = HeldOut(file)
    table = held.measure(held.values(NetworkFolder.load(nets or SHIPPED).evaluator(), plies))
    columns = {"rms": "equity (rms)", "bias": "bias", "apart": "difference (rms)", "lost": "lost by choice"}
    print(f"{'kind':22} pairs  {'  '.join(columns.values())}")
    for kind, row in table.items():
        figures = "  ".join(f"{row[key]:{len(title)}.2f}" for key, title in columns.items())
        print(f"{kind:22} {row['pairs']:5.0f}  {figures}")
