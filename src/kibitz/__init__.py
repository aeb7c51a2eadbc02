"""Kibitz: a backgammon analysis engine.

>>> import kibitz
>>> kibitz.Position.start().pips
(167, 167)
"""

from importlib.metadata import version as _version

from kibitz import _core
from kibitz.cube import Cube, Owner
from kibitz.dice import ALL_ROLLS, Dice
from kibitz.errors import (
    EngineError,
    FormatError,
    IllegalPlayError,
    KibitzError,
    NetworkFileError,
    NotationError,
    PositionError,
    TableError,
)
from kibitz.match import MatchState
from kibitz.notation import parse
from kibitz.play import Move, Play
from kibitz.position import BAR, OFF, Position, Variant
from kibitz.state import GameStatus, Offer, State
from kibitz.status import PositionStatus

__version__ = _version("kibitz")


def build_info() -> dict[str, str]:
    """Version, compiler and the instruction set that the native core uses on this machine."""
    return {"version": __version__, "compiler": _core.compiler(), "instruction_set": _core.instruction_set()}


__all__ = [
    "ALL_ROLLS",
    "BAR",
    "OFF",
    "Cube",
    "Dice",
    "EngineError",
    "FormatError",
    "GameStatus",
    "IllegalPlayError",
    "KibitzError",
    "MatchState",
    "Move",
    "NetworkFileError",
    "NotationError",
    "Offer",
    "Owner",
    "Play",
    "Position",
    "PositionError",
    "PositionStatus",
    "State",
    "TableError",
    "Variant",
    "build_info",
    "parse",
]
