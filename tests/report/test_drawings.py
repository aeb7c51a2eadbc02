"""Boards in the terminal and as pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given

from kibitz import Cube, MatchState, Offer, Owner, Position, State, parse, testing
from kibitz.report import svg, terminal
from kibitz.report.themes import Colours

XGID = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"


def test_the_board_of_a_state() -> None:
    assert terminal.draw_state(parse(XGID)) == "\n".join(
        [
            " +13-14-15-16-17-18------19-20-21-22-23-24-+  O  the opponent",
            " |    X           X |   | X  O  O  O  O  O |     52 pips, 1 off",
            " |                  |   | X  O  O  O  O  O |     score 6 of 7",
            " |                  |   |    O           O |     [ 2  ]",
            " |                  |   |                O |",
            " |                  |   |                  |",
            " |                  |BAR|                  |",
            " |                  |   |                  |",
            " |                  |   |                  |",
            " |                  |   |          X       |",
            " |                  |   | X  X  X  X     X |     score 3 of 7",
            " |       O          |   | X  X  X  X     X |     111 pips",
            " +12-11-10--9--8--7-------6--5--4--3--2--1-+  X  to play 21",
            " 7-point match, after Crawford, cube 2, O's",
            " Position ID b9sBCIC5bYDQAA   Match ID QQnlAGAAGAAE",
            " XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10",
        ]
    )


@given(testing.states())
def test_every_board_fits_80_columns_in_every_orientation(state: State) -> None:
    for flip in (False, True):
        for left in (False, True):
            lines = terminal.draw_state(state, flip=flip, left=left).splitlines()
            assert all(len(line) <= 80 for line in lines)
            assert lines[0].startswith(" +") and lines[12].startswith(" +")
            board = [line[:44] for line in lines[1:12]]
            shown = sum(line.count("X") for line in board)
            decides = state.position.mine if state.offer is Offer.NONE else state.position.theirs
            assert shown == sum(min(count, 5) - (count > 5) for count in decides)


def test_a_double_is_seen_by_the_one_who_has_to_answer() -> None:
    position = Position.start().play("8/5 6/5").swapped()
    match = MatchState(7, 1, 2, Cube(2, Owner.MINE))
    asked = State(position, match, offer=Offer.DOUBLE, names=("Ada", "Ben"))
    lines = terminal.draw_state(asked).splitlines()
    assert lines[0].endswith("O  Ada doubles to 4") and lines[12].endswith("X  Ben to answer")
    assert lines[13] == " 7-point match, cube 2, O's"
    assert lines[10].endswith("score 2 of 7") and lines[2].endswith("score 1 of 7")
    answers = terminal.draw_state(asked.swapped()).splitlines()
    assert [line[:44] for line in lines[:13]] == [line[:44] for line in answers[:13]]
    assert asked.xgid in lines[-1]  # the IDs stay those of the question
    resigned = terminal.draw_state(State(position, offer=Offer.RESIGN_GAMMON, names=("Ada", "B" * 40))).splitlines()
    assert resigned[0].endswith("O  Ada resign gammon") and resigned[12].endswith("… to answer")


def test_orientations() -> None:
    start = Position.start()
    assert "+13-14" in str(start).splitlines()[0]
    assert "+12-11" in terminal.draw_position(start, flip=True).splitlines()[0]
    assert "+24-23" in terminal.draw_position(start, left=True).splitlines()[0]
    assert "+-1--2" in terminal.draw_position(start, flip=True, left=True).splitlines()[0]


@given(testing.states())
def test_pictures_are_well_formed_and_show_every_checker(state: State) -> None:
    picture = ElementTree.fromstring(svg.draw_state(state))
    assert picture.tag.endswith("svg")
    circles = [element for element in picture if element.tag.endswith("circle")]
    colours = Colours()
    shown = sum(element.get("fill") == colours.theirs for element in circles)
    assert shown == sum(min(count, 5) for count in state.position.theirs)


def test_pictures_show_cube_dice_names_and_play() -> None:
    start = Position.start()
    play = start.plays((3, 1))[0]
    match = MatchState(7, 1, 2, Cube(4, Owner.MINE))
    picture = svg.draw_state(State(start, match, dice=play.dice, names=("<Ann>", "Bob & Co")), play=play)
    assert "&lt;Ann&gt; to play 31" in picture
    assert "Bob &amp; Co" in picture
    assert ">4</text>" in picture
    assert picture.count("marker-end") == len(play.moves)
    assert ">8</text>" in svg.draw_state(State(start, match, offer=Offer.DOUBLE))
    assert start._repr_svg_().startswith("<svg")
    assert State(start)._repr_svg_().startswith("<svg")
    assert "marker-end" in play._repr_svg_()


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("left", [False, True])
def test_pictures_in_every_orientation(flip: bool, left: bool) -> None:
    picture = svg.draw_position(parse(XGID).position, flip=flip, left=left)
    numbers = [element.text or "" for element in ElementTree.fromstring(picture) if element.tag.endswith("text")][:24]
    assert sorted(map(int, numbers)) == list(range(1, 25))
    assert numbers[0] == {(False, False): "13", (True, False): "12", (False, True): "24", (True, True): "1"}[flip, left]
