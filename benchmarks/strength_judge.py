"""Who is right where the engine and the judge of the benchmark differ: both plays are rolled out.

    python benchmarks/strength_judge.py [--plies 2] [--decisions 2000] [--largest 16 | --sample 40] [--trials 324]

The judge is gnubg at 4 plies (decisions.jsonl.gz, beside the repository or where KIBITZ_SHARED says). Its errors count
as the engine's in every score against it, and weigh the more the stronger the engine is. Rollouts are cubeless, to the
end, with variance reduction, by the engine's own nets at 0 plies.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from strength_search import SHARED, lines, money

import kibitz


@dataclass(frozen=True)
class Difference:
    """A decision in which the engine's play is not the judge's."""

    position: kibitz.Position
    dice: tuple[int, int]
    mine: kibitz.Position
    judges: kibitz.Position
    lost: float  # by the judge's word


def differences(engine: kibitz.Engine, plies: int, count: int) -> tuple[list[Difference], int]:
    """All of them among so many decisions with contact, and how many decisions those are."""
    found, decisions = [], 0
    for row in lines("decisions.jsonl.gz", count):
        position = kibitz.Position.from_id(row["pid"])
        dice = (row["dice"][0], row["dice"][1])
        judged = {
            position.play(notation, dice): money(chances) for notation, depth, _, chances in row["moves"] if depth == 4
        }
        if len(judged) < 2 or not position.in_contact:
            continue
        decisions += 1
        ranked = engine.rank(position, dice, plies=plies, cubeful=False)
        mine = next(one.play.result for one in ranked if one.play.result in judged)
        judges = max(judged, key=lambda result: judged[result])
        if judged[judges] > judged[mine]:
            found.append(Difference(position, dice, mine, judges, judged[judges] - judged[mine]))
    return found, decisions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--decisions", type=int, default=2000)
    parser.add_argument("--largest", type=int, help="the largest differences ...")
    parser.add_argument("--sample", type=int, default=40, help="... or a sample of all")
    parser.add_argument("--trials", type=int, default=324)
    parser.add_argument("--nets", type=Path)
    options = parser.parse_args()
    if not (SHARED / "bench").is_dir():
        sys.exit(f"there is no {SHARED / 'bench'}: nothing to measure")
    engine = kibitz.Engine(nets=options.nets)
    found, decisions = differences(engine, options.plies, options.decisions)
    lost = sum(one.lost for one in found)
    print(f"{decisions} decisions, {len(found)} differ: {1000 * lost / decisions:.3f} mEq lost by the judge's word")
    if options.largest:
        found = sorted(found, key=lambda one: -one.lost)[: options.largest]
    else:
        found = random.Random(1).sample(found, min(options.sample, len(found)))
    judges_word, rolled, variance = 0.0, 0.0, 0.0
    for one in found:
        rollouts = [
            engine.rollout(
                result,
                trials=options.trials,
                cubeful=False,
                cube=False,
                match=kibitz.MatchState.money(jacoby=False),
            ).best
            for result in (one.mine, one.judges)
        ]
        difference = rollouts[0].equity - rollouts[1].equity  # the opponent's, who is on roll
        error = (rollouts[0].standard_error ** 2 + rollouts[1].standard_error ** 2) ** 0.5
        judges_word += one.lost
        rolled += difference
        variance += error**2
        dice = f"{one.dice[0]}{one.dice[1]}"
        print(f"  {one.position.id} {dice}  judge {one.lost:+.3f}  rollout {difference:+.3f} +-{error:.3f}", flush=True)
    print(
        f"lost in these {len(found)}: {judges_word:+.3f} by the judge, {rolled:+.3f} +-{variance**0.5:.3f} by rollouts"
    )


if __name__ == "__main__":
    main()
