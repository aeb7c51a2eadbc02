"""The one protocol behind which all players stand, and the players that live in this process.

A player is asked by a `State`. Position and match in it are seen by the player on roll; while an offer awaits its
answer that is the player who made it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from kibitz import _core
from kibitz.client import Client
from kibitz.decision import CubeAction, CubeDecision, Decision, PlayDecision, RankedPlay
from kibitz.dice import Dice
from kibitz.engine.engine import Engine
from kibitz.engine.levels import LEVELS, Level, noise_of
from kibitz.engine.settings import SearchOptions, SearchSettings
from kibitz.errors import EngineError
from kibitz.heuristics.protocol import Ranker
from kibitz.position import Position
from kibitz.state import Offer, State


class Player(Protocol):
    """Somebody who plays backgammon. Whoever asks has to check that the answer is legal."""

    @property
    def name(self) -> str:
        """How results call the player."""

    def play(self, state: State, number: int = 0) -> Position:
        """The position after the play of the dice, seen by the opponent; the swapped one where nothing can move.

        `number` is different at every turn, for players who choose at random.
        """

    def double(self, state: State) -> bool:
        """Whether to double before rolling. Asked only where doubling is allowed and can matter."""

    def take(self, state: State) -> bool:
        """Whether to accept the double, beaver or raccoon that is offered."""

    def beaver(self, state: State) -> bool:
        """Whether to accept the offer and turn the cube once more. Asked only where that is allowed."""

    def accept(self, state: State) -> bool:
        """Whether to accept the resignation that is offered."""

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


class SimplePlayer:
    """What most players share: nothing to restart or close, no beavers, every resignation accepted.

    Without more it knows nothing of the cube: it never doubles and always takes.
    """

    name = "player"

    def double(self, state: State) -> bool:  # noqa: ARG002 - one knows nothing of it
        """Never."""
        return False

    def take(self, state: State) -> bool:  # noqa: ARG002
        """Always."""
        return True

    def beaver(self, state: State) -> bool:  # noqa: ARG002
        """Never."""
        return False

    def accept(self, state: State) -> bool:  # noqa: ARG002
        """Always."""
        return True

    def restart(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def to_dict(self) -> dict[str, Any]:
        """The name."""
        return {"player": self.name}


class EnginePlayer(SimplePlayer):
    """Our engine at a level, or as it is set. The same seed, kind of decision and position give the same answer.

    A level searches as its settings say, and misjudges every equity by noise. `choose`, `doubles`, `takes` and
    `beavers` tell what it makes of a decision that was searched elsewhere. A `ranker` chooses the plays in its place:
    a hand-made engine, which never doubles and always takes.
    """

    def __init__(
        self,
        engine: Engine | Client,
        level: Level | str | None = None,
        *,
        seed: int = 0,
        name: str | None = None,
        about: Mapping[str, Any] | None = None,
        ranker: Ranker[Any] | None = None,
    ) -> None:
        self.engine, self.seed, self.ranker = engine, seed, ranker
        self.level = Level(f"{engine.settings.plies}-ply", engine.settings) if level is None else Level.of(level)
        if self.level.steps and not isinstance(engine, Engine):
            raise EngineError(f"the level {self.level.name!r} needs an engine of this process, not that of a server")
        self.name = name or (f"kibitz {self.level.name}" if ranker is None else ranker.name)
        self._about = about or {}

    @property
    def search(self) -> SearchOptions:
        """The settings of its searches that decide what is found. Threads and memory are the engine's own."""
        return self.level.search.options(cubeful=self.engine.settings.cubeful)

    @property
    def settings(self) -> SearchSettings:
        """All settings of its searches."""
        return self.engine.settings.changed(**self.search)

    # --- decisions --------------------------------------------------------------------------------------------------

    def play(self, state: State, number: int = 0) -> Position:  # noqa: ARG002 - the noise needs no number
        """The best play by its own analysis."""
        chosen = self.choose(self.rank(state))
        return state.position.swapped() if chosen is None else chosen.play.result

    def double(self, state: State) -> bool:
        """As the cube decision says; an optional double is made."""
        return self.doubles(self.cube(state))

    def take(self, state: State) -> bool:
        """As the cube decision says."""
        return self.takes(self.cube(state))

    def beaver(self, state: State) -> bool:
        """As the cube decision says."""
        return self.beavers(self.cube(state))

    def accept(self, state: State) -> bool:
        """As the search says, without noise: that would refuse every other resignation of a decided game."""
        return self.engine.resignation(state, **self.search).accept

    def rank(self, state: State) -> PlayDecision:
        """The plays of a roll with the thought of its level."""
        found = self._thought(state) if self.level.steps else self.engine.rank(state, **self.search)
        assert isinstance(found, PlayDecision)
        return found

    def cube(self, state: State) -> CubeDecision:
        """A cube decision with the thought of its level."""
        found = self._thought(state) if self.level.steps else self.engine.cube(state, **self.search)
        assert isinstance(found, CubeDecision)
        return found

    def _thought(self, state: State) -> Decision:
        assert isinstance(self.engine, Engine)
        return self.engine.answer(state, level=self.level)

    # --- analysis ---------------------------------------------------------------------------------------------------

    def choose(self, plays: PlayDecision) -> RankedPlay | None:
        """Its choice among ranked plays; None where none is legal."""
        if self.ranker is not None and plays:
            best = self.ranker.rank(plays.state.position, dice_of(plays.state))[0].play.result
            return next(one for one in plays if one.play.result == best)
        if not self.level.noise:
            return plays[0] if plays else None
        return max(plays, key=lambda one: one.equity + self._error("play", one.play.result), default=None)

    def doubles(self, cube: CubeDecision) -> bool:
        """Whether it doubles, given these equities."""
        if self.ranker is not None:
            return False
        return replace(cube, no_double=cube.no_double + self._error("double", cube.state.position)).double

    def takes(self, cube: CubeDecision) -> bool:
        """Whether it accepts the double, beaver or raccoon, given these equities."""
        return self._answer(cube) is not CubeAction.PASS

    def beavers(self, cube: CubeDecision) -> bool:
        """Whether it turns the cube once more, given these equities."""
        return self._answer(cube) in (CubeAction.BEAVER, CubeAction.RACCOON)

    def _answer(self, cube: CubeDecision) -> CubeAction:
        if self.ranker is not None:
            return CubeAction.TAKE
        seen = replace(cube, double_take=cube.double_take + self._error("take", cube.state.position))
        if cube.state.offer is Offer.BEAVER:
            return seen.countering()[0].action
        if cube.state.offer is Offer.RACCOON:  # the doubled cube decides, whatever it is multiplied with
            return CubeAction.TAKE if seen.take else CubeAction.PASS
        return seen.answer

    def _error(self, kind: str, position: Position) -> float:
        return self.level.noise * noise_of(self.seed, kind, position.id) if self.level.noise else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Name, version, search settings and, at a level with noise, its name and seed."""
        from kibitz import __version__

        level = self.level
        noise = {"level": level.name, "noise": level.noise, "seed": self.seed} if level.noise else {}
        settings = self.settings
        about = {"player": self.name, "version": __version__, "plies": settings.plies, "filter": str(settings.filter)}
        if level.steps:
            about["level"] = level.name
        return about | noise | dict(self._about)


class RankerPlayer(SimplePlayer):
    """A hand-made engine: the first play of its ranking. It never doubles and always takes."""

    def __init__(self, ranker: Ranker[Any]) -> None:
        self.ranker, self.name = ranker, ranker.name

    def play(self, state: State, number: int = 0) -> Position:  # noqa: ARG002 - it is sure of itself
        """The best play of the ranking."""
        ranked = self.ranker.rank(state.position, dice_of(state))
        result: Position = ranked[0].play.result if ranked else state.position.swapped()
        return result


class RandomPlayer(SimplePlayer):
    """Any legal play, each as likely as every other. It never doubles and always takes."""

    name = "random"

    def play(self, state: State, number: int = 0) -> Position:
        """One of the legal plays, by the number."""
        dice = dice_of(state)
        results = _core.legal_results(state.position.rows, dice.high, dice.low)
        return Position.from_rows(results[number % len(results)]) if results else state.position.swapped()


HAND_MADE = ("ten-factor", "tabula")
"""The engines that explain themselves, as opponents: they play checkers and leave the cube alone."""
OPPONENTS = (
    "random",
    *HAND_MADE,
    *(level.name for level in LEVELS.values() if not any(isinstance(step, str) for step in level.steps)),
)
"""Whom a person can play against in this process, by name: who rolls out every decision would keep people waiting."""


def opponent_of(name: str, engine: Engine, *, seed: int = 0) -> Player:
    """An opponent by name."""
    if name == "random":
        return RandomPlayer()
    if name in HAND_MADE:
        from kibitz.heuristics import Tabula, TenFactor

        return RankerPlayer(Tabula(threads=1) if name == "tabula" else TenFactor())
    if name not in OPPONENTS:
        raise EngineError(f"there is no opponent {name!r}; expected {', '.join(OPPONENTS)}")
    return EnginePlayer(engine, name, seed=seed)


def dice_of(state: State) -> Dice:
    """The dice of a state that asks for a play."""
    if state.dice is None:
        raise EngineError("expected dice in the state: without them there is no play")
    return state.dice
