"""kibitz cube: double or not, take or pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from kibitz.cli.common import JsonOption, PositionArgument, print_json, read_state
from kibitz.cli.neural import (
    CacheOption,
    LevelOption,
    MetOption,
    NetsOption,
    NoiseOption,
    NoiseSeedOption,
    PliesOption,
    PruningOption,
    TablesOption,
    ThreadsOption,
    VariantOption,
    make_engine,
)
from kibitz.errors import EngineError


def cube(
    position: PositionArgument,
    plies: PliesOption = None,
    level: LevelOption = None,
    owners: Annotated[bool, typer.Option("--owners", help="The decision with the cube in every place.")] = False,
    matrix: Annotated[
        int | None, typer.Option("--matrix", metavar="N", help="The decision at all scores up to N away.")
    ] = None,
    met: MetOption = None,
    nets: NetsOption = None,
    variant: VariantOption = None,
    tables: TablesOption = None,
    pruning: PruningOption = True,
    noise: NoiseOption = 0.0,
    noise_seed: NoiseSeedOption = 0,
    threads: ThreadsOption = 0,
    cache: CacheOption = 32.0,
    json: JsonOption = False,
) -> None:
    """Weigh a cube decision: the three equities, the proper action, what the others cost, and the doubling window."""
    from kibitz.cube import Owner
    from kibitz.decision import Decision, Question, question_of
    from kibitz.engine.matrix import matrix as score_matrix
    from kibitz.report.decisions import answer_text, cube_text, matrix_text
    from kibitz.state import Offer

    state = read_state(position, None, variant)
    context: dict[str, Any] = {"pruning": pruning, "noise": noise, "noise_seed": noise_seed}
    engine = make_engine(plies=plies, threads=threads, cache=cache, nets=nets, met=met, tables=tables, **context)
    if question_of(state) is not Question.TAKE:
        state = replace(state, dice=None, offer=Offer.NONE)
    if matrix is not None:
        cells = score_matrix(engine, state, matrix)
        if json:
            print_json({"position": state.position_id, "cells": [cell.to_dict() for cell in cells]})
        else:
            print(matrix_text(cells))
        return
    if owners:
        decisions = engine.cubes(state, owners=tuple(Owner))
        if json:
            data = {owner.value: decision.to_dict() for owner, decision in decisions.items()}
            print_json({"position": state.position_id, "owners": data})
        else:
            words = {Owner.CENTRED: "in the middle", Owner.MINE: "mine", Owner.THEIRS: "the opponent's"}
            for owner, decision in decisions.items():
                print(f"Cube {words[owner]}:\n{cube_text(decision)}\n")
        return
    found: Decision
    if level is None:
        found = engine.cube(state, lines=True)
    elif plies is not None:
        raise EngineError("a level says itself how a decision is made: expected no --plies beside it")
    else:
        found = engine.answer(state, level=level)
    if json:
        print_json({"engine": "neural"} | found.to_dict())
        return
    print(f"neural: {state.position_id}")
    print(answer_text(found))
