"""Whether looks ahead say of doubles and takes at match scores what cubeful rollouts say, score by score.

    python benchmarks/cube_scores.py [--groups after 2 3 ... 9] [--positions 20] [--plies 2] [--keep FILE] [--bench]

Groups: `2` to `9` are the even scores n-away n-away; `uneven` has other scores of 2-away to 9-away; in `after` the
Crawford game is over, the trailer needs 2 to 9 points, and either side is on roll; `money` is for comparison. Positions
come from self-play, such that a double is not out of the question. With `--bench` they come from the cube decisions of
../shared/bench/rollouts.jsonl.gz instead, which are for the final figure alone.

For each group it prints by how much no double and double/take differ from the rollouts (mean and rms), the standard
error of the rollouts, and mean and rms of what is left once the differences of the five chances are taken out: the
cube's own part.
`--keep` holds rollouts that are done, to go on from there.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from measure import SHARED

import kibitz
from kibitz import MatchState, Position, _core
from kibitz.match_equity import cube_model

AFTER = "after"
MONEY, UNEVEN = "money", "uneven"
GROUPS = (AFTER, *map(str, range(2, 10)), UNEVEN, MONEY)
FAR = 0.30  # no double and double/take differ by less, by a first look


Row = tuple[float, float, float]  # the difference, the rollout's error, and the cube's part of the difference


@dataclass(frozen=True)
class Case:
    """A position at a score, the cube in the middle, and what rollouts say of it. No take where nobody doubles."""

    group: str
    position: str
    away: tuple[int, int]
    no_double: float
    no_double_error: float
    no_double_chances: tuple[float, ...]
    take: float | None
    take_error: float | None
    take_chances: tuple[float, ...]

    @property
    def match(self) -> MatchState:
        return match_of(*self.away)


def match_of(mine: int, theirs: int) -> MatchState:
    """A game at this score, not the Crawford game; money if nobody needs points."""
    length = max(mine, theirs)
    if length == 0:
        return MatchState(jacoby=False)
    return MatchState(length=length, my_score=length - mine, their_score=length - theirs)


def self_play(engine: kibitz.Engine, chance: random.Random) -> Iterator[Position]:
    """Positions from games of the engine against itself, one a game."""
    while True:
        position, wanted = Position.start(), chance.randrange(4, 60)
        for _ in range(wanted):
            ranked = engine.rank(position, (chance.randint(1, 6), chance.randint(1, 6)), plies=0)
            position = ranked[0].play.result if ranked else position.swapped()
            if position.is_over:
                break
        else:
            yield position


def benchmark_positions(chance: random.Random) -> Iterator[Position]:
    """Positions of the benchmark's cube decisions."""
    with gzip.open(SHARED / "bench" / "rollouts.jsonl.gz", "rt") as file:
        rows = [row for row in map(json.loads, file) if row["kind"] == "cube"]
    names = sorted({row["pid"] for row in rows})
    chance.shuffle(names)
    return map(Position.from_id, names)


def scores(group: str, chance: random.Random) -> tuple[int, int]:
    """Points that each side needs."""
    if group == MONEY:
        return 0, 0
    if group == UNEVEN:
        mine, theirs = chance.sample(range(2, 10), 2)
        return mine, theirs
    if group != AFTER:
        return int(group), int(group)
    trailer = chance.randint(2, 9)
    return (1, trailer) if chance.random() < 0.4 else (trailer, 1)


def is_wanted(engine: kibitz.Engine, position: Position, match: MatchState) -> bool:
    """Whether a double is not out of the question; after Crawford, whether the game is open."""
    if match.post_crawford:
        return 0.15 < engine.evaluate(position).win < 0.85
    seen = engine.cube(position, match=match, plies=1)
    return seen.available and abs(seen.double_take - seen.no_double) < FAR and seen.no_double > 0.15


def cases(engine: kibitz.Engine, options: argparse.Namespace) -> list[Case]:
    """Positions of all groups with their rollouts; those that have been kept need none."""
    known: dict[tuple[str, str, tuple[int, int]], Case] = {}
    if options.keep and options.keep.exists():
        for line in options.keep.read_text("utf-8").splitlines():
            data: dict[str, Any] = json.loads(line)
            data = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
            case = Case(**data)
            known[case.group, case.position, case.away] = case
    found = []
    for group in options.groups:
        chance = random.Random(f"{options.seed} {group}")
        source = benchmark_positions(chance) if options.bench else self_play(engine, chance)
        count = 0
        for position in source:
            away = scores(group, chance)
            key = (group, position.id, away)
            if key not in known:
                match = match_of(*away)
                if not is_wanted(engine, position, match):
                    continue
                known[key] = rolled_out(engine, group, position, away, options.trials)
                if options.keep:
                    with options.keep.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(known[key])) + "\n")
            found.append(known[key])
            count += 1
            if count == options.positions:
                break
    return found


def rolled_out(engine: kibitz.Engine, group: str, position: Position, away: tuple[int, int], trials: int) -> Case:
    """What cubeful rollouts say."""
    results = engine.rollout(position, match=match_of(*away), trials=trials).results
    no_double, take = results[0], results[1] if len(results) > 1 else None
    return Case(
        group,
        position.id,
        away,
        no_double.equity,
        no_double.standard_error,
        five(no_double.evaluation),
        None if take is None else take.equity,
        None if take is None else take.standard_error,
        () if take is None else five(take.evaluation),
    )


def five(chances: kibitz.Evaluation) -> tuple[float, float, float, float, float]:
    """The five chances."""
    return (
        chances.win,
        chances.win_gammon,
        chances.win_backgammon,
        chances.lose_gammon,
        chances.lose_backgammon,
    )


def differences(engine: kibitz.Engine, group: list[Case], plies: int) -> tuple[list[Row], list[Row]]:
    """By how much no double and double/take differ from the rollouts."""
    no_double, take = [], []
    for case in group:
        position = Position.from_id(case.position)
        seen = engine.cube(position, match=case.match, plies=plies)
        model = cube_model(case.match, engine.met)
        chances, present = five(seen.evaluation), model.present
        off = seen.no_double - case.no_double
        part = by_chances(model, position, present, chances, case.no_double_chances)
        no_double.append((off, case.no_double_error, off - part))
        if case.take is not None and case.take_error is not None:
            off = seen.double_take - case.take
            part = by_chances(model, position, model.doubled(present, 0), chances, case.take_chances)
            take.append((off, case.take_error, off - part))
    return no_double, take


def by_chances(
    model: _core.CubeModel, position: Position, state: int, seen: tuple[float, ...], rolled: tuple[float, ...]
) -> float:
    """The difference of two values in a cube state that comes from other chances."""
    efficiency = _core.CubeEfficiency().of(position.rows)
    values = [model.normalised(model.undecided(chances, efficiency, 0, state), 0) for chances in (seen, rolled)]
    return (2.0 if model.is_money and state != model.present else 1.0) * (values[0] - values[1])


def line(rows: list[Row]) -> str:
    """Mean, rms, the rollouts' own error, and mean and rms of the cube's part."""
    off, errors, cube = np.array(rows).T
    rms = [np.sqrt(np.mean(np.square(values))) for values in (off, errors, cube)]
    return f"{off.mean():+.4f} {rms[0]:.4f}  {rms[1]:.4f}  {cube.mean():+.4f} {rms[2]:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=list(GROUPS))
    parser.add_argument("--positions", type=int, default=20, help="of each group")
    parser.add_argument("--trials", type=int, default=1296)
    parser.add_argument("--plies", type=int, nargs="+", default=[2])
    parser.add_argument("--keep", type=Path, help="a file of rollouts that are done")
    parser.add_argument("--bench", action="store_true", help="positions of the benchmark instead of self-play")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.bench and not (SHARED / "bench").is_dir():
        sys.exit(f"there is no {SHARED / 'bench'}: nothing to measure")
    engine = kibitz.Engine(threads=options.threads)
    known = cases(engine, options)
    assert len(known) == options.positions * len(options.groups)
    print("group plies positions  no double: mean, rms, error, cube's mean, rms   double/take: the same")
    for plies in options.plies:
        for name in [*options.groups, "all"]:
            group = [case for case in known if name in ("all", case.group)]
            first, second = map(line, differences(engine, group, plies))
            print(f"{name:7} {plies}  {len(group):5d}   {first}    {second}", flush=True)


if __name__ == "__main__":
    main()
