"""Exact tables for the end of the game, and what a player asks them.

tables        names, files, building and verifying
one_sided     OneSided: how many turns a side needs to bear off
two_sided     TwoSided: winning chances and cube equities of both sides together
in_use        which tables on disk answer beside those in memory
hypergammon   Hypergammon: one, two or three checkers a side, contact included
exact         the one interface that evaluation asks: position class -> exact answer
advisor       which plays bear off fastest, and what every roll leads to
database      the advisor's answers as records, all of them
formulas      the race formulas that players use over the board
race          all of it for one position
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.late import late

if TYPE_CHECKING:
    from kibitz.bearoff.advisor import Analysis, Suggestion, analyze, next_boards, rank_plays, suggest
    from kibitz.bearoff.database import Entry, entries, entry
    from kibitz.bearoff.exact import exact_evaluations, exact_money_equities
    from kibitz.bearoff.hypergammon import Hypergammon, HypergammonValue
    from kibitz.bearoff.in_use import TablesInUse, tables_in_use, use_tables
    from kibitz.bearoff.one_sided import OneSided, Turns
    from kibitz.bearoff.race import Race, race
    from kibitz.bearoff.tables import TableName
    from kibitz.bearoff.two_sided import ExactCube, TwoSided, TwoSidedValue

__all__ = [
    "Analysis",
    "Entry",
    "ExactCube",
    "Hypergammon",
    "HypergammonValue",
    "OneSided",
    "Race",
    "Suggestion",
    "TableName",
    "TablesInUse",
    "Turns",
    "TwoSided",
    "TwoSidedValue",
    "analyze",
    "entries",
    "entry",
    "exact_evaluations",
    "exact_money_equities",
    "next_boards",
    "race",
    "rank_plays",
    "suggest",
    "tables_in_use",
    "use_tables",
]

__getattr__ = late(
    __name__,
    {
        ".advisor": ("Analysis", "Suggestion", "analyze", "next_boards", "rank_plays", "suggest"),
        ".database": ("Entry", "entries", "entry"),
        ".two_sided": ("ExactCube", "TwoSided", "TwoSidedValue"),
        ".hypergammon": ("Hypergammon", "HypergammonValue"),
        ".one_sided": ("OneSided", "Turns"),
        ".race": ("Race", "race"),
        ".tables": ("TableName",),
        ".in_use": ("TablesInUse", "tables_in_use", "use_tables"),
        ".exact": ("exact_evaluations", "exact_money_equities"),
    },
)
