"""Players, the names that files give them, and the one who is "me"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from kibitz.errors import LibraryError
from kibitz.library.models import MatchRow, Player, PlayerAlias
from kibitz.library.rows import clean
from kibitz.plain_json import PlainData

if TYPE_CHECKING:
    from kibitz.library.database import Database

NAMELESS = frozenset({"", "player 1", "player 2", "player", "white", "black", "unknown", "guest", "player0", "player1"})
"""Names that programs put where they know none."""


@dataclass(frozen=True, slots=True)
class PlayerInfo(PlainData):
    """A player with all names and the number of matches."""

    id: int
    name: str
    is_me: bool
    aliases: tuple[str, ...]
    matches: int


def alias_of(name: str) -> str:
    """A name as it is compared: without case and with single spaces."""
    return " ".join(clean(name).casefold().split())


class Players:
    """The players of one owner."""

    def __init__(self, database: Database, owner_id: int) -> None:
        self._database = database
        self._owner = owner_id

    def all(self) -> list[PlayerInfo]:
        """All players, the busiest first."""
        with self._database.reading() as connection:
            counts: dict[int, int] = {}
            for seat in (MatchRow.player0_id, MatchRow.player1_id):
                query = select(seat, func.count()).where(MatchRow.owner_id == self._owner, MatchRow.kind != "position")
                for player, count in connection.execute(query.group_by(seat)):
                    counts[player] = counts.get(player, 0) + count
            aliases: dict[int, list[str]] = {}
            names = select(PlayerAlias.player_id, PlayerAlias.alias).where(PlayerAlias.owner_id == self._owner)
            for player, alias in connection.execute(names.order_by(PlayerAlias.alias)):
                aliases.setdefault(player, []).append(alias)
            rows = connection.execute(
                select(Player.id, Player.name, Player.is_me).where(Player.owner_id == self._owner)
            ).all()
        found = [
            PlayerInfo(row.id, row.name, row.is_me, tuple(aliases.get(row.id, ())), counts.get(row.id, 0))
            for row in rows
        ]
        return sorted(found, key=lambda one: (-one.matches, one.name, one.id))

    def find(self, name: str) -> int:
        """The player with this name; "me" is the one who was said to be."""
        with self._database.reading() as connection:
            return self.find_in(connection, name)

    def find_in(self, connection: Connection, name: str) -> int:
        """The same, in a transaction."""
        query = select(PlayerAlias.player_id).where(
            PlayerAlias.owner_id == self._owner, PlayerAlias.alias == alias_of(name)
        )
        found = connection.execute(query).scalar()
        if found is None and name.strip().casefold() == "me":
            found = self.me_in(connection)
            if found is None:
                raise LibraryError('nobody is known as "me" yet: say who with `kibitz library me NAME`')
        if found is None:
            raise LibraryError(f"no player of the library is called {name!r}")
        return found

    def me(self) -> int | None:
        """The player who is "me"."""
        with self._database.reading() as connection:
            return self.me_in(connection)

    def me_in(self, connection: Connection) -> int | None:
        """The same, in a transaction."""
        query = select(Player.id).where(Player.owner_id == self._owner, Player.is_me)
        return connection.execute(query).scalar()

    def set_me(self, name: str) -> int:
        """Say who is "me"; a name that no file has used yet becomes a player."""
        with self._database.writing() as connection:
            player = self.ensure(connection, name)
            mine = update(Player).where(Player.owner_id == self._owner)
            connection.execute(mine.values(is_me=False))
            connection.execute(mine.where(Player.id == player).values(is_me=True))
        return player

    def ensure(self, connection: Connection, name: str) -> int:
        """The player with this name, made if there is none."""
        alias = alias_of(name)
        query = select(PlayerAlias.player_id).where(PlayerAlias.owner_id == self._owner, PlayerAlias.alias == alias)
        if (found := connection.execute(query).scalar()) is not None:
            return found
        row = insert(Player).values(owner_id=self._owner, name=clean(name).strip(), is_me=False).returning(Player.id)
        player = connection.execute(row).scalar_one()
        connection.execute(insert(PlayerAlias).values(owner_id=self._owner, alias=alias, player_id=player))
        return player

    def merge(self, name: str, *others: str) -> int:
        """Make several names one player, who keeps the first name. Returns the player."""
        with self._database.writing() as connection:
            player = self.find_in(connection, name)
            for other in others:
                self._merge(connection, player, other)
        return player

    def _merge(self, connection: Connection, player: int, other: str) -> None:
        alias = alias_of(other)
        query = select(PlayerAlias.player_id).where(PlayerAlias.owner_id == self._owner, PlayerAlias.alias == alias)
        gone = connection.execute(query).scalar()
        if gone is None:
            connection.execute(insert(PlayerAlias).values(owner_id=self._owner, alias=alias, player_id=player))
            return
        if gone == player:
            return
        between = select(MatchRow.id).where(
            or_(
                (MatchRow.player0_id == gone) & (MatchRow.player1_id == player),
                (MatchRow.player0_id == player) & (MatchRow.player1_id == gone),
            )
        )
        if (match := connection.execute(between.limit(1)).scalar()) is not None:
            raise LibraryError(f"{other!r} cannot be the same player: match {match} is between the two")
        was_me = connection.execute(select(Player.is_me).where(Player.id == gone)).scalar()
        for seat in ("player0_id", "player1_id"):
            column = getattr(MatchRow, seat)
            connection.execute(update(MatchRow).where(column == gone).values({seat: player}))
        connection.execute(update(PlayerAlias).where(PlayerAlias.player_id == gone).values(player_id=player))
        connection.execute(delete(Player).where(Player.id == gone))
        if was_me:
            connection.execute(update(Player).where(Player.id == player).values(is_me=True))

    def rename(self, name: str, new: str) -> int:
        """Give a player another name to be shown; the old one is still known."""
        with self._database.writing() as connection:
            player = self.find_in(connection, name)
            connection.execute(update(Player).where(Player.id == player).values(name=clean(new).strip()))
            self._merge(connection, player, new)
        return player
