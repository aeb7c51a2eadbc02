"""How a difference in equity splits into wins, gammons, backgammons and the cube."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kibitz.decision import Evaluation
from kibitz.explain.ledger import Ledger
from kibitz.match import MatchState

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine

NAMES = ("wins", "gammons_won", "backgammons_won", "gammons_lost", "backgammons_lost")
"""The parts in the order of the five chances."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The difference of two plays by the kinds of results, in equity at the score. The parts sum to the difference.

    Each part is what the change of that chance alone is worth with a dead cube, which is linear in the chances. `cube`
    is the rest: what cubes that are still to be turned add. Gammons count in full under the Jacoby rule too, for few
    games end in a gammon before somebody has turned the cube; what the rule takes from them is in `cube`.
    """

    first: Evaluation
    second: Evaluation
    wins: float
    gammons_won: float
    backgammons_won: float
    gammons_lost: float
    backgammons_lost: float
    cube: float

    @property
    def cubeless(self) -> float:
        """The difference with a dead cube."""
        return self.wins + self.gammons_won + self.backgammons_won + self.gammons_lost + self.backgammons_lost

    @property
    def difference(self) -> float:
        """The difference with the cube."""
        return self.cubeless + self.cube

    @property
    def gammons(self) -> float:
        """All that gammons and backgammons add, won and lost."""
        return self.cubeless - self.wins

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in NAMES} | {
            "cube": self.cube,
            "cubeless": self.cubeless,
            "difference": self.difference,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Outcomes:
        """What `to_dict` gave."""
        first, second = Evaluation.from_dict(data["first"]), Evaluation.from_dict(data["second"])
        return cls(first, second, **{name: data[name] for name in NAMES}, cube=data["cube"])


def outcomes_of(engine: Engine, ledger: Ledger, match: MatchState) -> Outcomes:
    """The split of a ledger's difference."""
    first, second = ledger.first.evaluation, ledger.second.evaluation
    parts = dict(zip(NAMES, dead_parts(engine, match, first, second), strict=True))
    return Outcomes(first, second, **parts, cube=ledger.difference - sum(parts.values()))


def dead_parts(engine: Engine, match: MatchState, first: Evaluation, second: Evaluation) -> list[float]:
    """What each of the five chances adds to the difference of two evaluations with a dead cube."""
    model = engine.model(replace(match, jacoby=False) if match.jacoby else match)

    def worth(chances: list[float]) -> float:
        win, gammon, backgammon, lose_gammon, lose_backgammon = chances
        five = (win, gammon, backgammon, lose_gammon, lose_backgammon)
        return model.normalised(model.dead(five, 0, model.present), 0)

    better, chances = list(first), list(second)
    parts, before = [], worth(chances)
    for index in range(len(chances)):
        chances[index] = better[index]
        after = worth(chances)
        parts.append(after - before)
        before = after
    return parts
