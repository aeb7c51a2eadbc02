"""A race seen from all sides: pips, effective pips, exact chances where a table reaches, and what the formulas say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.bearoff.formulas import FORMULAS, Verdict
from kibitz.bearoff.in_use import tables_in_use
from kibitz.bearoff.one_sided import OneSided
from kibitz.bearoff.rows import board_of
from kibitz.bearoff.two_sided import ExactCube, TwoSided
from kibitz.cube import Owner
from kibitz.errors import PositionError
from kibitz.plain_json import picked
from kibitz.position import Position

CUBE_EFFICIENCY = 0.6
"""How live the cube is taken to be where only the winning chance is known (Janowski's x for bearing off)."""


@dataclass(frozen=True, slots=True)
class RaceSide:
    """One side of a race. Turns, effective pips and wastage are known where the one-sided table reaches."""

    pips: int
    turns: float | None
    standard_deviation: float | None
    effective_pips: float | None

    @property
    def wastage(self) -> float | None:
        """Effective pips beyond the pips on the board."""
        return None if self.effective_pips is None else self.effective_pips - self.pips

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        turns = {"pips": self.pips, "expected_turns": self.turns}
        return turns | picked(self, "standard_deviation", "effective_pips", "wastage")


@dataclass(frozen=True, slots=True)
class Race:
    """A race, the player on roll first.

    `source` says where the winning chance comes from: 'exact' is the two-sided table, 'distributions' combines both
    sides' turns, and None means that no table reaches this position.
    """

    position: Position
    mine: RaceSide
    theirs: RaceSide
    win: float | None
    source: str | None
    cube: ExactCube | None
    chance_verdict: Verdict | None
    verdicts: tuple[Verdict, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        others = {
            "chance": None if self.chance_verdict is None else self.chance_verdict.to_dict(),
            "formulas": [verdict.to_dict() for verdict in self.verdicts],
        }
        return {"position": self.position.id} | picked(self, "mine", "theirs", "win", "source", "cube") | others


def race(position: Position, *, owner: Owner = Owner.CENTRED, table: OneSided | None = None) -> Race:
    """All that is known of a race. `table` is a one-sided table that reaches farther than the home board."""
    if position.is_over:
        raise PositionError(["the game is over: there is no race left"], position.id)
    if position.in_contact:
        raise PositionError(["it is no race: the two sides are still in contact"], position.id)
    needed = max(slot for row in (position.mine, position.theirs) for slot in range(25) if row[slot]) + 1
    larger = tables_in_use()
    one_sided = table or (OneSided() if needed <= 6 else larger.one_sided or OneSided())
    sides = [
        _side(row, pips, one_sided) for row, pips in zip((position.mine, position.theirs), position.pips, strict=True)
    ]
    win, source, cube, chance_verdict = None, None, None, None
    two_sided = TwoSided() if needed <= 6 and max(sum(position.mine), sum(position.theirs)) <= 6 else larger.two_sided
    if two_sided is not None and position in two_sided:
        cube = two_sided.cube(position, owner)
        win, source = cube.win, "exact"
    elif all(side.turns is not None for side in sides):
        win, source = float(one_sided.win(board_of(position))[0]), "distributions"
        chance_verdict = verdict_of_chance(win)
    verdicts = tuple(formula(position) for formula in FORMULAS)
    return Race(position, sides[0], sides[1], win, source, cube, chance_verdict, verdicts)


def verdict_of_chance(win: float, efficiency: float = CUBE_EFFICIENCY) -> Verdict:
    """The cube action that a winning chance without gammons calls for, by Janowski's formulas."""
    span = 2 + efficiency / 2
    double = (1 + efficiency * (3 - efficiency) / (2 * (2 - efficiency))) / span
    redouble = (1 + efficiency) / span
    cash = (1.5 + efficiency / 2) / span
    return Verdict("chance", win, 1 - win, win >= double, win >= redouble, win <= cash, win)


def _side(row: tuple[int, ...], pips: int, table: OneSided) -> RaceSide:
    if row not in table:
        return RaceSide(pips, None, None, None)
    turns = table.turns(row)
    return RaceSide(pips, turns.mean, turns.standard_deviation, turns.effective_pips)
