"""kibitz analyze: many positions, one JSON line each."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kibitz.cli.neural import CacheOption, FilterOption, MetOption, NetsOption, PliesOption, ThreadsOption, make_engine
from kibitz.errors import EngineError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analyze)


def analyze(
    stdin: Annotated[bool, typer.Option("--stdin", help="Read requests from standard input, one a line.")] = False,
    plies: PliesOption = None,
    filter: FilterOption = "normal",
    met: MetOption = None,
    nets: NetsOption = None,
    threads: ThreadsOption = 0,
    cache: CacheOption = 64.0,
) -> None:
    """Analyse positions as they come: JSON lines in, JSON lines out. A bad line is answered with its error."""
    from kibitz.protocols.json_lines import answers

    if not stdin:
        raise EngineError("expected --stdin: positions are read from standard input, one JSON object a line")
    engine = make_engine(plies=plies, filter=filter, threads=threads, cache=cache, nets=nets, met=met)
    for line in answers(engine, sys.stdin):
        print(line, flush=True)
