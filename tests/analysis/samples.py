"""Matches and decisions to test with: a short match that was written for this, and hand-made decisions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import kibitz
from kibitz import Cube, Dice, Engine, Match, MatchState, Owner, Position, State, _core
from kibitz.analysis.decisions import Flaw, Kind, ReviewedDecision, RollLuck, chosen_action
from kibitz.analysis.levels import ReviewLevel
from kibitz.analysis.marks import Thresholds
from kibitz.analysis.review import MatchReview, review
from kibitz.decision import AnalysisLevel, CubeChances, CubeDecision, Evaluation, PlayDecision, RankedPlay
from kibitz.record import Action, Beaver, Double, Drop, Game, Moment, Raccoon, Roll, Rules, Setup, Take

DATA = Path(__file__).parent / "data"
SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sample.mat"


@cache
def short_match() -> Match:
    """Three games to three points: doubles taken and dropped, dances, and a last game played to the end."""
    return kibitz.load(SAMPLE)


@cache
def mock_engine() -> Engine:
    """An engine that no new net changes. Asked directly, it looks 0 plies deep and leaves nothing out."""
    return Engine(evaluator=_core.MockEvaluator(), threads=1, plies=0, replies=1000, last_replies=1000)


def whole(level: str) -> ReviewLevel:
    """A level whose searches leave nothing out."""
    found = ReviewLevel.of(level)
    return replace(found, search=replace(found.search, replies=1000, last_replies=1000))


def mock_review(match: Match | Path | str, level: str = "fast", **options: Any) -> MatchReview:
    """A review by the engine that no new net changes."""
    return review(match, level=whole(level), engine=mock_engine(), **{"threads": 1, **options})


@cache
def short_review(level: str = "fast") -> MatchReview:
    return mock_review(short_match(), level)


RACE = Position.of({6: 3, 5: 2}, {6: 4, 5: 4, 4: 2})
CRUSHED = Position.of({1: 2}, {6: 5, 5: 5, 4: 5})


def money(*actions: Any, position: Position = RACE, beavers: bool = True, cube: Cube | None = None) -> Match:
    """A money game with the Jacoby rule from a position, player 0 on roll."""
    owner, value = (Owner.CENTRED, 1) if cube is None else (cube.owner, cube.value)
    game = Game((0, 0), False, (Setup(0, position, owner, value), *actions))
    return Match(("Ada", "Ben"), length=0, games=(game,), rules=Rules(jacoby=True, beavers=beavers))


def beavers() -> Match:
    """A hopeless double, beavered, and a raccoon."""
    return money(Double(0), Beaver(1), Raccoon(0), Roll(0, Dice(2, 1), ()), position=CRUSHED.swapped())


# --- hand-made decisions ----------------------------------------------------------------------------------------------

LEVEL = AnalysisLevel.searched(0)
EVEN = Evaluation(0.5, 0.1, 0.0, 0.1, 0.0)
START = State(Position.start(), MatchState(length=5), Dice(3, 1), names=("Ada", "Ben"), turn=0)


def moment(action: Action, *, state: State = START) -> Moment:
    if action.player == 1:
        state = replace(state, turn=1, names=("Ben", "Ada"))
    return Moment(1, 0, 1, state, action)


def decision(lost: float = 0.0, *, player: int = 0, money: bool = False, **changes: Any) -> ReviewedDecision:
    """An opening play of 31 that is so far behind the best one, changed as told."""
    state = replace(START, match=MatchState(length=0 if money else 5))
    best, made = (Position.start().play(text, (3, 1)) for text in ("8/5 6/5", "24/23 13/10"))
    rows = (
        RankedPlay(_play(best), 0.2, EVEN, LEVEL, mwc=None if money else 0.5),
        RankedPlay(_play(made), 0.2 - lost, EVEN, LEVEL, -lost, 2, None if money else 0.5 - lost / 4),
    )
    chosen = rows[1] if lost else rows[0]
    given: dict[str, Any] = {"counts": True, "counts_pr": True, "limits": Thresholds()}
    return ReviewedDecision(
        moment(Roll(player, Dice(3, 1), chosen.play.moves), state=state),
        Kind.CHECKER,
        PlayDecision(state, rows),
        chosen.play,
        lost,
        None if money else lost / 4,
        **(given | changes),
    )


def _play(result: Position) -> kibitz.Play:
    return kibitz.Play(Position.start(), Dice(3, 1), result)


def cube_decision(action: Action, lost: float = 0.0, flaw: Flaw = Flaw.NONE, **changes: Any) -> ReviewedDecision:
    """A cube action of player 0 that lost so much."""
    kind = Kind.CUBE if isinstance(action, Double | Roll) else Kind.ANSWER
    state = replace(START, dice=None)
    cube = CubeDecision(state, 0.4, 0.6, 1.0, EVEN, LEVEL, 0.3, mwc=CubeChances(0.5, 0.55, 0.6))
    given: dict[str, Any] = {"counts": True, "counts_pr": True}
    at = moment(action, state=state)
    return ReviewedDecision(at, kind, cube, chosen_action(at, kind), lost, lost / 4, flaw=flaw, **(given | changes))


NO_DOUBLE = Roll(0, Dice(3, 1))
DOUBLE, TAKE, PASS = Double(0), Take(0), Drop(0)


def roll(luck: float, player: int = 0) -> RollLuck:
    return RollLuck(moment(Roll(player, Dice(3, 1))), luck, luck / 4, Thresholds().luck(luck))
