"""Cube values in plain Python, written from the formulas: the oracle for the native ones."""

from __future__ import annotations

import itertools
from typing import NamedTuple

Outputs = tuple[float, float, float, float, float]


class Efficiency(NamedTuple):
    """Of a shared cube, without and by the Jacoby rule; of an owned one for money; swings and distance; gammons."""

    shared: float
    jacoby: float
    owned: float
    swing: float
    far: float
    gammons: float


def money_value(outputs: Outputs, owner: str, efficiency: Efficiency, jacoby: bool) -> float:
    """Janowski's equity per unit of the cube, before the player on roll thinks of doubling."""
    p, wg, wbg, lg, lbg = outputs
    wins = 1 + (wg + wbg) / p if p > 0 else 1.0
    losses = 1 + (lg + lbg) / (1 - p) if p < 1 else 1.0
    take = (losses - 0.5) / (wins + losses + 0.5)
    cash = (losses + 1) / (wins + losses + 0.5)
    if owner == "centred":
        top, bottom = (1.0, 1.0) if jacoby else (wins, losses)
        knots = [(0.0, -bottom), (take, -1.0), (cash, 1.0), (1.0, top)]
        dead = p * top - (1 - p) * bottom
    elif owner == "mine":
        knots = [(0.0, -losses), (cash, 1.0), (1.0, wins)]
        dead = p * wins - (1 - p) * losses
    else:
        knots = [(0.0, -losses), (take, -1.0), (1.0, wins)]
        dead = p * wins - (1 - p) * losses
    x, won, lost = efficiency.shared, wg / p if p > 0 else 0.0, lg / (1 - p) if p < 1 else 0.0
    if owner == "centred":
        x = efficiency.jacoby if jacoby else x
    else:
        won, lost = (won, lost) if owner == "mine" else (lost, won)
        x = min(max(efficiency.owned + efficiency.gammons * (lost - won), efficiency.owned / 2), 1.0)
    return (1 - x) * dead + x * along(knots, p)


def along(knots: list[tuple[float, float]], x: float) -> float:
    """The value at x of straight lines through the knots."""
    for (x0, y0), (x1, y1) in itertools.pairwise(knots):
        if x <= x1:
            return y1 if x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return knots[-1][1]


def bent(t: float, x: float) -> float:
    """A line from 0 to 1, bent down to end at x by a parabola that touches it.

    For an x below 1/2 the parabola begins at 0, and turns into the straight line to nothing. A tenth of the cut is a
    straight line anyway.
    """
    cut, line = 1 - x, x * t
    if cut == 0:
        return t
    if cut > 0.5:
        curve = line + 2 * x * cut * t * (1 - t)
    else:
        start = 1 - 2 * cut
        curve = t if t <= start else t - (t - start) ** 2 / (4 * cut)
    return 0.9 * curve + 0.1 * line


class PlainMatch:
    """Match winning chances for one player; `mine` and `theirs` are the points that each still needs."""

    def __init__(self, pre: list[list[float]], post: list[float], mine: int, theirs: int, crawford: bool) -> None:
        self.pre, self.post, self.mine, self.theirs, self.crawford = pre, post, mine, theirs, crawford

    def swapped(self) -> PlainMatch:
        """The opponent's view."""
        return PlainMatch(self.pre, self.post, self.theirs, self.mine, self.crawford)

    def after(self, points: int) -> float:
        """My chance in the match after this game brought me `points` (cost me, if negative)."""
        mine, theirs = self.mine - max(points, 0), self.theirs + min(points, 0)
        if mine <= 0:
            return 1.0
        if theirs <= 0:
            return 0.0
        if 1 in (self.mine, self.theirs):
            return 1 - self.post[theirs - 1] if mine == 1 else self.post[mine - 1]
        return self.pre[mine - 1][theirs - 1]

    def mean_win(self, outputs: Outputs, cube: int) -> float:
        """My mean chance after games that I win."""
        p, wg, wbg = outputs[:3]
        if p <= 0:
            return self.after(cube)
        return ((p - wg) * self.after(cube) + (wg - wbg) * self.after(2 * cube) + wbg * self.after(3 * cube)) / p

    def mean_loss(self, outputs: Outputs, cube: int) -> float:
        """My mean chance after games that I lose."""
        return 1 - self.swapped().mean_win(swap(outputs), cube)

    def can_double(self, cube: int) -> bool:
        """Whether a player in my place has any use for doubling from this cube."""
        return not self.crawford and cube < self.mine

    def take_point(self, outputs: Outputs, cube: int, efficiency: Efficiency) -> float:
        """My winning chance from which a double of `cube` is a take: there a doubled cube is worth a pass."""
        zero, one = self.mean_loss(outputs, 2 * cube), self.mean_win(outputs, 2 * cube)
        if self.can_double(2 * cube):
            cash, gain = self.cash(outputs, 2 * cube, efficiency)
            if self.after(-2 * cube) > 0:  # else nothing is lost by doubling on, and nothing missed
                gain *= self.part(outputs, 2 * cube, efficiency) * (1 - 0.3 * efficiency.far)
            one += gain / cash if cash > 1e-9 else 0.0  # the line on which the gain grows, carried on to 1
        return min(max((self.after(-cube) - zero) / (one - zero), 0.0), 1.0) if one > zero else 0.0

    def cash(self, outputs: Outputs, cube: int, efficiency: Efficiency) -> tuple[float, float]:
        """My winning chance from which they pass a double of `cube`, and what cashing gains beyond a dead cube."""
        point = 1 - self.swapped().take_point(swap(outputs), cube, efficiency)
        dead = along([(0, self.mean_loss(outputs, cube)), (1, self.mean_win(outputs, cube))], point)
        return point, max(self.after(cube) - dead, 0.0)

    def part(self, outputs: Outputs, cube: int, efficiency: Efficiency) -> float:
        """What part of the gain at the cash point my cube is worth there: more, the wider my doubling window is."""
        gained = self.mean_win(outputs, 2 * cube) - self.mean_win(outputs, cube)
        risked = self.mean_loss(outputs, cube) - self.mean_loss(outputs, 2 * cube)
        opens = 1 / (1 + gained / risked) if risked > 1e-12 else 0.0 if gained > 1e-12 else 1.0
        window = max(self.cash(outputs, cube, efficiency)[0] - opens, 0.02)
        return 1 / (1 + efficiency.swing / window)

    def value(self, outputs: Outputs, cube: int, owner: str, efficiency: Efficiency) -> float:
        """My chance in the match, before I think of doubling."""
        p = outputs[0]
        dead = along([(0, self.mean_loss(outputs, cube)), (1, self.mean_win(outputs, cube))], p)
        they = self.swapped()
        mine = owner in ("centred", "mine") and self.can_double(cube)
        theirs = owner in ("centred", "theirs") and they.can_double(cube)
        if theirs and not mine:
            return 1 - they.value(swap(outputs), cube, "mine", efficiency)
        if not mine:
            return dead
        cash, gain = self.cash(outputs, cube, efficiency)
        if theirs:
            their_cash, loss = they.cash(swap(outputs), cube, efficiency)
            x = (3 * efficiency.shared + efficiency.shared**2) / 4
            return dead + x * along([(0, 0), (1 - their_cash, -loss), (cash, gain), (1, 0)], p)
        part, tent = self.part(outputs, cube, efficiency), along([(0, 0), (cash, 1), (1, 0)], p)
        if self.after(-cube) == 0 and p < cash:
            return dead + gain * bent(tent, part)
        return dead + gain * part * tent * along([(0, 1 - efficiency.far), (cash, 1), (1, 1)], p)

    def decided(self, outputs: Outputs, cube: int, owner: str, efficiency: Efficiency) -> float:
        """My chance with the best cube decision."""
        undoubled = self.value(outputs, cube, owner, efficiency)
        if owner == "theirs" or not self.can_double(cube):
            return undoubled
        taken = self.value(outputs, 2 * cube, "theirs", efficiency)
        return max(undoubled, min(taken, self.after(cube)))


def swap(outputs: Outputs) -> Outputs:
    """The same probabilities, seen by the other player."""
    p, wg, wbg, lg, lbg = outputs
    return 1 - p, lg, lbg, wg, wbg
