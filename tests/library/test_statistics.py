"""Numbers of a library: those of the review, told apart in many ways, and each leading to its decisions."""

from __future__ import annotations

import math
from datetime import date

import pytest

from kibitz import Library
from kibitz.errors import LibraryError
from kibitz.library.filters import DIRECTIONS, DecisionFilter
from kibitz.library.statistics import GROUPS, Sums


def test_pr_and_luck_are_those_of_the_review(reviewed: Library) -> None:
    for info in reviewed.matches():
        review = reviewed.review_of(info.id)
        for seat, name in enumerate(info.players):
            theirs, ours = review.statistics(seat), reviewed.statistics(match=info.id, player=name)
            assert ours.pr == pytest.approx(theirs.pr, abs=1e-9)
            assert ours.pr_counted == theirs.pr_decisions
            assert ours.lost == pytest.approx(theirs.overall.emg, abs=1e-9)
            assert ours.stake == pytest.approx(theirs.overall.stake, abs=1e-9)
            assert ours.luck == pytest.approx(theirs.luck.emg, abs=1e-9)
            assert ours.luck_stake == pytest.approx(theirs.luck.stake, abs=1e-9)
            assert (ours.rolls, ours.blunders, ours.errors) == (theirs.rolls, theirs.blunders, theirs.errors)
            checker = reviewed.statistics(match=info.id, player=name, kind="checker")
            assert checker.lost == pytest.approx(theirs.checker.emg, abs=1e-9)
            assert checker.counted == theirs.unforced_moves
            for direction, flaws in DIRECTIONS.items():
                found = reviewed.statistics(match=info.id, player=name, direction=direction)
                assert found.decisions == sum(theirs.flaw(flaw).count for flaw in flaws)


def test_a_review_comes_back_as_it_was_made(reviewed: Library) -> None:
    from kibitz import review

    info = reviewed.matches()[0]
    kept = reviewed.review_of(info.id)
    made = review(reviewed.match(info.id, analyses=False), level="fast", threads=1)
    assert [one.to_dict() | {"opinion": 0} for one in kept.decisions] == [
        one.to_dict() | {"opinion": 0} for one in made.decisions
    ]
    assert kept.curve == made.curve
    assert kept.results == made.results
    assert [one.luck for one in kept.rolls] == [one.luck for one in made.rolls]


@pytest.mark.parametrize("group", GROUPS)
def test_every_number_leads_to_its_decisions(reviewed: Library, group: str) -> None:
    rows = reviewed.statistics_by(group, player="me")
    assert rows or group == "direction"
    for row in rows:
        decisions = reviewed.decisions(row.filter)
        assert len(decisions) == row.sums.decisions, row
        assert all(one.player == "Ada" for one in decisions)
        assert math.fsum(one.lost or 0 for one in decisions) == pytest.approx(row.sums.lost, abs=1e-9)
        lost = [one.lost or 0 for one in decisions if one.counts_pr]
        assert len(lost) == row.sums.pr_counted
        if len(lost) > 1:
            mean = sum(lost) / len(lost)
            spread = math.sqrt(sum((one - mean) ** 2 for one in lost) / (len(lost) - 1) / len(lost))
            assert row.sums.pr_error == pytest.approx(500 * spread, abs=1e-9)
        assert DecisionFilter.from_dict(row.filter.to_dict()) == row.filter


@pytest.mark.parametrize("group", ["kind", "opponent", "length", "month", "match", "phase", "plan", "score"])
def test_parts_add_up_to_the_whole(reviewed: Library, group: str) -> None:
    whole = reviewed.statistics(player="me")
    parts = [row.sums for row in reviewed.statistics_by(group, player="me")]
    assert sum(one.decisions for one in parts) == whole.decisions > 100
    assert sum(one.pr_lost for one in parts) == pytest.approx(whole.pr_lost, abs=1e-9)


def test_stored_sums_and_the_decisions_themselves_say_the_same(reviewed: Library) -> None:
    stored = reviewed.statistics(player="Ada", kind="checker")
    # No sums are kept by pips, so this is added up from the decisions.
    counted = reviewed.statistics(player="Ada", kind="checker", my_pips=(0, 400))
    for name in Sums.__slots__:
        assert getattr(counted, name) == pytest.approx(getattr(stored, name), abs=1e-9)
    with pytest.raises(LibraryError, match="no sums are kept by my_pips"):
        reviewed.statistics_by("kind", my_pips=(0, 400))


def test_progress_runs_from_the_oldest_match_to_the_whole(reviewed: Library) -> None:
    points = reviewed.progress(player="me", window=2)
    assert [point.played_on for point in points] == sorted(point.played_on or date.min for point in points)
    assert points[-1].lifetime.pr == pytest.approx(reviewed.statistics(player="me").pr, abs=1e-9)
    last = points[-1].own + points[-2].own
    assert points[-1].recent == last
    assert points[0].recent == points[0].own == points[0].lifetime


def test_dates_and_opponents_narrow_a_question(reviewed: Library) -> None:
    assert len(reviewed.matches(since=date(2024, 2, 1), until=date(2024, 2, 29))) == 2
    assert len(reviewed.matches(player="me", opponent="Cleo")) == 2
    ben = {row.key: row for row in reviewed.statistics_by("opponent", player="me")}["Ben"]
    assert ben.sums.matches == 2
    assert reviewed.statistics(player="me", opponent="Ben").decisions == ben.sums.decisions
    with pytest.raises(LibraryError, match="no player"):
        reviewed.statistics(player="Nobody")
    with pytest.raises(LibraryError, match="told apart by"):
        reviewed.statistics_by("weather")
    with pytest.raises(LibraryError, match="there is no kind"):
        reviewed.statistics(kind="chess")


def test_the_histogram_counts_every_error_once(reviewed: Library) -> None:
    bars = reviewed.histogram(player="me")
    wrong = [one for one in reviewed.decisions(player="me", kind="all", judged=True) if one.lost]
    assert sum(bar.count for bar in bars) == len(wrong)
    for bar in bars:
        assert bar.count == sum(bar.low <= (one.lost or 0) < (bar.high or math.inf) for one in wrong)
        assert bar.count == len(reviewed.decisions(bar.filter)), "each bar opens its decisions"


def test_a_histogram_stays_within_the_sizes_that_are_asked_for(reviewed: Library) -> None:
    bars = reviewed.histogram(player="me", at_least=0.05, at_most=0.3)
    asked = reviewed.decisions(player="me", kind="all", at_least=0.05, at_most=0.3)
    assert sum(bar.count for bar in bars) == len(asked) > 0
    for bar in bars:
        assert bar.count == len(reviewed.decisions(bar.filter))


def test_the_costliest_come_first(reviewed: Library) -> None:
    worst = reviewed.decisions(player="me", order="lost", limit=10)
    assert [one.lost for one in worst] == sorted((one.lost or 0.0 for one in worst), reverse=True)
    assert reviewed.decisions(at_least=worst[-1].lost, player="me", order="lost")[:10] == worst


def test_tables_take_the_records(reviewed: Library) -> None:
    records = reviewed.records(player="me", kind="checker")
    assert len({frozenset(record) for record in records}) == 1
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(records)
    assert frame["lost"].sum() == pytest.approx(reviewed.statistics(player="me", kind="checker").lost, abs=1e-9)


def test_a_deeper_review_becomes_the_current_one_and_the_other_stays(changing: Library) -> None:
    info = changing.matches()[0]
    before = changing.statistics(match=info.id)
    assert changing.review("1-ply", threads=1, match=info.id).reviewed == 1
    assert changing.review("1-ply", threads=1, match=info.id).reviewed == 0, "it is done already"
    after = changing.statistics(match=info.id)
    assert after.lost != before.lost
    decision = changing.decisions(match=info.id, kind="checker", counts=True)[3]
    said = changing.analyses(decision.id)
    assert [one.level for one in said] == ["1-ply", "fast"]
    assert [one.is_current for one in said] == [True, False]
    assert said[0].lost == decision.lost
    every = changing.decisions(match=info.id)
    differ = [one.id for one in every if len({said.best for said in changing.analyses(one.id) if said.best}) > 1]
    assert [one.id for one in changing.decisions(match=info.id, disagreement=True)] == differ != []
    agree = [one.id for one in changing.decisions(match=info.id, disagreement=False)]
    assert sorted(differ + agree) == sorted(one.id for one in every)
    assert changing.review("fast", threads=1, match=info.id).reviewed == 0
    assert changing.statistics(match=info.id) == after, "a weaker one does not take its place"
    deep = changing.review_of(info.id)
    assert deep.settings.level.name == "1-ply"
    with pytest.raises(LibraryError, match="not been reviewed"):
        changing.review_of(info.id, analyst=10_000)
