"""Score, cube and rules around a position, seen by the player on roll."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.cube import Cube
from kibitz.errors import PositionError
from kibitz.position import Variant


@dataclass(frozen=True, slots=True)
class MatchState:
    """All that matters besides the checkers. Length 0 is a money game, where Jacoby and beavers apply.

    `crawford` says that this is the Crawford game. Once it has been played, `post_crawford` follows from the score.
    """

    length: int = 0
    my_score: int = 0
    their_score: int = 0
    cube: Cube = field(default_factory=Cube)
    crawford: bool = False
    jacoby: bool = True
    beavers: bool = False
    max_cube: int = 1024
    variant: Variant = Variant.BACKGAMMON

    def __post_init__(self) -> None:
        object.__setattr__(self, "variant", Variant(self.variant))
        defects = match_defects(self)
        if defects:
            raise PositionError(defects)

    @classmethod
    def money(cls, cube: Cube | None = None, jacoby: bool = True, beavers: bool = False) -> MatchState:
        """A money game."""
        return cls(cube=cube or Cube(), jacoby=jacoby, beavers=beavers)

    @property
    def is_money(self) -> bool:
        """Whether this is a money game rather than a match."""
        return self.length == 0

    @property
    def my_away(self) -> int:
        """Points that the player on roll still needs; 0 in a money game."""
        return max(self.length - self.my_score, 0)

    @property
    def their_away(self) -> int:
        """Points that the opponent still needs; 0 in a money game."""
        return max(self.length - self.their_score, 0)

    @property
    def post_crawford(self) -> bool:
        """Whether one side needs one point and the Crawford game is over."""
        return not self.is_money and not self.crawford and 1 in (self.my_away, self.their_away)

    def swapped(self) -> MatchState:
        """The same state, seen by the opponent."""
        return replace(self, my_score=self.their_score, their_score=self.my_score, cube=self.cube.swapped())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "length": self.length,
            "my_score": self.my_score,
            "their_score": self.their_score,
            "crawford": self.crawford,
            "jacoby": self.jacoby,
            "beavers": self.beavers,
            "cube": self.cube.to_dict(),
            "max_cube": self.max_cube,
            "variant": self.variant.value,
        }


def match_defects(match: MatchState) -> list[str]:
    """All that is wrong with a score; empty for one that can occur."""
    defects = []
    if match.length < 0:
        defects.append(f"the match length is {match.length}")
    for name, score in (("my", match.my_score), ("their", match.their_score)):
        if score < 0:
            defects.append(f"{name} score is {score}")
        elif match.length and score >= match.length:
            defects.append(f"{name} score of {score} has already won the {match.length}-point match")
    if match.crawford and match.length and not defects and 1 not in (match.my_away, match.their_away):
        defects.append("it is marked as the Crawford game, but nobody needs exactly one point")
    if match.crawford and match.length and not defects and match.my_away == match.their_away == 1 and match.length > 1:
        defects.append("it is marked as the Crawford game, but both sides need one point")
    if match.crawford and not match.length:
        defects.append("a money game has no Crawford game")
    if match.crawford and match.cube.value > 1:
        defects.append(f"the cube shows {match.cube.value} in the Crawford game")
    if match.max_cube < 1 or match.max_cube & (match.max_cube - 1):
        defects.append(f"the highest cube is {match.max_cube}, not a power of two")
    elif match.cube.value > match.max_cube:
        defects.append(f"the cube shows {match.cube.value}, more than the highest of {match.max_cube}")
    return defects
