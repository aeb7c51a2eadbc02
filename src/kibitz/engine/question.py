"""What a moment of a game asks for, and the answer: a play, a double, a take, or what to do about a resignation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from kibitz.cube import Cube, Owner
from kibitz.dice import DiceLike
from kibitz.engine.engine import Cancellation, Engine, cube_model
from kibitz.engine.filters import MoveFilter
from kibitz.engine.results import CubeDecision, RankedPlay
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.play import Play
from kibitz.position import Position
from kibitz.state import Offer, State


class Question(StrEnum):
    """What has to be decided."""

    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    RESIGNATION = "resignation"


_RESIGNATIONS = {Offer.RESIGN_SINGLE: 1, Offer.RESIGN_GAMMON: 2, Offer.RESIGN_BACKGAMMON: 3}


def question_of(state: State) -> Question:
    """What the state asks for. A beaver or raccoon is answered like a double."""
    if state.offer in _RESIGNATIONS:
        return Question.RESIGNATION
    if state.offer is not Offer.NONE:
        return Question.TAKE
    return Question.PLAY if state.dice is not None else Question.DOUBLE


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to lose so many times the cube. Equities are those of the player who has to answer."""

    size: int
    accepted: float
    played_on: float

    @property
    def accept(self) -> bool:
        """Whether accepting is right."""
        return self.accepted >= self.played_on

    @property
    def action(self) -> str:
        """The proper answer in words."""
        return "accept the resignation" if self.accept else "decline the resignation and play on"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "size": self.size,
            "accept": self.accept,
            "action": self.action,
            "accepted": self.accepted,
            "played_on": self.played_on,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """The state, what it asks for, and one of the three kinds of answer."""

    state: State
    question: Question
    plays: tuple[RankedPlay, ...] = ()
    cube: CubeDecision | None = None
    resignation: Resignation | None = None

    @property
    def best(self) -> str:
        """What to do, in words."""
        if self.question is Question.PLAY:
            return str(self.plays[0].play) if self.plays else "no play"
        if self.resignation is not None:
            return self.resignation.action
        assert self.cube is not None
        if self.question is Question.DOUBLE:
            return self.cube.action
        return "beaver" if self.cube.beaver else "take" if self.cube.take else "pass"

    def to_dict(self, *, top: int | None = None) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {"question": self.question.value, "best": self.best, "state": self.state.to_dict()}
        if self.question is Question.PLAY:
            data["plays"] = [one.to_dict() for one in self.plays[:top]]
        if self.cube is not None:
            data["cube"] = self.cube.to_dict()
        if self.resignation is not None:
            data["resignation"] = self.resignation.to_dict()
        return data


def answer(
    engine: Engine,
    state: State,
    *,
    plies: int | None = None,
    cubeful: bool | None = None,
    filter: str | MoveFilter | None = None,
    time: float | None = None,
    play: Play | str | Sequence[Play | str] = (),
    cancellation: Cancellation | None = None,
) -> Answer:
    """The engine's answer to what the state asks for."""
    if state.position.is_over:
        raise EngineError("the game is over: there is nothing to decide")
    question = question_of(state)
    if question is Question.PLAY:
        assert state.dice is not None
        ranked = engine.rank(
            state.position,
            state.dice,
            match=state.match,
            plies=plies,
            cubeful=cubeful,
            filter=filter,
            time=time,
            play=play,
            cancellation=cancellation,
        )
        return Answer(state, question, tuple(ranked))
    if question is Question.RESIGNATION:
        size = _RESIGNATIONS[state.offer]
        found = weigh_resignation(engine, state.position, state.match, size, dice=state.dice, plies=plies)
        return Answer(state, question, resignation=found)
    match = state.match
    if state.offer in (Offer.BEAVER, Offer.RACCOON):
        # The cube that is offered is worth twice the one that was turned before; who doubled decides as for a double.
        match = replace(match, cube=Cube(match.cube.value, Owner.CENTRED))
    decision = engine.cube(state.position, match=match, plies=plies, cancellation=cancellation)
    if question is Question.TAKE and not decision.available:
        decision = _unusual_double(engine, state.position, match, decision, plies)
    return Answer(state, question, cube=decision)


def _unusual_double(
    engine: Engine, position: Position, match: MatchState, decision: CubeDecision, plies: int | None
) -> CubeDecision:
    """A double that no sensible player would make still has to be answered: look at the doubled cube itself."""
    turned = replace(
        match, cube=Cube(2 * match.cube.value, Owner.THEIRS), max_cube=max(match.max_cube, 2 * match.cube.value)
    )
    after = engine.cube(position, match=turned, plies=plies)
    if match.is_money:
        return replace(decision, double_take=2 * after.no_double, available=True)
    assert after.mwc is not None and decision.mwc is not None
    model = cube_model(match, engine.met)
    chance = after.mwc["no_double"]
    mwc = decision.mwc | {"double_take": chance}
    return replace(decision, double_take=model.normalised(2 * chance - 1, 0), available=True, mwc=mwc)


def weigh_resignation(
    engine: Engine,
    position: Position,
    match: MatchState,
    size: int,
    *,
    dice: DiceLike | None = None,
    plies: int | None = None,
) -> Resignation:
    """Whether the opponent should accept that the player on roll gives up `size` times the cube."""
    if not 1 <= size <= 3:
        raise EngineError(f"a resignation is for 1, 2 or 3 times the cube, not {size}")
    ranked = engine.rank(position, dice, match=match, plies=plies) if dice is not None else []
    mine = ranked[0].equity if ranked else engine.cube(position, match=match, plies=plies).equity
    if match.is_money:
        accepted = float(size)
    else:
        model = cube_model(match, engine.met)
        table = engine.met.reaching(max(match.my_away, match.their_away))._core_table
        chance = table.after_game(match.my_away, match.their_away, -size * match.cube.value)
        accepted = -model.normalised(2 * chance - 1, 0)
    return Resignation(size, accepted, -mine)
