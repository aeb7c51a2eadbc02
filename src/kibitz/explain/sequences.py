"""Two rolls ahead: how much a position swings, and how many sequences lose the market."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kibitz.cube import Cube, Owner
from kibitz.dice import ALL_ROLLS, Dice
from kibitz.explain.ledger import ROLLS, replies_to
from kibitz.match import MatchState
from kibitz.plain_json import picked
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
        return {"of": SEQUENCES} | picked(self, "volatility", "market_losers", "lost_market", "saved", "sequences")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Swing:
        """What `to_dict` gave."""
        return cls(tuple(map(Sequence.from_dict, data["sequences"])))


def swing(engine: Engine, position: Position, match: MatchState) -> Swing:
    """The sequences of two rolls: our best plays, the opponent's best replies, evaluated by the net with the cube."""
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
    """The opponent's rolls after one of ours, with the cube where it is and as if we had doubled before.

    Before he rolls the opponent does what is best for him with a cube that he may turn.
    """
    held = replies_to(engine, after, match, 1)[2]
    value = match.cube.value * 2
    if value > match.max_cube or match.crawford:
        return [Sequence(mine, roll, equity, equity) for roll, equity in zip(ALL_ROLLS, held, strict=True)]
    turned = replace(match, cube=Cube(value, Owner.THEIRS))
    scale = _rescaling(engine, turned, match)
    doubled = [scale(equity) for equity in replies_to(engine, after, turned, 1)[2]]
    return [Sequence(mine, *row) for row in zip(ALL_ROLLS, held, doubled, strict=True)]


def _rescaling(engine: Engine, turned: MatchState, match: MatchState) -> Callable[[float], float]:
    """From equities of the doubled cube to those of the present one. Both are linear in what the cube model counts."""
    if match.is_money:
        return lambda equity: 2.0 * equity
    (low, high), (present_low, present_high) = (
        [engine.model(one).normalised(utility, 0) for utility in (0.0, 1.0)] for one in (turned, match)
    )
    return lambda equity: present_low + (equity - low) * (present_high - present_low) / (high - low)
