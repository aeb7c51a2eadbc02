"""PR by rollouts: plays and cube actions that bgsage rolled out, beside the published figures of XG and Sage.

    python benchmarks/strength_rollouts.py [--plies 0 1 2] [--filter normal] [--level NAME] [--nets FOLDER]
        [--sources money match5 family] [--kind checker|cube] [--sample N] [--threads N] [--save FILE] [--beside FILE]
        [--reliability]

The decisions are for measuring (default: ../shared/bench/rollouts.jsonl.gz beside the repository, or in KIBITZ_SHARED).
PR is 500 x the cubeful equity lost per decision. How decisions count:

- A line about a play is one decision, a forced one too. The best play is the one with the highest equity of those that
  are listed. Bad plays are not all listed: one of ours that is missing costs as much as the worst that is there.
- A line about the cube is a decision to double, a decision to take, or both (`has_double`, `has_take`).
- Money games have the Jacoby rule and beavers; matches use Kazaross-XG2.

Tiers say how well a line is known: `full` rolled out, `trunc` truncated rollouts, `3ply` not close. `--sample` takes
the same decisions every time, and a larger sample holds the smaller ones. `--save` keeps what each decision lost.
`--beside` compares with such a file decision by decision, which is far more exact than two PRs are. `settle.py` asks
our own rollouts who is right where the judge differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import resource
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from measure import SHARED

import kibitz
from kibitz import Cube, Dice, MatchState, Owner, Position, State
from kibitz.engine.classes import position_class
from kibitz.engine.levels import Level
from kibitz.play.players import EnginePlayer

SOURCES = ("money", "match5", "family")
OWNERS = {"c": Owner.CENTRED, "me": Owner.MINE, "opp": Owner.THEIRS}
PUBLISHED = """\
published with the benchmark, on all of its decisions (plies counted as here: XG's and Sage's n-ply is n - 1)
                        money   match5   cubes money, match   back games
XG 2 plies (3-ply)      0.57    0.54     0.58  0.62           1.02
XG 3 plies (4-ply)      0.47    0.46     0.52  0.58           0.73
XG Roller               0.53    0.51
XG Roller+              0.41    0.44
XG Roller++             0.34    0.36     0.38  0.44           0.48
Sage 0 plies (1P)       2.55    2.22
Sage 1 ply (2P)         1.68    1.27                          1.93
Sage 2 plies (3P)       0.60    0.56     0.61  0.71           0.82
Sage 3 plies (4P)       0.43    0.41     0.52  0.47           0.66
Sage 1T                 0.49    0.47                          0.61
Sage 2T                 0.27    0.26                          0.34
Sage 3T                 0.23    0.23     0.41  0.46           0.26
The families here were played by an older Sage than those of the published figures: compare no engines by them."""


@dataclass(frozen=True)
class Loss:
    """What one decision lost. `line` is the number of its line in the file."""

    line: int
    source: str
    kind: str  # play, double or take
    tier: str
    lost: float
    confidence: float | None
    choice: str = ""  # what was chosen: the Position ID after the play, or the action
    is_crashed: bool = False  # the class of the position before the decision

    @property
    def key(self) -> str:
        return f"{self.line}{self.kind}"


def match_of(row: dict[str, Any]) -> MatchState:
    """The score, the cube and the rules of a line."""
    cube = Cube(row["cube"][0], OWNERS[row["cube"][1]])
    if "away" not in row:
        return MatchState(cube=cube, jacoby=True, beavers=True)
    mine, theirs = row["away"]
    length = max(mine, theirs)
    return MatchState(
        length=length, my_score=length - mine, their_score=length - theirs, cube=cube, crawford=row["crawford"]
    )


def measure(player: EnginePlayer, rows: list[tuple[int, dict[str, Any]]]) -> tuple[list[Loss], int, float]:
    """What each decision loses, how many plays are not listed, and the CPU seconds that deciding took."""
    losses, unlisted, seconds = [], 0, 0.0
    for line, row in rows:
        state, source = State(Position.from_id(row["pid"]), match_of(row)), row["src"].split(":")[0]
        crashed = position_class(state.position, state.match.variant).name == "crashed"
        start = cpu_seconds()
        if row["kind"] == "checker":
            ranked = player.rank(replace(state, dice=Dice(*row["dice"])))
            choice = player.choose(ranked)
            seconds += cpu_seconds() - start
            chosen = state.position.swapped().id if choice is None else choice.play.result.id
            equities = {move[0]: move[1] for move in row["moves"]}
            unlisted += chosen not in equities
            lost = max(equities.values()) - equities.get(chosen, min(equities.values()))
            losses.append(Loss(line, source, "play", row["tier"], lost, ranked.confidence, chosen, crashed))
            continue
        cube = player.cube(state)
        double, take = player.doubles(cube), player.takes(cube)
        seconds += cpu_seconds() - start
        doubled = min(row["dt"], row["dp"])
        if row["has_double"]:
            lost = max(row["nd"], doubled) - (doubled if double else row["nd"])
            action = "double" if double else "no double"
            losses.append(Loss(line, source, "double", row["tier"], lost, cube.double_confidence, action, crashed))
        if row["has_take"]:
            lost = (row["dt"] if take else row["dp"]) - doubled
            action = "take" if take else "pass"
            losses.append(Loss(line, source, "take", row["tier"], lost, cube.take_confidence, action, crashed))
    return losses, unlisted, seconds


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def mean(values: Iterable[float]) -> tuple[float, float, int]:
    """500 x the mean, its standard error, and how many there are."""
    known = list(values)
    count = len(known)
    if count < 2:
        return 500 * sum(known), math.nan, count
    average = math.fsum(known) / count
    variance = math.fsum((value - average) ** 2 for value in known) / (count - 1)
    return 500 * average, 500 * math.sqrt(variance / count), count


GROUPS: dict[str, Callable[[Loss], bool]] = {
    "all": lambda one: bool(one.kind),
    "plays": lambda one: one.kind == "play",
    "doubles": lambda one: one.kind == "double",
    "takes": lambda one: one.kind == "take",
    "cubes": lambda one: one.kind != "play",
    "full": lambda one: one.tier == "full",
    "trunc": lambda one: one.tier == "trunc",
    "3ply": lambda one: one.tier == "3ply",
    "crashed": lambda one: one.is_crashed,
}


def print_table(losses: list[Loss], before: dict[str, float] | None) -> None:
    """PR, its standard error and the number of decisions by source and group, or the change since another run."""
    parts = {source: [one for one in losses if one.source == source] for source in SOURCES}
    parts["money + match5"] = parts["money"] + parts["match5"]
    print(" " * 16 + "".join(f"{group:>20}" for group in GROUPS))
    for name, part in parts.items():
        cells = []
        for belongs in GROUPS.values():
            wanted = [one for one in part if belongs(one)]
            if before is None:
                value, error, count = mean(one.lost for one in wanted)
                cells.append(f"{value:6.2f} +-{error:4.2f} {count:5d}" if count else "")
            else:
                value, error, count = mean(one.lost - before[one.key] for one in wanted if one.key in before)
                cells.append(f"{value:+6.3f} +-{error:5.3f}" if count else "")
        if part:
            print(f"{name:16}" + "".join(f"{cell:>20}" for cell in cells))


BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
"""Where the rows of the reliability table begin."""
RIGHT = 1e-6
"""What loses less is right."""


def print_reliability(losses: list[Loss]) -> None:
    """Of the decisions that were called so sure, how many are right by the rollouts' word. A forced play counts not."""
    groups = {"plays": "play", "doubles": "double", "takes": "take"}
    print(f"{'confidence':14}" + "".join(f"{name:>24}" for name in ("all", *groups)))
    for low, high in zip(BANDS, (*BANDS[1:], 1.01), strict=True):
        cells = []
        for kinds in (tuple(groups.values()), *((kind,) for kind in groups.values())):
            known = [one for one in losses if one.kind in kinds and one.confidence not in (None, 1.0)]
            part = [one for one in known if one.confidence is not None and low <= one.confidence < high]
            right = sum(one.lost < RIGHT for one in part)
            said = math.fsum(one.confidence or 0.0 for one in part)
            cells.append(
                f"{100 * said / len(part):5.1f}: {100 * right / len(part):5.1f} % {len(part):6}" if part else ""
            )
        print(f"{100 * low:3.0f} to {100 * high:3.0f} % " + "".join(f"{cell:>24}" for cell in cells))


def load_saved(path: Path) -> dict[str, tuple[float, str]]:
    """What each decision lost, and what was chosen, from a file of `--save`."""
    return {key: (lost, choice) for key, (lost, choice) in json.loads(path.read_text("utf-8")).items()}


def load(options: argparse.Namespace) -> list[tuple[int, dict[str, Any]]]:
    """The lines that are asked for, with their numbers."""
    with gzip.open(options.decisions, "rt") as file:
        rows = list(enumerate(map(json.loads, file)))
    random.Random(1).shuffle(rows)
    wanted = [
        (line, row)
        for line, row in rows
        if row["src"].split(":")[0] in options.sources and options.kind in (None, row["kind"])
    ]
    return sorted(wanted[: options.sample], key=lambda pair: pair[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decisions", nargs="?", type=Path, default=SHARED / "bench" / "rollouts.jsonl.gz")
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--filter", default="normal")
    parser.add_argument("--level", help="a named level instead of plies and filter")
    parser.add_argument("--nets", type=Path)
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--kind", choices=["checker", "cube"])
    parser.add_argument("--sample", type=int, help="so many lines, chosen at random but always the same")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save", type=Path, help="keep what each decision lost; for one number of plies")
    parser.add_argument("--beside", type=Path, help="a kept file to compare with")
    parser.add_argument("--reliability", action="store_true", help="compare confidences with what is right")
    options = parser.parse_args()
    if not options.decisions.exists():
        sys.exit(f"there is no {options.decisions}: nothing to measure")
    level = None if options.level is None else Level.of(options.level)
    depths = options.plies if level is None else [level.search.plies]
    if options.save and len(depths) > 1:
        parser.error("--save wants one number of plies")
    engine = kibitz.Engine(nets=options.nets, filter=options.filter, threads=options.threads)
    rows = load(options)
    before = None if options.beside is None else {key: lost for key, (lost, _) in load_saved(options.beside).items()}
    for plies in depths:
        at = level or Level(f"{plies}-ply", engine.settings.changed(plies=plies))
        player = EnginePlayer(engine, at, seed=1)
        losses, unlisted, seconds = measure(player, rows)
        assert len(losses) >= len(rows) > 0
        name = f"{plies} plies, filter {options.filter}" if level is None else f"level {level.name}"
        print(f"{name}: PR, standard error, decisions; {1000 * seconds / len(losses):.2f} ms (CPU) a decision", end="")
        print(f"; {unlisted} plays are not listed")
        print_table(losses, None)
        if options.reliability:
            print("reliability: how sure decisions were said to be, how many are right, decisions")
            print_reliability(losses)
        if before is not None:
            print(f"since {options.beside}: change and standard error, decision by decision")
            print_table(losses, before)
        print(flush=True)
        if options.save:
            options.save.write_text(json.dumps({one.key: [one.lost, one.choice] for one in losses}), "utf-8")
    print(PUBLISHED)


if __name__ == "__main__":
    main()
