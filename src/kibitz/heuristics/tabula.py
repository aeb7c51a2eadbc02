"""tabula: every play and every reply to it, scored in pseudopips. The lowest score is best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

from kibitz import _core
from kibitz.dice import Dice, DiceLike
from kibitz.heuristics.listing import entry_of
from kibitz.heuristics.protocol import EngineOptions
from kibitz.heuristics.settings import TabulaSettings
from kibitz.move import Play
from kibitz.plain_json import PlainData
from kibitz.position import Position


def pseudopips(space: int) -> int:
    """What a checker on a space counts; 25 is the bar.

    >>> [pseudopips(space) for space in (1, 6, 7, 24, 25)]
    [9, 18, 57, 308, 363]
    """
    base = 6 if space <= 6 else 42
    return base + space + 2 * int(exp(0.2 * space))


@dataclass(frozen=True, slots=True)
class Parts(PlainData):
    """The three parts of a score in pseudopips, and their weighted sum."""

    pips: float
    blots: float
    hits: float
    score: float


@dataclass(frozen=True, slots=True)
class TabulaPlay:
    """A play with its score. `opponent` is the average over all replies, none once the sides are past each other."""

    play: Play
    score: float
    difference: float  # how much worse than the best play; 0 for the best
    player: Parts
    opponent: Parts | None
    replies: int  # how many replies were scored
    rank: int  # 1 for the best play

    @property
    def past(self) -> bool:
        """Whether no contact is left after the play, so that only the player's own pips count."""
        return self.opponent is None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {"rank": self.rank} | self.play.to_dict()
        return data | {
            "score": self.score,
            "difference": self.difference,
            "player": self.player.to_dict(),
            "opponent": None if self.opponent is None else self.opponent.to_dict(),
            "replies": self.replies,
        }


class Tabula:
    """The engine. `threads` is how many cores one analysis may use, 0 for all; it does not change the result."""

    name = "tabula"

    def __init__(self, settings: TabulaSettings | None = None, *, threads: int = 0) -> None:
        self.settings = settings or TabulaSettings()
        self.threads = threads

    def analyze(self, position: Position, dice: DiceLike) -> list[TabulaPlay]:
        """Every legal play of a roll with all that its score is made of, best (lowest) first."""
        roll = Dice.of(dice)
        if position.is_over:
            return []
        weights = self.settings.weights()
        return _sorted(position, roll, _core.tabula_analyze(position.rows, roll.high, roll.low, weights, self.threads))

    def analyze_many(self, asked: Iterable[tuple[Position, DiceLike]]) -> list[list[TabulaPlay]]:
        """The analyses of many positions and rolls, shared out among the cores."""
        turns = [(position, Dice.of(dice)) for position, dice in asked]
        rows = [(position.rows, roll.high, roll.low) for position, roll in turns]
        found = _core.tabula_analyze_many(rows, self.settings.weights(), self.threads)
        return [
            [] if position.is_over else _sorted(position, roll, plays)
            for (position, roll), plays in zip(turns, found, strict=True)
        ]

    def rank(self, position: Position, dice: DiceLike) -> list[TabulaPlay]:
        """The same as `analyze`."""
        return self.analyze(position, dice)

    def analyze_play(self, play: Play) -> TabulaPlay:
        """One play with all that its score is made of, and its place among all plays of its roll."""
        return entry_of(self.rank(play.position, play.dice), play)

    def text(self, ranked: Sequence[TabulaPlay], *, top: int | None = None, named: Sequence[Play] = ()) -> str:
        """The analysis as text: the `top` plays, and those `named` however bad they are."""
        from kibitz.heuristics.text import tabula_text

        return tabula_text(ranked, self.settings, top, named)

    def to_dict(self) -> dict[str, Any]:
        """Name and settings, as plain data for JSON."""
        return {"engine": self.name, "settings": self.settings.to_dict()}


_CorePlay = tuple[bytes, tuple[float, float, float, float], tuple[float, float, float, float], float, bool, int]


def _sorted(position: Position, roll: Dice, found: list[_CorePlay]) -> list[TabulaPlay]:
    found = sorted(found, key=lambda play: play[3])
    return [
        TabulaPlay(
            Play(position, roll, Position.from_rows(result)),
            score,
            score - found[0][3],
            Parts(*player),
            None if past else Parts(*opponent),
            replies,
            number,
        )
        for number, (result, player, opponent, score, past, replies) in enumerate(found, start=1)
    ]


def make(options: EngineOptions) -> Tabula:
    """The engine that the command line asks for."""
    return Tabula(TabulaSettings.read(options.settings_file, options.assignments), threads=options.threads)
