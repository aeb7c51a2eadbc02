"""What a moment of a game asks for: a play, a double, the answer to one, or the answer to a resignation."""

from __future__ import annotations

from enum import StrEnum

from kibitz.state import Offer, State


class Question(StrEnum):
    """What has to be decided."""

    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    RESIGNATION = "resignation"


def question_of(state: State) -> Question:
    """What the state asks for. A beaver or raccoon is answered like a double."""
    if state.offer.is_resignation:
        return Question.RESIGNATION
    if state.offer is not Offer.NONE:
        return Question.TAKE
    return Question.PLAY if state.dice is not None else Question.DOUBLE
