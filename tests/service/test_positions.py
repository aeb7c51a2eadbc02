"""Questions about positions: what the service answers is what the engine answers, in the shape that is documented."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

import httpx
import jsonschema  # type: ignore[import-untyped]
import numpy as np
import pytest

import kibitz
from kibitz import ALL_ROLLS, Engine, MatchState, Offer, Position, State, parse
from kibitz.engine.matrix import matrix
from kibitz.service.schemas import SCHEMAS
from tests.service.running import KEY, START, TURN, Server, events

MATCH = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:61:3:2:0:7:10"
TAKE = "XGID=-a----E-C---eE---c-e----B-:0:0:1:D:0:0:3:0:10"
ROWS = {"mine": list(Position.start().mine), "theirs": list(Position.start().theirs)}
STATES = [TURN, MATCH, TAKE, START, "XGID=---a-C-C------------c-bcb-:0:0:1:00:2:1:0:5:10"]


def check(name: str, data: Any) -> None:
    """Hold an answer against its schema."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    jsonschema.Draft202012Validator(schema).validate(data)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(plies=2, threads=1)


def asked(client: httpx.Client, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


# --- hints and cubes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", STATES)
@pytest.mark.parametrize("plies", [0, 1])
def test_a_hint_is_the_engines_answer_to_the_digit(client: httpx.Client, engine: Engine, text: str, plies: int) -> None:
    data = asked(client, "/v1/hint", position=text, plies=plies)
    check("Decision", data)
    assert data == json.loads(json.dumps(engine.answer(parse(text), plies=plies).to_dict()))


def test_a_resignation_is_answered_too(client: httpx.Client, engine: Engine) -> None:
    state = State(Position.start(), MatchState(length=5), offer=Offer.RESIGN_GAMMON)
    data = asked(client, "/v1/hint", position=state.to_dict(), plies=0)
    check("ResignationDecision", data)
    assert data == json.loads(json.dumps(engine.answer(state, plies=0).to_dict()))


def test_a_state_may_be_written_out_with_what_is_usual_left_out(client: httpx.Client) -> None:
    rows = list(Position.start().mine)
    data = asked(client, "/v1/hint", position={"position": {"mine": rows, "theirs": rows}}, dice=[3, 1], plies=0, top=2)
    assert data["best"] == "8/5 6/5"
    assert len(data["plays"]) == 2


def test_named_plays_get_the_deepest_look(client: httpx.Client) -> None:
    data = asked(client, "/v1/hint", position=TURN, plies=1, play=["24/20"], filter="tiny")
    found = next(one for one in data["plays"] if one["play"] == "24/20")
    assert found["plies"] == 1


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"position": "nonsense"}, "invalid-notation"),
        ({"position": TURN, "play": "24/1"}, "illegal-play"),
        ({"position": START, "play": "24/20"}, "invalid-notation"),
        ({"position": "XGID=-P----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"}, "invalid-position"),
        ({"position": TURN, "plies": 7}, "budget-exceeded"),
        ({"position": TURN, "plies": 9}, "invalid-request"),
        ({"position": TURN, "pleis": 1}, "invalid-request"),
        ({"position": TURN, "filter": "no such"}, "refused"),
        ({"position": TURN, "level": "deep", "plies": 1}, "refused"),
        ({"position": TURN, "level": "no such"}, "refused"),
        ({"position": TURN, "filter": "0:99999999999999999999:0.1"}, "refused"),
        ({"position": {"position": ROWS, "match": {"max_cube": 1 << 40}}}, "invalid-request"),
        ({"position": {"position": ROWS, "match": {"length": 99}}}, "refused"),
        ({"position": TURN, "time": -1}, "invalid-request"),
        ({}, "invalid-request"),
        ([], "invalid-request"),
    ],
)
def test_what_cannot_be_answered_is_a_problem_of_its_type(client: httpx.Client, body: Any, kind: str) -> None:
    answer = client.post("/v1/hint", json=body)
    data = answer.json()
    check("Problem", data)
    assert (answer.status_code, data["type"]) == (422, f"/problems/{kind}")


def test_a_problem_names_all_that_is_wrong(client: httpx.Client) -> None:
    data = client.post("/v1/hint", json={"position": 5, "plies": "x", "top": 0}).json()
    assert {"/plies", "/top"} <= {one["pointer"] for one in data["errors"]}
    defects = client.post("/v1/hint", json={"position": "XGID=-P----E-C---eE---c-e----P-:0:0:1:31:0:0:1:0:10"}).json()
    assert len(defects["defects"]) >= 1


def test_a_cube_decision_is_the_engines(client: httpx.Client, engine: Engine) -> None:
    for text in (START, MATCH, TAKE):
        data = asked(client, "/v1/cube", position=text, plies=1)
        check("CubeDecision", data)
        state = parse(text)
        expected = engine.cube(State(state.position, state.match, offer=state.offer, turn=state.turn), plies=1)
        assert data == json.loads(json.dumps(expected.to_dict()))


# --- streams ----------------------------------------------------------------------------------------------------------


def test_a_stream_deepens_and_ends_with_exactly_one_final_answer(client: httpx.Client) -> None:
    for path in ("/v1/hint", "/v1/cube"):
        body = {"position": TURN, "plies": 2}
        with client.stream("POST", path, json=body, headers={"accept": "text/event-stream"}) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            found = events(stream)
        assert [name for name, _, _ in found] == ["partial", "partial", "final"]
        levels = [json.loads(data) for _, _, data in found]
        assert [(one["plays"][0] if path == "/v1/hint" else one)["plies"] for one in levels] == [0, 1, 2]
        assert levels[-1] == asked(client, path, **body)


@pytest.mark.parametrize("path", ["evaluate", "rolls", "replies", "matrix", "explain"])
def test_other_questions_deepen_as_well(client: httpx.Client, path: str) -> None:
    body: dict[str, Any] = {"position": MATCH if path == "replies" else TURN, "plies": 1}
    body |= {"away": 2} if path == "matrix" else {}
    with client.stream("POST", f"/v1/{path}", json=body, headers={"accept": "text/event-stream"}) as stream:
        found = events(stream)
    assert [name for name, _, _ in found] == ["partial", "final"]
    shallow, deep = (json.loads(data) for _, _, data in found)
    assert deep == asked(client, f"/v1/{path}", **body)
    assert shallow == asked(client, f"/v1/{path}", **body | {"plies": 0})


def test_a_stream_with_time_ends_in_time(client: httpx.Client) -> None:
    started = time.monotonic()
    body = {"position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:66:0:0:1:0:10", "time": 0.3}
    with client.stream("POST", "/v1/hint", json=body, headers={"accept": "text/event-stream"}) as stream:
        found = events(stream)
    assert time.monotonic() - started < 5
    assert [name for name, _, _ in found].count("final") == 1
    assert found[-1][0] == "final"
    data = asked(client, "/v1/hint", **body)
    check("Decision", data)


def test_a_problem_in_a_stream_is_its_last_event(client: httpx.Client) -> None:
    over = Position.start().to_dict() | {"mine": [0] * 25}
    body = {"position": {"position": over}, "plies": 1}
    with client.stream("POST", "/v1/hint", json=body, headers={"accept": "text/event-stream"}) as stream:
        found = events(stream)
    assert [name for name, _, _ in found] == ["problem"]
    check("Problem", json.loads(found[0][2]))


@pytest.mark.parametrize(
    ("path", "accept"),
    [("hint", "text/event-stream"), ("hint", "application/json"), ("explain", "application/json")],
)
def test_hanging_up_stops_the_work_within_a_tenth_of_a_second(
    server: Server, client: httpx.Client, path: str, accept: str
) -> None:
    """Given a search of many seconds, when the caller closes the connection, then its thread is free at once."""
    body = json.dumps({"position": START, "dice": "66", "plies": 4, "filter": "everything", "replies": 50}).encode()
    head = (
        f"POST /v1/{path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {KEY}\r\naccept: {accept}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(head.encode() + body)
        time.sleep(0.6)
        busy = client.get("/metrics").text
        assert "kibitz_questions_waiting 1" in busy
    started = time.monotonic()
    while "kibitz_questions_waiting 0" not in client.get("/metrics").text:
        assert time.monotonic() - started < 1.0
    # The promise is 0.1 s; machines that run other tests beside are given some more.
    assert time.monotonic() - started < 0.5


# --- evaluations ------------------------------------------------------------------------------------------------------


def test_an_evaluation_is_the_engines(client: httpx.Client, engine: Engine) -> None:
    for plies in (0, 1):
        data = asked(client, "/v1/evaluate", position=MATCH, plies=plies)
        check("Evaluation", data)
        assert data == engine.evaluate(parse(MATCH), plies=plies).to_dict()


def test_batches_of_boards_come_as_json_or_as_octets(client: httpx.Client, engine: Engine) -> None:
    boards = np.stack([play.result.board for roll in ALL_ROLLS for play in Position.start().plays(roll)])
    expected = engine.evaluate_batch(boards)
    data = asked(client, "/v1/evaluations", boards=boards.tolist())
    check("Evaluations", data)
    assert np.array_equal(np.array(data["evaluations"], np.float32), expected)
    octets = {"content-type": "application/octet-stream", "accept": "application/octet-stream"}
    raw = client.post("/v1/evaluations", content=boards.tobytes(), headers=octets)
    assert np.array_equal(np.frombuffer(raw.content, "<f4").reshape(-1, 5), expected)
    assert client.post("/v1/evaluations", content=b"", headers=octets).content == b""


def test_impossible_boards_are_refused(client: httpx.Client) -> None:
    octets = {"content-type": "application/octet-stream"}
    assert client.post("/v1/evaluations", content=b"x" * 50, headers=octets).json()["type"].endswith("invalid-position")
    assert client.post("/v1/evaluations", content=b"x" * 51, headers=octets).json()["type"].endswith("invalid-request")
    assert client.post("/v1/evaluations", json={"boards": [[[99] * 25] * 2]}).status_code == 422
    assert client.post("/v1/evaluations", content=b"{", headers={"content-type": "application/json"}).status_code == 422


def test_rolls_are_worth_what_the_engine_says(client: httpx.Client, engine: Engine) -> None:
    data = asked(client, "/v1/rolls", position=MATCH, plies=0)
    check("Rolls", data)
    assert [one["value"] for one in data["rolls"]] == engine.roll_values(parse(MATCH), plies=0)


def test_a_matrix_holds_the_decision_at_all_scores(client: httpx.Client, engine: Engine) -> None:
    for text in (TURN, START):
        data = asked(client, "/v1/matrix", position=text, plies=0, away=3)
        check("Matrix", data)
        expected = [cell.to_dict() for cell in matrix(engine, parse(text), 3, plies=0)]
        assert data["cells"] == json.loads(json.dumps(expected))


# --- rules, words and pictures ----------------------------------------------------------------------------------------


def test_all_plays_of_a_roll(client: httpx.Client) -> None:
    data = asked(client, "/v1/plays", position=START, dice="31")
    check("Plays", data)
    assert {one["play"] for one in data["plays"]} == {str(play) for play in Position.start().plays("31")}
    refused = client.post("/v1/plays", json={"position": START})
    assert refused.json()["type"] == "/problems/invalid-notation"


def test_two_plays_are_compared(client: httpx.Client) -> None:
    data = asked(client, "/v1/compare", position=START, dice="31", play="8/5 6/5", other="24/20")
    check("Comparison", data)
    assert data["plays"] == ["8/5 6/5", "24/20"]
    assert asked(client, "/v1/compare", position=START, dice="31", play="24/20")["plays"][1] == "24/20"


def test_decisions_are_explained(client: httpx.Client, engine: Engine) -> None:
    data = asked(client, "/v1/explain", position=TURN, options=["24/20"], plies=0)
    check("Explanation", data)
    assert data["words"] == kibitz.explain(TURN, None, "24/20", engine=engine, plies=0).words
    for text, options in ((START, []), (MATCH.replace(":61:", ":00:"), ["double"]), (TAKE, ["pass"])):
        check("Explanation", asked(client, "/v1/explain", position=text, options=options, plies=0))
    assert client.post("/v1/explain", json={"position": TURN, "options": ["24/1"]}).status_code == 422


def test_replies_to_all_rolls(client: httpx.Client, engine: Engine) -> None:
    data = asked(client, "/v1/replies", position=MATCH, plies=0)
    check("Replies", data)
    assert [one["held"] for one in data["replies"]] == [r.held for r in engine.roll_replies(parse(MATCH), plies=0)]


def test_any_notation_and_position_files_are_read(client: httpx.Client) -> None:
    for text in (*STATES, f"look at this: {MATCH} !"):
        data = asked(client, "/v1/parse", text=text)
        check("State", data)
        assert State.from_dict(data) == parse(text)
    octets = {"content-type": "application/octet-stream"}
    sample = Path("examples/sample.mat").read_bytes()
    answer = client.post("/v1/parse", content=sample, headers=octets)
    check("State", answer.json())
    assert client.post("/v1/parse", json={"text": sample.decode()}).json() == answer.json()
    assert client.post("/v1/parse", content=b"\0\1\2", headers=octets).status_code == 422


def test_a_board_is_drawn(client: httpx.Client) -> None:
    drawn = client.get("/v1/board.svg", params={"position": TURN, "play": "8/5 6/5"})
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")
    assert "default-src 'none'" in drawn.headers["content-security-policy"]
    assert client.get("/v1/board.svg", params={"position": START, "play": "8/5"}).status_code == 422
    assert client.get("/v1/board.svg").status_code == 422
