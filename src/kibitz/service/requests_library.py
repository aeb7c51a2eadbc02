"""What callers may ask of play, library and study: bodies and queries, checked before anything is done."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from kibitz.cube import Owner
from kibitz.errors import KibitzError
from kibitz.formats import FORMATS
from kibitz.library.filters import DIRECTIONS, KINDS, DecisionFilter
from kibitz.library.notes import Target
from kibitz.library.plans import Phase, Plan
from kibitz.library.queries import ORDERS
from kibitz.library.statistics import GROUPS
from kibitz.notation import parse
from kibitz.play.players import OPPONENTS
from kibitz.position import Variant
from kibitz.service.problems import Problem
from kibitz.service.requests import Body, PlayText
from kibitz.service.schemas_library import CHOICES

_NO_NUL = r"^[^\x00]*$"
Word = Annotated[str, Field(max_length=200, pattern=_NO_NUL)]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")]
Notation = Annotated[str, Field(max_length=400)]
"""Short enough for an address, however it is written there."""
Small = Annotated[int, Field(ge=0, lt=1 << 31)]
Id = Annotated[int, Field(ge=1, lt=1 << 62)]
Pips = Annotated[str, Field(pattern=r"^\d{1,3}(-\d{1,3})?$", examples=["100-150"])]
Truth = Literal["yes", "no"]
Loss = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]


def _among(words: Iterable[str]) -> tuple[AfterValidator, Any]:
    """What says that text is one of some words: to whoever asks, and to the document."""
    known = [str(word) for word in words]

    def check(value: str) -> str:
        if value not in known:
            raise ValueError(f"expected {', '.join(known)}")
        return value

    return AfterValidator(check), Field(json_schema_extra={"enum": list(known)})


KindWord = Annotated[str, *_among(KINDS)]
PhaseWord = Annotated[str, *_among(phase.value for phase in Phase)]
PlanWord = Annotated[str, *_among(plan.value for plan in Plan)]
OwnerWord = Annotated[str, *_among(owner.value for owner in Owner)]
DirectionWord = Annotated[str, *_among(DIRECTIONS)]
OrderWord = Annotated[str, *_among(ORDERS)]
GroupWord = Annotated[str, *_among(GROUPS)]
OpponentWord = Annotated[str, *_among(OPPONENTS)]
Chosen = Annotated[str, *_among(CHOICES)]
FormatWord = Annotated[str, *_among(form.name for form in FORMATS.values() if form.writer)]


# --- which decisions --------------------------------------------------------------------------------------------------


class MatchFilter(Body):
    """Which matches."""

    player: Word | None = None
    opponent: Word | None = None
    event: Word | None = None
    length: Small | None = None
    since: date | None = None
    until: date | None = None

    def wanted(self) -> DecisionFilter:
        """As the library takes it: every condition that says something."""
        names = set(DecisionFilter.__slots__) | {"mirrored"}
        given = {name: value for name, value in self.model_dump(exclude_none=True).items() if name in names}
        return DecisionFilter.parse(f"{name}={value}" for name, value in given.items())


class MatchList(MatchFilter):
    """Which matches, and which page of them."""

    limit: Annotated[int, Field(ge=1, le=500)] = 100
    after: Id | None = Field(None, description="Go on after this one: the `next` of the page before.")


class ExportList(MatchFilter):
    """Which matches, and in which format."""

    format: FormatWord = "json"


class Filter(MatchFilter):
    """Which decisions: all conditions have to hold. Scores are points away, seen by the player who decides."""

    match: Id | None = None
    game: Small | None = None
    kind: KindWord | None = None
    phase: PhaseWord | None = None
    plan: PlanWord | None = None
    dice: Annotated[str, Field(pattern="^[1-6]{2}$")] | None = None
    opening: Annotated[str, Field(pattern="^([1-6]{2})?$")] | None = None
    reply: Annotated[str, Field(pattern="^([1-6]{2})?$")] | None = None
    early: Small | None = None
    my_away: Small | None = None
    their_away: Small | None = None
    crawford: Truth | None = None
    cube: Small | None = None
    cube_owner: OwnerWord | None = None
    pattern: Annotated[str, Field(max_length=500, examples=["6>=2 5>=2 obar>0"])] | None = None
    mirrored: Truth | None = None
    my_pips: Pips | None = None
    their_pips: Pips | None = None
    my_back: Small | None = None
    their_back: Small | None = None
    judged: Truth | None = None
    at_least: Loss | None = None
    at_most: Loss | None = None
    direction: DirectionWord | None = None
    blunder: Truth | None = None
    counts: Truth | None = None
    disagreement: Truth | None = None
    tag: Word | None = None
    noted: Truth | None = None
    collection: Word | None = None


class DecisionList(Filter):
    """Which decisions, in which order, and which page of them."""

    order: OrderWord = "played"
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    after: Id | None = Field(None, description="Go on after this one: the `next` of the page before.")


class StatisticsList(Filter):
    """Of which decisions, and by what they are told apart."""

    by: GroupWord | None = None


class ProgressList(Filter):
    """Of which decisions, and over how many matches the rolling figures go."""

    window: Annotated[int, Field(ge=1, le=10_000)] = 10


class Likeness(Filter):
    """Which position, and how many like it."""

    position: Notation
    count: Annotated[int, Field(ge=1, le=200)] = 20


Query = Annotated[str, Field(max_length=4000, examples=["player=me&at_least=0.08"])]


def filter_of(query: str) -> DecisionFilter:
    """A filter that came as a query inside of a body."""
    try:
        return DecisionFilter.from_query(query)
    except (KibitzError, ValueError) as error:
        raise Problem("invalid-request", str(error)) from None


# --- people and the user's own ----------------------------------------------------------------------------------------


class PlayerName(Body):
    """A player by name."""

    name: Name


class MergeBody(Body):
    """Names that are one player, who keeps the first."""

    name: Name
    others: Annotated[list[Name], Field(min_length=1, max_length=100)]


class RenameBody(Body):
    """Another name to be shown for a player."""

    name: Name
    new: Name


class SearchBody(Body):
    """A search to be kept under a name."""

    name: Name
    query: Query = ""


class CollectionBody(Body):
    """Decisions to be kept together."""

    name: Name
    decisions: Annotated[list[Id], Field(max_length=1000)] = Field(default_factory=list)


class Targeted(Body):
    """A match, a decision or a position, and only one of them."""

    match: Id | None = None
    decision: Id | None = None
    position: Notation | None = None

    def target(self) -> Target:
        """What it is on."""
        if sum(part is not None for part in (self.match, self.decision, self.position)) != 1:
            raise Problem("invalid-request", "expected a match, a decision or a position, and only one of them")
        return Target(self.match, self.decision, None if self.position is None else parse(self.position).position)


class NoteOn(Targeted):
    """A note on something."""

    text: Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")]


class NoteList(Targeted):
    """Notes on something, or all."""


class TagBody(Targeted):
    """A tag on something."""

    name: Name


# --- play -------------------------------------------------------------------------------------------------------------


class ClockBody(Body):
    """Time to think, in seconds: for the whole match, and before each turn counts."""

    reserve: Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]
    delay: Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = 12.0


class PlayBody(Body):
    """A match against an opponent: `length` 0 is for money, `seat` 0 or 1 is where you sit."""

    opponent: OpponentWord = "expert"
    length: Annotated[int, Field(ge=0, le=99)] = 5
    name: Name | None = None
    seat: Literal[0, 1] = 0
    cube: bool = True
    jacoby: bool = True
    beavers: bool = False
    crawford: bool = True
    automatic_doubles: Annotated[int, Field(ge=0, le=5)] = 0
    variant: Variant = Variant.BACKGAMMON
    games: Annotated[int, Field(ge=1, le=1000)] = 1
    seed: Annotated[int, Field(ge=0, lt=1 << 62)] | None = None
    clock: ClockBody | None = None


class Acted(Body):
    """What you do: `play` is that of a play, `size` that of a resignation."""

    action: Chosen = Field(examples=["roll"])
    play: PlayText | None = None


class ActionBody(Acted):
    """The same, with the version that you looked at and the seconds that you thought, for the clock."""

    size: Annotated[int, Field(ge=1, le=3)] = 1
    version: Id | None = None
    seconds: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] = 0.0


class TutorBody(Acted):
    """An action to be analysed before it is done."""

    threshold: Loss = 0.02


# --- study ------------------------------------------------------------------------------------------------------------


class DeckSettingsBody(Body):
    """How cards are scheduled and graded; what is not given is as by default."""

    retention: Annotated[float, Field(ge=0.5, lt=1, allow_inf_nan=False)] = 0.9
    maximum_interval: Annotated[int, Field(ge=1, le=36_500)] = 36_500
    new_per_day: Annotated[int, Field(ge=0, le=10_000)] = 20
    good: Loss = 0.02
    hard: Loss = 0.05
    quick: Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = 8.0


class DeckBody(Body):
    """A deck of the decisions that a query finds, the costliest first."""

    name: Name
    query: Query
    settings: DeckSettingsBody = Field(default_factory=DeckSettingsBody)
    most: Annotated[int, Field(ge=1, le=10_000)] | None = None


class AnswerBody(Body):
    """An answer to a card: a play or a cube action. `rating` overrides the grade; practice changes nothing."""

    answer: PlayText
    seconds: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    rating: Annotated[int, Field(ge=1, le=4)] | None = None
    practice: bool = False


class SuspendedBody(Body):
    """Whether a card is asked no more."""

    suspended: bool
