"""Plain computations to compare the tables with: slow, readable, and written from the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

Row = tuple[int, ...]  # counts by point, the ace point first

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def weight(roll: tuple[int, int]) -> int:
    return 1 if roll[0] == roll[1] else 2


def rows(points: int, checkers: int) -> Iterator[Row]:
    """Every row of up to so many checkers."""
    for count in range(checkers + 1):
        for places in combinations_with_replacement(range(points), count):
            yield tuple(places.count(point) for point in range(points))


def steps(row: Row, die: int) -> list[Row]:
    """Rows after one checker has moved by the rules of bearing off, without an opponent in the way."""
    found = []
    highest = max((point for point, count in enumerate(row) if count), default=-1)
    for point, count in enumerate(row):
        if not count:
            continue
        after = list(row)
        after[point] -= 1
        if point - die >= 0:
            after[point - die] += 1
        elif highest > 5 or (point - die < -1 and point < highest):
            continue
        found.append(tuple(after))
    return found


@cache
def plays(row: Row, roll: tuple[int, int]) -> frozenset[Row]:
    """Rows after a whole roll. Without contact every die can be played while there are checkers."""
    high, low = roll
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    ends: set[Row] = set()
    for order in orders:
        level = {row}
        for die in order:
            level = {after for before in level for after in (steps(before, die) or [before])}
        ends |= level
    return frozenset(ends)


@cache
def mean_turns(row: Row) -> float:
    """Least expected turns to bear off all checkers."""
    if not any(row):
        return 0.0
    return 1 + sum(weight(roll) * min(map(mean_turns, plays(row, roll))) for roll in ROLLS) / 36


@cache
def mean_turns_to_first(row: Row, count: int) -> float:
    """Least expected turns until fewer than `count` checkers are left."""
    if sum(row) < count:
        return 0.0
    best = [min(mean_turns_to_first(after, count) for after in plays(row, roll)) for roll in ROLLS]
    return 1 + sum(weight(roll) * value for roll, value in zip(ROLLS, best, strict=True)) / 36


@cache
def distribution(row: Row) -> tuple[float, ...]:
    """Chances of 0, 1, 2, … turns when each roll is played for the least expected turns."""
    if not any(row):
        return (1.0,)
    chances = [0.0]
    for roll in ROLLS:
        best = min(plays(row, roll), key=lambda after: (round(mean_turns(after), 13), sum(after), after))
        for turns, chance in enumerate(distribution(best)):
            chances += [0.0] * (turns + 2 - len(chances))
            chances[turns + 1] += weight(roll) * chance / 36
    return tuple(chances)


@cache
def equities(mine: Row, theirs: Row) -> tuple[float, float, float, float]:
    """Winning chance, and the equities with the cube centred, owned and unavailable, before the cube decision."""
    if not any(theirs):
        return 0.0, -1.0, -1.0, -1.0
    win, no_double, no_redouble, unavailable = no_cube_action(mine, theirs)
    doubled = min(2 * unavailable, 1.0)
    return win, max(no_double, doubled), max(no_redouble, doubled), unavailable


@cache
def no_cube_action(mine: Row, theirs: Row) -> tuple[float, float, float, float]:
    """The same if the player on roll rolls without doubling."""
    sums = [0.0] * 4
    for roll in ROLLS:
        after = [(1.0, 1.0, 1.0, 1.0) if not any(row) else _seen_by_mover(theirs, row) for row in plays(mine, roll)]
        for state in range(4):
            sums[state] += weight(roll) * max(values[state] for values in after) / 36
    return sums[0], sums[1], sums[2], sums[3]


def _seen_by_mover(theirs: Row, mine: Row) -> tuple[float, float, float, float]:
    win, centred, owned, unavailable = equities(theirs, mine)
    return 1 - win, -centred, -unavailable, -owned
