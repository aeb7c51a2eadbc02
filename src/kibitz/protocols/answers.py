"""The engine's answers within limits: how deep, how long, and stopped by whom."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Unpack

from kibitz.decision import CubeDecision, Decision, PlayDecision
from kibitz.engine.engine import Cancellation, Engine
from kibitz.engine.settings import SearchOptions
from kibitz.errors import EngineError, KibitzError
from kibitz.move import Move
from kibitz.play.players import EnginePlayer
from kibitz.protocols.limits import Limits
from kibitz.state import State


class Answerer:
    """A player of our own within limits. Safe to be shared by conversations."""

    def __init__(self, player: EnginePlayer | Engine, limits: Limits | None = None) -> None:
        self.player = EnginePlayer(player) if isinstance(player, Engine) else player
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._thinking: set[Cancellation] = set()
        self._stopped = False

    @property
    def is_thinking(self) -> bool:
        """Whether a search runs."""
        return bool(self._thinking)

    def stop(self) -> None:
        """End all searches, and let no other begin: from now on answers are those of 0 plies."""
        with self._lock:
            self._stopped = True
            thinking = list(self._thinking)
        for search in thinking:
            search.cancel()

    def answer(
        self,
        state: State,
        *,
        seconds: float | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> Decision:
        """What `Engine.answer` says, by the settings of the player. `seconds` and `plies` are cut to the limits.

        A search that is stopped counts as far as it came; one that came nowhere is answered without looking ahead.
        """
        engine = self.player.engine
        asked = search.get("plies")
        plies = self.player.settings.plies if asked is None else asked
        search = {**self.player.search, **search, "plies": max(0, min(plies, self.limits.plies))}
        if search["plies"] == 0:  # there is nothing to stop
            return engine.answer(state, **search)
        time = self.limits.think_seconds if seconds is None else min(seconds, self.limits.think_seconds)
        stopper = cancellation or Cancellation()
        with self._known(stopper), _clock(time, stopper):
            try:
                return engine.answer(state, cancellation=stopper, **search)
            except EngineError:
                if not stopper.cancelled:
                    raise
        search["plies"] = 0
        return engine.answer(state, **search)

    @contextmanager
    def _known(self, stopper: Cancellation) -> Iterator[None]:
        """A search that `stop` finds."""
        with self._lock:
            self._thinking.add(stopper)
            if self._stopped:
                stopper.cancel()
        try:
            yield
        finally:
            with self._lock:
                self._thinking.discard(stopper)

    def plays(
        self,
        state: State,
        *,
        seconds: float | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> PlayDecision:
        """The answer to a state with dice: the plays, best first."""
        found = self.answer(state, seconds=seconds, cancellation=cancellation, **search)
        assert isinstance(found, PlayDecision)
        return found

    def cube(
        self,
        state: State,
        *,
        seconds: float | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> CubeDecision:
        """The answer to a state without dice: the cube decision of the player on roll."""
        found = self.answer(state, seconds=seconds, cancellation=cancellation, **search)
        assert isinstance(found, CubeDecision)
        return found


@contextmanager
def _clock(seconds: float, stopper: Cancellation) -> Iterator[None]:
    """Stops a search after its time."""
    timer = threading.Timer(seconds, stopper.cancel)
    timer.daemon = True
    try:
        timer.start()  # an interrupt may come here too: a clock that nobody stops would hold the search at the end
        yield
    finally:
        timer.cancel()


def program_name(player: EnginePlayer) -> str:
    """What clients are told of who plays."""
    return "Kibitz" if player.ranker is None else f"Kibitz {player.ranker.name}"


def steps(moves: tuple[Move, ...], *, bar: str = "bar", off: str = "off") -> str:
    """Single steps with blanks between them and without stars, as most engines write plays."""
    names = {25: bar, 0: off}
    return " ".join(f"{names.get(move.source, move.source)}/{names.get(move.target, move.target)}" for move in moves)


def one_line(error: KibitzError) -> str:
    """An error as one line of plain ASCII, not too long: it may hold what a stranger sent."""
    text = " ".join(str(error).split())
    plain = "".join(letter if 32 <= ord(letter) < 127 else "?" for letter in text)
    return plain if len(plain) <= 200 else plain[:197] + "..."
