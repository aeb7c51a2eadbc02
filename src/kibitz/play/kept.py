"""Matches in progress that are kept in a library: nothing is lost when the program ends, whatever ends it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from kibitz.errors import LibraryError
from kibitz.library.library import Library
from kibitz.library.models import now
from kibitz.library.models_play import LiveMatchRow
from kibitz.library.rows import pack, unpack
from kibitz.play.live_match import LiveMatch
from kibitz.play.sitting import SittingSettings


class StaleError(LibraryError):
    """Another window was quicker: what was shown is not what is there any more."""

    code = "stale"


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match in progress as it was kept. `match_id` is its number in the library, once it is over."""

    id: int
    version: int
    settings: SittingSettings
    live: LiveMatch
    match_id: int | None
    created_at: datetime
    changed_at: datetime

    def summary(self) -> dict[str, Any]:
        """What a list shows, as plain data for JSON."""
        match = self.live.match
        return {
            "id": self.id,
            "version": self.version,
            "players": list(match.players),
            "seat": self.settings.seat,
            "opponent": self.settings.opponent,
            "length": match.length,
            "variant": match.variant.value,
            "score": list(match.score),
            "game": len(match.games),
            "games": self.live.games,
            "over": self.live.is_over,
            "match": self.match_id,
            "created_at": self.created_at.isoformat(),
            "changed_at": self.changed_at.isoformat(),
        }


class KeptMatches:
    """The matches in progress of a library's owner."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._database = library.database
        self._owner = library.owner_id

    def create(self, live: LiveMatch, settings: SittingSettings) -> KeptMatch:
        """Keep a match that has just begun."""
        at = now()
        row = {"owner_id": self._owner, "version": 1, "created_at": at, "changed_at": at, "match_id": None}
        row |= {"settings": settings.to_dict(), "live": pack(live.to_dict()), "is_over": False}
        with self._database.writing() as connection:
            number = connection.execute(insert(LiveMatchRow).values(row).returning(LiveMatchRow.id)).scalar_one()
        return KeptMatch(number, 1, settings, live, None, at, at)

    def get(self, number: int) -> KeptMatch:
        """One of them."""
        query = select(LiveMatchRow).where(LiveMatchRow.id == number, LiveMatchRow.owner_id == self._owner)
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            raise LibraryError(f"there is no match in progress with the number {number}")
        return _kept(row)

    def __len__(self) -> int:
        """How many there are."""
        query = select(func.count()).select_from(LiveMatchRow).where(LiveMatchRow.owner_id == self._owner)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()

    def all(self, *, limit: int | None = None) -> list[KeptMatch]:
        """All of them, the one that was played last first; those that are over at the end."""
        query = select(LiveMatchRow).where(LiveMatchRow.owner_id == self._owner)
        query = query.order_by(LiveMatchRow.is_over, LiveMatchRow.changed_at.desc(), LiveMatchRow.id.desc())
        with self._database.reading() as connection:
            return [_kept(row) for row in connection.execute(query.limit(limit)).mappings()]

    def save(self, kept: KeptMatch) -> KeptMatch:
        """Keep what has changed. A match that is over goes into the library, and the person becomes its "me"."""
        match_id = kept.match_id
        if kept.live.is_over and match_id is None:
            match_id = self._library.add(kept.live.match).match_id
            if self._library.players.me() is None:
                self._library.players.set_me(kept.live.match.players[kept.settings.seat])
        at = now()
        mine = update(LiveMatchRow).where(
            LiveMatchRow.id == kept.id, LiveMatchRow.owner_id == self._owner, LiveMatchRow.version == kept.version
        )
        values = {"version": kept.version + 1, "settings": kept.settings.to_dict(), "match_id": match_id}
        values |= {"live": pack(kept.live.to_dict()), "is_over": kept.live.is_over, "changed_at": at}
        with self._database.writing() as connection:
            if not connection.execute(mine.values(values)).rowcount:
                raise StaleError(f"match {kept.id} has gone on in another window: look at it again")
        return replace(kept, version=kept.version + 1, match_id=match_id, changed_at=at)

    def delete(self, number: int) -> None:
        """Forget a match in progress. One that is over stays in the library."""
        mine = delete(LiveMatchRow).where(LiveMatchRow.id == number, LiveMatchRow.owner_id == self._owner)
        with self._database.writing() as connection:
            if not connection.execute(mine).rowcount:
                raise LibraryError(f"there is no match in progress with the number {number}")


def _kept(row: Any) -> KeptMatch:
    return KeptMatch(
        row["id"],
        row["version"],
        SittingSettings.from_dict(row["settings"]),
        LiveMatch.from_dict(unpack(row["live"])),
        row["match_id"],
        row["created_at"],
        row["changed_at"],
    )
