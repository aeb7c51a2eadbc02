"""Questions to a library: how good, where, and is it getting better. Every number is a quotient of stored sums.

Each row says how many decisions it counts, how sure it is, and by which filter its decisions are found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, String, case, cast, func, select
from sqlalchemy.orm import aliased

from kibitz.analysis.marks import pr_elo, pr_name
from kibitz.errors import LibraryError
from kibitz.library.filters import DIRECTIONS, KINDS, DecisionFilter
from kibitz.library.models import GameRow, MatchRow, Player, TallyRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

SUMS = (
    "decisions",
    "counted",
    "pr_counted",
    "lost",
    "lost_squares",
    "pr_lost",
    "pr_squares",
    "stake",
    "errors",
    "blunders",
    "rolls",
    "luck",
    "luck_squares",
    "luck_stake",
)
"""What a tally adds up."""


@dataclass(frozen=True, slots=True)
class Sums:
    """What decisions add up to. Two can be added; rates follow."""

    matches: int = 0
    decisions: int = 0
    counted: int = 0
    pr_counted: int = 0
    lost: float = 0.0
    lost_squares: float = 0.0
    pr_lost: float = 0.0
    pr_squares: float = 0.0
    stake: float = 0.0
    errors: int = 0
    blunders: int = 0
    rolls: int = 0
    luck: float = 0.0
    luck_squares: float = 0.0
    luck_stake: float = 0.0

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def pr(self) -> float | None:
        """eXtreme Gammon's performance rating: 500 times the equity lost for each decision that it counts."""
        return 500.0 * self.pr_lost / self.pr_counted if self.pr_counted else None

    @property
    def pr_error(self) -> float | None:
        """The standard error of the PR, taking decisions for independent ones; None for fewer than two."""
        error = standard_error(self.pr_counted, self.pr_lost, self.pr_squares)
        return None if error is None else 500.0 * error

    @property
    def error_rate(self) -> float | None:
        """Equity lost for each decision that gnubg counts."""
        return self.lost / self.counted if self.counted else None

    @property
    def luck_rate(self) -> float | None:
        """Luck for each roll."""
        return self.luck / self.rolls if self.rolls else None

    @property
    def luck_error(self) -> float | None:
        """The standard error of the luck for each roll."""
        return standard_error(self.rolls, self.luck, self.luck_squares)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        rates = ("pr", "pr_error", "error_rate", "luck_rate", "luck_error")
        data = {name: getattr(self, name) for name in (*self.__slots__, *rates)}
        return data | {"pr_name": pr_name(self.pr), "elo": None if self.pr is None else pr_elo(self.pr)}


def standard_error(count: int, total: float, squares: float) -> float | None:
    """The standard error of a mean of so many values, given their sum and that of their squares."""
    if count < 2:
        return None
    variance = max(squares - total * total / count, 0.0) / (count - 1)
    return math.sqrt(variance / count)


@dataclass(frozen=True, slots=True)
class StatisticsRow:
    """Sums of the decisions that share a key, and the filter that finds exactly these."""

    key: str
    sums: Sums
    filter: DecisionFilter

    @property
    def pr(self) -> float | None:
        """The performance rating."""
        return self.sums.pr

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"key": self.key} | self.sums.to_dict() | {"filter": self.filter.to_dict()}


def total(connection: Connection, owner: int, wanted: DecisionFilter, players: Mapping[str, int]) -> StatisticsRow:
    """All decisions of a filter together."""
    rows = _rows(connection, owner, wanted, players, {})
    return StatisticsRow("all", rows[0][1] if rows else Sums(), wanted.but(kind=wanted.kind or "all", judged=True))


def by(
    connection: Connection, owner: int, wanted: DecisionFilter, players: Mapping[str, int], group: str
) -> list[StatisticsRow]:
    """The decisions of a filter, told apart."""
    grouping = _GROUPINGS.get(group)
    if grouping is None:
        raise LibraryError(f"statistics are told apart by {', '.join(GROUPS)}, not by {group!r}")
    if group == "opponent" and wanted.player is None:
        raise LibraryError("opponents are those of a player: say whose")
    wanted = wanted.but(kind=wanted.kind or "all", judged=True, **grouping.only)
    found: dict[str, StatisticsRow] = {}
    for values, sums in _rows(connection, owner, wanted, players, grouping.columns):
        name = grouping.name(values)
        if name is None:
            continue
        there = found.get(name)
        if there is None:
            found[name] = StatisticsRow(name, sums, wanted.but(**grouping.adds(values)))
        else:
            found[name] = replace(there, sums=there.sums + sums)
    return list(found.values())


def _rows(
    connection: Connection,
    owner: int,
    wanted: DecisionFilter,
    players: Mapping[str, int],
    columns: Mapping[str, Any],
) -> list[tuple[dict[str, Any], Sums]]:
    """Sums of tallies by some columns."""
    sums = [func.sum(getattr(TallyRow, name)).label(name) for name in SUMS]
    query = (
        select(*(column.label(name) for name, column in columns.items()))
        .add_columns(func.count(TallyRow.match_id.distinct()).label("matches"), *sums)
        .select_from(TallyRow)
        .join(MatchRow, MatchRow.id == TallyRow.match_id)
        .join(GameRow, GameRow.id == TallyRow.game_id)
        .where(MatchRow.owner_id == owner, *tally_clauses(wanted, players))
    )
    if "opponent" in columns:
        query = query.join(_OPPONENT, _OPPONENT.id == _other(players[str(wanted.player)]))
    if columns:
        query = query.group_by(*columns.values()).order_by(*columns.values())
    found = []
    for row in connection.execute(query).mappings():
        if row["decisions"] is None:
            continue
        values = {name: row[name] for name in columns}
        found.append((values, Sums(row["matches"], *(plain_number(row[name]) for name in SUMS))))
    return found


def plain_number(value: Any) -> Any:
    """A sum as Python counts: some databases add integers up to decimals."""
    return value if isinstance(value, float) else int(value)


_BY_TALLY = {"phase", "plan", "opening", "reply", "early", "my_away", "their_away", "crawford", "direction", "kind"}
_BY_MATCH = {"player", "opponent", "event", "length", "since", "until", "match", "game", "judged"}


def is_stored(wanted: DecisionFilter) -> bool:
    """Whether the stored sums can answer a filter; others are answered from the decisions themselves."""
    return set(wanted.given()) <= _BY_TALLY | _BY_MATCH


def tally_clauses(wanted: DecisionFilter, players: Mapping[str, int]) -> list[ColumnElement[bool]]:
    """The conditions of a filter on the rows of tallies."""
    if not is_stored(wanted):
        beyond = sorted(set(wanted.given()) - _BY_TALLY - _BY_MATCH)
        raise LibraryError(f"no sums are kept by {', '.join(beyond)}: ask for the decisions themselves")
    clauses = [*wanted.match_clauses(players), *wanted.seat_clauses(TallyRow.seat, players)]
    kinds = [kind.value for kind in KINDS[wanted.kind or "all"]]
    clauses.append(TallyRow.kind.in_(kinds))
    equal = {
        TallyRow.phase: wanted.phase,
        TallyRow.plan: wanted.plan,
        GameRow.opening: wanted.opening,
        GameRow.reply: wanted.reply,
        TallyRow.early: wanted.early,
        GameRow.crawford: wanted.crawford,
        GameRow.number: wanted.game,
        away(True): wanted.my_away,
        away(False): wanted.their_away,
    }
    clauses += [column == value for column, value in equal.items() if value is not None]
    if wanted.direction is not None:
        clauses.append(TallyRow.flaw.in_([flaw.value for flaw in DIRECTIONS[wanted.direction]]))
    return clauses


def away(mine: bool) -> ColumnElement[int]:
    """Points that the one who decides still needs, or that the opponent does; 0 for money."""
    seat = TallyRow.seat if mine else 1 - TallyRow.seat
    score = case((seat == 0, GameRow.score0), else_=GameRow.score1)
    return case((MatchRow.length > score, MatchRow.length - score), else_=0)


_OPPONENT = aliased(Player)


def _other(player: int) -> ColumnElement[int]:
    return case((MatchRow.player0_id == player, MatchRow.player1_id), else_=MatchRow.player0_id)


# --- what numbers are told apart by -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grouping:
    """Columns, the name that their values give a row (None for rows that are left out), and what its filter adds."""

    columns: Mapping[str, Any]
    name: Callable[[Mapping[str, Any]], str | None]
    adds: Callable[[Mapping[str, Any]], dict[str, Any]]
    only: Mapping[str, Any] = field(default_factory=dict)  # conditions that come with it


def _plain(name: str, column: Any, **only: Any) -> Grouping:
    """Told apart by one column that a filter has a condition for."""
    return Grouping({name: column}, lambda row: str(row[name]), lambda row: {name: row[name]}, only)


def _dated(length: int) -> Grouping:
    """Told apart by the first characters of a date: a year, a month or a day. What has no date is left out."""
    column = func.substr(cast(MatchRow.played_on, String), 1, length)
    return Grouping({"date": column}, lambda row: row["date"], lambda row: _span(row["date"]))


def _span(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    year, month, day = ([int(part) for part in text.split("-")] + [0, 0])[:3]
    if day:
        return {"since": date(year, month, day), "until": date(year, month, day)}
    last = date(year + (month in (0, 12)), month % 12 + 1 if month else 1, 1) - timedelta(days=1)
    return {"since": date(year, month or 1, 1), "until": last}


def _score_name(row: Mapping[str, Any]) -> str:
    if not row["my_away"] and not row["their_away"]:
        return "money"
    return f"{row['my_away']}-away {row['their_away']}-away{' Crawford' if row['crawford'] else ''}"


_KIND_NAMES = {kinds[0].value: name for name, kinds in KINDS.items() if len(kinds) == 1}
_DIRECTION_NAMES = {flaw.value: name for name, flaws in DIRECTIONS.items() for flaw in flaws}

_GROUPINGS: dict[str, Grouping] = {
    "kind": Grouping(
        {"kind": TallyRow.kind},
        lambda row: _KIND_NAMES.get(row["kind"]),
        lambda row: {"kind": _KIND_NAMES.get(row["kind"])},
    ),
    "opponent": _plain("opponent", _OPPONENT.name),
    "event": _plain("event", MatchRow.event),
    "length": Grouping(
        {"length": MatchRow.length},
        lambda row: f"{row['length']} points" if row["length"] else "money",
        lambda row: {"length": row["length"]},
    ),
    "year": _dated(4),
    "month": _dated(7),
    "day": _dated(10),
    "match": _plain("match", MatchRow.id),
    "game": Grouping(
        {"match": MatchRow.id, "game": GameRow.number},
        lambda row: f"{row['match']}.{row['game']}",
        lambda row: {"match": row["match"], "game": row["game"]},
    ),
    "phase": _plain("phase", TallyRow.phase),
    "plan": _plain("plan", TallyRow.plan),
    "score": Grouping(
        {"my_away": away(True), "their_away": away(False), "crawford": GameRow.crawford},
        _score_name,
        lambda row: {name: row[name] for name in ("my_away", "their_away", "crawford")},
    ),
    "opening": _plain("opening", GameRow.opening, early=1),
    "reply": Grouping(
        {"opening": GameRow.opening, "reply": GameRow.reply},
        lambda row: f"{row['opening']} {row['reply']}",
        lambda row: {"opening": row["opening"], "reply": row["reply"]},
        {"early": 2},
    ),
    "direction": Grouping(
        {"flaw": TallyRow.flaw},
        lambda row: _DIRECTION_NAMES.get(row["flaw"]),
        lambda row: {"direction": _DIRECTION_NAMES.get(row["flaw"])},
    ),
}
GROUPS = tuple(_GROUPINGS)
"""What numbers can be told apart by."""
