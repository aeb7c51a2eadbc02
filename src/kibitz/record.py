"""A recorded match: who played whom, every roll, play and cube action, and what others have said about them.

Players are numbered 0 and 1. Player 0 is the one named first: the left column of a .mat file, SGF's White, gnubg's
player 0 ("O"), XG's player 1, BGBlitz's Green. Player 1 is the other one: the right column, SGF's Black, gnubg's
player 1 ("X"), BGBlitz's Red. Where a file holds only a position with an XGID, player 1 is its bottom player, as in
`State.turn`. Games are numbered from 1, as people count them: game `n` is `match.games[n - 1]`.

A game is a list of actions. The state before each of them is not stored but follows by replay: `match.moments()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, ClassVar

from kibitz.cube import Owner
from kibitz.decision import CubeDecision, RankedPlay
from kibitz.dice import Dice
from kibitz.errors import NotationError
from kibitz.move import Move, Play, format_moves
from kibitz.plain_json import PlainData, picked
from kibitz.position import Position, Variant
from kibitz.state import State

Moves = tuple[Move, ...]


# --- analyses that came with the file ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayAnalysis(PlainData):
    """The plays as the file ranks them, best first, and which of them was made (None if it is not listed)."""

    plays: tuple[RankedPlay, ...]
    played: int | None = None

    @classmethod
    def of(cls, rows: Iterable[RankedPlay], played: int | None = None) -> PlayAnalysis:
        """From rows in their order; ranks and differences follow from it."""
        listed = tuple(rows)
        return cls(
            tuple(
                replace(row, rank=number, difference=row.equity - listed[0].equity)
                for number, row in enumerate(listed, start=1)
            ),
            played,
        )

    @property
    def loss(self) -> float | None:
        """The equity that the play gave away; None if the play is not listed."""
        if self.played is None or not self.plays:
            return None
        return max(self.plays[0].equity - self.plays[self.played].equity, 0.0)


# --- actions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    """What may hang on any action."""

    comment: str = ""
    marks: tuple[str, ...] = ()  # the source's own verdicts: 'bad', 'very bad', 'doubtful', 'lucky', 'cube bad', …
    cube: CubeDecision | None = None  # what the source says of the cube decision at or before this action


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
class Result(PlainData):
    """Who won a game, how many points, and how it ended."""

    winner: int
    points: int
    ending: Ending = Ending.UNKNOWN

    def __str__(self) -> str:
        points = f"{self.points} point{'s' if self.points != 1 else ''}"
        return f"player {self.winner} wins {points} ({self.ending.value})"


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the score before it, what happened, and the result (None while it is unfinished)."""

    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    actions: tuple[Action, ...] = ()
    result: Result | None = None
    comment: str = ""

    def __str__(self) -> str:
        crawford = ", Crawford game" if self.crawford else ""
        result = "unfinished" if self.result is None else str(self.result)
        return f"{self.score[0]}-{self.score[1]}{crawford}, {len(self.actions)} actions, {result}"

    def _repr_html_(self) -> str:
        from kibitz.report.faces import game_html

        return game_html(self)

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
class Rules(PlainData):
    """What the players agreed on besides the length. Jacoby and beavers matter in money games only."""

    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    max_cube: int = 1024


@dataclass(frozen=True, slots=True)
class ReadWarning(PlainData):
    """Something in a file that could not be understood or cannot be right, and where."""

    message: str
    line: int | None = None
    file: str = ""

    def __str__(self) -> str:
        place = self.file + (f":{self.line}" if self.line is not None else "")
        return f"{place}: {self.message}" if place else self.message


@dataclass(frozen=True, slots=True)
class Moment:
    """One action of a match with the state it was taken in.

    `game` is the game's number, from 1; `index` the action's place in `Game.actions`, from 0; `number` that of the
    move, which counts rolls. `on_roll` is the player whose turn it was before the action.
    """

    game: int
    index: int
    number: int
    state: State
    action: Action
    previous: Action | None = None
    on_roll: int | None = None
    is_opening: bool = False

    @property
    def play(self) -> Play | None:
        """The whole turn of a roll that was played; None for everything else."""
        if not isinstance(self.action, Roll) or self.action.moves is None:
            return None
        result = apply_moves(self.state.position, self.action.moves)
        return Play(self.state.position, self.action.dice, result, self.action.moves)

    @property
    def words(self) -> str:
        """What was done, as a move list writes it: '31: 8/5 6/5', 'Doubles to 2', 'Takes'."""
        action, value = self.action, self.state.match.cube.value
        if isinstance(action, Double | Beaver | Raccoon):
            times, verb = {"double": (2, "Doubles"), "beaver": (4, "Beavers"), "raccoon": (8, "Raccoons")}[action.kind]
            return f"{verb} to {times * value}"
        if isinstance(action, Resign):
            return f"Resigns {('a single game', 'a gammon', 'a backgammon')[action.size - 1]}"
        if isinstance(action, Roll):
            return str(action)
        return {"take": "Takes", "drop": "Passes"}.get(action.kind, "The board is set")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON. `after` is the board after a play, seen by the opponent."""
        play = self.play
        return {
            "game": self.game,
            "index": self.index,
            "move": self.number,
            "player": self.action.player,
            "action": self.action.kind,
            "words": self.words,
            "legal": not isinstance(self.action, Roll) or self.action.legal,
            "state": self.state.to_dict(),
            "play": None if play is None else play.to_dict(),
            "after": None if play is None else play.result.to_dict(),
        }


@dataclass(frozen=True, slots=True, repr=False)
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

    def moments(self, game: int | None = None) -> Iterator[Moment]:
        """Every action with its state, of all games or of one, which is counted from 1.

        The state is seen by the player who acts; while a double is pending, by the doubler, with the offer in it.
        """
        from kibitz.replay import moments

        return moments(self, range(1, len(self.games) + 1) if game is None else [self.find_game(game)])

    def find_player(self, player: int | str) -> int:
        """The number of a player, given as such or by the name or a part of it."""
        names = self.players
        if player in (0, 1, "0", "1"):
            return int(player)
        if isinstance(player, str) and player:
            wanted = player.casefold()
            exact = [number for number in (0, 1) if names[number].casefold() == wanted]
            found = exact or [number for number in (0, 1) if wanted in names[number].casefold()]
            if len(found) == 1:
                return found[0]
        raise NotationError(f"expected one of the players {names[0]!r} and {names[1]!r}, or 0 or 1, not {player!r}")

    def find_game(self, game: int) -> int:
        """The number of a game, counted from 1, if there is such a game."""
        if not 1 <= game <= len(self.games):
            raise NotationError(f"expected a game from 1 to {len(self.games)}, not {game!r}")
        return game

    def bare(self) -> Match:
        """The same match without analyses, luck, marks and comments: what was played, by whom, under which rules."""
        games = tuple(
            replace(game, comment="", actions=tuple(_bare_action(action) for action in game.actions))
            for game in self.games
        )
        return replace(self, games=games, comments=())

    def __str__(self) -> str:
        kind = "money session" if self.is_money else f"{self.length}-point match"
        games = f"{len(self.games)} game{'s' if len(self.games) != 1 else ''}"
        return f"{self.players[0]} {self.score[0]} - {self.score[1]} {self.players[1]}, {kind}, {games}"

    def __repr__(self) -> str:
        return f"<Match: {self}>"

    def _repr_html_(self) -> str:
        from kibitz.report.faces import match_html

        return match_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without loss: states follow by replay."""
        return (
            picked(self, "players", "length", "score", "rules", "variant", "event", "round", "place", "date")
            | picked(self, "annotator", "ratings", "comments", "info")
            | {"source_format": self.format}
            | picked(self, "warnings", "games")
        )


# --- helpers ----------------------------------------------------------------------------------------------------------


def add_result(score: tuple[int, int], result: Result | None) -> tuple[int, int]:
    """The score after a game."""
    if result is None:
        return score
    return score[0] + result.points * (result.winner == 0), score[1] + result.points * (result.winner == 1)


def apply_moves(position: Position, moves: Moves) -> Position:
    """The position after these moves, seen by the opponent. Raises IllegalPlayError where a move cannot be made."""
    from kibitz.replay import after_steps

    return after_steps(position, [(move.source, move.target) for move in moves])


def _bare_action(action: Action) -> Action:
    bare: Action = replace(action, comment="", marks=(), cube=None)
    return replace(bare, analysis=None, luck=None) if isinstance(bare, Roll) else bare


def _plain(action: Action) -> dict[str, Any]:
    """An action as a dictionary without the fields that hold their default."""
    data = {}
    for item in fields(action):
        content = getattr(action, item.name)
        if content != item.default or item.name == "moves":
            data[item.name] = _plain_value(content)
    if isinstance(action, Roll):
        data["play"] = None if action.moves is None else format_moves(action.moves)
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
    if isinstance(value, PlayAnalysis):
        return value.to_dict()
    if isinstance(value, CubeDecision):
        return {name: content for name, content in value.to_dict().items() if name != "state"}
    return [_plain_value(item) for item in value] if isinstance(value, tuple) else value
