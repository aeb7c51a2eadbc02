"""A reason: a theme with its part of the difference, and all that reasons are found in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.explain.contrasts import Contrast
from kibitz.explain.facts import Facts
from kibitz.explain.fragments import Anatomy
from kibitz.explain.ledger import Ledger, Share
from kibitz.explain.outcomes import Outcomes
from kibitz.explain.themes import Stakes, Theme
from kibitz.plain_json import PlainData
from kibitz.position import Position

LEAST_SHARE = 0.2
"""A reason carries at least this part of the difference."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A theme, the play that it speaks for (0 the first, 1 the second), its part of the difference, and its figures.

    `rolls` is the evidence of the ledger and `contrast` that of the counterfactual boards; one of them is there.
    `support` are further facts that the same moves bring about.
    """

    theme: Theme
    favours: int
    contribution: float
    share: float
    figures: dict[str, Any]
    rolls: Share | None = None
    contrast: Contrast | None = None
    support: tuple[Contrast, ...] = ()

    @property
    def by_need(self) -> bool:
        """Whether the contribution is what every play without the fact loses, and not what the moves gain."""
        return self.contrast is not None and self.contribution != self.contrast.gain

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "theme": self.theme.value,
            "favours": ("first", "second")[self.favours],
            "contribution": self.contribution,
            "share": self.share,
            "figures": {name: list(v) if isinstance(v, tuple) else v for name, v in self.figures.items()},
            "rolls": None if self.rolls is None else self.rolls.to_dict(),
            "contrast": None if self.contrast is None else self.contrast.to_dict(),
            "support": [one.to_dict() for one in self.support],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], anatomy: Anatomy) -> Reason:
        """What `to_dict` gave, with the counterfactual boards that it was found in."""
        return cls(
            Theme(data["theme"]),
            ("first", "second").index(data["favours"]),
            data["contribution"],
            data["share"],
            {name: tuple(value) if isinstance(value, list) else value for name, value in data["figures"].items()},
            None if data["rolls"] is None else Share.from_dict(data["rolls"]),
            None if data["contrast"] is None else Contrast.from_dict(data["contrast"], anatomy),
            tuple(Contrast.from_dict(one, anatomy) for one in data["support"]),
        )


@dataclass(frozen=True, slots=True)
class Reasons(PlainData):
    """What speaks for the better play, what speaks for the other, and how much of the difference the first explain."""

    named: tuple[Reason, ...] = ()
    counter: tuple[Reason, ...] = ()
    explained: float = 0.0

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], anatomy: Anatomy) -> Reasons:
        """What `to_dict` gave, with the counterfactual boards that they were found in."""
        named, counter = (tuple(Reason.from_dict(one, anatomy) for one in data[name]) for name in ("named", "counter"))
        return cls(named, counter, data["explained"])


@dataclass(frozen=True, slots=True)
class Case:
    """All that reasons are found in: the board before, the facts after each play, the rolls and the counterfactuals."""

    before: Position
    facts: tuple[Facts, Facts]
    ledger: Ledger
    anatomy: Anatomy
    contrasts: tuple[Contrast, ...]
    outcomes: Outcomes
    difference: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "difference", self.ledger.difference)

    @property
    def stakes(self) -> Stakes:
        """Whether wins or gammons make most of the difference."""
        parts = {
            Stakes.GAMES: self.outcomes.wins,
            Stakes.GAMMON_WON: self.outcomes.gammons_won,
            Stakes.GAMMON_LOST: self.outcomes.gammons_lost,
            Stakes.BACKGAMMON_LOST: self.outcomes.backgammons_lost,
        }
        return max(parts, key=lambda name: parts[name])

    @property
    def one_choice(self) -> bool:
        """Whether the plays differ in one move each."""
        return len(self.anatomy.first) == 1 == len(self.anatomy.second)
