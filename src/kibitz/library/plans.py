"""Kinds of game: what a position is about, told by simple rules that can be read here.

The rules are asked in the order of `Plan`; the first that holds decides. Each is seen by the player on roll: a blitz is
one's own attack, `UNDER_BLITZ` the opponent's. Points are counted from the side of the one whose checkers are meant.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Boards = npt.NDArray[np.uint8]
    Truths = npt.NDArray[np.bool_]

ZONE = 12
"""An attack is fought on one's own points 1 to 12."""
ATTACKERS = 10
"""So many checkers in the zone make a blitz."""
FAR_BEHIND = 40
"""A side that holds two anchors and is so many pips behind plays a back game."""


class Plan(StrEnum):
    """What a position is about, seen by the player on roll."""

    BEAROFF = "bearoff"  # no contact, both sides are home
    RACE = "race"  # no contact
    CONTACT_BEAROFF = "bearoff with contact"  # one side is home or has borne off, and can still be hit
    BACK_GAME = "back game"
    AGAINST_BACK_GAME = "against back game"
    BLITZ = "blitz"
    UNDER_BLITZ = "under blitz"
    PRIME_AGAINST_PRIME = "prime against prime"
    PRIMING = "priming"
    PRIMED = "primed"
    MUTUAL_HOLDING = "mutual holding game"
    HOLDING = "holding game"
    AGAINST_HOLDING = "against holding game"
    MIDDLE = "other contact"


class Phase(StrEnum):
    """How far a game is: its first ten rolls, the middle, and what comes when one side bears off or contact is over."""

    OPENING = "opening"
    MIDDLE = "middle"
    ENDING = "ending"


OPENING_ROLLS = 10
_ENDINGS = (Plan.BEAROFF, Plan.RACE, Plan.CONTACT_BEAROFF)


def phase_of(plan: Plan, move: int) -> Phase:
    """The phase of a decision at the so-many-th roll of its game."""
    if plan in _ENDINGS:
        return Phase.ENDING
    return Phase.OPENING if move <= OPENING_ROLLS else Phase.MIDDLE


def plans_of(boards: Boards) -> list[Plan]:
    """The plan of each board of an array (n, 2, 25)."""
    import numpy as np

    mine, theirs = boards[:, 0].astype(np.int16), boards[:, 1].astype(np.int16)
    back = [_rearmost(rows) for rows in (mine, theirs)]
    contact = back[0] + back[1] > 24
    home = [rows <= 6 for rows in back]
    off = [(rows.sum(axis=1) < 15) & (rows.sum(axis=1) > 3) for rows in (mine, theirs)]  # hypergammon has three
    ending = contact & (home[0] | home[1] | off[0] | off[1])
    pips = [rows @ np.arange(1, 26) for rows in (mine, theirs)]
    back_game = [_anchors(a) >= 2 for a in (mine, theirs)]
    back_game[0] &= pips[0] - pips[1] >= FAR_BEHIND
    back_game[1] &= pips[1] - pips[0] >= FAR_BEHIND
    blitz = [_attacks(mine, theirs), _attacks(theirs, mine)]
    prime = [_primes(mine, theirs), _primes(theirs, mine)]
    holds = [_anchors(rows, lowest=18) >= 1 for rows in (mine, theirs)]
    rules: list[tuple[Plan, Truths]] = [
        (Plan.BEAROFF, ~contact & home[0] & home[1]),
        (Plan.RACE, ~contact),
        (Plan.CONTACT_BEAROFF, ending),
        (Plan.BACK_GAME, back_game[0]),
        (Plan.AGAINST_BACK_GAME, back_game[1]),
        (Plan.BLITZ, blitz[0]),
        (Plan.UNDER_BLITZ, blitz[1]),
        (Plan.PRIME_AGAINST_PRIME, prime[0] & prime[1]),
        (Plan.PRIMING, prime[0]),
        (Plan.PRIMED, prime[1]),
        (Plan.MUTUAL_HOLDING, holds[0] & holds[1]),
        (Plan.HOLDING, holds[0] & (back[1] < 18)),
        (Plan.AGAINST_HOLDING, holds[1] & (back[0] < 18)),
    ]
    names = list(Plan)
    found = np.select([truths for _, truths in rules], range(len(rules)), default=len(rules))
    order = [plan for plan, _ in rules] + [Plan.MIDDLE]
    assert order == names
    return [order[number] for number in found]


def _rearmost(rows: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """The point of the rearmost checker, 25 for the bar, 0 if there is none."""
    import numpy as np

    held = rows[:, ::-1] > 0
    return np.where(held.any(axis=1), 25 - held.argmax(axis=1), 0).astype(np.int16)


def _anchors(rows: npt.NDArray[np.int16], lowest: int = 19) -> npt.NDArray[np.int64]:
    """How many points are held in the opponent's home board (the bar point, 18, counts if asked for)."""
    count: npt.NDArray[np.int64] = (rows[:, lowest - 1 : 24] >= 2).sum(axis=1)
    return count


def _attacks(mine: npt.NDArray[np.int16], theirs: npt.NDArray[np.int16]) -> Truths:
    """Whether stragglers without an anchor are in this home board or on the bar, and many come for them."""
    stragglers = theirs[:, 18:].sum(axis=1)
    in_danger = (stragglers >= 2) | (theirs[:, 24] > 0)
    attack: Truths = (_anchors(theirs) == 0) & in_danger & (mine[:, :ZONE].sum(axis=1) >= ATTACKERS)
    return attack


def _primes(mine: npt.NDArray[np.int16], theirs: npt.NDArray[np.int16]) -> Truths:
    """Whether five of six points in a row are made with a checker of the other side behind them."""
    import numpy as np

    made = mine[:, :24] >= 2
    found = np.zeros(len(mine), dtype=bool)
    for start in range(0, 14):  # points start + 1 to start + 6 of this side
        block = made[:, start : start + 6].sum(axis=1) >= 5
        behind = theirs[:, 24 - start :].sum(axis=1) > 0  # on this side's points below the block, or on the bar
        found |= block & behind
    return found
