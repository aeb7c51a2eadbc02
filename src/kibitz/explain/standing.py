"""Facts of one side's checkers as they stand: points, blots, primes, blockades, race and timing.

Every function takes the two rows of a position, the side in question first, each from its owner's side as everywhere.
Points are those of the side in question unless a name says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kibitz.dice import ALL_ROLLS
from kibitz.position import BAR

if TYPE_CHECKING:
    from kibitz.bearoff.one_sided import OneSided

Row = Sequence[int]

HOME = 6
"""The highest point of the home board."""
BACK = 19
"""The lowest own point in the opponent's home board. A checker there or on the bar is back."""
ESCAPED = 17
"""The highest own point past the opponent's bar point. A back checker that gets there has escaped."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What one side's checkers amount to, without a look at the dice except where a field counts rolls of 36."""

    pips: int
    crossovers: int  # quarters that the checkers still have to cross, bearing off included
    home_pips: int  # pips until every checker is home, which is what saving the gammon takes first
    on_board: int
    on_bar: int
    back: int  # checkers in the opponent's home board or on the bar
    behind: int  # checkers that are not past the opponent's bar point
    blots: tuple[int, ...]
    points: tuple[int, ...]
    home_points: int
    home_blots: tuple[int, ...]
    anchors: tuple[int, ...]
    prime: int  # made points in a row, the longest such row
    prime_from: int  # its lowest point, 0 without any point
    block: int  # made points among the six in a row that hold the most of them
    block_from: int  # the lowest of these six
    stack: int  # checkers on the fullest point
    gaps: int  # home points without a checker
    spares: tuple[
        int, ...
    ]  # points of checkers that hold nothing: the third and further ones of a point, blots, those on the bar
    timing: int  # pips that the spares can play before all of them are home
    enter: int  # rolls with which one checker of the other side would enter
    escapes: tuple[tuple[int, int], ...]  # point of each back checker, rolls with which it escapes on its own
    effective_pips: float | None  # mean turns to bear off times 49/6; None with contact or while a checker is not home

    @property
    def wastage(self) -> float | None:
        """Effective pips beyond the pips; None where there are none."""
        return None if self.effective_pips is None else self.effective_pips - self.pips

    @property
    def escape_rolls(self) -> int | None:
        """The rolls that free the back checker that is worst off; None without a back checker."""
        return min((rolls for _, rolls in self.escapes), default=None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "escapes": [{"point": point, "rolls": rolls} for point, rolls in self.escapes],
            "wastage": self.wastage,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Standing:
        """What `to_dict` gave."""
        own = {name: data[name] for name in cls.__slots__}
        plain = {name: tuple(value) if isinstance(value, list | tuple) else value for name, value in own.items()}
        return cls(**plain | {"escapes": tuple((one["point"], one["rolls"]) for one in data["escapes"])})


def standing(row: Row, other: Row) -> Standing:
    """All facts of the side that owns the first row."""
    points = made_points(row)
    prime, prime_from = longest_prime(row)
    block, block_from = best_block(row)
    spares = spare_checkers(row)
    return Standing(
        pips=sum(point * count for point, count in enumerate(row, 1)),
        crossovers=sum(((point - 1) // HOME + 1) * count for point, count in enumerate(row, 1)),
        home_pips=sum((point - HOME) * count for point, count in enumerate(row, 1) if point > HOME),
        on_board=sum(row),
        on_bar=row[BAR - 1],
        back=sum(row[BACK - 1 :]),
        behind=sum(row[ESCAPED:]),
        blots=tuple(point for point in range(1, BAR) if row[point - 1] == 1),
        points=points,
        home_points=sum(point <= HOME for point in points),
        home_blots=tuple(point for point in range(1, HOME + 1) if row[point - 1] == 1),
        anchors=tuple(point for point in points if point >= BACK),
        prime=prime,
        prime_from=prime_from,
        block=block,
        block_from=block_from,
        stack=max(row[: BAR - 1]),
        gaps=sum(count == 0 for count in row[:HOME]),
        spares=spares,
        timing=sum(max(point - HOME, 0) for point in spares),
        enter=entering_rolls(row),
        escapes=tuple((point, escaping_rolls(other, point)) for point in range(BACK, BAR + 1) if row[point - 1]),
        effective_pips=None if any(row[HOME:]) or _rear(row) + _rear(other) > BAR else effective_pips(row),
    )


def _rear(row: Row) -> int:
    """The highest point with a checker, 25 for the bar, 0 without checkers."""
    return max((point for point, count in enumerate(row, 1) if count), default=0)


def effective_pips(row: Row) -> float:
    """The effective pip count of a side whose checkers are all home."""
    return _one_sided().turns(tuple(row)).effective_pips


@lru_cache(maxsize=1)
def _one_sided() -> OneSided:
    from kibitz.bearoff.one_sided import OneSided

    return OneSided()


def made_points(row: Row) -> tuple[int, ...]:
    """Points held by two checkers or more."""
    return tuple(point for point in range(1, BAR) if row[point - 1] >= 2)


def longest_prime(row: Row) -> tuple[int, int]:
    """How many made points stand in a row at most, and the lowest of them; of equal rows the lowest one."""
    best, start, length = (0, 0), 1, 0
    for point in range(1, BAR):
        if row[point - 1] >= 2:
            start = start if length else point
            length += 1
            best = (length, start) if length > best[0] else best
        else:
            length = 0
    return best


def best_block(row: Row) -> tuple[int, int]:
    """The most made points among six in a row, and the lowest of the six; of equal ones the lowest."""
    made = [count >= 2 for count in row[: BAR - 1]]
    best = (-1, 0)
    for low in range(1, 20):
        held = sum(made[low - 1 : low + 5])
        best = (held, low) if held > best[0] else best
    return best


def spare_checkers(row: Row) -> tuple[int, ...]:
    """The points of checkers that hold nothing, the highest first: all but the two that make a point. The bar is 25."""
    found: list[int] = []
    for point in range(BAR, 0, -1):
        count = row[point - 1]
        found += [point] * (count - 2 if count >= 2 and point != BAR else count)
    return tuple(found)


def entering_rolls(row: Row) -> int:
    """Rolls of 36 with which a checker on the bar enters against this side's home board."""
    closed = sum(count >= 2 for count in row[:HOME])
    return 36 - closed * closed


def escaping_rolls(blockers: Row, point: int) -> int:
    """Rolls of 36 with which a checker on this point, moving alone, gets past the bar point of those who block it."""
    blocked = 0
    for their_point in range(1, BAR):
        if blockers[their_point - 1] >= 2:
            blocked |= 1 << (BAR - their_point)
    return _escaping(blocked, point)


@lru_cache(maxsize=1 << 14)
def _escaping(blocked: int, point: int) -> int:
    """The same by a set of points that are closed, one bit a point."""
    count = 0
    for roll in ALL_ROLLS:
        orders = [[roll.high] * 4] if roll.is_double else [[roll.high, roll.low], [roll.low, roll.high]]
        for order in orders:
            here = point
            for die in order:
                here -= die
                if here <= ESCAPED or blocked >> here & 1:
                    break
            if here <= ESCAPED and not blocked >> here & 1:
                count += roll.weight
                break
    return count
