"""A person against an opponent: what the person does, and what the opponent answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from kibitz.errors import IllegalPlayError
from kibitz.move import Play
from kibitz.plain_json import picked
from kibitz.play.live_match import Choice, LiveMatch
from kibitz.play.players import Player
from kibitz.record import Drop, Resign, Roll, Setup
from kibitz.state import State

NEXT = "next"
"""How a person says that the next game may begin."""

_CHOICES = {Roll.kind: Choice.PLAY.value, Drop.kind: Choice.PASS.value}
"""What actions of a record are called as choices, where that is something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Time to think, in seconds: so many for the whole match, and a delay of so many before each turn counts."""

    reserve: float
    delay: float = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingSettings:
    """Who the opponent is, where the person sits (0 or 1), and the clock, if there is one."""

    opponent: str
    seat: int = 0
    clock: Clock | None = None
    used: float = 0.0  # seconds of the reserve

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SittingSettings:
        """What `to_dict` gave."""
        clock = data.get("clock")
        return cls(**{**data, "clock": None if clock is None else Clock(**clock)})


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that was done, in which state, and the dice, play, points or size that belong to it."""

    player: int
    choice: str
    state: State
    play: Play | None = None
    points: int | None = None
    size: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return (
            picked(self, "player", "choice", "state")
            | {"dice": None if self.state.dice is None else list(self.state.dice)}
            | picked(self, "play", "points", "size")
        )


@dataclass
class Sitting:
    """Lets the opponent answer whatever the person does, until the person is asked again or the game is over."""

    live: LiveMatch
    seat: int
    opponent: Player
    happened: list[Happening] = field(default_factory=list)

    def act(self, choice: str, play: str | None = None, *, size: int = 1) -> None:
        """Do what the person chooses, and let the opponent answer."""
        live = self.live
        if choice == NEXT:
            live.next_game()
        elif live.player != self.seat:
            raise IllegalPlayError("the game is over: the next one may begin, unless that was the last")
        else:
            self._do(choice, play, size)
        self.answer()

    def answer(self) -> None:
        """Let the opponent do what is his to do."""
        live = self.live
        while live.player is not None and live.player != self.seat:
            player, state = live.player, live.state
            choice = live.engine_turn(self.opponent)
            self._tell(player, choice, state)

    def _do(self, choice: str, play: str | None, size: int) -> None:
        live, state = self.live, self.live.state
        live.act(choice, play, size=size)
        self._tell(self.seat, choice, state, size if choice == Choice.RESIGN else None)

    def _tell(self, player: int, choice: str, state: State, size: int | None = None) -> None:
        live = self.live
        if choice == Choice.ROLL:
            state = live.state
        made = None
        if choice == Choice.PLAY:
            action = live.game.actions[-1]
            assert isinstance(action, Roll)
            if action.moves:
                seen = live.state.position if live.state.turn != player else live.state.position.swapped()
                made = Play(state.position, action.dice, seen, action.moves)
        points = None if live.result is None else live.result.points
        self.happened.append(Happening(player, str(choice), state, made, points, size))

    def look_back(self) -> None:
        """Tell the game so far as what has happened, for somebody who comes to the table."""
        live = self.live
        self.happened = [
            Happening(
                moment.action.player,
                _CHOICES.get(moment.action.kind, moment.action.kind),
                moment.state,
                moment.play if moment.play is not None and moment.play.moves else None,
                None,
                moment.action.size if isinstance(moment.action, Resign) else None,
            )
            for moment in live.match.moments(len(live.match.games))
            if not isinstance(moment.action, Setup)
        ]

    def undo(self) -> bool:
        """Take back what the person did last, and all that followed; the opponent goes first again where he did."""
        undone = self.live.undo(self.seat)
        self.answer()
        self.look_back()
        return undone
