"""The schemas of play, library and study, beside those of analysis in `schemas`."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.analysis.decisions import Kind
from kibitz.analysis.marks import Mark
from kibitz.play.live_match import Choice
from kibitz.play.players import OPPONENTS
from kibitz.play.sitting import NEXT
from kibitz.position import Variant
from kibitz.record import Ending
from kibitz.service.schema_parts import (
    FLAG,
    NUMBER,
    TEXT,
    TIME,
    WHOLE,
    Schema,
    each,
    maybe,
    named,
    one_of,
    record,
    several,
)
from kibitz.study.questions import STUDIED

DAY: Schema = {"type": "string", "format": "date"}
CHOICES = (*(choice.value for choice in Choice), NEXT)
QUERY: Schema = {"type": "string", "description": "A filter as the query of `/v1/decisions`."}

MATCH: dict[str, Schema] = {
    "id": WHOLE,
    "kind": TEXT,
    "players": several(TEXT, 2),
    "player_ids": several(WHOLE, 2),
    "length": WHOLE,
    "variant": one_of(Variant),
    "score": several(WHOLE, 2),
    "winner": maybe(WHOLE),
    "games": WHOLE,
    **each(TEXT, "event", "round", "place", "date"),
    "played_on": maybe(DAY),
}
_LIVE: dict[str, Schema] = {
    "id": WHOLE,
    "version": WHOLE,
    "players": several(TEXT, 2),
    "seat": WHOLE,
    "opponent": one_of(OPPONENTS),
    "length": WHOLE,
    "variant": one_of(Variant),
    "score": several(WHOLE, 2),
    "game": WHOLE,
    "games": WHOLE,
    "over": FLAG,
    "match": maybe(WHOLE),
    "created_at": TIME,
    "changed_at": TIME,
}
_SUMS: dict[str, Schema] = {
    **dict.fromkeys(("matches", "decisions", "counted", "pr_counted", "errors", "blunders", "rolls"), WHOLE),
    **dict.fromkeys(
        ("lost", "lost_squares", "pr_lost", "pr_squares", "stake", "luck", "luck_squares", "luck_stake"), NUMBER
    ),
    **dict.fromkeys(("pr", "pr_error", "error_rate", "luck_rate", "luck_error", "elo"), maybe(NUMBER)),
    "pr_name": maybe(TEXT),
}
_DECISION: dict[str, Schema] = {
    **dict.fromkeys(("id", "match_id", "game", "ply", "move", "seat"), WHOLE),
    "kind": one_of(Kind),
    **dict.fromkeys(("player", "opponent", "position_id", "chosen", "phase", "plan", "event", "date"), TEXT),
    **dict.fromkeys(("best", "mark", "flaw"), maybe(TEXT)),
    **dict.fromkeys(("lost", "lost_mwc", "luck"), maybe(NUMBER)),
    **dict.fromkeys(("is_blunder", "counts_pr"), maybe(FLAG)),
    "state": named("State"),
}


def _play() -> dict[str, Schema]:
    return {
        "ListedPlay": record("A match in progress; `match` is its number in the library once it is over.", **_LIVE),
        "PlayList": record(playing=several(named("ListedPlay"))),
        "Happening": record(
            "What a player did in a state; a roll shows its dice.",
            player=WHOLE,
            choice=one_of(CHOICES),
            state=named("State"),
            dice=maybe(several(WHOLE, 2)),
            play=maybe(named("Play")),
            points=maybe(WHOLE),
            size=maybe(WHOLE),
        ),
        "Playing": record(
            "A match in progress as it stands for the person: what may be done, the legal plays, and what happened.",
            **_LIVE,
            state=named("State"),
            choices=several(one_of(CHOICES)),
            plays=several(named("Play")),
            undo=FLAG,
            crawford=FLAG,
            opening=several(several(WHOLE, 2)),
            result=maybe(record(winner=WHOLE, points=WHOLE, ending=one_of(Ending))),
            happened=several(named("Happening")),
            clock=maybe(record("Seconds.", reserve=NUMBER, delay=NUMBER, left=NUMBER)),
        ),
        "Tutored": record(
            "What an action would cost, told only where that is more than the threshold.",
            warning=maybe(record(lost=NUMBER, mark=one_of(Mark), blunder=FLAG, best=TEXT, chosen=TEXT)),
        ),
    }


def _library() -> dict[str, Schema]:
    return {
        "ListedMatch": record(
            "A match with the PR of both players, where it has been analysed.", **MATCH, pr=several(maybe(NUMBER), 2)
        ),
        "Players": record(
            players=several(record(id=WHOLE, name=TEXT, is_me=FLAG, aliases=several(TEXT), matches=WHOLE))
        ),
        "Events": record(
            events=several(record(name=TEXT, matches=WHOLE, first=maybe(DAY), last=maybe(DAY), query=QUERY))
        ),
        "Sums": record("What decisions add up to, and the rates that follow.", **_SUMS),
        "StatisticsRow": record(
            "Sums with a name. `queries` open the decisions behind the counts of the same names.",
            key=TEXT,
            **_SUMS,
            queries=record(decisions=QUERY, pr_counted=QUERY, errors=QUERY, blunders=QUERY),
        ),
        "Statistics": record(total=named("StatisticsRow"), by=maybe(TEXT), rows=several(named("StatisticsRow"))),
        "Progress": record(
            "From match to match: its own sums, those of the last so many, and those of all so far.",
            window=WHOLE,
            points=several(
                record(
                    match=WHOLE,
                    played_on=maybe(DAY),
                    **each(named("Sums"), "own", "recent", "lifetime"),
                    query=QUERY,
                )
            ),
        ),
        "Histogram": record(
            "How many decisions lost how much; the last bar has no end.",
            bars=several(record(at_least=NUMBER, below=maybe(NUMBER), count=WHOLE, query=QUERY)),
        ),
        "LibraryDecision": record("A decision of the library with its current analysis.", **_DECISION),
        "Decisions": record(
            "Some of `count` decisions; `next` goes on from them as `after`.",
            decisions=several(named("LibraryDecision")),
            count=WHOLE,
            next=maybe(WHOLE),
        ),
        "Likes": record(likes=several(record(distance=NUMBER, decision=named("LibraryDecision")))),
        "DecisionDetail": record(
            decision=named("LibraryDecision"),
            analyses=several(
                record(
                    **each(TEXT, "analyst", "level", "origin"),
                    is_current=FLAG,
                    best=TEXT,
                    lost=NUMBER,
                    lost_mwc=maybe(NUMBER),
                    luck=maybe(NUMBER),
                    analyst_id=WHOLE,
                    reason=TEXT,
                    decision=maybe(named("Decision")),
                )
            ),
            notes=several(named("Note")),
            tags=several(TEXT),
        ),
    }


def _own() -> dict[str, Schema]:
    return {
        "Tags": record(tags=several(record(name=TEXT, count=WHOLE, query=QUERY))),
        "Collections": record(collections=several(record(name=TEXT, count=WHOLE, query=QUERY))),
        "Collected": record(added=WHOLE),
        "Searches": record(searches=several(record(name=TEXT, query=QUERY))),
    }


def _study() -> dict[str, Schema]:
    return {
        "DeckSettings": record(
            retention=NUMBER, maximum_interval=WHOLE, new_per_day=WHOLE, good=NUMBER, hard=NUMBER, quick=NUMBER
        ),
        "Deck": record(
            id=WHOLE, name=TEXT, cards=WHOLE, new=WHOLE, due=WHOLE, query=QUERY, settings=named("DeckSettings")
        ),
        "Decks": record(decks=several(named("Deck"))),
        "Card": record(
            "A question, without its answer.",
            id=WHOLE,
            deck=WHOLE,
            kind=one_of(STUDIED),
            question=TEXT,
            state=named("State"),
            about=TEXT,
            due=TIME,
            new=FLAG,
            suspended=FLAG,
        ),
        "Cards": record(cards=several(named("Card"))),
        "NextCard": record("What to ask now: null when nothing is due.", card=maybe(named("Card"))),
        "Answered": record(
            "What an answer lost, its grade, the right answer, and when the card comes again after each grade.",
            answer=TEXT,
            lost=NUMBER,
            rating=WHOLE,
            grade=one_of(_GRADES),
            due=maybe(TIME),
            reason=TEXT,
            solution=TEXT,
            decision=named("Decision"),
            outlook=record(**dict.fromkeys(_GRADES, TIME)),
        ),
        "Updated": record("How many cards have come.", added=WHOLE, deck=named("Deck")),
    }


_GRADES = ("again", "hard", "good", "easy")
LIBRARY_ROOMS: tuple[Callable[[], dict[str, Schema]], ...] = (_play, _library, _own, _study)
"""What `schemas` takes over."""
