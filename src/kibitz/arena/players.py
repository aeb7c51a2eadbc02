"""The one protocol behind which all players stand, and the players that live in this process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from kibitz import _core
from kibitz.dice import Dice
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.position import Position

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine
    from kibitz.engine.levels import Level
    from kibitz.engine.protocol import Ranker


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player has to decide. Position and match are seen by the player on roll; in a take question, the doubler.

    `cubeful` is False in games without the cube. `number` is different at every turn, for players who choose at random.
    """

    position: Position
    match: MatchState
    dice: Dice | None = None
    cubeful: bool = True
    number: int = 0


class Player(Protocol):
    """Somebody who plays backgammon."""

    @property
    def name(self) -> str:
        """How results call the player."""

    def play(self, decision: Decision) -> Position:
        """The position after the play of the dice, seen by the opponent. The referee checks that it is legal."""

    def double(self, decision: Decision) -> bool:
        """Whether to double before rolling. Asked only when doubling is allowed and can matter."""

    def take(self, decision: Decision) -> bool:
        """Whether to take the double of the player on roll."""

    def restart(self) -> None:
        """Come back after a failure. Raises EngineError where that is impossible."""

    def close(self) -> None:
        """Give back processes, sockets and files."""

    def to_dict(self) -> dict[str, Any]:
        """Who this is, with settings and versions, as plain data for JSON."""


class PlayerError(EngineError):
    """A player crashed, hung, or answered what cannot be: the game is void. `kind` is one of KINDS."""

    code = "player"
    KINDS = ("crashed", "hung", "garbled", "illegal")

    def __init__(self, player: str, kind: str, message: str) -> None:
        self.player, self.kind, self.detail = player, kind, message
        super().__init__(f"{player} {_SAID[kind]}: {message}")

    def __reduce__(self) -> tuple[type[PlayerError], tuple[str, str, str]]:
        return type(self), (self.player, self.kind, self.detail)


_SAID = {
    "crashed": "crashed",
    "hung": "did not answer in time",
    "garbled": "answered nonsense",
    "illegal": "made an illegal play",
}


class LocalPlayer:
    """A player without anything to restart or to close, who knows nothing of the cube: never doubles, always takes."""

    name = "player"

    def double(self, decision: Decision) -> bool:  # noqa: ARG002 - one knows nothing of it
        """Never."""
        return False

    def take(self, decision: Decision) -> bool:  # noqa: ARG002
        """Always."""
        return True

    def restart(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def to_dict(self) -> dict[str, Any]:
        """The name."""
        return {"player": self.name}


class EnginePlayer(LocalPlayer):
    """The neural engine: the first play of its ranking and its cube decisions."""

    def __init__(self, engine: Engine, *, name: str = "kibitz", extra: dict[str, Any] | None = None) -> None:
        self.engine, self.name, self._extra = engine, name, extra or {}

    def play(self, decision: Decision) -> Position:
        """The best play of the ranking."""
        assert decision.dice is not None
        settings = self.engine.settings
        ranked = self.engine.rank(
            decision.position, decision.dice, match=decision.match, cubeful=settings.cubeful and decision.cubeful
        )
        return ranked[0].play.result if ranked else decision.position.swapped()

    def double(self, decision: Decision) -> bool:
        """As the cube decision says; an optional double is made."""
        return self.engine.cube(decision.position, match=decision.match).double

    def take(self, decision: Decision) -> bool:
        """As the cube decision says."""
        return self.engine.cube(decision.position, match=decision.match).take

    def to_dict(self) -> dict[str, Any]:
        """Name, version and search settings."""
        from kibitz import __version__

        settings = self.engine.settings
        return {
            "player": self.name,
            "version": __version__,
            "plies": settings.plies,
            "filter": str(settings.filter),
            **self._extra,
        }


class NativePlayer(LocalPlayer):
    """One of our own players by its native half alone: the same answers as the engine's, without the ranking around."""

    def __init__(self, maker: _core.ContestantMaker, about: dict[str, Any], *, name: str) -> None:
        self._contestant, self._about, self.name = maker.make(), about, name

    def play(self, decision: Decision) -> Position:
        """Its play of the dice."""
        assert decision.dice is not None
        model = _model(decision.match, decision.cubeful)
        rows = decision.position._rows
        found = self._contestant.play(rows, decision.dice.high, decision.dice.low, model, decision.number)
        return Position._unchecked(found)

    def double(self, decision: Decision) -> bool:
        """Its cube decision."""
        return self._contestant.doubles(decision.position._rows, _model(decision.match, True))

    def take(self, decision: Decision) -> bool:
        """Its answer to a double."""
        return self._contestant.takes(decision.position._rows, _model(decision.match, True))

    def to_dict(self) -> dict[str, Any]:
        """What the player it stands for says."""
        return self._about


@lru_cache(maxsize=1024)
def _model(match: MatchState, cubeful: bool) -> _core.CubeModel:
    from kibitz.engine.engine import cube_model
    from kibitz.engine.match_equity import MatchEquityTable

    return cube_model(match, MatchEquityTable.default(), cubeful=cubeful)


class LevelPlayer(EnginePlayer):
    """The engine at a named level: its equities blurred by noise that depends on the position alone."""

    def __init__(self, engine: Engine, level: Level, *, name: str) -> None:
        super().__init__(engine, name=name, extra={"level": level.name, "noise": level.noise})
        self.level = level

    def play(self, decision: Decision) -> Position:
        """The best play by blurred equity."""
        if not self.level.noise:
            return super().play(decision)
        assert decision.dice is not None
        ranked = self.engine.rank(decision.position, decision.dice, match=decision.match, cubeful=decision.cubeful)
        if not ranked:
            return decision.position.swapped()
        return max(ranked, key=lambda one: one.equity + self._blur(one.play.result)).play.result

    def double(self, decision: Decision) -> bool:
        """The cube decision with its equities blurred."""
        if not self.level.noise:
            return super().double(decision)
        cube = self.engine.cube(decision.position, match=decision.match)
        return cube.available and cube.doubled + self._blur(decision.position) >= cube.no_double

    def take(self, decision: Decision) -> bool:
        """The answer with its equities blurred."""
        if not self.level.noise:
            return super().take(decision)
        cube = self.engine.cube(decision.position, match=decision.match)
        return cube.double_take + self._blur(decision.position) <= cube.double_pass

    def _blur(self, position: Position) -> float:
        from kibitz.engine.levels import noise_of

        return self.level.noise * noise_of(0, position.id)


class RankerPlayer(LocalPlayer):
    """A hand-made engine: the first play of its ranking. It never doubles and always takes."""

    def __init__(self, ranker: Ranker[Any]) -> None:
        self.ranker, self.name = ranker, ranker.name

    def play(self, decision: Decision) -> Position:
        """The best play of the ranking."""
        assert decision.dice is not None
        ranked = self.ranker.rank(decision.position, decision.dice)
        result: Position = ranked[0].play.result if ranked else decision.position.swapped()
        return result


class RandomPlayer(LocalPlayer):
    """Any legal play, each as likely as every other. It never doubles and always takes."""

    name = "random"

    def play(self, decision: Decision) -> Position:
        """One of the legal plays by the decision's number."""
        assert decision.dice is not None
        results = _core.legal_results(decision.position._rows, decision.dice.high, decision.dice.low)
        if not results:
            return decision.position.swapped()
        return Position._unchecked(results[decision.number % len(results)])
