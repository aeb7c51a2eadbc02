"""Kibitz: a backgammon analysis engine.

>>> import kibitz
>>> kibitz.Position.start().pips
(167, 167)
"""

from importlib import import_module as _import_module

from kibitz.late import late as _late

TYPE_CHECKING = False  # type checkers know the name; to import it would take five times as long as all of this page
if TYPE_CHECKING:
    from kibitz.analysis.review import MatchReview, review
    from kibitz.bulk import BulkPlays, plays_bulk, position_ids_bulk
    from kibitz.client import Client
    from kibitz.cube import Cube, Owner
    from kibitz.decision import CubeDecision, Evaluation, PlayDecision, RankedPlay, ResignationDecision
    from kibitz.dice import ALL_ROLLS, Dice
    from kibitz.engine.engine import Cancellation, Engine
    from kibitz.engine.filters import MoveFilter
    from kibitz.engine.levels import Level
    from kibitz.errors import (
        EngineError,
        FormatError,
        IllegalPlayError,
        KibitzError,
        LibraryError,
        NetworkFileError,
        NotationError,
        PositionError,
        TableError,
    )
    from kibitz.explain.explain import explain
    from kibitz.formats import load, save
    from kibitz.heuristics.shots import shots
    from kibitz.library.library import Library
    from kibitz.match import MatchState
    from kibitz.match_equity import MatchEquityTable
    from kibitz.move import Move, Play
    from kibitz.notation.parse import parse
    from kibitz.position import BAR, OFF, Position, Variant
    from kibitz.record import Game, Match
    from kibitz.rollout.rollout import Rollout
    from kibitz.state import GameStatus, Offer, State
    from kibitz.status import PositionStatus

    __version__: str

# Every name is imported when it is first asked for: nobody waits for what is not used, and the program can watch for
# Ctrl-C before anything takes time. Modules, and the names that come from them.
_ROOMS = ("bearoff", "explain", "heuristics", "notation")
_HOMES = {
    "kibitz.analysis.review": ("MatchReview", "review"),
    "kibitz.bulk": ("BulkPlays", "plays_bulk", "position_ids_bulk"),
    "kibitz.client": ("Client",),
    "kibitz.cube": ("Cube", "Owner"),
    "kibitz.decision": ("CubeDecision", "Evaluation", "PlayDecision", "RankedPlay", "ResignationDecision"),
    "kibitz.dice": ("ALL_ROLLS", "Dice"),
    "kibitz.engine.engine": ("Cancellation", "Engine"),
    "kibitz.engine.filters": ("MoveFilter",),
    "kibitz.engine.levels": ("Level",),
    "kibitz.errors": (
        "EngineError",
        "FormatError",
        "IllegalPlayError",
        "KibitzError",
        "LibraryError",
        "NetworkFileError",
        "NotationError",
        "PositionError",
        "TableError",
    ),
    "kibitz.formats": ("load", "save"),
    "kibitz.heuristics.shots": ("shots",),
    "kibitz.library.library": ("Library",),
    "kibitz.match": ("MatchState",),
    "kibitz.match_equity": ("MatchEquityTable",),
    "kibitz.move": ("Move", "Play"),
    "kibitz.notation.parse": ("parse",),
    "kibitz.position": ("BAR", "OFF", "Position", "Variant"),
    "kibitz.record": ("Game", "Match"),
    "kibitz.rollout.rollout": ("Rollout",),
    "kibitz.state": ("GameStatus", "Offer", "State"),
    "kibitz.status": ("PositionStatus",),
}
_late_name = _late(__name__, _HOMES)


def __getattr__(name: str) -> object:
    if name == "__version__":  # asking for it costs more than all the rest of this page
        return _import_module("importlib.metadata").version("kibitz")
    return _import_module(f"kibitz.{name}") if name in _ROOMS else _late_name(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_ROOMS, *(name for names in _HOMES.values() for name in names)})


def build_info() -> dict[str, str]:
    """Version, compiler and the instruction set that the native core uses on this machine."""
    from kibitz import _core

    version = str(__getattr__("__version__"))
    return {"version": version, "compiler": _core.compiler(), "instruction_set": _core.instruction_set()}


__all__ = [
    "ALL_ROLLS",
    "BAR",
    "OFF",
    "BulkPlays",
    "Cancellation",
    "Client",
    "Cube",
    "CubeDecision",
    "Dice",
    "Engine",
    "EngineError",
    "Evaluation",
    "FormatError",
    "Game",
    "GameStatus",
    "IllegalPlayError",
    "KibitzError",
    "Level",
    "Library",
    "LibraryError",
    "Match",
    "MatchEquityTable",
    "MatchReview",
    "MatchState",
    "Move",
    "MoveFilter",
    "NetworkFileError",
    "NotationError",
    "Offer",
    "Owner",
    "Play",
    "PlayDecision",
    "Position",
    "PositionError",
    "PositionStatus",
    "RankedPlay",
    "ResignationDecision",
    "Rollout",
    "State",
    "TableError",
    "Variant",
    "build_info",
    "explain",
    "load",
    "parse",
    "plays_bulk",
    "position_ids_bulk",
    "review",
    "save",
    "shots",
]
