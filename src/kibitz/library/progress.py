"""Is it getting better: the PR from match to match, over the last ones and over all."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from kibitz.errors import LibraryError
from kibitz.library import statistics
from kibitz.library.filters import DecisionFilter
from kibitz.library.models import MatchRow
from kibitz.library.statistics import Sums
from kibitz.plain_json import picked

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class ProgressPoint:
    """A match with its own sums, those of the last so many matches, and those of all so far."""

    match_id: int
    played_on: date | None
    own: Sums
    recent: Sums
    lifetime: Sums

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"match": self.match_id} | picked(self, "played_on", "own", "recent", "lifetime")


def progress(
    connection: Connection, owner: int, wanted: DecisionFilter, players: Mapping[str, int], window: int
) -> list[ProgressPoint]:
    """One point a match, the oldest first; what has no date comes before all that has one."""
    if window < 1:
        raise LibraryError(f"a window holds at least one match, not {window}")
    sums = {row.filter.match: row.sums for row in statistics.by(connection, owner, wanted, players, "match")}
    order = (
        select(MatchRow.id, MatchRow.played_on)
        .where(MatchRow.owner_id == owner)
        .order_by(MatchRow.played_on.asc().nulls_first(), MatchRow.id)
    )
    points = []
    last: deque[Sums] = deque(maxlen=window)
    lifetime = Sums()
    for match, played_on in connection.execute(order):
        own = sums.get(match)
        if own is None:
            continue
        last.append(own)
        lifetime += own
        points.append(ProgressPoint(match, played_on, own, sum(last, Sums()), lifetime))
    return points
