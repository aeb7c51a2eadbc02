"""A whole turn: the moves of one roll and the position they lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kibitz import _core
from kibitz.dice import Dice
from kibitz.position import BAR, OFF, Position


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One checker's step with one die. Points are the mover's; the source may be BAR (25), the target OFF (0)."""

    source: int
    target: int
    hit: bool = False

    def __str__(self) -> str:
        return format_moves([self])


@dataclass(frozen=True, slots=True)
class Play:
    """A legal play of a roll: `position` before it and `result` after it (seen by the opponent).

    Plays with the same result are equal, whatever moves were named.
    """

    position: Position
    dice: Dice
    result: Position
    _moves: tuple[Move, ...] | None = field(default=None, repr=False, compare=False)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves between: those that were named, or else found when they are first asked for."""
        if self._moves is None:
            steps = _core.moves_between(self.position.rows, self.dice.high, self.dice.low, self.result.rows)
            object.__setattr__(self, "_moves", tuple(Move(*step) for step in steps))
        return self._moves or ()

    @property
    def hits(self) -> int:
        """How many checkers this play hits."""
        return sum(move.hit for move in self.moves)

    def __str__(self) -> str:
        return format_moves(self.moves)

    def _repr_svg_(self) -> str:
        from kibitz.report.svg import draw_position

        return draw_position(self.position, play=self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "play": str(self),
            "moves": [[move.source, move.target] for move in self.moves],
            "hits": self.hits,
            "result": self.result.id,
        }


NO_PLAY = "no play"
"""How a turn without a legal move is written."""


def format_moves(moves: Iterable[Move]) -> str:
    """The canonical notation: rearmost first, one checker's steps joined, equal chains counted, '*' at each point hit.

    >>> format_moves([Move(8, 5), Move(6, 5)])
    '8/5 6/5'
    >>> format_moves([Move(24, 18, hit=True), Move(18, 13)])
    '24/18*/13'
    """
    chains: list[list[Move]] = []
    for move in sorted(moves, key=lambda move: (-move.source, -move.target)):
        # A later step goes on from an earlier one that ended where it starts.
        chain = next((chain for chain in chains if chain[-1].target == move.source != BAR), None)
        if chain is None:
            chains.append([move])
        else:
            chain.append(move)
    # Only the first checker to arrive hits; which of two equal chains that is does not matter.
    written = Counter(_format_chain(chain, with_hits=False) for chain in chains)
    hitting: dict[str, str] = {}
    for chain in chains:
        plain, full = _format_chain(chain, with_hits=False), _format_chain(chain, with_hits=True)
        if full != plain:
            hitting[plain] = full
    words = []
    for plain, count in written.items():
        word = hitting.get(plain, plain)
        words.append(word if count == 1 else f"{word}({count})")
    return " ".join(words) if words else NO_PLAY


def _format_chain(chain: list[Move], with_hits: bool) -> str:
    """One checker's way. A point between is named only if the checker hits there."""
    word = _point(chain[0].source)
    for move in chain:
        if move is chain[-1] or move.hit:
            word += "/" + _point(move.target) + ("*" if move.hit and with_hits else "")
    return word


def _point(point: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(point, str(point))
