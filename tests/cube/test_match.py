"""Match winning chances follow the equity table."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz import _core

from .plain_cube import Efficiency, Outputs, PlainMatch, swap
from .test_money import OWNERS, efficiencies, outputs

TABLE = json.loads((files("kibitz") / "data" / "met" / "kazaross_xg2.json").read_text("utf-8"))
PRE, POST = TABLE["pre_crawford"], TABLE["post_crawford"]
EQUITY = _core.MatchEquity(PRE, POST)


@st.composite
def scores(draw: st.DrawFn) -> tuple[int, int, int, bool]:
    """Points that each needs, cube, and whether it is the Crawford game."""
    mine, theirs = draw(st.integers(1, 15)), draw(st.integers(1, 15))
    crawford = 1 in (mine, theirs) and (mine, theirs) != (1, 1) and draw(st.booleans())
    cube = 1 if crawford else draw(st.sampled_from([1, 2, 4, 8]))
    return mine, theirs, cube, crawford


def model_of(score: tuple[int, int, int, bool], owner: str) -> _core.CubeModel:
    mine, theirs, cube, crawford = score
    return _core.CubeModel(
        my_away=mine, their_away=theirs, cube=cube, crawford=crawford, owner=OWNERS[owner], table=EQUITY
    )


@given(outputs(), scores(), st.sampled_from(sorted(OWNERS)), efficiencies())
def test_match_values_follow_the_table(
    five: Outputs, score: tuple[int, int, int, bool], owner: str, efficiency: Efficiency
) -> None:
    mine, theirs, cube, crawford = score
    model = model_of(score, owner)
    plain = PlainMatch(PRE, POST, mine, theirs, crawford)
    chance = model.match_chance(model.undecided(five, _core.Efficiency(*efficiency), 0, model.present))
    assert chance == pytest.approx(plain.value(five, cube, owner, efficiency), abs=1e-9)
    decided = model.match_chance(model.decided(five, _core.Efficiency(*efficiency), 0, model.present))
    assert decided == pytest.approx(plain.decided(five, cube, owner, efficiency), abs=1e-9)


@given(outputs(), scores(), st.sampled_from(sorted(OWNERS)), efficiencies())
def test_both_sides_see_the_same_match(
    five: Outputs, score: tuple[int, int, int, bool], owner: str, efficiency: Efficiency
) -> None:
    model = model_of(score, owner)
    mine = model.undecided(five, _core.Efficiency(*efficiency), 0, model.present)
    theirs = model.undecided(swap(five), _core.Efficiency(*efficiency), 1, model.present)
    assert mine == pytest.approx(-theirs, abs=1e-9)


def test_the_table_knows_crawford_and_what_follows() -> None:
    assert EQUITY.chance(1, 2, False) == PRE[0][1]
    assert EQUITY.chance(1, 2, True) == 1 - POST[1]
    assert EQUITY.chance(2, 1, True) == POST[1]
    assert EQUITY.chance(0, 5, False) == 1.0
    assert EQUITY.chance(5, -1, False) == 0.0
    # Reaching one point away leads into the Crawford game; playing it leads out of it.
    assert EQUITY.after_game(2, 5, 1) == PRE[0][4]
    assert EQUITY.after_game(1, 5, -1) == 1 - POST[3]


def test_nobody_doubles_in_the_crawford_game() -> None:
    model = model_of((1, 4, 1, True), "centred")
    assert model.doubled(model.present, 0) == -1
    assert model.doubled(model.present, 1) == -1


def test_a_leader_has_no_use_for_the_cube_and_the_trailer_doubles_at_once() -> None:
    leader = model_of((1, 4, 1, False), "centred")
    assert leader.doubled(leader.present, 0) == -1
    trailer = model_of((4, 1, 1, False), "centred")
    five = (0.4, 0.1, 0.0, 0.1, 0.0)
    undoubled = trailer.undecided(five, _core.Efficiency(0.68), 0, trailer.present)
    doubled = trailer.undecided(five, _core.Efficiency(0.68), 0, trailer.doubled(trailer.present, 0))
    assert doubled >= undoubled - 1e-9


def test_the_free_drop_at_two_away_after_crawford() -> None:
    """The leader takes from exactly even chances: a pass leaves an even game for the match."""
    trailer = model_of((2, 1, 1, False), "centred")
    _, cash, _ = trailer.points((0.5, 0.0, 0.0, 0.0, 0.0), trailer.present, _core.Efficiency(1.0))
    assert cash == pytest.approx(0.5, abs=1e-5)


def test_the_cube_is_dead_where_it_wins_the_match_for_its_owner() -> None:
    model = model_of((2, 5, 2, False), "mine")
    five = (0.6, 0.2, 0.0, 0.1, 0.0)
    assert model.undecided(five, _core.Efficiency(0.68), 0, model.present) == model.dead(five, 0, model.present)


def test_normalised_equity_runs_from_losing_to_winning_the_cube() -> None:
    model = model_of((5, 3, 2, False), "mine")
    won, lost = 2 * EQUITY.after_game(5, 3, 2) - 1, 2 * EQUITY.after_game(5, 3, -2) - 1
    assert model.normalised(won, 0) == pytest.approx(1.0)
    assert model.normalised(lost, 0) == pytest.approx(-1.0)


def test_two_away_both_is_played_at_the_doubled_cube() -> None:
    """At 2-away 2-away gammons are worth nothing once the cube is turned, and it is turned at once."""
    model = model_of((2, 2, 1, False), "centred")
    state = model.doubled(model.present, 0)
    assert model.undecided((0.5, 0.3, 0.1, 0.0, 0.0), _core.Efficiency(0.68), 0, state) == pytest.approx(0.0, abs=1e-6)
