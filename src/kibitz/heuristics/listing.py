"""What the rankings of both hand-made engines share: finding a play, and choosing those to list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from kibitz.errors import IllegalPlayError
from kibitz.heuristics.protocol import Ranked
from kibitz.move import Play

R = TypeVar("R", bound=Ranked)


def entry_of(ranked: Sequence[R], play: Play) -> R:
    """What a ranking says of a play. Raises IllegalPlayError for one that is not in it."""
    for entry in ranked:
        if entry.play.result == play.result:
            return entry
    raise IllegalPlayError(f"{play} is not among the legal plays of {play.dice} in {play.position.id}")


def listed(ranked: Sequence[R], top: int | None, named: Sequence[Play] = ()) -> list[R]:
    """The best plays, `top` at most, and after them the named ones that are not among those, best first."""
    wanted = {play.result for play in named}
    return [entry for number, entry in enumerate(ranked) if top is None or number < top or entry.play.result in wanted]
