"""What the engine says of a position: five probabilities and the equity they amount to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Probabilities for the player on roll, before the dice. Gammons include backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    @classmethod
    def of(cls, outputs: Sequence[float]) -> Evaluation:
        """An evaluation from the five outputs, in their order."""
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (float(value) for value in outputs)
        return cls(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)

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

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "win": self.win,
            "win_gammon": self.win_gammon,
            "win_backgammon": self.win_backgammon,
            "lose_gammon": self.lose_gammon,
            "lose_backgammon": self.lose_backgammon,
            "cubeless_equity": self.equity,
        }
