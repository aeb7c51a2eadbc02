"""Statistics against values computed by hand."""

from __future__ import annotations

import pytest

from kibitz.analysis.decisions import Flaw
from kibitz.analysis.marks import LuckMark, Mark, Thresholds, checker_rating_loss, pr_elo, rating_difference
from kibitz.analysis.statistics import Tally, count
from kibitz.record import Resign

from .samples import DOUBLE, NO_DOUBLE, PASS, TAKE, cube_decision, decision, mock_review, money, roll

RESIGNED = next(iter(mock_review(money(Resign(0, 3))).decisions))
DECISIONS = [
    decision(),
    decision(lost=0.04),
    decision(lost=0.10),
    decision(lost=0.20),
    decision(counts=False, counts_pr=False, is_forced=True),
    decision(player=1, lost=0.05),
    cube_decision(NO_DOUBLE),
    cube_decision(NO_DOUBLE, counts=False, counts_pr=False),
    cube_decision(NO_DOUBLE, 0.06, Flaw.MISSED_BELOW_CASH),
    cube_decision(DOUBLE, 0.02, Flaw.WRONG_BELOW_DOUBLE),
    cube_decision(TAKE),
    cube_decision(PASS, 0.30, Flaw.WRONG_PASS),
    RESIGNED,
]
ROLLS = [roll(0.7), roll(0.4), roll(0.1), roll(-0.35), roll(-0.2, player=1)]


def test_checker_play_is_counted_as_gnubg_counts_it() -> None:
    found = count(0, DECISIONS, ROLLS, length=5)
    assert (found.total_moves, found.unforced_moves, found.moves_of_both) == (5, 4, 6)
    assert [found.marks(mark) for mark in Mark] == [2, 1, 0, 2]
    assert found.checker.emg == pytest.approx(0.34)
    assert found.checker.stake == pytest.approx(0.085)
    assert found.checker_rate == pytest.approx(0.34 / 4)


def test_cube_actions_and_their_flaws() -> None:
    found = count(0, DECISIONS, ROLLS, length=5)
    assert (found.total_cube, found.close_cube) == (6, 5)
    assert (found.doubles, found.takes, found.passes) == (1, 1, 1)
    assert found.flaw(Flaw.MISSED_BELOW_CASH) == Tally(1, 0.06, 0.015)
    assert found.flaw(Flaw.WRONG_PASS).count == 1
    assert found.flaw(Flaw.WRONG_TAKE) == Tally()
    assert found.cube.emg == pytest.approx(0.38)
    assert found.cube_rate == pytest.approx(0.38 / 5)


def test_overall_rates_and_the_performance_rating() -> None:
    found = count(0, DECISIONS, ROLLS, length=5, pr_factor=1.5)
    assert found.decisions == 9
    assert found.error_rate == pytest.approx(0.72 / 9)
    assert found.snowie_rate == pytest.approx(0.72 / 6)
    assert found.pr_decisions == 9
    assert found.pr == pytest.approx(1.5 * 500 * 0.72 / 9)
    assert (found.errors, found.blunders) == (5, 3)


def test_the_limits_say_what_an_error_is() -> None:
    limits = Thresholds(error=0.05, blunder=0.15)
    found = count(0, [decision(lost, limits=limits) for lost in (0.04, 0.05, 0.051, 0.2)], [], length=5)
    assert (found.errors, found.blunders) == (2, 1)
    told = count(0, DECISIONS, ROLLS, length=5, limits=limits)
    assert told.limits == limits  # statistics say by which limits they count
    assert count(0, DECISIONS, ROLLS, length=5).limits == Thresholds()


def test_who_never_had_the_cube_is_rated_by_the_plays_alone() -> None:
    """Nothing is lost by decisions that did not come, and a PR is not multiplied unless the game asks for it."""
    found = count(0, [decision(lost=0.1), decision()], [], length=5)
    assert found.cube_rating_loss is None
    assert found.fibs_rating == pytest.approx(2050.0 - checker_rating_loss(0.05, 5))
    assert found.pr == pytest.approx(500 * 0.1 / 2)


def test_luck_and_the_result_without_it() -> None:
    found = count(0, DECISIONS, ROLLS, length=5, actual_result=0.5)
    assert found.luck.emg == pytest.approx(0.85)
    assert [found.lucky(mark) for mark in LuckMark] == [0, 1, 1, 1, 1]
    # The winner's own luck is taken out, and the loser's bad luck as well.
    assert found.luck_adjusted_result == pytest.approx(0.5 - 0.85 / 4 - 0.2 / 4)
    loser = count(1, DECISIONS, ROLLS, length=5, actual_result=-0.5)
    assert loser.luck_adjusted_result == pytest.approx(-(found.luck_adjusted_result or 0))


def test_money_counts_points_and_knows_no_fibs_rating() -> None:
    found = count(0, [decision(0.1, money=True)], [], length=0)
    assert found.unit == "points"
    assert found.checker.stake == pytest.approx(0.1)
    assert found.fibs_rating is None


def test_a_player_who_decided_nothing_has_no_rates() -> None:
    found = count(0, [], [], length=3)
    assert [found.error_rate, found.pr, found.rating, found.snowie_rate] == [None] * 4
    assert found.to_dict()["pr"] is None


def test_the_whole_table_of_a_player() -> None:
    """Every number by hand from the decisions above: five plays, six cube actions, four rolls and a match that was won.

    The result of 0.5 counts 0.2625 of luck: 0.2125 of the winner's own, 0.05 that the loser lacked.
    """
    table = count(0, DECISIONS, ROLLS, length=5, pr_factor=1.5, actual_result=0.5).to_dict()
    tallies = {
        "checker": (5, 0.34, 0.085),
        "cube": (6, 0.38, 0.095),
        "overall": (11, 0.72, 0.18),
        "luck": (4, 0.85, 0.2125),
    }
    flaws = {flaw.value: (0, 0.0, 0.0) for flaw in Flaw if flaw.value} | {
        "missed double below cash point": (1, 0.06, 0.015),
        "wrong double below doubling point": (1, 0.02, 0.005),
        "wrong pass": (1, 0.30, 0.075),
    }
    for name, tally in tallies.items():
        assert list(table.pop(name).values()) == pytest.approx(tally), name
    assert {name: tuple(tally.values()) for name, tally in table.pop("flaws").items()} == flaws
    assert table.pop("limits") == Thresholds().to_dict()
    marked = {"none": 2, "doubtful": 1, "bad": 0, "very bad": 2}
    assert table.pop("marked") == marked
    assert table.pop("cube_marked") == {"none": 4, "doubtful": 0, "bad": 1, "very bad": 1}
    lucky = {"very unlucky": 0, "unlucky": 1, "none": 1, "lucky": 1, "very lucky": 1}
    assert table.pop("luck_marked") == lucky
    checker, cube = 0.085 * (8798 + 25526 / 5), 0.076 * (863 - 519 / 5)
    assert table == pytest.approx(
        {
            "unit": "MWC",
            "length": 5,
            "total_moves": 5,
            "unforced_moves": 4,
            "moves_of_both": 6,
            "rolls": 4,
            "total_cube": 6,
            "close_cube": 5,
            "doubles": 1,
            "takes": 1,
            "passes": 1,
            "beavers": 0,
            "pr_decisions": 9,
            "pr_lost": 0.72,
            "pr_factor": 1.5,
            "blunders": 3,
            "errors": 5,
            "actual_result": 0.5,
            "luck_adjusted_result": 0.2375,
            "decisions": 9,
            "checker_rate": 0.085,
            "cube_rate": 0.076,
            "error_rate": 0.08,
            "snowie_rate": 0.12,
            "luck_rate": 0.2125,
            "pr": 60.0,
            "rating": "Awful",
            "pr_rating": "Distracted",
            "elo": pr_elo(60.0),
            "checker_rating_loss": checker,
            "cube_rating_loss": cube,
            "fibs_rating": 2050 - checker - cube,
            "luck_adjusted_rating": rating_difference(0.7375, 5),
            "checker_rating": "Awful",
            "cube_rating": "Awful",
            "luck_rating": "Cheater",
        }
    )
    text = str(count(1, DECISIONS, ROLLS, length=5))
    assert text == "PR 25.00 (Beginner), errors 1, blunders 0, lost 0.050 EMG, luck -0.200 EMG"
    assert str(count(1, [], [], length=5)) == "no decisions, errors 0, blunders 0, lost 0.000 EMG, luck +0.000 EMG"


def test_the_opponents_decisions_are_the_opponents() -> None:
    """Given what both did, each has own rolls, plays and losses; only the number of moves is common."""
    found = count(1, DECISIONS, ROLLS, length=5, actual_result=-0.5)
    assert (found.total_moves, found.moves_of_both, found.rolls, found.total_cube) == (1, 6, 1, 0)
    assert (found.checker.emg, found.luck.emg) == (0.05, -0.2)
    assert (found.errors, found.blunders, found.pr_decisions) == (1, 0, 1)
    assert found.cube_rating_loss is None and count(1, DECISIONS, ROLLS, length=0).luck_adjusted_rating is None
