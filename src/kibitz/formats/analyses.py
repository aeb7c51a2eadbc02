"""What a file says of plays and cube decisions, made into decisions at the state that replay leads to.

A file names equities, match winning chances or both. What it leaves out follows from the score by the default match
equity table. A row without equity or without its five chances says too little and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kibitz.decision import AnalysisLevel, CubeChances, CubeDecision, Evaluation, RankedPlay
from kibitz.match import MatchState
from kibitz.match_equity import MAX_LENGTH, mwc_of
from kibitz.move import Play
from kibitz.record import PlayAnalysis
from kibitz.state import State

PASSED = 1.0
"""What a double that is passed is worth at the cube before it, where the file does not say."""

Three = tuple[float | None, float | None, float | None]
"""Numbers of no double, double and take, double and pass."""
NONE: Three = (None, None, None)


@dataclass(frozen=True, slots=True)
class PlayRow:
    """A play of a ranking with the numbers that the file has."""

    play: Play
    level: AnalysisLevel
    equity: float | None = None
    mwc: float | None = None
    evaluation: Evaluation | None = None
    standard_error: float | None = None
    is_played: bool = False

    def ranked(self, match: MatchState, earlier: Sequence[RankedPlay]) -> RankedPlay | None:
        """The play at this score, ranked below the earlier ones; None if too little is known of it."""
        equity, mwc = both_units(self.equity, self.mwc, match)
        if equity is None or self.evaluation is None:
            return None
        behind = equity - earlier[0].equity if earlier else 0.0
        rank, error = len(earlier) + 1, self.standard_error
        return RankedPlay(self.play, equity, self.evaluation, self.level, behind, rank, mwc, error)


def play_analysis(rows: Iterable[PlayRow], match: MatchState) -> PlayAnalysis | None:
    """The rows of a ranking that say enough, in their order; None if none does."""
    found: list[RankedPlay] = []
    played = None
    for row in rows:
        if (ranked := row.ranked(match, found)) is not None:
            if row.is_played:
                played = len(found)
            found.append(ranked)
    return PlayAnalysis(tuple(found), played) if found else None


@dataclass(frozen=True, slots=True)
class CubeRow:
    """The numbers that a file has of a cube decision, seen by the player who doubles or might double."""

    level: AnalysisLevel
    equities: Three = NONE
    mwc: Three = NONE
    evaluation: Evaluation | None = None
    cubeless: float | None = None

    def swapped(self) -> CubeRow:
        """A taker's numbers as the doubler's."""
        return replace(
            self,
            equities=_against(self.equities, 0.0),
            mwc=_against(self.mwc, 1.0),
            evaluation=None if self.evaluation is None else self.evaluation.swapped(),
            cubeless=None if self.cubeless is None else -self.cubeless,
        )

    def decision(self, state: State) -> CubeDecision | None:
        """The decision in the state that it was made in; None if too little is known of it."""
        match = state.match
        passed = self.equities[2]
        equities = (*self.equities[:2], PASSED if passed is None else passed)
        pairs = [both_units(*pair, match) for pair in zip(equities, self.mwc, strict=True)]
        hold, take, drop = (equity for equity, _ in pairs)
        if hold is None or take is None or drop is None or self.evaluation is None:
            return None
        chances = [chance for _, chance in pairs if chance is not None]
        return CubeDecision(
            state,
            hold,
            take,
            drop,
            self.evaluation,
            self.level,
            self.evaluation.equity if self.cubeless is None else self.cubeless,
            mwc=CubeChances(*chances) if len(chances) == 3 else None,
        )


def both_units(equity: float | None, mwc: float | None, match: MatchState) -> tuple[float | None, float | None]:
    """Equity and match winning chance where one of them is known; in a money game there is no chance."""
    if match.is_money:
        return equity, None
    scale = _scale(match)
    if scale is None:
        return equity, mwc
    even, won = scale
    if equity is None and mwc is not None:
        return (mwc - even) / (won - even), mwc
    if mwc is None and equity is not None:
        return equity, even + equity * (won - even)
    return equity, mwc


@lru_cache(maxsize=4096)
def _scale(match: MatchState) -> tuple[float, float] | None:
    """The chances that the equities 0 and 1 stand for: all others lie on their line. None beyond the longest table."""
    if max(match.my_away, match.their_away) > MAX_LENGTH:
        return None
    return mwc_of(0.0, match), mwc_of(1.0, match)


def _against(numbers: Three, whole: float) -> Three:
    hold, take, drop = (None if number is None else whole - number for number in numbers)
    return hold, take, drop
