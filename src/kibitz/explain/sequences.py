"""Two rolls ahead: how much a position swings, and how many sequences lose the market."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kibitz.cube import Cube, Owner
from kibitz.dice import ALL_ROLLS, Dice
from kibitz.explain.ledger import ROLLS
from kibitz.match import MatchState
from kibitz.position import Position
from kibitz.state import State

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine

SEQUENCES = ROLLS * ROLLS
CASH = 1.0
"""The equity of a double that is passed: from here on the market is lost."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A roll of ours and one of the opponent's, and our equity then with the cube where it is and with it doubled."""

    mine: Dice
    theirs: Dice
    held: float
    doubled: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"mine": str(self.mine), "theirs": str(self.theirs), "held": self.held, "doubled": self.doubled}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Sequence:
        """What `to_dict` gave."""
        return cls(Dice.of(data["mine"]), Dice.of(data["theirs"]), data["held"], data["doubled"])

    @property
    def weight(self) -> int:
        """How many of the 1,296 sequences look like this one."""
        return self.mine.weight * self.theirs.weight

    @property
    def loses_market(self) -> bool:
        """Whether the opponent would pass a double after it, or has lost already."""
        return self.held >= CASH - 1e-6


@dataclass(frozen=True, slots=True)
class Swing:
    """All sequences of two rolls from a position, with the cube where it is: the player on roll does not double now."""

    sequences: tuple[Sequence, ...]

    @property
    def mean(self) -> float:
        """The mean equity."""
        return math.fsum(one.weight * one.held for one in self.sequences) / SEQUENCES

    @property
    def volatility(self) -> float:
        """The standard deviation of the equity after two rolls."""
        mean = self.mean
        return math.sqrt(math.fsum(one.weight * (one.held - mean) ** 2 for one in self.sequences) / SEQUENCES)

    @property
    def market_losers(self) -> int:
        """Sequences of the 1,296 after which it is too late to double for a take."""
        return sum(one.weight for one in self.sequences if one.loses_market)

    @property
    def lost_market(self) -> float:
        """What these sequences bring less without the double than with it, in equity over all sequences."""
        return (
            math.fsum(one.weight * (one.doubled - one.held) for one in self.sequences if one.loses_market) / SEQUENCES
        )

    @property
    def saved(self) -> float:
        """What the other sequences bring more without the double than with it, in equity over all sequences."""
        others = (one for one in self.sequences if not one.loses_market)
        return math.fsum(one.weight * (one.held - one.doubled) for one in others) / SEQUENCES

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "of": SEQUENCES,
            "volatility": self.volatility,
            "market_losers": self.market_losers,
            "lost_market": self.lost_market,
            "saved": self.saved,
            "sequences": [one.to_dict() for one in self.sequences],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Swing:
        """What `to_dict` gave."""
        return cls(tuple(map(Sequence.from_dict, data["sequences"])))


def swing(engine: Engine, position: Position, match: MatchState) -> Swing:
    """The sequences of two rolls: our best plays, the opponent's best replies, judged by the net with the cube."""
    found = []
    model = engine.model(match)
    scale = 2.0 if match.is_money else 1.0
    for reply in engine.roll_replies(State(position, match), plies=0):
        if reply.result.is_over:
            held = model.normalised(reply.held, 0)
            doubled = held if reply.doubled is None else model.normalised(scale * reply.doubled, 0)
            found += [Sequence(reply.dice, roll, held, doubled) for roll in ALL_ROLLS]
            continue
        found += _replies(engine, reply.dice, reply.result, match)
    return Swing(tuple(found))


def _replies(engine: Engine, mine: Dice, after: Position, match: MatchState) -> list[Sequence]:
    """The opponent's rolls after one of ours, with the cube where it is and as if we had doubled before."""
    theirs = match.swapped()
    held_model = engine.model(theirs)
    held = engine.roll_replies(State(after, theirs), plies=0)
    value = match.cube.value * 2
    if value > match.max_cube or match.crawford:
        return [Sequence(mine, r.dice, *(2 * (-held_model.normalised(r.held, 0),))) for r in held]
    turned = replace(theirs, cube=Cube(value, Owner.MINE))
    doubled = engine.roll_replies(State(after, turned), plies=0)
    found = []
    for one, other in zip(held, doubled, strict=True):
        # A doubled money game is counted in units of the present cube; a match chance is normalised by the present one.
        worth = -2.0 * other.held if match.is_money else -held_model.normalised(other.held, 0)
        found.append(Sequence(mine, one.dice, -held_model.normalised(one.held, 0), worth))
    return found
