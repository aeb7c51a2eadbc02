"""Strength of the hand-made engines: every pair plays the same dice from both seats.

python benchmarks/bench_heuristic_strength.py [GAMES] [--all]

10,000 games a pair by default: half a minute on two cores. --all adds tabula with another setting.
"""

from __future__ import annotations

import sys
from itertools import combinations
from time import perf_counter

import numpy as np

from kibitz import _core
from kibitz.heuristics import TabulaSettings, TenFactorSettings

PLAYERS: dict[str, _core.ContestantMaker] = {
    "tabula": _core.tabula_contestant(TabulaSettings().weights()),
    "ten-factor": _core.ten_factor_contestant(TenFactorSettings().weights()),
    "random": _core.random_contestant(),
    "tabula, opponent_spaces": _core.tabula_contestant(TabulaSettings(opponent_spaces=True).weights()),
}


def duel(first: str, second: str, games: int, seed: int = 1) -> tuple[float, float, float, float]:
    """Wins and points a game of the first player, each with half the width of its 95% confidence interval.

    A pair of games with the same dice is one observation, because its two games are not independent.
    """
    pairs = games // 2
    sessions = _core.arena_pairs(
        first=PLAYERS[first],
        second=PLAYERS[second],
        seed=seed,
        pairs=list(range(pairs)),
        length=0,
        cube=False,
        jacoby=False,
        crawford=False,
        equity=None,
        luck_evaluator=None,
        luck_shortlist=1,
        keep_events=False,
        threads=0,
    )
    points = np.array([(one[0], -other[0]) for one, other in sessions])
    assert points.shape == (pairs, 2)
    assert all(session[7] for pair in sessions for session in pair), "a game was given up"
    assert np.all(np.abs(points) <= 3)
    figures = []
    for values in ((points > 0).mean(axis=1), points.mean(axis=1)):
        figures += [float(values.mean()), float(1.96 * values.std(ddof=1) / np.sqrt(pairs))]
    return figures[0], figures[1], figures[2], figures[3]


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    games = numbers[0] if numbers else 10_000
    players = list(PLAYERS) if "--all" in sys.argv else list(PLAYERS)[:3]
    for first, second in combinations(players, 2):
        start = perf_counter()
        wins, wins_margin, points, points_margin = duel(first, second, games)
        print(
            f"{first:>23} - {second:<23} {games} games: wins {100 * wins:.1f} ± {100 * wins_margin:.1f} %, "
            f"{points:+.3f} ± {points_margin:.3f} points a game ({perf_counter() - start:.1f} s)"
        )


if __name__ == "__main__":
    main()
