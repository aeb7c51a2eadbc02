"""What holds for every position, found by hypothesis."""

from __future__ import annotations

import pickle

from hypothesis import given

from kibitz import Dice, MatchState, Position, State, plays_bulk, position_ids_bulk, testing


@given(testing.positions())
def test_swapping_twice_changes_nothing(position: Position) -> None:
    assert position.swapped().swapped() == position
    assert position.swapped().pips == position.pips[::-1]


@given(testing.positions())
def test_a_position_is_its_id(position: Position) -> None:
    assert Position.from_id(position.id) == position
    assert position_ids_bulk([position.board])[0].decode() == position.id
    assert Position.from_board(position.board) == position
    assert hash(Position(position.mine, position.theirs)) == hash(position)
    assert pickle.loads(pickle.dumps(position)) == position


@given(testing.positions(playable=True), testing.dice())
def test_plays_move_my_checkers_forwards_and_hit_theirs(position: Position, roll: Dice) -> None:
    plays = position.plays(roll)
    assert len({play.result for play in plays}) == len(plays)
    used = {len(play.moves) for play in plays}
    assert len(used) <= 1  # all plays use equally many dice
    for play in plays:
        result = play.result
        assert sum(result.mine) == sum(position.theirs)  # the opponent loses no checker
        assert sum(result.theirs) == sum(position.mine) - sum(move.target == 0 for move in play.moves)
        assert result.mine[24] == position.theirs[24] + play.hits
        assert result.pips[1] >= position.pips[0] - (4 if roll.is_double else 1) * (roll.high + roll.low)
        assert all(1 <= move.source - move.target <= roll.high for move in play.moves)


@given(testing.positions(playable=True), testing.dice())
def test_moves_lead_from_the_position_to_the_result(position: Position, roll: Dice) -> None:
    for play in position.plays(roll):
        mine, theirs = list(position.mine), list(position.theirs)
        for move in play.moves:
            assert mine[move.source - 1] > 0
            mine[move.source - 1] -= 1
            if move.target:
                mine[move.target - 1] += 1
                assert move.hit == (theirs[24 - move.target] == 1)
                if move.hit:
                    theirs[24 - move.target] = 0
                    theirs[24] += 1
        assert Position(theirs, mine) == play.result


@given(testing.positions(playable=True), testing.dice())
def test_the_bulk_call_knows_the_same_results(position: Position, roll: Dice) -> None:
    offsets, boards = plays_bulk([position.board], [tuple(roll)])
    assert list(offsets) == [0, len(boards)]
    assert {Position.from_board(board) for board in boards} == {play.result for play in position.plays(roll)}


@given(testing.reachable_positions())
def test_reachable_positions_keep_fifteen_checkers(position: Position) -> None:
    assert all(sum(row) + off == 15 for row, off in zip((position.mine, position.theirs), position.off(), strict=True))


@given(testing.match_states())
def test_a_match_seen_from_the_other_side_twice_is_the_same(match: MatchState) -> None:
    assert match.swapped().swapped() == match
    assert match.swapped().my_away == match.their_away


@given(testing.states())
def test_a_state_is_plain_data(state: State) -> None:
    data = state.to_dict()
    assert data["position_id"] == state.position.id
    assert data["match"]["length"] == state.match.length
    assert pickle.loads(pickle.dumps(state)) == state
