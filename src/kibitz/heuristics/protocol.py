"""What the rest of Kibitz knows of an engine that ranks plays without looking ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kibitz.dice import DiceLike
from kibitz.move import Play
from kibitz.position import Position


class Ranked(Protocol):
    """A play with what an engine makes of it: `RankedPlay`, or the scores of a hand-made engine."""

    @property
    def play(self) -> Play:
        """The play itself."""

    @property
    def difference(self) -> float:
        """How far it is from the best play, in the engine's own unit; 0 for the best."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""


R_co = TypeVar("R_co", bound=Ranked, covariant=True)
R = TypeVar("R", bound=Ranked)


class Ranker(Protocol[R_co]):
    """An engine that ranks plays."""

    @property
    def name(self) -> str:
        """The name that people choose it by."""

    def rank(self, position: Position, dice: DiceLike, /) -> Sequence[R_co]:
        """All legal plays of a roll, best first. Empty when no checker can move."""


class HintEngine(Ranker[R], Protocol[R]):
    """A ranker that can also tell what it did: what `kibitz hint` needs."""

    def text(self, ranked: Sequence[R], /, *, top: int | None = None, named: Sequence[Play] = ()) -> str:
        """The ranking as text for a terminal of 80 columns, the best play marked: the `top` plays and those `named`."""

    def to_dict(self) -> dict[str, Any]:
        """Name and settings, as plain data for JSON."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What a person may say on the command line about the engine to be made."""

    settings_file: Path | None = None
    assignments: tuple[str, ...] = ()  # such as 'blots=1.1'
    threads: int = 0  # 0: all cores
