"""The ten factors: every play evaluated by ten weighted values. The highest sum is best.

Each factor is a function here, in plain Python, with the source document's definition of it. `TenFactor` ranks plays by
the native versions, which the tests compare with these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz import _core
from kibitz.dice import Dice, DiceLike
from kibitz.heuristics.listing import entry_of
from kibitz.heuristics.protocol import EngineOptions
from kibitz.heuristics.settings import TenFactorSettings
from kibitz.heuristics.shots import shots
from kibitz.move import Play
from kibitz.position import BAR, Position

TITLES = {
    "blots": "Weighted blot risk",
    "hits": "Hits",
    "points": "Points made",
    "pips": "Pip gain",
    "home": "Home board",
    "prime": "Prime length",
    "builders": "Builder coverage",
    "stack": "Stack penalty",
    "opponent_blots": "Opponent blots",
    "high_roll": "High roll bonus",
}
"""The factors in order: their names in the settings, and what they are called in texts."""

POINTS = range(1, 25)
HOME = range(1, 7)
POINT_BONUS = {4: 1.0, 5: 1.0, 3: 0.25, 7: 0.25}
"""What a new point is worth beyond 1.0; every other point has OTHER_POINT_BONUS."""
OTHER_POINT_BONUS = 0.1
DEEP_RUN_PIPS = 8
DEEP_RUN_END = 18


# --- factors of the position after the play, seen by the player who made it: `play.result.swapped()` ------------------


def weighted_blot_risk(position: Position) -> float:
    """How much danger the blots are in, 0 to 1.

    The document: "weighted risk assessment considering blot position vulnerability". It does not say how. Here: for
    each blot the chance that the opponent's next roll hits it, times the pips that the hit costs, out of 24; combined
    as 1 - product of (1 - risk).

    >>> round(weighted_blot_risk(Position.of({5: 1, 10: 2}, {24: 2, 6: 5})), 4)  # 15 shots, 20 pips lost
    0.3472
    """
    safe = 1.0
    for blot in shots(position.swapped()).blots:
        safe *= 1 - blot.count / 36 * (BAR - blot.their_point) / 24
    return 1 - safe


def home_board(position: Position) -> int:
    """Checkers on the points 1 to 6. The document: "Counts ALL checkers in home board after move".

    >>> home_board(Position.start())
    5
    """
    return sum(_on(position, point) for point in HOME)


def prime_length(position: Position) -> int:
    """The longest prime. The document: "Longest consecutive sequence of made points (>= 2 checkers each)".

    >>> prime_length(Position.of({8: 2, 7: 2, 6: 3, 4: 2}, {1: 2}))
    3
    """
    longest = length = 0
    for point in POINTS:
        length = length + 1 if _on(position, point) >= 2 else 0
        longest = max(longest, length)
    return longest


def builder_coverage(position: Position) -> float:
    """Checkers on the 8 to 11 points.

    The document: "Points 9-11: +1.0 for single checker, +0.5 for multiple checkers. Point 8: +0.5 for single checker
    only".

    >>> builder_coverage(Position.of({11: 1, 10: 1, 9: 1, 8: 1}, {1: 2}))
    3.5
    """
    value = 0.5 if _on(position, 8) == 1 else 0.0
    for point in (9, 10, 11):
        if checkers := _on(position, point):
            value += 1.0 if checkers == 1 else 0.5
    return value


def stack_penalty(position: Position) -> float:
    """What the highest stack has too many.

    The document: "Penalty starts at 4+ checkers per point (-0.04 per additional checker beyond 3)". The weight makes it
    negative here: the document's formula has one minus sign too many.

    >>> stack_penalty(Position.start())  # five checkers on the 6 and on the 13 point
    0.08
    """
    return 0.04 * max(max(_on(position, point) for point in POINTS) - 3, 0)


def opponent_blot_count(position: Position) -> int:
    """Opposing blots. The document: "Counts opponent checkers that are alone on their points". The bar is no point.

    >>> opponent_blot_count(Position.of({6: 2}, {25: 1, 24: 1, 13: 1, 6: 3}))
    2
    """
    return position.theirs[: BAR - 1].count(1)


# --- factors of the play itself ---------------------------------------------------------------------------------------


def hits(play: Play) -> int:
    """Checkers hit. The document: "Counts opponent single checkers hit during the move sequence"."""
    return play.result.mine[BAR - 1] - play.position.theirs[BAR - 1]


def points_made(play: Play) -> float:
    """New points, each with a bonus for its quality.

    The document: "1.0 point for each newly made point (>= 2 checkers)"; "Golden points (4,5): +1.0 bonus; 3-point &
    bar-point (3,7): +0.25 bonus; Other points: +0.1 bonus".
    """
    before, after = play.position, play.result.swapped()
    new = [point for point in POINTS if _on(after, point) >= 2 > _on(before, point)]
    return sum((1.0 + POINT_BONUS.get(point, OTHER_POINT_BONUS) for point in new), 0.0)


def pip_gain(play: Play) -> int:
    """Pips moved. The document: "before_pips - after_pips for moving player"."""
    return play.position.pips[0] - play.result.pips[1]


def high_roll_bonus(play: Play) -> float:
    """What a long play is worth beyond its pips.

    The document: "+0.02 per pip above 5 (for >= 6 pip gains)", and for deep runs "+0.03 bonus for moves from 24 to 18+
    with >= 8 pip gain". A deep run leaves the 24 point and ends on the 18 point or nearer home.
    """
    gain = pip_gain(play)
    bonus = 0.02 * (gain - 5) if gain >= 6 else 0.0
    return bonus + 0.03 if gain >= DEEP_RUN_PIPS and _runs_deep(play) else bonus


def raw_factors(play: Play) -> dict[str, float]:
    """All ten of a play, by their names in the settings.

    >>> from kibitz.notation import parse_play
    >>> factors = raw_factors(parse_play("8/5 6/5", Position.start(), "31"))
    >>> {name: value for name, value in factors.items() if value}
    {'points': 2.0, 'pips': 4, 'home': 6, 'prime': 2, 'stack': 0.08}
    """
    after = play.result.swapped()
    return {
        "blots": weighted_blot_risk(after),
        "hits": hits(play),
        "points": points_made(play),
        "pips": pip_gain(play),
        "home": home_board(after),
        "prime": prime_length(after),
        "builders": builder_coverage(after),
        "stack": stack_penalty(after),
        "opponent_blots": opponent_blot_count(after),
        "high_roll": high_roll_bonus(play),
    }


def _on(position: Position, point: int) -> int:
    return position.rows[point - 1]


def _runs_deep(play: Play) -> bool:
    """Whether a checker leaves the 24 point and ends on the 18 point or nearer home, in the canonical notation."""
    canonical = Play(play.position, play.dice, play.result)  # a play may have been told in another way
    chains = [word.partition("(")[0].replace("*", "").split("/") for word in str(canonical).split()]
    return any(chain[0] == "24" and (chain[-1] == "off" or int(chain[-1]) <= DEEP_RUN_END) for chain in chains)


# --- the engine -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of one play."""

    name: str
    raw: float
    weight: float

    @property
    def title(self) -> str:
        """What it is called in texts."""
        return TITLES[self.name]

    @property
    def contribution(self) -> float:
        """What it adds to the play's score."""
        return self.raw * self.weight + 0.0  # nothing is written 0, not -0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"name": self.name, "raw": self.raw, "weight": self.weight, "contribution": self.contribution}


@dataclass(frozen=True, slots=True)
class TenFactorPlay:
    """A play with its score and the ten factors that make it."""

    play: Play
    score: float
    difference: float  # how much worse than the best play; 0 for the best
    factors: tuple[Factor, ...]
    rank: int  # 1 for the best play

    def __getitem__(self, name: str) -> Factor:
        return self.factors[list(TITLES).index(name)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {"rank": self.rank} | self.play.to_dict()
        return data | {
            "score": self.score,
            "difference": self.difference,
            "factors": [factor.to_dict() for factor in self.factors],
        }


class TenFactor:
    """The engine."""

    name = "ten-factor"

    def __init__(self, settings: TenFactorSettings | None = None) -> None:
        self.settings = settings or TenFactorSettings()

    def rank(self, position: Position, dice: DiceLike) -> list[TenFactorPlay]:
        """Every legal play of a roll with its ten factors, best (highest) first."""
        roll = Dice.of(dice)
        if position.is_over:
            return []
        weights = self.settings.weights()
        found = _core.ten_factors(position.rows, roll.high, roll.low, weights)
        found.sort(key=lambda play: -play[2])
        return [
            TenFactorPlay(
                Play(position, roll, Position.from_rows(result)),
                score,
                found[0][2] - score,
                tuple(map(Factor, TITLES, raw, weights)),
                number,
            )
            for number, (result, raw, score) in enumerate(found, start=1)
        ]

    def analyze_play(self, play: Play) -> TenFactorPlay:
        """One play with its ten factors, and its place among all plays of its roll."""
        return entry_of(self.rank(play.position, play.dice), play)

    def text(self, ranked: Sequence[TenFactorPlay], *, top: int | None = None, named: Sequence[Play] = ()) -> str:
        """The ranking as text: the `top` plays, and those `named` however bad they are."""
        from kibitz.heuristics.text import ten_factor_text

        return ten_factor_text(ranked, top, named)

    def to_dict(self) -> dict[str, Any]:
        """Name and settings, as plain data for JSON."""
        return {"engine": self.name, "settings": self.settings.to_dict()}


def make(options: EngineOptions) -> TenFactor:
    """The engine that the command line asks for."""
    return TenFactor(TenFactorSettings.read(options.settings_file, options.assignments))
