"""How sure a decision is: the chance that the best play or action is the best, by how far looks of each depth err.

The error of a difference of equities has a spread and long tails: it follows Student's t with four degrees of freedom.
The spread is learnt from decisions of self-play with rollouts (`benchmarks/confidence.py`). It falls with the plies and
grows with the distance of the chances that two plays lead to. Plays that lead to nearly the same games are wrong in
the same way, so that little of it is left in their difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kibitz.decision import CubeDecision, Evaluation, RankedPlay, ResignationDecision
from kibitz.move import Play


@dataclass(frozen=True, slots=True)
class Spreads:
    """The spread of errors by plies; deeper looks than those listed have the last one."""

    by_plies: tuple[float, ...]
    rollout: float
    """What is wrong with the games of a rollout, besides the luck that is left in them."""

    def of(self, plies: int | None) -> float:
        """At so many plies; None for a rollout."""
        return self.rollout if plies is None else self.by_plies[min(plies, len(self.by_plies) - 1)]


PLAYS = Spreads((0.0178, 0.0109, 0.0061, 0.0045), 0.0025)
"""Of two plays whose chances are FAR apart, or further; of nearer ones it is less."""
FAR = 0.05
NEAR = 0.01
"""Added to every distance: plays that are told apart by nothing are not known any better."""
DISTANCE_POWER = 0.8
RIVALS = 0.4
"""How much less each further rival counts: those of one best play err together."""
MANY_BACK = 4
"""Checkers of a side in the other's home or on the bar that make a game rare, ..."""
RARE = 1.9
"""... in which nets err by so much more."""
RACE = 0.15
"""The part of it that is left without contact."""
LEAST = 0.004
"""By so much two careful rollouts of a difference disagree, their noise taken out: nobody knows it better."""
HOPELESS = 0.25
"""What is further behind is not worth a thought."""
ROW = 25
FIRST_BACK = 18
"""Where the other side's home begins in a row of a position; the bar is its end."""
SAME = 1e-5
"""Equities closer than this are the same, as those of lost races are: either play is right."""
DOUBLES = Spreads((0.040, 0.040, 0.0105, 0.0095), 0.006)
"""Of doubling against not doubling."""
TAKES = Spreads((0.055, 0.042, 0.028, 0.022), 0.012)
"""Of taking against passing."""
VALUES = Spreads((0.040, 0.035, 0.012, 0.012), 0.008)
"""Of the equity of a position."""


def chance_ahead(lead: float, spread: float) -> float:
    """The chance that what is ahead by so much is ahead in truth: Student's t with four degrees of freedom."""
    if spread <= 0.0:
        return 1.0 if lead > 0 else 0.5
    z = lead / spread
    square = z * z / 4.0
    return 0.5 + 0.375 * z / math.sqrt(1.0 + square) * (1.0 - square / (3.0 * (1.0 + square)))


def distance(one: Evaluation, other: Evaluation) -> float:
    """How far apart two plays' chances are, in units of equity."""
    weights = (2.0, 1.0, 1.0, 1.0, 1.0)
    return math.sqrt(sum((weight * (a - b)) ** 2 for weight, a, b in zip(weights, one, other, strict=True)))


def kind_factor(play: Play) -> float:
    """How much more or less than usual the nets err in this kind of game: back games and races."""
    if not play.position.in_contact:
        return RACE
    rows = play.result.rows
    many = any(sum(rows[start + FIRST_BACK : start + ROW]) >= MANY_BACK for start in (0, ROW))
    return RARE if many else 1.0


def spread_between(best: RankedPlay, other: RankedPlay, factor: float = 1.0) -> float:
    """The spread of the error of two plays' difference, with that of the games where they were rolled out."""
    apart = math.hypot(distance(best.evaluation, other.evaluation), best.equity - other.equity)
    scale = ((min(apart, FAR) + NEAR) / FAR) ** DISTANCE_POWER
    shallow = best.plies if other.plies is None else other.plies
    if best.plies is not None and shallow is not None:
        shallow = min(best.plies, shallow)
    known = factor * math.hypot(scale * PLAYS.of(shallow), LEAST)
    return math.hypot(known, best.standard_error or 0.0, other.standard_error or 0.0)


def chance_better(best: RankedPlay, other: RankedPlay, factor: float = 1.0) -> float:
    """The chance that a play is better than the one that is said to be best."""
    lead = best.equity - other.equity
    if lead > HOPELESS * factor or (abs(lead) < SAME and best.plies == other.plies):
        return 0.0
    return 1.0 - chance_ahead(lead, spread_between(best, other, factor))


def chances_better(plays: Sequence[RankedPlay]) -> list[float]:
    """The chance of each play but the first to be better than that."""
    if len(plays) < 2:
        return []
    factor = kind_factor(plays[0].play)
    return [chance_better(plays[0], other, factor) for other in plays[1:]]


def play_confidence(plays: Sequence[RankedPlay]) -> float | None:
    """The chance that the first play is the best; None where there is none."""
    if not plays:
        return None
    sure, weight = 1.0, 1.0
    for chance in sorted(chances_better(plays), reverse=True):
        sure *= 1.0 - weight * chance
        weight *= RIVALS
    return sure


def with_confidence(decision: CubeDecision) -> CubeDecision:
    """The decision with the chances that its actions are right; without any where there is no cube to turn."""
    if not decision.available:
        return decision
    noise = decision.standard_error or 0.0
    doubling = math.hypot(DOUBLES.of(decision.plies), noise)
    answering = math.hypot(TAKES.of(decision.plies), noise)
    return replace(
        decision,
        double_confidence=chance_ahead(abs(decision.doubled - decision.no_double), doubling),
        take_confidence=chance_ahead(abs(decision.double_take - decision.double_pass), answering),
    )


def resignation_confidence(decision: ResignationDecision) -> float:
    """The chance that the proper answer to a resignation is right."""
    return chance_ahead(abs(decision.accepted - decision.played_on), VALUES.of(decision.level.plies))
