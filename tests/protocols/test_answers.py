"""The engine within limits: how deep, how long, stopped by whom, and the same answers as everywhere."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from typer.testing import CliRunner

from kibitz import Cancellation, Dice, Engine, MatchState, Offer, Position, State
from kibitz.cli import app
from kibitz.decision import CubeDecision, PlayDecision, ResignationDecision
from kibitz.errors import EngineError
from kibitz.move import Move
from kibitz.play.players import EnginePlayer
from kibitz.protocols.answers import Answerer, one_line, steps
from kibitz.protocols.bei import BeiConversation
from kibitz.protocols.gnubg_socket import GnubgConversation
from kibitz.protocols.json_lines import answer_line, answers, lines_in
from kibitz.protocols.limits import Limits
from kibitz.protocols.ubgi import UbgiConversation

START = Position.start()
ENGINE = Engine(plies=0, threads=1)
AHEAD = Position.of({1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 2}, {8: 2, 7: 3, 6: 3, 5: 3, 4: 2, 3: 2})
ROLLED = State(START, dice=Dice(3, 1))


class Spy(Engine):
    """An engine that remembers how deep it was asked to look."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.plies: list[int] = []
        self.seconds = 0.0

    def answer(self, state: State, **search: Any) -> Any:
        self.plies.append(search["plies"])
        return super().answer(state, **search)


class Slow(Engine):
    """An engine that thinks until it is stopped, and has nothing by then."""

    def answer(self, state: State, **search: Any) -> Any:
        stopper = search.get("cancellation")
        if search["plies"] == 0:
            return super().answer(state, **search)
        assert stopper is not None
        started = time.monotonic()
        while not stopper.cancelled:
            assert time.monotonic() - started < 10
            time.sleep(0.005)
        raise EngineError("the search was cancelled")


# --- how deep ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "asked", "limit", "expected"), [(0, 5, 1, 1), (0, 1, 3, 1), (1, None, 3, 1), (1, None, 0, 0), (0, 99, 1, 1)]
)
def test_nobody_looks_deeper_than_the_limit(own: int, asked: int | None, limit: int, expected: int) -> None:
    engine = Spy(plies=own, threads=1)
    answerer = Answerer(engine, Limits(plies=limit))
    for state in (ROLLED, State(AHEAD), State(AHEAD, offer=Offer.DOUBLE)):
        answerer.answer(state) if asked is None else answerer.answer(state, plies=asked)
    assert engine.plies == [expected] * 3


@pytest.mark.parametrize(
    "talk",
    [
        lambda answerer: UbgiConversation(answerer).answer("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"),
        lambda answerer: GnubgConversation(answerer).answer(
            "evaluation fibsboard board:A:B:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
            ":1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1 plies 4 cubeful"
        ),
    ],
)
def test_protocols_keep_to_the_limit(talk: Any) -> None:
    engine = Spy(plies=3, threads=1)
    assert talk(Answerer(engine, Limits(plies=0)))
    assert engine.plies == [0]


def test_ubgi_depth_is_cut_to_the_limit() -> None:
    engine = Spy(plies=0, threads=1)
    ubgi = UbgiConversation(Answerer(engine, Limits(plies=1)))
    for line in (f"position gnubgid {START.id}", "dice 3 1", "go role chequer depth 7", "go role cube depth 7"):
        assert not any(said.startswith("error") for said in ubgi.answer(line))
    assert engine.plies == [1, 1]
    assert ubgi.answer("setoption name Plies value 2")[0].startswith("error bad_argument")
    assert ubgi.answer("setoption name Level value grandmaster") == []
    assert ubgi.answer("get engine.ply") == ["value engine.ply 2"]  # grandmaster's 2 plies are cut to 1


# --- how long ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [ROLLED, State(START), State(START, offer=Offer.DOUBLE)])
def test_a_search_that_takes_too_long_is_answered_without_looking_ahead(state: State) -> None:
    answerer = Answerer(Slow(plies=2, threads=1), Limits(think_seconds=0.05))
    found = answerer.answer(state)
    assert not isinstance(found, ResignationDecision)
    assert (found[0].plies if isinstance(found, PlayDecision) else found.plies) == 0
    assert found.to_dict() == ENGINE.answer(state).to_dict()


def test_seconds_can_be_fewer_than_the_limit_and_never_more() -> None:
    for limit, asked in ((10.0, 0.05), (0.05, 10.0)):
        answerer = Answerer(Slow(plies=1, threads=1), Limits(think_seconds=limit))
        started = time.monotonic()
        answerer.answer(ROLLED, seconds=asked)
        assert 0.04 < time.monotonic() - started < 5


def test_a_search_is_stopped_from_elsewhere() -> None:
    cancellation = Cancellation()
    threading.Timer(0.05, cancellation.cancel).start()
    found = Answerer(Slow(plies=1, threads=1), Limits(think_seconds=20)).plays(ROLLED, cancellation=cancellation)
    assert found[0].plies == 0


def test_errors_that_are_no_timeout_stay_errors() -> None:
    over = State(Position.of({}, {1: 1}))
    for plies in (0, 1):
        with pytest.raises(EngineError, match="game is over"):
            Answerer(ENGINE).answer(over, plies=plies)


def test_a_search_that_is_done_is_not_stopped_afterwards() -> None:
    cancellation = Cancellation()
    Answerer(ENGINE, Limits(think_seconds=0.2)).answer(State(AHEAD), plies=1, cancellation=cancellation)
    time.sleep(0.3)
    assert not cancellation.cancelled


# --- the same answers as everywhere -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (ROLLED, PlayDecision),
        (State(AHEAD), CubeDecision),
        (State(AHEAD, offer=Offer.DOUBLE), CubeDecision),
        (State(AHEAD, offer=Offer.RESIGN_GAMMON), ResignationDecision),
    ],
)
def test_answers_are_those_of_the_engine(state: State, kind: type) -> None:
    found = Answerer(ENGINE).answer(state)
    assert isinstance(found, kind)
    assert found.to_dict() == ENGINE.answer(state).to_dict()


def hint(*words: str) -> dict[str, Any]:
    result = CliRunner().invoke(app, ["hint", *words, "--plies", "0", "--json", "--top", "99"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    assert found.pop("engine") == "neural"
    assert found.pop("settings")["plies"] == 0
    return found


@pytest.mark.parametrize(
    "state",
    [
        ROLLED,
        State(START, MatchState(length=7, my_score=2, their_score=4), Dice(6, 4)),
        State(AHEAD, MatchState(length=7, my_score=2, their_score=4)),
        State(AHEAD, offer=Offer.DOUBLE),
    ],
)
def test_json_lines_answer_with_the_dictionary_of_hint(state: State) -> None:
    told = json.loads(json.dumps(answer_line(ENGINE, json.dumps({"id": "x", "position": state.xgid}))))
    assert told.pop("id") == "x"
    assert told == hint(state.xgid)
    assert set(told) == set(ENGINE.answer(state).to_dict())


def test_json_lines_say_which_line_they_answer() -> None:
    lines = [START.id, "", json.dumps(START.id), json.dumps({"position": START.id, "dice": "31", "top": 1})]
    told = [json.loads(line) for line in answers(ENGINE, lines)]
    assert [one["id"] for one in told] == [1, 3, 4]
    assert [one["question"] for one in told] == ["double", "double", "play"]
    assert len(told[2]["plays"]) == 1


def test_json_lines_search_as_they_are_asked() -> None:
    request = {"position": START.id, "dice": [3, 1], "cubeful": False, "plies": 1, "filter": "tiny", "play": "24/20"}
    told = answer_line(ENGINE, json.dumps(request))
    expected = ENGINE.rank(START, "31", cubeful=False, plies=1, filter="tiny", play="24/20")
    assert {key: value for key, value in told.items() if key != "id"} == expected.to_dict()
    assert told["plays"][0]["kind"] == "cubeless"
    timed = answer_line(ENGINE, json.dumps({"position": START.id, "dice": [3, 1], "time": 0.01}))
    assert timed["best"]
    doubled = State(START, offer=Offer.DOUBLE).xgid
    assert answer_line(ENGINE, json.dumps({"position": doubled, "dice": "31"}))["question"] == "play"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"position": 3}, "needs a position"),
        ({}, "needs a position"),
        ({"position": START.id, "depth": 1}, "unknown field 'depth'"),
        ({"position": START.id, "plies": "2"}, "plies is '2'"),
        ({"position": START.id, "plies": True}, "plies is True"),
        ({"position": START.id, "plies": 99}, "plies are 0 to"),
        ({"position": START.id, "dice": "31", "play": [3]}, "play is [3]"),
        ({"position": START.id, "dice": "31", "play": "13/7"}, "13/7"),
        ({"position": START.id, "dice": "31", "top": -1}, "top is -1"),
        ({"position": START.id, "dice": "31", "time": -1}, "time is -1"),
        ({"position": START.id, "dice": 31}, "dice"),
        ({"position": START.id, "cubeful": 1}, "cubeful is 1"),
        ([START.id], "a request is a JSON object, not list"),
    ],
)
def test_bad_requests_are_answered_with_what_is_wrong(request_: object, words: str) -> None:
    told = answer_line(ENGINE, json.dumps(request_), 5)
    assert told["id"] == 5
    assert words in told["error"]["message"]
    assert told["error"]["code"] in ("notation", "engine", "illegal_play")


def test_a_time_that_never_ends_is_refused() -> None:
    line = json.dumps({"position": START.id, "dice": "31"})[:-1] + ', "time": NaN}'
    assert "NaN is no number" in answer_line(ENGINE, line)["error"]["message"]


# --- levels -----------------------------------------------------------------------------------------------------------


def test_every_protocol_plays_at_the_level_it_is_given() -> None:
    player = EnginePlayer(ENGINE, "beginner", seed=5)
    answerer = Answerer(player)
    wrong = 0
    for roll in ("42", "53", "61", "65", "21", "64", "31", "32"):
        dice = Dice.of(roll)
        state = State(START, MatchState(), dice)
        chosen = player.choose(ENGINE.rank(state))
        assert chosen is not None
        wrong += chosen.rank > 1
        assert UbgiConversation(answerer).answer(state.xgid) == [steps(chosen.play.moves)]
        numbers = [0] * 45
        for point in range(1, 25):
            numbers[point] = START.mine[point - 1] - START.theirs[24 - point]
        numbers[28:30] = dice.high, dice.low
        numbers[33], numbers[39] = 1, 1
        bei = BeiConversation(answerer)
        bei.answer("bei")
        told = json.loads(bei.answer("move " + ",".join(map(str, numbers))) or "")["Moves"]
        first = [Move(step["From"], step["To"]) for step in told[0]["Play"]]
        assert steps(tuple(first)) == steps(chosen.play.moves)
        assert len({json.dumps(one) for one in told}) == len(told)  # each play once
    assert wrong > 0


def test_the_settings_of_a_level_reach_the_search() -> None:
    engine = Spy(plies=0, threads=1)
    Answerer(EnginePlayer(engine, "master")).answer(State(AHEAD))
    assert engine.plies == [1]


# --- words ------------------------------------------------------------------------------------------------------------


def test_steps_are_single_and_named_as_wanted() -> None:
    moves = (Move(25, 20, True), Move(5, 0))
    assert steps(moves) == "bar/20 5/off"
    assert steps(moves, bar="25", off="0") == "25/20 5/0"


def test_errors_fit_one_line() -> None:
    text = one_line(EngineError("a\nb\x01 ü " + "x" * 300))
    assert text.startswith("a b? ? xxx")
    assert len(text) == 200
    assert text.endswith("...")
    assert one_line(EngineError("x" * 200)) == "x" * 200
    assert one_line(EngineError("x" * 201)) == "x" * 197 + "..."


def test_states_are_left_as_they_are() -> None:
    """A double to be answered is answered at the cube as it stands, seen by the doubler."""
    state = State(AHEAD, offer=Offer.DOUBLE)
    found = Answerer(ENGINE).cube(state)
    assert found.state == state
    assert not found.take
    assert Answerer(ENGINE).cube(replace(state, position=START)).take


@pytest.mark.parametrize(
    "line",
    [
        "[" * 2000,
        '{"a":' * 2000,
        '{"id": "\\ud800", "position": "4HPwATDgc/ABMA"}',
        '{"id": "\\ud800"}',
        '{"position": "\\udfff"}',
        '{"id": NaN, "position": "4HPwATDgc/ABMA"}',
        '{"id": 1e999, "position": "4HPwATDgc/ABMA"}',
        '{"position": "4HPwATDgc/ABMA", "dice": "31", "play": [1, null]}',
        '{"position": "4HPwATDgc/ABMA", "dice": [1, null]}',
        '{"position": "4HPwATDgc/ABMA", "dice": {"a": 1}}',
        '{"position": "4HPwATDgc/ABMA", "plies": ' + "9" * 400 + "}",
        '{"position": "4HPwATDgc/ABMA", "top": 1e308}',
        '{"position": "' + "x" * 100_000 + '"}',
        "\ud800 bare",
        "9" * 5000,
    ],
)
def test_no_line_ends_the_stream(line: str) -> None:
    told = list(answers(ENGINE, [line, '{"id": 7, "position": "4HPwATDgc/ABMA", "dice": "31"}']))
    assert len(told) == 2 and json.loads(told[1])["id"] == 7
    assert "error" in json.loads(told[0].encode().decode()) or json.loads(told[0])["id"] == "\ufffd"
    json.loads(told[0], parse_constant=pytest.fail)


def test_bytes_that_are_no_text_and_lines_without_end() -> None:
    stream = BytesIO(b"\xff\xfe\n" + b"x" * 300_000 + b'\n"4HPwATDgc/ABMA"')
    told = [json.loads(one) for one in answers(ENGINE, lines_in(stream))]
    assert ["error" in one for one in told] == [True, True, False]
    assert "at most 65536 bytes" in told[1]["error"]["message"]
