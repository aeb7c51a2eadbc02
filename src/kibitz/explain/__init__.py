"""Reasons that can be checked: why one play or cube action is better than another, in figures and in words.

standing    how one side's checkers stand
facts       the board after a play: standings, shots, what the next roll does
ledger      the opponent's 21 replies to two plays, which sum to the difference
outcomes    the difference by wins, gammons and the cube
fragments   counterfactual boards: what each part of a play gains
measures    the facts by which plays are compared
contrasts   the measures in which two plays differ, and whether they matter
themes      what players call them
reason      a theme with its part of the difference
tactics     reasons by the opponent's rolls
reasons     the themes that explain a difference
plays       why one play is better than another
sequences   two rolls ahead: swings and market losers
references  the rules that players know for the cube
cube        why double, why take
catalogue   all sentences; words and cube_words put them together
explain     the door: `kibitz.explain(...)` and `explain_decision`

The room is callable, for its name is also that of what it does.

>>> import kibitz
>>> kibitz.explain("4HPwATDgc/ABMA", "31", "24/20")  # doctest: +SKIP
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kibitz.late import late

if TYPE_CHECKING:
    from kibitz.explain.cube import CubeExplanation, explain_cube
    from kibitz.explain.explain import Explanation, explain_decision, explanation_from_dict
    from kibitz.explain.plays import PlayExplanation, explain_pair, explain_play

__all__ = [
    "CubeExplanation",
    "Explanation",
    "PlayExplanation",
    "explain_cube",
    "explain_decision",
    "explain_pair",
    "explain_play",
    "explanation_from_dict",
]

__getattr__ = late(
    __name__,
    {
        ".cube": ("CubeExplanation", "explain_cube"),
        ".explain": ("Explanation", "explain_decision", "explanation_from_dict"),
        ".plays": ("PlayExplanation", "explain_pair", "explain_play"),
    },
)


class _CallableRoom(ModuleType):
    """The room as a function: the import system binds `kibitz.explain` to the room, however it was imported."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return import_module("kibitz.explain.explain").explain(*args, **options)


sys.modules[__name__].__class__ = _CallableRoom
