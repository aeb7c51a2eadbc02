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
    plies: int | None,
    plays: list[str],
    time: str | None,
    top: int,
    matrix: int | None,
    json: bool,
    options: dict[str, Any],
) -> None:
    """Answer what the state asks for."""
    from kibitz.engine.matrix import play_matrix
    from kibitz.engine.question import answer
    from kibitz.notation import parse_play
    from kibitz.report.analysis import answer_text, play_matrix_text, wants_colour

    state = read_state(position, dice)
    seconds = seconds_of(time)
    asked = []
    for text in plays:
        if state.dice is None:
            raise NotationError("--play needs dice: the position says none itself")
        asked.append(parse_play(text, state.position, state.dice))
    engine = make_engine(plies=plies, **options)
    if matrix is not None:
        if state.dice is None:
            raise NotationError("a matrix of plays needs dice; kibitz cube --matrix is for cube decisions")
        cells = play_matrix(engine, state.position, state.dice, matrix, match=state.match)
        if json:
            print_json({"position": state.position_id, "dice": list(state.dice), "cells": [c.to_dict() for c in cells]})
        else:
            print(play_matrix_text(cells))
        return
    found = answer(engine, state, plies=None if seconds is not None and plies is None else engine.settings.plies,
                   time=seconds, play=asked)  # fmt: skip
    if json:
        settings = engine.settings.to_dict()
        print_json({"engine": "neural", "settings": settings} | found.to_dict(top=max(top, len(asked))))
        return
    print(f"neural: {state.position_id}" + (f" with {state.dice}" if state.dice else ""))
    print(answer_text(found, top=top, colour=wants_colour(), named=[str(play) for play in asked]))
