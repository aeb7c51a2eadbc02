"""The schemas of all answers, each the shape of a `to_dict()`. A test holds every one of them against real answers.

They are named in the OpenAPI document and nowhere else: answers are written by the decision model itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kibitz.analysis.decisions import Flaw
from kibitz.analysis.decisions import Kind as DecisionKind
from kibitz.analysis.marks import LuckMark, Mark
from kibitz.cube import Owner
from kibitz.decision import Question
from kibitz.library.jobs import JobState
from kibitz.position import Variant
from kibitz.record import ACTIONS, Ending
from kibitz.service.problems import KINDS
from kibitz.service.schema_parts import (
    ANYTHING,
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
from kibitz.service.schemas_library import LIBRARY_ROOMS, MATCH
from kibitz.state import GameStatus, Offer


def listing(name: str, **more: Schema) -> Schema:
    """An object that holds a list."""
    return record(**{name: several(named(_ITEMS[name]))}, **more)


_ITEMS = {"jobs": "ListedJob", "matches": "ListedMatch", "notes": "Note", "opinions": "FileOpinion", "tables": "Table"}
_CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
_COUNTS = several({"type": "integer", "minimum": 0, "maximum": 15}, 25)
_POINTS = record(**{name: maybe(NUMBER) for name in ("take_point", "double_point", "cash_point", "too_good_point")})
_PLAY = {
    "play": TEXT,
    "moves": several(several(WHOLE, 2)),
    "hits": WHOLE,
    "result": TEXT,
}


_OPEN: Schema = {"additionalProperties": True}
_JOB = {
    "id": WHOLE,
    "kind": one_of(("rollout", "review", "table")),
    "state": one_of(JobState),
    "priority": WHOLE,
    "request": ANYTHING,
    "cost": NUMBER,
    "progress": NUMBER,
    "created_at": TIME,
    "started_at": maybe(TIME),
    "finished_at": maybe(TIME),
    "error": TEXT,
}


def _positions() -> dict[str, Schema]:
    return {
        "Position": record(
            "Two rows of 25 counts, each from its owner's side: points 1 to 24, then the bar.",
            id=TEXT,
            mine=_COUNTS,
            theirs=_COUNTS,
            pips=several(WHOLE, 2),
        ),
        "Cube": record(value=WHOLE, owner=one_of(Owner)),
        "MatchState": record(
            "Score, cube and rules, seen by the player on roll. Length 0 is a money game.",
            **each(WHOLE, "length", "my_score", "their_score"),
            **each(FLAG, "crawford", "jacoby", "beavers"),
            cube=named("Cube"),
            max_cube=WHOLE,
            variant=one_of(Variant),
        ),
        "State": record(
            "A moment of a game. An ID that cannot say all of it is null.",
            position=named("Position"),
            match=named("MatchState"),
            dice=maybe(several(WHOLE, 2)),
            offer=one_of(Offer),
            turn=WHOLE,
            names=maybe(several(TEXT, 2)),
            status=one_of(GameStatus),
            position_id=TEXT,
            match_id=maybe(TEXT),
            xgid=maybe(TEXT),
            old_match_id=FLAG,
        ),
        "Play": record("A legal play; `result` is the Position ID of what it leads to.", **_PLAY),
        "Plays": record(state=named("State"), plays=several(named("Play"))),
        "Rolls": record(
            "What each roll is worth to the player on roll, as the cube model counts values.",
            state=named("State"),
            plies=WHOLE,
            rolls=several(record(dice=several(WHOLE, 2), weight=WHOLE, value=NUMBER), 21),
        ),
    }


def _decisions() -> dict[str, Schema]:
    return {
        "Evaluation": record(
            "Chances of the player on roll before the dice; gammons include backgammons. The equity is for money.",
            **each(NUMBER, *_CHANCES),
            cubeless_equity=NUMBER,
        ),
        "AnalysisLevel": record(engine=TEXT, name=TEXT, plies=maybe(WHOLE), cubeful=FLAG, trials=maybe(WHOLE)),
        "RankedPlay": record(
            rank=WHOLE,
            **_PLAY,
            equity=NUMBER,
            difference=NUMBER,
            kind=one_of(("cubeful", "cubeless")),
            mwc=maybe(NUMBER),
            plies=maybe(WHOLE),
            standard_error=maybe(NUMBER),
            evaluation=named("Evaluation"),
            level=named("AnalysisLevel"),
        ),
        "PlayDecision": record(
            "The plays of a roll, best first. `confidence` (of every decision): the chance that `best` is the best.",
            question=one_of((Question.PLAY.value,)),
            best=TEXT,
            confidence=maybe(NUMBER),
            state=named("State"),
            plays=several(named("RankedPlay")),
        ),
        "CubeDecision": record(
            "A cube decision, seen by the player who doubles or might. Equities are per unit of the present cube.",
            question=one_of((Question.DOUBLE.value, Question.TAKE.value)),
            best=TEXT,
            confidence=maybe(NUMBER),
            state=named("State"),
            action=TEXT,
            **each(FLAG, "double", "take", "beaver", "available"),
            owner=one_of(Owner),
            no_double=NUMBER,
            double_take=maybe(NUMBER),
            double_pass=maybe(NUMBER),
            equity=NUMBER,
            cubeless=NUMBER,
            errors={"type": "object", "additionalProperties": NUMBER},
            mwc=maybe(record(no_double=NUMBER, double_take=NUMBER, double_pass=NUMBER, cubeless=maybe(NUMBER))),
            plies=maybe(WHOLE),
            standard_error=maybe(NUMBER),
            evaluation=named("Evaluation"),
            taken_evaluation=maybe(named("Evaluation")),
            level=named("AnalysisLevel"),
            **each(_POINTS, "points", "live_points", "dead_points"),
            double_confidence=maybe(NUMBER),
            take_confidence=maybe(NUMBER),
        ),
    }


def _answers() -> dict[str, Schema]:
    return {
        "ResignationDecision": record(
            "An offer to lose. Numbers are those of the player who has to answer.",
            question=one_of((Question.RESIGNATION.value,)),
            best=TEXT,
            confidence=maybe(NUMBER),
            state=named("State"),
            size=WHOLE,
            accept=FLAG,
            action=TEXT,
            accepted=NUMBER,
            played_on=NUMBER,
            accepted_mwc=maybe(NUMBER),
            played_on_mwc=maybe(NUMBER),
            level=named("AnalysisLevel"),
        ),
        "Decision": {
            "description": "The answer to whatever the state asks for; `question` says which it is.",
            "anyOf": [named("PlayDecision"), named("CubeDecision"), named("ResignationDecision")],
        },
        "Matrix": record(
            away=WHOLE,
            cells=several(
                record(
                    my_away=WHOLE,
                    their_away=WHOLE,
                    crawford=FLAG,
                    post_crawford=FLAG,
                    code=TEXT,
                    decision=named("Decision"),
                )
            ),
        ),
    }


def _reasons() -> dict[str, Schema]:
    return {
        "Replies": record(
            state=named("State"),
            plies=WHOLE,
            replies=several(
                record(
                    dice=several(WHOLE, 2),
                    result=TEXT,
                    evaluation=named("Evaluation"),
                    held=NUMBER,
                    doubled=maybe(NUMBER),
                ),
                21,
            ),
        ),
        "Explanation": {
            "description": "Why one play is better than another, or why a cube action is right; figures may be added.",
            "anyOf": [
                record(
                    state=named("State"),
                    first=ANYTHING,
                    second=ANYTHING,
                    gap=NUMBER,
                    too_close=FLAG,
                    words=TEXT,
                    reason=TEXT,
                    themes=several(TEXT),
                    **each({}, "reasons", "ledger", "outcomes"),
                    facts=several(ANYTHING, 2),
                    counterfactuals={},
                    played_on={},
                )
                | _OPEN,
                record(
                    decision=named("CubeDecision"),
                    best=TEXT,
                    chosen=maybe(TEXT),
                    error=NUMBER,
                    words=TEXT,
                    reason=TEXT,
                    swing=ANYTHING,
                    gammon_prices=record(doubler=NUMBER, taker=NUMBER),
                    references=several(ANYTHING),
                )
                | _OPEN,
            ],
        },
        "Comparison": record(
            "Two plays side by side by the two hand-made engines, and what the second gives up.",
            state=named("State"),
            plays=several(TEXT, 2),
            settings=ANYTHING,
            **{"ten-factor": several(ANYTHING, 2)},
            tabula=several(ANYTHING, 2),
            gives_up=several(TEXT),
            gains=several(TEXT),
            words=TEXT,
        ),
        "Evaluations": record(evaluations=several(several(NUMBER, 5))),
    }


def _rollouts() -> dict[str, Schema]:
    known = maybe(NUMBER)
    return {
        "RolloutResult": record(
            rank=WHOLE,
            name=TEXT,
            play=maybe(TEXT),
            result=maybe(TEXT),
            trials=WHOLE,
            kind=one_of(("cubeful", "cubeless")),
            equity=NUMBER,
            standard_error=known,
            difference=NUMBER,
            **each(known, "joint_error", "mwc", "mwc_error"),
            cubeless_equity=NUMBER,
            cubeless_error=known,
            evaluation=named("Evaluation"),
            errors=record(**dict.fromkeys(_CHANCES, known)),
            counts=record(
                games=WHOLE, by_table=WHOLE, truncated=WHOLE, player=named("SideCounts"), opponent=named("SideCounts")
            ),
        ),
        "SideCounts": record(
            "Games of a rollout that a side won and doubles of it that were answered, by turns of the cube.",
            wins=record(single=several(WHOLE), gammon=several(WHOLE), backgammon=several(WHOLE)),
            doubles_taken=several(WHOLE),
            doubles_passed=several(WHOLE),
        ),
        "Rollout": record(
            title=TEXT,
            trials=WHOLE,
            games=several(several(WHOLE, 2)),
            stopped=maybe(TEXT),
            seconds=NUMBER,
            results=several(named("RolloutResult")),
            decision=maybe(named("CubeDecision")),
            match=named("MatchState"),
            settings=ANYTHING,
            nets=several(TEXT),
        ),
        "RolloutFile": {
            "type": "object",
            "description": "The rollout as `kibitz rollout --save` writes it: it can be extended and merged.",
            "properties": {"format": TEXT, "version": WHOLE, "state": named("State"), "tally": ANYTHING},
            "required": ["format", "version", "state", "identity", "games", "seconds", "tally"],
        },
    }


def _matches() -> dict[str, Schema]:
    return {
        "Match": record("A match of the library, without its games.", **MATCH),
        "Uploaded": record(
            "What became of an upload: new, merged with another record of the same match, extended it, or known.",
            outcome=one_of(("new", "merged", "extended", "known")),
            match=named("Match"),
            warnings=several(TEXT),
        ),
    }


def _moments() -> dict[str, Schema]:
    return {
        "Moment": record(
            "An action with the state it was taken in. `after` is the board after a play, seen by the opponent.",
            **each(WHOLE, "game", "index", "move", "player"),
            action=one_of(action.kind for action in ACTIONS),
            words=TEXT,
            legal=FLAG,
            state=named("State"),
            play=maybe(named("Play")),
            after=maybe(named("Position")),
        ),
        "Moments": record(
            "All that happened in a match.",
            match=named("Match"),
            me=maybe(WHOLE),
            reviewed=FLAG,
            formats=several(TEXT),
            games=several(
                record(
                    score=several(WHOLE, 2),
                    crawford=FLAG,
                    result=maybe(record(winner=WHOLE, points=WHOLE, ending=one_of(Ending))),
                    comment=TEXT,
                )
            ),
            moments=several(named("Moment")),
        ),
        "FileOpinion": record(
            "What another program says of a decision in the file that it wrote.",
            game=WHOLE,
            index=WHOLE,
            kind=one_of(DecisionKind),
            **each(TEXT, "analyst", "level", "origin"),
            is_current=FLAG,
            best=TEXT,
            lost=NUMBER,
            lost_mwc=maybe(NUMBER),
            luck=maybe(NUMBER),
            decision=maybe(named("Decision")),
            analyst_id=WHOLE,
            reason=TEXT,
        ),
        "Opinions": listing("opinions"),
        "Note": record(
            "A text on a match or on an action of it (`game` from 1, `index` from 0).",
            id=WHOLE,
            text=TEXT,
            origin=one_of(("user", "file")),
            match_id=maybe(WHOLE),
            decision_id=maybe(WHOLE),
            position_id=maybe(TEXT),
            about=TEXT,
            created_at=TIME,
            game=maybe(WHOLE),
            index=maybe(WHOLE),
        ),
        "Notes": listing("notes"),
    }


def _reviews() -> dict[str, Schema]:
    return {
        "ReviewedDecision": record(
            **each(WHOLE, "game", "index", "move", "player"),
            name=TEXT,
            kind=one_of(DecisionKind),
            **each(TEXT, "chosen", "best", "verdict"),
            lost=NUMBER,
            lost_mwc=maybe(NUMBER),
            mark=one_of(Mark),
            **each(FLAG, "error", "blunder", "counts", "counts_pr", "forced", "legal"),
            flaw=one_of(Flaw),
            reason=TEXT,
            themes=several(TEXT),
            plies=maybe(WHOLE),
            opinion=maybe(record(source=TEXT, best=TEXT, lost=maybe(NUMBER))),
            comment=TEXT,
            decision=named("Decision"),
        ),
        "Review": record(
            "A review as far as it is done.",
            players=several(TEXT, 2),
            length=WHOLE,
            score=several(WHOLE, 2),
            **each(TEXT, "event", "date", "engine"),
            settings=ANYTHING,
            unit=one_of(("MWC", "points")),
            statistics=maybe(several(ANYTHING, 2)),
            games=several(
                record(
                    game=WHOLE,
                    score=several(WHOLE, 2),
                    crawford=FLAG,
                    result=maybe(ANYTHING),
                    result_stake=maybe(NUMBER),
                    statistics=maybe(several(ANYTHING, 2)),
                )
            ),
            decisions=several(named("ReviewedDecision")),
            rolls=several(
                record(
                    **each(WHOLE, "game", "index", "move", "player"),
                    dice=TEXT,
                    luck=NUMBER,
                    luck_mwc=maybe(NUMBER),
                    cube=WHOLE,
                    mark=one_of(LuckMark),
                )
            ),
            curve=several(ANYTHING),
            warnings=several(TEXT),
        ),
        "ReviewSoFar": record(
            "A review, whole or as far as it is done. `sections` are the statistics of the match and of each game.",
            match=WHOLE,
            job=maybe(WHOLE),
            complete=FLAG,
            review=named("Review"),
            sections=several(
                several(record(title=TEXT, rows=several(record(label=TEXT, cells=several(TEXT, 2))))),
            ),
        ),
    }


def _operations() -> dict[str, Schema]:
    return {
        "Job": record(
            "Long work. `progress` goes from 0 to 1, `cost` is what was expected, in seconds of one core.",
            **_JOB,
            chunks=record(done=WHOLE, total=WHOLE),
            result=maybe(ANYTHING),
        ),
        "ListedJob": record(**_JOB),
        "Estimate": record("Seconds of one core, and in how many chunks.", cost=NUMBER, chunks=WHOLE),
        "Jobs": listing("jobs"),
        "Matches": listing("matches", next=maybe(WHOLE)),
        "Table": record(
            name=TEXT,
            positions=WHOLE,
            state=TEXT,
            bytes=WHOLE,
            build_seconds=maybe(NUMBER),
            checksum=maybe(TEXT),
        ),
        "Tables": listing("tables"),
        "About": record(name=TEXT, version=TEXT, engine=TEXT, instruction_set=TEXT, api=TEXT),
        "Health": record(status=one_of(("ok", "stopping", "not ready"))),
        "Ready": record(status=one_of(("ok", "stopping", "not ready")), library=FLAG, engine=FLAG, jobs=FLAG),
        "Problem": {
            "type": "object",
            "description": "RFC 9457. Types stay as they are; some have members of their own.",
            "properties": {
                "type": one_of(kind.type for kind in KINDS.values()),
                "title": TEXT,
                "status": WHOLE,
                "detail": TEXT,
            },
            "required": ["type", "title", "status", "detail"],
        },
    }


_ROOMS: tuple[Callable[[], dict[str, Schema]], ...] = (
    _positions,
    _decisions,
    _answers,
    _reasons,
    _rollouts,
    _matches,
    _moments,
    _reviews,
    _operations,
    *LIBRARY_ROOMS,
)
SCHEMAS: dict[str, Schema] = {name: schema for room in _ROOMS for name, schema in room().items()}
"""All schemas by name."""


def answers(name: str, *, status: int = 200, stream: bool = False, media: str = "application/json") -> dict[Any, Any]:
    """How a route describes its answers: one of the schemas, as a stream of events too, or a problem."""
    content: dict[str, Any] = {media: {"schema": named(name) if name in SCHEMAS else {"type": "string"}}}
    if stream:
        words = "Events `partial`, then exactly one `final` or `problem`."
        content["text/event-stream"] = _events(words, name, ("partial", "final", "problem"))
    return _described(content, status)


def told_by_events(words: str, name: str, *events: str) -> dict[Any, Any]:
    """How a route describes a stream of events, each with one of the schemas; the last may be a problem."""
    return _described({"text/event-stream": _events(words, name, (*events, "problem"))}, 200)


def _events(words: str, name: str, events: Iterable[str]) -> Schema:
    """A stream: each event is an object of its fields, as readers of such streams see it."""
    data = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"anyOf": [named(name), named("Problem")]},
    }
    fields: Schema = {"event": one_of(events), "id": TEXT, "data": data}
    return {"schema": {"type": "object", "description": words, "properties": fields, "required": ["event", "data"]}}


def _described(content: dict[str, Any], status: int) -> dict[Any, Any]:
    problem = {"description": "A problem", "content": {"application/problem+json": {"schema": named("Problem")}}}
    answer: dict[str, Any] = {"description": "The answer"} | ({} if status == 204 else {"content": content})
    return {status: answer, "4XX": problem, "5XX": problem}
