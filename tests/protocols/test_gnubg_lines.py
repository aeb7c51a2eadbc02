"""gnubg's lines in detail: whose score, whose cube, which rules, and what is answered."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz import Dice, Engine, MatchState, Offer, Position, State
from kibitz.arena.gnubg import board_line
from kibitz.cube import Cube, Owner
from kibitz.errors import KibitzError
from kibitz.protocols.answers import Answerer
from kibitz.protocols.gnubg_socket import GnubgConversation, read_board
from kibitz.protocols.limits import Limits

ENGINE = Engine(plies=0, threads=1)
START = Position.start()
AHEAD = Position.of({1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 2}, {8: 2, 7: 3, 6: 3, 5: 3, 4: 2, 3: 2})


def line(state: State, **fields: object) -> str:
    """A board line with some of its fields (by number after the names) changed."""
    words = board_line(state).split(":")
    for name, value in fields.items():
        words[int(name.removeprefix("at")) + 3] = str(value)
    return ":".join(words)


def say(text: str, **options: Any) -> str:
    answer = GnubgConversation(Answerer(ENGINE, Limits(line_bytes=400)), **options).answer(text)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("state", "answer"),
    [
        (State(AHEAD), "double\n"),
        (State(START), "roll\n"),
        (State(AHEAD, offer=Offer.DOUBLE), "drop\n"),
        (State(START, offer=Offer.DOUBLE), "take\n"),
        (State(AHEAD, MatchState(cube=Cube(2, Owner.THEIRS))), "roll\n"),
        (State(AHEAD, MatchState(cube=Cube(2, Owner.MINE))), "double\n"),
        (State(AHEAD, MatchState(length=7, my_score=5, their_score=6, crawford=True)), "roll\n"),
        (State(AHEAD, MatchState(length=7, my_score=5, their_score=6)), "double\n"),
        (State(AHEAD, MatchState(length=7, my_score=6, their_score=5)), "roll\n"),  # nothing to gain
        (State(START, dice=Dice(3, 1)), "8/5 6/5\n"),
        (State(Position.of({25: 1, 2: 2}, {6: 2, 24: 1}), dice=Dice(6, 5)), "25/20 "),
        (State(Position.of({6: 1, 5: 1}, {24: 2}), dice=Dice(6, 5)), "6/0 5/0\n"),
        (State(Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2)), dice=Dice(6, 6)), "\n"),
    ],
)
def test_every_question_has_its_answer(state: State, answer: str) -> None:
    assert say(board_line(state)).startswith(answer)
    assert say(f"fibsboard {board_line(state)}").startswith(answer)


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({}, MatchState()),
        ({"at0": 7, "at1": 5, "at2": 3}, MatchState(7, 3, 5)),  # the opponent's score comes first
        ({"at0": 64, "at1": 5}, MatchState(64, 0, 5)),
        ({"at1": 5, "at2": 3}, MatchState()),  # scores of a money session do not matter
        ({"at34": 2, "at35": 1, "at36": 0}, MatchState(cube=Cube(2, Owner.MINE))),
        ({"at34": 2, "at35": 0, "at36": 1}, MatchState(cube=Cube(2, Owner.THEIRS))),
        ({"at34": 2, "at35": 1, "at36": 1}, MatchState(cube=Cube(2))),
        ({"at34": 1, "at35": 1, "at36": 0}, MatchState()),
        ({"at34": 2048, "at35": 1, "at36": 0}, MatchState(cube=Cube(2048, Owner.MINE), max_cube=4096)),
        ({"at34": 512, "at35": 1, "at36": 0}, MatchState(cube=Cube(512, Owner.MINE))),
        ({"at34": 65536, "at35": 0, "at36": 1}, MatchState(cube=Cube(65536, Owner.THEIRS), max_cube=131072)),
        ({"at0": 7, "at2": 6, "at49": 0}, MatchState(7, 6, 0, crawford=True)),
        ({"at0": 7, "at2": 6, "at49": 1}, MatchState(7, 6, 0)),
        ({"at0": 7, "at1": 6, "at2": 6, "at49": 0}, MatchState(7, 6, 6)),
        ({"at0": 7, "at2": 6, "at49": 0, "at34": 2, "at35": 1, "at36": 0}, MatchState(7, 6, 0, Cube(2, Owner.MINE))),
    ],
)
def test_scores_cubes_and_rules(fields: dict[str, int], match: MatchState) -> None:
    state = read_board(line(State(START), **fields))
    assert state == State(START, match)


def test_a_line_may_be_the_other_players() -> None:
    """Turn -1: everything but the board's owner stays where it is, and player 0 is on roll."""
    state = read_board(line(State(AHEAD), at0=7, at1=5, at2=3, at29=-1, at34=2, at35=1, at36=0))
    assert state.position == AHEAD.swapped()
    assert state.match == MatchState(7, 5, 3, Cube(2, Owner.THEIRS))
    doubled = read_board(line(State(AHEAD), at0=7, at1=5, at2=3, at29=-1, at34=2, at37=1))
    assert doubled.offer is Offer.DOUBLE
    assert doubled.match == MatchState(7, 3, 5, Cube(2, Owner.MINE))


def test_either_pair_of_dice_counts_and_none_in_a_take_question() -> None:
    assert read_board(line(State(START), at30=3, at31=1)).dice == Dice(3, 1)
    assert read_board(line(State(START), at32=6, at33=2)).dice == Dice(6, 2)
    assert read_board(line(State(START), at30=3, at31=1, at37=1)).dice is None


def test_jacoby_is_a_setting_of_the_server_or_of_the_line() -> None:
    blitz = Position.from_id("oZGTwTC8xw8BAA")  # many gammons, which the rule takes from a cube in the middle
    assert read_board(line(State(START)), jacoby=False).match == MatchState(jacoby=False)
    text = f"evaluation fibsboard {board_line(State(blitz))} plies 0 cubeful"
    for server in (True, False):
        for words, jacoby in (
            ("", server),
            (" jacobyrule yes", True),
            (" jacobyrule on", True),
            (" jacobyrule no", False),
            (" JACOBYRULE OFF", False),
        ):
            equity = float(say(text + words, jacoby=server).split()[5])
            assert equity == pytest.approx(ENGINE.cube(blitz, match=MatchState(jacoby=jacoby)).no_double, abs=1e-6)
    with_rule, without = (ENGINE.cube(blitz, match=MatchState(jacoby=rule)).no_double for rule in (True, False))
    assert with_rule != pytest.approx(without, abs=1e-3)


def test_evaluations_are_cubeless_or_cubeful_in_points_or_match_chances() -> None:
    match = MatchState(length=9, my_score=3, their_score=1)
    close = START.play("8/5 6/5")
    for score in (MatchState(), match):
        state = State(close, score)
        cubeless = [float(word) for word in say(f"evaluation {board_line(state)} plies 0 cubeless").split()]
        cubeful = [float(word) for word in say(f"evaluation fibsboard {board_line(state)} cubeful").split()]
        assert cubeless[:5] == cubeful[:5] == pytest.approx(list(ENGINE.evaluate(close)), abs=1e-6)
        found = ENGINE.cube(state)
        if found.mwc is None:
            assert cubeful[5] == pytest.approx(found.no_double, abs=1e-6)
            assert cubeless[5] == pytest.approx(ENGINE.evaluate(close).equity, abs=1e-6)
        else:
            assert cubeful[5] == pytest.approx(found.mwc.no_double, abs=1e-6)
            assert cubeless[5] == pytest.approx(found.mwc.cubeless, abs=1e-6)
            assert found.mwc.cubeless != pytest.approx(found.mwc.no_double, abs=1e-4)


def test_evaluations_look_as_far_as_they_are_asked() -> None:
    text = f"evaluation fibsboard {board_line(State(START))} cubeless plies"
    deep = [float(word) for word in say(f"{text} 1").split()[:5]]
    assert deep == pytest.approx(list(ENGINE.evaluate(START, plies=1)), abs=1e-6)
    assert deep != pytest.approx(list(ENGINE.evaluate(START)), abs=1e-4)
    for words in ("", " x", " 100", " -1"):
        assert say(text + words).startswith("Error: expected a number of plies")
    assert say(f"{text} 0 jacobyrule maybe").startswith("Error: jacobyrule is yes or no")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"at0": 65}, "a match has up to 64 points, not 65"),
        ({"at0": -1}, "a match has up to 64 points"),
        ({"at29": 0}, "the turn is 1 or -1, not 0"),
        ({"at37": 2}, "cannot be"),
        ({"at3": 16}, "cannot be"),
        ({"at34": 3}, "not a power of two"),
        ({"at34": 0}, "not a power of two"),
        ({"at30": 7, "at31": 1}, "die values"),
        ({"at0": 7, "at1": 7}, "already won"),
        ({"at40": "x"}, "expected numbers after the names, not 'x'"),
        ({"at40": "123456"}, "expected numbers after the names"),
    ],
)
def test_lines_that_cannot_be(fields: dict[str, object], words: str) -> None:
    text = line(State(START), **fields)
    with pytest.raises(KibitzError, match=words):
        read_board(text)
    assert say(text).startswith("Error: ")


def test_a_game_that_is_over_is_no_question() -> None:
    with pytest.raises(KibitzError, match="over"):
        read_board(line(State(Position.of({}, {1: 1}))))


def test_words_of_the_server() -> None:
    assert say("") == ""
    assert say("   ") == ""
    assert say("VERSION").splitlines()[0] == "Interface: 2"
    assert "evaluation fibsboard" in say("help")
    assert say("nonsense here") == "Error: there is no command 'nonsense'\n"
    conversation = GnubgConversation(Answerer(ENGINE, Limits(line_bytes=400)))
    assert conversation.answer("exit") is None
    assert conversation.answer("QUIT") is None
    assert conversation.too_long() == "Error: a line has at most 400 bytes\n"
