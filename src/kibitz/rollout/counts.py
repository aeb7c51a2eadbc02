"""What happened in the games of a rollout: how they ended, at which cube, and which doubles were taken and passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz import _core

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LEVELS = _core.ROLLOUT_CUBE_LEVELS
"""How often the cube has been turned: 0, 1, 2 …; the last level stands for all that are higher."""
KINDS = ("single", "gammon", "backgammon")
SIDES = ("player", "opponent")
"""The player whose decision is rolled out, and the other one."""
_PASSED, _TABLE, _TRUNCATED, _ENDS = 6, 8, 9, 10
SIZE = (_ENDS + len(SIDES)) * LEVELS
"""How many numbers there are: games by how they ended and by level, and doubles that were taken by side and level."""


@dataclass(frozen=True, slots=True)
class GameCounts:
    """Games of one candidate, counted as they were played: luck is not taken out of them.

    Levels say how often the cube had been turned since the rollout began, before a double that is counted. A candidate
    that begins with a double that was taken begins at level 1. Where a table knew the value of a game, or where it was
    truncated, nobody has won it.
    """

    numbers: tuple[int, ...] = (0,) * SIZE

    @classmethod
    def of(cls, events: npt.NDArray[np.uint8]) -> GameCounts:
        """From the events of games: end, level, and the doubles taken of each side as bits."""
        import numpy as np

        ends = np.bincount(events[:, 0].astype(int) * LEVELS + events[:, 1], minlength=_ENDS * LEVELS)
        taken = [int((events[:, 2 + side] >> level & 1).sum()) for side in range(2) for level in range(LEVELS)]
        return cls((*map(int, ends), *taken))

    def __add__(self, other: GameCounts) -> GameCounts:
        return GameCounts(tuple(mine + theirs for mine, theirs in zip(self.numbers, other.numbers, strict=True)))

    def _row(self, number: int) -> tuple[int, ...]:
        return self.numbers[number * LEVELS : (number + 1) * LEVELS]

    @property
    def games(self) -> int:
        """All games."""
        return sum(self.numbers[: _ENDS * LEVELS])

    @property
    def by_table(self) -> int:
        """Games that ended where a table knew their value."""
        return sum(self._row(_TABLE))

    @property
    def truncated(self) -> int:
        """Games that were stopped."""
        return sum(self._row(_TRUNCATED))

    def wins(self, side: int, kind: int) -> tuple[int, ...]:
        """Games that a side (0 the player, 1 the opponent) won on the board, single, gammon or backgammon, by level."""
        return self._row(len(KINDS) * side + kind)

    def passed(self, side: int) -> tuple[int, ...]:
        """Games that ended with a double of this side that was passed, by level."""
        return self._row(_PASSED + side)

    def taken(self, side: int) -> tuple[int, ...]:
        """Doubles of this side that were taken, by level."""
        return self._row(_ENDS + side)

    def levels(self) -> list[int]:
        """The levels at which anything happened."""
        return [level for level in range(LEVELS) if any(self.numbers[level::LEVELS])]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: lists by level."""

        def side(number: int) -> dict[str, Any]:
            won = {f"{kind}": list(self.wins(number, place)) for place, kind in enumerate(KINDS)}
            return {"wins": won, "doubles_taken": list(self.taken(number)), "doubles_passed": list(self.passed(number))}

        ends = {"games": self.games, "by_table": self.by_table, "truncated": self.truncated}
        return ends | {name: side(number) for number, name in enumerate(SIDES)}


def counts_text(counts: GameCounts, cube: int, names: Sequence[str] = SIDES) -> str:
    """A table for the terminal: for each side and each cube, games won by kind and doubles taken and passed."""
    head = f"{'':10}{'cube':>6}{'single':>9}{'gammon':>9}{'backg.':>9}{'double/take':>13}{'double/pass':>13}"
    lines = [f"    {head}"]
    levels = counts.levels() or [0]
    for side, name in enumerate(names):
        rows = []
        for level in levels:
            numbers = [counts.wins(side, kind)[level] for kind in range(len(KINDS))]
            rows.append((*numbers, counts.taken(side)[level], counts.passed(side)[level]))
        shown = [*zip((str(cube << level) for level in levels), rows, strict=True)]
        if len(levels) > 1:
            shown.append(("all", tuple(sum(column) for column in zip(*rows, strict=True))))
        for place, (value, row) in enumerate(shown):
            label = name if place == 0 else ""
            won = "".join(f"{number:>9,}" for number in row[:3])
            lines.append(f"    {label:10}{value:>6}{won}{row[3]:>13,}{row[4]:>13,}")
    ended = [f"{number:,} {words}" for number, words in _ended(counts) if number]
    if ended:
        lines.append(f"    {', '.join(ended)}")
    return "\n".join(lines)


def _ended(counts: GameCounts) -> list[tuple[int, str]]:
    return [(counts.by_table, "ended where a table knows"), (counts.truncated, "truncated")]
