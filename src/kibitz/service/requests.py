"""What callers may ask: the bodies of requests, checked before anything is done."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from kibitz.cube import HIGHEST_CUBE, Owner
from kibitz.dice import Dice
from kibitz.engine.levels import LEVELS
from kibitz.engine.matrix import MAX_MATRIX
from kibitz.engine.settings import MAX_PLIES, SearchOptions
from kibitz.errors import NotationError
from kibitz.notation import parse
from kibitz.position import Variant
from kibitz.rollout.dice import GENERATORS
from kibitz.rollout.settings import PRESETS
from kibitz.state import GameStatus, Offer, State

LONGEST_TEXT = 20_000
"""Characters of a text with a notation in it: a clipboard, not a book."""
Count = Annotated[int, Field(ge=0, le=15)]
Row = Annotated[list[Count], Field(min_length=25, max_length=25)]
Notation = Annotated[str, Field(max_length=LONGEST_TEXT)]
PlayText = Annotated[str, Field(max_length=200)]
Points = Annotated[int, Field(ge=0, le=32767)]
CubeValue = Annotated[int, Field(ge=1, le=HIGHEST_CUBE)]
FilterText = Annotated[str, Field(max_length=100)]
Replies = Annotated[int, Field(ge=1, le=100)]
Noise = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
RepeatableSeed = Annotated[int, Field(ge=0, lt=2**63)]
"""Errors that nobody can repeat would give a chunk that is done again other digits."""


class Body(BaseModel):
    """Unknown members are refused: a misspelt one would change the answer in silence."""

    model_config = ConfigDict(extra="forbid")


class PositionBody(BaseModel):
    """Two rows of counts; what else a position's `to_dict()` holds follows from them."""

    mine: Row
    theirs: Row


class CubeBody(BaseModel):
    """The cube, seen by the player on roll."""

    value: CubeValue = 1
    owner: Owner = Owner.CENTRED


class MatchBody(BaseModel):
    """Score, cube and rules, seen by the player on roll."""

    length: Points = 0
    my_score: Points = 0
    their_score: Points = 0
    crawford: bool = False
    jacoby: bool = True
    beavers: bool = False
    cube: CubeBody = Field(default_factory=CubeBody)
    max_cube: CubeValue = 1024
    variant: Variant = Variant.BACKGAMMON


class StateBody(BaseModel):
    """A state as `to_dict()` gives it; only the position has to be there."""

    position: PositionBody
    match: MatchBody = Field(default_factory=MatchBody)
    dice: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None
    offer: Offer = Offer.NONE
    turn: Literal[0, 1] = 1
    names: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=2, max_length=2)] | None = None
    status: GameStatus = GameStatus.PLAYING
    old_match_id: bool = False

    def state(self) -> State:
        """The state."""
        return State.from_dict(self.model_dump())


class Asked(Body):
    """A position in any notation, or a state as `to_dict()` gives it; dice beside it replace its dice and offers."""

    position: Notation | StateBody = Field(
        examples=["XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10", "4HPwATDgc/ABMA"]
    )
    dice: Annotated[str, Field(max_length=20)] | Annotated[list[int], Field(min_length=2, max_length=2)] | None = Field(
        None, examples=["31"]
    )

    def state(self) -> State:
        """What is asked about."""
        state = self.position.state() if isinstance(self.position, StateBody) else parse(self.position)
        if self.dice is None:
            return state
        dice = (self.dice[0], self.dice[1]) if isinstance(self.dice, list) else self.dice
        return replace(state, dice=Dice.of(dice), offer=Offer.NONE)

    def turn(self) -> State:
        """What is asked about, which must have dice."""
        state = self.state()
        if state.dice is None:
            raise NotationError("expected dice such as 31 beside the position, which says none itself")
        return state


class Searched(Asked):
    """A question that the engine looks ahead for."""

    plies: Annotated[int, Field(ge=0, le=MAX_PLIES)] | None = None
    cubeful: bool | None = None
    filter: FilterText | None = None
    replies: Replies | None = None
    last_replies: Replies | None = None
    pruning: bool | None = None
    noise: Noise | None = None
    noise_seed: Annotated[int, Field(ge=-1, lt=2**63)] | None = None

    def search(self) -> SearchOptions:
        """The settings of the search that were given."""
        return cast(SearchOptions, self.model_dump(include=set(SearchOptions.__annotations__)))


class Hint(Searched):
    """What to do now. With `time`, as deep as so many seconds allow; `play` names plays to look at however bad."""

    time: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = None
    play: PlayText | Annotated[list[PlayText], Field(max_length=50)] = Field(default_factory=list)
    top: Annotated[int, Field(ge=1, le=10_000)] | None = None
    listed: Annotated[int, Field(ge=0, le=10_000)] = Field(0, description="So many of the best get the deepest look.")
    level: Annotated[str, Field(max_length=40, json_schema_extra={"enum": list(LEVELS)})] | None = Field(
        None, description="How much thought it gets, instead of plies and time."
    )


class Cubed(Searched):
    """A cube decision. With `time`, as deep as so many seconds allow; `lines` asks for the chances of each line."""

    lines: bool = False
    time: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = None


class Matrix(Searched):
    """One decision at all scores up to `away`."""

    away: Annotated[int, Field(ge=1, le=MAX_MATRIX)] = 5


class Explained(Searched):
    """A decision to explain. `options`: a play against the best one, two plays, or the cube action that was chosen."""

    options: Annotated[list[PlayText], Field(max_length=2)] = Field(default_factory=list)


class Compared(Asked):
    """Two plays to compare; without the second, the best other one takes its place."""

    play: PlayText
    other: PlayText | None = None


class Text(Body):
    """Any notation, or a text that holds one."""

    text: Notation


class Board(Asked):
    """A picture of a board, with a play as arrows."""

    play: PlayText | None = None
    flip: bool = False
    left: bool = False


class Boards(Body):
    """Many boards at once: two rows of 25 counts each, the player on roll first."""

    boards: list[Annotated[list[Row], Field(min_length=2, max_length=2)]]


class RolloutBody(Asked):
    """A rollout: `settings` are those of `kibitz rollout`, by name."""

    preset: str = Field("standard", examples=["quick"], json_schema_extra={"enum": list(PRESETS)})
    trials: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    top: Annotated[int, Field(ge=1, le=50)] = 5
    play: PlayText | Annotated[list[PlayText], Field(max_length=50)] = Field(default_factory=list)
    cube: bool = True
    settings: RolloutSettingsBody = Field(default_factory=lambda: RolloutSettingsBody())
    stop: StopBody | None = None
    priority: Annotated[int, Field(ge=-10, le=10)] = 0


Plies = Annotated[int, Field(ge=0, le=MAX_PLIES)]
TwoPlies = Plies | Annotated[list[Plies], Field(min_length=2, max_length=2)]
Turns = Annotated[int, Field(ge=1, le=10_000)]


class RolloutSettingsBody(Body):
    """How games are played; what is not given is the preset's."""

    seed: Annotated[int, Field(ge=0, lt=1 << 63)] | None = None
    cubeful: bool | None = None
    variance_reduction: bool | None = None
    stratified: bool | None = None
    generator: Annotated[str, Field(max_length=20, json_schema_extra={"enum": list(GENERATORS)})] | None = None
    plies: TwoPlies | None = None
    opponent: TwoPlies | None = None
    late_after: Turns | None = None
    late: TwoPlies | None = None
    late_opponent: TwoPlies | None = None
    cubeful_plays: bool | None = None
    opponent_cubeful_plays: bool | None = None
    opponent_filter: FilterText | None = None
    opponent_pruning: bool | None = None
    opponent_noise: Noise | None = None
    opponent_noise_seed: RepeatableSeed | None = None
    truncate: Turns | None = None
    truncation_plies: Plies | None = None
    stop_at_tables: bool | None = None
    luck_plies: Plies | None = None
    luck_replies: Annotated[int, Field(ge=1, le=100)] | None = None
    shortlist: Annotated[int, Field(ge=1, le=100)] | None = None
    shortlist_gap: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] | None = None
    filter: FilterText | None = None
    replies: Replies | None = None
    last_replies: Replies | None = None
    pruning: bool | None = None
    noise: Noise | None = None
    noise_seed: RepeatableSeed | None = None

    def changes(self) -> dict[str, Any]:
        """What was given, as `RolloutSettings.changed` takes it."""
        given = self.model_dump(exclude_none=True)
        return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}


class StopBody(Body):
    """When to stop before all trials are played."""

    error: Annotated[float, Field(gt=0, le=10, allow_inf_nan=False)] | None = None
    separation: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] | None = None
    least: Annotated[int, Field(ge=0, le=10_000_000)] = 144


class ReviewBody(Body):
    """A review: `level` is fast, default, deep, ultimate, or such as 2-ply; `rollout` are trials for each blunder."""

    level: Annotated[str, Field(max_length=20)] = "default"
    rollout: Annotated[int, Field(ge=0, le=100_000)] = 0
    priority: Annotated[int, Field(ge=-10, le=10)] = 0


class NoteText(Body):
    """What a note says."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class NoteBody(NoteText):
    """A note on an action of a game (`game` from 1, `index` from 0); without them, on the match."""

    game: Annotated[int, Field(ge=1, lt=1 << 31)] | None = None
    index: Annotated[int, Field(ge=0, lt=1 << 31)] | None = None

    @model_validator(mode="after")
    def both_or_neither(self) -> NoteBody:
        """A game alone is no place."""
        if (self.game is None) != (self.index is None):
            raise ValueError("expected both game and index, or neither")
        return self


class TableBody(Body):
    """A table to build, such as one-sided-8x15."""

    name: Annotated[str, Field(max_length=40)] = Field(examples=["two-sided-6x5"])
    priority: Annotated[int, Field(ge=-10, le=10)] = 0


RolloutBody.model_rebuild()
