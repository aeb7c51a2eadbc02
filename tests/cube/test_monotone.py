"""More chances are never worth less, and a little more is worth a little more: at every score, owner and cube."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kibitz import _core

from .plain_cube import Efficiency
from .test_match import EQUITY
from .test_money import OWNERS, efficiencies

STEPS = 1024
CONTACT = Efficiency(0.76, 0.86, 0.635, 0.085, 0.3, 0.55)
SHARES = st.integers(0, 38).map(lambda share: share / 64)  # of gammons in wins, up to 0.6; exact as 32-bit floats


@st.composite
def games(draw: st.DrawFn) -> dict[str, Any]:
    """Money with every rule, or a match up to 15-away: before, in and after Crawford, at double match point."""
    cube = draw(st.sampled_from([1, 2, 4, 8]))
    max_cube = draw(st.sampled_from([8, 16, 1024]))
    game: dict[str, Any] = {
        "cube": cube,
        "max_cube": max_cube,
        "owner": draw(st.sampled_from(sorted(OWNERS))),
    }
    if draw(st.integers(0, 3)) == 0:
        return game | {"jacoby": draw(st.booleans()), "beavers": draw(st.booleans())}
    mine, theirs = draw(st.integers(1, 15)), draw(st.integers(1, 15))
    crawford = 1 in (mine, theirs) and (mine, theirs) != (1, 1) and draw(st.booleans())
    if crawford:
        game |= {"cube": 1, "owner": "centred"}
    return game | {"my_away": mine, "their_away": theirs, "crawford": crawford}


def after_crawford(mine: int, theirs: int) -> dict[str, Any]:
    return {"my_away": mine, "their_away": theirs, "owner": "centred"}


def model_of(game: dict[str, Any]) -> _core.CubeModel:
    table = EQUITY if "my_away" in game else None
    return _core.CubeModel(**game | {"owner": OWNERS[str(game["owner"])], "table": table})


Shares = tuple[float, float, float, float]


def curve(game: dict[str, Any], shares: Shares, efficiency: Efficiency, method: str, side: int) -> np.ndarray:
    """The values of all chances from 0 to 1, with the same shares of gammons and backgammons in wins and losses."""
    model = model_of(game)
    value = getattr(model, method)
    gammons, backgammons, lost, lost_backgammons = shares
    return np.array(
        [
            value(
                (p, p * gammons, p * gammons * backgammons, (1 - p) * lost, (1 - p) * lost * lost_backgammons),
                _core.Efficiency(*efficiency),
                side,
                model.present,
            )
            for p in np.arange(STEPS + 1) / STEPS
        ]
    )


SHARES_OF_BOTH = st.tuples(SHARES, st.sampled_from([0.0, 0.125, 0.5]), SHARES, st.sampled_from([0.0, 0.125, 0.5]))


@pytest.mark.parametrize("method", ["undecided", "decided"])
@given(games(), SHARES_OF_BOTH, efficiencies(), st.sampled_from([0, 1]))
@example(after_crawford(4, 1), (0.25, 0.0, 0.25, 0.0), CONTACT, 1)  # the leader's free drop
@example(after_crawford(1, 2), (0.0, 0.0, 0.5, 0.0), CONTACT, 0)
@example(after_crawford(1, 1), (0.25, 0.0, 0.25, 0.0), CONTACT, 0)
def test_values_rise_with_the_winning_chance_and_do_not_jump(
    method: str, game: dict[str, Any], shares: Shares, efficiency: Efficiency, side: int
) -> None:
    values = curve(game, shares, efficiency, method, side)
    steps = np.diff(values)
    assert steps.min() >= -1e-9
    # No curve is so steep that a step is a tenth of all.
    assert steps.max() <= 0.1 * (values[-1] - values[0]) + 1e-9


@given(games(), SHARES_OF_BOTH, efficiencies())
def test_the_ends_are_what_the_game_brings(game: dict[str, Any], shares: Shares, efficiency: Efficiency) -> None:
    """Who has won or lost for certain gets the mean of such games, whatever the cube could still do."""
    model = model_of(game)
    gammons, backgammons, lost, lost_backgammons = shares
    for five in ((1, gammons, gammons * backgammons, 0, 0), (0, 0, 0, lost, lost * lost_backgammons)):
        value = model.undecided(five, _core.Efficiency(*efficiency), 0, model.present)
        assert value == pytest.approx(model.dead(five, 0, model.present), abs=1e-9)
