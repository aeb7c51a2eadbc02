"""Plays as people write them, and what they hear when a play is not legal."""

from __future__ import annotations

import pytest

from kibitz import Dice, IllegalPlayError, Move, NotationError, Position
from kibitz.move import format_moves
from kibitz.notation import parse_play

START = Position.start()
BLOTS = Position.of({24: 1, 13: 2, 8: 1, 6: 2, 25: 1}, {4: 1, 7: 1, 11: 2, 20: 1})


@pytest.mark.parametrize(
    ("text", "dice", "canonical"),
    [
        ("8/5 6/5", (3, 1), "8/5 6/5"),
        ("6/5 8/5", (1, 3), "8/5 6/5"),
        ("6/5, 8/5", (3, 1), "8/5 6/5"),
        (" 8/5  6/5. ", (3, 1), "8/5 6/5"),
        ("24/23 23/20", (3, 1), "24/20"),
        ("24/21/20", (3, 1), "24/20"),
        ("24/20", (3, 1), "24/20"),
        ("24-20", (3, 1), "24/20"),
        ("24/18 13/7(2) 24/18", (6, 6), "24/18(2) 13/7(2)"),
        ("13/10 13/10 8/5(2)", (3, 3), "13/10(2) 8/5(2)"),
        ("13/8(2) 8/3 (2)", (5, 5), "13/3(2)"),
        ("13/3(2)", (5, 5), "13/3(2)"),
    ],
)
def test_ways_to_write_a_play(text: str, dice: tuple[int, int], canonical: str) -> None:
    assert str(parse_play(text, START, dice)) == canonical


@pytest.mark.parametrize(
    ("text", "dice", "canonical"),
    [
        ("bar/21*/20", (4, 1), "bar/21*/20"),
        ("25/21 21/20", (4, 1), "bar/21*/20"),
        ("Bar/20", (4, 1), "bar/20"),
        ("BAR/24 8/4", (4, 1), "bar/24 8/4"),
        ("bar/24 24/20", (4, 1), "bar/20"),
        ("bar/21* 6/5*", (4, 1), "bar/21* 6/5*"),
        ("6/5 25/21", (4, 1), "bar/21* 6/5*"),
        ("bar/18", (6, 1), "bar/18*"),
    ],
)
def test_hits_and_the_bar(text: str, dice: tuple[int, int], canonical: str) -> None:
    """A star may be missing; where a hit can be avoided, only naming the point makes it."""
    assert str(parse_play(text, BLOTS, dice)) == canonical


@pytest.mark.parametrize(
    ("text", "dice", "canonical"),
    [
        ("6/off 5/off", (6, 5), "6/off 5/off"),
        ("6/0 5/0", (6, 5), "6/off 5/off"),
        ("6/Off 5/-", (6, 5), "6/off 5/off"),
        ("6/off", (5, 1), "6/off"),
        ("6/5 5/off", (5, 1), "6/off"),
        ("6/off(2) 5/off(2)", (6, 6), "6/off(2) 5/off(2)"),
    ],
)
def test_bearing_off(text: str, dice: tuple[int, int], canonical: str) -> None:
    assert str(parse_play(text, Position.of({6: 2, 5: 3}, {1: 2}), dice)) == canonical


@pytest.mark.parametrize("text", ["", "no play", "Cannot Move", "pass", "dance"])
def test_no_play(text: str) -> None:
    closed_out = Position.of({25: 1, 6: 2}, dict.fromkeys((1, 2, 3, 4, 5, 6), 2))
    play = parse_play(text, closed_out, (3, 1))
    assert play.moves == ()
    assert play.result == closed_out.swapped()
    assert str(play) == "no play"
    with pytest.raises(IllegalPlayError, match="a checker can move"):
        parse_play(text, START, (3, 1))


@pytest.mark.parametrize(
    ("text", "dice"),
    [("8/5 6/5", "31"), ("13/7 13/8", "65"), ("24/13", "65"), ("13/11(4)", "22"), ("31: 24/20", "31")],
)
def test_dice_are_found_when_not_given(text: str, dice: str) -> None:
    assert parse_play(text, START).dice == Dice.of(dice)


def test_position_play_is_the_result() -> None:
    assert START.play("8/5 6/5").swapped().mine[4] == 2
    assert START.play("8/5 6/5", "31") == START.play("6/5 8/5")


@pytest.mark.parametrize(
    ("position", "text", "dice", "reason"),
    [
        (START, "12/9 8/7", (3, 1), "there is no checker on point 12"),
        (START, "24/23 24/23 24/23 24/23", (1, 1), "4 checkers cannot leave point 24, where there are only 2"),
        (START, "24/19 13/7", (6, 5), "the opponent holds point 19"),
        (START, "8/5", (3, 1), "it moves 3 pips, but 2 dice can and must be played"),
        (START, "8/4 6/5", (3, 1), "it moves 5 pips, more than the 4 of the dice"),
        (START, "13/11 8/6", (3, 1), "which the dice do not give"),
        (START, "6/off 6/5", (6, 1), "borne off only when all are in the home board"),
        (START, "8/5* 6/5", (3, 1), "no single checker to hit on point 5"),
        (Position.of({25: 1, 13: 2}, {6: 2}), "13/10 13/12", (3, 1), "checkers on the bar must enter first"),
        (Position.of({24: 1}, {12: 2}), "24/19", (6, 5), "the 6 must be played, not the 5"),
        (Position.of({}, {1: 2}), "6/5", (3, 1), "the game is over"),
        (START, "24/10", None, "no roll allows it"),
    ],
)
def test_illegal_plays_are_refused_with_the_reason(
    position: Position, text: str, dice: tuple[int, int] | None, reason: str
) -> None:
    with pytest.raises(IllegalPlayError) as error:
        parse_play(text, position, dice)
    assert reason in str(error.value)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("text", ["8/5 x", "5/8", "26/20", "8", "8/5(9)", "/5", "8//5", "8/5 6", "8/5/", "13/8 up"])
def test_text_that_is_no_play(text: str) -> None:
    with pytest.raises(NotationError):
        parse_play(text, START, (3, 1))


@pytest.mark.parametrize(
    ("moves", "canonical"),
    [
        ([Move(6, 5), Move(8, 5)], "8/5 6/5"),
        ([Move(13, 7), Move(13, 8)], "13/8 13/7"),
        ([Move(24, 18), Move(18, 13)], "24/13"),
        ([Move(24, 18, hit=True), Move(18, 13)], "24/18*/13"),
        ([Move(8, 5, hit=True), Move(8, 5)], "8/5*(2)"),
        ([Move(13, 10)] * 2 + [Move(8, 5)] * 2, "13/10(2) 8/5(2)"),
        ([Move(25, 21, hit=True), Move(21, 20)], "bar/21*/20"),
        ([Move(25, 21), Move(24, 20), Move(13, 9), Move(13, 9)], "bar/21 24/20 13/9(2)"),
        ([Move(6, 0), Move(5, 0)], "6/off 5/off"),
        ([], "no play"),
    ],
)
def test_canonical_notation(moves: list[Move], canonical: str) -> None:
    assert format_moves(moves) == canonical
