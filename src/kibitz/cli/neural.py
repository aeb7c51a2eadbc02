"""What the commands that use the neural engine share: its options, and reading a state with dice."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.engine.settings import DEFAULT_PLIES
from kibitz.errors import NotationError

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine
    from kibitz.state import State

PliesOption = Annotated[
    int | None, typer.Option("--plies", "-p", min=0, max=7, help=f"How far to look ahead; {DEFAULT_PLIES} by default.")
]
FilterOption = Annotated[
    str,
    typer.Option("--filter", help="tiny, narrow, normal, large, huge, everything, or steps like 0:8:0.16,0:2:0.04."),
]
LevelOption = Annotated[
    str | None,
    typer.Option(
        "--level", metavar="LEVEL", help="How much thought: fast, standard, deep, world-class, ultimate, roller++."
    ),
]
TimeOption = Annotated[
    str | None, typer.Option("--time", metavar="TIME", help="Deepen while time is left, such as 2s or 500ms.")
]
CubelessOption = Annotated[bool, typer.Option("--cubeless", help="Rank by cubeless money equity.")]
MetOption = Annotated[
    str | None, typer.Option("--met", metavar="TABLE", help="kazaross-xg2, zadeh, mec, or a gnubg or XG table file.")
]
NetsOption = Annotated[Path | None, typer.Option("--nets", metavar="FOLDER", help="Other nets than the shipped ones.")]
CacheOption = Annotated[float, typer.Option("--cache", metavar="MB", min=0, help="Memory for remembered evaluations.")]
ThreadsOption = Annotated[int, typer.Option("--threads", min=0, help="Cores to use; 0 for all.")]
VariantOption = Annotated[
    str | None,
    typer.Option("--variant", metavar="GAME", help="backgammon, nackgammon, hypergammon-1, -2 or -3, if in doubt."),
]


PruningOption = Annotated[
    bool, typer.Option("--pruning/--no-pruning", help="A cheap look at replies first, or a real evaluation of all.")
]
NoiseOption = Annotated[
    float, typer.Option("--noise", min=0, max=1, help="Standard deviation of an error in each chance.")
]
NoiseSeedOption = Annotated[
    int, typer.Option("--noise-seed", min=-1, help="The errors follow from it and the position; -1: from chance.")
]
TablesOption = Annotated[
    list[Path] | None,
    typer.Option("--tables", metavar="FILE", help="A bearoff table to ask instead of those in the cache directory."),
]


def make_engine(
    *,
    plies: int | None = None,
    filter: str = "normal",
    cubeless: bool = False,
    threads: int = 0,
    cache: float = 32.0,
    nets: Path | None = None,
    met: str | None = None,
    tables: list[Path] | None = None,
    pruning: bool = True,
    noise: float = 0.0,
    noise_seed: int = 0,
) -> Engine:
    """The engine that the options describe."""
    if tables:
        from kibitz.bearoff.in_use import use_tables

        use_tables(tables)
    from kibitz.engine.engine import Engine

    return Engine(
        nets=nets,
        plies=plies,
        filter=filter,
        cubeful=not cubeless,
        threads=threads,
        cache_mb=cache,
        pruning=pruning,
        noise=noise,
        noise_seed=noise_seed,
        met=met,
    )


def with_score(state: State, text: str | None) -> State:
    """The state at a match score such as 7:3-5, the player on roll first; C at the end marks the Crawford game."""
    if text is None:
        return state
    found = re.fullmatch(r"(\d{1,3}):(\d{1,3})-(\d{1,3})(C?)", text.strip(), re.IGNORECASE)
    if not found:
        raise NotationError(f"a match score is LENGTH:MINE-THEIRS such as 7:3-5 or 7:6-4C, not {text!r}")
    length, mine, theirs = (int(one) for one in found.groups()[:3])
    match = replace(state.match, length=length, my_score=mine, their_score=theirs, crawford=bool(found[4]))
    return replace(state, match=match)


def seconds_of(text: str | None) -> float | None:
    """Seconds from text such as 2s, 500ms, 1m or 0.5."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|m)?\s*", text)
    if not found:
        raise NotationError(f"a time is a number with ms, s or m such as 2s, not {text!r}")
    return float(found[1]) * {"ms": 0.001, "s": 1.0, "m": 60.0, None: 1.0}[found[2]]
