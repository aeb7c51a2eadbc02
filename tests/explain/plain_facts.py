"""The facts of a board once more, slowly: checkers as lists of points, rolls as all 36 pairs, plays one by one."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from kibitz import ALL_ROLLS, Position, shots
from tests.reference import rules

Generator = Callable[[rules.Board, tuple[int, int]], Iterable[rules.Board]]


def by_the_rule_book(board: rules.Board, dice: tuple[int, int]) -> Iterable[rules.Board]:
    return rules.results(board, dice)


def by_the_package(board: rules.Board, dice: tuple[int, int]) -> Iterable[rules.Board]:
    position = Position(*rules.to_rows(board))
    for play in position.plays(dice):
        yield rules.from_rows(play.result.theirs, play.result.mine)


def plain_standing(mine: rules.Checkers, theirs: rules.Checkers) -> dict[str, Any]:
    counts = Counter(mine)
    made = {point for point, count in counts.items() if count > 1 and point != 25}
    runs = [
        (length, low)
        for low in range(1, 25)
        for length in range(1, 26 - low)
        if all(point in made for point in range(low, low + length))
    ]
    prime = max(runs, key=lambda run: (run[0], -run[1]), default=(0, 0))
    windows = {low: len(made & set(range(low, low + 6))) for low in range(1, 20)}
    block = max(windows.values())
    spares = list(mine)
    for point in made:
        spares.remove(point)
        spares.remove(point)
    return {
        "pips": sum(mine),
        "crossovers": sum(-(-point // 6) for point in mine),
        "home_pips": sum(point - 6 for point in mine if point > 6),
        "on_board": len(mine),
        "on_bar": mine.count(25),
        "back": sum(point > 18 for point in mine),
        "behind": sum(point > 17 for point in mine),
        "blots": tuple(sorted(point for point, count in counts.items() if count == 1 and point < 25)),
        "points": tuple(sorted(made)),
        "home_points": len(made & {1, 2, 3, 4, 5, 6}),
        "home_blots": tuple(sorted(point for point, count in counts.items() if count == 1 and point < 7)),
        "anchors": tuple(sorted(made & {19, 20, 21, 22, 23, 24})),
        "prime": prime[0],
        "prime_from": prime[1],
        "block": block,
        "block_from": next(low for low in range(1, 20) if windows[low] == block),
        "stack": max((count for point, count in counts.items() if point < 25), default=0),
        "gaps": sum(point not in counts for point in range(1, 7)),
        "spares": tuple(sorted(spares, reverse=True)),
        "timing": sum(point - 6 for point in spares if point > 6),
        "enter": sum(not {one, other} <= made for one, other in itertools.product(range(1, 7), repeat=2)),
        "escapes": tuple(
            (point, sum(_escapes(point, theirs, roll) for roll in itertools.product(range(1, 7), range(1, 7))))
            for point in sorted(set(mine))
            if point > 18
        ),
    }


@cache
def plain_mean_turns(home: tuple[int, ...]) -> float:
    """Mean turns to bear off these checkers, each roll played so that the fewest remain on average."""
    if not home:
        return 0.0
    total = 0.0
    for dice in ALL_ROLLS:
        steps = (dice.high,) * 4 if dice.is_double else (dice.high, dice.low)
        total += dice.weight * min(plain_mean_turns(end) for end in _borne(home, steps))
    return 1.0 + total / 36


def _borne(home: tuple[int, ...], steps: tuple[int, ...]) -> set[tuple[int, ...]]:
    """What may be left of checkers at home after some steps in any order."""
    ends: set[tuple[int, ...]] = set()
    for order in set(itertools.permutations(steps)):
        boards = {home}
        for step in order:
            boards = {end for board in boards for end in _one_step(board, step)}
        ends |= boards
    return ends


def _one_step(home: tuple[int, ...], step: int) -> set[tuple[int, ...]]:
    """Every way to play one die: a checker moves down, or leaves if the die is its point or it is the highest one."""
    ends = set()
    for index, point in enumerate(home):
        rest = home[:index] + home[index + 1 :]
        if point > step:
            ends.add(tuple(sorted((*rest, point - step))))
        elif point == step or point == home[-1]:
            ends.add(rest)
    return ends or {home}


def _escapes(point: int, theirs: rules.Checkers, roll: tuple[int, int]) -> bool:
    """Whether a lone checker gets past the other side's bar point, by every order of the steps."""
    steps = roll * 2 if roll[0] == roll[1] else roll
    reached = False
    for order in set(itertools.permutations(steps)):
        here = point
        for step in order:
            if theirs.count(25 - (here - step)) > 1:
                break
            here -= step
            reached |= here < 18
    return reached


def plain_next_roll(board: rules.Board, generate: Generator) -> dict[str, Any]:
    mine, theirs = board
    found: Counter[Any] = Counter()
    blots = [point for point in sorted(set(mine)) if mine.count(point) == 1 and point < 25]
    over = not mine or not theirs
    contact = not over and max(mine) + max(theirs) > 25
    for dice in [] if over else ALL_ROLLS:
        ends = list(generate(board, (dice.high, dice.low))) or [board]
        hits = [end[1].count(25) - theirs.count(25) for end in ends]
        new = [{p for p in set(end[0]) if end[0].count(p) > 1 and mine.count(p) < 2} for end in ends]
        found["hitting"] += dice.weight * any(count > 0 for count in hits)
        found["double_hitting"] += dice.weight * any(count > 1 for count in hits)
        found["making"] += dice.weight * any(points & {3, 4, 5, 6, 7} for points in new)
        found["anchoring"] += dice.weight * any(points & {19, 20, 21, 22} for points in new)
        found["good"] += dice.weight * any(
            count > 0 or points & {3, 4, 5, 6, 7, 19, 20, 21, 22} for count, points in zip(hits, new, strict=True)
        )
        for blot in blots:
            found[blot] += dice.weight * any(end[0].count(blot) > 1 for end in ends)
        found["exposed"] += dice.weight * (contact and all(_can_hit((end[1], end[0]), generate) for end in ends))
    names = ("hitting", "double_hitting", "making", "anchoring", "good", "exposed")
    return {name: found[name] for name in names} | {
        "covering": () if over else tuple((blot, found[blot]) for blot in blots)
    }


def _can_hit(board: rules.Board, generate: Generator) -> bool:
    if not board[0] or not board[1]:
        return False
    if generate is by_the_package:  # the shot counter has its own brute force in its own tests
        return shots(Position(*rules.to_rows(board))).count > 0
    return any(
        end[1].count(25) > board[1].count(25) for dice in ALL_ROLLS for end in generate(board, (dice.high, dice.low))
    )


def plain_shots(board: rules.Board, generate: Generator) -> tuple[int, int]:
    """Rolls of the player on roll that hit some checker, and two at once."""
    found: Counter[int] = Counter()
    for dice in ALL_ROLLS:
        ends = list(generate(board, (dice.high, dice.low)))
        most = max((end[1].count(25) - board[1].count(25) for end in ends), default=0)
        found[1] += dice.weight * (most >= 1)
        found[2] += dice.weight * (most >= 2)
    return found[1], found[2]


def positions_of_play(count: int, seed: int) -> list[Position]:
    """Positions from games of random plays, never over; every third one has its checkers thrown anywhere instead."""
    random_ = random.Random(seed)
    found: list[Position] = []
    position = Position.start()
    while len(found) < count:
        plays = position.plays(random_.choice(ALL_ROLLS))
        position = random_.choice(plays).result if plays else position.swapped()
        if position.is_over or random_.random() < 0.01:
            position = Position.start()
        found.append(_thrown(random_) if len(found) % 3 == 2 else position)
    return found


def _thrown(random_: random.Random) -> Position:
    while True:
        mine = Counter(random_.choice([*range(1, 25), 25]) for _ in range(random_.randint(1, 15)))
        free = [point for point in range(1, 26) if point == 25 or 25 - point not in mine]
        theirs = Counter(random_.choice(free) for _ in range(random_.randint(1, 15)))
        try:
            return Position.of(mine, theirs)
        except ValueError:
            continue
