"""One of our own players by its native half alone: the same answers, without the ranking around them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kibitz import _core
from kibitz.match import MatchState
from kibitz.match_equity import MatchEquityTable, cube_model
from kibitz.play.players import SimplePlayer, dice_of
from kibitz.position import Position
from kibitz.state import State


class NativePlayer(SimplePlayer):
    """A native contestant. `cubeful` is False in games without the cube."""

    def __init__(self, maker: _core.ContestantMaker, about: dict[str, Any], *, name: str, cubeful: bool = True) -> None:
        self._contestant, self._about, self.name, self._cubeful = maker.make(), about, name, cubeful

    def play(self, state: State, number: int = 0) -> Position:
        """Its play of the dice."""
        dice = dice_of(state)
        model = _model(state.match, self._cubeful)
        return Position.from_rows(self._contestant.play(state.position.rows, dice.high, dice.low, model, number))

    def double(self, state: State) -> bool:
        """Its cube decision."""
        return self._contestant.doubles(state.position.rows, _model(state.match, True))

    def take(self, state: State) -> bool:
        """Its answer to a double."""
        return self._contestant.takes(state.position.rows, _model(state.match, True))

    def to_dict(self) -> dict[str, Any]:
        """What the player it stands for says."""
        return self._about


@lru_cache(maxsize=1024)
def _model(match: MatchState, cubeful: bool) -> _core.CubeModel:
    return cube_model(match, MatchEquityTable.default(), cubeful=cubeful)
