"""The questions that all protocols share, answered by the engine: which play, whether to double, whether to take."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kibitz.errors import KibitzError
from kibitz.play import Move
from kibitz.protocols.limits import Limits

if TYPE_CHECKING:
    from kibitz.dice import Dice
    from kibitz.engine.engine import Cancellation, Engine
    from kibitz.engine.results import CubeDecision, RankedPlay
    from kibitz.match import MatchState
    from kibitz.position import Position


class Answerer:
    """An engine within limits. Safe to be shared by conversations."""

    def __init__(self, engine: Engine, limits: Limits | None = None, *, cubeful: bool = True) -> None:
        self.engine, self.limits, self.cubeful = engine, limits or Limits(), cubeful

    def plays(
        self,
        position: Position,
        dice: Dice,
        match: MatchState,
        *,
        plies: int | None = None,
        cubeful: bool | None = None,
        seconds: float | None = None,
        threads: int | None = None,
        cancellation: Cancellation | None = None,
    ) -> list[RankedPlay]:
        """The plays of a roll, best first; empty where nothing can move."""
        plies = self._plies(plies)
        seconds = self.limits.think_seconds if seconds is None else min(seconds, self.limits.think_seconds)
        with self._clock(plies, seconds, cancellation) as stopper:
            return self.engine.rank(
                position,
                dice,
                plies=plies,
                match=match,
                cubeful=self.cubeful if cubeful is None else cubeful,
                threads=threads,
                cancellation=stopper,
            )

    def cube(
        self,
        position: Position,
        match: MatchState,
        *,
        plies: int | None = None,
        cancellation: Cancellation | None = None,
    ) -> CubeDecision:
        """The cube decision of the player on roll."""
        plies = self._plies(plies)
        with self._clock(plies, self.limits.think_seconds, cancellation) as stopper:
            return self.engine.cube(position, match=match, plies=plies, cancellation=stopper)

    def _plies(self, asked: int | None) -> int:
        return self.engine.settings.plies if asked is None else max(0, min(asked, self.limits.plies))

    @contextmanager
    def _clock(self, plies: int, seconds: float, given: Cancellation | None) -> Iterator[Cancellation | None]:
        """Ends a search after its time: what it has finished by then counts. Without look-ahead there is no need."""
        if plies == 0:
            yield given
            return
        from kibitz.engine.engine import Cancellation

        stopper = given or Cancellation()
        timer = threading.Timer(seconds, stopper.cancel)
        timer.daemon = True
        timer.start()
        try:
            yield stopper
        finally:
            timer.cancel()


def steps(moves: tuple[Move, ...], *, bar: str = "bar", off: str = "off") -> str:
    """Single steps with blanks between them and without stars, as most engines write plays."""
    names = {25: bar, 0: off}
    return " ".join(f"{names.get(move.source, move.source)}/{names.get(move.target, move.target)}" for move in moves)


def one_line(error: KibitzError) -> str:
    """An error as one line of plain ASCII, not too long: it may hold what a stranger sent."""
    text = " ".join(str(error).split())
    plain = "".join(letter if 32 <= ord(letter) < 127 else "?" for letter in text)
    return plain if len(plain) <= 200 else plain[:197] + "..."
