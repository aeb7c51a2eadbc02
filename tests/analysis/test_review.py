"""Reviews of small matches, checked against the engine asked directly and against plain sums."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz import ALL_ROLLS, Cube, Dice, Engine, Offer, Owner, Position, State
from kibitz.analysis.analyse import counts_in_pr
from kibitz.analysis.decisions import Flaw, Kind
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.marks import Mark, Thresholds
from kibitz.analysis.review import MatchReview, review
from kibitz.decision import CubeAction, RankedPlay
from kibitz.engine.settings import SearchSettings
from kibitz.errors import EngineError, FormatError, NotationError
from kibitz.record import Double, Drop, Game, Match, Resign, Result, Roll, Rules, Take

from .samples import (
    CRUSHED,
    DATA,
    NO_DOUBLE,
    SAMPLE,
    beavers,
    cube_decision,
    mock_engine,
    mock_review,
    money,
    short_match,
    short_review,
    whole,
)


def golden_text() -> str:
    """What the golden file holds; `python -m tests.analysis.test_review` writes it anew."""
    from kibitz.report.summary import decision_lines, summary

    found = short_review()
    lines = [summary(found, top=20).replace(f"Kibitz {kibitz.__version__},", "Kibitz,"), ""]  # versions come and go
    for decision in found.decisions:
        lines += decision_lines(decision)
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
        ranked = engine.rank(decision.moment.state)
        if not ranked:
            assert decision.chosen_name == "no play"
            assert decision.is_forced
            continue
        made = ranked.find(decision.chosen_name)
        assert made is not None
        assert decision.lost == pytest.approx(ranked[0].equity - made.equity, abs=1e-9)
        assert decision.best.name == str(ranked[0].play)
        assert decision.lost_mwc == pytest.approx((ranked[0].mwc or 0) - (made.mwc or 0), abs=1e-9)
        assert decision.is_forced == (len(ranked) == 1)
        assert decision.counts == (len(ranked) > 1)
        assert decision.counts_pr == (ranked[0].equity - min(row.equity for row in ranked) >= 0.001)
        kept = [row.name for row in ranked if row.rank <= 5 or row is made]
        assert [row.name for row in decision.options] == kept


def test_a_roll_that_cannot_be_played_is_worth_what_it_leaves_to_the_opponent() -> None:
    engine = mock_engine()
    dances = [d for d in short_review().decisions if d.kind is Kind.CHECKER and d.chosen_name == "no play"]
    assert dances
    for decision in dances:
        (row,) = decision.options
        after = engine.cube(decision.moment.state.swapped())
        assert isinstance(row, RankedPlay)
        assert row.equity == pytest.approx(-after.equity)
        assert row.mwc == pytest.approx(1 - (after.equity_mwc or 0))
        assert row.evaluation == after.evaluation.swapped()
        assert (decision.lost, decision.counts, decision.counts_pr) == (0.0, False, False)


def test_cube_decisions_follow_from_the_three_numbers() -> None:
    flaws = set()
    for decision in short_review().decisions:
        cube = decision.cube
        if cube is None:
            continue
        hold, taken, passed = cube.no_double, cube.double_take, cube.double_pass
        assert passed == pytest.approx(1.0)
        values = {"no double": hold, "double": min(taken, passed), "take": -taken, "pass": -passed}
        rivals = ("no double", "double") if decision.kind is Kind.CUBE else ("take", "pass")
        best = max(values[name] for name in rivals)
        chosen = decision.chosen_name
        assert decision.lost == pytest.approx(best - values[chosen], abs=1e-6)
        flaw = Flaw.NONE
        if best - values[chosen] > 1e-5:
            flaw = {
                "no double": Flaw.MISSED_BELOW_CASH if taken < passed else Flaw.MISSED_ABOVE_CASH,
                "double": Flaw.WRONG_ABOVE_TOO_GOOD if hold > passed else Flaw.WRONG_BELOW_DOUBLE,
                "take": Flaw.WRONG_TAKE,
                "pass": Flaw.WRONG_PASS,
            }[chosen]
        assert decision.flaw is flaw
        flaws.add(flaw)
    assert {Flaw.MISSED_BELOW_CASH, Flaw.MISSED_ABOVE_CASH} <= flaws


@pytest.mark.parametrize(
    ("hold", "taken", "counts"),
    [
        (0.5, 0.4, True),
        (0.5, 0.5005, False),  # all the same
        (0.5, 0.31, True),
        (0.5, 0.29, False),  # far from a double
        (1.19, 1.5, True),
        (1.21, 1.5, False),  # far too good
        (-0.89, -0.95, True),
        (-0.91, -0.89, True),
        (-0.91, -0.95, False),  # lost anyway
    ],
)
def test_which_cubes_that_were_left_alone_count_in_the_pr(hold: float, taken: float, counts: bool) -> None:
    cube = cube_decision(NO_DOUBLE).cube
    assert cube is not None
    assert counts_in_pr(replace(cube, no_double=hold, double_take=taken)) is counts


@pytest.mark.parametrize(("answer", "lost", "flaw"), [(Take(0), 3.0, Flaw.WRONG_TAKE), (Drop(0), 0.0, Flaw.NONE)])
def test_a_take_of_a_lost_gammon_costs_three_points(answer: Take | Drop, lost: float, flaw: Flaw) -> None:
    """Ben bears off his last two checkers with any roll: four points at the turned cube, one if Ada passes."""
    match = money(Double(1), answer, position=CRUSHED.swapped(), beavers=False)
    found = review(match, level="fast", engine=Engine(threads=1), threads=1)
    double, reply = found.decisions
    assert (double.player, double.name, double.chosen) == (1, "Ben", CubeAction.DOUBLE)
    assert (double.lost, double.flaw) == (0.0, Flaw.NONE)
    assert (reply.player, reply.name) == (0, "Ada")
    assert reply.best.name == "pass"
    assert reply.verdict == "optional double, pass"  # under Jacoby playing on wins one point as well
    assert reply.lost == pytest.approx(lost, abs=0.02)
    assert reply.flaw is flaw
    assert [found.statistics(name).errors for name in ("Ada", "Ben")] == [int(lost > 0), 0]
    assert (found.statistics("Ada").takes, found.statistics("Ada").passes) == (int(lost > 0), int(lost == 0))


def test_a_double_that_nobody_sensible_makes_is_answered_all_the_same() -> None:
    """Ada needs one point and doubles: the cube is of no use to her. Ben, who needs three, loses all by a pass."""
    for answer, is_wrong in ((Take(1), False), (Drop(1), True)):
        rolls = short_match().games[0].actions[:2]
        assert rolls[-1].player == 1
        match = Match(("Ada", "Ben"), 3, (Game((2, 0), False, (*rolls, Double(0), answer)),))
        found = mock_review(match)
        assert not [d for d in found.decisions if d.kind is Kind.CUBE and d.name == "Ada"]
        reply = found.decisions[-1]
        assert (reply.kind, reply.name, reply.best.name) == (Kind.ANSWER, "Ben", "take")
        assert (reply.flaw is Flaw.WRONG_PASS) == (reply.lost > 0) == is_wrong
        passed = next(row for row in reply.options if row.name == "pass")
        assert passed.mwc == 0.0


def test_no_cube_decision_before_the_first_roll_nor_in_the_crawford_game() -> None:
    """The same rolls at 2-0 of 3: in the Crawford game nobody may double, after it the one who trails may."""
    rolls = short_match().games[0].actions[:6]
    assert all(isinstance(action, Roll) for action in rolls)
    doublers = {}
    for crawford in (True, False):
        match = Match(("Ada", "Ben"), 3, (Game((2, 0), crawford, rolls),))
        found = mock_review(match)
        assert [d.moment.action for d in found.decisions if d.kind is Kind.CHECKER] == list(rolls)
        doublers[crawford] = {decision.name for decision in found.decisions if decision.kind is Kind.CUBE}
    assert doublers == {True: set(), False: {"Ben"}}
    opening = [decision.kind for decision in short_review().decisions if decision.index == 0]
    assert opening == [Kind.CHECKER] * 3


def test_luck_is_the_gain_over_the_mean_of_all_rolls() -> None:
    engine = mock_engine()
    moments = {(m.game, m.index): m for m in short_match().moments()}
    for roll in [r for r in short_review().rolls if r.index > 0][::7]:
        state = moments[roll.game, roll.index].state
        values = {}
        for dice in ALL_ROLLS:
            ranked = engine.rank(state, dice)
            if not ranked:
                after = engine.cube(state.swapped())
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
    best = engine.rank(state)[0]
    assert opening.luck == pytest.approx(best.equity, abs=1e-6)


def test_the_result_without_luck_is_the_result_less_the_luck_of_both() -> None:
    """What one side wins the other loses, in results, luck and what is left without it."""
    found = short_review()
    for game in (None, 1, 2, 3):
        first, second = found.statistics(0, game), found.statistics(1, game)
        rolls = [roll for roll in found.rolls if game in (None, roll.game)]
        lucks = [(roll.player, roll.luck_mwc) for roll in rolls if roll.luck_mwc is not None]
        assert len(lucks) == len(rolls)
        luck = sum(mwc if player == 0 else -mwc for player, mwc in lucks)
        won = sum(result or 0 for number, result in enumerate(found.results, start=1) if game in (None, number))
        assert first.actual_result == pytest.approx(won)
        assert first.luck_adjusted_result == pytest.approx(won - luck)
        assert second.luck_adjusted_result == pytest.approx(luck - won)
    assert [found.statistics(name).actual_result for name in ("Ada", "Ben")] == pytest.approx([-0.5, 0.5])


def test_the_curve_is_player_0s_after_every_play() -> None:
    found = short_review()
    points = {(point.game, point.index): point for point in found.curve}
    plays = [decision for decision in found.decisions if decision.kind is Kind.CHECKER]
    assert {decision.player for decision in plays} == {0, 1}
    for decision in plays:
        chosen, point = decision.chosen_option, points[decision.game, decision.index]
        assert chosen is not None
        assert chosen.mwc is not None
        assert point.equity == (chosen.equity if decision.name == "Ada" else -chosen.equity)
        assert point.mwc == (chosen.mwc if decision.name == "Ada" else 1 - chosen.mwc)


def test_statistics_of_the_games_add_up_to_those_of_the_match() -> None:
    found = short_review()
    for player in (0, 1):
        whole = found.statistics(player)
        games = [found.statistics(player, game) for game in (1, 2, 3)]
        for name in ("total_moves", "unforced_moves", "close_cube", "doubles", "takes", "passes", "pr_decisions"):
            assert getattr(whole, name) == sum(getattr(game, name) for game in games)
        assert whole.overall.emg == pytest.approx(sum(game.overall.emg for game in games))
        assert whole.luck.stake == pytest.approx(sum(game.luck.stake for game in games))


def test_results_do_not_depend_on_threads() -> None:
    assert mock_review(short_match(), "default", threads=3) == short_review("default")


def test_the_default_level_looks_deeper_only_where_it_matters() -> None:
    found = short_review("default")
    plies = {decision.plies for decision in found.decisions if decision.kind is Kind.CHECKER and not decision.is_forced}
    assert plies == {0, 2}
    made = [d for d in found.decisions if d.kind is Kind.ANSWER]
    assert made
    assert all(decision.plies == 2 for decision in made)


def test_levels_by_name() -> None:
    assert ReviewLevel.of("3-ply").search.plies == 3
    assert ReviewLevel.of("3-ply").every
    assert ReviewLevel.of("FAST").search.plies == 0
    deep = ReviewLevel.of("deep")
    assert deep.search == SearchSettings(plies=3) and deep.thought == "deep"
    with pytest.raises(EngineError, match="expected fast, default"):
        ReviewLevel.of("slow")
    with pytest.raises(EngineError, match="a review is cubeful"):
        ReviewLevel(search=SearchSettings(cubeful=False))
    with pytest.raises(EngineError):
        ReviewSettings(candidates=0)


def test_a_search_of_the_level_is_the_search_of_the_review() -> None:
    """What the level says holds, not what the engine would do when it is asked directly."""
    settings = ReviewSettings(level=replace(whole("thorough"), search=replace(whole("thorough").search, plies=1)))
    found = review(short_match(), settings=settings, engine=mock_engine(), threads=1)
    unforced = [d for d in found.decisions if d.kind is Kind.CHECKER and not d.is_forced]
    assert {decision.plies for decision in unforced} <= {0, 1}
    assert sum(decision.plies == 1 for decision in unforced) > 50


def test_a_beaver_and_a_raccoon_are_judged() -> None:
    found = mock_review(beavers())
    kinds = [(d.kind, d.chosen) for d in found.decisions]
    assert kinds[:3] == [
        (Kind.CUBE, CubeAction.DOUBLE),
        (Kind.ANSWER, CubeAction.BEAVER),
        (Kind.COUNTER, CubeAction.RACCOON),
    ]
    double, beaver, raccoon = found.decisions[:3]
    assert [decision.player for decision in found.decisions[:3]] == [0, 1, 0]
    assert double.flaw is Flaw.WRONG_BELOW_DOUBLE
    assert beaver.best.name == "beaver"
    assert beaver.lost == 0
    assert double.cube is not None
    # A beavered double costs twice as much, and the raccoon twice as much again.
    assert double.options[-1].equity == pytest.approx(2 * double.cube.double_take)
    assert raccoon.options[-1].equity == pytest.approx(4 * double.cube.double_take)
    # Giving up loses two points, less than either way of playing on.
    assert raccoon.best.equity == -2.0
    assert (raccoon.counts, raccoon.counts_pr) == (False, False)
    assert raccoon.lost == pytest.approx(-2.0 - 4 * double.cube.double_take)
    assert found.statistics(1).beavers == 1


@pytest.mark.parametrize(("answer", "flaw"), [(Take(1), Flaw.WRONG_BEAVER), (Drop(1), Flaw.WRONG_PASS)])
def test_a_beaver_that_was_not_made_is_a_flaw_of_its_own(answer: Take | Drop, flaw: Flaw) -> None:
    found = mock_review(money(Double(0), answer, position=CRUSHED.swapped()))
    reply = found.decisions[1]
    assert reply.best.name == "beaver"
    assert reply.flaw is flaw
    assert found.statistics("Ben").flaw(flaw).count == 1


def test_an_illegal_play_is_shown_and_neither_analysed_nor_counted() -> None:
    rolls = short_match().games[0].actions[:1]
    illegal = Roll(1 - rolls[0].player, Dice(3, 1), (kibitz.Move(8, 5), kibitz.Move(8, 5)), legal=False)
    found = mock_review(Match(("Ada", "Ben"), 3, (Game((0, 0), False, (*rolls, illegal)),)))
    decision = found.decisions[-1]
    assert (decision.chosen_name, decision.is_legal, decision.chosen_option) == ("8/5(2)", False, None)
    assert (decision.lost, decision.lost_mwc, decision.counts, decision.counts_pr) == (0.0, 0.0, False, False)
    assert str(decision).endswith("(not legal)")
    assert found.statistics(illegal.player).total_moves == 1
    assert len(found.curve) == 2, "before the game and after the legal play"


def test_money_at_a_turned_cube_counts_in_points() -> None:
    match = money(Roll(0, Dice(2, 1), (kibitz.Move(6, 4), kibitz.Move(6, 5))), cube=Cube(4, Owner.MINE))
    found = mock_review(match)
    (roll,) = found.rolls
    play = found.decisions[-1]
    assert play.lost > 0
    assert (roll.stake, play.stake) == (4 * roll.luck, 4 * play.lost)
    assert found.statistics(0).luck.stake == 4 * roll.luck


# --- results ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "crawford", "rule", "winner", "after"),
    [
        ((3, 2), False, True, 0, (1, 3, False)),  # the Crawford game follows
        ((4, 2), True, True, 1, (1, 2, True)),  # it has been played
        ((4, 3), False, True, 1, (1, 1, True)),
        ((3, 2), False, False, 0, (1, 3, True)),  # played without that rule
        ((2, 2), False, True, 1, (3, 2, False)),
    ],
)
def test_a_game_is_worth_the_chances_after_it_less_those_before(
    score: tuple[int, int], crawford: bool, rule: bool, winner: int, after: tuple[int, int, bool]
) -> None:
    met = kibitz.MatchEquityTable.default()
    game = Game(score, crawford, (), Result(winner, 1))
    found = mock_review(Match(length=5, games=(game,), rules=Rules(crawford=rule)))
    mine, theirs, post = after
    expected = met.chance(mine, theirs, post_crawford=post)
    before = met.chance(5 - score[0], 5 - score[1], post_crawford=4 in score and not crawford)
    assert list(found.results) == pytest.approx([expected - before])
    assert found.statistics(1).actual_result == pytest.approx(before - expected)


def test_a_game_that_ends_the_match_leaves_no_doubt() -> None:
    met = kibitz.MatchEquityTable.default()
    before = met.chance(2, 1)
    for winner in (0, 1):
        game = Game((3, 4), True, (), Result(winner, 2))
        found = mock_review(Match(length=5, games=(game,)))
        assert list(found.results) == pytest.approx([(winner == 0) - before])
    money_games = tuple(Game((0, 0), False, (), Result(winner, points)) for winner, points in ((0, 3), (1, 8)))
    assert mock_review(Match(length=0, games=money_games)).results == (3.0, -8.0)


# --- resignations -----------------------------------------------------------------------------------------------------


def test_resigning_too_early_costs_what_playing_on_was_worth() -> None:
    early = mock_review(money(Resign(0, 1)))
    (decision,) = early.decisions
    assert (decision.kind, decision.player, decision.chosen) == (Kind.RESIGNATION, 0, CubeAction.RESIGN)
    assert decision.best.name == "play on"
    value = mock_engine().cube(decision.moment.state).equity
    assert decision.lost == pytest.approx(value + 1.0)
    assert early.statistics(0).total_cube == 0


def test_accepting_too_little_is_the_opponents_error() -> None:
    """Ben is about to lose a gammon at the cube that he owns: Ada should not accept a single game."""
    match = money(Resign(1, 1), position=CRUSHED, cube=Cube(2, Owner.THEIRS))
    found = review(match, level="fast", engine=Engine(threads=1), threads=1)
    resigned, accepted = found.decisions
    assert (resigned.kind, resigned.name, resigned.best.name, resigned.lost) == (
        Kind.RESIGNATION,
        "Ben",
        "resign",
        0.0,
    )
    assert (accepted.kind, accepted.player, accepted.name) == (Kind.ACCEPTANCE, 0, "Ada")
    assert (accepted.best.name, accepted.chosen_name) == ("refuse", "accept")
    assert accepted.lost == pytest.approx(1.0, abs=0.02)
    assert [decision.name for decision in found.errors()] == ["Ada"]


@pytest.mark.parametrize(("cube", "points"), [(Cube(1), 1), (Cube(2), 2), (Cube(2, Owner.THEIRS), 4)])
def test_a_resigned_gammon_is_worth_the_same_to_the_review_and_to_a_hint(cube: Cube, points: int) -> None:
    """Under Jacoby it counts as a single game until the cube is turned, also after an automatic double."""
    match = money(Resign(0, 2), position=CRUSHED.swapped(), cube=cube)
    (decision,) = review(match, level="fast", engine=Engine(threads=1), threads=1).decisions
    given = next(row.equity for row in decision.options if row.name == "resign")
    assert given * cube.value == -points
    hint = Engine(threads=1, plies=0).resignation(decision.moment.state)
    assert hint.accepted == -given
    assert State.from_dict(decision.state.to_dict()).offer is Offer.RESIGN_GAMMON


def test_a_player_who_resigns_after_the_roll_gives_up_its_best_play() -> None:
    match = money(Roll(0, Dice(6, 5), None), Resign(0, 1))
    decision = mock_review(match).decisions[-1]
    assert decision.state.dice == Dice(6, 5)
    best = mock_engine().rank(replace(decision.state, offer=Offer.NONE))[0]
    assert decision.options[0].equity == pytest.approx(best.equity)


def test_a_player_who_resigns_on_the_opponents_turn_gives_up_what_that_leaves() -> None:
    match = money(Roll(0, Dice(6, 5), short_play()), Resign(0, 1))
    decision = mock_review(match).decisions[-1]
    assert decision.moment.on_roll == 1
    theirs = mock_engine().cube(replace(decision.state, offer=Offer.NONE).swapped())
    value = next(row.equity for row in decision.options if row.name == "play on")
    assert value == pytest.approx(-theirs.equity)


def short_play() -> tuple[kibitz.Move, ...]:
    return kibitz.Move(6, 0), kibitz.Move(5, 0)


# --- asking a review --------------------------------------------------------------------------------------------------


def test_a_file_can_be_reviewed_by_its_path() -> None:
    for path in (SAMPLE, str(SAMPLE)):
        assert mock_review(path) == short_review()
    with pytest.raises(FormatError, match=r"none\.mat"):
        kibitz.review("none.mat")


def test_players_are_named_or_numbered_and_games_count_from_one() -> None:
    found = short_review()
    assert found.errors("Ada") == found.errors(0) == [d for d in found.errors() if d.name == "Ada"]
    assert found.errors("Ben") == found.errors(1) != found.errors("Ada")
    assert found.statistics("ben", game=3) == found.statistics(1, 3) != found.statistics(1, 1)
    assert {decision.game for decision in found.decisions} == {1, 2, 3}
    assert {decision.game for decision in found.game(2)} == {2}
    assert len(found.game(1)) + len(found.game(2)) + len(found.game(3)) == len(found.decisions)
    with pytest.raises(NotationError, match="expected one of the players 'Ada' and 'Ben', or 0 or 1, not 'Cid'"):
        found.errors("Cid")
    with pytest.raises(NotationError, match="expected one of the players"):
        found.statistics(2)
    for ask in (found.game, lambda game: found.statistics(0, game)):
        with pytest.raises(NotationError, match="expected a game from 1 to 3, not 0"):
            ask(0)


def test_errors_are_what_the_limits_say() -> None:
    found = short_review()
    assert [d.lost for d in found.errors()] == sorted((d.lost for d in found.decisions if d.lost > 0.02), reverse=True)
    assert all((d.mark is not Mark.NONE) == d.is_error for d in found.decisions), "errors have marks, and nothing else"
    assert all((d.mark is Mark.VERY_BAD) == d.is_blunder for d in found.decisions), "?? is a blunder"
    assert all(d.lost > 0.08 for d in found.errors() if d.is_blunder)
    assert len(found.errors(at_least=1e-9)) == sum(decision.lost > 0 for decision in found.decisions)
    strict = ReviewSettings(level=whole("fast"), thresholds=Thresholds(error=0.1, blunder=0.2))
    few = review(short_match(), settings=strict, engine=mock_engine(), threads=1)
    assert len(few.errors()) == sum(decision.lost > 0.1 for decision in found.decisions)
    assert few.statistics(0).errors + few.statistics(1).errors == len(few.errors())


def test_everything_has_a_short_text_and_a_face_for_notebooks(tmp_path: Path) -> None:
    found = short_review()
    faces: list[Any] = [
        found.match,
        found.match.games[0],
        found,
        found.decisions[3],
        found.statistics(0),
        found.rolls[0],
    ]
    for face in faces:
        assert len(str(face)) < 500
        assert str(face).splitlines()[0] != ""
        assert face._repr_html_().count("<") > 4
    worst = found.errors()[0]
    assert worst.chosen_name in str(worst)
    assert worst.best.name in worst._repr_html_()
    assert "Ada" in found._repr_html_()
    assert "decisions" in repr(found)
    for suffix, start in ((".html", "<!doctype html>"), (".csv", "game,move"), (".json", "{"), (".sgf", "(;FF[4]")):
        found.save(tmp_path / f"report{suffix}")
        assert (tmp_path / f"report{suffix}").read_text().startswith(start)
    with pytest.raises(FormatError, match="a report is one of"):
        found.save(tmp_path / "report.pdf")


# --- odds and ends ----------------------------------------------------------------------------------------------------


def test_an_empty_match_and_an_unfinished_game_are_no_trouble() -> None:
    empty = mock_review(Match(length=3))
    assert empty.decisions == ()
    assert empty.statistics(0).actual_result is None
    unfinished = mock_review(money())
    assert unfinished.results == (None,)


def test_opinions_of_the_file_are_kept() -> None:
    annotated = short_review().annotated()
    again = mock_review(annotated)
    judged = [d for d in again.decisions if not d.is_forced and d.is_legal]
    assert {decision.kind for decision in judged} == {Kind.CHECKER, Kind.CUBE, Kind.ANSWER}
    for decision in judged:
        opinion = decision.opinion
        assert opinion is not None
        assert (opinion.source, opinion.best) == ("Kibitz 0-ply", decision.best.name)
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
        assert any(row.level is not None and row.level.trials == 36 for row in after.options)
        assert (after.game, after.index, after.kind) == (before.game, before.index, before.kind)
        chosen = after.chosen_option
        assert chosen is not None
        assert after.lost == pytest.approx(after.best.equity - chosen.equity)
        assert {option.name for option in after.options} == {option.name for option in before.options}
    assert blunders


def test_one_thread_counts_every_moment_and_a_kept_review_is_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    seen: list[tuple[int, int]] = []
    for _ in range(2):
        mock_review(beavers(), cache=True, progress=lambda *both: seen.append(both))
    moments = len(list(beavers().moments()))
    assert seen == [*((number, moments) for number in range(1, moments + 1)), (1, 1)]
    with pytest.raises(EngineError, match="threads cannot be negative: -1"):
        mock_review(beavers(), threads=-1)


def test_several_threads_never_count_more_than_there_is() -> None:
    """Given a match whose last bundle is not full, the steps grow to the number of moments, and no further."""
    seen: list[tuple[int, int]] = []
    first = replace(short_match(), games=short_match().games[:1])
    found = mock_review(first, threads=2, progress=lambda *both: seen.append(both))
    moments = len(list(first.moments()))
    assert found.decisions == tuple(short_review().game(1))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {total for _, total in seen} == {moments} and max(done for done, _ in seen) == moments


def test_what_lost_so_much_is_listed_from_exactly_that_loss_on() -> None:
    found = short_review()
    losses = sorted({decision.lost for decision in found.decisions if decision.lost > 0})
    for limit in (losses[0], losses[len(losses) // 2], losses[-1]):
        assert min(decision.lost for decision in found.errors(at_least=limit)) == limit
    assert len(found.errors(at_least=0.0)) == sum(decision.lost > 0 for decision in found.decisions)


def test_json_may_do_without_statistics_and_says_what_stakes_are() -> None:
    for match, unit in ((short_match(), "MWC"), (beavers(), "points")):
        found = mock_review(match)
        data, bare = found.to_dict(), found.to_dict(statistics=False)
        assert data["unit"] == unit and data["engine"] == f"Kibitz {kibitz.__version__}"
        assert [one["pr"] for one in data["statistics"]] == [found.statistics(player).pr for player in (0, 1)]
        for game, without in zip(data["games"], bare["games"], strict=True):
            number = game["game"]
            moves = [found.statistics(player, number).total_moves for player in (0, 1)]
            assert [one["total_moves"] for one in game["statistics"]] == moves
            assert without == game | {"statistics": None}
            result = match.games[number - 1].result
            assert game["result"] == (None if result is None else result.to_dict())
        assert bare == data | {"statistics": None, "games": bare["games"]}


def test_a_blunder_that_ends_the_game_is_not_rolled_out() -> None:
    """Given a last checker that could have been borne off, its play cannot be rolled out and stays as it was."""
    last = Position.of({6: 1, 1: 1}, {6: 2})
    match = money(Roll(0, Dice(6, 1), (kibitz.Move(6, 5), kibitz.Move(5, 0))), position=last, beavers=False)
    plain, rolled = (mock_review(match, rollout=trials) for trials in (None, 36))
    blunder = next(decision for decision in plain.decisions if decision.kind is Kind.CHECKER)
    assert blunder.is_blunder and blunder.best.name == "6/off 1/off"
    assert blunder in rolled.decisions


def test_progress_ends_with_all_moments() -> None:
    seen: list[tuple[int, int]] = []
    mock_review(short_match(), threads=2, progress=lambda *both: seen.append(both))
    assert seen[-1][0] == seen[-1][1] == len(list(short_match().moments()))


def test_the_package_exports_the_review() -> None:
    assert kibitz.review is review
    assert kibitz.MatchReview is MatchReview


def test_the_shipped_net_reviews_too() -> None:
    found = kibitz.review(short_match(), level="fast", engine=Engine(threads=1), threads=1)
    assert len(found.decisions) == len(short_review().decisions)


if __name__ == "__main__":
    (DATA / "short.review.txt").write_text(golden_text())
