"""What the player on roll does with each of the 21 rolls, and what that is worth to him."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.decision import Evaluation
from kibitz.dice import Dice
from kibitz.position import Position


@dataclass(frozen=True, slots=True)
class RollReply:
    """A roll, the best play of it, and its worth to the player who rolled.

    `result` is seen by his opponent. `held` is the utility with the cube where it is, as the cube model counts it;
    `doubled` is the same, in units of the doubled cube, had he doubled before the roll. It is None where he may not.
    """

    dice: Dice
    result: Position
    evaluation: Evaluation
    held: float
    doubled: float | None

    def __str__(self) -> str:
        return f"{self.dice}: to {self.result.id}, held {self.held:+.4f} ({self.evaluation})"

    def _repr_html_(self) -> str:
        from kibitz.report.decisions import evaluation_html

        return f"<p>{self.dice}: to {self.result.id}, held {self.held:+.4f}</p>{evaluation_html(self.evaluation)}"
