"""A recorded match: who played whom, every roll, play and cube action, and what others have said about them.

Players are numbered 0 and 1. Player 0 is the one named first: the left column of a .mat file, SGF's White, gnubg's
player 0 ("O"), XG's player 1, BGBlitz's Green. Player 1 is the other one: the right column, SGF's Black, gnubg's
player 1 ("X"), BGBlitz's Red. Where a file holds only a position with an XGID, player 1 is its bottom player, as in
`State.turn`.

A game is a list of actions. The state before each of them is not stored but follows by replay: `match.states(game)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.cube import Cube, Owner
from kibitz.dice import Dice
from kibitz.match import MatchState
from kibitz.play import Move, Play, format_moves
from kibitz.position import Position, Variant
from kibitz.state import State

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Probabilities = tuple[float, float, float, float, float]
"""P(win), P(win gammon or better), P(win backgammon), P(lose gammon or worse), P(lose backgammon)."""

Moves = tuple[Move, ...]


# --- analyses that came with the file ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnalysisLevel:
    """By whom and how deep. `plies` counts as gnubg does (XG's 4-ply is 3 here); None where plies do not say it."""

    engine: str
    name: str = ""
    plies: int | None = None
    cubeful: bool = True
    trials: int | None = None

    def __str__(self) -> str:
        return f"{self.engine} {self.name}".strip()

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; what is unknown is left out."""
        return _plain(self)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play that was considered, seen by the mover. `equity` is normalised to the cube; `mwc` is a winning chance."""

    moves: Moves
    level: AnalysisLevel
    equity: float | None = None
    mwc: float | None = None
    probabilities: Probabilities | None = None
    standard_error: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; what is unknown is left out."""
        return _plain(self)


@dataclass(frozen=True, slots=True)
class PlayAnalysis:
    """The candidates as the file lists them, best first, and which of them was played (None if it is not listed)."""

    candidates: tuple[Candidate, ...]
    played: int | None = None

    @property
    def loss(self) -> float | None:
        """The equity that the play gave away, as far as the file tells."""
        if self.played is None or not self.candidates:
            return None
        best, played = self.candidates[0].equity, self.candidates[self.played].equity
        return None if best is None or played is None else max(best - played, 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; what is unknown is left out."""
        return _plain(self)


@dataclass(frozen=True, slots=True)
class CubeAnalysis:
    """A cube decision, always seen by the player who doubles or might double, also where it is the taker's decision.

    `no_double`, `double_take` and `double_pass` are equities normalised to the cube before the double; the same names
    with `_mwc` are match winning chances. A file has the one, the other or both.
    """

    level: AnalysisLevel
    no_double: float | None = None
    double_take: float | None = None
    double_pass: float | None = None
    no_double_mwc: float | None = None
    double_take_mwc: float | None = None
    double_pass_mwc: float | None = None
    probabilities: Probabilities | None = None
    cubeless: float | None = None

    @classmethod
    def of(
        cls,
        level: AnalysisLevel,
        equities: Sequence[float | None] = (None, None, None),
        mwc: Sequence[float | None] = (None, None, None),
        *,
        probabilities: Probabilities | None = None,
        cubeless: float | None = None,
    ) -> CubeAnalysis:
        """From the numbers of no double, double and take, double and pass: equities, winning chances or both."""
        hold, take, drop = equities[:3]
        hold_mwc, take_mwc, drop_mwc = mwc[:3]
        return cls(level, hold, take, drop, hold_mwc, take_mwc, drop_mwc, probabilities, cubeless)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; what is unknown is left out."""
        return _plain(self)


# --- actions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    """What may hang on any action."""

    comment: str = ""
    marks: tuple[str, ...] = ()  # the source's own verdicts: 'bad', 'very bad', 'doubtful', 'lucky', 'cube bad', …
    cube: CubeAnalysis | None = None  # of the cube decision at or before this action


@dataclass(frozen=True, slots=True)
class Roll(_Noted):
    """A roll and its play. `moves` is empty when nothing can move, and None when the roll was never played."""

    kind: ClassVar[str] = "roll"
    player: int
    dice: Dice
    moves: Moves | None = ()
    legal: bool = True
    analysis: PlayAnalysis | None = field(default=None, kw_only=True)
    luck: float | None = field(default=None, kw_only=True)  # normalised equity

    def __str__(self) -> str:
        return f"{self.dice}: {'not played' if self.moves is None else format_moves(self.moves)}"


@dataclass(frozen=True, slots=True)
class Double(_Noted):
    """The cube is offered."""

    kind: ClassVar[str] = "double"
    player: int


@dataclass(frozen=True, slots=True)
class Take(_Noted):
    """The double is accepted."""

    kind: ClassVar[str] = "take"
    player: int


@dataclass(frozen=True, slots=True)
class Drop(_Noted):
    """The double is declined and the game lost."""

    kind: ClassVar[str] = "drop"
    player: int


@dataclass(frozen=True, slots=True)
class Beaver(_Noted):
    """The double is accepted and turned once more. Whatever follows but a raccoon or a drop accepts the beaver."""

    kind: ClassVar[str] = "beaver"
    player: int


@dataclass(frozen=True, slots=True)
class Raccoon(_Noted):
    """The beaver is turned once more by the doubler; the other side keeps the cube."""

    kind: ClassVar[str] = "raccoon"
    player: int


@dataclass(frozen=True, slots=True)
class Resign(_Noted):
    """The game is given up: 1 a single game, 2 a gammon, 3 a backgammon."""

    kind: ClassVar[str] = "resign"
    player: int
    size: int = 1


@dataclass(frozen=True, slots=True)
class Setup(_Noted):
    """The board is set: the position seen by `player`, who is on roll, and the cube, also seen by that player."""

    kind: ClassVar[str] = "setup"
    player: int
    position: Position
    owner: Owner = Owner.CENTRED
    value: int = 1


Action = Roll | Double | Take | Drop | Beaver | Raccoon | Resign | Setup
ACTIONS: tuple[type[Action], ...] = (Roll, Double, Take, Drop, Beaver, Raccoon, Resign, Setup)


def action_to_dict(action: Action) -> dict[str, Any]:
    """An action as plain data for JSON."""
    return {"action": action.kind} | _plain(action)


# --- games and matches ------------------------------------------------------------------------------------------------


class Ending(StrEnum):
    """How a game came to its end."""

    BORNE_OFF = "borne off"
    DROPPED = "dropped"
    RESIGNED = "resigned"
    SETTLED = "settled"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Result:
    """Who won a game, how many points, and how it ended."""

    winner: int
    points: int
    ending: Ending = Ending.UNKNOWN

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"winner": self.winner, "points": self.points, "ending": self.ending.value}


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the score before it, what happened, and the result (None while it is unfinished)."""

    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    actions: tuple[Action, ...] = ()
    result: Result | None = None
    comment: str = ""

    @property
    def is_finished(self) -> bool:
        """Whether the record names a winner."""
        return self.result is not None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "score": list(self.score),
            "crawford": self.crawford,
            "actions": [action_to_dict(action) for action in self.actions],
            "result": None if self.result is None else self.result.to_dict(),
            "comment": self.comment,
        }


@dataclass(frozen=True, slots=True)
class Rules:
    """What the players agreed on besides the length. Jacoby and beavers matter in money games only."""

    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    max_cube: int = 1024

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "crawford": self.crawford,
            "jacoby": self.jacoby,
            "beavers": self.beavers,
            "max_cube": self.max_cube,
        }


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """Something in a file that could not be understood or cannot be right, and where."""

    message: str
    line: int | None = None
    file: str = ""

    def __str__(self) -> str:
        place = self.file + (f":{self.line}" if self.line is not None else "")
        return f"{place}: {self.message}" if place else self.message

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"message": self.message, "line": self.line, "file": self.file}


@dataclass(frozen=True, slots=True)
class Moment:
    """One action of a match with the state it was taken in. `game` and `index` say where it stands."""

    game: int
    index: int
    state: State
    action: Action

    @property
    def play(self) -> Play | None:
        """The whole turn of a roll that was played; None for everything else."""
        if not isinstance(self.action, Roll) or self.action.moves is None:
            return None
        result = apply_moves(self.state.position, self.action.moves)
        return Play(self.state.position, self.action.dice, result, self.action.moves)


@dataclass(frozen=True, slots=True)
class Match:
    """A match or a money session (length 0), as recorded. Two are equal whatever their warnings and source formats."""

    players: tuple[str, str] = ("Player 1", "Player 2")
    length: int = 0
    games: tuple[Game, ...] = ()
    rules: Rules = field(default_factory=Rules)
    variant: Variant = Variant.BACKGAMMON
    event: str = ""
    round: str = ""
    place: str = ""
    date: str = ""  # ISO: 2024-08-05, or as the file has it where that cannot be read
    annotator: str = ""
    ratings: tuple[str, str] = ("", "")
    comments: tuple[str, ...] = ()
    info: tuple[tuple[str, str], ...] = ()  # what else the header says: (name, value)
    warnings: tuple[ReadWarning, ...] = field(default=(), compare=False)
    format: str = field(default="", compare=False)

    @property
    def is_money(self) -> bool:
        """Whether this is a money session rather than a match."""
        return self.length == 0

    @property
    def score(self) -> tuple[int, int]:
        """The score after the last finished game."""
        if not self.games:
            return 0, 0
        last = self.games[-1]
        return add_result(last.score, last.result)

    @property
    def winner(self) -> int | None:
        """The player who has won the match; None in a money session or before its end."""
        if self.is_money:
            return None
        return next((player for player in (0, 1) if self.score[player] >= self.length), None)

    def states(self, game: Game | int) -> Iterator[tuple[State, Action]]:
        """The state before each action of a game, and the action.

        The state is seen by the player who acts; while a double is pending, by the doubler, with the offer in it.
        """
        from kibitz.replay import Table

        if isinstance(game, int):
            game = self.games[game]
        table = Table(self, game)
        for action in game.actions:
            yield table.state_for(action), action
            table.apply(action)

    def moments(self) -> Iterator[Moment]:
        """Every action of every game with its state."""
        for number, game in enumerate(self.games):
            for index, (state, action) in enumerate(self.states(game)):
                yield Moment(number, index, state, action)

    def bare(self) -> Match:
        """The same match without analyses, luck, marks and comments: what was played, by whom, under which rules."""
        games = tuple(
            replace(game, comment="", actions=tuple(_bare_action(action) for action in game.actions))
            for game in self.games
        )
        return replace(self, games=games, comments=())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without loss."""
        return {
            "players": list(self.players),
            "length": self.length,
            "score": list(self.score),
            "rules": self.rules.to_dict(),
            "variant": self.variant.value,
            "event": self.event,
            "round": self.round,
            "place": self.place,
            "date": self.date,
            "annotator": self.annotator,
            "ratings": list(self.ratings),
            "comments": list(self.comments),
            "info": [list(pair) for pair in self.info],
            "source_format": self.format,
            "warnings": [warning.to_dict() for warning in self.warnings],
            "games": [game.to_dict() for game in self.games],
        }


# --- helpers ----------------------------------------------------------------------------------------------------------


def add_result(score: tuple[int, int], result: Result | None) -> tuple[int, int]:
    """The score after a game."""
    if result is None:
        return score
    return score[0] + result.points * (result.winner == 0), score[1] + result.points * (result.winner == 1)


def is_crawford_game(length: int, score: tuple[int, int], crawford_played: bool) -> bool:
    """Whether a game at this score is the Crawford game, given whether that has been played already."""
    return length > 1 and not crawford_played and (score[0] == length - 1) != (score[1] == length - 1)


def apply_moves(position: Position, moves: Moves) -> Position:
    """The position after these moves, seen by the opponent. Raises IllegalPlayError where a move cannot be made."""
    from kibitz.replay import after_steps

    return after_steps(position, [(move.source, move.target) for move in moves])


def match_state(match: Match, game: Game, player: int, cube: Cube) -> MatchState:
    """Score, rules and cube as `player` sees them."""
    return MatchState(
        length=match.length,
        my_score=game.score[player],
        their_score=game.score[1 - player],
        cube=cube,
        crawford=game.crawford,
        jacoby=match.rules.jacoby,
        beavers=match.rules.beavers,
        max_cube=match.rules.max_cube,
        variant=match.variant,
    )


def _bare_action(action: Action) -> Action:
    bare: Action = replace(action, comment="", marks=(), cube=None)
    return replace(bare, analysis=None, luck=None) if isinstance(bare, Roll) else bare


def _plain(value: DataclassInstance) -> dict[str, Any]:
    """A dataclass as a dictionary without the fields that hold their default."""
    data = {}
    for item in fields(value):
        content = getattr(value, item.name)
        if content != item.default or item.name == "moves":
            data[item.name] = _plain_value(content)
    if isinstance(value, Roll | Candidate):
        data["play"] = None if value.moves is None else format_moves(value.moves)
    return data


def _plain_value(value: Any) -> Any:
    if isinstance(value, Move):
        return [value.source, value.target, 1] if value.hit else [value.source, value.target]
    if isinstance(value, Dice):
        return [value.high, value.low]
    if isinstance(value, Position):
        return value.id
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [_plain_value(item) for item in value]
    return _plain(value) if is_dataclass(value) and not isinstance(value, type) else value
