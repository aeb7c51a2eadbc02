"""Rollouts against positions whose value is known exactly."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import kibitz
from kibitz import Cube, MatchState, Owner, _core
from kibitz.bearoff.hypergammon import Hypergammon
from kibitz.position import Variant
from kibitz.rollout.rollout import Rollout
from kibitz.rollout.run import prepare
from kibitz.rollout.settings import RolloutSettings

from .bearoffs import bearoffs, exact_engine

MONEY = MatchState.money(jacoby=False)


def roll_out(
    position: kibitz.Position,
    trials: int,
    *,
    match: MatchState = MONEY,
    checkers: int = 15,
    cube: bool = False,
    luck: _core.Evaluator | None = None,
    **changes: Any,
) -> Rollout:
    """Games by a perfect player, to the very end."""
    settings = RolloutSettings(stop_at_tables=False).changed(**changes)
    rollout = prepare(exact_engine(checkers), kibitz.State(position, match), settings, cube=cube, luck=luck)
    return rollout.extend(trials, threads=1)


def check(scores: list[float], *, exact_spread: bool) -> None:
    """Standard scores are never far out, and their squares add up to what chi-square allows (Wilson and Hilferty)."""
    n = len(scores)
    chi = sum(score * score for score in scores)

    def quantile(normal: float) -> float:
        return n * (1 - 2 / (9 * n) + normal * math.sqrt(2 / (9 * n))) ** 3

    assert max(map(abs, scores)) < 3.0
    assert abs(sum(scores)) < 3.0 * math.sqrt(n)
    assert chi < quantile(3.0)
    if exact_spread:
        assert chi > quantile(-3.0)


def exact_win(position: kibitz.Position) -> float:
    outputs, known = _core.exact_outputs(position.board[None], 15)
    assert known[0]
    return float(outputs[0][0])


@pytest.mark.parametrize("luck", [False, True])
@pytest.mark.parametrize("stratified", [False, True])
def test_bearoffs_come_out_right_and_as_precise_as_claimed(stratified: bool, luck: bool) -> None:
    """With luck, a poor judge of luck must not bias the mean; the claimed error must match the spread."""
    scores = []
    open_games = [one for one in bearoffs(90, seed=4) if 0.05 < exact_win(one) < 0.95][:40]
    for number, position in enumerate(open_games):
        rollout = roll_out(
            position,
            720,
            cubeful=False,
            seed=number + 100,
            stratified=stratified,
            variance_reduction=luck,
            luck=_core.MockEvaluator() if luck else None,
        )
        result = rollout.best
        scores.append((result.evaluation.win - exact_win(position)) / result.errors.win)
        assert math.isclose(result.equity, result.evaluation.equity, abs_tol=1e-8)
    assert len(scores) == 40
    # Even pairs of first rolls take out a little more than the claimed error knows of.
    check(scores, exact_spread=not stratified)


def test_the_exact_judge_of_luck_leaves_no_luck_at_all() -> None:
    for position in bearoffs(20, seed=9):
        result = roll_out(position, 36, cubeful=False).best
        assert abs(result.evaluation.win - exact_win(position)) < 1e-6
        assert result.errors.win < 1e-6


def test_stopping_at_tables_gives_the_table() -> None:
    for position in bearoffs(10, seed=10):
        engine = exact_engine()
        rollout = engine.rollout(position, match=MONEY, cube=False, trials=36)
        found = _core.exact_money_equities(position.rows, 15)
        assert found is not None
        assert math.isclose(rollout.equity, found[1], abs_tol=1e-6)
        assert rollout.standard_error == 0


@pytest.mark.parametrize("owner", list(Owner))
def test_cubeful_bearoffs_with_live_cubes_come_out_right(owner: Owner) -> None:
    match = MatchState.money(Cube(1 if owner is Owner.CENTRED else 2, owner), jacoby=False)
    column = {Owner.CENTRED: 1, Owner.MINE: 3, Owner.THEIRS: 4}[owner]
    scores = []
    for number, position in enumerate(bearoffs(24, seed=21, checkers=4)):
        rollout = roll_out(position, 720, match=match, seed=number, variance_reduction=False, stratified=False)
        exact = _core.exact_money_equities(position.rows, 15)
        assert exact is not None
        if rollout.standard_error < 1e-4:
            assert abs(rollout.equity - exact[column]) < 2e-2
            continue
        scores.append((rollout.equity - exact[column]) / rollout.standard_error)
    assert len(scores) > 8
    check(scores, exact_spread=False)


def test_cube_decisions_in_bearoffs_come_out_right() -> None:
    """No double and double/take, each against the table one roll ahead."""
    scores = []
    table = _core.TwoSidedTable.shared()
    for number, position in enumerate(bearoffs(16, seed=31, checkers=4)):
        rollout = roll_out(position, 720, cube=True, seed=number, luck=_core.MockEvaluator())
        _, no_double, _, double_take = table.cube(position.rows)
        for result, exact in zip(rollout.results, (no_double, double_take), strict=True):
            if result.standard_error < 1e-4:
                assert abs(result.equity - exact) < 2e-2
            else:
                scores.append((result.equity - exact) / result.standard_error)
    assert len(scores) > 12
    check(scores, exact_spread=False)


def test_a_crawford_game_counts_as_match_winning_chances() -> None:
    match = MatchState(5, 4, 2, crawford=True)
    met = kibitz.MatchEquityTable.default()
    for number, position in enumerate(bearoffs(8, seed=41)):
        rollout = roll_out(position, 720, match=match, seed=number, luck=_core.MockEvaluator())
        result = rollout.best
        win = exact_win(position)
        exact = win + (1 - win) * met.chance(1, 2, post_crawford=True)
        assert result.mwc is not None and result.mwc_error is not None
        assert abs(result.mwc - exact) < 3 * result.mwc_error + 1e-6


@pytest.mark.parametrize("checkers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_hypergammon_comes_out_right_with_contact_gammons_and_luck(checkers: int) -> None:
    """Chances and equity, by the perfect player with a poor judge of luck."""
    hypergammon = Hypergammon(checkers)
    hypergammon.use()
    match = MatchState(variant=Variant(f"hypergammon-{checkers}"), jacoby=False)
    chance = random.Random(5)
    scores: list[float] = []
    for number in range(16):
        position = kibitz.Position.start(match.variant)
        for _ in range(chance.randrange(6)):
            plays = position.plays(chance.choice(kibitz.ALL_ROLLS))
            after = chance.choice(plays).result if plays else position.swapped()
            if not after.is_over:
                position = after
        rollout = roll_out(
            position, 720, match=match, checkers=checkers, cubeful=False, seed=number, luck=_core.MockEvaluator()
        )
        exact = hypergammon.evaluate(position)
        result = rollout.best
        scores.append((result.equity - exact.equity) / result.standard_error)
        for name in ("win", "win_gammon", "lose_gammon"):
            error = max(getattr(result.errors, name), 1e-4)
            assert abs(getattr(result.evaluation, name) - getattr(exact, name)) < 4 * error
    check(scores, exact_spread=False)


def test_variance_reduction_changes_the_error_and_not_the_mean() -> None:
    """A race, where the net judges luck well: the same mean, and an error several times smaller."""
    engine = kibitz.Engine(threads=1)
    position = kibitz.parse("XGID=-BBBBBC------------ccbbbc-:0:0:1:00:0:0:0:0:10").position

    def run(**changes: Any) -> Rollout:
        return engine.rollout(position, cube=False, trials=720, cubeful=False, stop_at_tables=False, **changes)

    with_luck, without = run().best, run(variance_reduction=False).best
    assert 4 * with_luck.standard_error < without.standard_error
    assert abs(with_luck.equity - without.equity) < 3 * without.standard_error
