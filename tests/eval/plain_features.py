"""The features of a position, counted out slowly: the reference for the core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

SHOT_STARTS = (0, 1, 4, 7, 11, 14, 18, 23)
ESCAPE_STARTS = (0, 1, 5, 10, 15, 20, 26, 32)
BAR = 24


def _level(number: int, starts: Sequence[int]) -> int:
    return sum(number >= start for start in starts) - 1


def _landings(mine: Sequence[int], theirs: Sequence[int], first: int, second: int) -> set[int]:
    """Points that some checker comes to in this roll, where the opponent has no two checkers on the way."""

    def is_open(point: int) -> bool:
        return point >= 0 and theirs[23 - point] < 2

    def one_step(sources: set[int], die: int) -> set[int]:
        return {source - die for source in sources if is_open(source - die)}

    on_board = {point for point in range(24) if mine[point]}
    waiting = mine[BAR]
    found: set[int] = set()
    if first == second:
        landed = one_step({BAR} if waiting else on_board, first)
        found |= landed
        movers = landed | on_board if waiting and landed else landed
        for _ in range(min(3, 4 - waiting)):
            movers = one_step(movers, first)
            found |= movers
        return found
    for die, other in ((first, second), (second, first)):
        landed = one_step({BAR} if waiting else on_board, die)
        found |= landed
        if waiting == 0:
            found |= one_step(landed, other)
        elif waiting == 1 and landed:
            found |= one_step(landed | on_board, other)
    return found


def plain_features(mine: Sequence[int], theirs: Sequence[int]) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """What is on: its kind, the side it belongs to (0 is the player on roll) and where."""
    for side, (own, other) in enumerate(((mine, theirs), (theirs, mine))):
        rolls = [_landings(own, other, first, second) for first in range(1, 7) for second in range(1, 7)]
        enemy_blots = {23 - point for point in range(24) if other[point] == 1}
        if hits := sum(bool(landed & enemy_blots) for landed in rolls):
            yield "hit", side, (hits,)
        if double_hits := sum(len(landed & enemy_blots) > 1 for landed in rolls):
            yield "double hit", side, ((double_hits + 3) // 4,)
        own_blots = {point for point in range(24) if own[point] == 1}
        for kind, blots in (("shot", enemy_blots), ("cover", own_blots)):
            for point in blots:
                if reaching := sum(point in landed for landed in rolls):
                    yield kind, side, (point, _level(reaching, SHOT_STARTS))
        for slot in range(12, 25):
            if own[slot]:
                free = [True] + [other[23 - (slot - step)] < 2 for step in range(1, 13)]
                runs = sum(free[a + b] and (free[a] or free[b]) for a in range(1, 7) for b in range(1, 7))
                if runs < ESCAPE_STARTS[-1]:
                    yield "runner", side, (slot - 12, min(own[slot], 3) - 1, _level(runs, ESCAPE_STARTS))


def unit_of(kind: str, side: int, where: tuple[int, ...]) -> int:
    """The number of a unit, as in cpp/eval/features.hpp."""
    sizes = {"hit": (37,), "shot": (24, 8), "runner": (13, 3, 8), "cover": (24, 8), "double hit": (10,)}
    start = 0
    for name, ranges in sizes.items():
        block = 1
        for size in ranges:
            block *= size
        if name == kind:
            place = 0
            for index, size in zip(where, ranges, strict=True):
                place = place * size + index
            return start + side * block + place
        start += 2 * block
    raise ValueError(kind)
