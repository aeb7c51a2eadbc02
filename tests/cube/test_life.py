"""The cube's life is what exact tables and a longer look find."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz import Engine, MatchState, Owner, Position, _core
from kibitz.bench import positions

from .test_money import OWNERS

MONEY = MatchState(jacoby=False)
LIFE = _core.CubeLife()


def swings(position: Position, engine: Engine, plies: int) -> dict[Owner, tuple[float, float]]:
    """For the cube in each place: what a fully live cube is worth beyond a dead one, and what it is worth by a look."""
    model = _core.CubeModel(jacoby=False)
    found = {}
    for owner, decision in engine.cubes(position, match=MONEY, plies=plies).items():
        seen = decision.evaluation
        five = (seen.win, seen.win_gammon, seen.win_backgammon, seen.lose_gammon, seen.lose_backgammon)
        state = model.with_owner(OWNERS[owner.name.lower()])
        dead, live = (model.undecided(five, life, 0, state) for life in (0.0, 1.0))
        found[owner] = live - dead, decision.no_double - dead
    return found


def bearoff(generator: random.Random) -> Position:
    """A few checkers at home on both sides, as the two-sided table holds them."""
    mine, theirs = (dict.fromkeys(range(1, 7), 0) for _ in range(2))
    for row in (mine, theirs):
        for _ in range(generator.randint(2, 6)):
            row[generator.randint(1, 6)] += 1
    return Position.of(mine, theirs)


def test_the_life_of_a_race_grows_with_the_pips_and_contact_has_one() -> None:
    assert LIFE.of(Position.start()._rows) == LIFE.contact == 0.70
    assert LIFE.of(Position.of({6: 1, 5: 1}, {3: 1})._rows) == pytest.approx(0.8 / 2)
    lives = [LIFE.of(Position.of({6: count}, {1: 1})._rows) for count in range(1, 16)]
    assert lives == sorted(lives)
    assert lives[-1] == pytest.approx(0.8 / (1 + (11 / 90) ** 2))
    assert LIFE.of(Position.of({1: 1}, {1: 1})._rows) < 0.01


def test_in_short_bearoffs_the_life_is_near_that_of_the_exact_table() -> None:
    """The exact equities are nearer to the model's than to those of a cube as live with few pips as with many."""
    engine, generator = Engine(threads=1), random.Random(1)
    errors: dict[str, list[float]] = {"model": [], "constant": []}
    for _ in range(400):
        position = bearoff(generator)
        for span, exact in swings(position, engine, 0).values():
            errors["model"].append(exact - LIFE.of(position._rows) * span)
            errors["constant"].append(exact - 0.6 * span)
    model, constant = (float(np.sqrt(np.mean(np.square(errors[name])))) for name in ("model", "constant"))
    assert model < 0.05
    assert model < 0.8 * constant


@pytest.mark.parametrize("contact", [True, False])
def test_a_look_ahead_finds_the_life_that_leaves_are_given(contact: bool) -> None:
    """By least squares over many positions, the cube in all places; short bearoffs are exact anyway."""
    engine = Engine(threads=1)
    spans, seen, given = [], [], []
    for position in positions():
        if position.in_contact is not contact or min(position.pips) < 30:
            continue
        for span, value in swings(position, engine, 2).values():
            spans.append(span)
            seen.append(value)
            given.append(LIFE.of(position._rows) * span)
    found = float(np.dot(spans, seen) / np.dot(spans, spans))
    leaf = float(np.dot(spans, given) / np.dot(spans, spans))
    assert len(spans) > 150
    assert found == pytest.approx(leaf, abs=0.06)
