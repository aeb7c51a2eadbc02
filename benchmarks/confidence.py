"""Learn how far looks of each depth err: decisions of self-play, rolled out, and the spreads that fit them best.

    python benchmarks/confidence.py FILE [--decisions 100] [--seed 1] [--trials 1080] [--turns 18]

Close plays of self-play are rolled out without the cube; FILE keeps them (JSON lines), and a later run goes on.
Of every decision and depth the best play is compared with its rivals: the error of their difference follows Student's t
with four degrees of freedom, a spread that belongs to the depth, and the rollout's own noise. What is printed for each
depth: the root mean square of the errors with the noise taken out, and the spread that makes the differences (and the
signs alone) most likely. `kibitz.engine.confidence` holds what was learnt, and
`python benchmarks/strength_rollouts.py --reliability` checks it by the judgements of others.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz import Dice, Engine, MatchState, Position, State
from kibitz.decision import Evaluation, PlayDecision
from kibitz.engine.confidence import DISTANCE_POWER, FAR, NEAR, chance_ahead, distance
from kibitz.engine.settings import SearchOptions

LOOKS: dict[str, SearchOptions] = {
    "0 plies": {"plies": 0},
    "1 ply": {"plies": 1},
    "2 plies": {"plies": 2},
    "3 plies, wide": {"plies": 3, "replies": 16, "last_replies": 16},
}
CLOSE, MOST = 0.06, 4
"""Plays within so much of the best are rolled out, but no more than so many."""
NEAR_BEST, WITHIN = 0.15, 0.08
"""How often self-play makes another play than the best, and how far behind that may be."""


def turns(engine: Engine, random_: random.Random) -> Iterator[State]:
    """Turns of self-play at 0 plies, without the cube, one in seven of each game."""
    while True:
        position = Position.start()
        for _ in range(200):
            state = State(position, MatchState(jacoby=False), Dice(random_.randint(1, 6), random_.randint(1, 6)))
            ranked = engine.rank(state, plies=0)
            if len(ranked) > 1 and random_.random() < 1 / 7:
                yield state
            near = [one for one in ranked if one.difference > -WITHIN][:4]
            explored = random_.random() < NEAR_BEST
            position = (random_.choice(near) if explored else near[0]).play.result if near else position.swapped()
            if position.is_over:
                break


def record(engine: Engine, state: State, trials: int, truncate: int) -> dict[str, Any] | None:
    """What looks and games say of the close plays; None where nothing is close or no luck is left in the games."""
    widest: SearchOptions = {**LOOKS["3 plies, wide"], "filter": "large"}
    wide: PlayDecision = engine.rank(state, **widest)
    plays = [one.play for one in wide if one.plies == 3 and one.difference > -CLOSE][:MOST]
    if len(plays) < 2 or any(play.result.is_over for play in plays):
        return None
    looks = {}
    for name, search in LOOKS.items():
        ranked = engine.rank(state, play=plays, **search)
        found = [ranked.find(play) for play in plays]
        looks[name] = [(one.equity, list(one.evaluation)) for one in found if one is not None]
    rollout = engine.rollout(state, play=plays, cubeful=False, trials=trials, truncate=truncate, threads=1)
    by_play = {one.play: one for one in rollout.results}
    games = [(by_play[play].equity, by_play[play].joint_error, by_play[play].standard_error) for play in plays]
    if max(error for _, error, _ in games) < 0.0008:
        return None
    return {"position": state.position_id, "dice": str(state.dice), "looks": looks, "games": games}


def differences(records: list[dict[str, Any]], look: str) -> list[tuple[float, float, float, float]]:
    """Lead of the best play over a rival by a look and by the games, the noise of these, and the scale by distance."""
    found = []
    for one in records:
        rows, games = one["looks"][look], one["games"]
        best = max(range(len(rows)), key=lambda number: rows[number][0])
        for number, (equity, chances) in enumerate(rows):
            if number == best:
                continue
            lead = rows[best][0] - equity
            apart = math.hypot(distance(Evaluation(*rows[best][1]), Evaluation(*chances)), lead)
            noise = max(games[best][1], games[number][1])
            scale = ((min(apart, FAR) + NEAR) / FAR) ** DISTANCE_POWER
            found.append((lead, games[best][0] - games[number][0], noise, scale))
    return found


def likeliest(pairs: list[tuple[float, float, float, float]], *, signs: bool) -> float:
    """The spread of a grid that makes the differences, or their signs, most likely."""

    def log_likelihood(spread: float) -> float:
        total = 0.0
        for lead, truth, noise, scale in pairs:
            width = math.hypot(spread * scale, noise)
            if signs:
                ahead = 0.002 + 0.996 * chance_ahead(lead, width)
                total += math.log(ahead if truth > 0 else 1.0 - ahead)
            else:
                total -= 2.5 * math.log1p(((truth - lead) / width) ** 2 / 4.0) + math.log(width)
        return total

    return max((0.001 * 1.05**step for step in range(80)), key=log_likelihood)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--decisions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, default=1080)
    parser.add_argument("--turns", type=int, default=18)
    options = parser.parse_args()
    records = (
        [json.loads(line) for line in options.file.read_text("utf-8").splitlines()] if options.file.exists() else []
    )
    engine = Engine(threads=1, cubeful=False)
    source = turns(engine, random.Random(options.seed + 1000 * len(records)))
    with options.file.open("a", encoding="utf-8") as file:
        while len(records) < options.decisions:
            if (made := record(engine, next(source), options.trials, options.turns)) is not None:
                records.append(made)
                file.write(json.dumps(made) + "\n")
                file.flush()
    print(f"{len(records)} decisions; thousandths of a point")
    print(f"{'look':16}{'pairs':>7}{'rms':>8}{'spread by differences':>24}{'by signs':>10}")
    for look in LOOKS:
        pairs = differences(records, look)
        assert pairs
        square = math.fsum((truth - lead) ** 2 - noise**2 for lead, truth, noise, _ in pairs) / len(pairs)
        by_size, by_sign = (1000 * likeliest(pairs, signs=signs) for signs in (False, True))
        print(f"{look:16}{len(pairs):7}{1000 * math.sqrt(max(square, 0.0)):8.1f}{by_size:24.1f}{by_sign:10.1f}")


if __name__ == "__main__":
    main()
