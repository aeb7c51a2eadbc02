"""Facts of the board after a play: how both sides stand, what the opponent's roll may do, and what our next one may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.dice import ALL_ROLLS
from kibitz.explain.standing import BACK, Standing, standing
from kibitz.heuristics.shots import ShotKind, Shots, shots
from kibitz.plain_json import picked
from kibitz.position import BAR, Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BAR_POINT = 7
DEEP = 23
"""Own points from here on are deep in the opponent's home board: a point there holds little."""
LOW_POINT = 3
"""Points below this one hold little: making them is no threat."""


@dataclass(frozen=True, slots=True)
class NextRoll:
    """What a side's next roll would do if the other side stood still: rolls of 36, the good and the bad ones."""

    hitting: int  # some play hits
    double_hitting: int  # some play hits two checkers or more
    making: int  # some play makes a new point that blocks or holds: the own 3 to bar points
    anchoring: int  # some play makes a new advanced anchor: the opponent's 3 to 6 points
    good: int  # some play does one of these
    covering: tuple[tuple[int, int], ...]  # own blot, rolls with which some play covers it
    exposed: int  # every play leaves a blot that can be hit

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return data | {"covering": [{"point": point, "rolls": rolls} for point, rolls in self.covering]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> NextRoll:
        """What `to_dict` gave."""
        return cls(**{**data, "covering": tuple((one["point"], one["rolls"]) for one in data["covering"])})


@dataclass(frozen=True, slots=True)
class Facts:
    """The board after a play. `mine` is the player who played, `theirs` the opponent, who is on roll.

    `shots` are the opponent's; `next_roll` is ours, should the opponent stand still. Points are each side's own.
    """

    position: Position
    mine: Standing
    theirs: Standing
    contact: bool
    shots: Shots
    double_shots: int
    next_roll: NextRoll

    @property
    def direct_shots(self) -> int:
        """Rolls of 36 that hit some blot directly, one die away."""
        found = {
            roll
            for blot in self.shots.blots
            for roll, kind in zip(blot.rolls, blot.kinds, strict=True)
            if kind is ShotKind.DIRECT
        }
        return sum(roll.weight for roll in found)

    @property
    def lead(self) -> int:
        """Pips that we are ahead."""
        return self.theirs.pips - self.mine.pips

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return (
            {"position": self.position.id}
            | picked(self, "mine", "theirs", "contact", "lead", "shots", "direct_shots", "double_shots")
            | picked(self, "next_roll")
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Facts:
        """What `to_dict` gave."""
        return cls(
            Position.from_id(data["position"]),
            Standing.from_dict(data["mine"]),
            Standing.from_dict(data["theirs"]),
            data["contact"],
            Shots.from_dict(data["shots"]),
            data["double_shots"],
            NextRoll.from_dict(data["next_roll"]),
        )


@lru_cache(maxsize=256)
def facts_of(after: Position) -> Facts:
    """All facts of the board after a play, given as the opponent on roll sees it: `play.result`."""
    mine, theirs = after.theirs, after.mine
    return Facts(
        position=after,
        mine=standing(mine, theirs),
        theirs=standing(theirs, mine),
        contact=after.in_contact,
        shots=shots(after),
        double_shots=_hitting(after.rows, at_least=2) if sum(count == 1 for count in mine[:24]) > 1 else 0,
        next_roll=next_roll(after.swapped()),
    )


def next_roll(position: Position) -> NextRoll:
    """What the next roll of the player on roll does."""
    import numpy as np

    rows = position.rows
    if position.is_over:
        return NextRoll(0, 0, 0, 0, 0, (), 0)
    by_roll = [_core.legal_results(rows, roll.high, roll.low) or [rows[BAR:] + rows[:BAR]] for roll in ALL_ROLLS]
    boards = np.frombuffer(b"".join(result for results in by_roll for result in results), dtype=np.uint8)
    boards = boards.reshape(-1, 2 * BAR)
    starts = np.cumsum([0] + [len(results) for results in by_roll[:-1]])
    weights = np.array([roll.weight for roll in ALL_ROLLS])
    held = boards[:, BAR : 2 * BAR - 1] >= 2

    def rolls_with(some: npt.ArrayLike) -> int:
        """Rolls of which some result has it."""
        return int(weights @ np.logical_or.reduceat(np.asarray(some), starts))

    def makes(points: list[int]) -> npt.NDArray[np.bool_]:
        return np.asarray(held[:, [point - 1 for point in points]].any(axis=1))

    hits = boards[:, BAR - 1].astype(int) - rows[2 * BAR - 1]
    blots = [point for point in range(1, BAR) if rows[point - 1] == 1]
    home = [point for point in range(LOW_POINT, BAR_POINT + 1) if rows[point - 1] < 2]
    anchors = [point for point in range(BACK, DEEP) if rows[point - 1] < 2]
    return NextRoll(
        hitting=rolls_with(hits >= 1),
        double_hitting=rolls_with(hits >= 2),
        making=rolls_with(makes(home)),
        anchoring=rolls_with(makes(anchors)),
        good=rolls_with((hits >= 1) | makes(home) | makes(anchors)),
        covering=tuple((point, rolls_with(makes([point]))) for point in blots),
        exposed=_exposed(boards, by_roll) if position.in_contact else 0,
    )


def _exposed(boards: npt.NDArray[np.uint8], by_roll: list[list[bytes]]) -> int:
    """Rolls of 36 of which every result leaves a shot. The boards are seen by the player who may then hit.

    Without a blot in front of his rearmost checker there is no shot. A blot up to six points in front of a checker is
    one always: the double of that number hits it. Only what is between the two has to be counted.
    """
    import numpy as np

    theirs = boards[:, :BAR] > 0
    # Blots by their numbers of the points, so that a checker behind one has a higher index.
    blots = boards[:, 2 * BAR - 2 : BAR - 1 : -1] == 1
    behind = np.logical_or.accumulate(theirs[:, ::-1], axis=1)[:, ::-1]
    reached = (blots & behind[:, 1:]).any(axis=1)
    movable = theirs.copy()
    movable[theirs[:, BAR - 1], : BAR - 1] = False  # whoever is on the bar has to enter first
    near = np.zeros_like(blots)
    for steps in range(1, 7):
        near[:, : BAR - steps] |= movable[:, steps:]
    direct = (blots & near).any(axis=1)
    exposed, start = 0, 0
    for roll, results in zip(ALL_ROLLS, by_roll, strict=True):
        part = slice(start, start + len(results))
        start += len(results)
        if not reached[part].all():
            continue
        open_ones = np.flatnonzero(~direct[part])
        if all(_core.shots(results[index])[1] for index in open_ones.tolist()):
            exposed += roll.weight
    return exposed


def hitting_rolls(position: Position) -> int:
    """Rolls of 36 with which the player on roll hits."""
    return 0 if position.is_over else _hitting(position.rows, at_least=1)


def _hitting(rows: bytes, *, at_least: int) -> int:
    """Rolls of 36 of the player on roll with which some play hits so many checkers at once."""
    bar = rows[2 * BAR - 1]
    return sum(
        roll.weight
        for roll in ALL_ROLLS
        if any(result[BAR - 1] - bar >= at_least for result in _core.legal_results(rows, roll.high, roll.low))
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """What a play changed for the player who made it: the facts that compare the board before and after it."""

    hit: tuple[int, ...]  # points on which a checker was hit
    made: tuple[int, ...]
    broken: tuple[int, ...]
    new_blots: tuple[int, ...]
    entered: int
    left_back: int  # checkers that left the opponent's home board or the bar for good
    borne_off: int

    @property
    def hits(self) -> int:
        """How many checkers were hit."""
        return len(self.hit)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {"hits": self.hits}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Turn:
        """What `to_dict` gave."""
        own: dict[str, Any] = {name: data[name] for name in cls.__slots__}
        return cls(**own | {name: tuple(own[name]) for name in ("hit", "made", "broken", "new_blots")})


def turn_facts(before: Position, after: Position) -> Turn:
    """The changes of a turn of the player on roll in `before`; `after` is seen by the opponent."""
    old, new = before.mine, after.theirs
    faced, left = before.theirs, after.mine
    points = range(1, BAR)
    return Turn(
        hit=tuple(BAR - point for point in range(BAR - 1, 0, -1) if faced[point - 1] > left[point - 1]),
        made=tuple(point for point in points if new[point - 1] >= 2 > old[point - 1]),
        broken=tuple(point for point in points if old[point - 1] >= 2 > new[point - 1]),
        new_blots=tuple(point for point in points if new[point - 1] == 1 != old[point - 1]),
        entered=old[BAR - 1] - new[BAR - 1],
        left_back=sum(old[BACK - 1 :]) - sum(new[BACK - 1 :]),
        borne_off=sum(old) - sum(new),
    )
