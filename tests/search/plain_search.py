"""A search in plain Python: no shortlists, no cache, one cube state at a time. The oracle for the native one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kibitz import ALL_ROLLS, Position, _core
from tests.cube.plain_cube import Outputs, PlainMatch, money_value, swap

OTHER = {"centred": "centred", "mine": "theirs", "theirs": "mine"}


@dataclass(frozen=True)
class Rules:
    """What the values are counted in: money, or a match seen by the player at the root."""

    match: PlainMatch | None = None
    jacoby: bool = False

    def swapped(self) -> Rules:
        """Seen by the opponent."""
        return Rules(self.match.swapped() if self.match else None, self.jacoby)

    def undecided(self, five: Outputs, cube: int, owner: str, life: float) -> float:
        """Money: points at this cube. Match: 2 * chance - 1."""
        if self.match:
            return 2 * self.match.value(five, cube, owner, life) - 1
        return cube * money_value(five, owner, life, self.jacoby)

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
    """Values of positions for one root cube."""

    def __init__(self, evaluator: _core.Evaluator, life: Callable[[Position], float], cube: int, owner: str) -> None:
        self.evaluator, self.life, self.cube, self.owner = evaluator, life, cube, owner

    def outputs(self, position: Position) -> Outputs:
        """What the evaluator says, or how the game ended."""
        if not any(position.theirs):
            gammon = float(sum(position.mine) == 15)
            return 0.0, 0.0, 0.0, gammon, gammon * float(any(position.mine[18:]))
        five = self.evaluator.evaluate_batch(position.board[np.newaxis].copy())[0]
        return tuple(float(value) for value in five)  # type: ignore[return-value]

    def reply(self, position: Position, roll: object, rules: Rules, root_owner: str) -> Position:
        """The best play by the value of its result in the root's cube state."""
        results = [play.result for play in position.plays(roll)]  # type: ignore[arg-type]
        if not results:
            return position.swapped()
        if over := [result for result in results if result.is_over]:
            return over[0]

        def appeal(result: Position) -> float:
            five = self.outputs(result)
            return rules.swapped().undecided(five, self.cube, OTHER[root_owner], self.life(result))

        return min(results, key=appeal)

    def undecided(
        self, position: Position, plies: int, rules: Rules, cube: int, owner: str, root_owner: str
    ) -> tuple[Outputs, float]:
        """Outputs and value in one cube state. `root_owner` is who owns the root's cube, seen by who is on roll."""
        if plies == 0 or position.is_over:
            five = self.outputs(position)
            return five, rules.undecided(five, cube, owner, self.life(position))
        total, value = np.zeros(5), 0.0
        for roll in ALL_ROLLS:
            result = self.reply(position, roll, rules, root_owner)
            five, theirs = self.decided(result, plies - 1, rules.swapped(), cube, OTHER[owner], OTHER[root_owner])
            total += roll.weight / 36 * np.array(swap(five))
            value -= roll.weight / 36 * theirs
        return tuple(total), value  # type: ignore[return-value]

    def decided(
        self, position: Position, plies: int, rules: Rules, cube: int, owner: str, root_owner: str
    ) -> tuple[Outputs, float]:
        """The same with the best cube decision of the player on roll."""
        five, undoubled = self.undecided(position, plies, rules, cube, owner, root_owner)
        if position.is_over or owner == "theirs":
            return five, undoubled
        if rules.match and not rules.match.can_double(cube):
            return five, undoubled
        _, taken = self.undecided(position, plies, rules, 2 * cube, "theirs", root_owner)
        return five, rules.best(undoubled, taken, cube, owner)
