"""Positions with their legal plays for the tests of play entry; `python -m tests.web.test_entry` writes them anew."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from kibitz import Cube, Dice, MatchState, Owner, Position, State

FILE = Path(__file__).parent / "js" / "positions.json"
STATES = FILE.with_name("states.json")
START = {6: 5, 8: 3, 13: 5, 24: 2}
CLOSED = dict.fromkeys(range(1, 7), 2)
NAMED: dict[str, tuple[str, dict[int, int], dict[int, int]]] = {
    "opening 31": ("31", START, START),
    "opening 66": ("66", START, START),
    "ambiguous": ("21", {7: 1, 13: 2}, {20: 1, 6: 2}),
    "bar 21": ("21", {25: 1, 5: 1, 7: 3, 8: 5, 13: 5}, {6: 5, 8: 3, 13: 5, 21: 1, 24: 1}),
    "bear-off 66": ("66", {1: 2, 2: 2, 3: 3, 4: 2, 5: 2, 6: 4}, {1: 3, 2: 2}),
    "bear-off 21": ("21", {1: 2, 2: 2, 3: 3, 4: 2, 5: 2, 6: 4}, {1: 3, 2: 2}),
    "must use both": ("61", {10: 1, 8: 1}, {18: 2, 22: 2}),
    "only the larger": ("61", {10: 1}, {22: 2}),
    "no play": ("61", {25: 1, 2: 2}, CLOSED),
    "forced": ("61", {25: 1, 2: 2}, {2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2}),
}
"""Dice and both sides' checkers, each by its own points."""


def case(name: str, position: Position, dice: Dice) -> dict[str, Any]:
    told = [play.to_dict() for play in position.plays(dice)]
    plays = [{"play": play["play"], "moves": play["moves"]} for play in told]
    rows = {"mine": list(position.mine), "theirs": list(position.theirs)}
    return {"name": name, "dice": list(dice), **rows, "plays": plays}


def cases() -> list[dict[str, Any]]:
    """The named ones, and some of random games."""
    found = []
    for name, (dice, mine, theirs) in NAMED.items():
        found.append(case(name, Position.of(mine, theirs), Dice.of(dice)))
    generator = random.Random(7)
    position = Position.start()
    while len(found) < 70:
        roll = Dice.of((generator.randint(1, 6), generator.randint(1, 6)))
        plays = position.plays(roll)
        if generator.random() < 0.25:
            found.append(case(f"random {len(found)}", position, roll))
        position = generator.choice(plays).result if plays else position.swapped()
        if position.is_over:
            position = Position.start()
    return found


def written() -> str:
    return "[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases()) + "\n]\n"


def test_the_positions_of_the_script_tests_have_the_plays_of_the_engine() -> None:
    assert FILE.read_text(encoding="utf-8") == written()


def states() -> str:
    """XGIDs with what they say, for the reader that draws small boards."""
    generator = random.Random(3)
    found: list[dict[str, Any]] = []
    position = Position.start()
    while len(found) < 40:
        length = generator.choice((0, 0, 1, 5, 7))
        scores = (generator.randrange(length), generator.randrange(length)) if length else (0, 0)
        crawford = length > 1 and scores.count(length - 1) == 1 and generator.random() < 0.5
        owner = Owner.CENTRED if crawford or length == 1 else generator.choice(list(Owner))
        cube = Cube(1 if owner is Owner.CENTRED else 2, owner)
        match = MatchState(
            length, *scores, cube, crawford, jacoby=not length, beavers=not length and generator.random() < 0.5
        )
        dice = Dice.of((generator.randint(1, 6), generator.randint(1, 6)))
        plays = position.plays(dice)
        rolled = dice if generator.random() < 0.6 else None
        state = State(position, match, rolled, turn=generator.randint(0, 1)).to_dict()
        found.append({name: state[name] for name in ("xgid", "position", "match", "dice", "offer", "turn")})
        position = generator.choice(plays).result if plays else position.swapped()
        if position.is_over:
            position = Position.start()
    return "[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in found) + "\n]\n"


def test_the_states_of_the_script_tests_are_those_of_the_reader() -> None:
    assert STATES.read_text(encoding="utf-8") == states()


if __name__ == "__main__":
    STATES.write_text(states(), encoding="utf-8")
    FILE.write_text(written(), encoding="utf-8")
