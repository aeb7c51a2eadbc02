"""kibitz hint by the neural engine: plays, doubles, takes and resignations."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, TypedDict

from kibitz.cli.common import board_text, print_json
from kibitz.cli.neural import make_engine, seconds_of
from kibitz.decision import Decision, Question, question_of
from kibitz.engine.engine import Engine
from kibitz.errors import EngineError, NotationError
from kibitz.move import Play
from kibitz.state import State

if TYPE_CHECKING:
    from kibitz.client import Client
    from kibitz.explain import Explanation
    from kibitz.report.themes import Theme


class Shown(TypedDict):
    """What is printed, and how."""

    top: int
    matrix: int | None
    level: str | None
    rollout: str | None
    why: bool
    board: bool
    theme: Theme | None
    json: bool


def hint_by_net(
    state: State,
    *,
    plays: list[str],
    time: str | None,
    shown: Shown,
    options: dict[str, Any],
) -> None:
    """Answer what the state asks for."""
    from kibitz.notation import parse_play
    from kibitz.report.decisions import matrix_text

    seconds = seconds_of(time)
    asked = []
    for text in plays:
        if state.dice is None:
            raise NotationError("--play needs dice: the position says none itself")
        asked.append(parse_play(text, state.position, state.dice))
    if url := options.pop("url", None):
        with _remote(url, shown, options) as client:
            found = client.answer(state, time=seconds, play=asked, listed=shown["top"])
        _print(found, {"engine": url}, None, shown, asked)
        return
    engine = make_engine(**options)
    if shown["matrix"] is not None:
        from kibitz.engine.matrix import matrix as score_matrix

        if state.dice is None:
            raise NotationError("a matrix of plays needs dice; kibitz cube --matrix is for cube decisions")
        cells = score_matrix(engine, state, shown["matrix"])
        if shown["json"]:
            print_json({"position": state.position_id, "dice": list(state.dice), "cells": [c.to_dict() for c in cells]})
        else:
            print(matrix_text(cells))
        return
    if shown["level"] is not None:
        given = {"--rollout": shown["rollout"], "--plies": options["plies"], "--time": time}
        if both := [name for name, value in given.items() if value is not None]:
            raise EngineError(f"a level says itself how a decision is made: expected no {', '.join(both)} beside it")
        found = engine.answer(state, level=shown["level"], play=asked, listed=shown["top"])
    elif shown["rollout"] is None:
        found = engine.answer(state, time=seconds, play=asked, listed=shown["top"], plies=options["plies"])
    else:
        found = _rolled_out(engine, state, asked, shown["rollout"], shown["top"])
    reason = _reason(engine, found, asked) if shown["why"] else None
    _print(found, {"engine": "neural", "settings": engine.settings.to_dict()}, reason, shown, asked)


def _print(found: Decision, by: dict[str, Any], reason: Explanation | None, shown: Shown, asked: list[Play]) -> None:
    """An answer as text or JSON, with the reason for it if that was asked for."""
    from kibitz.decision import PlayDecision
    from kibitz.report.decisions import answer_text

    state = found.state
    if shown["json"]:
        top = max(shown["top"], len(asked))
        data = found.to_dict(top=top) if isinstance(found, PlayDecision) else found.to_dict()
        if shown["why"]:
            data |= {"why": None if reason is None else reason.to_dict()}
        print_json(by | data)
        return
    board = board_text(state, shown["theme"]) if shown["board"] else ""
    print(f"{board}{by['engine']}: {state.position_id}" + (f" with {state.dice}" if state.dice else ""))
    print(answer_text(found, top=shown["top"], colour=shown["theme"] is not None, named=asked))
    if reason is not None:
        print("\n" + textwrap.fill(reason.words, width=80, break_on_hyphens=False))


def _remote(url: str, shown: Shown, options: dict[str, Any]) -> Client:
    """The engine of a server, which has nets and tables of its own."""
    from kibitz.client import Client

    others = {
        "--level": shown["level"],
        "--nets": options["nets"],
        "--met": options["met"],
        "--matrix": shown["matrix"],
        "--why": shown["why"],
    }
    if given := [name for name, value in others.items() if value]:
        raise EngineError(f"a server is asked without {', '.join(given)}: it has nets and tables of its own")
    return Client(url, plies=options["plies"], filter=options["filter"], cubeful=not options["cubeless"])


def _reason(engine: Engine, found: Decision, asked: list[Play]) -> Explanation | None:
    """Why the best answer is best; None where there is nothing to compare it with."""
    from kibitz.decision import PlayDecision, ResignationDecision
    from kibitz.explain import explain_decision

    if isinstance(found, ResignationDecision) or (isinstance(found, PlayDecision) and len(found) < 2):
        return None
    return explain_decision(engine, found, asked[0] if asked else None)


def _rolled_out(engine: Engine, state: State, asked: list[Play], preset: str, top: int) -> Decision:
    """The same decision by a rollout: of the best plays and those that were named, or of the cube."""
    question = question_of(state)
    if question is Question.RESIGNATION:
        raise EngineError("a resignation cannot be rolled out: expected a play or a cube decision")
    if question is Question.PLAY:
        best = [one.play for one in engine.rank(state)[: min(top, 5)]]
        plays = best + [one for one in asked if one not in best]
        return engine.rollout(state, preset=preset, play=plays).plays
    return engine.rollout(state, preset=preset).decision
