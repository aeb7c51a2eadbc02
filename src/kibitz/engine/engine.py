"""The engine: judges positions, ranks plays, decides about the cube."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.dice import Dice, DiceLike
from kibitz.engine.evaluation import Evaluation
from kibitz.engine.networks import SHIPPED, evaluator_of
from kibitz.errors import EngineError
from kibitz.play import Play
from kibitz.position import Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play with its worth for the one who makes it. `difference` is the distance to the best play, 0 or negative."""

    play: Play
    equity: float
    evaluation: Evaluation
    plies: int
    difference: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            **self.play.to_dict(),
            "equity": self.equity,
            "difference": self.difference,
            "plies": self.plies,
            "evaluation": self.evaluation.to_dict(),
        }


class Engine:
    """The neural engine with the shipped nets, or with those of another folder."""

    def __init__(self, *, nets: Path | str | None = None) -> None:
        self._evaluator = evaluator_of(SHIPPED if nets is None else Path(nets))

    def evaluate(self, position: Position) -> Evaluation:
        """The chances of the player on roll, by the net or the exact tables alone."""
        return Evaluation.of(self.evaluate_batch(position.board[None])[0].tolist())

    def evaluate_batch(self, boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        """Many boards at once: uint8 (n, 2, 25), row 0 the player on roll, to float32 (n, 5)."""
        import numpy as np

        boards = np.ascontiguousarray(boards, dtype=np.uint8)
        if boards.ndim != 3 or boards.shape[1:] != (2, 25):
            raise EngineError(f"boards have the shape (n, 2, 25), not {boards.shape}")
        if boards.size and boards.sum(axis=2, dtype=np.int64).max() > 15:
            raise EngineError("a board has more than 15 checkers on one side")
        return self._evaluator.evaluate_batch(boards)

    def rank(self, position: Position, dice: DiceLike, *, plies: int = 0) -> list[RankedPlay]:
        """All plays of a roll, best first, by cubeless equity."""
        if plies != 0:
            raise EngineError("only 0 plies are available")
        roll = Dice.of(dice)
        ranked: list[RankedPlay] = []
        if position.is_over:
            return ranked
        for rows, outputs in self._evaluator.rank_results(position._rows, roll.high, roll.low):
            evaluation = Evaluation.of(outputs)
            best = ranked[0].equity if ranked else evaluation.equity
            play = Play._between(position, roll, Position._unchecked(rows))
            ranked.append(RankedPlay(play, evaluation.equity, evaluation, 0, evaluation.equity - best))
        return ranked
