"""Asking for matches and decisions, and what is kept of them."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Select, and_, false, func, or_, select, true
from sqlalchemy.orm import aliased

from kibitz.analysis.decisions import Kind
from kibitz.cube import Cube, Owner
from kibitz.dice import Dice
from kibitz.errors import LibraryError
from kibitz.library.filters import DecisionFilter, joined
from kibitz.library.models import Analysis, DecisionRow, GameRow, MatchRow, Player, PositionRow, TallyRow
from kibitz.library.models import Owner as OwnerRow
from kibitz.library.statistics import SUMS, Sums, plain_number
from kibitz.library.tallies import factor_column, sum_columns
from kibitz.match import MatchState
from kibitz.plain_json import PlainData
from kibitz.position import Position, Variant
from kibitz.state import Offer, State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.library.likeness import Neighbours

_FIRST, _SECOND = aliased(Player), aliased(Player)
ORDERS = ("played", "lost", "newest")
"""Orders of decisions: as they were played, the costliest first, of the newest match first."""
EDGES = (0.0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.12, 0.16, 0.25, 0.5, 1.0)
"""The sizes of errors that a histogram tells apart; the last bar has no end."""
SMALLEST = 1e-12
"""What loses less loses nothing."""


@dataclass(frozen=True, slots=True)
class MatchInfo(PlainData):
    """A match of the library, without its games."""

    id: int
    kind: str
    players: tuple[str, str]
    player_ids: tuple[int, int]
    length: int
    variant: str
    score: tuple[int, int]
    winner: int | None
    games: int
    event: str
    round: str
    place: str
    date: str
    played_on: datetime.date | None

    def __str__(self) -> str:
        what = f"{self.length} points" if self.length and self.kind == "match" else self.kind
        when = f", {self.date}" if self.date else ""
        event = f", {self.event}" if self.event else ""
        return f"{self.players[0]} {self.score[0]} - {self.score[1]} {self.players[1]}, {what}{event}{when}"


@dataclass(frozen=True, slots=True)
class DecisionInfo:
    """A decision of the library with its current analysis; what that says is None where nobody has analysed it."""

    id: int
    match_id: int
    game: int
    ply: int
    move: int
    kind: str
    seat: int
    player: str
    opponent: str
    state: State
    position_id: str
    chosen: str
    phase: str
    plan: str
    best: str | None
    lost: float | None
    lost_mwc: float | None
    mark: str | None
    flaw: str | None
    is_blunder: bool | None
    counts_pr: bool | None
    luck: float | None
    event: str
    date: str

    @property
    def about(self) -> str:
        """Where it comes from, in words."""
        when = f", {self.date}" if self.date else ""
        return f"{self.player} against {self.opponent}{when}, game {self.game}, move {self.move}"

    @property
    def outcome(self) -> str:
        """What was decided and what it cost, in words."""
        lost = "" if self.lost is None else f" ({-self.lost:+.3f}; best: {self.best})" if self.lost else " (right)"
        roll = f" {self.state.dice}" if self.state.dice is not None else ""
        return f"{self.kind}{roll}: {self.chosen or '?'}{lost}"

    def __str__(self) -> str:
        return f"{self.about}: {self.outcome}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = {name: getattr(self, name) for name in self.__slots__ if name != "state"}
        return data | {"state": self.state.to_dict()}

    def to_record(self) -> dict[str, Any]:
        """One flat row for a table."""
        match = self.state.match
        flat = {name: getattr(self, name) for name in self.__slots__ if name != "state"}
        return flat | {
            "dice": "" if self.state.dice is None else str(self.state.dice),
            "length": match.length,
            "my_away": match.my_away,
            "their_away": match.their_away,
            "cube": match.cube.value,
            "cube_owner": match.cube.owner.value,
            "crawford": match.crawford,
            "my_pips": self.state.position.pips[0],
            "their_pips": self.state.position.pips[1],
        }


# --- matches ----------------------------------------------------------------------------------------------------------


def matches(
    connection: Connection,
    owner: int,
    wanted: DecisionFilter,
    players: Mapping[str, int],
    *,
    limit: int | None = None,
    after: int | None = None,
) -> list[MatchInfo]:
    """Matches, the newest first; those that come after one of them."""
    query = (
        select(MatchRow, _FIRST.name.label("first"), _SECOND.name.label("second"))
        .join(_FIRST, _FIRST.id == MatchRow.player0_id)
        .join(_SECOND, _SECOND.id == MatchRow.player1_id)
        .where(MatchRow.owner_id == owner, *wanted.match_clauses(players))
        .order_by(*(key.order for key in _NEWEST))
        .limit(limit)
    )
    if after is not None:
        there = select(*(key.column for key in _NEWEST)).where(MatchRow.id == after, MatchRow.owner_id == owner)
        query = query.where(_beyond(connection, _NEWEST, there, f"match {after}"))
    return [_match(row) for row in connection.execute(query).mappings()]


@dataclass(frozen=True, slots=True)
class _Key:
    """A column that things are ordered by; what has no value comes last."""

    column: Any
    falls: bool = False

    @property
    def order(self) -> Any:
        return self.column.desc().nulls_last() if self.falls else self.column.asc()

    def beyond(self, value: Any) -> Any:
        """Whether a row comes strictly later by this column alone."""
        if value is None:
            return false()
        return or_(self.column < value, self.column.is_(None)) if self.falls else self.column > value

    def same(self, value: Any) -> Any:
        return self.column.is_(None) if value is None else self.column == value


_NEWEST = (_Key(MatchRow.played_on, falls=True), _Key(MatchRow.id, falls=True))
_PLAYED = (_Key(DecisionRow.match_id), _Key(GameRow.number), _Key(DecisionRow.ply), _Key(DecisionRow.kind, falls=True))
_ORDERS = {"played": _PLAYED, "lost": (_Key(Analysis.lost, falls=True), *_PLAYED), "newest": (*_NEWEST, *_PLAYED)}


def _beyond(connection: Connection, keys: Sequence[_Key], there: Select[Any], what: str) -> ColumnElement[bool]:
    """The rows that come after one in some order: paging that neither repeats nor leaves out while things change."""
    row = connection.execute(there).first()
    if row is None:
        raise LibraryError(f"there is no {what} to go on from")
    values = list(zip(keys, row, strict=True))
    return or_(
        *(
            and_(*(key.same(value) for key, value in values[:place]), values[place][0].beyond(values[place][1]))
            for place in range(len(values))
        )
    )


def match_sums(connection: Connection, numbers: Sequence[int]) -> dict[tuple[int, int], Sums]:
    """What the decisions of each seat add up to, of some matches; those that nobody has analysed are missing."""
    query = (
        select(TallyRow.match_id, TallyRow.seat, *(func.sum(getattr(TallyRow, name)) for name in SUMS))
        .where(TallyRow.match_id.in_(numbers))
        .group_by(TallyRow.match_id, TallyRow.seat)
    )
    return {(row[0], row[1]): Sums(1, *map(plain_number, row[2:])) for row in connection.execute(query)}


def match_info(connection: Connection, owner: int, match: int) -> MatchInfo:
    """One match."""
    found = matches(connection, owner, DecisionFilter(match=match), {})
    if not found:
        raise LibraryError(f"there is no match {match} in the library")
    return found[0]


def _match(row: Any) -> MatchInfo:
    return MatchInfo(
        row["id"],
        row["kind"],
        (row["first"], row["second"]),
        (row["player0_id"], row["player1_id"]),
        row["length"],
        row["variant"],
        (row["score0"], row["score1"]),
        row["winner"],
        row["games"],
        row["event"],
        row["round"],
        row["place"],
        row["dated"],
        row["played_on"],
    )


@dataclass(frozen=True, slots=True)
class EventInfo(PlainData):
    """A tournament or another event: how many matches it has, and from when to when."""

    name: str
    matches: int
    first: datetime.date | None
    last: datetime.date | None


def events(connection: Connection, owner: int) -> list[EventInfo]:
    """All events, those with the newest matches first."""
    first, last = func.min(MatchRow.played_on), func.max(MatchRow.played_on)
    query = (
        select(MatchRow.event, func.count(), first, last)
        .where(MatchRow.owner_id == owner, MatchRow.event != "")
        .group_by(MatchRow.event)
        .order_by(last.desc().nulls_last(), MatchRow.event)
    )
    return [EventInfo(*row) for row in connection.execute(query)]


# --- decisions --------------------------------------------------------------------------------------------------------


def decisions(
    connection: Connection,
    owner: int,
    wanted: DecisionFilter,
    players: Mapping[str, int],
    *,
    order: str = "played",
    limit: int | None = None,
    after: int | None = None,
    numbers: Sequence[int] | None = None,
) -> list[DecisionInfo]:
    """Decisions of a filter, those that come after one of them; with `numbers`, only these."""
    if order not in ORDERS:
        raise LibraryError(f"decisions are ordered by {', '.join(ORDERS)}, not by {order!r}")
    keys = _ORDERS[order]
    query = _named(joined(_columns(), owner)).where(wanted.where(players)).order_by(*(key.order for key in keys))
    if numbers is not None:
        query = query.where(DecisionRow.id.in_(numbers))
    if after is not None:
        there = joined(select(*(key.column for key in keys)), owner).where(DecisionRow.id == after)
        query = query.where(_beyond(connection, keys, there, f"decision {after}"))
    return [_decision(row) for row in connection.execute(query.limit(limit)).mappings()]


def _named(query: Select[Any]) -> Select[Any]:
    """With the names of the players."""
    return query.join(_FIRST, _FIRST.id == MatchRow.player0_id).join(_SECOND, _SECOND.id == MatchRow.player1_id)


def count(connection: Connection, owner: int, wanted: DecisionFilter, players: Mapping[str, int]) -> int:
    """How many decisions a filter has."""
    query = joined(select(func.count()), owner).where(wanted.where(players))
    return int(connection.execute(query).scalar_one())


def sums(connection: Connection, owner: int, wanted: DecisionFilter, players: Mapping[str, int]) -> Sums:
    """What the decisions of any filter add up to, from the decisions themselves."""
    columns = sum_columns(factor_column(connection))
    matches_seen = func.count(DecisionRow.match_id.distinct())
    analysed = wanted.but(kind=wanted.kind or "all", judged=True)
    query = joined(select(matches_seen, *(columns[name] for name in SUMS)), owner).where(analysed.where(players))
    row = connection.execute(query).one()
    return Sums(*row) if row[1] else Sums()


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """How many decisions lost from `low` to below `high` (None for the last), and the filter that finds these alone."""

    low: float
    high: float | None
    count: int
    filter: DecisionFilter

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"from": self.low, "below": self.high, "count": self.count, "filter": self.filter.to_dict()}


def histogram(
    connection: Connection, owner: int, wanted: DecisionFilter, players: Mapping[str, int]
) -> list[HistogramBar]:
    """How many decisions lost how much. Those that lost nothing are not counted."""
    asked = wanted.but(kind=wanted.kind or "all", judged=True)
    bars = list(zip(EDGES, (*EDGES[1:], None), strict=True))
    within = [
        and_(Analysis.lost >= (low or SMALLEST), true() if high is None else Analysis.lost < high) for low, high in bars
    ]
    counted: list[Any] = [func.count().filter(one) for one in within]
    query = joined(select(*counted), owner).where(asked.where(players))
    counts = connection.execute(query).one()
    return [
        HistogramBar(low, high, count, _lost_within(asked, low, high))
        for (low, high), count in zip(bars, counts, strict=True)
    ]


def _lost_within(wanted: DecisionFilter, low: float, high: float | None) -> DecisionFilter:
    """The same decisions as far as they lost so much."""
    most = [math.nextafter(high, 0.0)] if high is not None else []
    most += [wanted.at_most] if wanted.at_most is not None else []
    return wanted.but(at_least=max(low or SMALLEST, wanted.at_least or 0.0), at_most=min(most, default=None))


def like(
    connection: Connection,
    owner: int,
    wanted: DecisionFilter,
    players: Mapping[str, int],
    neighbours: Neighbours,
    board: npt.NDArray[np.uint8],
    number: int,
) -> list[tuple[float, DecisionInfo]]:
    """Decisions of a filter in the positions that are most like a board, with their distances, the nearest first."""
    among = None
    if wanted.given() or not _is_alone(connection):
        query = joined(select(DecisionRow.position_id).distinct(), owner).where(wanted.where(players))
        among = set(connection.execute(query).scalars())
    found: list[tuple[float, DecisionInfo]] = []
    distances = dict(neighbours.nearest(board, number, among))
    here = DecisionRow.position_id.in_(list(distances))
    query = _named(joined(_columns().add_columns(PositionRow.id.label("place")), owner))
    for row in connection.execute(query.where(wanted.where(players), here)).mappings():
        found.append((distances[row["place"]], _decision(row)))
    return sorted(found, key=lambda pair: (pair[0], pair[1].id))[:number]


def _is_alone(connection: Connection) -> bool:
    """Whether all positions are those of one owner."""
    return connection.execute(select(func.count()).select_from(OwnerRow)).scalar_one() == 1


def _columns() -> Select[Any]:
    columns: tuple[Any, ...] = (
        DecisionRow.id,
        DecisionRow.match_id,
        GameRow.number.label("game"),
        GameRow.score0,
        GameRow.score1,
        MatchRow.length,
        MatchRow.variant,
        MatchRow.event,
        MatchRow.dated,
        _FIRST.name.label("first"),
        _SECOND.name.label("second"),
        DecisionRow.ply,
        DecisionRow.move,
        DecisionRow.kind,
        DecisionRow.seat,
        DecisionRow.dice,
        DecisionRow.my_away,
        DecisionRow.their_away,
        DecisionRow.cube,
        DecisionRow.cube_owner,
        DecisionRow.crawford,
        DecisionRow.phase,
        DecisionRow.chosen,
        PositionRow.position_id,
        PositionRow.board,
        PositionRow.plan,
        Analysis.best,
        Analysis.lost,
        Analysis.lost_mwc,
        Analysis.mark,
        Analysis.flaw,
        Analysis.is_blunder,
        Analysis.counts_pr,
        Analysis.luck,
    )
    return select(*columns)


def _decision(row: Any) -> DecisionInfo:
    names = (row["first"], row["second"])
    seat = row["seat"]
    same = ("id", "match_id", "game", "ply", "move", "kind", "seat", "position_id", "chosen", "phase", "plan", "event")
    analysed = ("best", "lost", "lost_mwc", "mark", "flaw", "is_blunder", "counts_pr", "luck")
    return DecisionInfo(
        player=names[seat],
        opponent=names[1 - seat],
        state=_state(row),
        date=row["dated"],
        **{name: row[name] for name in (*same, *analysed)},
    )


def _state(row: Any) -> State:
    """Enough of the state to draw it. The rules of a money game and beavers are those of the record."""
    length = row["length"]
    cube = Cube(row["cube"], Owner(row["cube_owner"]))
    match = MatchState(
        length,
        max(length - row["my_away"], 0),
        max(length - row["their_away"], 0),
        cube,
        crawford=row["crawford"],
        variant=Variant(row["variant"]),
    )
    dice = Dice.of(row["dice"]) if row["dice"] else None
    offer = Offer.DOUBLE if row["kind"] == Kind.ANSWER.value else Offer.NONE
    return State(Position.from_rows(row["board"]), match, dice, offer)
