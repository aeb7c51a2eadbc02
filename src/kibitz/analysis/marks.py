"""Marks, names and ratings: from equity lost to words.

The limits and names are the ones that players know: eXtreme Gammon's for errors, blunders and the performance rating
(PR), gnubg's for luck. Marks agree with them: every error has one, and ?? is a blunder. gnubg's own limits of marks
(`GNUBG_MARKS`) and its names of error rates are there on request.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from kibitz.errors import EngineError
from kibitz.plain_json import PlainData
from kibitz.position import Variant


class Mark(StrEnum):
    """How bad a decision was. The value is for programs, `symbol` is what players write."""

    NONE = "none"
    DOUBTFUL = "doubtful"
    BAD = "bad"
    VERY_BAD = "very bad"

    @property
    def symbol(self) -> str:
        """'?!', '?', '??' or nothing."""
        return {Mark.DOUBTFUL: "?!", Mark.BAD: "?", Mark.VERY_BAD: "??"}.get(self, "")


class LuckMark(StrEnum):
    """How lucky a roll was."""

    VERY_UNLUCKY = "very unlucky"
    UNLUCKY = "unlucky"
    NONE = "none"
    LUCKY = "lucky"
    VERY_LUCKY = "very lucky"

    @property
    def symbol(self) -> str:
        """'++', '+', '-', '--' or nothing."""
        return {"very unlucky": "--", "unlucky": "-", "lucky": "+", "very lucky": "++"}.get(self.value, "")


@dataclass(frozen=True, slots=True)
class Thresholds(PlainData):
    """From which loss of normalised equity on a mark is given, what an error and a blunder is, and what luck."""

    doubtful: float = 0.02
    bad: float = 0.04
    very_bad: float = 0.08
    error: float = 0.02
    blunder: float = 0.08
    lucky: float = 0.3
    very_lucky: float = 0.6

    def __post_init__(self) -> None:
        if not 0 < self.doubtful <= self.bad <= self.very_bad or not 0 < self.error <= self.blunder:
            raise EngineError("thresholds must be positive and grow from one mark to the next")

    def mark(self, lost: float) -> Mark:
        """The mark of a decision that lost so much."""
        if lost > self.very_bad:
            return Mark.VERY_BAD
        if lost > self.bad:
            return Mark.BAD
        return Mark.DOUBTFUL if lost > self.doubtful else Mark.NONE

    def luck(self, luck: float) -> LuckMark:
        """The mark of a roll that was so lucky."""
        size = abs(luck)
        if size <= self.lucky:
            return LuckMark.NONE
        if luck > 0:
            return LuckMark.VERY_LUCKY if size > self.very_lucky else LuckMark.LUCKY
        return LuckMark.VERY_UNLUCKY if size > self.very_lucky else LuckMark.UNLUCKY


GNUBG_MARKS = Thresholds(doubtful=0.03, bad=0.06, very_bad=0.12)
"""gnubg's limits of marks, beside eXtreme Gammon's of errors and blunders."""

_ERROR_NAMES = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
)
_PR_NAMES = (
    (2.5, "World champion"),
    (5.0, "World class"),
    (7.5, "Expert"),
    (12.5, "Advanced"),
    (17.5, "Intermediate"),
    (22.5, "Casual player"),
    (30.0, "Beginner"),
)
_LUCK_NAMES = (
    (0.10, "Cheater"),
    (0.06, "Las Vegas calls"),
    (0.02, "Good dice"),
    (-0.02, "Average dice"),
    (-0.06, "Better luck next time"),
    (-0.10, "Go to bed"),
)


def error_rate_name(rate: float | None) -> str | None:
    """The name of gnubg's scale for an error per decision, in normalised equity."""
    if rate is None:
        return None
    return next((name for limit, name in _ERROR_NAMES if rate < limit), "Awful")


def pr_name(rating: float | None) -> str | None:
    """The name of eXtreme Gammon's scale for a performance rating."""
    if rating is None:
        return None
    return next((name for limit, name in _PR_NAMES if rating < limit), "Distracted")


def luck_name(rate: float | None) -> str | None:
    """The name of gnubg's scale for the luck per roll."""
    if rate is None:
        return None
    return next((name for limit, name in _LUCK_NAMES if rate > limit), "No luck at all")


def pr_factor(length: int, variant: Variant) -> float:
    """What eXtreme Gammon multiplies a PR by, so that games of all kinds compare."""
    return (1.5 if length == 1 else 1.0) * (0.952 if variant is Variant.NACKGAMMON else 1.0)


def pr_elo(rating: float) -> float:
    """The Elo rating that a PR is thought to stand for."""
    return 2000.0 / (1.0 + math.exp(40.0 * rating / 500.0 - 1.12)) + 732.0


def checker_rating_loss(rate: float, length: int) -> float:
    """FIBS rating points that an error per unforced play costs in matches of this length."""
    return rate * (8798.0 + 25526.0 / length)


def cube_rating_loss(rate: float, length: int) -> float:
    """FIBS rating points that an error per close or actual cube decision costs in matches of this length."""
    return rate * (863.0 - 519.0 / length)


FIBS_PERFECT = 2050.0
"""The FIBS rating of a player who never errs."""


def rating_difference(chance: float, length: int) -> float:
    """The difference of FIBS ratings at which a match of this length is won with this chance."""
    bounded = min(max(chance, 1e-6), 1.0 - 1e-6)
    return max(min(-2000.0 / math.sqrt(length) * math.log10(1.0 / bounded - 1.0), 2100.0), -2100.0)
