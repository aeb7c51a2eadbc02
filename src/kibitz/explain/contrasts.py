"""Contrasts: the measures in which two plays differ, what the moves behind them gain, and whether they matter.

The other legal plays of the roll are the controls. A contrast is needed as far as the best play without it falls short
of the better play. It is no reason if some play does without it and is as good, or if as many plays drawn at random
would be needed as much. What a move does at once, such as hitting or making a point, may be one of two good plans and
so be needed little: there the better play has to stand out among all legal plays.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.decision import PlayDecision, RankedPlay
from kibitz.dice import ALL_ROLLS
from kibitz.explain.facts import Facts, facts_of
from kibitz.explain.fragments import Anatomy, Fragment
from kibitz.explain.ledger import ROLLS
from kibitz.explain.measures import MEASURES, Measure, MeasureKind, measure_of, point_measure

MOST_PLAYS = 8
"""Among so many of the best plays the best one without a fact is sought."""
LEAST_NEED = 0.3
"""A contrast is no reason if giving it up costs less than this part of the difference."""
CHANCE_MARGIN = 0.1
"""With a few plays the best ones are found by chance too: what is this near to chance still counts."""
LITTLE_NEED = 0.1
"""Where nothing better is found, this much is enough."""
FAR_ABOVE = 0.8
"""Standard deviations of the legal plays' equities: a random play is as far above their average one time in five."""
DIRECT = (MeasureKind.HIT, MeasureKind.POINT, MeasureKind.PRIME, MeasureKind.ESCAPE, MeasureKind.OFF)
"""What a move does at once."""
MUCH_NEED = 0.8
"""A contrast that is needed so much is a reason whatever the rolls do."""


@dataclass(frozen=True, slots=True)
class Need:
    """How much a fact is needed, in parts of the difference: what the best play without it falls short.

    `by_chance` is the same if the fact were dealt at random to as many of the plays, the better of the two plays having
    it and the other one not. `deviations` tells how far the better play stands out among all legal plays.
    """

    share: float
    by_chance: float
    plays: int
    deviations: float

    @property
    def beats_chance(self) -> bool:
        """Whether giving it up costs a good part of the difference, and no less than chance lets expect."""
        return self.share >= LEAST_NEED and self.share >= self.by_chance - CHANCE_MARGIN

    @property
    def stands_out(self) -> bool:
        """Whether the better play is far above the average of the legal plays."""
        return self.deviations >= FAR_ABOVE


@dataclass(frozen=True, slots=True)
class Contrast:
    """One measure in which two plays differ. `favours` is 0 for the first play and 1 for the second.

    `gain` is what the moves behind it add to the equity of the play that it favours, against the other.
    """

    measure: Measure
    values: tuple[float, float]
    favours: int
    gain: float
    fragments: tuple[Fragment, ...]  # that bring it about
    against: tuple[Fragment, ...]  # of the other play, that spoil it
    need: Need | None  # of what favours the better play

    @property
    def kind(self) -> MeasureKind:
        """What is measured."""
        return self.measure.kind

    @property
    def beats_chance(self) -> bool:
        """Whether the fact matters; what favours the second play is not tested, for it did not decide."""
        if self.need is None or self.need.beats_chance:
            return True
        return self.kind in DIRECT and self.need.stands_out

    @property
    def remarkable(self) -> bool:
        """Whether a player would see a difference: two boards are not told apart by one roll of 36."""
        return abs(self.values[0] - self.values[1]) >= 0.5 * self.measure.remarkable

    @property
    def needed(self) -> bool:
        """Whether no play without the fact comes near."""
        return self.need is not None and self.need.share >= MUCH_NEED

    @property
    def hardly_beats_chance(self) -> bool:
        """Whether the fact is needed a little more than chance lets expect."""
        return self.need is None or self.need.share >= max(LITTLE_NEED, self.need.by_chance - CHANCE_MARGIN)

    def gain_on(self, anatomy: Anatomy, rolls: Collection[int]) -> float:
        """The gain with some of the rolls alone, by their number in ALL_ROLLS."""
        other = (anatomy.first, anatomy.second)[1 - self.favours]
        return _gain(self.fragments, self.against, other, rolls)

    @property
    def score(self) -> float:
        """How apt the contrast is as the name of what its moves do."""
        size = min(1.0, abs(self.values[0] - self.values[1]) / self.measure.remarkable)
        need = 0.5 if self.need is None else self.need.share
        least = 0.7 if self.kind in DIRECT else 0.5
        return self.measure.salience * size * (least + (1.0 - least) * need)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "measure": self.kind.value,
            "point": self.measure.point or None,
            "first": self.values[0],
            "second": self.values[1],
            "favours": ("first", "second")[self.favours],
            "gain": self.gain,
            "moves": [str(fragment) for fragment in self.fragments],
            "against": [str(fragment) for fragment in self.against],
            "need": None if self.need is None else self.need.share,
            "need_by_chance": None if self.need is None else self.need.by_chance,
            "plays": None if self.need is None else self.need.plays,
            "deviations": None if self.need is None else self.need.deviations,
            "beats_chance": self.beats_chance,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], anatomy: Anatomy) -> Contrast:
        """What `to_dict` gave, with the counterfactual boards that it was found in."""
        favours = ("first", "second").index(data["favours"])
        need = Need(data["need"], data["need_by_chance"], data["plays"], data["deviations"])
        return cls(
            measure_of(MeasureKind(data["measure"]), data["point"] or 0),
            (data["first"], data["second"]),
            favours,
            data["gain"],
            anatomy.named(favours, data["moves"]),
            anatomy.named(1 - favours, data["against"]),
            None if data["need"] is None else need,
        )


class Controls:
    """The legal plays of a roll, best first: what contrasts of the first of two plays are tested against."""

    def __init__(self, decision: PlayDecision, first: RankedPlay, second: RankedPlay) -> None:
        self.difference = first.equity - second.equity
        every = [entry.equity for entry in decision]
        mean = math.fsum(every) / len(every)
        spread = math.sqrt(math.fsum((equity - mean) ** 2 for equity in every) / len(every))
        self.deviations = (first.equity - mean) / spread if spread > 0 else 0.0
        self.first = first.equity
        self.plays = [
            (entry.play.result, entry.equity)
            for entry in sorted(decision, key=lambda entry: -entry.equity)
            if entry.play.result not in (first.play.result, second.play.result) and entry.equity > second.equity
        ][:MOST_PLAYS]

    def need(self, measure: Measure, values: tuple[float, float]) -> Need:
        """How much the first play needs to measure better than the second. Plays below the second do not matter."""
        limit = measure.better * values[1]
        without = [measure.oriented(facts_of(result)) <= limit for result, _ in self.plays]
        losses = [self._loss(equity) for _, equity in self.plays] + [1.0]
        share = losses[without.index(True)] if True in without else 1.0
        # Dealt at random to as many of these plays: each may be the best one without it if all better ones have it.
        lacking, by_chance, still = without.count(True), 0.0, 1.0
        for index in range(len(without)):
            first = lacking / (len(without) - index)
            by_chance += still * first * losses[index]
            still *= 1.0 - first
            if still <= 0:
                break
        return Need(share, by_chance + still, len(self.plays) + 2, self.deviations)

    def _loss(self, equity: float) -> float:
        return min(1.0, max(0.0, (self.first - equity) / self.difference)) if self.difference > 0 else 0.0


def contrasts(anatomy: Anatomy, facts: tuple[Facts, Facts], controls: Controls) -> list[Contrast]:
    """The contrasts of two plays, the largest gain first."""
    points = sorted(set(facts[0].mine.points) ^ set(facts[1].mine.points))
    found = []
    for measure in (*MEASURES, *map(point_measure, points)):
        if not (measure.applies(facts[0]) and measure.applies(facts[1]) and measure.comparable(*facts)):
            continue
        values = measure.value(facts[0]), measure.value(facts[1])
        if values[0] == values[1]:
            continue
        favours = 0 if measure.better * (values[0] - values[1]) > 0 else 1
        found.append(_contrast(measure, values, favours, anatomy, facts, controls))
    return sorted((one for one in found if one.fragments or one.against), key=lambda one: -one.gain)


def _contrast(
    measure: Measure,
    values: tuple[float, float],
    favours: int,
    anatomy: Anatomy,
    facts: tuple[Facts, Facts],
    controls: Controls,
) -> Contrast:
    plays = (anatomy.first, anatomy.second)
    own, other = plays[favours], plays[1 - favours]
    here = measure.oriented(facts[favours])
    there = measure.oriented(facts[1 - favours])
    makers = tuple(one for one in own if here > measure.oriented(facts_of(one.without)))
    spoilers = tuple(one for one in other if there < measure.oriented(facts_of(one.without)))
    gain = _gain(makers, spoilers, other, range(len(ALL_ROLLS)))
    need = controls.need(measure, values) if favours == 0 and (makers or spoilers) else None
    return Contrast(measure, values, favours, gain, makers, spoilers, need)


def _gain(
    makers: Iterable[Fragment], spoilers: Collection[Fragment], other: Iterable[Fragment], rolls: Collection[int]
) -> float:
    """What the makers gain and the spoilers lose. Entering is a duty: it counts only against entering elsewhere."""
    makers = list(makers)
    gain = sum(part_of(one, rolls) for one in makers) - sum(part_of(one, rolls) for one in spoilers)
    if any(one.enters for one in makers):
        gain -= sum(part_of(one, rolls) for one in other if one.enters and one not in spoilers)
    return gain


def part_of(fragment: Fragment, rolls: Collection[int]) -> float:
    """What a fragment gains with some of the rolls, by their number in ALL_ROLLS."""
    return math.fsum(ALL_ROLLS[roll].weight * fragment.gains[roll] for roll in rolls) / ROLLS
