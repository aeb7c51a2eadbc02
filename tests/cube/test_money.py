"""Money equities follow Janowski's formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz import _core

from .plain_cube import Efficiency, Outputs, money_value, swap

OWNERS = {"centred": _core.CubeOwner.CENTRED, "mine": _core.CubeOwner.MINE, "theirs": _core.CubeOwner.THEIRS}


@st.composite
def efficiencies(draw: st.DrawFn) -> Efficiency:
    """From dead to live."""
    shared, jacoby, owned, swing, far, gammons = (draw(st.integers(0, 20)) / 20 for _ in range(6))
    return Efficiency(shared, jacoby, owned, swing**3 * 8, far, gammons)


@st.composite
def outputs(draw: st.DrawFn) -> Outputs:
    """Nested probabilities that are exact as 32-bit floats."""
    win = draw(st.integers(1, 1023)) / 1024
    gammon = win * draw(st.integers(0, 256)) / 256
    backgammon = gammon * draw(st.integers(0, 16)) / 16
    lost = (1 - win) * draw(st.integers(0, 256)) / 256
    lost_backgammon = lost * draw(st.integers(0, 16)) / 16
    return win, gammon, backgammon, lost, lost_backgammon


@given(outputs(), st.sampled_from(sorted(OWNERS)), efficiencies(), st.booleans())
def test_money_values_are_janowskis(five: Outputs, owner: str, efficiency: Efficiency, jacoby: bool) -> None:
    model = _core.CubeModel(owner=OWNERS[owner], jacoby=jacoby)
    value = model.undecided(five, _core.Efficiency(*efficiency), 0, model.present)
    assert value == pytest.approx(money_value(five, owner, efficiency, jacoby), abs=1e-9)


@given(outputs(), st.sampled_from(sorted(OWNERS)), efficiencies())
def test_the_other_side_has_the_same_value_with_the_other_sign_when_nobody_decides(
    five: Outputs, owner: str, efficiency: Efficiency
) -> None:
    model = _core.CubeModel(owner=OWNERS[owner], jacoby=False)
    mine = model.undecided(five, _core.Efficiency(*efficiency), 0, model.present)
    theirs = model.undecided(swap(five), _core.Efficiency(*efficiency), 1, model.present)
    assert mine == pytest.approx(-theirs, abs=1e-9)


@given(outputs(), st.sampled_from(sorted(OWNERS)), efficiencies(), st.booleans())
def test_decided_is_the_better_of_doubling_and_not(
    five: Outputs, owner: str, efficiency: Efficiency, beavers: bool
) -> None:
    model = _core.CubeModel(owner=OWNERS[owner], jacoby=False, beavers=beavers)
    undoubled = money_value(five, owner, efficiency, False)
    expected = undoubled
    if owner != "theirs":
        taken = 2 * money_value(five, "theirs", efficiency, False)
        if beavers and taken < 0:
            taken *= 2
        expected = max(undoubled, min(taken, 1.0))
    assert model.decided(five, _core.Efficiency(*efficiency), 0, model.present) == pytest.approx(expected, abs=1e-9)


def test_a_dead_cube_gives_the_cubeless_equity() -> None:
    model = _core.CubeModel(jacoby=False)
    five = (0.6, 0.2, 0.01, 0.1, 0.005)
    assert model.dead(five, 0, model.present) == pytest.approx(2 * 0.6 - 1 + 0.2 - 0.1 + 0.01 - 0.005, abs=1e-6)
    assert model.undecided(five, _core.Efficiency(0.0), 0, model.present) == pytest.approx(
        model.dead(five, 0, model.present), abs=1e-6
    )


def test_jacoby_makes_gammons_worthless_with_a_centred_cube_only() -> None:
    five = (0.6, 0.3, 0.0, 0.1, 0.0)
    centred = _core.CubeModel(jacoby=True)
    owned = _core.CubeModel(jacoby=True, owner=_core.CubeOwner.MINE)
    assert centred.dead(five, 0, centred.present) == pytest.approx(0.2, abs=1e-6)
    assert owned.dead(five, 0, owned.present) == pytest.approx(0.4, abs=1e-6)


def points(wins: float, losses: float, efficiency: float, owner: str = "mine") -> tuple[float, float, float]:
    """The window of a position whose mean win and loss are these."""
    model = _core.CubeModel(owner=OWNERS[owner], jacoby=False)
    five = (0.5, 0.5 * (wins - 1), 0.0, 0.5 * (losses - 1), 0.0)
    return model.points(five, model.present, _core.Efficiency(efficiency))


@pytest.mark.parametrize("losses", [1.0, 1.25, 1.5, 1.75, 2.0])
@pytest.mark.parametrize("wins", [1.0, 1.5])
@pytest.mark.parametrize("efficiency", [0.0, 0.5, 1.0])
def test_points_are_the_published_formulas(wins: float, losses: float, efficiency: float) -> None:
    span = wins + losses + efficiency / 2
    redouble, cash, too_good = points(wins, losses, efficiency)
    assert redouble <= cash + 1e-6
    assert math.isnan(too_good) or too_good >= cash - 1e-6
    if efficiency in (0.0, 1.0):
        assert redouble == pytest.approx((losses + efficiency) / span, abs=1e-5)
        assert cash == pytest.approx((losses + 0.5 + efficiency / 2) / span, abs=1e-5)
        # Without gammons nothing is ever too good.
        assert math.isnan(too_good) if wins == 1 else too_good == pytest.approx((losses + 1) / span, abs=1e-5)


@pytest.mark.parametrize(
    ("losses", "dead", "live"),
    [(1, 25.0, 20.0), (1.25, 33.3, 27.3), (1.5, 40.0, 33.3), (1.75, 45.5, 38.5), (2, 50.0, 42.9)],
)
def test_published_take_points(losses: float, dead: float, live: float) -> None:
    """Seen by the taker: mean loss as given, no gammons won."""
    for efficiency, expected in ((0.0, dead), (1.0, live)):
        _, cash, _ = points(losses, 1.0, efficiency)
        assert 100 * (1 - cash) == pytest.approx(expected, abs=0.06)


def test_a_limited_cube_dies_at_its_limit() -> None:
    five = (0.7, 0.1, 0.0, 0.05, 0.0)
    model = _core.CubeModel(cube=4, owner=_core.CubeOwner.MINE, max_cube=4)
    assert model.doubled(model.present, 0) == -1
    assert model.undecided(five, _core.Efficiency(0.7), 0, model.present) == pytest.approx(
        model.dead(five, 0, model.present)
    )


def test_a_nearly_unlimited_cube_is_nearly_worth_the_unlimited_one() -> None:
    five = (0.65, 0.15, 0.0, 0.1, 0.0)
    limited = _core.CubeModel(cube=1, max_cube=64, jacoby=False)
    unlimited = _core.CubeModel(cube=1, max_cube=1024, jacoby=False)
    assert limited.undecided(five, _core.Efficiency(0.68), 0, limited.present) == pytest.approx(
        unlimited.undecided(five, _core.Efficiency(0.68), 0, unlimited.present), abs=0.01
    )
