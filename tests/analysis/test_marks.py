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


def test_luck_has_marks_on_both_sides() -> None:
    limits = Thresholds()
    assert [limits.luck(luck) for luck in (0.7, 0.4, 0.1, -0.4, -0.7)] == [
        LuckMark.VERY_LUCKY,
        LuckMark.LUCKY,
        LuckMark.NONE,
        LuckMark.UNLUCKY,
        LuckMark.VERY_UNLUCKY,
    ]


def test_names_of_error_rates_and_prs() -> None:
    assert marks.error_rate_name(0.0217) == "Casual player"
    assert marks.error_rate_name(0.0064) == "Expert"
    assert marks.error_rate_name(0.2) == "Awful"
    assert marks.error_rate_name(None) is None
    assert [marks.pr_name(rating) for rating in (1, 4, 6, 10, 15, 20, 25, 40)] == [
        "World champion",
        "World class",
        "Expert",
        "Advanced",
        "Intermediate",
        "Casual player",
        "Beginner",
        "Distracted",
    ]


def test_fibs_ratings_are_the_ones_that_gnubg_prints() -> None:
    """Totals, counts and ratings of one match to 5, as gnubg's statistics of it say."""
    checker = marks.checker_rating_loss(2.675 / 123, 5)
    cube = marks.cube_rating_loss(0.082 / 7, 5)
    assert checker == pytest.approx(302.4, abs=0.1)
    assert cube == pytest.approx(8.9, abs=0.1)
    assert marks.FIBS_PERFECT - checker - cube == pytest.approx(1738.8, abs=0.2)


def test_rating_difference_is_that_of_the_fibs_formula() -> None:
    for difference in (-300.0, 0.0, 120.0):
        chance = 1.0 - 1.0 / (10 ** (difference * 7**0.5 / 2000) + 1)
        assert marks.rating_difference(chance, 7) == pytest.approx(difference)
    assert marks.rating_difference(1.0, 5) == 2100.0


def test_pr_factors() -> None:
    assert marks.pr_factor(1, Variant.BACKGAMMON) == 1.5
    assert marks.pr_factor(7, Variant.NACKGAMMON) == pytest.approx(0.952)
    assert marks.pr_factor(0, Variant.BACKGAMMON) == 1.0


def test_a_perfect_player_has_the_highest_elo() -> None:
    assert marks.pr_elo(0.0) == pytest.approx(2239, abs=1)
    assert marks.pr_elo(5.0) == pytest.approx(2240 - 165, abs=15)
