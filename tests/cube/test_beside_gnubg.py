"""Given gnubg's probabilities and its cube life, the model gives gnubg's cubeful chances."""

from __future__ import annotations

import pytest

from kibitz import Cube, Engine, MatchState, Owner, _core
from kibitz.arena.gnubg import GnubgPlayer, find_gnubg
from kibitz.arena.players import Decision
from kibitz.arena.rules import ArenaRules
from kibitz.bench import positions
from kibitz.engine.engine import cube_model

pytestmark = pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")

CONTACT_LIFE = 0.68
"""What gnubg 1.07 takes at 0 plies."""

# The present cube brings neither side the match, and not both need two points: there Kibitz differs on purpose.
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


def test_the_model_is_gnubgs_at_every_score() -> None:
    met = Engine().met
    contact = [position for position in positions()[::50] if position.in_contact]
    assert len(contact) > 10
    gnubg = GnubgPlayer(ArenaRules(length=7), plies=0)
    try:
        for match in SCORES:
            model: _core.CubeModel = cube_model(match, met)
            for position in contact:
                question = Decision(position=position, match=match)
                *five, _ = gnubg.evaluate(question)
                ours = model.match_chance(model.decided(tuple(five), CONTACT_LIFE, 0, model.present))
                assert ours == pytest.approx(gnubg.evaluate(question, cubeful=True)[5], abs=2e-5)
    finally:
        gnubg.close()
