"""Match equities by formula, for tables of any length.

Both models play a game as a walk of the winning chance between the two points at which a side doubles and the other
passes. Where those points lie follows from the chances at the scores that the game can lead to, from the highest cube
that still matters down to the first. Zadeh's model doubles a little later than a perfect player could (`slack`); MEC's
does not. Gammons come at a fixed rate. By Zadeh's model the values are within half a percent of the ones that gnubg
computes by its own reading of the same paper; MEC's program was never published as formulas, and readings of it differ
more.
"""

from __future__ import annotations

from collections.abc import Mapping

Rows = tuple[tuple[float, ...], ...]
FREE_DROPS = {2: 0.015, 4: 0.004}
"""What the leader's right to pass the first double costs a trailer who needs so many points."""


def post_crawford(
    length: int,
    known: tuple[float, ...] = (),
    *,
    gammons: float = 0.25,
    free_drops: Mapping[int, float] = FREE_DROPS,
) -> tuple[float, ...]:
    """Chances of the trailer, who doubles at once and wins a gammon in a share of the games won."""
    chances = list(known) or [0.5]
    while len(chances) < length:
        away = len(chances) + 1

        def after(points: int, away: int = away) -> float:
            return 1.0 if points >= away else chances[away - points - 1]

        chances.append(0.5 * (gammons * after(4) + (1 - gammons) * after(2)) - free_drops.get(away, 0.0))
    return tuple(chances)


def zadeh(
    length: int,
    *,
    leader_gammons: float = 0.15,
    trailer_gammons: float = 0.25,
    slack: float = 0.06,
    free_drops: Mapping[int, float] = FREE_DROPS,
    known: tuple[Rows, tuple[float, ...]] | None = None,
) -> tuple[Rows, tuple[float, ...]]:
    """Zadeh's model; `known` values are kept and gone on from."""
    return _Model(length, leader_gammons, trailer_gammons, slack, free_drops, known).tables()


def mec(
    length: int, *, gammons: float = 0.26, free_drops: Mapping[int, float] = FREE_DROPS
) -> tuple[Rows, tuple[float, ...]]:
    """MEC's model: one gammon rate for both sides, and cubes turned at the perfect moment."""
    return _Model(length, gammons, gammons, 0.0, free_drops, None).tables()


class _Model:
    """One table in the making."""

    def __init__(
        self,
        length: int,
        leader_gammons: float,
        trailer_gammons: float,
        slack: float,
        free_drops: Mapping[int, float],
        known: tuple[Rows, tuple[float, ...]] | None,
    ) -> None:
        self.length, self.slack = length, slack
        self.leader_gammons, self.trailer_gammons = leader_gammons, trailer_gammons
        pre, post = known or ((), ())
        self.post = post_crawford(length, post, gammons=trailer_gammons, free_drops=free_drops)
        self.chances = {(i + 1, j + 1): value for i, row in enumerate(pre) for j, value in enumerate(row)}

    def tables(self) -> tuple[Rows, tuple[float, ...]]:
        """Every score, the shorter matches first."""
        for theirs in range(1, self.length + 1):
            for mine in range(1, theirs + 1):
                if (mine, theirs) not in self.chances:
                    chance = (
                        0.5 if mine == theirs else self._crawford(theirs) if mine == 1 else self._game(mine, theirs)
                    )
                    self.chances[mine, theirs] = chance
                    self.chances[theirs, mine] = 1.0 - chance
        span = range(1, self.length + 1)
        return tuple(tuple(self.chances[i, j] for j in span) for i in span), self.post

    def _crawford(self, away: int) -> float:
        """The leader's chance before the Crawford game: an even game without a cube."""

        def after(points: int) -> float:
            return 1.0 if points >= away else self.post[away - points - 1]

        return 1.0 - 0.5 * (self.trailer_gammons * after(2) + (1 - self.trailer_gammons) * after(1))

    def _chance(self, away: tuple[int, int], winner: int, points: int, viewer: int) -> float:
        """The chance of `viewer` (0 or 1) after `winner` has won so many points."""
        needed = list(away)
        needed[winner] -= points
        if needed[winner] <= 0:
            return 1.0 if winner == viewer else 0.0
        return self.chances[needed[viewer], needed[1 - viewer]]

    def _mean(self, away: tuple[int, int], winner: int, cube: int, viewer: int) -> float:
        gammons = self.leader_gammons if winner == 0 else self.trailer_gammons
        single = self._chance(away, winner, cube, viewer)
        return single + gammons * (self._chance(away, winner, 2 * cube, viewer) - single)

    def _cash_point(self, away: tuple[int, int], doubler: int, cube: int) -> float:
        """The doubler's winning chance from which the other passes the double of this cube."""
        taker = 1 - doubler
        bottom = self._mean(away, doubler, 2 * cube, taker)
        passing = self._chance(away, doubler, cube, taker)
        if away[taker] <= 2 * cube:
            top, reach = self._mean(away, taker, 2 * cube, taker), 1.0
        else:
            top, reach = self._chance(away, taker, 2 * cube, taker), self._cash_point(away, taker, 2 * cube)
        return 1.0 - min(max(reach * (passing - bottom) / (top - bottom), 0.0), 1.0) if top > bottom else 1.0

    def _game(self, mine: int, theirs: int) -> float:
        """The leader's chance: how often an even game reaches the leader's cash point before the trailer's."""
        away = (mine, theirs)
        to_win = self._cash_point(away, 0, 1) + self.slack - 0.5
        to_lose = self._cash_point(away, 1, 1) + self.slack - 0.5
        won, lost = self._chance(away, 0, 1, 0), self._chance(away, 1, 1, 0)
        return (to_lose * won + to_win * lost) / (to_win + to_lose)
