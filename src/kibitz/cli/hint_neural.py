"""kibitz hint by the neural engine: plays, doubles, takes and resignations."""

from __future__ import annotations

from typing import Any

from kibitz.cli.common import print_json
from kibitz.cli.neural import make_engine, read_state, seconds_of
from kibitz.errors import NotationError


def hint_by_net(
    position: str,
    dice: str | None,
    *,
    plays: list[str],
    time: str | None,
    top: int,
    matrix: int | None,
    json: bool,
    options: dict[str, Any],
) -> None:
    """Answer what the state asks for."""
    from kibitz.decision import PlayDecision
    from kibitz.notation import parse_play
    from kibitz.report.decisions import answer_text, matrix_text, wants_colour

    state = read_state(position, dice)
    seconds = seconds_of(time)
    asked = []
    for text in plays:
        if state.dice is None:
            raise NotationError("--play needs dice: the position says none itself")
        asked.append(parse_play(text, state.position, state.dice))
    engine = make_engine(**options)
    if matrix is not None:
        from kibitz.engine.matrix import matrix as score_matrix

        if state.dice is None:
            raise NotationError("a matrix of plays needs dice; kibitz cube --matrix is for cube decisions")
        cells = score_matrix(engine, state, matrix)
        if json:
            print_json({"position": state.position_id, "dice": list(state.dice), "cells": [c.to_dict() for c in cells]})
        else:
            print(matrix_text(cells))
        return
    found = engine.answer(state, time=seconds, play=asked, listed=top, plies=options["plies"])
    if json:
        shown = found.to_dict(top=max(top, len(asked))) if isinstance(found, PlayDecision) else found.to_dict()
        print_json({"engine": "neural", "settings": engine.settings.to_dict()} | shown)
        return
    print(f"neural: {state.position_id}" + (f" with {state.dice}" if state.dice else ""))
    print(answer_text(found, top=top, colour=wants_colour(), named=asked))
