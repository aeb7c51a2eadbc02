"""An opponent of some level: chooses plays and cube actions, and errs as its level does, the same way every time."""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz.dice import DiceLike
from kibitz.engine.engine import Engine
from kibitz.engine.levels import Level, noise_of
from kibitz.engine.question import weigh_resignation
from kibitz.engine.results import CubeDecision
from kibitz.match import MatchState
from kibitz.play import Play
from kibitz.position import Position


@dataclass(frozen=True)
class EnginePlayer:
    """Decides by an engine at a level. The same seed and position give the same decision."""

    engine: Engine
    level: Level = field(default_factory=lambda: Level.of("expert"))
    seed: int = 0

    def play(self, position: Position, dice: DiceLike, match: MatchState | None = None) -> Play | None:
        """The play it makes; None when no checker can move."""
        level = self.level
        ranked = self.engine.rank(
            position, dice, match=match, plies=level.plies, filter=level.filter, cubeful=level.cubeful
        )
        if not ranked:
            return None
        if not level.noise:
            return ranked[0].play
        worth = {one.play: one.equity + self._error("play", one.play.result) for one in ranked}
        return max(worth, key=lambda play: worth[play])

    def doubles(self, position: Position, match: MatchState) -> bool:
        """Whether it doubles."""
        decision = self._cube(position, match)
        return decision.available and decision.doubled >= decision.no_double + self._error("double", position)

    def takes(self, position: Position, match: MatchState) -> bool:
        """Whether it takes when the player on roll doubles."""
        decision = self._cube(position, match)
        return decision.double_take <= decision.double_pass + self._error("take", position)

    def accepts(self, position: Position, match: MatchState, size: int) -> bool:
        """Whether it accepts that the player on roll gives up."""
        return weigh_resignation(self.engine, position, match, size, plies=min(self.level.plies, 1)).accept

    def _cube(self, position: Position, match: MatchState) -> CubeDecision:
        return self.engine.cube(position, match=match, plies=self.level.plies)

    def _error(self, what: str, position: Position) -> float:
        return self.level.noise * noise_of(self.seed, what, position.id) if self.level.noise else 0.0
