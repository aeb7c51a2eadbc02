"""A search in plain Python: no shortlists, no cache, one cube state at a time. The oracle for the native one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kibitz import ALL_ROLLS, Dice, Position, _core
from tests.cube.plain_cube import Efficiency, Outputs, PlainMatch, money_value, swap

OTHER = {"centred": "centred", "mine": "theirs", "theirs": "mine"}


@dataclass(frozen=True)
class Rules:
    """What the values are counted in: money, or a match seen by the player at the root."""

    match: PlainMatch | None = None
    jacoby: bool = False

    def swapped(self) -> Rules:
        """Seen by the opponent."""
        return Rules(self.match.swapped() if self.match else None, self.jacoby)

    def undecided(self, five: Outputs, cube: int, owner: str, efficiency: Efficiency) -> float:
        """Money: points at this cube. Match: 2 * chance - 1."""
        if self.match:
            return 2 * self.match.value(five, cube, owner, efficiency) - 1
        return cube * money_value(five, owner, efficiency, self.jacoby)

    def best(self, undoubled: float, taken: float, cube: int, owner: str) -> float:
        """The value with the best decision of the player on roll."""
        if owner == "theirs":
            return undoubled
        if self.match:
            if not self.match.can_double(cube):
                return undoubled
            return max(undoubled, min(taken, 2 * self.match.after(cube) - 1))
        return max(undoubled, min(taken, float(cube)))


class PlainSearch:
    """Values of positions in cube states (cube, owner), owners seen by the player at the root.

    The states that are asked for are leaders: replies are chosen for their sake. Others follow the first leader.
    """

    def __init__(
        self,
        evaluator: _core.Evaluator,
        efficiency: Callable[[Position], Efficiency],
        rules: Rules,
        leaders: list[tuple[int, str]],
    ) -> None:
        self.evaluator, self.efficiency, self.rules, self.leaders = evaluator, efficiency, rules, leaders

    def outputs(self, position: Position) -> Outputs:
        """What the evaluator says, or how the game ended."""
        if not any(position.theirs):
            gammon = float(sum(position.mine) == 15)
            return 0.0, 0.0, 0.0, gammon, gammon * float(any(position.mine[18:]))
        five = self.evaluator.evaluate_batch(position.board[np.newaxis].copy())[0]
        win, gammon, backgammon, lost, lost_backgammon = map(float, five)
        return win, gammon, backgammon, lost, lost_backgammon

    def leader(self, cube: int, owner: str) -> tuple[int, str]:
        """The state that chooses replies for this one. For money all cubes after a double look the same."""
        for leading in self.leaders:
            same_cube = cube == leading[0] or (self.rules.match is None and min(cube, leading[0]) > 1)
            if same_cube and owner == leading[1]:
                return leading
        return self.leaders[0]

    def seen(self, owner: str, turned: bool) -> str:
        """The owner seen by who is on roll, which is the root's opponent if `turned`."""
        return OTHER[owner] if turned else owner

    def value(self, five: Outputs, position: Position, cube: int, owner: str, turned: bool) -> float:
        """By these outputs alone, to who is on roll."""
        rules = self.rules.swapped() if turned else self.rules
        return rules.undecided(five, cube, self.seen(owner, turned), self.efficiency(position))

    def reply(self, position: Position, roll: Dice, cube: int, owner: str, turned: bool) -> Position:
        """The best play by the value of its result in a cube state."""
        results = [play.result for play in position.plays(roll)]
        if not results:
            return position.swapped()
        if over := [result for result in results if result.is_over]:
            return over[0]
        return min(results, key=lambda result: self.value(self.outputs(result), result, cube, owner, not turned))

    def undecided(
        self, position: Position, plies: int, cube: int, owner: str, turned: bool = False
    ) -> tuple[Outputs, float]:
        """Outputs and value in one cube state, before who is on roll thinks of doubling."""
        if plies == 0 or position.is_over:
            five = self.outputs(position)
            return five, self.value(five, position, cube, owner, turned)
        total, value = np.zeros(5), 0.0
        for roll in ALL_ROLLS:
            result = self.reply(position, roll, *self.leader(cube, owner), turned)
            five, theirs = self.decided(result, plies - 1, cube, owner, not turned)
            total += roll.weight / 36 * np.array(swap(five))
            value -= roll.weight / 36 * theirs
        win, gammon, backgammon, lost, lost_backgammon = map(float, total)
        return (win, gammon, backgammon, lost, lost_backgammon), value

    def decided(
        self, position: Position, plies: int, cube: int, owner: str, turned: bool = False
    ) -> tuple[Outputs, float]:
        """The same with the best cube decision of the player on roll."""
        rules = self.rules.swapped() if turned else self.rules
        five, undoubled = self.undecided(position, plies, cube, owner, turned)
        if position.is_over or self.seen(owner, turned) == "theirs":
            return five, undoubled
        if rules.match and not rules.match.can_double(cube):
            return five, undoubled
        _, taken = self.undecided(position, plies, 2 * cube, self.seen("theirs", turned), turned)
        return five, rules.best(undoubled, taken, cube, self.seen(owner, turned))
