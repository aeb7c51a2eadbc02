"""Records that are a position rather than a match: what they ask, and whether anybody has answered."""

from __future__ import annotations

from pathlib import Path

from kibitz.errors import FormatError
from kibitz.record import Match, Roll, Setup
from kibitz.state import State

MOST_ACTIONS = 3
"""A position, and perhaps a roll, or a double with its answer."""


def is_position(match: Match) -> bool:
    """Whether a record is a position by itself, with what may follow from it."""
    actions = [action for game in match.games for action in game.actions]
    return len(match.games) == 1 and 0 < len(actions) <= MOST_ACTIONS and isinstance(actions[0], Setup)


def open_question(match: Match) -> State | None:
    """What a position asks and nobody has answered; None for all else."""
    if not is_position(match):
        return None
    last = list(match.moments())[-1]
    if isinstance(last.action, Setup) or (isinstance(last.action, Roll) and last.action.moves is None):
        return last.state
    return None


def load_state(path: Path | str) -> State:
    """What a position file asks: its state, with the dice if they were rolled."""
    from kibitz.formats import load

    match = load(path)
    if not is_position(match):
        raise FormatError(f"{path} holds a match: expected a position; kibitz analyze reviews matches")
    moments = list(match.moments())
    first = next((moment for moment in moments if not isinstance(moment.action, Setup)), moments[-1])
    return first.state
