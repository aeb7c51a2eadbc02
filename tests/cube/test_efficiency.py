"""The cube's efficiency is what exact tables and a longer look find."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz import Engine, MatchState, Position, _core
from kibitz.bench import positions

from .test_money import OWNERS

MONEY = MatchState(jacoby=False)
EFFICIENCY = _core.CubeEfficiency()

# Races of self-play in which it is close whether to double.
RACES = """
t3sGAQDb2wcAAA 2+0FAQD3XTEAAA e9cmAAC33Q0AAA 9e4mAAC1uwcAAA 7H0PAAB2ewcBAA 97YFAIC3twEAAA 3d4BAMA2dwAAAA t+0mAADv22AAAA
e+cGAABvuwEAAA a3cDAMB7OwEAAA bXsjAQDvZgMGAA 320GAQDfbgYBAA dtsGBgDreOMAAA 69qHAAA3d0cAAA 3+0ACgA33ywAAA +3YDCADzPgcAAA
"""


def cube_worth(position: Position, engine: Engine, plies: int) -> list[tuple[float, float, float]]:
    """For the cube in each place: what a live cube is worth beyond a dead one, what the cube is worth beyond that by a
    look, and the efficiency that it is given."""
    model = _core.CubeModel(jacoby=False)
    found = []
    for owner, decision in engine.cubes(position, match=MONEY, plies=plies).items():
        seen = decision.evaluation
        five = (seen.win, seen.win_gammon, seen.win_backgammon, seen.lose_gammon, seen.lose_backgammon)
        state = model.with_owner(OWNERS[owner.name.lower()])
        dead, live = (model.undecided(five, _core.Efficiency(x), 0, state) for x in (0.0, 1.0))
        value = model.undecided(five, EFFICIENCY.of(position.rows), 0, state)
        given = (value - dead) / (live - dead) if live != dead else 0.0
        found.append((live - dead, decision.no_double - dead, given))
    return found


def bearoff(generator: random.Random) -> Position:
    """A few checkers at home on both sides, as the two-sided table holds them."""
    mine, theirs = (dict.fromkeys(range(1, 7), 0) for _ in range(2))
    for row in (mine, theirs):
        for _ in range(generator.randint(2, 6)):
            row[generator.randint(1, 6)] += 1
    return Position.of(mine, theirs)


def test_contact_has_one_efficiency_and_that_of_a_race_grows_with_the_pips() -> None:
    contact = EFFICIENCY.of(Position.start().rows)
    assert (contact.shared, contact.jacoby, contact.owned, contact.gammons) == (0.76, 0.86, 0.635, 0.55)
    nine, fifteen = (EFFICIENCY.of(Position.of(row, {1: 1}).rows) for row in ({6: 1, 3: 1}, {6: 2, 3: 1}))
    assert nine.shared == pytest.approx(0.78 / 2)
    assert fifteen.owned == pytest.approx(0.70 / 2)
    efficiency = [EFFICIENCY.of(Position.of({6: count}, {1: 1}).rows) for count in range(1, 16)]
    for of_one_kind in ([one.shared for one in efficiency], [one.owned for one in efficiency]):
        assert of_one_kind == sorted(of_one_kind)
    assert efficiency[-1].shared == pytest.approx(0.78 / (1 + (9 / 90) ** 2))
    assert EFFICIENCY.of(Position.of({1: 1}, {1: 1}).rows).shared < 0.01


def test_in_short_bearoffs_the_efficiency_is_near_that_of_the_exact_table() -> None:
    """Where one is ahead and thinks of doubling. A cube as live with few pips as with many would be further off."""
    engine, generator = Engine(threads=1), random.Random(1)
    errors: dict[str, list[float]] = {"model": [], "constant": []}
    while len(errors["model"]) < 600:
        position = bearoff(generator)
        if not 0.6 < engine.evaluate(position, plies=0).win < 0.86:
            continue
        for span, exact, efficiency in cube_worth(position, engine, 0):
            errors["model"].append(exact - efficiency * span)
            errors["constant"].append(exact - 0.6 * span)
    model, constant = (float(np.sqrt(np.mean(np.square(errors[name])))) for name in ("model", "constant"))
    assert model < 0.06
    assert model < 0.7 * constant


def test_a_look_at_a_race_says_what_cubeful_rollouts_say() -> None:
    """On average. With a cube as live as it once was thought, 0.8, double/take came out 0.03 too low."""
    engine = Engine(threads=1)
    differences = []
    for name in RACES.split():
        position = Position.from_id(name)
        played = engine.rollout(position, match=MONEY, trials=216).decision
        assert played is not None
        seen = engine.cube(position, match=MONEY, plies=2)
        differences.append((seen.no_double - played.no_double, seen.double_take - played.double_take))
    no_double, double_take = np.mean(differences, axis=0)
    assert no_double == pytest.approx(0.0, abs=0.015)
    assert double_take == pytest.approx(0.0, abs=0.015)


def test_a_look_ahead_with_contact_finds_the_efficiency_that_leaves_are_given() -> None:
    """By least squares over many positions, the cube in all places."""
    engine = Engine(threads=1)
    rows = [row for position in positions() if position.in_contact for row in cube_worth(position, engine, 2)]
    spans, seen, efficiency = np.array(rows).T
    found = float(np.dot(spans, seen) / np.dot(spans, spans))
    leaf = float(np.dot(spans, efficiency * spans) / np.dot(spans, spans))
    assert len(spans) > 2000
    assert found == pytest.approx(leaf, abs=0.03)


# Positions of self-play, each with the equity of a double that is taken there by cubeful rollouts, 648 games (errors
# 0.01 to 0.02): of three the doubler wins many gammons, of three the taker.
GAMMONISH = {"oZGTwTC8xw8BAA": 0.921, "C2MAxjmeNw8AQA": 0.508, "xsoA4B2jPboBAA": 0.655}
CLOSED = {"u90GAATg7rYBAA": 1.232, "b3cGAEA2m4wCAw": 0.571, "ursNAAjYbRsAUA": 0.817}


@pytest.mark.parametrize("positions", [GAMMONISH, CLOSED])
def test_a_taken_cube_is_worth_more_the_more_gammons_its_owner_may_lose(positions: dict[str, float]) -> None:
    engine, constant = Engine(threads=1), _core.CubeEfficiency()
    constant.contact = _core.Efficiency(0.76, 0.76, 0.70, 0.085, 0.3, 0.0)

    def off(efficiency: _core.CubeEfficiency) -> float:
        """By how much a look of 2 plies differs on average."""
        tree = _core.TreeSettings(True, 8, 3, efficiency, 15)
        model = _core.CubeModel(jacoby=True, beavers=True)
        differences = []
        for name, played in positions.items():
            rows = Position.from_id(name).rows
            numbers = _core.Analyst(engine.evaluator, 1, 0).cube(rows, model, _core.CubeOwner.CENTRED, 2, tree)
            assert numbers is not None
            differences.append(numbers[2] - played)
        return abs(float(np.mean(differences)))

    assert off(_core.CubeEfficiency()) < 0.11
    assert off(_core.CubeEfficiency()) < 0.8 * off(constant)
