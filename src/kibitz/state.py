"""A moment of a game: position, match, dice and what is being asked. What every notation is read into."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from kibitz.cube import Owner
from kibitz.dice import Dice
from kibitz.errors import NotationError, PositionError
from kibitz.match import MatchState
from kibitz.position import Position
from kibitz.status import Defect, PositionStatus


class Offer(StrEnum):
    """What the player on roll has put to the opponent, who now has to answer; a beaver is put back to the doubler."""

    NONE = "none"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    RESIGN_SINGLE = "resign-single"
    RESIGN_GAMMON = "resign-gammon"
    RESIGN_BACKGAMMON = "resign-backgammon"

    @property
    def is_resignation(self) -> bool:
        """Whether the game is given up."""
        return self in RESIGNATION_SIZES

    @classmethod
    def resignation(cls, size: int) -> Offer:
        """The offer to lose so many times the cube: 1, 2 or 3."""
        return next((offer for offer, value in RESIGNATION_SIZES.items() if value == size), cls.RESIGN_SINGLE)


RESIGNATION_SIZES = {Offer.RESIGN_SINGLE: 1, Offer.RESIGN_GAMMON: 2, Offer.RESIGN_BACKGAMMON: 3}
"""How many times the cube a resignation offers."""


class GameStatus(StrEnum):
    """How far a game is. Only Match IDs tell; everything else speaks of games in play."""

    NONE = "none"
    PLAYING = "playing"
    OVER = "over"
    RESIGNED = "resigned"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class State:
    """Everything a notation can say about a moment of a game.

    Position and match are seen by the player on roll; while a double is pending that is the doubler, as in the
    notations. `turn` says which of the two players of the source that is: 1 for XGID's bottom player and gnubg's
    player 1, 0 for the other. It is kept so that what was read can be written again unchanged, as are `status`
    and `old_match_id`, which marks Match IDs from before they had a bit for the Jacoby rule.
    """

    position: Position
    match: MatchState = field(default_factory=MatchState)
    dice: Dice | None = None
    offer: Offer = Offer.NONE
    turn: int = 1
    names: tuple[str, str] | None = None  # the player on roll, the opponent
    status: GameStatus = GameStatus.PLAYING
    old_match_id: bool = False

    def __post_init__(self) -> None:
        if self.dice is not None:
            object.__setattr__(self, "dice", Dice.of(self.dice))
        object.__setattr__(self, "offer", Offer(self.offer))
        object.__setattr__(self, "status", GameStatus(self.status))
        defects = state_defects(self)
        if defects:
            raise PositionError(defects)

    @property
    def position_id(self) -> str:
        """The GNU Backgammon Position ID."""
        return self.position.id

    @property
    def match_id(self) -> str:
        """The GNU Backgammon Match ID."""
        from kibitz.notation.match_id import format_match_id

        return format_match_id(self)

    @property
    def xgid(self) -> str:
        """The XGID."""
        from kibitz.notation.xgid import format_xgid

        return format_xgid(self)

    @property
    def fibs(self) -> str:
        """The FIBS board line."""
        from kibitz.notation.fibs import format_fibs

        return format_fibs(self)

    def swapped(self) -> State:
        """The same checkers and score with the opponent on roll, nothing rolled or offered."""
        return replace(
            self,
            position=self.position.swapped(),
            match=self.match.swapped(),
            dice=None,
            offer=Offer.NONE,
            turn=1 - self.turn,
            names=None if self.names is None else self.names[::-1],
        )

    def __str__(self) -> str:
        from kibitz.report.terminal import draw_state

        return draw_state(self)

    def _repr_svg_(self) -> str:
        from kibitz.report.svg import draw_state

        return draw_state(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON. An ID that cannot say all of this is None."""
        return {
            "position": self.position.to_dict(),
            "match": self.match.to_dict(),
            "dice": None if self.dice is None else list(self.dice),
            "offer": self.offer.value,
            "turn": self.turn,
            "names": None if self.names is None else list(self.names),
            "status": self.status.value,
            "position_id": self.position_id,
            "match_id": _or_none(lambda: self.match_id),
            "xgid": _or_none(lambda: self.xgid),
            "old_match_id": self.old_match_id,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> State:
        """What `to_dict` gave."""
        names = data["names"]
        return cls(
            Position.from_dict(data["position"]),
            MatchState.from_dict(data["match"]),
            None if data["dice"] is None else Dice.of(tuple(data["dice"])),
            Offer(data["offer"]),
            data["turn"],
            None if names is None else (names[0], names[1]),
            GameStatus(data["status"]),
            data["old_match_id"],
        )


def state_defects(state: State) -> list[Defect]:
    """What does not fit together in parts that are each right by themselves."""
    defects = []
    match = state.match
    most = match.variant.checkers
    for owner, row in (("the player on roll", state.position.mine), ("the opponent", state.position.theirs)):
        if sum(row) > most:
            words = f"{owner} has {sum(row)} checkers, more than the {most} of {match.variant.value}"
            defects.append(Defect(PositionStatus.TOO_MANY_CHECKERS, words))
    if state.turn not in (0, 1):
        defects.append(Defect(PositionStatus.UNREADABLE, f"the turn is {state.turn}, neither 0 nor 1"))
    if state.offer in (Offer.DOUBLE, Offer.BEAVER, Offer.RACCOON):
        if state.dice is not None:
            words = f"the dice show {state.dice} although a {state.offer.value} awaits its answer"
            defects.append(Defect(PositionStatus.DICE_DURING_OFFER, words))
        if match.crawford:
            defects.append(Defect(PositionStatus.CUBE_NOT_AVAILABLE, "nobody may double in the Crawford game"))
        elif state.offer is Offer.DOUBLE and match.cube.owner is Owner.THEIRS:
            defects.append(Defect(PositionStatus.CUBE_NOT_AVAILABLE, "the cube that was turned is the opponent's"))
        if match.cube.value >= match.max_cube:
            words = f"the cube was turned although it shows the highest value, {match.max_cube}"
            defects.append(Defect(PositionStatus.CUBE_TOO_HIGH, words))
    return defects


def _or_none(text: Callable[[], str]) -> str | None:
    try:
        return text()
    except NotationError:
        return None
