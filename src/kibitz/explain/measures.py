"""Measures: the facts by which two plays are compared, each a number of the board after a play.

A measure says which direction is better for the player, how large a difference a player would remark on, and how much
players care for it when several facts come from the same moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from kibitz.explain.facts import BAR_POINT, DEEP, LOW_POINT, Facts
from kibitz.explain.standing import BACK, Standing
from kibitz.position import BAR, CHECKERS

MIDPOINT = 13
DEEP_HOME = (1, 2, 3)
"""Own points on which checkers may be out of play."""
HALF_A_ROLL = 4
"""What it is worth to be on roll in a race, in pips."""
THEIR_BAR_POINT = 18


class MeasureKind(StrEnum):
    """What is measured. The value names it in JSON."""

    HIT = "opponent's checkers on the bar"
    POINT = "point held"
    PRIME = "points in a row"
    BLOCK = "points among six"
    CONTAIN = "rolls that free the opponent's back checkers"
    ESCAPE = "own checkers not past the opponent's bar point"
    FREE = "rolls that free the own back checkers"
    MAKING = "rolls that make a point next"
    ANCHORING = "rolls that make an advanced anchor next"
    COVER = "slot with its cover numbers"
    EXPOSED = "rolls that leave a shot next"
    THREAT = "rolls that hit next"
    STACK = "checkers on the fullest point"
    BURIED = "checkers out of play"
    BOARD = "home points"
    HOME_BLOTS = "blots in the home board"
    REAR = "rearmost point to be cleared"
    TIMING = "pips before something breaks"
    OFF = "checkers left"
    CROSSOVERS = "crossovers left"
    EFFECTIVE_PIPS = "effective pips"
    PIPS = "pips"
    GAMMON_PIPS = "pips until all are home"
    CONTACT = "contact kept"
    NO_CONTACT = "contact given up"
    GAPS = "home points without a checker"
    GOOD = "rolls that hit or make a point next"


def _anywhere(_: Facts) -> bool:
    return True


def _any_two(_first: Facts, _second: Facts) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Measure:
    """A fact as a number. `better` is 1 where more of it is good for the player and -1 where less is.

    `applies` tells whether it means anything on a board, `comparable` whether it can be compared on two of them:
    chances to make a point say nothing beside a board that has made it.
    """

    kind: MeasureKind
    value: Callable[[Facts], float]
    better: int
    remarkable: float
    salience: float
    applies: Callable[[Facts], bool]
    point: int = 0
    comparable: Callable[[Facts, Facts], bool] = _any_two

    def oriented(self, facts: Facts) -> float:
        """The value, the more the better."""
        return self.better * self.value(facts)


def _contact(facts: Facts) -> bool:
    return facts.contact


def _coming_home(facts: Facts) -> bool:
    """There is contact, and some of the player's checkers are still to come home."""
    return facts.contact and facts.mine.home_pips > 0


def _blocking(facts: Facts) -> bool:
    return facts.contact and facts.theirs.back > 0


def clearing(facts: Facts) -> bool:
    """The player comes home: none of his checkers is back, and the opponent waits with an anchor or on the bar."""
    return facts.contact and facts.mine.back == 0 and (bool(facts.theirs.anchors) or facts.theirs.on_bar > 0)


def _race(facts: Facts) -> bool:
    return not facts.contact


def _all_home(facts: Facts) -> bool:
    return not facts.contact and facts.mine.effective_pips is not None


def _key_holding(facts: Facts) -> bool:
    return facts.contact and (facts.mine.prime >= 4 or bool(facts.mine.anchors))


def _gammonish(facts: Facts) -> bool:
    """The opponent bears off while the player has not begun: there is a gammon to be saved."""
    return facts.mine.on_board == CHECKERS > facts.theirs.on_board


def _behind(first: Facts, second: Facts) -> bool:
    """Whether the player, who is not on roll, trails in the race after both plays: the roll is worth four pips."""
    return max(first.lead, second.lead) < HALF_A_ROLL


def _ahead(first: Facts, second: Facts) -> bool:
    return min(first.lead, second.lead) >= HALF_A_ROLL


def _some_contact(first: Facts, second: Facts) -> bool:
    return first.contact or second.contact


def _same_shape(first: Facts, second: Facts) -> bool:
    return _same_key_points(first, second) and _same_anchors(first, second) and _same_hits(first, second)


def _escape_sum(side: Standing) -> float:
    """The rolls that free the back checker that is worst off; 36 where none is back."""
    return 36 if side.escape_rolls is None else side.escape_rolls


def _buried(side: Standing) -> float:
    """Checkers beyond two on each of the three lowest points."""
    low = [point for point in side.points if point <= 3]
    return sum(1 for point in side.spares if point <= 3 and point in low) + sum(1 for p in side.blots if p <= 2)


def _slots(facts: Facts) -> list[tuple[int, int]]:
    """The blots on the 4, 5 and bar points with their cover numbers, the latter first."""
    return [(rolls, point) for point, rolls in facts.next_roll.covering if point in (4, 5, 7)]


def _slot_cover(facts: Facts) -> float:
    """The best cover numbers of a blot on the 4, 5 or bar point, 0 without such a blot."""
    return max((rolls for rolls, _ in _slots(facts)), default=0)


def slot_point(facts: Facts) -> int:
    """The point of the blot that is covered best."""
    return max(_slots(facts))[1]


def _as_deep(first: Facts, second: Facts) -> bool:
    """Whether fewer checkers out of play are fewer deep ones too: a blot that is covered does not come into play."""
    deep = [sum(facts.position.theirs[point - 1] for point in DEEP_HOME) for facts in (first, second)]
    out = [_buried(first.mine), _buried(second.mine)]
    return (deep[0] - deep[1]) * (out[0] - out[1]) >= 0


def _rear(side: Standing) -> float:
    return max((*side.points, *side.blots, BAR if side.on_bar else 0))


def _same_key_points(first: Facts, second: Facts) -> bool:
    """Whether the same of the own 3 to bar points are made."""
    key = set(range(LOW_POINT, BAR_POINT + 1))
    return set(first.mine.points) & key == set(second.mine.points) & key


def _same_anchors(first: Facts, second: Facts) -> bool:
    """Whether the same advanced anchors are held."""
    return [p for p in first.mine.anchors if p < DEEP] == [p for p in second.mine.anchors if p < DEEP]


def _same_hits(first: Facts, second: Facts) -> bool:
    return first.theirs.on_bar == second.theirs.on_bar


K = MeasureKind
MEASURES: tuple[Measure, ...] = (
    Measure(K.HIT, lambda facts: facts.theirs.on_bar, 1, 1, 1.0, _contact),
    Measure(K.PRIME, lambda facts: facts.mine.prime if facts.mine.prime >= 4 else 0, 1, 1, 0.75, _blocking),
    Measure(K.BLOCK, lambda facts: facts.mine.block, 1, 1, 0.45, _blocking),
    Measure(K.CONTAIN, lambda facts: _escape_sum(facts.theirs), -1, 4, 0.6, _blocking),
    Measure(K.ESCAPE, lambda facts: facts.mine.behind, -1, 1, 0.9, _anywhere, comparable=_some_contact),
    Measure(
        K.FREE, lambda facts: _escape_sum(facts.mine), 1, 5, 0.55, lambda facts: facts.contact and facts.mine.back > 0
    ),
    Measure(K.MAKING, lambda facts: facts.next_roll.making, 1, 5, 0.6, _contact, comparable=_same_key_points),
    Measure(K.ANCHORING, lambda facts: facts.next_roll.anchoring, 1, 6, 0.5, _contact, comparable=_same_anchors),
    Measure(K.COVER, _slot_cover, 1, 8, 0.6, _contact, comparable=_same_key_points),
    Measure(K.EXPOSED, lambda facts: facts.next_roll.exposed, -1, 3, 0.75, clearing),
    Measure(K.THREAT, lambda facts: facts.next_roll.hitting, 1, 6, 0.5, _contact, comparable=_same_hits),
    Measure(K.STACK, lambda facts: max(facts.mine.stack, 3), -1, 3, 0.4, _contact),
    Measure(K.GOOD, lambda facts: facts.next_roll.good, 1, 6, 0.45, _contact, comparable=_same_shape),
    Measure(K.BURIED, lambda facts: _buried(facts.mine), -1, 1, 0.6, _coming_home, comparable=_as_deep),
    Measure(K.BOARD, lambda facts: facts.mine.home_points, 1, 1, 0.42, _contact),
    Measure(K.HOME_BLOTS, lambda facts: len(facts.mine.home_blots), -1, 1, 0.4, _contact),
    Measure(K.REAR, lambda facts: _rear(facts.mine), -1, 1, 0.7, clearing),
    Measure(K.TIMING, lambda facts: facts.mine.timing, 1, 6, 0.25, _key_holding),
    Measure(K.OFF, lambda facts: facts.mine.on_board, -1, 1, 1.0, _anywhere),
    Measure(K.CROSSOVERS, lambda facts: facts.mine.crossovers, -1, 1, 0.5, _race),
    Measure(K.EFFECTIVE_PIPS, lambda facts: facts.mine.effective_pips or 0.0, -1, 0.3, 0.8, _all_home),
    Measure(K.GAPS, lambda facts: facts.mine.gaps, -1, 1, 0.6, _race),
    Measure(K.PIPS, lambda facts: facts.mine.pips, -1, 1, 0.6, _anywhere),
    Measure(K.CONTACT, lambda facts: float(facts.contact), 1, 1, 0.8, _anywhere, comparable=_behind),
    Measure(K.NO_CONTACT, lambda facts: float(not facts.contact), 1, 1, 0.8, _anywhere, comparable=_ahead),
    Measure(K.GAMMON_PIPS, lambda facts: facts.mine.home_pips, -1, 1, 0.5, _gammonish),
)
"""All measures but the points, which are as many as the board has."""


def measure_of(kind: MeasureKind, point: int) -> Measure:
    """A measure by what it measures, and for points by which one."""
    if kind is MeasureKind.POINT:
        return point_measure(point)
    return next(measure for measure in MEASURES if measure.kind is kind)


@lru_cache(maxsize=32)
def point_measure(point: int) -> Measure:
    """Whether a point is held. Players care most for the 5, 4 and bar points and for advanced anchors."""
    if point >= BACK:
        salience = {20: 1.0, 21: 0.95, 22: 0.85, 19: 0.8}.get(point, 0.7)
    elif point == THEIR_BAR_POINT:
        salience = 0.85
    elif point == MIDPOINT:
        salience = 0.7
    else:
        salience = {5: 1.0, 4: 0.97, 7: 0.95, 6: 0.9, 3: 0.85, 8: 0.8, 2: 0.6, 1: 0.45}.get(point, 0.65)
    return Measure(K.POINT, lambda facts: float(point in facts.mine.points), 1, 1, salience, _contact, point)
