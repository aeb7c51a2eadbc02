"""A moment of a game: position, match, dice and what is being asked. What every notation is read into."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kibitz.dice import Dice
from kibitz.match import MatchState
from kibitz.position import Position


class Offer(StrEnum):
    """What the player on roll has put to the opponent, who now has to answer."""

    NONE = "none"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    RESIGN_SINGLE = "resign-single"
    RESIGN_GAMMON = "resign-gammon"
    RESIGN_BACKGAMMON = "resign-backgammon"


@dataclass(frozen=True, slots=True)
class State:
    """Everything a notation can say about a moment of a game.

    Position and match are seen by the player on roll; while a double is pending that is the doubler, as in the notations.
    `turn` says which of the two players of the source that is: 1 for XGID's bottom player and gnubg's player 1, 0 for the
    other. It is kept so that what was read can be written again unchanged.
    """

    position: Position
    match: MatchState = field(default_factory=MatchState)
    dice: Dice | None = None
    offer: Offer = Offer.NONE
    turn: int = 1
    names: tuple[str, str] | None = None  # the player on roll, the opponent

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

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "position": self.position.to_dict(),
            "match": self.match.to_dict(),
            "dice": None if self.dice is None else list(self.dice),
            "offer": self.offer.value,
            "turn": self.turn,
            "position_id": self.position_id,
            "match_id": self.match_id,
            "xgid": self.xgid,
        }
