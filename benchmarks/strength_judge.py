"""Who is right where the engine and the judge of the benchmark differ: a referee values both plays.

    python benchmarks/strength_judge.py [--plies 2] [--races] [--decisions 2000] [--referee NAME] [--sample 40]
    python benchmarks/strength_judge.py --scores --referee bgsage    # what both lose by the judge's word
    python benchmarks/strength_judge.py --cubes [--sample 40]        # cube actions, the referee being cubeful rollouts

The judge is gnubg at 4 plies (decisions.jsonl.gz, beside the repository or where KIBITZ_SHARED says). Its errors count
as the engine's in every score against it, and weigh the more the stronger the engine is. Referees: rollouts by the
engine's own nets (cubeless, 0 plies, to the end, with variance reduction), or bgsage at its 3 plies (our 2), which
neither side had a hand in; it must be installed.

The last line tells what a player would lose by the judge's word who follows the referee wherever engine and judge
differ, with plays that the referee finds equal counted for him: no score against this judge says anything below that.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from measure import SHARED
from strength_search import judged_cubes, lines, money

import kibitz

Referee = Callable[[kibitz.Position], float]
"""The cubeless equity of a position for the player on roll."""


@dataclass(frozen=True)
class Difference:
    """A decision in which the engine's play is not the judge's."""

    position: kibitz.Position
    dice: tuple[int, int]
    mine: kibitz.Position
    judges: kibitz.Position
    lost: float  # by the judge's word


@dataclass(frozen=True)
class Judged:
    """A decision with the judge's equities of the results."""

    position: kibitz.Position
    dice: tuple[int, int]
    results: dict[kibitz.Position, float]

    def choice(self, engine: kibitz.Engine, plies: int) -> kibitz.Position:
        """The engine's, among the results that were judged."""
        ranked = engine.rank(self.position, self.dice, plies=plies, cubeful=False)
        return next(one.play.result for one in ranked if one.play.result in self.results)


def judged_plays(count: int, *, races: bool) -> list[Judged]:
    """Those among so many decisions that are races, or have contact."""
    found = []
    for row in lines("decisions.jsonl.gz", count):
        position = kibitz.Position.from_id(row["pid"])
        dice = (row["dice"][0], row["dice"][1])
        results = {
            position.play(notation, dice): money(chances) for notation, depth, _, chances in row["moves"] if depth == 4
        }
        if len(results) >= 2 and position.in_contact != races:
            found.append(Judged(position, dice, results))
    return found


def differences(engine: kibitz.Engine, plies: int, decisions: list[Judged]) -> list[Difference]:
    """Where the engine plays otherwise than the judge."""
    found = []
    for one in decisions:
        mine = one.choice(engine, plies)
        judges = max(one.results, key=lambda result: one.results[result])
        if one.results[judges] > one.results[mine]:
            found.append(Difference(one.position, one.dice, mine, judges, one.results[judges] - one.results[mine]))
    return found


def print_scores(engine: kibitz.Engine, plies: int, referee: Referee, decisions: list[Judged]) -> None:
    """What the engine and the referee lose by the judge's word if both choose among the results that were judged."""
    losses: list[list[float]] = [[], []]
    for one in decisions:
        referees = min(one.results, key=referee)  # the opponent is on roll
        for player, chosen in enumerate((one.choice(engine, plies), referees)):
            losses[player].append(max(one.results.values()) - one.results[chosen])
    apart = [1000 * (mine - theirs) for mine, theirs in zip(*losses, strict=True)]
    mean = sum(apart) / len(apart)
    error = (sum((one - mean) ** 2 for one in apart) / len(apart)) ** 0.5 / len(apart) ** 0.5
    mine, theirs = (1000 * sum(one) / len(one) for one in losses)
    print(f"in {len(apart)} decisions the engine loses {mine:.3f} mEq by the judge's word, the referee {theirs:.3f}")
    print(f"the engine {mean:+.3f} +-{error:.3f} more")


def by_rollout(engine: kibitz.Engine, trials: int) -> Referee:
    """Rollouts of both plays with the same dice."""
    money_game = kibitz.MatchState.money(jacoby=False)

    def referee(position: kibitz.Position) -> float:
        rollout = engine.rollout(position, trials=trials, cubeful=False, cube=False, match=money_game)
        return float(rollout.best.equity)

    return referee


def by_bgsage() -> Referee:
    """bgsage's look-ahead: its boards are seen by the one who has just played, 1 to 24 his points, 25 his bar."""
    import bgsage

    analyzer = bgsage.BgBotAnalyzer(eval_level="3ply", cubeful=False)

    def referee(position: kibitz.Position) -> float:
        board = [position.mine[24], *(0 for _ in range(24)), position.theirs[24]]
        for point in range(24):
            board[point + 1] += position.theirs[point]
            board[24 - point] -= position.mine[point]
        return -float(analyzer.post_move_analytics(board, jacoby=False).cubeless_equity)

    return referee


def judge_cubes(engine: kibitz.Engine, plies: int, sample: int, trials: int) -> None:
    """The same for close cube decisions: what the judge says of those who follow rollouts."""
    cubes = [
        (one, engine.cube(one.state.position, match=one.state.match, plies=plies))
        for one in judged_cubes(lines("cubes.jsonl.gz", 0))
    ]
    cubes = [(one, decision) for one, decision in cubes if decision.available]
    differing = [(one, sum(one.losses(decision))) for one, decision in cubes if sum(one.losses(decision)) > 0]
    lost = sum(loss for _, loss in differing) / len(cubes)
    print(f"{len(cubes)} cube decisions, {len(differing)} differ: {1000 * lost:.3f} mEMG lost by the judge's word")
    share = len(differing) / len(cubes)
    if sample:
        differing = random.Random(1).sample(differing, min(sample, len(differing)))
    mine = follower = 0.0
    for one, loss in differing:
        rollout = engine.rollout(one.state.position, match=one.state.match, trials=trials)
        mine += loss / len(differing)
        follower += sum(one.losses(rollout.decision)) / len(differing)
    print(
        f"in {len(differing)} differences the engine loses {1000 * mine:.1f} mEMG by the judge's word; who follows "
        f"rollouts there loses at least {1000 * share * follower:.3f} mEMG over all decisions"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=2)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--races", action="store_true", help="races instead of positions with contact")
    kinds.add_argument("--cubes", action="store_true", help="cube actions instead of plays")
    parser.add_argument("--decisions", type=int, default=2000, help="decisions to look at; 0 for all")
    parser.add_argument("--referee", choices=["rollout", "bgsage"], default="rollout")
    parser.add_argument("--scores", action="store_true", help="what engine and referee lose by the judge's word")
    parser.add_argument("--sample", type=int, default=40, help="differences that the referee sees; 0 for all")
    parser.add_argument("--trials", type=int, default=324)
    parser.add_argument("--nets", type=Path)
    options = parser.parse_args()
    if not (SHARED / "bench").is_dir():
        sys.exit(f"there is no {SHARED / 'bench'}: nothing to measure")
    engine = kibitz.Engine(nets=options.nets)
    if options.cubes:
        judge_cubes(engine, options.plies, options.sample, options.trials)
        return
    referee = by_bgsage() if options.referee == "bgsage" else by_rollout(engine, options.trials)
    decisions = judged_plays(options.decisions, races=options.races)
    if options.scores:
        print_scores(engine, options.plies, referee, decisions)
        return
    found = differences(engine, options.plies, decisions)
    share = len(found) / len(decisions)
    lost = sum(one.lost for one in found)
    count = len(decisions)
    print(f"{count} decisions, {len(found)} differ: {1000 * lost / count:.3f} mEq lost by the judge's word")
    if options.sample:
        found = random.Random(1).sample(found, min(options.sample, len(found)))
    gains = [referee(one.judges) - referee(one.mine) for one in found]  # the opponent is on roll
    mean = sum(gains) / len(gains)
    error = (sum((gain - mean) ** 2 for gain in gains) / len(gains)) ** 0.5 / len(gains) ** 0.5
    right = sum(gain > 0 for gain in gains)
    word = 1000 * sum(one.lost for one in found) / len(found)
    print(
        f"in {len(found)} differences the engine loses {word:.1f} mEq by the judge's word and gains {1000 * mean:+.1f} "
        f"+-{1000 * error:.1f} by {options.referee}, which prefers its play in {right}"
    )
    follower = sum(one.lost for one, gain in zip(found, gains, strict=True) if gain > 0) / len(found)
    print(f"who follows {options.referee} there loses at least {1000 * share * follower:.3f} mEq by the judge's word")


if __name__ == "__main__":
    main()
