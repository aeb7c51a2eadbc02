"""Hypothesis strategies for everything a game is made of, for the tests of programs that build on Kibitz.

>>> from hypothesis import given
>>> @given(positions(), dice())
... def test_every_play_keeps_fifteen_checkers(position, roll): ...

Needs the package hypothesis, which Kibitz itself does not.
"""

from __future__ import annotations

from hypothesis import strategies as st

from kibitz.cube import Cube, Owner
from kibitz.dice import ALL_ROLLS, Dice
from kibitz.match import MatchState
from kibitz.position import BAR, Position, Variant, position_defects
from kibitz.state import GameStatus, Offer, State

__all__ = ["cubes", "dice", "match_states", "positions", "reachable_positions", "states"]

_MAX_CUBE = 10  # as a power of two


def dice() -> st.SearchStrategy[Dice]:
    """One of the 21 rolls."""
    return st.sampled_from(ALL_ROLLS)


@st.composite
def positions(draw: st.DrawFn, *, checkers: int = 15, playable: bool = False) -> Position:
    """Any position that can occur, with at most so many checkers a side; `playable` ones are not over."""
    least = 1 if playable else 0
    mine = draw(st.lists(st.integers(1, BAR), min_size=least, max_size=checkers))
    free = [point for point in range(1, BAR + 1) if point == BAR or 25 - point not in mine]
    theirs = draw(st.lists(st.sampled_from(free), min_size=max(least, 0 if mine else 1), max_size=checkers))
    rows = [[points.count(point) for point in range(1, BAR + 1)] for points in (mine, theirs)]
    if position_defects(*rows):  # both closed out: as rare as it is impossible
        rows[0][0], rows[0][BAR - 1] = 0, 0
    return Position(*rows)


@st.composite
def reachable_positions(draw: st.DrawFn, *, turns: int = 40, variant: Variant = Variant.BACKGAMMON) -> Position:
    """A position of a game of random plays that is not over, at most so many turns from its start."""
    position = Position.start(variant)
    random = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, turns))):
        plays = position.plays(random.choice(ALL_ROLLS))
        after = random.choice(plays).result if plays else position.swapped()
        if after.is_over:
            break
        position = after
    return position


def cubes(*, max_power: int = _MAX_CUBE) -> st.SearchStrategy[Cube]:
    """A cube of 1 in the middle, or one that somebody has turned."""
    turned = st.builds(Cube, st.integers(1, max_power).map(lambda power: 2**power), st.sampled_from(Owner))
    return st.just(Cube()) | turned


@st.composite
def match_states(draw: st.DrawFn, *, max_length: int = 25) -> MatchState:
    """A score in a match or a money game, with its cube and rules."""
    length = draw(st.integers(0, max_length))
    if not length:
        return MatchState(
            cube=draw(cubes()),
            my_score=draw(st.integers(0, 100)),
            their_score=draw(st.integers(0, 100)),
            jacoby=draw(st.booleans()),
            beavers=draw(st.booleans()),
        )
    mine, theirs = draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1))
    one_needs_one = (mine == length - 1) != (theirs == length - 1)
    crawford = one_needs_one and draw(st.booleans())
    cube = Cube() if crawford else draw(cubes())
    return MatchState(length, mine, theirs, cube, crawford=crawford)


@st.composite
def states(draw: st.DrawFn) -> State:
    """A moment of a game: before the roll, after it, or with an offer on the table."""
    match = draw(match_states())
    position = draw(positions(playable=True))
    turn = draw(st.integers(0, 1))
    may_double = not match.crawford and match.cube.owner is not Owner.THEIRS and match.cube.value < match.max_cube
    if may_double and draw(st.booleans()):
        return State(position, match, offer=Offer.DOUBLE, turn=turn, status=GameStatus.PLAYING)
    return State(position, match, dice=draw(st.none() | dice()), turn=turn)
