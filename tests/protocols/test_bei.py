"""BEI: 45 numbers in, JSON out."""

from __future__ import annotations

import json

import pytest

import kibitz
from kibitz import Dice, Engine, MatchState, Position, State
from kibitz.cube import Cube, Owner
from kibitz.errors import KibitzError
from kibitz.heuristics import make_ranker
from kibitz.notation import parse_play
from kibitz.play.players import EnginePlayer
from kibitz.protocols.answers import Answerer
from kibitz.protocols.bei import MOST_MOVES, BeiConversation, read_state
from kibitz.protocols.limits import Limits

ENGINE = Engine(plies=0, threads=1)
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
# The player on roll has won the race: double, pass.
AHEAD = Position.of({1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 2}, {8: 2, 7: 3, 6: 3, 5: 3, 4: 2, 3: 2})


def bei_state(position: Position, dice: tuple[int, int] = (0, 0), **slots: int) -> str:
    numbers = [0] * 45
    for point in range(1, 25):
        numbers[point] = position.mine[point - 1] - position.theirs[24 - point]
    numbers[26], numbers[27] = position.mine[24], -position.theirs[24]
    numbers[28], numbers[29] = dice
    numbers[33] = 1
    numbers[37] = 1
    for name, value in slots.items():
        numbers[int(name.removeprefix("at"))] = value
    return ",".join(map(str, numbers))


def bei(line: str, conversation: BeiConversation | None = None) -> dict[str, object]:
    conversation = conversation or BeiConversation(Answerer(ENGINE))
    conversation.answer("bei")
    answer = conversation.answer(line)
    assert answer is not None and answer.endswith("\n")
    event: dict[str, object] = json.loads(answer)
    return event


def test_bei_greets_first() -> None:
    assert BeiConversation(Answerer(ENGINE)).answer("list") is None
    greeting = bei("bei")
    assert greeting["Type"] == "okbei"
    assert greeting["Version"] == 1
    assert bei("list")["Type"] == "oklist"


def test_bei_moves_best_first() -> None:
    event = bei(f"move {bei_state(Position.start(), (3, 1))}")
    assert event["Type"] == "okmove"
    moves = event["Moves"]
    assert isinstance(moves, list)
    assert moves[0] == {"Play": [{"From": 8, "To": 5}, {"From": 6, "To": 5}]}
    entering = Position.of({25: 1, 2: 2}, {6: 2, 24: 1})
    first = bei(f"move {bei_state(entering, (6, 5))}")["Moves"]
    assert isinstance(first, list)
    assert first[0]["Play"][0]["From"] == 26


@pytest.mark.parametrize("name", ["tabula", "ten-factor"])
def test_the_hand_made_engines_answer_over_bei(name: str) -> None:
    ranker = make_ranker(name)
    server = BeiConversation(Answerer(EnginePlayer(ENGINE, ranker=ranker)))
    assert bei("bei", server)["ID"] == {"name": f"Kibitz {name}", "version": kibitz.__version__}
    differs = 0
    for dice in (Dice.of(roll) for roll in ROLLS):
        best = ranker.rank(Position.start(), dice)[0].play
        moves = bei(f"move {bei_state(Position.start(), (dice.high, dice.low))}", server)["Moves"]
        assert isinstance(moves, list)
        text = " ".join(f"{one['From']}/{one['To']}" for one in moves[0]["Play"])
        assert parse_play(text, Position.start(), dice).result == best.result
        differs += best.result != ENGINE.rank(Position.start(), dice)[0].play.result
    assert differs  # it is not the net that plays
    cube = bei(f"double {bei_state(AHEAD)}", server)
    assert (cube["Double"], cube["Take"]) == (False, True)


def test_bei_states_are_read_back() -> None:
    position = Position.of({25: 1, 6: 5}, {25: 2, 4: 3})
    text = bei_state(position, (2, 5), at33=4, at34=2, at35=1, at36=3, at37=7)
    match = MatchState(length=7, my_score=1, their_score=3, cube=Cube(4, Owner.THEIRS))
    assert read_state(text) == State(position, match, Dice(5, 2))


@pytest.mark.parametrize(
    ("position", "slots", "double", "take"),
    [
        (Position.start(), {"at37": 7}, False, True),
        (AHEAD, {"at37": 7}, True, False),
        (AHEAD, {"at37": 7, "at33": 2, "at34": 1}, True, False),
        (AHEAD, {"at37": 7, "at33": 2, "at34": 2}, False, None),  # the cube is the opponent's
        (AHEAD, {"at37": 7, "at35": 3, "at36": 6, "at38": 1}, False, None),  # the Crawford game
        (AHEAD, {"at37": 0, "at39": 1}, True, False),
        (AHEAD, {"at37": 7, "at28": 3, "at29": 1}, True, False),  # dice do not matter here
    ],
)
def test_bei_doubles(position: Position, slots: dict[str, int], double: bool, take: bool | None) -> None:
    event = bei(f"double {bei_state(position, (0, 0), **slots)}")
    assert (event["Type"], event["Double"]) == ("okdouble", double)
    assert take is None or event["Take"] is take
    state = read_state(bei_state(position, (0, 0), **slots))
    assert event["Equity"] == round(ENGINE.cube(State(position, state.match)).equity, 6)


@pytest.mark.parametrize(
    ("slots", "match"),
    [
        ({"at37": 0, "at35": 4, "at36": 9}, MatchState(jacoby=False)),  # points of a money session do not matter
        ({"at37": 0, "at39": 1, "at33": 0}, MatchState(jacoby=True)),
        ({"at37": 64, "at35": 1}, MatchState(length=64, my_score=1)),
        ({"at37": 7, "at35": 6, "at36": 2, "at38": 1}, MatchState(7, 6, 2, crawford=True)),
        ({"at37": 7, "at35": 6, "at36": 2, "at38": 0}, MatchState(7, 6, 2)),
        ({"at37": 7, "at35": 6, "at36": 6, "at38": 1}, MatchState(7, 6, 6)),
        ({"at37": 7, "at35": 6, "at36": 2, "at38": 1, "at33": 2, "at34": 1}, MatchState(7, 6, 2, Cube(2, Owner.MINE))),
        ({"at37": 7, "at33": 2, "at34": 2}, MatchState(7, cube=Cube(2, Owner.THEIRS))),
        ({"at37": 1, "at38": 1}, MatchState(1)),
    ],
)
def test_bei_scores_cubes_and_rules(slots: dict[str, int], match: MatchState) -> None:
    assert read_state(bei_state(Position.start(), (0, 0), **slots)).match == match


@pytest.mark.parametrize(
    "text",
    [
        bei_state(Position.start(), at34=3),
        bei_state(Position.start(), at37=65),
        bei_state(Position.start(), at37=-1),
        bei_state(Position.start(), at33=3),
        bei_state(Position.start(), at1=-20),
        bei_state(Position.start(), at37=7, at35=7),
        bei_state(Position.of({}, {1: 1})),
        bei_state(Position.start()).replace(",5,", ",five,", 1),
        bei_state(Position.start()).replace(",5,", ",123456,", 1),
        bei_state(Position.start(), at43=123456),
        bei_state(Position.start()) + ",0",
    ],
)
def test_bei_states_that_cannot_be(text: str) -> None:
    with pytest.raises(KibitzError):
        read_state(text)


def test_bei_lists_no_more_plays_than_anybody_reads() -> None:
    assert len(Position.start().plays("11")) > MOST_MOVES
    moves = bei(f"move {bei_state(Position.start(), (1, 1))}")["Moves"]
    assert isinstance(moves, list)
    assert len(moves) == MOST_MOVES


def test_bei_bears_off_to_nought() -> None:
    moves = bei(f"move {bei_state(Position.of({6: 1, 5: 1}, {24: 2}), (6, 5))}")["Moves"]
    assert moves == [{"Play": [{"From": 6, "To": 0}, {"From": 5, "To": 0}]}]


def test_bei_ends_before_the_greeting_and_lives_on_after_it() -> None:
    conversation = BeiConversation(Answerer(ENGINE, Limits(line_bytes=300)))
    assert conversation.too_long() is None
    assert conversation.answer("move 1") is None
    assert conversation.answer("  bei  ") is not None
    said = conversation.too_long()
    assert said is not None and said.endswith("\n")
    assert json.loads(said) == {"Type": "failset", "Reason": "a line has at most 300 bytes"}
    listed = json.loads(conversation.answer("list") or "")
    assert listed == {"Type": "oklist", "Options": {}}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("move 1,2,3", "failmove"),
        (f"move {bei_state(Position.start())}", "failmove"),
        (f"move {bei_state(Position.start(), (3, 1), at42=1)}", "failmove"),
        (f"move {bei_state(Position.start(), (9, 1))}", "failmove"),
        ("double x", "faildouble"),
        ("choose 1", "failchoose"),
        ("set a 1", "failset"),
        ("dance", "failset"),
        ("", "failset"),
    ],
)
def test_bei_fails_in_words(line: str, kind: str) -> None:
    event = bei(line)
    assert event["Type"] == kind
    assert event["Reason"]
