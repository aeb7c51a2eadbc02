"""Which decisions: what statistics, searches, collections and cards are asked for by. Plain data that can be kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import ColumnElement, Select, SQLColumnExpression, and_, exists, or_, select
from sqlalchemy.orm import aliased

from kibitz.analysis.decisions import Flaw, Kind
from kibitz.errors import LibraryError
from kibitz.library.models import Analysis, DecisionRow, GameRow, MatchRow, PositionRow, Tournament
from kibitz.library.models_notes import Collection, CollectionItem, Note, Tag, Tagging
from kibitz.library.patterns import Pattern
from kibitz.library.plans import Phase, Plan

KINDS: dict[str, tuple[Kind, ...]] = {
    "all": (Kind.CHECKER, Kind.CUBE, Kind.ANSWER, Kind.COUNTER),
    "checker": (Kind.CHECKER,),
    "cube": (Kind.CUBE, Kind.ANSWER, Kind.COUNTER),
    "double": (Kind.CUBE,),
    "take": (Kind.ANSWER,),
    "counter": (Kind.COUNTER,),
}
"""Kinds of decisions as players speak of them. Resignations are shown with their match, but not counted."""

DIRECTIONS: dict[str, tuple[Flaw, ...]] = {
    "missed double": (Flaw.MISSED_BELOW_CASH, Flaw.MISSED_ABOVE_CASH),
    "premature double": (Flaw.WRONG_BELOW_DOUBLE,),
    "double when too good": (Flaw.WRONG_ABOVE_TOO_GOOD,),
    "wrong take": (Flaw.WRONG_TAKE,),
    "wrong pass": (Flaw.WRONG_PASS,),
    "wrong beaver": (Flaw.WRONG_BEAVER,),
}
"""Ways in which a cube action goes wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFilter:
    """Conditions on decisions that all have to hold; what is None says nothing.

    `player` and `opponent` are names, "me" among them. `lost` and the rest of an analysis are those of the current one.
    Scores are points away, seen by the player who decides.
    """

    # who, where, when
    player: str | None = None
    opponent: str | None = None
    event: str | None = None
    length: int | None = None  # 0 for money
    since: date | None = None
    until: date | None = None
    match: int | None = None
    game: int | None = None
    # what
    kind: str | None = None  # a key of KINDS
    phase: str | None = None
    plan: str | None = None
    dice: str | None = None
    opening: str | None = None  # the dice that opened the game
    reply: str | None = None
    early: int | None = None  # 1 for the opening roll itself, 2 for the reply
    my_away: int | None = None
    their_away: int | None = None
    crawford: bool | None = None
    cube: int | None = None
    cube_owner: str | None = None
    # the position
    pattern: Pattern | None = None
    my_pips: tuple[int, int] | None = None
    their_pips: tuple[int, int] | None = None
    my_back: int | None = None
    their_back: int | None = None
    # how good it was
    judged: bool | None = None
    at_least: float | None = None  # lost
    at_most: float | None = None
    direction: str | None = None  # a key of DIRECTIONS
    blunder: bool | None = None
    counts: bool | None = None  # for the PR
    disagreement: bool | None = None  # analysts differ about the best
    # what the user says
    tag: str | None = None
    noted: bool | None = None
    collection: str | None = None

    def __post_init__(self) -> None:
        _check("kind", self.kind, KINDS)
        _check("direction", self.direction, DIRECTIONS)
        _check("phase", self.phase, [phase.value for phase in Phase])
        _check("plan", self.plan, [plan.value for plan in Plan])

    def but(self, **changes: Any) -> Self:
        """The same conditions with some changed."""
        return replace(self, **changes)

    def given(self) -> dict[str, Any]:
        """The conditions that say something."""
        values = ((item.name, getattr(self, item.name)) for item in fields(self))
        return {name: value for name, value in values if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the conditions that say something."""
        data = self.given()
        for name, value in data.items():
            if isinstance(value, date):
                data[name] = value.isoformat()
            elif isinstance(value, Pattern):
                data[name] = value.to_dict()
            elif isinstance(value, tuple):
                data[name] = list(value)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DecisionFilter:
        """What `to_dict` gave."""
        known = {item.name for item in fields(cls)}
        if unknown := sorted(set(data) - known):
            given = ", ".join(repr(str(name)[:40]) for name in unknown)
            raise LibraryError(f"a search has no {given}; it has {', '.join(sorted(known))}")
        values = dict(data)
        for name in ("since", "until"):
            if isinstance(values.get(name), str):
                values[name] = date.fromisoformat(values[name])
        for name in ("my_pips", "their_pips"):
            if name in values:
                values[name] = tuple(values[name])
        if isinstance(values.get("pattern"), Mapping):
            values["pattern"] = Pattern.from_dict(values["pattern"])
        return cls(**values)

    @classmethod
    def parse(cls, conditions: Iterable[str]) -> DecisionFilter:
        """From conditions such as kind=checker, at_least=0.08, my_pips=100-150 or pattern='6>=2 bar=1'."""
        values: dict[str, Any] = {}
        for condition in conditions:
            name, equals, value = condition.partition("=")
            name = name.strip().replace("-", "_")
            if not equals:
                raise LibraryError(f"a condition is such as kind=checker, not {condition!r}")
            values[name] = _read(name, value.strip())
        mirrored = values.pop("mirrored", False)
        if mirrored and "pattern" in values:
            values["pattern"] = replace(values["pattern"], mirrored=True)
        return cls.from_dict(values)

    def spelled(self) -> dict[str, str]:
        """The conditions as text by their names, such as {"player": "me", "at_least": "0.08"}: what `parse` reads."""
        said: dict[str, str] = {}
        for name, value in self.given().items():
            if isinstance(value, bool):
                said[name] = "yes" if value else "no"
            elif isinstance(value, tuple):
                said[name] = f"{value[0]}-{value[1]}"
            else:
                said[name] = str(value)
        if self.pattern is not None and self.pattern.mirrored:
            said["mirrored"] = "yes"
        return said

    def to_query(self) -> str:
        """The conditions as the query of an address, such as player=me&at_least=0.08."""
        return urlencode(self.spelled())

    @classmethod
    def from_query(cls, query: str) -> DecisionFilter:
        """What `to_query` gave."""
        try:
            pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=100)
        except ValueError:
            raise LibraryError(f"a search is such as player=me&at_least=0.08, not {query[:100]!r}") from None
        return cls.parse(f"{name}={value}" for name, value in pairs)

    # --- as SQL -----------------------------------------------------------------------------------------------------

    def match_clauses(self, players: Mapping[str, int]) -> list[ColumnElement[bool]]:
        """Conditions on the row of a match; `players` are the numbers of those who are named."""
        clauses: list[ColumnElement[bool]] = [MatchRow.kind != "position"] if self._speaks_of_matches else []
        if self.event is not None:
            named = select(Tournament.id).where(Tournament.name == self.event)
            clauses.append(or_(MatchRow.event == self.event, MatchRow.tournament_id.in_(named)))
        if self.length is not None:
            clauses.append(MatchRow.length == self.length)
        if self.since is not None:
            clauses.append(MatchRow.played_on >= self.since)
        if self.until is not None:
            clauses.append(MatchRow.played_on <= self.until)
        if self.match is not None:
            clauses.append(MatchRow.id == self.match)
        for name in (self.player, self.opponent):
            if name is not None:
                number = players[name]
                clauses.append(or_(MatchRow.player0_id == number, MatchRow.player1_id == number))
        return clauses

    @property
    def _speaks_of_matches(self) -> bool:
        return self.player is not None or self.opponent is not None

    def seat_clauses(self, seat: SQLColumnExpression[int], players: Mapping[str, int]) -> list[ColumnElement[bool]]:
        """Conditions on who decides."""
        clauses = []
        for name, other in ((self.player, False), (self.opponent, True)):
            if name is not None:
                number = players[name]
                clauses.append(
                    or_(
                        and_(MatchRow.player0_id == number, seat == int(other)),
                        and_(MatchRow.player1_id == number, seat == int(not other)),
                    )
                )
        return clauses

    def where(self, players: Mapping[str, int]) -> ColumnElement[bool]:
        """All conditions, on the rows that `decisions` joins."""
        clauses = [*self.match_clauses(players), *self.seat_clauses(DecisionRow.seat, players)]
        equal = {
            GameRow.number: self.game,
            GameRow.opening: self.opening,
            GameRow.reply: self.reply,
            DecisionRow.dice: self.dice,
            DecisionRow.phase: self.phase,
            PositionRow.plan: self.plan,
            DecisionRow.crawford: self.crawford,
            DecisionRow.cube: self.cube,
            DecisionRow.cube_owner: self.cube_owner,
            PositionRow.my_back: self.my_back,
            PositionRow.their_back: self.their_back,
            Analysis.is_blunder: self.blunder,
            Analysis.counts_pr: self.counts,
        }
        clauses += [column == value for column, value in equal.items() if value is not None]
        if self.kind is not None:
            clauses.append(DecisionRow.kind.in_([kind.value for kind in KINDS[self.kind]]))
        if self.early is not None:
            clauses.append(DecisionRow.move == self.early if self.early else DecisionRow.move > 2)
        clauses += self._away_clauses()
        for column, limits in ((PositionRow.my_pips, self.my_pips), (PositionRow.their_pips, self.their_pips)):
            if limits is not None:
                clauses.append(column.between(*limits))
        if self.pattern is not None:
            clauses.append(self.pattern.where())
        return and_(True, *clauses, *self._analysis_clauses(), *self._user_clauses())

    def _away_clauses(self) -> list[ColumnElement[bool]]:
        """The score of the one who decides: the state of an answer is the doubler's."""
        clauses = []
        answers = DecisionRow.kind.in_([Kind.ANSWER.value, Kind.ACCEPTANCE.value])
        for value, mine, theirs in (
            (self.my_away, DecisionRow.my_away, DecisionRow.their_away),
            (self.their_away, DecisionRow.their_away, DecisionRow.my_away),
        ):
            if value is not None:
                clauses.append(or_(and_(~answers, mine == value), and_(answers, theirs == value)))
        return clauses

    def _analysis_clauses(self) -> list[ColumnElement[bool]]:
        clauses: list[ColumnElement[bool]] = []
        if self.judged is not None:
            clauses.append(Analysis.id.is_not(None) if self.judged else Analysis.id.is_(None))
        if self.at_least is not None:
            clauses.append(Analysis.lost >= self.at_least)
        if self.at_most is not None:
            clauses.append(Analysis.lost <= self.at_most)
        if self.direction is not None:
            clauses.append(Analysis.flaw.in_([flaw.value for flaw in DIRECTIONS[self.direction]]))
        if self.disagreement is not None:
            other = aliased(Analysis)
            differs = exists().where(
                other.decision_id == DecisionRow.id, other.best != Analysis.best, other.best != "", Analysis.best != ""
            )
            clauses.append(differs if self.disagreement else ~differs)
        return clauses

    def _user_clauses(self) -> list[ColumnElement[bool]]:
        clauses: list[ColumnElement[bool]] = []
        if self.tag is not None:
            loose = Tagging.decision_id.is_(None)
            here = or_(
                Tagging.decision_id == DecisionRow.id,
                and_(loose, Tagging.match_id == DecisionRow.match_id),
                and_(loose, Tagging.position_id == DecisionRow.position_id),
            )
            tagged = select(Tagging.id).join(Tag, Tag.id == Tagging.tag_id).where(here)
            clauses.append(tagged.where(Tag.name == self.tag, Tag.owner_id == MatchRow.owner_id).exists())
        if self.noted is not None:
            noted = exists().where(Note.decision_id == DecisionRow.id)
            clauses.append(noted if self.noted else ~noted)
        if self.collection is not None:
            kept = select(CollectionItem.decision_id).join(Collection, Collection.id == CollectionItem.collection_id)
            mine = kept.where(Collection.name == self.collection, Collection.owner_id == MatchRow.owner_id)
            clauses.append(mine.where(CollectionItem.decision_id == DecisionRow.id).exists())
        return clauses

    @property
    def names(self) -> set[str]:
        """The players who are named."""
        return {name for name in (self.player, self.opponent) if name is not None}


def joined(query: Select[Any], owner: int) -> Select[Any]:
    """Decisions of an owner with their game, match, position and current analysis."""
    return (
        query.select_from(DecisionRow)
        .join(MatchRow, MatchRow.id == DecisionRow.match_id)
        .join(GameRow, GameRow.id == DecisionRow.game_id)
        .join(PositionRow, PositionRow.id == DecisionRow.position_id)
        .outerjoin(Analysis, and_(Analysis.decision_id == DecisionRow.id, Analysis.current))
        .where(MatchRow.owner_id == owner)
    )


_NUMBERS = {"length", "match", "game", "early", "my_away", "their_away", "cube", "my_back", "their_back"}
_TRUTHS = {"mirrored", "crawford", "judged", "blunder", "counts", "disagreement", "noted"}


def _read(name: str, value: str) -> Any:
    """The value of a condition that is given as text."""
    try:
        if name in _NUMBERS:
            return int(value)
        if name in _TRUTHS:
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[value.lower()]
        if name in ("at_least", "at_most"):
            return float(value)
        if name in ("since", "until"):
            return date.fromisoformat(value)
        if name in ("my_pips", "their_pips"):
            low, _, high = value.partition("-")
            return int(low), int(high or low)
    except (ValueError, KeyError):
        wanted = "a date such as 2024-05-01" if name in ("since", "until") else "a number, a range, yes or no"
        raise LibraryError(f"{name}={value} cannot be read: expected {wanted}") from None
    return Pattern.of(value) if name == "pattern" else value


def _check(what: str, value: str | None, known: Any) -> None:
    if value is not None and value not in known:
        raise LibraryError(f"there is no {what} {value!r}; there are {', '.join(map(str, known))}")
