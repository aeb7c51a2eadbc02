from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kibitz.analysis import marks
from kibitz.analysis.marks import LuckMark, Mark, Thresholds
from kibitz.errors import EngineError
from kibitz.position import Variant


@pytest.mark.parametrize(
    ("lost", "mark", "symbol"),
    [(0.0, "none", ""), (0.02, "none", ""), (0.021, "doubtful", "?!"), (0.041, "bad", "?"), (0.081, "very bad", "??")],
)
def test_a_mark_begins_above_its_limit(lost: float, mark: str, symbol: str) -> None:
    found = Thresholds().mark(lost)
    assert (found.value, found.symbol) == (mark, symbol)


def test_older_limits_can_be_set() -> None:
    old = Thresholds(doubtful=0.04, bad=0.08, very_bad=0.16)
    assert old.mark(0.05) is Mark.DOUBTFUL
    assert old.mark(0.15) is Mark.BAD
    with pytest.raises(EngineError):
        Thresholds(doubtful=0.1, bad=0.05)


def test_marks_are_those_of_extreme_gammon_unless_gnubgs_are_wanted() -> None:
    assert Thresholds().to_dict() == {
        "doubtful": 0.02,
        "bad": 0.04,
        "very_bad": 0.08,
        "error": 0.02,
        "blunder": 0.08,
        "lucky": 0.3,
        "very_lucky": 0.6,
    }
    assert Thresholds(doubtful=0.03, bad=0.06, very_bad=0.12) == marks.GNUBG_MARKS
    assert Thresholds().mark(0.04) is Mark.DOUBTFUL and Thresholds().mark(0.08) is Mark.BAD


@pytest.mark.parametrize(("luck", "symbol"), [(0.3, ""), (0.301, "+"), (0.6, "+"), (0.601, "++"), (0.0, "")])
def test_luck_begins_above_its_limit_and_bad_luck_below_it(luck: float, symbol: str) -> None:
    assert Thresholds().luck(luck).symbol == symbol
    assert Thresholds().luck(-luck).symbol == symbol.replace("+", "-")


def test_luck_has_marks_on_both_sides() -> None:
    limits = Thresholds()
    assert [limits.luck(luck) for luck in (0.7, 0.4, 0.1, -0.4, -0.7)] == [
        LuckMark.VERY_LUCKY,
        LuckMark.LUCKY,
        LuckMark.NONE,
        LuckMark.UNLUCKY,
        LuckMark.VERY_UNLUCKY,
    ]


ERROR_NAMES = "Supernatural 0.002 World class 0.005 Expert 0.008 Advanced 0.012 Intermediate 0.018 Casual player 0.026 \
Beginner 0.035 Awful"
PR_NAMES = "World champion 2.5 World class 5 Expert 7.5 Advanced 12.5 Intermediate 17.5 Casual player 22.5 \
Beginner 30 Distracted"
LUCK_NAMES = "No luck at all -0.1 Go to bed -0.06 Better luck next time -0.02 Average dice 0.02 Good dice 0.06 \
Las Vegas calls 0.1 Cheater"


@pytest.mark.parametrize(
    ("name_of", "scale", "at_limit"),
    [(marks.error_rate_name, ERROR_NAMES, 1), (marks.pr_name, PR_NAMES, 1), (marks.luck_name, LUCK_NAMES, 0)],
    ids=["gnubg", "XG", "luck"],
)
def test_names_change_at_their_limits(name_of: Callable[[float | None], str | None], scale: str, at_limit: int) -> None:
    """A scale is names with the limits between them. At an error's limit the worse name holds, at that of luck too."""
    words = re.split(r" (-?[0-9.]+) ", scale)
    names, limits = words[::2], [float(limit) for limit in words[1::2]]
    for limit, *sides in zip(limits, names, names[1:], strict=False):
        assert [name_of(limit - 1e-9), name_of(limit + 1e-9)] == sides
        assert name_of(limit) == sides[at_limit]
    assert name_of(None) is None


def test_fibs_ratings_are_the_ones_that_gnubg_prints() -> None:
    """Totals, counts and ratings of one match to 5, as gnubg's statistics of it say."""
    checker = marks.checker_rating_loss(2.675 / 123, 5)
    cube = marks.cube_rating_loss(0.082 / 7, 5)
    assert checker == pytest.approx(302.4, abs=0.1)
    assert cube == pytest.approx(8.9, abs=0.1)
    assert marks.FIBS_PERFECT - checker - cube == pytest.approx(1738.8, abs=0.2)


def test_the_rating_that_an_error_costs_follows_the_length_of_the_match() -> None:
    """gnubg's formulas: 8798 + 25526 / n for each point of equity lost by plays, 863 - 519 / n by the cube."""
    assert [marks.checker_rating_loss(1.0, length) for length in (1, 2)] == [8798 + 25526, 8798 + 12763]
    assert [marks.cube_rating_loss(1.0, length) for length in (1, 3)] == [863 - 519, 863 - 173]
    assert marks.checker_rating_loss(0.02, 1) == pytest.approx(686.48)
    assert marks.cube_rating_loss(0.02, 1) == pytest.approx(6.88)


def test_rating_difference_is_that_of_the_fibs_formula() -> None:
    for difference in (-300.0, 0.0, 120.0):
        chance = 1.0 - 1.0 / (10 ** (difference * 7**0.5 / 2000) + 1)
        assert marks.rating_difference(chance, 7) == pytest.approx(difference)
    assert [marks.rating_difference(chance, 5) for chance in (0.0, 1.0)] == [-2100.0, 2100.0]
    # A long match would need a chance nearer to 1 than is told apart: one in a million is the end.
    assert marks.rating_difference(1.0, 64) == pytest.approx(1500.0, abs=1e-3)
    assert marks.rating_difference(0.0, 64) == pytest.approx(-1500.0, abs=1e-3)


def test_pr_factors() -> None:
    assert marks.pr_factor(1, Variant.BACKGAMMON) == 1.5
    assert marks.pr_factor(7, Variant.NACKGAMMON) == pytest.approx(0.952)
    assert marks.pr_factor(0, Variant.BACKGAMMON) == 1.0


def test_a_perfect_player_has_the_highest_elo() -> None:
    assert marks.pr_elo(0.0) == pytest.approx(2239.98, abs=0.01)
    assert marks.pr_elo(14.0) == pytest.approx(2000 / 2 + 732)  # in the middle of the scale
    assert marks.pr_elo(1000.0) == pytest.approx(732)
    assert marks.pr_elo(0.0) > marks.pr_elo(5.0) > marks.pr_elo(14.0)
