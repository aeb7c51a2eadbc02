from __future__ import annotations

import math
import random
import statistics

import pytest

from kibitz.arena.statistics import DuelScore, Estimate, PairScore, Sprt, student
from kibitz.errors import EngineError


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.7062), (2, 4.30265), (5, 2.57058), (10, 2.22814), (30, 2.04227), (1000, 1.96234)]
)
def test_student_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=2e-3)


def test_an_estimate_has_the_mean_and_a_textbook_interval() -> None:
    values = [0.5, -1.0, 2.0, 0.0, 1.5, -0.5]
    estimate = Estimate.of(values)
    error = statistics.stdev(values) / math.sqrt(6)
    assert estimate.mean == pytest.approx(statistics.mean(values))
    assert estimate.half_width == pytest.approx(2.57058 * error, rel=2e-3)
    assert str(estimate) == f"{estimate.mean:+.4f} ± {estimate.half_width:.4f}"


def test_one_value_has_no_interval() -> None:
    assert Estimate.of([1.0]).half_width == math.inf
    assert Estimate.of([]).to_dict()["mean"] is None


@pytest.mark.parametrize(
    ("results", "money", "name"),
    [
        ((-1, -2), True, 0),
        ((-2, 1), True, 1),
        ((2, -2), True, 2),
        ((-1, 3), True, 3),
        ((1, 1), True, 4),
        ((0, 0), False, 0),
        ((1, 0), False, 2),
        ((1, 1), False, 4),
    ],
)
def test_pairs_fall_into_five_classes(results: tuple[float, float], money: bool, name: int) -> None:
    assert PairScore(results, (0.0, 0.0), money).pair_class == name


def test_luck_is_taken_out_of_both_games_of_a_pair() -> None:
    pair = PairScore((2.0, -1.0), (1.5, -0.75))
    assert pair.raw == 0.5
    assert pair.adjusted == pytest.approx((0.5 - 0.25) / 2)


def test_a_score_counts_sessions_and_wins() -> None:
    score = DuelScore.of([PairScore((1, -2), (0, 0)), PairScore((4, 1), (1, 1))], with_luck=True)
    assert (score.sessions, score.wins, score.pairs) == (4, 3, (0, 1, 0, 0, 1))
    assert score.raw.mean == 1.0
    assert score.adjusted is not None
    assert score.adjusted.mean == 0.5


def test_the_sequential_test_decides_as_stated() -> None:
    """Its error rates are about alpha and beta, on either side."""
    test = Sprt(0.0, 0.3, alpha=0.1, beta=0.1, least_pairs=20)
    assert list(test.bounds) == pytest.approx([-math.log(9), math.log(9)])
    dice = random.Random(1)
    wrong = 0
    for run in range(200):
        mean = 0.0 if run % 2 else 0.3
        values: list[float] = []
        verdict = None
        while verdict is None:
            values += [dice.gauss(mean, 1.0) for _ in range(10)]
            verdict = test.verdict(Estimate.of(values))
        wrong += verdict != ("H0" if run % 2 else "H1")
    assert wrong <= 30


@pytest.mark.parametrize("text", ["0.1,0.1", "0.2,0.1", "x,1", "1"])
def test_a_sequential_test_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(EngineError):
        Sprt.parse(text)
