"""Games between the hand-made engines."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

from kibitz import Position, _core
from kibitz.dice import ALL_ROLLS
from kibitz.errors import EngineError
from kibitz.heuristics import RANKERS, TabulaSettings, TenFactorSettings, make_ranker
from kibitz.heuristics.protocol import EngineOptions

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


# --- as rankers, the way that commands and protocols use them ---------------------------------------------------------


@pytest.mark.parametrize("name", RANKERS)
@pytest.mark.parametrize("variant", ["backgammon", "nackgammon", "hypergammon-3"])
def test_a_ranker_plays_whole_games_by_the_rules(name: str, variant: str) -> None:
    """Its plays are the legal ones, each once; it has none exactly where no checker can move."""
    ranker = make_ranker(name, EngineOptions(threads=1))
    rng = random.Random(4)
    for _ in range(3):
        position = Position.start(variant)
        while not position.is_over:
            dice = rng.choice(ALL_ROLLS)
            ranked = ranker.rank(position, dice)
            legal = {play.result for play in position.plays(dice)}
            assert len(ranked) == len(legal)
            assert {entry.play.result for entry in ranked} == legal
            position = ranked[0].play.result if ranked else position.swapped()
        assert ranker.rank(position, "31") == []


def test_rankers_take_the_settings_that_the_options_name() -> None:
    usual, other = (
        make_ranker("ten-factor", EngineOptions(assignments=assignments)) for assignments in ((), ("points=0",))
    )
    best = [ranker.rank(Position.start(), "31")[0] for ranker in (usual, other)]
    assert [str(entry.play) for entry in best] == ["8/5 6/5", "13/9"]
    with pytest.raises(EngineError, match="there is no engine 'tabla'; there are ten-factor, tabula"):
        make_ranker("tabla")
