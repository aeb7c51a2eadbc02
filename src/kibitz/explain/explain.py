"""One door: explain a decision against the chosen option, or whatever a state asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from kibitz.decision import CubeAction, CubeDecision, Decision, PlayDecision, Question, question_of
from kibitz.dice import Dice, DiceLike
from kibitz.engine.settings import SearchOptions
from kibitz.errors import EngineError, IllegalPlayError, NotationError
from kibitz.explain.cube import CubeExplanation, explain_cube
from kibitz.explain.plays import PlayExplanation, explain_pair, explain_play
from kibitz.match import MatchState
from kibitz.move import Play
from kibitz.notation import parse
from kibitz.notation.plays import parse_play
from kibitz.position import Position
from kibitz.state import Offer, State

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine

Explanation = PlayExplanation | CubeExplanation
Chosen = Play | Position | CubeAction | str | None
"""The option that was chosen: a play, the position that it leads to, or a cube action."""


def explain_decision(engine: Engine, decision: Decision, chosen: Chosen = None) -> Explanation:
    """Why the best option of a decision is right and the chosen one is not; without one, why it beats the next best."""
    if isinstance(decision, PlayDecision):
        if isinstance(chosen, CubeAction):
            raise EngineError(f"a play was decided, not the cube: expected a play, not {chosen.value!r}")
        return explain_play(engine, decision, chosen)
    if isinstance(decision, CubeDecision):
        if isinstance(chosen, Play | Position):
            raise EngineError("the cube was decided, not a play: expected an action such as 'take'")
        return explain_cube(engine, decision, None if chosen is None else action_of(chosen))
    raise EngineError("there is no explanation of resignations: their two equities say all")


def explanation_from_dict(data: Mapping[str, Any]) -> Explanation:
    """An explanation of either kind from what its `to_dict` gave."""
    return CubeExplanation.from_dict(data) if "swing" in data else PlayExplanation.from_dict(data)


def action_of(text: CubeAction | str) -> CubeAction:
    """A cube action by its name."""
    known = (CubeAction.NO_DOUBLE, CubeAction.DOUBLE, CubeAction.TAKE, CubeAction.PASS, CubeAction.BEAVER)
    word = str(text).strip().lower()
    word = {"redouble": "double", "no redouble": "no double", "drop": "pass"}.get(word, word)
    if word not in [action.value for action in known]:
        names = ", ".join(action.value for action in known)
        raise NotationError(f"expected a cube action, one of {names}, not {str(text)!r}")
    return CubeAction(word)


def explain(
    where: State | Position | str,
    dice: DiceLike | None = None,
    *options: Play | str,
    engine: Engine | None = None,
    match: MatchState | None = None,
    **search: Unpack[SearchOptions],
) -> Explanation:
    """Why the best answer to what a state asks for is best.

    With dice a play is explained: against the next best one, against the one given, or of two given ones the better
    against the other. Without dice the cube is: one option may be given, the action that was chosen.

    >>> import kibitz
    >>> print(kibitz.explain("4HPwATDgc/ABMA", "31", "24/20"))  # doctest: +SKIP
    """
    state = state_of(where, dice, match)
    if engine is None:
        from kibitz.engine.engine import Engine

        engine = Engine()
    engine = engine.changed(**search)
    if question_of(state) is not Question.PLAY:
        if len(options) > 1:
            raise EngineError(f"expected at most one cube action, not {len(options)}")
        chosen = options[0] if options else None
        return explain_decision(engine, engine.answer(state), chosen)
    if len(options) > 2:
        raise EngineError(f"expected at most two plays to compare, not {len(options)}")
    assert state.dice is not None
    plays = [parse_play(one, state.position, state.dice) if isinstance(one, str) else one for one in options]
    decision = engine.rank(state, play=plays)
    if len(plays) < 2:
        return explain_play(engine, decision, plays[0] if plays else None)
    one, other = (decision.find(play) for play in plays)
    if one is None or other is None:
        raise IllegalPlayError(f"expected two legal plays of {state.dice}, not {options[0]} and {options[1]}")
    if one is other:
        raise IllegalPlayError(f"expected two different plays: {options[0]} and {options[1]} lead to the same position")
    return explain_pair(engine, decision, one, other)


def state_of(where: State | Position | str, dice: DiceLike | None, match: MatchState | None) -> State:
    """What is asked about, as a state."""
    if isinstance(where, str):
        where = parse(where)
    if isinstance(where, Position):
        return State(where, match or MatchState(), None if dice is None else Dice.of(dice))
    if match is not None:
        raise EngineError("a State brings its match: `match` goes with a Position")
    return where if dice is None else replace(where, dice=Dice.of(dice), offer=Offer.NONE)
