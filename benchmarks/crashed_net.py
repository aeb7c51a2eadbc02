"""Whether crashed positions deserve a net of their own: one is made, and compared with the net that answers for all.

    python benchmarks/crashed_net.py GAMES NETS [--steps 8000] [--rate 2e-4] [--plies 0 1 2]

GAMES is a folder of `kibitz train record`. The shipped contact net learns on from the crashed turns alone of five
files in six, and NETS gets the nets with the new one in its place. Printed are the errors of both on the crashed
turns of the other files, against the lambda returns and against the ends of their games, and what both lose in the
crashed positions of the rollouts' benchmark (see strength_rollouts.py), decision by decision. There the new net also
answers for positions that have not crashed but may follow, which it has not learnt; few do.
"""

from __future__ import annotations

import argparse
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from measure import SHARED
from strength_rollouts import load, mean, measure

import kibitz
from kibitz import Position, _core
from kibitz.engine.classes import position_class
from kibitz.engine.levels import Level
from kibitz.engine.network_file import NetworkFile
from kibitz.engine.networks import SHIPPED, evaluator_of
from kibitz.play.players import EnginePlayer
from kibitz.train.record import equity_of, games_in, is_rare, load_games, number_of

LAMBDA, RARE_LAMBDA = 0.4, 0.9
"""Those that the shipped net has learnt with."""
BATCH, TURN, AVERAGING = 2048, 32, 2e-3
HELD_OUT = 6
LEAST_RATE = 1e-6
USEFUL = 6
"""A side with at most so many useful checkers has crashed, as cpp/board/position_class.hpp has it."""

Boards = npt.NDArray[np.uint8]
Floats = npt.NDArray[Any]


def crashed(boards: Boards) -> npt.NDArray[np.bool_]:
    """Which boards have contact and a side that has crashed."""
    counts = boards.astype(np.int64)
    useful = counts[:, :, 2:].sum(axis=2) + np.minimum(counts[:, :, :2], 2).sum(axis=2)
    rearmost = np.where(counts > 0, np.arange(25), -1).max(axis=2)
    return np.asarray((rearmost.min(axis=1) >= 0) & (rearmost.sum(axis=1) > 23) & (useful.min(axis=1) <= USEFUL))


def turns(paths: list[Path]) -> tuple[Boards, Floats, Floats]:
    """The crashed turns of files of games, their lambda returns and how their games ended."""
    boards, returns, ends = [], [], []
    for path in paths:
        found, values = load_games(path, RARE_LAMBDA if is_rare(number_of(path)) else LAMBDA)
        wanted = crashed(found)
        boards.append(found[wanted])
        returns.append(values[wanted])
        ends.append(load_games(path, 1.0)[1][wanted])
    return np.concatenate(boards), np.concatenate(returns), np.concatenate(ends)


def train(given: NetworkFile, boards: Boards, targets: Floats, steps: int, rate: float) -> NetworkFile:
    """The net after so many steps on these positions."""
    learner = _core.Learner(*given.widths, 1, features=True, buckets=True)
    learner.load_payload(given.payload)
    random = np.random.default_rng(1)
    while learner.steps < steps:
        part = 0.5 * (1.0 + math.cos(math.pi * learner.steps / steps))
        chosen = random.integers(0, len(boards), BATCH * TURN).astype(np.uint32)
        loss = learner.train(boards, targets, chosen, BATCH, LEAST_RATE + (rate - LEAST_RATE) * part, AVERAGING)
        if learner.steps % (32 * TURN) == 0:
            print(f"{learner.steps:6} steps  loss {loss:.6f}", flush=True)
    return replace(given, payload=learner.payload(True), provenance={"crashed": steps, "from": given.provenance})


def compare_errors(folder: Path, boards: Boards, returns: Floats, ends: Floats) -> None:
    """Mean squared errors of equities, in millionths."""
    old, new = (equity_of(evaluator_of(nets).evaluate_batch(boards)) for nets in (SHIPPED, folder))
    for name, target in (("lambda returns", equity_of(returns)), ("ends of games", equity_of(ends))):
        before, after = (1e6 * (values - target) ** 2 for values in (old, new))
        error = (after - before).std() / math.sqrt(len(boards))
        print(f"{name:15} {before.mean():8.1f} -> {after.mean():8.1f}  {(after - before).mean():+8.1f} +-{error:.1f}")
    print(f"{len(boards):,} turns; the two nets are {1000 * math.sqrt(((old - new) ** 2).mean()):.1f} mEq apart (rms)")


def compare_decisions(folder: Path, plies: list[int]) -> None:
    """PR in the crashed positions of the benchmark, before and after."""
    wanted = argparse.Namespace(
        decisions=SHARED / "bench" / "rollouts.jsonl.gz", sources=("money", "match5", "family"), kind=None, sample=None
    )
    rows = [row for row in load(wanted) if position_class(Position.from_id(row[1]["pid"])).name == "crashed"]
    for depth in plies:
        losses = []
        for nets in (None, folder):
            engine = kibitz.Engine(nets=nets, threads=1)
            player = EnginePlayer(engine, Level(f"{depth}-ply", engine.settings.changed(plies=depth)), seed=1)
            losses.append(measure(player, rows)[0])
        for kind in ("play", "double"):
            both = [(one.lost, other.lost) for one, other in zip(*losses, strict=True) if one.kind == kind]
            before, after = mean(one for one, _ in both), mean(other for _, other in both)
            change = mean(other - one for one, other in both)
            print(
                f"{depth} plies, {kind:7} {before[0]:5.2f} +-{before[1]:.2f} -> {after[0]:5.2f}  "
                f"{change[0]:+.3f} +-{change[1]:.3f}  ({len(both)})",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("nets", type=Path)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    options = parser.parse_args()
    paths = games_in(options.games)
    learnt, kept = (
        turns([path for place, path in enumerate(paths) if (place % HELD_OUT == HELD_OUT - 1) == held])
        for held in (False, True)
    )
    assert len(learnt[0]) > BATCH and len(kept[0]) > BATCH
    print(f"{len(learnt[0]):,} crashed turns to learn from", flush=True)
    (given,) = SHIPPED.glob("contact-*.net")
    made = train(NetworkFile.load(given), *learnt[:2], options.steps, options.rate)
    shutil.copytree(SHIPPED, options.nets, ignore=shutil.ignore_patterns("contact-*"))
    made.save(options.nets)
    compare_errors(options.nets, *kept)
    compare_decisions(options.nets, options.plies)


if __name__ == "__main__":
    main()
