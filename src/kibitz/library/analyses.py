"""What is written of an analysis: who made it, the numbers that are counted, and the whole answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kibitz.analysis.decisions import Kind, ReviewedDecision, RollLuck
from kibitz.analysis.levels import LEVELS, ReviewSettings
from kibitz.decision import AnalysisLevel, Decision, PlayDecision
from kibitz.library.rows import Place, clean, decision_row, pack
from kibitz.record import Moment

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine

OURS = 1000
"""The least rank of our own analysts: where both have analysed a decision, ours is the current one."""
ROLLED_OUT = 500
"""What a rollout's rank has more than a search's."""


@dataclass(frozen=True, slots=True)
class AnalystInfo:
    """An engine with its net at a level. Of two that have analysed a decision, the higher rank is the current one."""

    engine: str
    level: str
    origin: str  # kibitz, file
    rank: int
    version: str = ""
    network: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The same for analysts whose answers are the same."""
        parts = [self.engine, self.level, self.origin, self.version, self.network]
        return hashlib.sha256(json.dumps([*parts, self.settings], sort_keys=True).encode()).hexdigest()

    def __str__(self) -> str:
        return AnalysisLevel(self.engine, self.level).__str__()


def our_analyst(engine: Engine, settings: ReviewSettings) -> AnalystInfo:
    """This engine with these settings."""
    from kibitz import __version__

    level = settings.level
    names = list(LEVELS)
    rank = OURS + 20 * level.search.plies + (names.index(level.name) if level.name in names else 10)
    name = level.name + (f", rollouts of {settings.rollout}" if settings.rollout else "")
    return AnalystInfo(
        "Kibitz",
        name,
        "kibitz",
        rank + (ROLLED_OUT if settings.rollout else 0),
        __version__,
        engine.fingerprint[:16],
        settings.to_dict(),
    )


def file_analyst(level: AnalysisLevel) -> AnalystInfo:
    """The one that a file names."""
    depth = 20 * level.plies if level.plies is not None else 100
    rank = min(depth, 400) + (ROLLED_OUT - 100 if level.is_rollout else 0)
    return AnalystInfo(clean(level.engine), clean(level.name), "file", rank)


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """What an analyst says of a decision: its place, the row of the decision, what is counted, and the whole answer."""

    place: Place
    decision: dict[str, Any]
    values: dict[str, Any]
    data: bytes | None


def stored_analyses(decisions: Iterable[ReviewedDecision], rolls: Iterable[RollLuck] = ()) -> list[StoredAnalysis]:
    """The rows of reviewed decisions. The luck of a roll stands with its play, also where nothing was to decide."""
    luck = {(roll.game, roll.index): roll for roll in rolls}
    found = []
    for one in decisions:
        roll = luck.pop((one.game, one.index), None) if one.kind is Kind.CHECKER else None
        row = decision_row(one.moment, one.kind, clean(one.chosen_name)) | {"seat": one.player}
        values = _values(one) | luck_values(roll)
        found.append(StoredAnalysis((one.game, one.number, one.kind.value), row, values, pack(one.to_dict())))
    for roll in luck.values():
        row = decision_row(roll.moment, Kind.CHECKER, "")
        values = NOTHING_LOST | luck_values(roll)
        found.append(StoredAnalysis((roll.game, roll.number, Kind.CHECKER.value), row, values, None))
    return found


NOTHING_LOST: dict[str, Any] = {
    "best": "",
    "lost": 0.0,
    "lost_mwc": None,
    "stake": 0.0,
    "mark": "",
    "flaw": "",
    "is_blunder": False,
    "counts": False,
    "counts_pr": False,
    "level": "",
}


def _values(one: ReviewedDecision) -> dict[str, Any]:
    level = next((row.level for row in one.options if row.level is not None), None)
    return {
        "best": one.best.name if one.options else "",
        "lost": one.lost,
        "lost_mwc": one.lost_mwc,
        "stake": one.stake,
        "mark": one.mark.value,
        "flaw": one.flaw.value,
        "is_blunder": one.is_blunder,
        "counts": one.counts,
        "counts_pr": one.counts_pr,
        "level": "" if level is None else level.depth,
    }


def luck_values(roll: RollLuck | None) -> dict[str, Any]:
    """The luck of a roll, if there is any to tell."""
    if roll is None:
        return {"luck": None, "luck_mwc": None, "luck_stake": None}
    return {"luck": roll.luck, "luck_mwc": roll.luck_mwc, "luck_stake": roll.stake}


def unplayed(moment: Moment, decision: Decision) -> StoredAnalysis:
    """What is said of a question that nobody has answered, as of a position by itself: nothing is lost or counted."""
    kind = Kind.CHECKER if isinstance(decision, PlayDecision) else Kind.CUBE
    row = decision_row(moment, kind, "")
    data = {"kind": kind.value, "decision": decision.to_dict()}
    return StoredAnalysis(
        (moment.game, moment.number, kind.value),
        row,
        NOTHING_LOST | luck_values(None) | {"best": decision.best, "level": level_of(decision).depth},
        pack(data),
    )


def level_of(decision: Decision) -> AnalysisLevel:
    """By whom and how deep the best of a decision was found."""
    return decision[0].level if isinstance(decision, PlayDecision) else decision.level
