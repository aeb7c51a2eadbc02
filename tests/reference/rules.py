"""The rules of movement, written as a rule book would tell them: slowly, and with nothing in common with the core.

A side's checkers are a sorted tuple of points, one entry for each checker: 1 to 24 from its own side, 25 on the bar.
Borne-off checkers are gone. Every way to play the roll is tried, one die after the other.
"""

from __future__ import annotations

Checkers = tuple[int, ...]
Board = tuple[Checkers, Checkers]  # the player who moves, the opponent
BAR = 25


def from_rows(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Board:
    """A board from two rows of 25 counts."""
    return _checkers(mine), _checkers(theirs)


def to_rows(board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two rows of 25 counts from a board."""
    return _row(board[0]), _row(board[1])


def results(board: Board, dice: tuple[int, int]) -> set[Board]:
    """Every board that a legal play of the roll leads to, still seen by the player who moved; empty if none can."""
    high, low = max(dice), min(dice)
    orders = [[high] * 4] if high == low else [[high, low], [low, high]]
    # Each way to play: how many dice it used, the dice themselves, and where it ends.
    ways = [way for order in orders for way in _ways(board, order)]
    most = max((len(used) for used, _ in ways), default=0)
    if most == 0:
        return set()
    # "A player must use both numbers of a roll if this is legally possible (or all four numbers of a double)."
    ways = [(used, end) for used, end in ways if len(used) == most]
    # "When either number can be played but not both, the player must play the larger one."
    if most == 1 and high != low:
        with_high = [(used, end) for used, end in ways if used == [high]]
        ways = with_high or ways
    return {end for _, end in ways}


def _ways(board: Board, dice: list[int]) -> list[tuple[list[int], Board]]:
    """All ways to play these dice in this order until one cannot be played."""
    if not dice:
        return [([], board)]
    moves = [_moved(board, point, dice[0]) for point in sorted(set(board[0])) if _may_move(board, point, dice[0])]
    if not moves:
        return [([], board)]
    return [([dice[0], *used], end) for after in moves for used, end in _ways(after, dice[1:])]


def _may_move(board: Board, point: int, die: int) -> bool:
    mine, theirs = board
    if BAR in mine and point != BAR:
        return False  # checkers on the bar enter before anything else moves
    target = point - die
    if target >= 1:
        return theirs.count(25 - target) < 2  # two or more of the opponent's checkers hold a point
    if max(mine) > 6:
        return False  # bearing off begins when all checkers are home
    return target == 0 or point == max(mine)  # a larger number bears off from the highest point only


def _moved(board: Board, point: int, die: int) -> Board:
    mine, theirs = list(board[0]), list(board[1])
    mine.remove(point)
    target = point - die
    if target >= 1:
        mine.append(target)
        if theirs.count(25 - target) == 1:
            theirs.remove(25 - target)
            theirs.append(BAR)
    return tuple(sorted(mine)), tuple(sorted(theirs))


def _checkers(row: tuple[int, ...]) -> Checkers:
    return tuple(point for point, count in enumerate(row, start=1) for _ in range(count))


def _row(checkers: Checkers) -> tuple[int, ...]:
    return tuple(checkers.count(point) for point in range(1, BAR + 1))
