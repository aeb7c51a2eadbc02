"""Counterfactual boards: each play taken apart into fragments, and what the game is worth without each of them.

Two plays of a roll often share moves. What is left of each is split into fragments: moves that belong together because
one checker makes them, because they make a point together, or because they give one up together. A fragment's gain is
what it adds to the board with the shared moves alone; where a play has several, each gets its Shapley value, so that
the gains of the first play less those of the second are the difference of the plays, roll by roll.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from kibitz.dice import ALL_ROLLS
from kibitz.explain.ledger import ROLLS, account, replies_to
from kibitz.match import MatchState
from kibitz.move import Move, Play, format_moves
from kibitz.position import BAR, OFF, Position

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine

MOST_FRAGMENTS = 3
"""Of a double that is played in four places two are taken together: each further fragment doubles the boards."""
Gains = tuple[float, ...]
"""A number for each of the 21 rolls."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """Moves of a play that belong together, the play's board without them, and what they gain with each roll."""

    moves: tuple[Move, ...]
    without: Position  # seen by the opponent
    gains: Gains

    @property
    def gain(self) -> float:
        """What the moves add to the equity."""
        return total(self.gains)

    @property
    def enters(self) -> bool:
        """Whether a checker comes in from the bar, which is a duty rather than a choice."""
        return any(move.source == BAR for move in self.moves)

    def __str__(self) -> str:
        return format_moves(self.moves)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "moves": str(self),
            "steps": _steps(self.moves),
            "without": self.without.id,
            "gain": self.gain,
            "gains": list(self.gains),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Fragment:
        """What `to_dict` gave."""
        return cls(_moves(data["steps"]), Position.from_id(data["without"]), tuple(data["gains"]))


@dataclass(frozen=True, slots=True)
class Anatomy:
    """Two plays taken apart: what they share, and the fragments of each."""

    common: tuple[Move, ...]
    base: Position  # after the shared moves alone, seen by the opponent
    first: tuple[Fragment, ...]
    second: tuple[Fragment, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "common": format_moves(self.common) if self.common else None,
            "common_steps": _steps(self.common),
            "base": self.base.id,
            "first": [fragment.to_dict() for fragment in self.first],
            "second": [fragment.to_dict() for fragment in self.second],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Anatomy:
        """What `to_dict` gave."""
        first, second = (tuple(map(Fragment.from_dict, data[name])) for name in ("first", "second"))
        return cls(_moves(data["common_steps"]), Position.from_id(data["base"]), first, second)

    def named(self, play: int, names: Sequence[str]) -> tuple[Fragment, ...]:
        """The fragments of a play (0 the first, 1 the second) that are written like this."""
        return tuple(one for one in (self.first, self.second)[play] if str(one) in names)


def _steps(moves: Sequence[Move]) -> list[list[int | bool]]:
    return [[move.source, move.target, move.hit] for move in moves]


def _moves(steps: Sequence[Sequence[Any]]) -> tuple[Move, ...]:
    return tuple(Move(*step) for step in steps)


def total(gains: Sequence[float]) -> float:
    """The mean over the 36 rolls."""
    return math.fsum(roll.weight * gain for roll, gain in zip(ALL_ROLLS, gains, strict=True)) / ROLLS


def anatomy(
    engine: Engine,
    first: Play,
    second: Play,
    match: MatchState,
    plies: int,
    *,
    hold: bool = False,
    known: Mapping[Position, Gains] | None = None,
) -> Anatomy:
    """Take two plays of one roll apart. With `hold` the opponent does not double before his next roll.

    `known` are boards whose equities, roll by roll, were found before.
    """
    before = first.position
    common, ours, theirs = shared_moves(first, second)
    base = board_after(before, common)
    boards_known = dict(known or {})

    def equities(board: Position) -> Gains:
        if board not in boards_known:
            if board.is_over:
                boards_known[board] = account(engine, board, match, plies).equities
            else:
                boards_known[board] = tuple(replies_to(engine, board, match, plies, hold=hold)[2])
        return boards_known[board]

    found = []
    for moves, play in ((ours, first), (theirs, second)):
        groups = belonging(moves, before, play.result)
        boards: dict[tuple[int, ...], Gains] = {}
        for size in range(len(groups) + 1):
            for chosen in combinations(range(len(groups)), size):
                kept = [move for index in chosen for move in groups[index]]
                boards[chosen] = equities(play.result if size == len(groups) else board_after(before, [*common, *kept]))
        shapley = _shapley(len(groups), boards)
        fragments = []
        for index, group in enumerate(groups):
            kept = [move for number, moves_ in enumerate(groups) if number != index for move in moves_]
            fragments.append(Fragment(tuple(group), board_after(before, [*common, *kept]), shapley[index]))
        found.append(tuple(fragments))
    return Anatomy(tuple(common), base, found[0], found[1])


def _shapley(count: int, boards: dict[tuple[int, ...], Gains]) -> list[Gains]:
    """Each part's gain, averaged over all orders in which the parts may be added."""
    gains = []
    for index in range(count):
        sums = [0.0] * len(ALL_ROLLS)
        others = [other for other in range(count) if other != index]
        for size in range(count):
            weight = math.factorial(size) * math.factorial(count - size - 1) / math.factorial(count)
            for chosen in combinations(others, size):
                with_it = boards[tuple(sorted((*chosen, index)))]
                for roll, (more, less) in enumerate(zip(with_it, boards[chosen], strict=True)):
                    sums[roll] += weight * (more - less)
        gains.append(tuple(sums))
    return gains


def shared_moves(first: Play, second: Play) -> tuple[list[Move], list[Move], list[Move]]:
    """The moves that both plays have, and what is left of each. Of the orders of a run the one that shares most.

    Whole runs of a checker are shared, and of two runs from one point the first step; of a double only a first step
    that enters or hits, for its single steps are no decisions of their own.
    """
    best: tuple[list[Move], list[Move], list[Move]] | None = None
    for ours in _ways(first):
        for theirs in _ways(second):
            split = _split(_runs(ours), _runs(theirs), steps=not first.dice.is_double)
            if best is None or len(split[0]) > len(best[0]):
                best = split
    assert best is not None
    return best


Run = tuple[Move, ...]


def _split(ours: list[Run], theirs: list[Run], *, steps: bool) -> tuple[list[Move], list[Move], list[Move]]:
    common: list[Move] = []
    for run in list(ours):
        if run in theirs:
            ours.remove(run)
            theirs.remove(run)
            common += run
    for run in list(ours):
        if steps or run[0].hit or run[0].source == BAR:
            other = next((one for one in theirs if one[:1] == run[:1]), None)
            if other is not None:
                common.append(run[0])
                ours[ours.index(run)] = run[1:]
                theirs[theirs.index(other)] = other[1:]
    return common, [move for run in ours for move in run], [move for run in theirs for move in run]


def _runs(moves: Sequence[Move]) -> list[Run]:
    """The moves as the ways of single checkers."""
    runs: list[list[Move]] = []
    for move in sorted(moves, key=lambda move: (-move.source, -move.target)):
        run = next((run for run in runs if run and run[-1].target == move.source != BAR), None)
        if run is None:
            runs.append([move])
        else:
            run.append(move)
    return [tuple(run) for run in runs]


def _ways(play: Play) -> list[list[Move]]:
    """The moves of a play; where one checker runs with both dice, also in the other order if nothing stands there."""
    moves = list(play.moves)
    ways = [moves]
    if len(moves) == 2 and not play.dice.is_double:
        one, two = sorted(moves, key=lambda move: -move.source)
        if one.target == two.source != OFF and not one.hit:
            middle = one.source - (two.source - two.target)
            if middle > 0 and two.target != OFF and not play.position.theirs[BAR - middle - 1]:
                ways.append([Move(one.source, middle), Move(middle, two.target, two.hit)])
    return ways


def belonging(moves: Sequence[Move], before: Position, after: Position) -> list[list[Move]]:
    """The moves in groups: steps of one checker, moves that make a point together, and those that give one up."""
    groups: list[list[Move]] = []
    for move in sorted(moves, key=lambda move: -move.source):
        joined = [move]
        for group in list(groups):
            if any(_belong(move, other, before, after) for other in group):
                groups.remove(group)
                joined = group + joined
        groups.append(joined)
    while len(groups) > MOST_FRAGMENTS:  # the last ones are the closest to home
        last = groups.pop()
        groups[-1] = groups[-1] + last
    return groups


def _belong(move: Move, other: Move, before: Position, after: Position) -> bool:
    if move.target == other.source or move.source == other.target:
        return True
    if move.target == other.target:
        return True
    given_up = move.source != BAR and before.mine[move.source - 1] >= 2 > after.theirs[move.source - 1]
    return move.source == other.source and (move.source == BAR or given_up)


def board_after(before: Position, moves: Sequence[Move]) -> Position:
    """The board after some moves, seen by the opponent. The moves need not be a legal play."""
    rows = bytearray(before.rows)
    for move in sorted(moves, key=lambda move: -move.source):
        rows[move.source - 1] -= 1
        if move.target == OFF:
            continue
        facing = BAR + (BAR - move.target) - 1
        if rows[facing] == 1:
            rows[facing] = 0
            rows[2 * BAR - 1] += 1
        rows[move.target - 1] += 1
    return Position.from_rows(bytes(rows[BAR:] + rows[:BAR]))
