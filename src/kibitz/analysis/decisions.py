"""What a review says of a decision and of a roll."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kibitz.analysis.marks import LuckMark, Mark
from kibitz.dice import Dice
from kibitz.errors import KibitzError, NotationError
from kibitz.play import Play
from kibitz.record import AnalysisLevel, CubeAnalysis, Probabilities
from kibitz.state import Offer, State


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
class Option:
    """One thing that could be done, seen by the one who decides. `plies` is None where no search was needed."""

    name: str
    equity: float
    mwc: float | None = None
    probabilities: Probabilities | None = None
    plies: int | None = 0
    standard_error: float | None = None  # of a rollout

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {"name": self.name, "equity": self.equity, "mwc": self.mwc, "plies": self.plies}
        data["probabilities"] = None if self.probabilities is None else list(self.probabilities)
        if self.standard_error is not None:
            data["standard_error"] = self.standard_error
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Option:
        """What `to_dict` gave."""
        given = data["probabilities"]
        probabilities: Any = None if given is None else tuple(given)
        return cls(data["name"], data["equity"], data["mwc"], probabilities, data["plies"], data.get("standard_error"))


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the program that wrote the file thought of the same decision."""

    source: str
    best: str
    lost: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"source": self.source, "best": self.best, "lost": self.lost}


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with the options, the best first, and what the choice cost.

    `lost` is normalised equity (EMG), `lost_mwc` match winning chance (None in a money game); both are 0 for the best
    choice and never negative. `state` is seen by the player on roll, which for an answer is the doubler; all equities
    are those of `player`, who decides. `counts` says whether gnubg's error rate counts the decision, `counts_pr`
    whether eXtreme Gammon's PR does.
    """

    game: int
    index: int
    number: int  # of the move within the game
    player: int
    kind: Kind
    state: State
    chosen: str
    options: tuple[Option, ...]
    lost: float
    lost_mwc: float | None
    mark: Mark
    is_blunder: bool
    counts: bool
    counts_pr: bool
    flaw: Flaw = Flaw.NONE
    opinions: tuple[Opinion, ...] = ()
    is_forced: bool = False
    is_legal: bool = True
    comment: str = ""
    cube: CubeAnalysis | None = None  # of a cube action: the numbers of no double, double and take, double and pass
    verdict: str = ""  # of a cube action: the proper one of both sides in words

    @property
    def best(self) -> Option:
        """The best option."""
        return self.options[0]

    @property
    def chosen_option(self) -> Option | None:
        """The option that was chosen; None if it is not among the options, as an illegal play is not."""
        return next((option for option in self.options if option.name == self.chosen), None)

    @property
    def plies(self) -> int | None:
        """How deep the best option was looked at; None where it needed no search."""
        return next((option.plies for option in self.options if option.plies is not None), None)

    @property
    def is_rolled_out(self) -> bool:
        """Whether the numbers come from a rollout."""
        return any(option.standard_error is not None for option in self.options)

    @property
    def is_error(self) -> bool:
        """Whether anything was lost that deserves a mark."""
        return self.mark is not Mark.NONE

    @property
    def stake(self) -> float:
        """What was lost in units that add up over games: match winning chance, or points in a money game."""
        return self.lost * self.state.match.cube.value if self.lost_mwc is None else self.lost_mwc

    @property
    def play(self) -> Play | None:
        """The checker play that was made, for drawing it."""
        return self.play_of(self.chosen)

    def play_of(self, name: str) -> Play | None:
        """The play of this name; None for everything that is no legal play."""
        if self.kind is not Kind.CHECKER or self.state.dice is None:
            return None
        from kibitz.notation.plays import parse_play

        try:
            return parse_play(name, self.state.position, self.state.dice)
        except KibitzError:
            return None

    def to_dict(self, *, ids: bool = True) -> dict[str, Any]:
        """Plain data for JSON. Without `ids` it says nothing of the state."""
        known = (
            {
                "position_id": self.state.position_id,
                "match_id": _id(self.state, "match_id"),
                "xgid": _id(self.state, "xgid"),
                "dice": None if self.state.dice is None else str(self.state.dice),
            }
            if ids
            else {}
        )
        return {
            "game": self.game + 1,
            "index": self.index,
            "move": self.number,
            "player": self.player,
            "kind": self.kind.value,
            **known,
            "chosen": self.chosen,
            "best": self.best.name,
            "lost": self.lost,
            "lost_mwc": self.lost_mwc,
            "mark": self.mark.value,
            "blunder": self.is_blunder,
            "counts": self.counts,
            "counts_pr": self.counts_pr,
            "forced": self.is_forced,
            "legal": self.is_legal,
            "flaw": self.flaw.value,
            "plies": self.plies,
            "options": [option.to_dict() for option in self.options],
            "opinions": [opinion.to_dict() for opinion in self.opinions],
            "comment": self.comment,
            "cube": None if self.cube is None else self.cube.to_dict(),
            "verdict": self.verdict,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], state: State) -> Decision:
        """What `to_dict` gave, with the state that belongs to it."""
        return cls(
            game=data["game"] - 1,
            index=data["index"],
            number=data["move"],
            player=data["player"],
            kind=Kind(data["kind"]),
            state=state,
            chosen=data["chosen"],
            options=tuple(Option.from_dict(one) for one in data["options"]),
            lost=data["lost"],
            lost_mwc=data["lost_mwc"],
            mark=Mark(data["mark"]),
            is_blunder=data["blunder"],
            counts=data["counts"],
            counts_pr=data["counts_pr"],
            flaw=Flaw(data["flaw"]),
            opinions=tuple(Opinion(one["source"], one["best"], one["lost"]) for one in data["opinions"]),
            is_forced=data["forced"],
            is_legal=data["legal"],
            comment=data["comment"],
            cube=None if data["cube"] is None else _cube_analysis(data["cube"]),
            verdict=data["verdict"],
        )


@dataclass(frozen=True, slots=True)
class RollLuck:
    """The luck of a roll: what its best play is worth, less the mean of all rolls. Seen by the roller."""

    game: int
    index: int
    number: int
    player: int
    dice: Dice
    luck: float
    luck_mwc: float | None
    cube: int
    mark: LuckMark

    @property
    def stake(self) -> float:
        """The luck in units that add up over games: match winning chance, or points in a money game."""
        return self.luck * self.cube if self.luck_mwc is None else self.luck_mwc

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "game": self.game + 1,
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
    def from_dict(cls, data: Mapping[str, Any]) -> RollLuck:
        """What `to_dict` gave."""
        return cls(
            data["game"] - 1,
            data["index"],
            data["move"],
            data["player"],
            Dice.of(data["dice"]),
            data["luck"],
            data["luck_mwc"],
            data["cube"],
            LuckMark(data["mark"]),
        )


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """How a game stood after an action, seen by player 0: normalised equity, and match winning chance in a match."""

    game: int
    index: int
    number: int
    equity: float
    mwc: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "game": self.game + 1,
            "index": self.index,
            "move": self.number,
            "equity": self.equity,
            "mwc": self.mwc,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CurvePoint:
        """What `to_dict` gave."""
        return cls(data["game"] - 1, data["index"], data["move"], data["equity"], data["mwc"])


def question_words(decision: Decision) -> str:
    """What was to be decided, in words."""
    if decision.kind is Kind.CHECKER:
        return f"to play {decision.state.dice}"
    if decision.kind is Kind.CUBE:
        return "on the cube"
    if decision.kind is Kind.ANSWER:
        return f"doubled to {2 * decision.state.match.cube.value}"
    if decision.kind is Kind.COUNTER:
        return "beavered"
    if decision.kind is Kind.RESIGNATION:
        return "resigns"
    return f"is offered {_offer_words(decision.state.offer)}"


def _cube_analysis(data: Mapping[str, Any]) -> CubeAnalysis:
    plain = dict(data)
    level = AnalysisLevel(**plain.pop("level"))
    given = plain.pop("probabilities", None)
    return CubeAnalysis(level, probabilities=None if given is None else tuple(given), **plain)


def _offer_words(offer: Offer) -> str:
    sizes = {Offer.RESIGN_GAMMON: "a gammon", Offer.RESIGN_BACKGAMMON: "a backgammon"}
    return sizes.get(offer, "a single game")


def _id(state: State, name: str) -> str | None:
    try:
        text: str = getattr(state, name)
    except NotationError:
        return None
    return text
