"""Whether looks ahead say of doubles and takes what cubeful rollouts say: what the efficiencies were chosen by.

    python benchmarks/cube_efficiency.py [--races] [--match 7] [--positions 100] [--plies 0 1 2]
        [--shared 0.7 --owned 0.7 --gammons 0]

Positions come from self-play, with a double that is close; in matches at random scores. Of each look it prints by how
much no double and double/take differ from the rollouts (mean and rms), by how much the difference of the two does, and
what is lost, by the rollouts' word, if one acts on the look. Rollouts have errors of their own, 0.005 to 0.015 each.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass

import numpy as np

import kibitz
from kibitz import MatchState, Position, _core
from kibitz.match_equity import cube_model

NEAR = 0.25  # no double and double/take differ by less, by a first look


@dataclass(frozen=True)
class Case:
    """A position at a score, the cube in the middle, and what rollouts say of it."""

    position: Position
    match: MatchState
    no_double: float
    take: float


def self_play(engine: kibitz.Engine, chance: random.Random, races: bool) -> Position:
    """A position from a game of the engine against itself: any with contact, or one soon after it ended."""
    while True:
        position, wanted = Position.start(), chance.randrange(4, 60)
        for turn in range(200):
            if turn >= wanted and position.in_contact is not races:
                return position
            ranked = engine.rank(position, (chance.randint(1, 6), chance.randint(1, 6)), plies=0)
            position = ranked[0].play.result if ranked else position.swapped()
            if position.is_over or (not position.in_contact and not races):
                break


def cases(engine: kibitz.Engine, options: argparse.Namespace) -> list[Case]:
    """Close doubles with their rollouts."""
    chance = random.Random(options.seed)
    found: list[Case] = []
    while len(found) < options.positions:
        position = self_play(engine, chance, options.races)
        match = MatchState(jacoby=False)
        if options.match:
            mine, theirs = (chance.randint(0, options.match - 2) for _ in range(2))
            match = MatchState(length=options.match, my_score=mine, their_score=theirs)
        seen = engine.cube(position, match=match, plies=1)
        if not seen.available or abs(seen.double_take - seen.no_double) > NEAR or seen.no_double < 0.2:
            continue
        rolled = engine.rollout(position, match=match, trials=options.trials).decision
        assert rolled is not None
        found.append(Case(position, match, rolled.no_double, rolled.double_take))
    return found


def look(engine: kibitz.Engine, case: Case, plies: int, efficiency: _core.CubeEfficiency) -> tuple[float, float]:
    """No double and double/take by a look ahead with these efficiencies at the leaves."""
    model = cube_model(case.match, engine.met)
    settings = engine.settings
    tree = _core.TreeSettings(True, settings.replies, settings.last_replies, efficiency, case.match.variant.checkers)
    numbers = _core.Analyst(engine.evaluator, 1, 1 << 22).cube(
        case.position.rows, model, _core.CubeOwner.CENTRED, plies, tree
    )
    assert numbers is not None
    return model.normalised(numbers[1], 0), model.normalised(numbers[2], 0)


def lost(case: Case, no_double: float, take: float) -> float:
    """What both sides lose by acting on these equities, by the rollout's word."""
    doubled = min(case.take, 1.0)
    doubling = max(case.no_double, doubled) - (doubled if min(take, 1.0) >= no_double else case.no_double)
    return doubling + (case.take if take <= 1.0 else 1.0) - doubled


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", action="store_true")
    parser.add_argument("--match", type=int, default=0, help="points of the matches; 0 for money")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--trials", type=int, default=648)
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--shared", type=float, nargs="+", help="efficiencies to try for a cube that both may turn")
    parser.add_argument("--owned", type=float, nargs="+", help="as many for one that only one may")
    parser.add_argument("--gammons", type=float, help="what gammons add to an owned efficiency that is tried")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engine = kibitz.Engine(threads=1)
    known = cases(engine, options)
    rolled = np.array([(case.no_double, case.take) for case in known])
    assert len(known) == options.positions and np.isfinite(rolled).all()
    tried = list(zip(options.shared or [None], options.owned or [None], strict=True))
    print(f"{len(known)} positions            no double        double/take      their difference   lost (m)")
    for shared, owned in tried:
        efficiency = _core.CubeEfficiency()
        if shared is not None and owned is not None:
            efficiency.contact.shared = efficiency.contact.jacoby = shared
            efficiency.contact.owned = owned
            efficiency.contact.gammons = options.gammons or 0.0
            efficiency.shared_race.most, efficiency.owned_race.most = shared, owned
        for plies in options.plies:
            seen = np.array([look(engine, case, plies, efficiency) for case in known])
            off = seen - rolled
            columns = (off[:, 0], off[:, 1], off[:, 1] - off[:, 0])
            text = "   ".join(f"{one.mean():+.4f} {np.sqrt((one**2).mean()):.4f}" for one in columns)
            loss = np.mean([lost(case, *pair) for case, pair in zip(known, seen, strict=True)])
            name = "" if shared is None else f"{shared:.2f} {owned:.2f}"
            print(f"{name:10} {plies} plies   {text}   {1000 * loss:7.2f}", flush=True)


if __name__ == "__main__":
    main()
