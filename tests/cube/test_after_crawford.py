"""After the Crawford game: doubles that cost nothing and free drops, against exact values of short bearoffs."""

from __future__ import annotations

from functools import cache

import pytest

from kibitz import Engine, MatchState, Position, parse
from kibitz.dice import Dice

from .test_match import POST

ROLLS = [(Dice.of((high, low)), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)]

# Bearoffs of a few turns in which the game is open.
SHORT = [
    Position.of({6: 1, 5: 1}, {3: 1, 2: 1}),
    Position.of({5: 2, 1: 1}, {4: 1, 3: 1}),
    Position.of({6: 2, 4: 1}, {6: 1, 5: 1, 3: 1}),
    Position.of({4: 2, 2: 1}, {6: 2, 1: 1}),
]


def after(trailer: int, points: int) -> float:
    """The trailer's chance in the match after winning so many points; the leader needs one."""
    return 1.0 if points >= trailer else POST[trailer - points - 1]


@cache
def exact(position: Position, trails: bool, trailer: int, doubled: bool) -> float:
    """The trailer's chance before whoever is on roll has thought of doubling. The leader has no use for the cube."""
    total = 0.0
    for dice, weight in ROLLS:
        results = [play.result for play in position.plays(dice)] or [position.swapped()]
        values = [decided(result, not trails, trailer, doubled) for result in results]
        total += weight * (max(values) if trails else min(values))
    return total / 36


@cache
def decided(position: Position, trails: bool, trailer: int, doubled: bool) -> float:
    """The same with the best cube action. A game that is over has been lost by who would be on roll."""
    if position.is_over:
        return 0.0 if trails else after(trailer, 2 if doubled else 1)
    undoubled = exact(position, trails, trailer, doubled)
    if not trails or doubled:
        return undoubled
    return max(undoubled, min(exact(position, trails, trailer, True), after(trailer, 1)))


def match_of(trailer: int, *, trails: bool) -> MatchState:
    mine, theirs = (0, trailer - 1) if trails else (trailer - 1, 0)
    return MatchState(length=trailer, my_score=mine, their_score=theirs)


@pytest.mark.parametrize("trailer", [2, 3, 4, 5])
@pytest.mark.parametrize("position", SHORT, ids=lambda position: position.id)
def test_rollouts_find_the_exact_chances(position: Position, trailer: int) -> None:
    engine = Engine(threads=1)
    results = engine.rollout(position, match=match_of(trailer, trails=True), trials=1296).results
    for result, doubled in zip(results, (False, True), strict=True):
        assert result.mwc is not None and result.mwc_error is not None
        assert result.mwc == pytest.approx(exact(position, True, trailer, doubled), abs=4 * result.mwc_error + 0.002)
    (only,) = engine.rollout(position, match=match_of(trailer, trails=False), trials=1296).results
    assert only.mwc is not None and only.mwc_error is not None
    assert 1 - only.mwc == pytest.approx(exact(position, False, trailer, False), abs=4 * only.mwc_error + 0.002)


@pytest.mark.parametrize("trailer", [2, 3, 4, 5])
@pytest.mark.parametrize("position", SHORT, ids=lambda position: position.id)
def test_a_look_ahead_is_near_the_exact_chances(position: Position, trailer: int) -> None:
    seen = Engine(threads=1).cube(position, match=match_of(trailer, trails=True), plies=2)
    assert seen.mwc is not None
    assert seen.mwc.double_take == pytest.approx(exact(position, True, trailer, True), abs=0.002)
    assert seen.mwc.no_double == pytest.approx(exact(position, True, trailer, False), abs=0.01)
    # Whether the leader should take, unless it hardly matters.
    taken, passed = exact(position, True, trailer, True), after(trailer, 1)
    assert seen.take == (taken <= passed) or abs(taken - passed) < 0.002


def test_the_trailer_cashes_a_good_position_with_few_gammons() -> None:
    """Nothing that he could win by playing on is worth the risk."""
    position = Position.from_id("be5jAADb1igABg").play("10/5", "41")
    for plies in (0, 1, 2):
        decision = Engine(threads=1).cube(position, match=match_of(2, trails=True), plies=plies)
        assert decision.action == "double, pass"


def test_the_free_drop_does_not_hide_the_best_play() -> None:
    """Four points away against one, an opening 31: making the five point wins most, and was ranked tenth once."""
    state = parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:3:0:4:10")
    for plies in (0, 1, 2):
        ranked = Engine(threads=1).rank(state.position, "31", match=state.match, plies=plies)
        assert str(ranked[0].play) == "8/5 6/5"
