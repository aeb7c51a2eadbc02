"""Games between the hand-made engines."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.heuristics import TabulaSettings, TenFactorSettings

TABULA = _core.tabula_contestant(TabulaSettings().weights())
TEN_FACTOR = _core.ten_factor_contestant(TenFactorSettings().weights())
RANDOM = _core.random_contestant()


def points(first: _core.ContestantMaker, second: _core.ContestantMaker, threads: int = 2) -> npt.NDArray[np.float64]:
    """Points of the first in both games of 100 pairs."""
    pairs = _core.arena_pairs(
        first=first,
        second=second,
        seed=5,
        pairs=list(range(100)),
        length=0,
        cube=False,
        jacoby=False,
        crawford=False,
        equity=None,
        luck_evaluator=None,
        luck_shortlist=1,
        keep_events=False,
        threads=threads,
    )
    return np.array([(one[0], -other[0]) for one, other in pairs])


def test_results_depend_on_the_seed_alone() -> None:
    one, two = (points(TABULA, TEN_FACTOR, threads) for threads in (1, 2))
    assert np.array_equal(one, two)


def test_exchanging_the_players_exchanges_the_games_of_each_pair() -> None:
    assert np.array_equal(points(TEN_FACTOR, RANDOM), -points(RANDOM, TEN_FACTOR)[:, ::-1])


def test_an_engine_against_itself_breaks_even_with_every_dice() -> None:
    assert not points(TEN_FACTOR, TEN_FACTOR).sum(axis=1).any()


def test_both_engines_beat_the_random_player() -> None:
    for engine in (TABULA, TEN_FACTOR):
        games = points(engine, RANDOM)
        assert (games > 0).mean() > 0.9
        assert games.min() >= -3
        assert games.max() == 3
