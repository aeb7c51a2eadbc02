"""PR by rollouts against time for every level, as a table and a plot: what docs/strength.md shows of levels.

    python benchmarks/levels.py FILE [--measure LEVEL N]... [--threads N] [--points FILE] [--plot FILE]

FILE keeps what each decision lost and how long it took (JSON lines); a later run goes on from there. `--measure deep
2000` looks at 2,000 lines of the benchmark of rollouts at that level, always the same (see `strength_rollouts.py`).
Levels differ from `standard` only where that is not sure. So the PR of a level is that of `standard` on all its lines,
and the difference on the lines that both have seen: far more exact than the PR of these alone. Without `--measure` the
table is made from what FILE has, and with `--points docs/levels.json --plot docs/levels.svg` what docs/strength.md
shows. Needs the material beside the repository.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from argparse import Namespace
from collections import defaultdict
from pathlib import Path
from typing import Any

from measure import SHARED
from strength_rollouts import Loss, cpu_seconds, load, mean, measure

import kibitz
from kibitz.arena.levels import LEVEL_SOURCES, LevelPoint, draw_levels, levels_table
from kibitz.engine.levels import LEVELS, Level
from kibitz.engine.settings import SearchSettings
from kibitz.play.players import EnginePlayer

STANDARD = "standard"
FEWEST = 1000
"""Decisions below which a PR is too noisy to be shown."""


def level_of(name: str) -> Level:
    """A level by name, or so many plies: '1-ply'."""
    plies, _, rest = name.partition("-")
    return Level(name, SearchSettings(plies=int(plies))) if rest == "ply" and plies.isdigit() else Level.of(name)


def gather(path: Path, name: str, lines: int, threads: int) -> None:
    """Measure the lines that the file does not have yet."""
    known = {row["line"] for row in read(path) if row["level"] == name}
    wanted = Namespace(
        decisions=SHARED / "bench" / "rollouts.jsonl.gz", sources=list(LEVEL_SOURCES), kind=None, sample=lines
    )
    player = EnginePlayer(kibitz.Engine(threads=threads), level_of(name), seed=1)
    with path.open("a", encoding="utf-8") as file:
        todo = [(line, row) for line, row in load(wanted) if line not in known]
        random.Random(2).shuffle(todo)  # so that a run that is stopped has seen a bit of everything
        for line, row in todo:
            started, busy = time.monotonic(), cpu_seconds()
            losses, _, _ = measure(player, [(line, row)])
            spent = {"seconds": time.monotonic() - started, "cpu": cpu_seconds() - busy}
            rows = [(one.source, one.kind, one.lost, one.confidence, one.choice) for one in losses]
            file.write(json.dumps({"level": name, "line": line, "losses": rows} | spent) + "\n")
            file.flush()


def read(path: Path) -> list[dict[str, Any]]:
    """What has been measured."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def points(rows: list[dict[str, Any]]) -> list[LevelPoint]:
    """Each level with its PR by source and the time of a decision."""
    losses: dict[str, dict[str, Loss]] = defaultdict(dict)
    times: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        for source, kind, lost, confidence, choice in row["losses"]:
            loss = Loss(row["line"], source, kind, "", lost, confidence, choice)
            losses[row["level"]][loss.key] = loss
            times[row["level"]][loss.key] = 1000.0 * row["cpu"] / len(row["losses"])
    base, base_times = losses[STANDARD], times[STANDARD]
    found = []
    order = [f"{plies}-ply" for plies in range(8)] + list(LEVELS)
    for name in sorted(losses, key=order.index):
        ours = losses[name]
        prs = {}
        for source in LEVEL_SOURCES:
            here = {key: one for key, one in ours.items() if one.source == source}
            if len(here) < 2:
                continue
            value, error, count = mean(one.lost for one in here.values())
            both = [key for key in here if key in base]
            if name != STANDARD and both and len(both) < sum(one.source == source for one in base.values()):
                whole = mean(one.lost for one in base.values() if one.source == source)
                change = mean(here[key].lost - base[key].lost for key in both)
                value, error, count = whole[0] + change[0], math.hypot(whole[1], change[1]), change[2]
            prs[source] = (value, error, count)
        if sum(count for _, _, count in prs.values()) < FEWEST:
            print(f"{name}: {sum(count for _, _, count in prs.values())} decisions are too few to be shown")
            continue
        both = [key for key in ours if key in base_times]
        spent = sum(times[name].values()) / len(ours)
        if both and len(both) < len(base):
            change_ms = sum(times[name][key] - base_times[key] for key in both) / len(both)
            spent = sum(base_times.values()) / len(base_times) + change_ms
        found.append(LevelPoint(name, spent, prs))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--measure", nargs=2, action="append", default=[], metavar=("LEVEL", "N"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--points", type=Path)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    for name, lines in options.measure:
        gather(options.file, name, int(lines), options.threads)
    found = points(read(options.file))
    assert found, "nothing has been measured yet: --measure standard 1000"
    print("\n".join(levels_table(found)))
    if options.points is not None:
        options.points.write_text(json.dumps([one.to_dict() for one in found], indent=1) + "\n", "utf-8")
    if options.plot is not None:
        options.plot.write_text(draw_levels(found), "utf-8")


if __name__ == "__main__":
    main()
