"""Cube values in plain Python, written from the formulas: the oracle for the native ones."""

from __future__ import annotations

import itertools

Outputs = tuple[float, float, float, float, float]
Lives = tuple[float, float]  # of a cube that both may turn, and of one that only one may


def money_value(outputs: Outputs, owner: str, lives: Lives, jacoby: bool) -> float:
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
    life = lives[0] if owner == "centred" else lives[1]
    return (1 - life) * dead + life * along(knots, p)


def along(knots: list[tuple[float, float]], x: float) -> float:
    """The value at x of straight lines through the knots."""
    for (x0, y0), (x1, y1) in itertools.pairwise(knots):
        if x <= x1:
            return y1 if x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return knots[-1][1]


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

    def take_point(self, outputs: Outputs, cube: int) -> float:
        """My winning chance from which a double of `cube`, with a live cube, is a take."""
        loss, passing = self.mean_loss(outputs, 2 * cube), self.after(-cube)
        if self.can_double(2 * cube):
            top = self.after(2 * cube)
            reach = 1 - self.swapped().take_point(swap(outputs), 2 * cube)
        else:
            top, reach = self.mean_win(outputs, 2 * cube), 1.0
        return min(max(reach * (passing - loss) / (top - loss), 0.0), 1.0) if top > loss else 0.0

    def value(self, outputs: Outputs, cube: int, owner: str, lives: Lives) -> float:
        """My chance in the match, before I think of doubling."""
        p = outputs[0]
        win, loss = self.mean_win(outputs, cube), self.mean_loss(outputs, cube)
        dead = p * win + (1 - p) * loss
        mine = owner in ("centred", "mine") and self.can_double(cube)
        theirs = owner in ("centred", "theirs") and self.swapped().can_double(cube)
        if not mine and not theirs:
            return dead
        life = lives[0] if mine and theirs else lives[1]
        if mine and self.after(-cube) == 0:
            life = 1 - (1 - life) * min(p / (1 - self.swapped().take_point(swap(outputs), cube)), 1) ** 32
        if theirs and self.after(cube) == 1:
            life = 1 - (1 - life) * min((1 - p) / (1 - self.take_point(outputs, cube)), 1) ** 32
        knots = [(0.0, loss)]
        if theirs:
            knots.append((self.take_point(outputs, cube), self.after(-cube)))
        if mine:
            knots.append((1 - self.swapped().take_point(swap(outputs), cube), self.after(cube)))
        knots.append((1.0, win))
        return (1 - life) * dead + life * along(knots, p)

    def decided(self, outputs: Outputs, cube: int, owner: str, lives: Lives) -> float:
        """My chance with the best cube decision."""
        undoubled = self.value(outputs, cube, owner, lives)
        if owner == "theirs" or not self.can_double(cube):
            return undoubled
        taken = self.value(outputs, 2 * cube, "theirs", lives)
        return max(undoubled, min(taken, self.after(cube)))


def swap(outputs: Outputs) -> Outputs:
    """The same probabilities, seen by the other player."""
    p, wg, wbg, lg, lbg = outputs
    return 1 - p, lg, lbg, wg, wbg
