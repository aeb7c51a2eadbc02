"""Games between the hand-made engines."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.heuristics import TabulaSettings, TenFactorSettings

TABULA = ("tabula", TabulaSettings().weights())
TEN_FACTOR = ("ten-factor", TenFactorSettings().weights())
RANDOM = ("random", list[float]())


def points(first: tuple[str, list[float]], second: tuple[str, list[float]], threads: int = 2) -> npt.NDArray[np.int32]:
    return _core.heuristic_duel(*first, *second, 100, 5, threads)[:, :, 0]


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
