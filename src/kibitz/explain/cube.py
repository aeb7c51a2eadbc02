"""Why double, why not, why take, why pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kibitz.cube import Cube, Owner
from kibitz.decision import CubeAction, CubeDecision, Question
from kibitz.explain.facts import Facts, facts_of
from kibitz.explain.references import Reference, references
from kibitz.explain.sequences import Swing, swing
from kibitz.match import MatchState
from kibitz.plain_json import picked

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine


@dataclass(frozen=True, slots=True)
class CubeExplanation:
    """A cube decision, the action in question, and the figures that speak for and against it.

    `chosen` is the action that is compared with the best one; None where only the best one is explained. The gammon
    prices are those of the doubled cube, of the doubler and of the taker: what a gammon adds to a win, in parts of the
    difference between winning and losing a single game. Money's is 0.5.
    """

    decision: CubeDecision
    chosen: CubeAction | None
    facts: Facts
    swing: Swing
    gammon_prices: tuple[float, float]
    references: tuple[Reference, ...]

    @property
    def best(self) -> CubeAction:
        """The proper action of the player who decides."""
        decision = self.decision
        if decision.question is Question.TAKE:
            return decision.answer
        return CubeAction.DOUBLE if decision.double else CubeAction.NO_DOUBLE

    @property
    def error(self) -> float:
        """What the chosen action costs, 0 if it is right or if none was chosen."""
        if self.chosen is None:
            return 0.0
        key = {CubeAction.NO_DOUBLE: "no_double", CubeAction.BEAVER: "take"}.get(self.chosen, self.chosen.value)
        return -self.decision.errors.get(key, 0.0)

    @property
    def words(self) -> str:
        """The explanation in a few sentences."""
        from kibitz.explain.cube_words import cube_words

        return cube_words(self)

    @property
    def reason(self) -> str:
        """The words without the verdict, for those who have told it already."""
        from kibitz.explain.cube_words import cube_reason

        return cube_reason(self)

    @property
    def themes(self) -> tuple[str, ...]:
        """Cube decisions have no themes."""
        return ()

    def __str__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        from kibitz.report.explanations import explanation_html

        return explanation_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        prices = {"doubler": self.gammon_prices[0], "taker": self.gammon_prices[1]}
        data = picked(self, "decision", "best", "chosen", "error", "words", "reason", "facts", "swing")
        return data | {"gammon_prices": prices} | picked(self, "references")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CubeExplanation:
        """What `to_dict` gave."""
        prices = data["gammon_prices"]
        return cls(
            CubeDecision.from_dict(data["decision"]),
            None if data["chosen"] is None else CubeAction(data["chosen"]),
            Facts.from_dict(data["facts"]),
            Swing.from_dict(data["swing"]),
            (prices["doubler"], prices["taker"]),
            tuple(map(Reference.from_dict, data["references"])),
        )


def explain_cube(engine: Engine, decision: CubeDecision, chosen: CubeAction | str | None = None) -> CubeExplanation:
    """Why the proper cube action is right, or what is wrong with the chosen one."""
    position, match = decision.state.position, decision.match
    return CubeExplanation(
        decision=decision,
        chosen=None if chosen is None else CubeAction(chosen),
        facts=facts_of(position.swapped()),
        swing=swing(engine, position, match),
        gammon_prices=gammon_prices(engine, match),
        references=references(decision),
    )


def gammon_prices(engine: Engine, match: MatchState) -> tuple[float, float]:
    """What a gammon is worth at the doubled cube to the doubler and to the taker; money's is 0.5.

    With the cube of now where it cannot be doubled any more.
    """
    value = 2 * match.cube.value
    turned = match if value > match.max_cube or match.crawford else replace(match, cube=Cube(value, Owner.THEIRS))
    model = engine.model(turned)

    def worth(*chances: float) -> float:
        win, gammon, backgammon, lose_gammon, lose_backgammon = chances
        return model.dead((win, gammon, backgammon, lose_gammon, lose_backgammon), 0, model.present)

    win, loss = worth(1, 0, 0, 0, 0), worth(0, 0, 0, 0, 0)
    span = win - loss
    if span <= 0:
        return 0.0, 0.0
    return (worth(1, 1, 0, 0, 0) - win) / span, (loss - worth(0, 0, 0, 1, 0)) / span
