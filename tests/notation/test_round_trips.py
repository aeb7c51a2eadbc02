"""Whatever a notation can say, it says back unchanged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz import Dice, GameStatus, MatchState, NotationError, Offer, Position, State, parse, testing
from kibitz.notation import parse_fibs, parse_match_id, parse_play, parse_xgid


def in_a_match_id(state: State) -> State:
    """What is left of a state in a Match ID: no beavers, the usual highest cube."""
    match = state.match
    return replace(state, match=replace(match, beavers=False, max_cube=max(1024, match.cube.value)))


@given(testing.states())
def test_xgid(state: State) -> None:
    assert parse_xgid(state.xgid) == state
    assert parse_xgid(state.xgid).xgid == state.xgid
    assert parse(f"some words {state.xgid}\nand more") == state


@given(testing.states(), st.integers(0, 20), st.booleans())
def test_xgid_with_any_highest_cube(state: State, power: int, beavers: bool) -> None:
    cube = max(2**power, 2 * state.match.cube.value)
    state = replace(state, match=replace(state.match, max_cube=cube, beavers=beavers))
    assert parse_xgid(state.xgid) == state


@given(testing.states(), st.sampled_from(list(GameStatus)), st.booleans())
def test_match_id(state: State, status: GameStatus, old: bool) -> None:
    state = replace(state, status=status, old_match_id=old and state.match.length > 0)
    assert parse_match_id(state.match_id, state.position) == in_a_match_id(state)
    assert parse(f"{state.position_id}:{state.match_id}") == in_a_match_id(state)


@pytest.mark.parametrize("offer", [offer for offer in Offer if offer is not Offer.RACCOON])
@pytest.mark.parametrize("turn", [0, 1])
def test_match_ids_of_offers(offer: Offer, turn: int) -> None:
    state = State(Position.start(), MatchState(7, 3, 4), offer=offer, turn=turn)
    assert parse_match_id(state.match_id) == state


@pytest.mark.parametrize("offer", [Offer.NONE, Offer.DOUBLE, Offer.BEAVER, Offer.RACCOON])
def test_xgids_of_offers(offer: Offer) -> None:
    state = State(Position.start(), MatchState.money(beavers=True), offer=offer)
    assert parse_xgid(state.xgid) == state


def test_what_a_notation_cannot_say_is_refused_not_dropped() -> None:
    resigned = State(Position.start(), offer=Offer.RESIGN_GAMMON)
    with pytest.raises(NotationError, match="resign-gammon"):
        _ = resigned.xgid
    assert resigned.to_dict()["xgid"] is None
    raccoon = State(Position.start(), offer=Offer.RACCOON)
    with pytest.raises(NotationError, match="raccoon"):
        _ = raccoon.match_id


@given(testing.states(), st.tuples(st.from_regex(r"[a-z_]{1,12}", fullmatch=True), st.sampled_from(["Bot", "gnubg"])))
def test_fibs_board(state: State, names: tuple[str, str]) -> None:
    match = replace(state.match, beavers=False, jacoby=True, max_cube=max(1024, state.match.cube.value))
    state = replace(state, match=match, names=names)
    assert parse_fibs(state.fibs) == state
    assert parse(state.fibs) == state


@given(testing.positions())
def test_position_id(position: Position) -> None:
    assert parse(position.id).position == position
    assert parse(f"Position ID: {position.id}").position == position


@given(testing.positions(playable=True), testing.dice())
def test_plays(position: Position, roll: Dice) -> None:
    """Every legal play, as it is written, is read as itself: joined, step by step, and without its stars."""
    plays = position.plays(roll)
    for play in plays[:: 1 + len(plays) // 6]:
        assert parse_play(str(play), position, roll) == play
        assert parse_play(str(play).replace("bar", "25").replace("off", "0"), position, roll) == play
        steps = " ".join(f"{move.source}/{move.target}" for move in reversed(play.moves))
        assert parse_play(steps, position, roll) == play
        assert parse_play(str(play), position).result == play.result


@given(testing.positions(playable=True), testing.dice())
def test_distinct_plays_are_written_differently(position: Position, roll: Dice) -> None:
    plays = position.plays(roll)
    assert len({str(play) for play in plays}) == len(plays)
