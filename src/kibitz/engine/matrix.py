"""Score matrices: one decision at all scores up to n points away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kibitz.cube import Cube
from kibitz.dice import DiceLike
from kibitz.engine.engine import Engine
from kibitz.engine.results import CubeDecision, RankedPlay
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.position import Position

MAX_MATRIX = 25


@dataclass(frozen=True, slots=True)
class Score:
    """Points that each side needs, and whether it is the Crawford game."""

    my_away: int
    their_away: int
    crawford: bool = False

    def match(self, like: MatchState) -> MatchState:
        """A match at this score with the same cube and variant."""
        length = max(self.my_away, self.their_away)
        return MatchState(
            length=length,
            my_score=length - self.my_away,
            their_score=length - self.their_away,
            cube=Cube() if self.crawford else like.cube,
            crawford=self.crawford,
            max_cube=like.max_cube,
            variant=like.variant,
        )


def scores_up_to(away: int) -> list[Score]:
    """All scores, row by row. Where one side needs one point, the game after Crawford is meant."""
    if not 1 <= away <= MAX_MATRIX:
        raise EngineError(f"a matrix reaches 1 to {MAX_MATRIX} points away, not {away}")
    return [Score(mine, theirs) for mine in range(1, away + 1) for theirs in range(1, away + 1)]


@dataclass(frozen=True, slots=True)
class CubeCell:
    """The decision at one score."""

    score: Score
    decision: CubeDecision

    @property
    def code(self) -> str:
        """Two letters for a table: ND, DT, DP, TG (too good), O for optional, -- for a cube that is not available."""
        decision = self.decision
        if not decision.available:
            return "--"
        answer = "T" if decision.take else "P"
        if decision.too_good:
            return "TG"
        return ("O" if decision.optional else "D" if decision.double else "N") + (answer if decision.double else "D")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "my_away": self.score.my_away,
            "their_away": self.score.their_away,
            "code": self.code,
            "decision": self.decision.to_dict(),
        }


def cube_matrix(
    engine: Engine, position: Position, away: int, *, match: MatchState | None = None, plies: int | None = None
) -> list[CubeCell]:
    """The cube decision at all scores up to `away`, with the cube as in `match`."""
    like = match or MatchState()
    return [
        CubeCell(score, engine.cube(position, match=score.match(like), plies=plies)) for score in scores_up_to(away)
    ]


@dataclass(frozen=True, slots=True)
class PlayCell:
    """The best plays at one score."""

    score: Score
    plays: tuple[RankedPlay, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "my_away": self.score.my_away,
            "their_away": self.score.their_away,
            "plays": [play.to_dict() for play in self.plays],
        }


def play_matrix(
    engine: Engine,
    position: Position,
    dice: DiceLike,
    away: int,
    *,
    match: MatchState | None = None,
    plies: int | None = None,
    top: int = 3,
) -> list[PlayCell]:
    """The best plays of a roll at all scores up to `away`."""
    like = replace(match or MatchState(), length=0, my_score=0, their_score=0, crawford=False)
    return [
        PlayCell(score, tuple(engine.rank(position, dice, match=score.match(like), plies=plies)[:top]))
        for score in scores_up_to(away)
    ]
