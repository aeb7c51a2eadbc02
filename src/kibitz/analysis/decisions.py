"""What a review says of a decision and of a roll."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kibitz.analysis.marks import LuckMark, Mark, Thresholds
from kibitz.decision import (
    CubeAction,
    CubeDecision,
    Decision,
    PlayDecision,
    RankedAction,
    RankedPlay,
    ResignationDecision,
)
from kibitz.dice import Dice
from kibitz.move import Play
from kibitz.plain_json import PlainData
from kibitz.record import Beaver, Double, Drop, Moment, Raccoon, Roll
from kibitz.state import Offer, State

Row = RankedPlay | RankedAction
"""Something that could be done, with what it is worth to the one who decides."""


class Kind(StrEnum):
    """What was to be decided."""

    CHECKER = "checker play"
    CUBE = "double"  # to double or not
    ANSWER = "answer"  # to take, pass or beaver
    COUNTER = "counter"  # after a beaver: to play on, raccoon or pass
    RESIGNATION = "resignation"
    ACCEPTANCE = "acceptance"  # of a resignation


class Flaw(StrEnum):
    """What was wrong about a cube action; gnubg's kinds and one for beavers."""

    NONE = ""
    MISSED_BELOW_CASH = "missed double below cash point"
    MISSED_ABOVE_CASH = "missed double above cash point"
    WRONG_BELOW_DOUBLE = "wrong double below doubling point"
    WRONG_ABOVE_TOO_GOOD = "wrong double above too-good point"
    WRONG_TAKE = "wrong take"
    WRONG_PASS = "wrong pass"
    WRONG_BEAVER = "wrong beaver"


@dataclass(frozen=True, slots=True)
class Opinion(PlainData):
    """What the program that wrote the file thought of the same decision."""

    source: str
    best: str
    lost: float | None


@dataclass(frozen=True, slots=True)
class _AtMoment:
    """What belongs to a moment of a match."""

    moment: Moment

    @property
    def game(self) -> int:
        """The game's number, from 1."""
        return self.moment.game

    @property
    def index(self) -> int:
        """The place of the action in its game, from 0."""
        return self.moment.index

    @property
    def number(self) -> int:
        """The number of the move within the game."""
        return self.moment.number


@dataclass(frozen=True, slots=True)
class ReviewedDecision(_AtMoment):
    """A decision of a match: what the engine says, what was chosen, and what that cost.

    `lost` is normalised equity (EMG), `lost_mwc` match winning chance (None in a money game); both are 0 for the best
    choice and never negative. `decision` is the engine's answer; of a ranking it holds the best plays and the one that
    was made. `counts` says whether gnubg's error rate counts the decision, `counts_pr` whether eXtreme Gammon's PR
    does. `limits` say what an error and a blunder is. `reason` says in words why an error is one, and `themes` name
    it; both are empty for what is no error.
    """

    kind: Kind
    decision: Decision
    chosen: Play | CubeAction
    lost: float
    lost_mwc: float | None
    counts: bool
    counts_pr: bool
    flaw: Flaw = Flaw.NONE
    is_forced: bool = False
    limits: Thresholds = field(default_factory=Thresholds)
    reason: str = ""
    themes: tuple[str, ...] = ()

    # --- where and who ----------------------------------------------------------------------------------------------

    @property
    def player(self) -> int:
        """The player who decides, 0 or 1."""
        actor = self.moment.action.player
        return 1 - actor if self.kind is Kind.ACCEPTANCE else actor

    @property
    def name(self) -> str:
        """The name of the player who decides."""
        return self._name_of(self.player)

    @property
    def opponent(self) -> str:
        """The name of the other player, whose offer is answered if there is one."""
        return self._name_of(1 - self.player)

    def _name_of(self, player: int) -> str:
        mine, theirs = self.moment.state.names or ("player 0", "player 1")
        return mine if player == self.moment.state.turn else theirs

    @property
    def state(self) -> State:
        """What was decided about, seen by the player on roll, which for an answer is the doubler."""
        return self.decision.state

    # --- what could be done -----------------------------------------------------------------------------------------

    @property
    def options(self) -> tuple[Row, ...]:
        """What could be done, the best first; equities are those of the player who decides."""
        if isinstance(self.decision, PlayDecision):
            return self.decision.plays
        if isinstance(self.decision, ResignationDecision):
            return self.decision.resigning() if self.kind is Kind.RESIGNATION else self.decision.answering()
        if self.kind is Kind.CUBE:
            return self.decision.doubling()
        if self.kind is Kind.COUNTER:
            return self.decision.countering()
        return self.decision.answering(beavers=True if self.chosen is CubeAction.BEAVER else None)

    @property
    def best(self) -> Row:
        """The best option."""
        return self.options[0]

    @property
    def chosen_option(self) -> Row | None:
        """The option that was chosen; None if it is not among the options, as an illegal play is not."""
        return next((row for row in self.options if self.is_chosen(row)), None)

    def is_chosen(self, row: Row) -> bool:
        """Whether an option is the one that was chosen."""
        return (row.play if isinstance(row, RankedPlay) else row.action) == self.chosen

    @property
    def chosen_name(self) -> str:
        """What was chosen, as it is written."""
        return self.chosen.value if isinstance(self.chosen, CubeAction) else str(self.chosen)

    @property
    def play(self) -> Play | None:
        """The checker play that was made; None for everything else."""
        return self.chosen if isinstance(self.chosen, Play) else None

    @property
    def cube(self) -> CubeDecision | None:
        """The cube decision; None for plays and resignations."""
        return self.decision if isinstance(self.decision, CubeDecision) else None

    @property
    def verdict(self) -> str:
        """Of a double or its answer the proper action of both sides in words; else the best option."""
        if self.cube is None or self.kind is Kind.COUNTER:
            return self.best.name
        return self.cube.action

    # --- how good it was --------------------------------------------------------------------------------------------

    @property
    def mark(self) -> Mark:
        """The mark for what was lost."""
        return self.limits.mark(self.lost)

    @property
    def is_error(self) -> bool:
        """Whether more was lost than the limit of an error; a blunder is an error too."""
        return self.lost > self.limits.error

    @property
    def is_blunder(self) -> bool:
        """Whether more was lost than the limit of a blunder."""
        return self.lost > self.limits.blunder

    @property
    def is_legal(self) -> bool:
        """Whether the play that was made is legal; one that is not was not analysed."""
        return self.kind is not Kind.CHECKER or self.chosen_option is not None

    @property
    def stake(self) -> float:
        """What was lost in units that add up over games: match winning chance, or points in a money game."""
        return self.lost * self.state.match.cube.value if self.lost_mwc is None else self.lost_mwc

    @property
    def plies(self) -> int | None:
        """How deep the best option was looked at; None for a rollout."""
        return next((row.level.plies for row in self.options if row.level is not None), None)

    # --- what the file says -----------------------------------------------------------------------------------------

    @property
    def comment(self) -> str:
        """The file's comment; that of a roll stands with its play and not with the cube decision before it."""
        action = self.moment.action
        return "" if self.kind is Kind.CUBE and not isinstance(action, Double) else action.comment

    @property
    def opinion(self) -> Opinion | None:
        """What the program that wrote the file thought of it."""
        action = self.moment.action
        if self.kind is Kind.CHECKER:
            analysis = action.analysis if isinstance(action, Roll) else None
            if analysis is None or not analysis.plays:
                return None
            return Opinion(str(analysis.plays[0].level), analysis.plays[0].name, analysis.loss)
        source = action.cube
        if source is None or self.kind not in (Kind.CUBE, Kind.ANSWER):
            return None
        rows = source.doubling() if self.kind is Kind.CUBE else source.answering()
        chosen = next((row for row in rows if self.is_chosen(row)), None)
        return Opinion(str(source.level), rows[0].name, None if chosen is None else rows[0].equity - chosen.equity)

    # --- faces ------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        where = f"game {self.game}, move {self.number}: {self.name} {question_words(self)}: {self.chosen_name}"
        if not self.is_legal:
            return f"{where} (not legal)"
        if self.lost == 0.0:
            return f"{where} (right)"
        symbol = f" {self.mark.symbol}" if self.mark.symbol else ""
        return f"{where}{symbol} ({-self.lost:+.4f}; better: {self.verdict})"

    def _repr_html_(self) -> str:
        from kibitz.report.faces import reviewed_html

        return reviewed_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "game": self.game,
            "index": self.index,
            "move": self.number,
            "player": self.player,
            "name": self.name,
            "kind": self.kind.value,
            "chosen": self.chosen_name,
            "best": self.best.name,
            "verdict": self.verdict,
            "lost": self.lost,
            "lost_mwc": self.lost_mwc,
            "mark": self.mark.value,
            "error": self.is_error,
            "blunder": self.is_blunder,
            "counts": self.counts,
            "counts_pr": self.counts_pr,
            "forced": self.is_forced,
            "legal": self.is_legal,
            "flaw": self.flaw.value,
            "reason": self.reason,
            "themes": list(self.themes),
            "plies": self.plies,
            "opinion": None if self.opinion is None else self.opinion.to_dict(),
            "comment": self.comment,
            "decision": self.decision.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], moment: Moment, limits: Thresholds) -> ReviewedDecision:
        """What `to_dict` gave, with the moment that it was made of."""
        kind = Kind(data["kind"])
        model: type[PlayDecision | CubeDecision | ResignationDecision] = CubeDecision
        if kind is Kind.CHECKER:
            model = PlayDecision
        elif kind in (Kind.RESIGNATION, Kind.ACCEPTANCE):
            model = ResignationDecision
        play = moment.play if kind is Kind.CHECKER else None
        return cls(
            moment,
            kind,
            model.from_dict(data["decision"]),
            chosen_action(moment, kind) if play is None else play,
            data["lost"],
            data["lost_mwc"],
            data["counts"],
            data["counts_pr"],
            Flaw(data["flaw"]),
            data["forced"],
            limits,
            data.get("reason", ""),
            tuple(data.get("themes", ())),
        )


def chosen_action(moment: Moment, kind: Kind) -> CubeAction:
    """What was done about the cube or a resignation."""
    action = moment.action
    if kind is Kind.CUBE:
        return CubeAction.DOUBLE if isinstance(action, Double) else CubeAction.NO_DOUBLE
    if kind is Kind.ANSWER:
        return {Drop: CubeAction.PASS, Beaver: CubeAction.BEAVER}.get(type(action), CubeAction.TAKE)
    if kind is Kind.COUNTER:
        return {Drop: CubeAction.PASS, Raccoon: CubeAction.RACCOON}.get(type(action), CubeAction.ACCEPT_BEAVER)
    return CubeAction.RESIGN if kind is Kind.RESIGNATION else CubeAction.ACCEPT


@dataclass(frozen=True, slots=True)
class RollLuck(_AtMoment):
    """The luck of a roll: what its best play is worth, less the mean of all rolls. Seen by the roller."""

    luck: float
    luck_mwc: float | None
    mark: LuckMark

    @property
    def player(self) -> int:
        """The player who rolled, 0 or 1."""
        return self.moment.action.player

    @property
    def dice(self) -> Dice:
        """The roll."""
        assert self.moment.state.dice is not None
        return self.moment.state.dice

    @property
    def cube(self) -> int:
        """What the cube shows."""
        return self.moment.state.match.cube.value

    @property
    def stake(self) -> float:
        """The luck in units that add up over games: match winning chance, or points in a money game."""
        return self.luck * self.cube if self.luck_mwc is None else self.luck_mwc

    def __str__(self) -> str:
        name = (self.moment.state.names or (f"player {self.player}", ""))[0]
        mark = "" if self.mark is LuckMark.NONE else f" ({self.mark.value})"
        return f"game {self.game}, move {self.number}: {name} rolls {self.dice}, luck {self.luck:+.4f}{mark}"

    def _repr_html_(self) -> str:
        from kibitz.report.faces import luck_html

        return luck_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "game": self.game,
            "index": self.index,
            "move": self.number,
            "player": self.player,
            "dice": str(self.dice),
            "luck": self.luck,
            "luck_mwc": self.luck_mwc,
            "cube": self.cube,
            "mark": self.mark.value,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], moment: Moment) -> RollLuck:
        """What `to_dict` gave, with the moment that it was made of."""
        return cls(moment, data["luck"], data["luck_mwc"], LuckMark(data["mark"]))


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """How a game stood after an action, seen by player 0: normalised equity, and match winning chance in a match."""

    game: int
    index: int
    number: int
    equity: float
    mwc: float | None

    @classmethod
    def after(cls, moment: Moment, row: Row) -> CurvePoint:
        """How the game stands after a play that was made."""
        equity, mwc = row.equity, row.mwc
        if moment.action.player == 1:
            equity, mwc = -equity, None if mwc is None else 1.0 - mwc
        return cls(moment.game, moment.index, moment.number, equity, mwc)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "game": self.game,
            "index": self.index,
            "move": self.number,
            "equity": self.equity,
            "mwc": self.mwc,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CurvePoint:
        """What `to_dict` gave."""
        return cls(data["game"], data["index"], data["move"], data["equity"], data["mwc"])


def question_words(decision: ReviewedDecision) -> str:
    """What was to be decided, in words that go on after the name of the one who decides."""
    match, offer = decision.state.match, decision.state.offer
    if decision.kind is Kind.CHECKER:
        return f"to play {decision.state.dice}"
    if decision.kind is Kind.CUBE:
        return "on the cube"
    if decision.kind is Kind.ANSWER:
        return f"is doubled to {2 * match.cube.value} by {decision.opponent}"
    if decision.kind is Kind.COUNTER:
        return f"is beavered by {decision.opponent}"
    if decision.kind is Kind.RESIGNATION:
        return f"resigns {_SIZES[offer]}"
    return f"is offered {_SIZES[offer]} by {decision.opponent}"


_SIZES = {
    Offer.RESIGN_SINGLE: "a single game",
    Offer.RESIGN_GAMMON: "a gammon",
    Offer.RESIGN_BACKGAMMON: "a backgammon",
}
