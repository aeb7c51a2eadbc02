"""Matches and decisions to test with: a short match that was written for this, and hand-made decisions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import kibitz
from kibitz import Engine, Match, Position, State, _core
from kibitz.analysis.decisions import Decision, Flaw, Kind, Option, RollLuck
from kibitz.analysis.marks import Thresholds
from kibitz.analysis.review import MatchReview, review
from kibitz.cube import Cube
from kibitz.match import MatchState
from kibitz.record import Beaver, Double, Drop, Game, Raccoon, Resign, Roll, Rules, Setup

DATA = Path(__file__).parent / "data"
SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sample.mat"


@cache
def short_match() -> Match:
    """Three games to three points: doubles taken and dropped, dances, and a last game played to the end."""
    return kibitz.load(SAMPLE)


@cache
def mock_engine() -> Engine:
    """An engine that no new net changes, and whose shortlists leave nothing out."""
    return Engine(evaluator=_core.MockEvaluator(), threads=1, replies=1000, last_replies=1000)


@cache
def short_review(level: str = "fast") -> MatchReview:
    return review(short_match(), level=level, engine=mock_engine(), threads=1)


RACE = Position.of({6: 3, 5: 2}, {6: 4, 5: 4, 4: 2})
CRUSHED = Position.of({1: 2}, {6: 5, 5: 5, 4: 5})


def money(*actions: Any, position: Position = RACE, beavers: bool = True) -> Match:
    """A money game from a position, player 0 on roll."""
    game = Game((0, 0), False, (Setup(0, position), *actions))
    return Match(length=0, games=(game,), rules=Rules(jacoby=True, beavers=beavers))


def beavers() -> Match:
    """A hopeless double, beavered, and a raccoon."""
    return money(Double(0), Beaver(1), Raccoon(0), Roll(0, kibitz.Dice(2, 1), ()), position=CRUSHED.swapped())


def decision(**changes: Any) -> Decision:
    """A checker play that lost nothing, changed as told; marks follow from the loss."""
    lost = changes.get("lost", 0.0)
    limits = Thresholds()
    given: dict[str, Any] = {
        "game": 0,
        "index": 0,
        "number": 1,
        "player": 0,
        "kind": Kind.CHECKER,
        "state": State(Position.start(), MatchState(length=5, cube=Cube(1))),
        "chosen": "8/5 6/5",
        "options": (Option("8/5 6/5", 0.2),),
        "lost": lost,
        "lost_mwc": lost / 4,
        "mark": limits.mark(lost),
        "is_blunder": lost > limits.blunder,
        "counts": True,
        "counts_pr": True,
    }
    return Decision(**(given | changes))


def cube_decision(chosen: str, lost: float = 0.0, flaw: Flaw = Flaw.NONE, **changes: Any) -> Decision:
    kind = Kind.CUBE if "double" in chosen else Kind.ANSWER
    return decision(kind=kind, chosen=chosen, lost=lost, flaw=flaw, options=(Option(chosen, 0.0),), **changes)


def roll(luck: float, player: int = 0) -> RollLuck:
    return RollLuck(0, 0, 1, player, kibitz.Dice(3, 1), luck, luck / 4, 1, Thresholds().luck(luck))


__all__ = ["Drop", "Resign", "beavers", "cube_decision", "decision", "mock_engine", "money", "roll", "short_match"]
