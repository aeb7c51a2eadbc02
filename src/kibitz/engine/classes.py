"""Position classes: which kind of position it is, and who answers for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz import _core
from kibitz.decision import AnalysisLevel, Evaluation, PositionClass
from kibitz.match import MatchState
from kibitz.plain_json import picked
from kibitz.position import CHECKERS, Position, Variant
from kibitz.state import State

_CLASSES = ("over", "bearoff two-sided", "bearoff one-sided", "race", "crashed", "contact")
"""By the numbers of the core."""
_NETS = {"race": "race net", "crashed": "contact net", "contact": "contact net"}
_TABLES = {2: "two-sided-6x6", 4: "one-sided-6x15"}
"""The tables in memory, by the numbers of the core's answers."""
_SOLVED = (1, 2, 3)
"""Finished games and the two-sided tables: what they say is so, with the cube too."""
_ON_DISK = {3: "bearoff two-sided", 5: "bearoff one-sided"}


@dataclass(frozen=True, slots=True)
class PositionValue:
    """What a position is worth to the player on roll before the dice, at its score, and by whom it was answered.

    `equity` is cubeful with the best cube action, or cubeless, as `level` says; normalised to the present cube.
    """

    state: State
    evaluation: Evaluation
    equity: float
    mwc: float | None
    position_class: PositionClass
    level: AnalysisLevel

    def __str__(self) -> str:
        mwc = "" if self.mwc is None else f", MWC {100 * self.mwc:.2f} %"
        return (
            f"{self.level.kind} {self.equity:+.4f}{mwc} ({self.evaluation}; {self.position_class}; {self.level.depth})"
        )

    def _repr_html_(self) -> str:
        from kibitz.report.decisions import value_html

        return value_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        about = {"plies": self.level.plies, "kind": self.level.kind, "class": self.position_class.to_dict()}
        return about | picked(self, "evaluation", "equity", "mwc")


def is_solved(rows: bytes, match: MatchState) -> bool:
    """Whether a position's equity for money is known, with the cube too. The table of a hypergammon must be in use."""
    if not match.is_money:
        return False
    return match.variant.checkers != CHECKERS or _core.exact_answer(rows, CHECKERS) in _SOLVED


def position_class(position: Position, variant: Variant = Variant.BACKGAMMON) -> PositionClass:
    """The class of a position in a variant. The table of a hypergammon must be in use."""
    answer = _core.exact_answer(position.rows, variant.checkers)
    if answer == 1 or position.is_over:
        return PositionClass("over", "result", "result")
    if variant.checkers != CHECKERS:
        return PositionClass(variant.value, "table", variant.value, on_disk=True)
    if answer in _ON_DISK:
        from kibitz.bearoff.in_use import tables_in_use

        tables = tables_in_use()
        table = tables.two_sided if answer == 3 else tables.one_sided
        assert table is not None
        return PositionClass(_ON_DISK[answer], "table", str(table.name), on_disk=True)
    name = _CLASSES[_core.position_class(position.rows)]
    if answer in _TABLES:
        # Six checkers a side or fewer, but a gammon is possible: that is a question for the one-sided table.
        name = "bearoff two-sided" if answer == 2 else "bearoff one-sided"
        return PositionClass(name, "table", _TABLES[answer])
    return PositionClass(name, "net", _NETS[name])
