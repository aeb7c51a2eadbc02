"""Score, cube and rules around a position, seen by the player on roll."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.cube import Cube, Owner, cube_defects
from kibitz.errors import PositionError
from kibitz.plain_json import check_kinds, picked
from kibitz.position import Variant
from kibitz.status import Defect, PositionStatus


@dataclass(frozen=True, slots=True)
class MatchState:
    """All that matters besides the checkers. Length 0 is a money game.

    Jacoby and beavers exist in money games only; in a match both are False, whatever was asked for.
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
        if self.length > 0:
            object.__setattr__(self, "jacoby", False)
            object.__setattr__(self, "beavers", False)
        defects = match_defects(
            self.length, self.my_score, self.their_score, self.cube.value, self.crawford, self.max_cube
        )
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

    def points(self, size: int) -> int:
        """What a game counts that is won by 1 (single), 2 (gammon) or 3 (backgammon) times the cube.

        By the Jacoby rule gammons count only once the cube has been turned. A centred cube has not been, whatever it
        shows: automatic doubles turn nothing.
        """
        undoubled = self.jacoby and self.cube.owner is Owner.CENTRED
        return self.cube.value * (1 if undoubled else size)

    def swapped(self) -> MatchState:
        """The same state, seen by the opponent."""
        return replace(self, my_score=self.their_score, their_score=self.my_score, cube=self.cube.swapped())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        score = picked(self, "length", "my_score", "their_score", "crawford")
        return score | picked(self, "jacoby", "beavers", "cube", "max_cube", "variant")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> MatchState:
        """What `to_dict` gave."""
        check_kinds(data, cls().to_dict())
        return cls(**{**data, "cube": Cube.from_dict(data["cube"])})


def is_crawford_game(length: int, score: tuple[int, int], crawford_played: bool) -> bool:
    """Whether a game at this score is the Crawford game, given whether that has been played already."""
    return length > 1 and not crawford_played and (score[0] == length - 1) != (score[1] == length - 1)


def match_defects(
    length: int, my_score: int, their_score: int, cube: int, crawford: bool, max_cube: int
) -> list[Defect]:
    """All that is wrong with a score, a cube and their rules; empty for what can occur. The numbers may be any."""
    defects = []
    if length < 0:
        defects.append(Defect(PositionStatus.NEGATIVE_LENGTH, f"the match length is {length}"))
    for owner, score in (("the player on roll", my_score), ("the opponent", their_score)):
        if score < 0:
            defects.append(Defect(PositionStatus.NEGATIVE_SCORE, f"{owner} has a score of {score}"))
        elif 0 < length <= score:
            words = f"{owner} has a score of {score} and has already won the {length}-point match"
            defects.append(Defect(PositionStatus.SCORE_BEYOND_MATCH, words))
    if crawford:
        defects += _crawford_defects(length, my_score, their_score, cube)
    cubes = cube_defects(cube) + cube_defects(max_cube, "the highest cube")
    if not cubes and cube > max_cube:
        words = f"the cube shows {cube}, more than the highest of {max_cube}"
        cubes.append(Defect(PositionStatus.CUBE_TOO_HIGH, words))
    return defects + cubes


def _crawford_defects(length: int, my_score: int, their_score: int, cube: int) -> list[Defect]:
    """What speaks against this being the Crawford game. In a match of one point the mark says nothing."""
    words = []
    needed = (length - my_score, length - their_score)
    if length == 0:
        words.append("a money game has no Crawford game")
    elif length > 1 and min(needed) >= 1:
        if 1 not in needed:
            words.append("it is marked as the Crawford game, but nobody needs exactly one point")
        elif needed == (1, 1):
            words.append("it is marked as the Crawford game, but both sides need one point")
    if cube > 1:
        words.append(f"the cube shows {cube} in the Crawford game")
    return [Defect(PositionStatus.WRONG_CRAWFORD, text) for text in words]
