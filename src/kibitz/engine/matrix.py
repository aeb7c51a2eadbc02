"""Score matrices: one decision at all scores up to n points away, the Crawford game and those after it apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Unpack

from kibitz.cube import Cube
from kibitz.decision import CubeDecision, Decision, PlayDecision
from kibitz.engine.engine import Cancellation, Engine
from kibitz.engine.settings import SearchOptions
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.state import Offer, State

MAX_MATRIX = 25
CRAWFORD, POST_CRAWFORD = "C", "PC"
"""The two columns in which a side needs one point: the Crawford game, and the games after it."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The decision at one score. Rows are what the player on roll needs, columns what the opponent needs."""

    decision: Decision

    @property
    def match(self) -> MatchState:
        """The score."""
        return self.decision.state.match

    @property
    def row(self) -> str:
        """The label of its row."""
        return _label(self.match.my_away, self.match)

    @property
    def column(self) -> str:
        """The label of its column."""
        return _label(self.match.their_away, self.match)

    @property
    def code(self) -> str:
        """A cube decision in two letters: ND, DT, DP, TG (too good), O for optional, -- for no cube; or the play."""
        decision = self.decision
        if not isinstance(decision, CubeDecision):
            return decision.best
        if not decision.available:
            return "--"
        if decision.too_good:
            return "TG"
        if not decision.double:
            return "ND"
        return ("O" if decision.optional else "D") + ("T" if decision.take else "P")

    def __str__(self) -> str:
        return f"{self.row} to {self.column} away: {self.code}"

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>{self.decision._repr_html_()}"

    def to_dict(self, *, top: int = 3) -> dict[str, Any]:
        """Plain data for JSON; `top` limits the plays."""
        decision = self.decision
        return {
            "my_away": self.match.my_away,
            "their_away": self.match.their_away,
            "crawford": self.match.crawford,
            "post_crawford": self.match.post_crawford,
            "code": self.code,
            "decision": decision.to_dict(top=top) if isinstance(decision, PlayDecision) else decision.to_dict(),
        }


def matrix(
    engine: Engine,
    state: State,
    away: int,
    *,
    cancellation: Cancellation | None = None,
    **search: Unpack[SearchOptions],
) -> list[MatrixCell]:
    """What the state asks for at all scores up to `away`, with the cube as it is in the state.

    With dice that is the best play, without them the cube decision. A cancelled one raises EngineError.
    """
    cells = []
    for one in _states(state, away):
        cells.append(MatrixCell(engine.answer(one, cancellation=cancellation, **search)))
        if cancellation is not None and cancellation.cancelled:
            raise EngineError("the matrix was cancelled")
    return cells


def _states(state: State, away: int) -> Iterator[State]:
    """The state at all scores, row by row; the Crawford game before those after it."""
    if not 1 <= away <= MAX_MATRIX:
        raise EngineError(f"a matrix reaches 1 to {MAX_MATRIX} points away, not {away}")
    for mine in range(1, away + 1):
        for theirs in range(1, away + 1):
            kinds = (True, False) if (mine == 1) != (theirs == 1) else (False,)
            for crawford in kinds:
                length = max(mine, theirs)
                like = state.match
                match = MatchState(
                    length=length,
                    my_score=length - mine,
                    their_score=length - theirs,
                    cube=Cube() if crawford else like.cube,
                    crawford=crawford,
                    max_cube=like.max_cube,
                    variant=like.variant,
                )
                yield replace(state, match=match, offer=Offer.NONE)


def labels(away: int) -> list[str]:
    """The labels of the rows and columns of a matrix."""
    return [CRAWFORD, POST_CRAWFORD, *map(str, range(2, away + 1))]


def _label(away: int, match: MatchState) -> str:
    if away > 1:
        return str(away)
    return CRAWFORD if match.crawford else POST_CRAWFORD
