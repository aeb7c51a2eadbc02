"""Kibitz: a backgammon analysis engine.

>>> import kibitz
>>> kibitz.Position.start().pips
(167, 167)
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from kibitz import _core
from kibitz.bulk import BulkPlays, plays_bulk, position_ids_bulk
from kibitz.cube import Cube, Owner
from kibitz.dice import ALL_ROLLS, Dice
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
from kibitz.heuristics.shots import shots
from kibitz.match import MatchState
from kibitz.move import Move, Play
from kibitz.notation import parse
from kibitz.position import BAR, OFF, Position, Variant
from kibitz.state import GameStatus, Offer, State
from kibitz.status import PositionStatus

if TYPE_CHECKING:
    from kibitz.analysis.review import MatchReview, review
    from kibitz.client import Client
    from kibitz.decision import CubeDecision, Evaluation, PlayDecision, RankedPlay, ResignationDecision
    from kibitz.engine.engine import Cancellation, Engine
    from kibitz.engine.filters import MoveFilter
    from kibitz.engine.levels import Level
    from kibitz.explain.explain import explain
    from kibitz.formats import load, save
    from kibitz.library.library import Library
    from kibitz.match_equity import MatchEquityTable
    from kibitz.record import Game, Match
    from kibitz.rollout.rollout import Rollout

    __version__: str

# What needs numpy or more is imported when it is first asked for, so that `import kibitz` stays fast: names and rooms.
_LATE = {
    "Cancellation": "kibitz.engine.engine",
    "Client": "kibitz.client",
    "CubeDecision": "kibitz.decision",
    "Engine": "kibitz.engine.engine",
    "Evaluation": "kibitz.decision",
    "Game": "kibitz.record",
    "Level": "kibitz.engine.levels",
    "Library": "kibitz.library.library",
    "Match": "kibitz.record",
    "MatchEquityTable": "kibitz.match_equity",
    "MatchReview": "kibitz.analysis.review",
    "MoveFilter": "kibitz.engine.filters",
    "PlayDecision": "kibitz.decision",
    "RankedPlay": "kibitz.decision",
    "ResignationDecision": "kibitz.decision",
    "Rollout": "kibitz.rollout.rollout",
    "bearoff": "kibitz",
    "explain": "kibitz",
    "load": "kibitz.formats",
    "review": "kibitz.analysis.review",
    "save": "kibitz.formats",
}


def __getattr__(name: str) -> object:
    if name == "__version__":  # asking for it costs more than all the rest of this page
        return _import_module("importlib.metadata").version("kibitz")
    if name not in _LATE:
        raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
    home = _LATE[name]
    value = _import_module(f"kibitz.{name}") if home == "kibitz" else getattr(_import_module(home), name)
    globals()[name] = value
    return value


def build_info() -> dict[str, str]:
    """Version, compiler and the instruction set that the native core uses on this machine."""
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
