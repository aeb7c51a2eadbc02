"""Ranked plays: what to play with a roll, and by how much the others are behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, overload

from kibitz.decision.evaluation import Evaluation
from kibitz.decision.level import AnalysisLevel
from kibitz.decision.question import Question
from kibitz.errors import IllegalPlayError
from kibitz.move import NO_PLAY, Play
from kibitz.notation.plays import parse_play
from kibitz.position import Position
from kibitz.state import State


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play with what it is worth to the player who makes it.

    `equity` is what the plays are ranked by: points per unit of the present cube, cubeful or cubeless as `level` says;
    in a match the normalised equity at the score, and `mwc` the chance to win the match. `difference` is how far it is
    behind the best play, 0 or negative. `standard_error` is that of a rollout.
    """

    play: Play
    equity: float
    evaluation: Evaluation
    level: AnalysisLevel
    difference: float = 0.0
    rank: int = 1
    mwc: float | None = None
    standard_error: float | None = None

    @property
    def plies(self) -> int | None:
        """How deep it was looked at; None for a rollout."""
        return self.level.plies

    @property
    def cubeful(self) -> bool:
        """Whether the equity is cubeful."""
        return self.level.cubeful

    @property
    def name(self) -> str:
        """The play as it is written."""
        return str(self.play)

    def __str__(self) -> str:
        behind = f" ({self.difference:+.4f})" if self.rank > 1 else ""
        return f"{self.rank}. {self.play} {self.equity:+.4f}{behind}"

    def _repr_html_(self) -> str:
        from kibitz.report.decisions import play_html

        return play_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {"rank": self.rank} | self.play.to_dict()
        return data | {
            "equity": self.equity,
            "difference": self.difference,
            "kind": self.level.kind,
            "mwc": self.mwc,
            "plies": self.plies,
            "standard_error": self.standard_error,
            "evaluation": self.evaluation.to_dict(),
            "level": self.level.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], state: State) -> RankedPlay:
        """What `to_dict` gave, in the state that it was found in."""
        assert state.dice is not None
        return cls(
            Play(state.position, state.dice, Position.from_id(data["result"])),
            data["equity"],
            Evaluation.from_dict(data["evaluation"]),
            AnalysisLevel.from_dict(data["level"]),
            data["difference"],
            data["rank"],
            data["mwc"],
            data["standard_error"],
        )


@dataclass(frozen=True, slots=True)
class PlayDecision(Sequence[RankedPlay]):
    """The plays of a roll, best first: those that got the deepest look, then the others. Empty if none is legal.

    `confidence` is the chance that the first one is the best; None where nobody has told it.
    """

    state: State
    plays: tuple[RankedPlay, ...]
    confidence: float | None = None
    question: ClassVar[Question] = Question.PLAY

    @overload
    def __getitem__(self, index: int) -> RankedPlay: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RankedPlay, ...]: ...
    def __getitem__(self, index: int | slice) -> RankedPlay | tuple[RankedPlay, ...]:
        return self.plays[index]

    def __len__(self) -> int:
        return len(self.plays)

    def __iter__(self) -> Iterator[RankedPlay]:
        return iter(self.plays)

    @property
    def best(self) -> str:
        """What to do, in words."""
        return str(self.plays[0].play) if self.plays else NO_PLAY

    @property
    def equity(self) -> float:
        """The equity of the best play."""
        if not self.plays:
            raise IllegalPlayError(
                f"no checker can move with {self.state.dice}: there is no play to tell the equity of"
            )
        return self.plays[0].equity

    def find(self, play: Play | Position | str) -> RankedPlay | None:
        """The ranking of a play, given as such, as a notation, or by the position it leads to; None if not legal."""
        if isinstance(play, str):
            play = parse_play(play, self.state.position, self.state.dice)
        result = play if isinstance(play, Position) else play.result
        return next((one for one in self.plays if one.play.result == result), None)

    def __str__(self) -> str:
        if not self.plays:
            return "No checker can move."
        sure = "" if self.confidence is None else f" (confidence {100 * self.confidence:.0f} %)"
        return "\n".join([f"{self.plays[0]}{sure}", *map(str, self.plays[1:5])])

    def _repr_html_(self) -> str:
        from kibitz.report.decisions import plays_html

        return plays_html(self)

    def to_dict(self, *, top: int | None = None) -> dict[str, Any]:
        """Plain data for JSON; `top` limits the plays."""
        return {
            "question": self.question.value,
            "best": self.best,
            "confidence": self.confidence,
            "state": self.state.to_dict(),
            "plays": [one.to_dict() for one in self.plays[:top]],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PlayDecision:
        """What `to_dict` gave."""
        state = State.from_dict(data["state"])
        plays = tuple(RankedPlay.from_dict(one, state) for one in data["plays"])
        return cls(state, plays, data.get("confidence"))
