"""Scores nets on judged decisions and prints them beside the peers' figures.

    python benchmarks/strength.py [--nets FOLDER] [--against FOLDER --pairs 25000] [DECISIONS]

The decisions (default: ../shared/bench/decisions.jsonl.gz beside the repository) are for measuring. With --against,
the nets also play a cubeless duel with those of another folder, each pair of games with the same dice both ways.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.engine.networks import SHIPPED, NetworkFolder
from kibitz.engine.settings import SearchSettings
from kibitz.train.score import JudgedDecisions

ROOT = Path(__file__).resolve().parents[1]
PEERS = """\
peers on 27,271 decisions of the same kind (0-ply unless said):
  wildbg 6.12   gnubg 3.78 (contact 4.54, race 0.39)   bgsage 3.59   PureTD 2.30 (2.65, 0.74)   gnubg 1-ply 2.10"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Score nets on judged decisions.")
    parser.add_argument(
        "decisions", nargs="?", type=Path, default=ROOT / ".." / "shared" / "bench" / "decisions.jsonl.gz"
    )
    parser.add_argument("--nets", type=Path, default=SHIPPED)
    parser.add_argument("--against", type=Path, help="nets to play a duel with")
    parser.add_argument("--pairs", type=int, default=25_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()

    folder = NetworkFolder.load(options.nets)
    evaluator = folder.evaluator()
    print("nets: " + ", ".join(path.name for path in folder.paths.values()))
    if options.decisions.exists():
        decisions = JudgedDecisions(options.decisions)
        for part, score in decisions.score(evaluator).items():
            print(f"{part:8} {score}")
        print(PEERS)
        print(filter_loss(decisions, evaluator))
    else:
        print(f"{options.decisions} is absent: no score")
    if options.against:
        started = time.perf_counter()
        points = duel(evaluator, NetworkFolder.load(options.against).evaluator(), options)
        assert len(points) == options.pairs
        error = points.std() / np.sqrt(options.pairs)
        seconds = time.perf_counter() - started
        print(
            f"duel: {points.mean():+.4f} +-{1.96 * error:.4f} ppg (95 %) over {2 * options.pairs:,} games, "
            f"same dice both ways, {2 * options.pairs / seconds:.0f} games/s"
        )


def duel(first: _core.Evaluator, second: _core.Evaluator, options: argparse.Namespace) -> npt.NDArray[np.float64]:
    """Points a game of the first in each pair: cubeless, without look-ahead."""
    tree = SearchSettings(cubeful=False).tree(15)
    players = [_core.engine_contestant(one, _core.RankSettings(0, [], tree), tree) for one in (first, second)]
    sessions = _core.arena_pairs(
        first=players[0],
        second=players[1],
        seed=options.seed,
        pairs=list(range(options.pairs)),
        length=0,
        cube=False,
        jacoby=False,
        crawford=False,
        equity=None,
        luck_evaluator=None,
        luck_shortlist=1,
        keep_events=False,
        threads=options.threads,
    )
    return np.array([(one[0] - other[0]) / 2 for one, other in sessions])


def filter_loss(decisions: JudgedDecisions, evaluator: _core.Evaluator) -> str:
    """How often the pruning at all plays loses the strong net's own choice, and what that costs by the strong net."""
    boards = np.stack([position.board for position in decisions.positions])
    dice = np.array(decisions.dice, np.uint8)
    _, all_results, all_outputs = evaluator.best_plays(boards, dice, 0)
    lines = []
    for shortlist in (3, 5, 8):
        _, results, outputs = evaluator.best_plays(boards, dice, shortlist)
        lost = (results != all_results).any(axis=(1, 2)).mean()
        equity = [2 * out[:, 0] + out[:, 1] - out[:, 3] + out[:, 2] - out[:, 4] for out in (all_outputs, outputs)]
        lines.append(f"{shortlist}: {lost:.2%} at {1000 * float((equity[0] - equity[1]).mean()):.3f} mEq")
    return "choices lost by a shortlist of " + ", ".join(lines)


if __name__ == "__main__":
    main()
