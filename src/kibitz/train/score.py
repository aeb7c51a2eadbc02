"""Scoring a net on judged decisions: what its choices lose per decision. For measuring, never for training."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.errors import FormatError
from kibitz.notation.plays import parse_play
from kibitz.position import Position

JUDGE_PLIES = 4
"""Only plays that the judge looked at this deeply are candidates."""


@dataclass(frozen=True, slots=True)
class Score:
    """The mean loss in thousandths of a point per decision, with its standard error."""

    mean: float
    error: float
    decisions: int

    @classmethod
    def of(cls, losses: npt.NDArray[np.float64]) -> Score:
        """The score of a set of losses in points."""
        count = len(losses)
        return (
            cls(1000.0 * float(losses.mean()), 1000.0 * float(losses.std()) / count**0.5, count)
            if count
            else cls(0, 0, 0)
        )

    def __str__(self) -> str:
        return f"{self.mean:.3f} +-{self.error:.3f} mEq/decision ({self.decisions:,} decisions)"


class JudgedDecisions:
    """Decisions whose candidate plays have a judge's cubeless equities.

    A file has one JSON object a line: `pid` Position ID, `dice`, `moves` = [notation, plies, cubeful equity,
    [win, wg, wbg, lose, lg, lbg]].
    """

    def __init__(self, path: Path) -> None:
        boards: list[npt.NDArray[np.uint8]] = []
        equities: list[float] = []
        starts = [0]
        contact: list[bool] = []
        self.positions: list[Position] = []
        self.dice: list[tuple[int, int]] = []
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    decision = json.loads(line)
                    position = Position.from_id(decision["pid"])
                    judged = [move for move in decision["moves"] if move[1] == JUDGE_PLIES]
                    if len(judged) < 2:
                        continue
                    for notation, _, _, (win, wg, wbg, lose, lg, lbg) in judged:
                        boards.append(parse_play(notation, position, tuple(decision["dice"])).result.board)
                        equities.append(win - lose + wg - lg + wbg - lbg)
                except (KeyError, ValueError, TypeError, IndexError) as error:
                    raise FormatError(f"{path}:{number}: no judged decision ({error})") from None
                self.positions.append(position)
                self.dice.append(tuple(decision["dice"]))
                contact.append(position.in_contact)
                starts.append(len(boards))
        self.boards: npt.NDArray[np.uint8] = np.stack(boards)
        self.equities = np.array(equities)
        self.starts = np.array(starts)
        self.contact = np.array(contact)

    def losses(self, evaluator: _core.Evaluator) -> npt.NDArray[np.float64]:
        """What the evaluator's choice among the judged plays loses, decision by decision."""
        outputs = evaluator.evaluate_batch(self.boards).astype(np.float64)
        theirs = 2.0 * outputs[:, 0] - 1.0 + outputs[:, 1] - outputs[:, 3] + outputs[:, 2] - outputs[:, 4]
        # Equal plays are told apart as the engine does it: fewer checkers left, fewer pips, more checkers home.
        mine = self.boards[:, 1]
        left = mine.sum(axis=1) * 1000.0 + mine @ np.arange(1.0, 26.0) - 0.01 * mine[:, :6].sum(axis=1)
        return self.losses_of(-theirs - 1e-12 * left)

    def losses_of(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The same for any values of all candidates, from the side of the one who plays."""
        losses = np.zeros(len(self.positions))
        for number, (start, end) in enumerate(zip(self.starts, self.starts[1:], strict=False)):
            judged = self.equities[start:end]
            losses[number] = judged.max() - judged[values[start:end].argmax()]
        return losses

    def score(self, evaluator: _core.Evaluator) -> dict[str, Score]:
        """Scores over all decisions, those with contact and the races."""
        losses = self.losses(evaluator)
        return {
            "all": Score.of(losses),
            "contact": Score.of(losses[self.contact]),
            "race": Score.of(losses[~self.contact]),
        }


def curve_score(decisions: JudgedDecisions, evaluator: _core.Evaluator) -> dict[str, Any]:
    """The scores as a line of a learning curve has them."""
    scores = decisions.score(evaluator)
    return {"meq": round(scores["all"].mean, 3), **{part: round(scores[part].mean, 3) for part in ("contact", "race")}}
