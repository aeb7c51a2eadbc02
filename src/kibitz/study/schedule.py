"""When a card is asked again: FSRS, by its reference package, and how an answer is graded by the equity it lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import fsrs

from kibitz.errors import LibraryError
from kibitz.plain_json import PlainData

STATE_COLUMNS = ("state", "step", "stability", "difficulty", "due", "last_review")
"""What the schedule knows of a card."""


@dataclass(frozen=True, slots=True)
class DeckSettings(PlainData):
    """How the cards of a deck are scheduled and graded.

    An answer that loses at most `good` is good, at most `hard` hard, and else the card comes again soon. One that loses
    nothing within `quick` seconds was easy. `retention` is the chance to know a card that the schedule aims at.
    """

    retention: float = 0.9
    maximum_interval: int = 36500
    new_per_day: int = 20
    good: float = 0.02
    hard: float = 0.05
    quick: float = 8.0

    def __post_init__(self) -> None:
        if not 0.5 <= self.retention < 1.0:
            raise LibraryError(f"a retention is from 0.5 to below 1, not {self.retention}")
        if not 0.0 <= self.good <= self.hard:
            raise LibraryError(f"what is good loses no more than what is hard: {self.good} and {self.hard}")
        if self.maximum_interval < 1 or self.new_per_day < 0:
            raise LibraryError("an interval has at least a day, and no day has fewer than no new cards")

    def grade(self, lost: float, seconds: float | None = None) -> fsrs.Rating:
        """The grade of an answer."""
        if lost <= 1e-9 and seconds is not None and seconds <= self.quick:
            return fsrs.Rating.Easy
        if lost <= self.good:
            return fsrs.Rating.Good
        return fsrs.Rating.Hard if lost <= self.hard else fsrs.Rating.Again

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DeckSettings:
        """What `to_dict` gave; what is missing is as by default."""
        known = {item.name for item in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})


def scheduler(settings: DeckSettings) -> fsrs.Scheduler:
    """The schedule of a deck. Intervals are not shaken: the same answers give the same dates."""
    return fsrs.Scheduler(
        desired_retention=settings.retention, maximum_interval=settings.maximum_interval, enable_fuzzing=False
    )


def new_state(card_id: int, at: datetime) -> dict[str, Any]:
    """What the schedule knows of a card that was never asked."""
    return card_state(fsrs.Card(card_id=card_id, due=at))


def card_state(card: fsrs.Card) -> dict[str, Any]:
    """A card of the schedule as columns."""
    return {
        "state": card.state.value,
        "step": card.step,
        "stability": card.stability,
        "difficulty": card.difficulty,
        "due": card.due,
        "last_review": card.last_review,
    }


def to_card(card_id: int, state: Mapping[str, Any]) -> fsrs.Card:
    """Columns as a card of the schedule."""
    values = {name: state[name] for name in STATE_COLUMNS}
    return fsrs.Card(card_id=card_id, **(values | {"state": fsrs.State(values["state"])}))


def after(
    settings: DeckSettings, card_id: int, state: Mapping[str, Any], rating: fsrs.Rating, at: datetime
) -> dict[str, Any]:
    """What the schedule knows after an answer."""
    card, _ = scheduler(settings).review_card(to_card(card_id, state), rating, at)
    return card_state(card)


def plain_state(state: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of the schedule as plain data for JSON."""
    return {
        name: state[name].isoformat() if isinstance(state[name], datetime) else state[name] for name in STATE_COLUMNS
    }
