"""The rules of movement one by one, each in a position that shows it."""

from __future__ import annotations

import pytest

from kibitz import IllegalPlayError, Position, Variant


def written(position: Position, dice: tuple[int, int]) -> set[str]:
    """All legal plays in canonical notation."""
    return {str(play) for play in position.plays(dice)}


def test_a_checker_on_the_bar_enters_before_any_other_moves() -> None:
    # Given a checker on the bar and free checkers elsewhere
    position = Position.of({25: 1, 13: 2}, {6: 2})
    # When 4-3 is rolled
    plays = position.plays((4, 3))
    # Then every play begins on the bar
    assert plays and all(play.moves[0].source == 25 for play in plays)


def test_with_two_checkers_on_the_bar_nothing_else_can_move() -> None:
    # Given two checkers on the bar
    position = Position.of({25: 2, 13: 5}, {6: 2})
    # When 4-3 is rolled, then both dice enter and nothing else is possible
    assert written(position, (4, 3)) == {"bar/22 bar/21"}


def test_with_two_on_the_bar_and_one_die_blocked_only_one_enters() -> None:
    # Given two checkers on the bar and the opponent on the 3 point of that home board (our 22)
    position = Position.of({25: 2, 13: 5}, {3: 2})
    # When 4-3 is rolled, then only the 4 enters, and the 3 is lost
    assert written(position, (4, 3)) == {"bar/21"}


def test_no_play_against_a_closed_board() -> None:
    # Given a checker on the bar and six points closed
    position = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))
    # When anything is rolled, then there is no play
    assert all(not position.plays((high, low)) for high in range(1, 7) for low in range(1, 7))


def test_a_point_held_by_two_checkers_is_blocked() -> None:
    # Given the opponent holding our 18 point (7 from that side)
    position = Position.of({24: 1}, {7: 2})
    # When 6-1 is rolled, then the checker moves 1 and then 6, never by way of 18
    assert [[(move.source, move.target) for move in play.moves] for play in position.plays((6, 1))] == [
        [(24, 23), (23, 17)]
    ]


def test_a_single_checker_is_hit_and_goes_to_the_bar() -> None:
    # Given an opponent's blot on our 18 point
    position = Position.of({24: 1}, {7: 1, 3: 2})
    # When 6-1 is rolled
    plays = {str(play): play for play in position.plays((6, 1))}
    # Then one play hits on the way and one passes by
    assert set(plays) == {"24/18*/17", "24/17"}
    assert plays["24/18*/17"].result.mine[24] == 1
    assert plays["24/17"].result.mine[24] == 0


def test_several_checkers_can_be_hit_in_one_play() -> None:
    # Given three blots in the way of a double
    position = Position.of({24: 1}, {5: 1, 9: 1, 13: 1})
    # When 4-4 is rolled
    (play,) = position.plays((4, 4))
    # Then all three are hit on the way
    assert str(play) == "24/20*/16*/12*/8"
    assert play.hits == 3
    assert play.result.mine[24] == 3


def test_two_checkers_that_hit_the_same_point_take_one_checker() -> None:
    # Given a blot on our 5 point and two checkers that reach it
    position = Position.of({8: 1, 6: 1}, {20: 1})
    # When 3-1 is rolled, then making the point hits once, and the star is written once
    plays = {str(play): play for play in position.plays((3, 1))}
    assert "8/5* 6/5" in plays
    assert plays["8/5* 6/5"].result.mine[24] == 1


def test_both_dice_must_be_played_if_possible() -> None:
    # Given that 8/6 would play the 2 but no 6: the checker on 20 is blocked and stops all bearing off
    position = Position.of({20: 1, 8: 1, 5: 1}, {7: 2, 11: 2})
    # When 6-2 is rolled, then the 6 and the 2 must be played, and there is one way
    assert written(position, (6, 2)) == {"8/2 5/3"}


def test_both_dice_are_played_in_the_only_order_that_works() -> None:
    # Given the opponent on our 8 point, so that the 5 cannot come first
    position = Position.of({13: 1}, {17: 2})
    # When 6-5 is rolled, then the checker goes by way of 7
    (play,) = position.plays((6, 5))
    assert [(move.source, move.target) for move in play.moves] == [(13, 7), (7, 2)]


def test_the_higher_die_must_be_played_if_only_one_can_be() -> None:
    # Given a checker that can play either die but never both
    position = Position.of({24: 1}, {12: 2})
    # When 6-5 is rolled, then the 6 must be played
    assert written(position, (6, 5)) == {"24/18"}


def test_the_lower_die_is_played_if_the_higher_cannot_be() -> None:
    # Given the 6 blocked
    position = Position.of({24: 1}, {7: 2, 12: 2})
    # When 6-5 is rolled, then only the 5 is possible
    assert written(position, (6, 5)) == {"24/19"}


def test_doubles_are_played_four_times() -> None:
    # Given one checker with an open board before it
    position = Position.of({24: 1}, {6: 2})
    # When 2-2 is rolled, then it moves eight pips
    assert written(position, (2, 2)) == {"24/16"}


def test_doubles_are_played_as_often_as_possible() -> None:
    # Given one checker that is stopped after three steps
    position = Position.of({24: 1}, {9: 2})  # our 16 point
    # When 2-2 is rolled, then it moves three times
    assert written(position, (2, 2)) == {"24/18"}


def test_a_play_of_doubles_that_ends_too_soon_is_illegal() -> None:
    # Given a checker on 13 stopped after one step, and one on 24 that can move four times
    position = Position.of({24: 1, 13: 1}, {16: 2})  # our 9 point
    # When 2-2 is rolled, then no play leaves a 2 unused
    assert all(len(play.moves) == 4 for play in position.plays((2, 2)))


def test_bearing_off_needs_all_checkers_home() -> None:
    # Given a checker on the 7 point
    position = Position.of({7: 1, 6: 2}, {1: 2})
    # When 6-5 is rolled, then nothing is borne off with the 6: the last checker comes home with one die first
    assert written(position, (6, 5)) == {"7/1 6/1", "7/2 6/off"}


def test_bearing_off_begins_in_the_middle_of_a_play() -> None:
    # Given the last checker two pips from home
    position = Position.of({8: 1, 5: 1}, {1: 2})
    # When 5-2 is rolled, then the 2 brings it home and the 5 bears off
    assert "8/6 5/off" in written(position, (5, 2))


def test_an_exact_die_bears_off() -> None:
    # Given checkers on 6 and 4, when 4-1 is rolled, then the 4 can be borne off
    position = Position.of({6: 1, 4: 1}, {1: 2})
    assert "6/5 4/off" in written(position, (4, 1))


def test_a_larger_die_bears_off_from_the_highest_point() -> None:
    # Given the highest checker on the 4 point, when 6-5 is rolled, then the two highest go off
    position = Position.of({4: 1, 3: 1, 2: 1}, {1: 2})
    assert written(position, (6, 5)) == {"4/off 3/off"}


def test_a_larger_die_does_not_bear_off_below_the_highest_point() -> None:
    # Given a checker on the 6 point and one on the 3 point
    position = Position.of({6: 1, 3: 1}, {1: 2})
    # When 5-4 is rolled
    plays = written(position, (5, 4))
    # Then the 3 point is emptied only after the 6 has moved below it
    assert "3/off" not in {word for play in plays if "6/" not in play for word in play.split()}
    assert plays == {"6/1 3/off", "6/2 3/off"}


def test_a_larger_die_bears_off_from_a_point_reached_during_the_play() -> None:
    # Given one checker on the 6 point, when 6-1 or 5-2 is rolled, then it goes off with the second die
    position = Position.of({6: 1}, {1: 2})
    assert written(position, (5, 2)) == {"6/off"}
    assert position.plays((5, 2))[0].result.theirs == (0,) * 25


def test_the_last_checker_ends_the_play() -> None:
    # Given one checker on the 1 point, when 6-6 is rolled, then one die is used and the game is over
    position = Position.of({1: 1}, {1: 2})
    (play,) = position.plays((6, 6))
    assert str(play) == "1/off"
    assert play.result.is_over
    assert play.result.plays((1, 2)) == []


def test_a_hit_while_bearing_off_lets_bearing_off_go_on() -> None:
    # Given an opponent's blot on our 2 point and all our checkers home
    position = Position.of({6: 1, 3: 1}, {23: 1})
    # When 4-3 is rolled, then the blot can be hit and the 3 borne off
    assert "6/2* 3/off" in written(position, (4, 3))


def test_one_play_for_each_distinct_result() -> None:
    # Given the opening position, when 3-1 is rolled
    plays = Position.start().plays((3, 1))
    # Then 24/20 by way of 23 and by way of 21 is one play
    assert len(plays) == len({play.result for play in plays}) == 16


@pytest.mark.parametrize(
    ("variant", "pips"),
    [("backgammon", 167), ("nackgammon", 194), ("hypergammon-1", 24), ("hypergammon-2", 47), ("hypergammon-3", 69)],
)
def test_variants_differ_by_their_start(variant: str, pips: int) -> None:
    position = Position.start(variant)
    assert position.pips == (pips, pips)
    assert sum(position.mine) == Variant(variant).checkers
    assert position.plays((6, 5))


def test_a_play_that_the_rules_forbid_is_named_with_its_nearest_legal_ones() -> None:
    with pytest.raises(IllegalPlayError, match=r"opponent holds point 19.*nearest of 7 legal plays: 24/18"):
        Position.start().play("24/19 24/18", (6, 5))
