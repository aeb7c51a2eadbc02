"""The ledger of rolls: after each of two plays, the opponent's 21 replies, and where the difference comes from.

An `Account` holds one play. Its rolls sum to the play's equity at the account's depth, with the opponent's best cube
action before the roll. A `Ledger` holds two of them. Its rows sum to the difference of the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from kibitz.decision import Evaluation
from kibitz.dice import ALL_ROLLS, Dice
from kibitz.explain.facts import Turn, hitting_rolls, turn_facts
from kibitz.match import MatchState
from kibitz.plain_json import picked
from kibitz.position import BAR, Position
from kibitz.state import State

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine
    from kibitz.engine.replies import RollReply

ROLLS = 36
PASSED = -1.0
"""Our equity when we pass a double: the game is lost at the present cube."""


class CubeReply(StrEnum):
    """What the opponent does with the cube before he rolls."""

    HOLD = "no double"
    TAKEN = "double, take"
    PASSED = "double, pass"


@dataclass(frozen=True, slots=True)
class RollEntry:
    """One roll of the opponent: his best play of it, and our equity after it. `result` is seen by us."""

    dice: Dice
    result: Position
    equity: float
    evaluation: Evaluation  # ours
    turn: Turn  # what he changed, in his points
    dances: bool  # he has a checker on the bar and enters none
    returns: int | None  # our rolls of 36 that hit back; None where he does not hit

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        roll = {"dice": str(self.dice), "result": self.result.id}
        return roll | picked(self, "equity", "evaluation", "turn", "dances", "returns")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RollEntry:
        """What `to_dict` gave."""
        return cls(
            Dice.of(data["dice"]),
            Position.from_id(data["result"]),
            data["equity"],
            Evaluation.from_dict(data["evaluation"]),
            Turn.from_dict(data["turn"]),
            data["dances"],
            data["returns"],
        )


@dataclass(frozen=True, slots=True)
class Account:
    """What the opponent's rolls make of a position, seen by the player who has just played.

    `plies` is the depth: the rolls of the opponent are the first ply. In `rolls` the equities are those of our side at
    the present cube, after the cube action `cube`; their mean over 36 is `equity`.
    """

    after: Position
    plies: int
    cube: CubeReply
    rolls: tuple[RollEntry, ...]

    @property
    def equities(self) -> tuple[float, ...]:
        """Our equity after each of the rolls."""
        return tuple(entry.equity for entry in self.rolls)

    @property
    def equity(self) -> float:
        """Our equity: the mean of the rolls."""
        return math.fsum(entry.dice.weight * entry.equity for entry in self.rolls) / ROLLS

    @property
    def evaluation(self) -> Evaluation:
        """Our five chances: the mean of the rolls."""
        each = [[entry.dice.weight * chance for chance in entry.evaluation] for entry in self.rolls]
        return Evaluation.of([math.fsum(chances) / ROLLS for chances in zip(*each, strict=True)])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"after": self.after.id} | picked(self, "plies", "cube", "equity", "evaluation", "rolls")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Account:
        """What `to_dict` gave."""
        rolls = tuple(map(RollEntry.from_dict, data["rolls"]))
        return cls(Position.from_id(data["after"]), data["plies"], CubeReply(data["cube"]), rolls)


def account(engine: Engine, after: Position, match: MatchState, plies: int, *, hold: bool = False) -> Account:
    """The account of a play that led to this position, which the opponent sees; `match` is seen by the player.

    With `hold` the opponent leaves the cube alone before this roll, whatever would be right.
    """
    if after.is_over:
        return _finished(engine, after, match, plies)
    replies, cube, equities = replies_to(engine, after, match, plies, hold=hold)
    entries = []
    for reply, equity in zip(replies, equities, strict=True):
        turn = turn_facts(after, reply.result)
        dances = after.mine[BAR - 1] > 0 and turn.entered == 0
        returns = hitting_rolls(reply.result) if turn.hits else None
        entries.append(RollEntry(reply.dice, reply.result, equity, reply.evaluation.swapped(), turn, dances, returns))
    return Account(after, plies, cube, tuple(entries))


def replies_to(
    engine: Engine, after: Position, match: MatchState, plies: int, *, hold: bool = False
) -> tuple[list[RollReply], CubeReply, list[float]]:
    """The opponent's replies to a play, what he does with the cube before them, and our equities roll by roll."""
    theirs = match.swapped()
    model = engine.model(theirs)
    replies = engine.roll_replies(State(after, theirs), plies=plies - 1)
    held = [-model.normalised(reply.held, 0) for reply in replies]
    scale = 2.0 if match.is_money else 1.0
    doubled = [-model.normalised(scale * reply.doubled, 0) for reply in replies if reply.doubled is not None]
    if hold or not doubled:
        return replies, CubeReply.HOLD, held
    take = _mean(doubled)
    # A double that would be beavered is worth less than none.
    if (match.beavers and take > 0) or max(take, PASSED) >= _mean(held):
        return replies, CubeReply.HOLD, held
    return (replies, CubeReply.TAKEN, doubled) if take >= PASSED else (replies, CubeReply.PASSED, [PASSED] * len(held))


def _mean(values: Iterable[float]) -> float:
    return math.fsum(roll.weight * value for roll, value in zip(ALL_ROLLS, values, strict=True)) / ROLLS


def _finished(engine: Engine, after: Position, match: MatchState, plies: int) -> Account:
    """The account of a game that the play has won: no roll changes it."""
    evaluation = Evaluation.of(engine.evaluate_batch(after.board[None])[0].tolist()).swapped()
    model = engine.model(match)
    win, gammon, backgammon, lose_gammon, lose_backgammon = evaluation
    five = (win, gammon, backgammon, lose_gammon, lose_backgammon)
    equity = model.normalised(model.dead(five, 0, model.present), 0)
    nothing = turn_facts(after, after.swapped())
    entries = (RollEntry(roll, after.swapped(), equity, evaluation, nothing, False, None) for roll in ALL_ROLLS)
    return Account(after, plies, CubeReply.HOLD, tuple(entries))


class RollClass(StrEnum):
    """What a roll of the opponent does after one of the plays and not after the other, or after both."""

    HIT_SECOND = "hits after the second play only"
    HIT_FIRST = "hits after the first play only"
    HIT_BOTH = "hits after both plays"
    DANCE_FIRST = "dances after the first play only"
    DANCE_SECOND = "dances after the second play only"
    ESCAPE_SECOND = "escapes after the second play only"
    ESCAPE_FIRST = "escapes after the first play only"
    POINT_SECOND = "makes a point after the second play only"
    POINT_FIRST = "makes a point after the first play only"
    OTHER = "does the like after both plays"


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One roll: our equity after each play, and what it adds to the difference."""

    first: RollEntry
    second: RollEntry

    @property
    def dice(self) -> Dice:
        """The roll."""
        return self.first.dice

    @property
    def difference(self) -> float:
        """By how much the first play is better if this is rolled."""
        return self.first.equity - self.second.equity

    @property
    def contribution(self) -> float:
        """What the roll adds to the difference, its weight considered."""
        return self.dice.weight * self.difference / ROLLS

    @property
    def roll_class(self) -> RollClass:
        """What the roll does."""
        first, second = self.first.turn, self.second.turn
        if first.hits != second.hits:
            return RollClass.HIT_SECOND if second.hits > first.hits else RollClass.HIT_FIRST
        if first.hits:
            return RollClass.HIT_BOTH
        if self.first.dances != self.second.dances:
            return RollClass.DANCE_FIRST if self.first.dances else RollClass.DANCE_SECOND
        if first.left_back != second.left_back:
            return RollClass.ESCAPE_SECOND if second.left_back > first.left_back else RollClass.ESCAPE_FIRST
        if len(first.made) != len(second.made):
            return RollClass.POINT_SECOND if len(second.made) > len(first.made) else RollClass.POINT_FIRST
        return RollClass.OTHER

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return (
            {"dice": str(self.dice), "weight": self.dice.weight}
            | picked(self, "first", "second", "difference", "contribution")
            | {"class": self.roll_class.value}
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LedgerRow:
        """What `to_dict` gave."""
        return cls(RollEntry.from_dict(data["first"]), RollEntry.from_dict(data["second"]))


@dataclass(frozen=True, slots=True)
class Share:
    """What some of the rolls add to the difference, beside what as many rolls drawn at random would add.

    `by_chance` is the mean of such a draw and `spread` its standard deviation.
    """

    rolls: tuple[Dice, ...]
    contribution: float
    total: float
    by_chance: float
    spread: float

    @property
    def count(self) -> int:
        """How many of the 36 rolls they are."""
        return sum(roll.weight for roll in self.rolls)

    @property
    def share(self) -> float:
        """The part of the difference that they add."""
        return self.contribution / self.total if self.total else 0.0

    @property
    def chance_share(self) -> float:
        """The part that as many random rolls would add."""
        return self.count / ROLLS

    def beats_chance(self, deviations: float = 1.28) -> bool:
        """Whether they add more than random rolls do, by so many standard deviations of such a draw (1.28: 90 %)."""
        return self.contribution > self.by_chance + deviations * self.spread + 1e-9

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return (
            {"rolls": [str(roll) for roll in self.rolls]}
            | picked(self, "count", "contribution", "total", "share", "by_chance", "chance_share", "spread")
            | {"beats_chance": self.beats_chance()}
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Share:
        """What `to_dict` gave."""
        rolls = tuple(map(Dice.of, data["rolls"]))
        return cls(rolls, data["contribution"], data["total"], data["by_chance"], data["spread"])


@dataclass(frozen=True, slots=True)
class Ledger:
    """Two accounts of one depth, roll by roll. A positive difference says that the first play is better."""

    first: Account
    second: Account

    @property
    def plies(self) -> int:
        """The depth of both accounts."""
        return self.first.plies

    @property
    def rows(self) -> tuple[LedgerRow, ...]:
        """The 21 rolls."""
        return tuple(map(LedgerRow, self.first.rolls, self.second.rolls))

    @property
    def difference(self) -> float:
        """By how much the first play is better: the sum of the rows."""
        return math.fsum(row.contribution for row in self.rows)

    def share(self, rolls: Iterable[Dice]) -> Share:
        """What these rolls add to the difference."""
        wanted = set(rolls)
        rows = self.rows
        chosen = [row for row in rows if row.dice in wanted]
        count = sum(row.dice.weight for row in chosen)
        mean = self.difference
        variance = math.fsum(row.dice.weight * (row.difference - mean) ** 2 for row in rows) / ROLLS
        # A draw without replacement from 36 rolls, of which each adds a 36th of its difference.
        spread = math.sqrt(max(count * variance * (ROLLS - count) / (ROLLS - 1), 0.0)) / ROLLS
        contribution = math.fsum(row.contribution for row in chosen)
        return Share(tuple(row.dice for row in chosen), contribution, mean, mean * count / ROLLS, spread)

    def classes(self) -> dict[RollClass, Share]:
        """The rolls by what they do. Together the classes add up to the difference."""
        found: dict[RollClass, list[Dice]] = {}
        for row in self.rows:
            found.setdefault(row.roll_class, []).append(row.dice)
        return {kind: self.share(found[kind]) for kind in RollClass if kind in found}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "plies": self.plies,
            "difference": self.difference,
            "first_after": self.first.after.id,
            "second_after": self.second.after.id,
            "first_cube": self.first.cube.value,
            "second_cube": self.second.cube.value,
            "rows": [row.to_dict() for row in self.rows],
            "classes": [{"class": kind.value} | share.to_dict() for kind, share in self.classes().items()],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Ledger:
        """What `to_dict` gave."""
        rows = [LedgerRow.from_dict(row) for row in data["rows"]]

        def side(name: str, rolls: Iterable[RollEntry]) -> Account:
            after = Position.from_id(data[f"{name}_after"])
            return Account(after, data["plies"], CubeReply(data[f"{name}_cube"]), tuple(rolls))

        return cls(side("first", (row.first for row in rows)), side("second", (row.second for row in rows)))
