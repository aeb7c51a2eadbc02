"""Race formulas for players without a table: adjusted pip counts, estimated chances and their advice on the cube.

Each takes a position in which the player on roll thinks about doubling, and gives the two counts it compares and what
it advises for a double, a redouble and the answer. They know nothing of gammons, nor of who owns the cube.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, erf, floor, sqrt
from typing import Any

from kibitz.plain_json import picked
from kibitz.position import Position

HOME = 6


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a formula says: the counts of the player on roll and of the opponent, and its advice."""

    name: str
    mine: float
    theirs: float
    double: bool
    redouble: bool
    take: bool
    win: float | None = None  # where the formula estimates the winning chance

    @property
    def action(self) -> str:
        """The advice in words."""
        if not self.double:
            return "no double, take" if self.take else "no double, pass"
        return ("double or redouble" if self.redouble else "double, no redouble") + (
            ", take" if self.take else ", pass"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return picked(self, "name", "mine", "theirs", "double", "redouble", "take", "action", "win")


def kleinman(position: Position) -> Verdict:
    """Kleinman: the lead as a normal deviate. Doubled from 0.44 on his scale, redoubled from 0.61, passed above 1.2."""
    mine, theirs = position.pips
    lead, rest = theirs - mine + 4, mine + theirs - 4
    if rest <= 0:
        win, metric = 1.0, float("inf")
    else:
        win = (1 + erf(lead / (2 * sqrt(rest)))) / 2
        metric = lead * lead / rest if lead > 0 else 0.0
    return Verdict("Kleinman", mine, theirs, metric >= 0.44, metric >= 0.61, metric <= 1.2, win)


def thorp(position: Position) -> Verdict:
    """Thorp: pips, checkers, ace-point checkers and home points; a tenth more for a leader above 30."""
    mine, theirs = (_thorp_count(row) for row in (position.mine, position.theirs))
    leader = mine * 1.1 if mine > 30 else mine
    return Verdict("Thorp", leader, theirs, leader <= theirs + 2, leader <= theirs + 1, leader > theirs - 2)


def _thorp_count(row: Sequence[int]) -> float:
    return _pips(row) + 2 * sum(row) + row[0] - _home_points(row)


def ward(position: Position) -> Verdict:
    """Ward: pips corrected for what one side has more of than the other; a tenth more for the player on roll."""
    rows = (position.mine, position.theirs)
    counts = []
    for row, other in (rows, rows[::-1]):
        count = float(_pips(row))
        count += 2 * max(row[0] - 2, 0) + max(row[1] - 2, 0)
        count -= max(_home_points(row) - _home_points(other), 0)
        count += 2 * max(sum(row) - sum(other), 0)
        count += 0.5 * max(sum(row[HOME:]) - sum(other[HOME:]), 0)
        counts.append(count)
    mine, theirs = counts[0] * 1.1, counts[1]
    length = (position.pips[0] + position.pips[1]) / 2
    margin = 2 + min(max((length - 50) / 25, 0.0), 2.0)  # 2 up to 50 pips, 3 at 75, 4 from 100 on
    return Verdict("Ward", mine, theirs, mine <= theirs + 2, mine <= theirs + 1, theirs <= mine + margin)


def keith(position: Position) -> Verdict:
    """Keith: gaps and stacks in the home board; a seventh more for the player on roll."""
    mine, theirs = (_keith_count(row) for row in (position.mine, position.theirs))
    leader = mine + mine // 7
    return Verdict("Keith", leader, theirs, leader <= theirs + 4, leader <= theirs + 3, leader >= theirs + 2)


def _keith_count(row: Sequence[int]) -> int:
    stacks = 2 * max(row[0] - 1, 0) + max(row[1] - 1, 0) + max(row[2] - 3, 0)
    return _pips(row) + stacks + sum(1 for count in row[3:HOME] if count == 0)


def isight(position: Position) -> Verdict:
    """Isight: Reichert's counts, and the winning chance that he reads off them."""
    rows = (position.mine, position.theirs)
    counts = []
    for row, other in (rows, rows[::-1]):
        count = _pips(row)
        count += max(sum(row) - sum(other), 0)
        count += 2 * max(row[0] - 2, 0) + max(row[1] - 2, 0) + max(row[2] - 3, 0)
        count += sum(1 for slot in range(3, HOME) if row[slot] == 0 and other[slot])
        count += max(_crossovers(row) - _crossovers(other), 0)
        counts.append(count)
    mine, theirs = counts
    chance = 80 - mine / 3 + 2 * (theirs - mine)
    win = min(max(chance / 100, 0.0), 1.0)
    return Verdict("Isight", mine, theirs, chance >= 68, chance >= 70, chance <= 76, win)


def trice(position: Position) -> Verdict:
    """Trice: how many pips more the opponent may have for the last take; two less to redouble, three to double."""
    mine, theirs = position.pips
    last_take = ceil(mine / 10) + 1 if mine > 62 else floor((mine - 5) / 7)
    behind = theirs - mine
    return Verdict("Trice", mine, theirs, behind >= last_take - 3, behind >= last_take - 2, behind <= last_take)


def eight_nine_twelve(position: Position) -> Verdict:
    """The 8-9-12 rule: the lead in per cent of the leader's pips."""
    mine, theirs = position.pips
    lead = 100 * (theirs - mine) / mine if mine else float("inf")
    return Verdict("8-9-12", mine, theirs, lead >= 8, lead >= 9, lead <= 12)


FORMULAS: tuple[Callable[[Position], Verdict], ...] = (kleinman, thorp, ward, keith, isight, trice, eight_nine_twelve)
"""All formulas, in the order in which they are shown."""


def _pips(row: Sequence[int]) -> int:
    return sum((slot + 1) * count for slot, count in enumerate(row))


def _home_points(row: Sequence[int]) -> int:
    """Points of the home board with a checker on them."""
    return sum(1 for count in row[:HOME] if count)


def _crossovers(row: Sequence[int]) -> int:
    """Quarters of the board that the checkers still have to cross to come home."""
    return sum(count * (slot // HOME) for slot, count in enumerate(row))
