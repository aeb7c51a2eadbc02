"""Statistics of strength: means with intervals, pairs in five classes, and a sequential test.

The two seatings of a pair share their dice, so that games are not independent but pairs are: every interval and every
test is made of pair means. Luck-adjusted results have the dice taken out by our evaluator, for both sides alike; they
have the same mean as the raw ones and a smaller spread.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from kibitz.errors import EngineError

CONFIDENCE = 0.95
PAIR_CLASSES = ("lost both", "split, behind", "level", "split, ahead", "won both")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with the half-width of its 95 % interval, from so many independent values."""

    mean: float
    half_width: float
    deviation: float  # of one value
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """From independent values; without two of them there is no interval."""
        count = len(values)
        if count == 0:
            return cls(math.nan, math.inf, math.nan, 0)
        mean = math.fsum(values) / count
        if count == 1:
            return cls(mean, math.inf, math.nan, 1)
        deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1))
        return cls(mean, student(count - 1) * deviation / math.sqrt(count), deviation, count)

    def __str__(self) -> str:
        if not math.isfinite(self.half_width):
            return f"{self.mean:+.4f}"
        return f"{self.mean:+.4f} ± {self.half_width:.4f}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; what is not known is None."""
        numbers = {"mean": self.mean, "half_width": self.half_width, "deviation": self.deviation}
        known = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
        return {**known, "confidence": CONFIDENCE, "count": self.count}


def student(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The two-sided quantile of Student's t: exact for 1 and 2 degrees of freedom, by Hill's series for more."""
    p = 0.5 + confidence / 2
    if freedom <= 1:
        return math.tan(math.pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    z = NormalDist().inv_cdf(p)
    n = float(freedom)
    terms = (
        z,
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4),
    )
    return math.fsum(terms)


@dataclass(frozen=True, slots=True)
class PairScore:
    """Both seatings of a pair, seen by the first player: raw results and the luck in them.

    Results are points, or 1 and 0 for matches won and lost.
    """

    results: tuple[float, float]
    luck: tuple[float, float]
    money: bool = True

    @property
    def raw(self) -> float:
        """The mean result of the two."""
        return (self.results[0] + self.results[1]) / 2

    @property
    def adjusted(self) -> float:
        """The same without luck."""
        return ((self.results[0] - self.luck[0]) + (self.results[1] - self.luck[1])) / 2

    @property
    def pair_class(self) -> int:
        """Which of PAIR_CLASSES this is. Two matches that were split are level."""
        wins = sum(result > (0 if self.money else 0.5) for result in self.results)
        if wins != 1:
            return 0 if wins == 0 else 4
        if not self.money or sum(self.results) == 0:
            return 2
        return 1 if sum(self.results) < 0 else 3


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of the mean of pairs: H0 says it is `lower`, H1 that it is `upper`.

    The log-likelihood ratio is that of normal pair means with the variance seen so far. It stops at ln(beta / (1 -
    alpha)) for H0 and at ln((1 - beta) / alpha) for H1.
    """

    lower: float
    upper: float
    alpha: float = 0.05
    beta: float = 0.05
    least_pairs: int = 100  # before that the variance is not known well enough

    def __post_init__(self) -> None:
        if not self.lower < self.upper:
            raise EngineError(f"the test needs two different means, the lower first, not {self.lower},{self.upper}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise EngineError(f"error rates are between 0 and 0.5, not {self.alpha} and {self.beta}")

    @classmethod
    def parse(cls, text: str, *, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
        """From 'LOWER,UPPER'."""
        try:
            lower, upper = (float(word) for word in text.split(","))
        except ValueError:
            raise EngineError(f"expected two means such as 0,0.02 for the sequential test, not {text!r}") from None
        return cls(lower, upper, alpha, beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where it stops: for H0 and for H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, estimate: Estimate) -> float:
        """The log-likelihood ratio of H1 over H0."""
        if estimate.count < 2 or not estimate.deviation > 0:
            return 0.0
        middle = (self.lower + self.upper) / 2
        return estimate.count * (self.upper - self.lower) * (estimate.mean - middle) / estimate.deviation**2

    def verdict(self, estimate: Estimate) -> str | None:
        """'H0', 'H1', or None while nothing is decided."""
        if estimate.count < self.least_pairs:
            return None
        ratio, (low, high) = self.ratio(estimate), self.bounds
        return "H0" if ratio <= low else "H1" if ratio >= high else None

    def to_dict(self, estimate: Estimate) -> dict[str, Any]:
        """The test and how it stands, as plain data for JSON."""
        return {
            "lower": self.lower,
            "upper": self.upper,
            "alpha": self.alpha,
            "beta": self.beta,
            "bounds": list(self.bounds),
            "ratio": self.ratio(estimate),
            "verdict": self.verdict(estimate),
        }


@dataclass(frozen=True, slots=True)
class DuelScore:
    """What a duel has shown, seen by the first player."""

    raw: Estimate
    adjusted: Estimate | None  # None where luck was not measured
    pairs: tuple[int, ...]  # counts of PAIR_CLASSES
    wins: int  # sessions won by the first player
    sessions: int
    money: bool

    @classmethod
    def of(cls, scores: Iterable[PairScore], *, with_luck: bool) -> DuelScore:
        """From all pairs that were played to their end."""
        pairs = list(scores)
        money = pairs[0].money if pairs else True
        classes = [0] * len(PAIR_CLASSES)
        for pair in pairs:
            classes[pair.pair_class] += 1
        wins = sum(result > (0 if money else 0.5) for pair in pairs for result in pair.results)
        adjusted = Estimate.of([pair.adjusted for pair in pairs]) if with_luck else None
        raw = Estimate.of([pair.raw for pair in pairs])
        return cls(raw, adjusted, tuple(classes), wins, 2 * len(pairs), money)

    @property
    def best(self) -> Estimate:
        """The luck-adjusted estimate if there is one."""
        return self.adjusted or self.raw

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "unit": "points per game" if self.money else "match wins",
            "sessions": self.sessions,
            "wins": self.wins,
            "raw": self.raw.to_dict(),
            "luck_adjusted": None if self.adjusted is None else self.adjusted.to_dict(),
            "pairs": dict(zip(PAIR_CLASSES, self.pairs, strict=True)),
        }
