"""Given gnubg's probabilities and its cube efficiency, the model gives gnubg's cubeful values, or near ones."""

from __future__ import annotations

import pytest

from kibitz import Cube, Engine, MatchState, Owner, State, _core
from kibitz.arena.gnubg import GnubgPlayer, find_gnubg
from kibitz.arena.rules import ArenaRules
from kibitz.bench import positions
from kibitz.match_equity import cube_model

pytestmark = pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")

CONTACT_EFFICIENCY = _core.Efficiency(0.68)
"""What gnubg 1.07 takes at 0 plies."""

# The present cube brings neither side the match, and not both need two points.
SCORES = [
    MatchState(length=3),
    MatchState(length=7),
    MatchState(length=7, my_score=2, their_score=4, cube=Cube(2, Owner.MINE)),
    MatchState(length=9, my_score=4, their_score=3, cube=Cube(2, Owner.THEIRS)),
    MatchState(length=5, my_score=3, their_score=0),
    MatchState(length=5, my_score=0, their_score=3),
    MatchState(length=5, my_score=4, their_score=1, crawford=True),
    MatchState(length=25, my_score=3, cube=Cube(4, Owner.MINE)),
]


def largest_difference(matches: list[MatchState], rules: ArenaRules) -> float:
    """Between our cubeful values (the chance to win a match) and gnubg's, over all of these and many positions."""
    met = Engine().met
    contact = [position for position in positions()[::50] if position.in_contact]
    assert len(contact) > 10
    largest = 0.0
    gnubg = GnubgPlayer(rules, plies=0)
    try:
        for match in matches:
            model: _core.CubeModel = cube_model(match, met)
            for position in contact:
                question = State(position, match)
                *five, _ = gnubg.evaluate(question)
                ours = model.decided(tuple(five), CONTACT_EFFICIENCY, 0, model.present)
                if not match.is_money:
                    ours = model.match_chance(ours)
                largest = max(largest, abs(ours - gnubg.evaluate(question, cubeful=True)[5]))
    finally:
        gnubg.close()
    return largest


def test_the_model_is_near_gnubgs_at_every_score() -> None:
    """Gnubg takes higher cubes for live, and a cube for as efficient in a wide doubling window as in a narrow one."""
    assert largest_difference(SCORES, ArenaRules(length=7)) < 0.03


def test_without_a_cube_the_model_is_gnubgs() -> None:
    crawford = MatchState(length=5, my_score=4, their_score=1, crawford=True)
    assert largest_difference([crawford, crawford.swapped()], ArenaRules(length=7)) < 2e-5


@pytest.mark.parametrize("jacoby", [True, False])
def test_the_model_is_gnubgs_for_money(jacoby: bool) -> None:
    cubes = [Cube(), Cube(2, Owner.MINE), Cube(2, Owner.THEIRS)]
    games = [MatchState(jacoby=jacoby, cube=cube) for cube in cubes]
    assert largest_difference(games, ArenaRules(length=0, jacoby=jacoby)) < 2e-5
