"""Reviews of small matches, checked against the engine asked directly and against plain sums."""

from __future__ import annotations

import pytest

import kibitz
from kibitz import ALL_ROLLS, Engine
from kibitz.analysis.decisions import Flaw, Kind
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.review import MatchReview, review
from kibitz.errors import EngineError
from kibitz.record import Drop, Match, Roll, Take

from .samples import DATA, Resign, beavers, mock_engine, money, short_match, short_review


def golden_text() -> str:
    """What the golden file holds; `python -m tests.analysis.test_review` writes it anew."""
    from kibitz.report.summary import decision_lines, summary

    found = short_review()
    lines = [summary(found, top=20), ""]
    for decision in found.decisions:
        lines += decision_lines(decision, found.match.players)
    return "\n".join(lines) + "\n"


def test_the_review_of_the_short_match_is_the_golden_one() -> None:
    assert golden_text() == (DATA / "short.review.txt").read_text()


def test_every_roll_and_every_cube_action_is_there() -> None:
    match, found = short_match(), short_review()
    rolls = [m for m in match.moments() if isinstance(m.action, Roll)]
    assert [(r.game, r.index) for r in found.rolls] == [(m.game, m.index) for m in rolls]
    plays = [d for d in found.decisions if d.kind is Kind.CHECKER]
    assert len(plays) == len(rolls)
    answers = [m for m in match.moments() if isinstance(m.action, Take | Drop)]
    assert len([d for d in found.decisions if d.kind is Kind.ANSWER]) == len(answers)


def test_the_loss_of_a_play_is_what_the_engine_says_when_it_is_asked_directly() -> None:
    engine = mock_engine()
    for decision in short_review().decisions:
        if decision.kind is not Kind.CHECKER:
            continue
        state = decision.state
        ranked = engine.rank(state.position, state.dice or "11", match=state.match)
        if not ranked:
            assert decision.chosen == "no play"
            assert decision.is_forced
            continue
        made = next(one for one in ranked if str(one.play) == decision.chosen)
        assert decision.lost == pytest.approx(ranked[0].equity - made.equity, abs=1e-9)
        assert decision.best.name == str(ranked[0].play)
        assert decision.lost_mwc == pytest.approx((ranked[0].mwc or 0) - (made.mwc or 0), abs=1e-9)
        assert decision.is_forced == (len(ranked) == 1)


def test_cube_decisions_follow_from_the_three_numbers() -> None:
    for decision in short_review().decisions:
        if decision.cube is None:
            continue
        hold, taken, passed = decision.cube.no_double, decision.cube.double_take, decision.cube.double_pass
        assert hold is not None
        assert taken is not None
        assert passed == pytest.approx(1.0)
        values = {"no double": hold, "double": min(taken, passed), "take": -taken, "pass": -passed}
        rivals = ("no double", "double") if decision.kind is Kind.CUBE else ("take", "pass")
        best = max(values[name] for name in rivals)
        assert decision.lost == pytest.approx(best - values[decision.chosen], abs=1e-6)
        if decision.flaw is Flaw.MISSED_ABOVE_CASH:
            assert taken >= passed > hold


def test_no_cube_decision_before_the_first_roll_nor_in_the_crawford_game() -> None:
    found = short_review()
    crawford = [number for number, game in enumerate(found.match.games) if game.crawford]
    for decision in found.decisions:
        if decision.kind is Kind.CUBE:
            assert decision.index > 0
            assert decision.game not in crawford


def test_luck_is_the_gain_over_the_mean_of_all_rolls() -> None:
    engine = mock_engine()
    moments = {(m.game, m.index): m for m in short_match().moments()}
    for roll in [r for r in short_review().rolls if r.index > 0][::7]:
        state = moments[roll.game, roll.index].state
        values = {}
        for dice in ALL_ROLLS:
            ranked = engine.rank(state.position, dice, match=state.match)
            if not ranked:
                after = engine.cube(state.position.swapped(), match=state.match.swapped())
                values[dice] = -after.equity
            else:
                values[dice] = ranked[0].equity
        mean = sum(dice.weight * value for dice, value in values.items()) / 36
        assert roll.luck == pytest.approx(values[roll.dice] - mean, abs=1e-5)


def test_the_opening_roll_is_compared_with_the_rolls_of_both_players() -> None:
    """With equal players the mean of all openings is nothing, so luck is the value of the roll."""
    engine = mock_engine()
    opening = next(roll for roll in short_review().rolls if roll.index == 0)
    state = next(short_match().moments()).state
    best = engine.rank(state.position, opening.dice, match=state.match)[0]
    assert opening.luck == pytest.approx(best.equity, abs=1e-6)


def test_luck_and_losses_add_up_to_the_result_of_a_perfect_evaluator() -> None:
    """What one side wins the other loses, in results, luck and what is left without it."""
    found = short_review()
    for game in (None, 0, 1, 2):
        first, second = found.statistics(0, game), found.statistics(1, game)
        assert first.actual_result == pytest.approx(-(second.actual_result or 0))
        assert first.luck_adjusted_result == pytest.approx(-(second.luck_adjusted_result or 0))
    assert found.statistics(0).actual_result == pytest.approx(-0.5)


def test_statistics_of_the_games_add_up_to_those_of_the_match() -> None:
    found = short_review()
    for player in (0, 1):
        whole = found.statistics(player)
        games = [found.statistics(player, game) for game in range(3)]
        for name in ("total_moves", "unforced_moves", "close_cube", "doubles", "takes", "passes", "pr_decisions"):
            assert getattr(whole, name) == sum(getattr(game, name) for game in games)
        assert whole.overall.emg == pytest.approx(sum(game.overall.emg for game in games))
        assert whole.luck.stake == pytest.approx(sum(game.luck.stake for game in games))


def test_results_do_not_depend_on_threads() -> None:
    alone = review(short_match(), level="default", engine=mock_engine(), threads=1)
    together = review(short_match(), level="default", engine=mock_engine(), threads=3)
    assert alone == together


def test_the_default_level_looks_deeper_only_where_it_matters() -> None:
    found = short_review("default")
    plies = {decision.plies for decision in found.decisions if decision.kind is Kind.CHECKER and not decision.is_forced}
    assert plies == {0, 2}
    made = [d for d in found.decisions if d.kind is Kind.ANSWER]
    assert made
    assert all(decision.plies == 2 for decision in made)


def test_levels_by_name() -> None:
    assert ReviewLevel.of("3-ply").plies == 3
    assert ReviewLevel.of("3-ply").every
    assert ReviewLevel.of("FAST").plies == 0
    with pytest.raises(EngineError, match="expected fast, default"):
        ReviewLevel.of("slow")
    with pytest.raises(EngineError):
        ReviewSettings(candidates=0)


def test_a_beaver_and_a_raccoon_are_judged() -> None:
    found = review(beavers(), level="fast", engine=mock_engine(), threads=1)
    kinds = [(d.kind, d.chosen) for d in found.decisions]
    assert kinds[:3] == [(Kind.CUBE, "double"), (Kind.ANSWER, "beaver"), (Kind.COUNTER, "raccoon")]
    double, beaver, raccoon = found.decisions[:3]
    assert double.flaw is Flaw.WRONG_BELOW_DOUBLE
    assert beaver.best.name == "beaver"
    assert beaver.lost == 0
    assert double.cube is not None
    assert double.cube.double_take is not None
    # A beavered double costs twice as much, and the raccoon twice as much again.
    assert double.options[-1].equity == pytest.approx(2 * double.cube.double_take)
    assert raccoon.lost > 0
    assert found.statistics(1).beavers == 1


def test_resigning_too_early_and_accepting_too_little() -> None:
    early = review(money(Resign(0, 1)), level="fast", engine=mock_engine(), threads=1)
    (decision,) = early.decisions
    assert decision.kind is Kind.RESIGNATION
    assert decision.best.name == "play on"
    assert decision.lost > 0.5
    late = review(money(Resign(1, 1)), level="fast", engine=mock_engine(), threads=1)
    kinds = {d.kind: d for d in late.decisions}
    value = kinds[Kind.RESIGNATION].options
    assert kinds[Kind.RESIGNATION].player == 1
    if Kind.ACCEPTANCE in kinds:
        assert kinds[Kind.ACCEPTANCE].player == 0
        assert kinds[Kind.ACCEPTANCE].lost == pytest.approx(value[0].equity - value[1].equity)
    assert early.statistics(0).total_cube == 0


def test_an_empty_match_and_an_unfinished_game_are_no_trouble() -> None:
    empty = review(Match(length=3), level="fast", engine=mock_engine())
    assert empty.decisions == ()
    assert empty.statistics(0).actual_result is None
    unfinished = review(money(), level="fast", engine=mock_engine())
    assert unfinished.results == (None,)


def test_opinions_of_the_file_are_kept() -> None:
    annotated = short_review().annotated()
    again = review(annotated, level="fast", engine=mock_engine(), threads=1)
    plays = [d for d in again.decisions if d.kind is Kind.CHECKER and not d.is_forced and d.is_legal]
    assert plays
    for decision in plays:
        (opinion,) = decision.opinions
        assert opinion.source == "Kibitz 0-ply"
        assert opinion.lost == pytest.approx(decision.lost)
    assert [d.lost for d in again.decisions] == [d.lost for d in short_review().decisions]


def test_blunders_are_rolled_out_if_asked() -> None:
    """Only blunders change, and each is the difference of its rolled-out options."""
    engine = Engine(threads=1)
    plain = kibitz.review(short_match(), level="fast", engine=engine)
    rolled = kibitz.review(short_match(), level="fast", engine=engine, rollout=36)
    blunders = 0
    for before, after in zip(plain.decisions, rolled.decisions, strict=True):
        if not before.is_blunder:
            assert after == before
            continue
        blunders += 1
        assert after.is_rolled_out
        assert (after.game, after.index, after.kind) == (before.game, before.index, before.kind)
        chosen = after.chosen_option
        assert chosen is not None
        assert after.lost == pytest.approx(after.best.equity - chosen.equity)
        assert {option.name for option in after.options} == {option.name for option in before.options}
    assert blunders


def test_progress_ends_with_all_turns() -> None:
    seen: list[tuple[int, int]] = []
    review(short_match(), level="fast", engine=mock_engine(), threads=2, progress=lambda *both: seen.append(both))
    assert seen[-1][0] == seen[-1][1] == len(list(short_match().moments()))


def test_the_package_exports_the_review() -> None:
    assert kibitz.review is review
    assert kibitz.MatchReview is MatchReview


def test_the_shipped_net_reviews_too() -> None:
    found = kibitz.review(short_match(), level="fast", engine=Engine(threads=1), threads=1)
    assert len(found.decisions) == len(short_review().decisions)


if __name__ == "__main__":
    (DATA / "short.review.txt").write_text(golden_text())
