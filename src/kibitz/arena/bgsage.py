"""The bgsage package as a player, where it is installed; it is never required. Its 1-ply is our 0-ply."""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Any

from kibitz.arena.rules import ArenaRules
from kibitz.cube import Owner
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.play.players import PlayerError, SimplePlayer, dice_of
from kibitz.position import Position
from kibitz.state import State

_OWNERS = {Owner.CENTRED: "centered", Owner.MINE: "player", Owner.THEIRS: "opponent"}


class BgsagePlayer(SimplePlayer):
    """bgsage at so many plies, counted as we count them."""

    def __init__(self, rules: ArenaRules, *, plies: int = 0) -> None:
        try:
            package = import_module("bgsage")
        except ImportError:
            raise EngineError("the package bgsage is not installed; pip install bgsage") from None
        if not 0 <= plies <= 3:
            raise EngineError(f"bgsage plays at 0 to 3 plies, not {plies}")
        self.name = f"bgsage {plies}-ply"
        self.plies = plies
        self._analyzer: Any = package.BgBotAnalyzer(
            eval_level=f"{plies + 1}ply", cubeful=rules.cube, parallel_threads=1
        )

    def play(self, state: State, number: int = 0) -> Position:  # noqa: ARG002 - it is sure of itself
        """bgsage's play of the dice."""
        dice = dice_of(state)
        try:
            found = self._analyzer.checker_play(to_board(state.position), dice.high, dice.low, **_context(state.match))
        except Exception as error:  # whatever a foreign library raises, the game is void and the arena lives on
            raise PlayerError(self.name, "crashed", f"{type(error).__name__}: {error}") from None
        return from_board(found.moves[0].board).swapped() if found.moves else state.position.swapped()

    def double(self, state: State) -> bool:
        """Whether bgsage doubles."""
        return bool(self._cube(state).should_double)

    def take(self, state: State) -> bool:
        """Whether bgsage takes."""
        return bool(self._cube(state).should_take)

    def to_dict(self) -> dict[str, Any]:
        """Name, version and plies."""
        return {"player": "bgsage", "version": metadata.version("bgsage"), "plies": self.plies}

    def _cube(self, state: State) -> Any:
        try:
            return self._analyzer.cube_action(to_board(state.position), **_context(state.match))
        except Exception as error:  # as above
            raise PlayerError(self.name, "crashed", f"{type(error).__name__}: {error}") from None


def to_board(position: Position) -> list[int]:
    """26 counts: the opponent's bar, points 1 to 24 with the opponent negative, the own bar; both bars positive."""
    mine, theirs = position.mine, position.theirs
    return [theirs[24], *(mine[slot] - theirs[23 - slot] for slot in range(24)), mine[24]]


def from_board(board: list[int]) -> Position:
    """The position of 26 counts, seen by the one whose counts are positive."""
    mine = [max(count, 0) for count in board[1:25]] + [board[25]]
    theirs = [max(-count, 0) for count in board[24:0:-1]] + [board[0]]
    return Position(mine, theirs)


def _context(match: MatchState) -> dict[str, Any]:
    return {
        "cube_value": match.cube.value,
        "cube_owner": _OWNERS[match.cube.owner],
        "away1": match.my_away,
        "away2": match.their_away,
        "is_crawford": match.crawford,
        "jacoby": match.jacoby,
        "beaver": False,
    }
