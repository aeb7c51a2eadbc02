"""A board as a pattern: what has to stand where, in at least, at most or exactly so many, or just not.

A pattern is written as conditions: `6>=2` (at least two own checkers on the own 6 point), `bar=1`, `5<2`, `o20>=2` (the
opponent's 20 point, counted by him), `obar>0`, `!8=3` (not three on the 8 point). All have to hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, and_, func, literal, not_, or_, true

from kibitz.errors import NotationError
from kibitz.library.models import PositionRow
from kibitz.position import BAR, Position

SLOTS = 25
_CONDITION = re.compile(r"(!?)(o?)(bar|\d{1,2})(>=|<=|=|<|>)(\d{1,2})\Z")


class Relation(StrEnum):
    """How the count on a point compares."""

    AT_LEAST = ">="
    AT_MOST = "<="
    EXACTLY = "="


@dataclass(frozen=True, slots=True)
class Condition:
    """So many checkers of a side on a point, which is counted by that side; 25 is the bar."""

    point: int
    relation: Relation
    count: int
    theirs: bool = False
    negated: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.point <= BAR:
            raise NotationError(f"a pattern speaks of the points 1 to 24 and the bar, not of {self.point}")
        if not 0 <= self.count <= 15:
            raise NotationError(f"a pattern speaks of 0 to 15 checkers, not of {self.count}")

    @classmethod
    def of(cls, text: str) -> Condition:
        """A condition from text such as 6>=2 or !obar=0."""
        found = _CONDITION.match(text)
        if found is None:
            raise NotationError(f"a condition is such as 6>=2, bar=1, o20>=2 or !8=3, not {text!r}")
        negated, other, point, relation, number = found.groups()
        count = int(number)
        if relation == ">":
            relation, count = ">=", count + 1
        elif relation == "<":
            if count == 0:
                raise NotationError(f"no point has fewer than no checkers: {text!r}")
            relation, count = "<=", count - 1
        place = BAR if point == "bar" else int(point)
        if place == BAR and point != "bar":
            raise NotationError(f"the bar is written as bar, not as {point}")
        return cls(place, Relation(relation), count, bool(other), bool(negated))

    def __str__(self) -> str:
        place = "bar" if self.point == BAR else str(self.point)
        return f"{'!' * self.negated}{'o' * self.theirs}{place}{self.relation.value}{self.count}"

    def holds(self, position: Position) -> bool:
        """Whether it holds in a position."""
        count = (position.theirs if self.theirs else position.mine)[self.point - 1]
        truth = {
            Relation.AT_LEAST: count >= self.count,
            Relation.AT_MOST: count <= self.count,
            Relation.EXACTLY: count == self.count,
        }[self.relation]
        return truth != self.negated


@dataclass(frozen=True, slots=True)
class Pattern:
    """Conditions that all have to hold. `mirrored` finds the other side in such a position as well."""

    conditions: tuple[Condition, ...] = ()
    mirrored: bool = False

    @classmethod
    def of(cls, text: str, *, mirrored: bool = False) -> Pattern:
        """A pattern from conditions with spaces or commas between them."""
        words = re.split(r"[\s,]+", text.strip())
        return cls(tuple(Condition.of(word) for word in words if word), mirrored)

    @classmethod
    def like(cls, position: Position, relation: Relation = Relation.AT_LEAST, *, mirrored: bool = False) -> Pattern:
        """A pattern from a board: of each point that is held, or with `EXACTLY` of all points."""
        conditions = [
            Condition(slot + 1, relation, count, theirs)
            for theirs, row in ((False, position.mine), (True, position.theirs))
            for slot, count in enumerate(row)
            if count or relation is Relation.EXACTLY
        ]
        return cls(tuple(conditions), mirrored)

    def swapped(self) -> Pattern:
        """The same pattern with the sides changed."""
        return replace(self, conditions=tuple(replace(one, theirs=not one.theirs) for one in self.conditions))

    def holds(self, position: Position) -> bool:
        """Whether a position has the pattern."""
        seen = (position, position.swapped()) if self.mirrored else (position,)
        return any(all(one.holds(board) for one in self.conditions) for board in seen)

    def where(self) -> ColumnElement[bool]:
        """The pattern as a condition on the rows of positions."""
        straight = _all_hold(self.conditions)
        return or_(straight, _all_hold(self.swapped().conditions)) if self.mirrored else straight

    def __str__(self) -> str:
        return " ".join(map(str, self.conditions))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"conditions": [str(one) for one in self.conditions], "mirrored": self.mirrored}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Pattern:
        """What `to_dict` gave."""
        return cls(tuple(Condition.of(one) for one in data["conditions"]), data["mirrored"])


def _all_hold(conditions: Iterable[Condition]) -> ColumnElement[bool]:
    """Masks first: they are compared many points at a time, and most rows go no further than that."""
    clauses: list[ColumnElement[bool]] = []
    exact: list[ColumnElement[bool]] = []
    for theirs in (False, True):
        points = PositionRow.their_points if theirs else PositionRow.my_points
        blots = PositionRow.their_blots if theirs else PositionRow.my_blots
        held = points.bitwise_or(blots)
        made = some = single = none = few = 0
        for one in conditions:
            if one.theirs != theirs:
                continue
            bit = 1 << (one.point - 1)
            relation, count, negated = one.relation, one.count, one.negated
            if negated and relation is not Relation.EXACTLY:
                at_least = relation is Relation.AT_LEAST
                relation, count = (Relation.AT_MOST, count - 1) if at_least else (Relation.AT_LEAST, count + 1)
                negated = False
            if negated:
                exact.append(not_(_count(one.point, theirs) == literal(bytes([count]))))
            elif relation is Relation.EXACTLY and count < 2:
                single |= bit if count else 0
                none |= 0 if count else bit
            elif relation is Relation.AT_MOST and count < 2:
                few |= bit if count > 0 else 0
                none |= bit if count == 0 else 0
                if count < 0:
                    exact.append(not_(true()))
            elif relation is Relation.AT_LEAST and count <= 2:
                made |= bit if count == 2 else 0
                some |= bit if count == 1 else 0
            else:
                made |= bit if relation is not Relation.AT_MOST else 0
                exact.append(_compared(one.point, theirs, relation, count))
        clauses += [
            clause
            for mask, clause in (
                (made, points.bitwise_and(made) == made),
                (some, held.bitwise_and(some) == some),
                (single, blots.bitwise_and(single) == single),
                (none, held.bitwise_and(none) == 0),
                (few, points.bitwise_and(few) == 0),
            )
            if mask
        ]
    return and_(true(), *clauses, *exact)


def _compared(point: int, theirs: bool, relation: Relation, count: int) -> ColumnElement[bool]:
    there, wanted = _count(point, theirs), literal(bytes([count]))
    if relation is Relation.EXACTLY:
        return there == wanted
    return there >= wanted if relation is Relation.AT_LEAST else there <= wanted


def _count(point: int, theirs: bool) -> ColumnElement[bytes]:
    """The byte of a point in the board: both kinds of database compare bytes as numbers."""
    place = point + (SLOTS if theirs else 0)
    return func.substr(PositionRow.board, place, 1, type_=PositionRow.board.type)
