"""The Backgammon Engine Interface: a line in, a JSON object out.

A state is 45 numbers with commas between them. The engine plays for player 1, whose counts are positive and who moves
towards 0, as tabula's server has it. The keys of the objects are those of the Go package; its own decoder takes them
in any case. `double` asks whether player 1 should double, and whether player 2 should take.
"""

from __future__ import annotations

import json
from dataclasses import replace
from enum import IntEnum
from typing import Any

from kibitz import __version__
from kibitz.cube import Cube, Owner
from kibitz.dice import Dice
from kibitz.errors import KibitzError, NotationError
from kibitz.match import MatchState, is_crawford_game
from kibitz.position import Position, Variant
from kibitz.protocols.answers import Answerer, one_line, program_name
from kibitz.state import State

VERSION = 1
MOST_MOVES = 20
"""Plays that an answer lists."""

_STATE = 45


class Slot(IntEnum):
    """Where things stand in a state."""

    HOME_1 = 0
    HOME_2 = 25
    BAR_1 = 26
    BAR_2 = 27
    ROLL_1 = 28
    ROLL_2 = 29
    CUBE_VALUE = 33
    CUBE_PLAYER = 34
    POINTS_1 = 35
    POINTS_2 = 36
    TOTAL_POINTS = 37
    CRAWFORD = 38
    JACOBY = 39
    VARIANT = 42


def read_state(text: str, variant: Variant = Variant.BACKGAMMON) -> State:
    """The state that these numbers say, seen by player 1. They have no number for hypergammon, which is named here."""
    words = text.split(",")
    if len(words) != _STATE:
        raise NotationError(f"a state has {_STATE} numbers, not {len(words)}")
    numbers = [_number(word) for word in words]
    if numbers[Slot.VARIANT]:
        raise NotationError(f"only backgammon (variant 0) is played here, not variant {numbers[Slot.VARIANT]}")
    board = numbers[1:25]
    mine = [*(max(count, 0) for count in board), abs(numbers[Slot.BAR_1])]
    theirs = [*(max(-count, 0) for count in reversed(board)), abs(numbers[Slot.BAR_2])]
    position = Position(mine, theirs)
    if position.is_over:
        raise NotationError("the game is over")
    length = numbers[Slot.TOTAL_POINTS]
    owner = {0: Owner.CENTRED, 1: Owner.MINE, 2: Owner.THEIRS}.get(numbers[Slot.CUBE_PLAYER])
    if owner is None or not 0 <= length <= 64:
        raise NotationError("the cube's player is 0, 1 or 2, and a match has up to 64 points")
    score = (numbers[Slot.POINTS_1], numbers[Slot.POINTS_2]) if length else (0, 0)
    crawford = bool(numbers[Slot.CRAWFORD]) and numbers[Slot.CUBE_VALUE] <= 1
    match = MatchState(
        length=length,
        my_score=score[0],
        their_score=score[1],
        cube=Cube(max(numbers[Slot.CUBE_VALUE], 1), owner),
        crawford=crawford and is_crawford_game(length, score, crawford_played=False),
        jacoby=bool(numbers[Slot.JACOBY]),
        variant=variant,
    )
    dice = numbers[Slot.ROLL_1], numbers[Slot.ROLL_2]
    return State(position, match, Dice(*dice) if any(dice) else None)


class BeiConversation:
    """One client. It has to say `bei` first; bad lines after that get a fail event."""

    def __init__(self, answerer: Answerer, variant: Variant = Variant.BACKGAMMON) -> None:
        self._answerer, self._variant = answerer, variant
        self._greeted = False

    def answer(self, line: str) -> str | None:
        """One JSON object and a line end; None, which ends it, before the greeting."""
        command, _, numbers = line.strip().partition(" ")
        if not self._greeted and command != "bei":
            return None
        try:
            event = self._event(command, numbers.strip())
        except KibitzError as error:
            kind = command if command in ("set", "double", "move", "choose") else "set"
            event = {"Type": f"fail{kind}", "Reason": one_line(error)}
        return json.dumps(event, separators=(",", ":")) + "\n"

    def too_long(self) -> str | None:
        """The answer to a line that was too long."""
        if not self._greeted:
            return None
        reason = f"a line has at most {self._answerer.limits.line_bytes} bytes"
        return json.dumps({"Type": "failset", "Reason": reason}) + "\n"

    def too_many(self) -> str:
        """What a client hears for whom there is no place."""
        reason = f"there are {self._answerer.limits.clients} clients already, which is the most; try again later"
        return json.dumps({"Type": "failset", "Reason": reason}) + "\n"

    def _event(self, command: str, numbers: str) -> dict[str, Any]:
        if command == "bei":
            self._greeted = True
            return {
                "Type": "okbei",
                "Version": VERSION,
                "ID": {"name": program_name(self._answerer.player), "version": __version__},
            }
        if command == "list":
            return {"Type": "oklist", "Options": {}}
        if command == "set":
            raise NotationError("there is nothing to set")
        if command == "choose":
            raise NotationError("acey-deucey is not played here")
        if command not in ("move", "double"):
            raise NotationError(
                f"there is no command {command[:40]!r}; expected bei, list, set, double, move or choose"
            )
        state, player = read_state(numbers, self._variant), self._answerer.player
        if command == "double":
            cube = self._answerer.cube(replace(state, dice=None))
            double, take = player.doubles(cube), player.takes(cube)
            return {"Type": "okdouble", "Double": double, "Take": take, "Equity": round(cube.equity, 6)}
        if state.dice is None:
            raise NotationError("there are no dice to move with")
        plays = self._answerer.plays(state)
        chosen = player.choose(plays)
        ranked = sorted(plays, key=lambda one: one is not chosen)[:MOST_MOVES]  # what it would play comes first
        moves = [{"Play": [_step(move.source, move.target) for move in one.play.moves]} for one in ranked]
        return {"Type": "okmove", "Moves": moves}


def _step(source: int, target: int) -> dict[str, int]:
    return {"From": int(Slot.BAR_1) if source == 25 else source, "To": target}


def _number(word: str) -> int:
    text = word.strip()
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5):
        raise NotationError(f"expected a number in the state, not {text[:20]!r}")
    return int(text)
