"""Who is right where the judge of the benchmark says that a level errs: long rollouts of our own, beside the judge's.

    python benchmarks/settle.py KEPT FILE... [--sources money match5] [--sample 100] [--trials 36] [--points FILE]

FILE is one of `strength_rollouts.py --save`, or what `levels.py` keeps, with all its levels. The judge of plays and
cube actions is bgsage. Its errors count as ours, and weigh the more the stronger a level is: by its word XG Roller++
has a PR of 0.34, by XG's own 0.21, and bgsage's best level has 0.23 and 0.28. So a sample of what a level is charged
with is rolled out by Kibitz: both choices with the same dice and with the cube, plays and cubes at 2 plies, for 14
turns. The luck that is left in 36 such games is that of 450 at 0 plies to the end, at the same cost. KEPT keeps what
rollouts say (JSON lines); a later run goes on from there, and levels share what they have in common.

A decision is drawn with a chance that grows with what the judge has it lose, and the difference that our rollouts make
is divided by that chance: so the sum is right on average (Horvitz and Thompson). What is printed for each file: the PR
by the judge, the PR by our rollouts with its standard error, luck of the games included, and the mean of both. Where a
level and the judge agree, nobody is asked: so the second figure is the first with what was settled, not what a
benchmark of our own would say. Needs the material beside the repository.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from measure import SHARED
from strength_rollouts import SOURCES, load_saved, match_of

import kibitz
from kibitz import Dice, Position, State
from kibitz.arena.levels import load_points
from kibitz.rollout.run import RolloutOptions

Row = dict[str, Any]
Saved = dict[str, tuple[float, str]]
"""What each decision lost by the judge's word, and what was chosen."""
Kept = dict[tuple[str, str], float]
"""What our rollouts have a choice lose against the judge's, by decision and choice."""
UNSURE = 0.02
"""About how far rollouts of a difference are off: decisions that lose less are drawn as if they lost as much."""


def split_key(key: str) -> tuple[int, str]:
    """The line of a decision and its kind."""
    digits = len(key) - len(key.lstrip("0123456789"))
    return int(key[:digits]), key[digits:]


def luck_of(key: str) -> float:
    """A number from 0 to 1 that belongs to the decision: all levels draw by the same, so that they share rollouts."""
    return random.Random(f"settle {key}").random()


def levels_in(path: Path) -> dict[str, Saved]:
    """The decisions in a file, by level."""
    if path.suffix == ".json":
        return {path.stem: load_saved(path)}
    found: dict[str, Saved] = {}
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        for _, kind, lost, _, choice in row["losses"]:
            found.setdefault(row["level"], {})[f"{row['line']}{kind}"] = lost, choice
    return found


def roll_out(engine: kibitz.Engine, row: Row, kind: str, choice: str, trials: int) -> float:
    """What a choice loses against the judge's by games of our own."""
    position, match = Position.from_id(row["pid"]), match_of(row)
    games: RolloutOptions = {"plies": 2, "filter": "tiny", "truncate": 14, "trials": trials}
    if kind == "play":
        best = max(row["moves"], key=lambda move: move[1])[0]
        dice = Dice(*row["dice"])
        plays = {play.result.id: play for play in position.plays(dice)}
        games["play"] = [plays[best], plays[choice]]
        found = engine.rollout(State(position, match, dice), **games)
        by_id = {result.play.result.id: result.equity for result in found.results if result.play is not None}
        return float(by_id[best] - by_id[choice])
    found = engine.rollout(State(position, match), **games)
    held, taken = (result.equity for result in found.results)
    passed = 1.0
    if kind == "take":
        return float(taken - passed if choice == "take" else passed - taken)
    gain = min(taken, passed) - held
    return float(gain if choice == "no double" else -gain)


def settle(saved: Saved, rows: list[Row], source: str, kept: Kept, options: argparse.Namespace) -> tuple[float, float]:
    """The PR by our rollouts with its standard error, printed as a line; rolls out what is drawn and not known yet."""
    engine = kibitz.Engine(threads=options.threads)
    belonging = {key: one for key, one in saved.items() if rows[split_key(key)[0]]["src"].split(":")[0] == source}
    charged = {key: one for key, one in belonging.items() if one[0] > 0.0}
    total = math.fsum(lost for lost, _ in charged.values())
    weights = {key: math.hypot(lost, UNSURE) for key, (lost, _) in charged.items()}
    scale = options.sample / math.fsum(weights.values())
    change = variance = 0.0
    drawn = 0
    for key, (lost, choice) in charged.items():
        chance = min(1.0, scale * weights[key])
        if luck_of(key) >= chance:
            continue
        if (key, choice) not in kept:
            line, kind = split_key(key)
            kept[key, choice] = roll_out(engine, rows[line], kind, choice, options.trials)
            with options.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, choice, kept[key, choice]]) + "\n")
        drawn += 1
        change += (kept[key, choice] - lost) / chance
        variance += ((kept[key, choice] - lost) / chance) ** 2
    unit = 500.0 / len(belonging)
    by_judge, by_us = unit * total, unit * (total + change)
    error, both = unit * math.sqrt(variance), (by_judge + by_us) / 2
    counts = f"{source:8}{len(belonging):8}{drawn:8}"
    print(f"{counts}{by_judge:10.2f}{by_us:10.2f} +-{error:.2f}{both:10.2f}", flush=True)
    return by_us, error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kept", type=Path)
    parser.add_argument("files", type=Path, nargs="+", metavar="file")
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=["money", "match5"])
    parser.add_argument("--sample", type=int, default=100, help="so many decisions of each source are expected")
    parser.add_argument("--trials", type=int, default=36)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--points", type=Path, help="write what is settled beside the points that `levels.py` wrote")
    options = parser.parse_args()
    with gzip.open(SHARED / "bench" / "rollouts.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    kept: Kept = {}
    if options.kept.exists():
        for line in options.kept.read_text("utf-8").splitlines():
            key, choice, lost = json.loads(line)
            kept[key, choice] = lost
    points = [] if options.points is None else load_points(options.points)
    levels = [one for path in options.files for one in levels_in(path).items()]
    assert levels
    for name, saved in levels:
        print(f"{name}\nsource decisions settled  by judge    by our rollouts  mean of both")
        settled = {source: settle(saved, rows, source, kept, options) for source in options.sources}
        points = [replace(one, settled=settled) if one.name == name else one for one in points]
    if options.points is not None:
        options.points.write_text(json.dumps([one.to_dict() for one in points], indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
