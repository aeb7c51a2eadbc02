"""Opening plays where gammons and the cube count for much or nothing: no filter may lose the best one."""

from __future__ import annotations

import itertools

import pytest

from kibitz import Engine, MatchState, Position

ROLLS = list(itertools.combinations(range(1, 7), 2))


def scores() -> dict[str, MatchState]:
    """Either side on roll, after the Crawford game and in it, the trailer 2-away to 9-away; and double match point."""
    found = {"1-away 1-away": MatchState(length=1)}
    for away in range(2, 10):
        for crawford in (False, True):
            when = "Crawford" if crawford else "after Crawford"
            leading = MatchState(length=away, my_score=away - 1, crawford=crawford)
            found[f"1-away {away}-away {when}"] = leading
            found[f"{away}-away 1-away {when}"] = leading.swapped()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("score", scores())
def test_the_normal_filter_keeps_the_best_opening_play(score: str) -> None:
    """At 2 plies, of all plays."""
    engine, match, start = Engine(threads=1, plies=2), scores()[score], Position.start()
    worse = []
    for dice in ROLLS:
        best = engine.rank(start, dice, match=match, filter="everything")[0]
        chosen = engine.rank(start, dice, match=match)[0]
        if chosen.play != best.play:
            worse.append(
                f"{dice[1]}{dice[0]}: {chosen.play} instead of {best.play} ({best.equity - chosen.equity:.4f})"
            )
    assert not worse, "; ".join(worse)
