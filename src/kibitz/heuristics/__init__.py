"""Two hand-made engines that explain themselves, and the shot counter.

tabula       pseudopips, blots and hits of every play and of every reply to it
ten_factor   ten weighted factors of every play
shots        which of the 36 rolls hit which blot
settings     the weights of both, from a file or the command line
protocol     what a ranking engine can be asked
listing      finding a play in a ranking, and choosing those to list
compare      two plays side by side, in numbers and in words

>>> from kibitz import Position
>>> from kibitz.heuristics import TenFactor
>>> str(TenFactor().rank(Position.start(), "31")[0].play)
'8/5 6/5'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kibitz.late import late

if TYPE_CHECKING:
    from kibitz.heuristics.compare import Comparison, compare_plays
    from kibitz.heuristics.protocol import EngineOptions, HintEngine
    from kibitz.heuristics.settings import TabulaSettings, TenFactorSettings
    from kibitz.heuristics.shots import Shots
    from kibitz.heuristics.tabula import Tabula, TabulaPlay
    from kibitz.heuristics.ten_factor import TenFactor, TenFactorPlay

__all__ = [
    "RANKERS",
    "Comparison",
    "Shots",
    "Tabula",
    "TabulaPlay",
    "TabulaSettings",
    "TenFactor",
    "TenFactorPlay",
    "TenFactorSettings",
    "compare_plays",
    "make_ranker",
]

RANKERS = ("ten-factor", "tabula")
"""The names by which the two engines are chosen."""

__getattr__ = late(
    __name__,
    {
        ".compare": ("Comparison", "compare_plays"),
        ".shots": ("Shots",),
        ".tabula": ("Tabula", "TabulaPlay"),
        ".settings": ("TabulaSettings", "TenFactorSettings"),
        ".ten_factor": ("TenFactor", "TenFactorPlay"),
    },
)


def make_ranker(name: str, options: EngineOptions | None = None) -> HintEngine[Any]:
    """The engine of this name, with the settings that the options name: what commands and protocols play by.

    >>> make_ranker("tabula").to_dict()["settings"]["opponent"]
    -3.0
    """
    from kibitz.errors import EngineError
    from kibitz.heuristics.protocol import EngineOptions

    if name not in RANKERS:
        raise EngineError(f"there is no engine {name!r}; there are {', '.join(RANKERS)}")
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    engine: HintEngine[Any] = module.make(options or EngineOptions())
    return engine
