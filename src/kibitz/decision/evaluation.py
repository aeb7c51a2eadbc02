"""What is said of a position: five chances and the equity they amount to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz.plain_json import PlainData

_NAMES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


@dataclass(frozen=True, slots=True)
class PositionClass(PlainData):
    """The class of a position and who answers for it at 0 plies.

    `name` is over, bearoff two-sided, bearoff one-sided, race, crashed, contact, or a hypergammon. `source` is result,
    table or net; `answered_by` names the table or the net; `on_disk` says that the table is a mapped file.
    """

    name: str
    source: str
    answered_by: str
    on_disk: bool = False

    def __str__(self) -> str:
        if self.source == "result":
            return self.name
        if self.source != "table":
            return f"{self.name}, answered by the {self.answered_by}"
        return f"{self.name}, answered by the table {self.answered_by} {'on disk' if self.on_disk else 'in memory'}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Chances of the player on roll, before the dice. Gammons include backgammons.

    What `Engine.evaluate` gives also tells the class of the position and who answered for it, `position_class`.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float
    position_class: PositionClass | None = field(default=None, compare=False, repr=False, kw_only=True)

    @classmethod
    def of(cls, outputs: Sequence[float]) -> Evaluation:
        """An evaluation from the five outputs, in their order."""
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (float(value) for value in outputs)
        return cls(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)

    def __iter__(self) -> Iterator[float]:
        """The five outputs, in their order."""
        yield from (self.win, self.win_gammon, self.win_backgammon, self.lose_gammon, self.lose_backgammon)

    @property
    def lose(self) -> float:
        """The chance to lose."""
        return 1.0 - self.win

    @property
    def equity(self) -> float:
        """Cubeless money equity: the points per game that these chances are worth with the cube at 1 and dead."""
        gammons = self.win_gammon - self.lose_gammon
        return 2.0 * self.win - 1.0 + gammons + self.win_backgammon - self.lose_backgammon

    def swapped(self) -> Evaluation:
        """The same chances, seen by the opponent."""
        return Evaluation(1.0 - self.win, self.lose_gammon, self.lose_backgammon, self.win_gammon, self.win_backgammon)

    def __str__(self) -> str:
        wins = f"wins {100 * self.win:.1f} % ({100 * self.win_gammon:.1f}, {100 * self.win_backgammon:.1f})"
        losses = f"loses {100 * self.lose:.1f} % ({100 * self.lose_gammon:.1f}, {100 * self.lose_backgammon:.1f})"
        return f"{wins}, {losses}, cubeless {self.equity:+.4f}"

    def _repr_html_(self) -> str:
        from kibitz.report.decisions import evaluation_html

        return evaluation_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in _NAMES} | {"cubeless_equity": self.equity}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Evaluation:
        """What `to_dict` gave."""
        return cls(*(data[name] for name in _NAMES))


def opponents_chance(mwc: float | None) -> float | None:
    """The other side's chance to win the match; None in a money game."""
    return None if mwc is None else 1.0 - mwc


@dataclass(frozen=True, slots=True)
class ChanceErrors:
    """The standard errors of five chances that a rollout found; not a number where too few games tell none."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def known(self) -> bool:
        """Whether there were games enough to tell."""
        return not math.isnan(self.win)

    def to_dict(self) -> dict[str, float | None]:
        """Plain data for JSON; what is not known is null."""
        return {name: None if math.isnan(value := getattr(self, name)) else value for name in _NAMES}
