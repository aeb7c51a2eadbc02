"""What the rules that players know by heart say about a cube decision, and whether the equities agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.bearoff.formulas import Verdict, eight_nine_twelve, keith, trice
from kibitz.cube import Owner
from kibitz.decision import CubeDecision
from kibitz.plain_json import PlainData
from kibitz.position import Position

WOOLSEY = "Woolsey's law"
UNSURE = 0.1
"""Woolsey's law speaks where take and pass are closer than this: then doubling must be right."""
FORMULAS: tuple[Callable[[Position], Verdict], ...] = (eight_nine_twelve, keith, trice)
"""The race formulas that players know by heart."""


@dataclass(frozen=True, slots=True)
class Reference(PlainData):
    """What a rule that players know says about a decision, and whether the equities agree with it."""

    name: str
    action: str
    agrees: bool

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reference:
        """What `to_dict` gave."""
        return cls(**data)


def references(decision: CubeDecision) -> tuple[Reference, ...]:
    """The rules that apply: race formulas in races for money, Woolsey's law where take and pass are close."""
    found = []
    position = decision.state.position
    if not position.in_contact and not position.is_over and decision.match.is_money and decision.available:
        for formula in FORMULAS:
            verdict = formula(position)
            turns = verdict.double if decision.owner is Owner.CENTRED else verdict.redouble
            action = f"{'double' if turns else 'no double'}, {'take' if verdict.take else 'pass'}"
            agrees = turns == (decision.double or decision.too_good) and verdict.take == decision.take
            found.append(Reference(verdict.name, action, agrees))
    if decision.available and abs(decision.double_take - decision.double_pass) < UNSURE:
        found.append(Reference(WOOLSEY, "double", decision.double))
    return tuple(found)
