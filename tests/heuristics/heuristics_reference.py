"""tabula and the shot counter once more: plain, slow, straight from the documents. And positions to try them on.

A side is a list of 26 counts, indexed by its own point; 25 is the bar, 0 is unused.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from operator import mul

from kibitz import Position, _core

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
POINTS = range(1, 25)


def sides(rows: bytes) -> tuple[list[int], list[int]]:
    return [0, *rows[:25]], [0, *rows[25:]]


def chance(roll: tuple[int, int]) -> float:
    return (1 if roll[0] == roll[1] else 2) / 36


# --- positions ----------------------------------------------------------------------------------------------------


def positions_from_games(count: int, seed: int) -> Iterator[Position]:
    """Positions of random games, each of them once in three turns or so."""
    rng = random.Random(seed)
    rows = Position.start().rows
    while count:
        results = _core.legal_results(rows, *rng.choice(ROLLS))
        rows = rng.choice(results) if results else rows[25:] + rows[:25]
        if not any(rows[:25]) or not any(rows[25:]):
            rows = Position.start().rows
        elif rng.random() < 0.3:
            count -= 1
            yield Position.from_rows(rows)


def odd_positions(count: int, seed: int) -> Iterator[Position]:
    """Positions that games seldom see: many on the bar, few checkers, everybody near home."""
    rng = random.Random(seed)
    while count:
        mine, theirs = [0] * 25, [0] * 25
        farthest = rng.choice((24, 24, 12, 6))
        for _ in range(rng.randint(1, 15)):
            mine[24 if rng.random() < 0.08 else rng.randrange(farthest)] += 1
        farthest = rng.choice((24, 24, 12, 24))
        for _ in range(rng.randint(1, 15)):
            point = 24 if rng.random() < 0.06 else rng.randrange(farthest)
            if point == 24 or not mine[23 - point]:
                theirs[point] += 1
        if any(theirs) and not (mine[24] and theirs[24]):
            count -= 1
            yield Position(mine, theirs)


# --- tabula -------------------------------------------------------------------------------------------------------


def pseudopips(space: int) -> int:
    return (6 if space <= 6 else 42) + space + 2 * int(math.exp(0.2 * space))


PSEUDOPIPS = [0] + [pseudopips(space) for space in range(1, 26)]


def is_past(mine: list[int], theirs: list[int]) -> bool:
    """No checker has to pass an opposing one any more; their point q is my point 25 - q, their bar my point 0."""
    behind = max((point for point in range(1, 26) if mine[point]), default=None)
    foremost = min((25 - point for point in range(1, 26) if theirs[point]), default=None)
    return behind is None or foremost is None or behind < foremost


def tabula_parts(before: bytes, after: bytes, opponent_spaces: bool = False) -> tuple[int, int, int]:
    """Pips, blots and hits of the side that played from `before` to `after`; the other side is on roll in `after`."""
    _, stood = sides(before)
    theirs, mine = sides(after)
    pips = sum(map(mul, mine, PSEUDOPIPS))
    if is_past(mine, theirs):
        return pips, 0, 0

    def value(space: int) -> int:
        return PSEUDOPIPS[25 - space if opponent_spaces else space]

    foremost = min(25 - point for point in range(1, 26) if theirs[point])
    blots = sum(value(space) for space in POINTS if mine[space] == 1 and foremost < space)
    hits = sum(value(space) for space in POINTS if stood[25 - space] == 1 and theirs[25 - space] == 0)
    return pips, blots, hits


def tabula_opponent(after: bytes, opponent_spaces: bool = False) -> list[float]:
    """The average parts of all replies: equal for the replies of a roll, by its chance for each roll."""
    average = [0.0, 0.0, 0.0]
    for roll in ROLLS:
        replies = _core.legal_results(after, *roll) or [after[25:] + after[:25]]
        parts = [tabula_parts(after, reply, opponent_spaces) for reply in replies]
        for index in range(3):
            average[index] += chance(roll) * sum(part[index] for part in parts) / len(parts)
    return average


# --- shots --------------------------------------------------------------------------------------------------------


def shots_on(rows: bytes) -> dict[int, int]:
    """For each opposing blot, by its owner's point, how many of the 36 rolls hit it in some legal play."""
    _, theirs = sides(rows)
    counts = {point: 0 for point in POINTS if theirs[point] == 1}
    for roll in ROLLS if counts else ():
        results = _core.legal_results(rows, *roll)
        for point in counts:
            if any(result[point - 1] == 0 for result in results):
                counts[point] += round(36 * chance(roll))
    return counts
