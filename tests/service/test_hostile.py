"""Hostile input is refused with 4xx, in bounded time and memory, and the server lives on."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import socket
import time
import zlib
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from kibitz.service.protocol import LimitedProtocol
from tests.formats.format_makers import (
    bgf_common_match,
    bgf_file,
    xg_common_match,
    xg_common_records,
    xg_container,
)
from tests.service.load import MB, PEAK, forget_peak, memory
from tests.service.running import KEY, START, TURN, Server
from tests.service.test_positions import check

SAMPLE = Path("examples/sample.mat")
PATHS = (
    "hint",
    "cube",
    "evaluate",
    "plays",
    "matrix",
    "explain",
    "parse",
    "evaluations",
    "rolls",
    "rollouts",
    "tables",
)
VALID = {
    "hint": {"position": TURN, "plies": 0, "top": 2, "play": ["8/5 6/5"], "filter": "normal", "time": 0.01},
    "cube": {"position": START, "plies": 0},
    "evaluate": {"position": START, "plies": 0},
    "plays": {"position": START, "dice": "31"},
    "matrix": {"position": START, "plies": 0, "away": 2},
    "explain": {"position": TURN, "plies": 0, "options": ["24/20"]},
    "compare": {"position": TURN, "play": "24/20"},
    "replies": {"position": START, "plies": 0},
    "parse": {"text": f"some words around {TURN}"},
    "evaluations": {"boards": [[[0] * 24 + [1], [0] * 24 + [1]]]},
    "rolls": {"position": START, "plies": 0},
    "rollouts": {"position": TURN, "trials": 1, "preset": "roller", "settings": {"seed": 1}, "top": 1},
    "tables": {"name": "two-sided-6x3"},
}


def post(client: httpx.Client, path: str, content: bytes, media: str = "application/json") -> httpx.Response:
    return client.post(path, content=content, headers={"content-type": media})


def refused(answer: httpx.Response) -> None:
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text[:300])
    check("Problem", answer.json())


# --- sizes ------------------------------------------------------------------------------------------------------------


def test_a_body_that_is_announced_too_large_is_not_read(client: httpx.Client) -> None:
    answer = client.post("/v1/hint", content=b"x" * (2 * MB))
    refused(answer)
    assert answer.json()["type"] == "/problems/too-large"


def test_a_body_without_an_end_is_counted_while_it_comes(server: Server) -> None:
    """Chunked, so that nothing is announced; the server hangs up soon after the limit."""
    head = (
        f"POST /v1/matches HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {KEY}\r\n"
        "content-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    part = b"100000\r\n" + b"x" * MB + b"\r\n"
    before = memory(server)
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(head.encode())
        sent = 0
        try:
            while sent < 200:
                line.sendall(part)
                sent += 1
        except OSError:
            pass
        line.settimeout(5)
        try:
            answer = line.recv(4096)
        except OSError:
            answer = b""
    assert sent < 200
    assert not answer or b" 413 " in answer
    assert memory(server) < before + 150 * MB


@pytest.mark.parametrize("start", [b"POST /v1/matches?name=", b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: "])
def test_a_name_of_a_hundred_megabytes_gets_nowhere(server: Server, start: bytes) -> None:
    """In the address or in a header: the server hangs up long before it has read all of it."""
    before = memory(server)
    sent = 0
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        try:
            line.sendall(start)
            while sent < 100:
                line.sendall(b"x" * MB)
                sent += 1
        except OSError:
            pass
    assert sent < 100
    assert memory(server) < before + 50 * MB
    assert httpx.get(f"{server.url}/healthz").status_code == 200


def test_a_head_of_the_usual_size_is_read_in_pieces(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        for _ in range(2):  # the second request on the same connection has a head of its own
            for piece in (b"GET /healthz HT", b"TP/1.1\r\nhost: 127.0.", b"0.1\r\nx: " + b"y" * 40_000, b"\r\n\r\n"):
                line.sendall(piece)
                time.sleep(0.02)
            assert line.recv(4096).startswith(b"HTTP/1.1 200")


def test_requests_that_take_for_ever_are_hung_up_on() -> None:
    """Given callers who say nothing, half a head or half a body, the connection ends; one who is quick is answered."""

    class Hasty(LimitedProtocol):
        head_seconds = 0.3
        body_seconds = 0.6

    async def app(_: Any, receive: Any, send: Any) -> None:
        message = await receive()
        while message["type"] == "http.request" and message.get("more_body"):
            message = await receive()
        if message["type"] == "http.request":
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    async def talk(port: int, words: bytes) -> tuple[bytes, float]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        started = time.monotonic()
        writer.write(words)
        answer = await asyncio.wait_for(reader.read(-1), 20)
        writer.close()
        return answer, time.monotonic() - started

    async def run() -> list[tuple[bytes, float]]:
        config = uvicorn.Config(app, http=Hasty, lifespan="off", log_config=None, ws="none")
        config.load()
        state = ServerState()
        listening = await asyncio.get_running_loop().create_server(
            lambda: Hasty(config=config, server_state=state, app_state={}), "127.0.0.1", 0
        )
        port = listening.sockets[0].getsockname()[1]
        head = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\nconnection: close\r\n\r\n"
        words = (b"", head[:30], head + b"12", head + b"12345")
        found = list(await asyncio.gather(*(talk(port, one) for one in words)))
        listening.close()
        return found

    *slow, quick = asyncio.run(run())
    assert quick[0].startswith(b"HTTP/1.1 204")
    assert [answer for answer, _ in slow] == [b""] * 3
    assert all(0.2 < seconds < 10 for _, seconds in slow)


def test_long_names_and_compressed_bodies_are_refused(client: httpx.Client) -> None:
    refused(client.post("/v1/matches", content=SAMPLE.read_bytes(), params={"name": "x" * 3000}))
    packed = gzip.compress(json.dumps(VALID["hint"]).encode())
    answer = client.post("/v1/hint", content=packed, headers={"content-encoding": "gzip"})
    assert answer.json()["type"] == "/problems/unsupported-media"


# --- bombs ------------------------------------------------------------------------------------------------------------


def bombs() -> dict[str, bytes]:
    """Bare streams, and files that are right but for what is in them: some hundred kilobytes that grow to 200 MB."""
    zeros = b"\0" * (200 * MB)
    gzipped = gzip.compress(zeros)
    envelope = bgf_file({})
    return {
        "zlib": zlib.compress(zeros),
        "gzip": gzipped,
        "xg": xg_container({"temp.xg": zeros}),
        "xg comments": xg_container({"temp.xg": b"", "temp.xgc": zeros}),
        "bgf": envelope[: envelope.index(b"\x1f\x8b")] + gzipped,
        "gzip in gzip": gzip.compress(gzipped * 20),
    }


def test_bombs_are_stopped_before_they_burst(client: httpx.Client, server: Server) -> None:
    for name, body in bombs().items():
        forget_peak(server)
        before = memory(server)
        started = time.monotonic()
        refused(post(client, "/v1/matches", body, "application/octet-stream"))
        refused(post(client, "/v1/parse", body[:MB], "application/octet-stream"))
        assert time.monotonic() - started < 10, name
        assert memory(server, PEAK) < before + 150 * MB, name


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"position":' * 50_000,
        b'{"a":' * 900 + b"1" + b"}" * 900,
        b'{"position": "' + b"x" * 900_000 + b'"}',
        b'{"position": "\\ud800"}',
        b'{"position": "\\u0000\\u0000"}',
        b'{"position": "' + "💥".encode() * 1000 + b'"}',
        b'{"position": "4HPwATDgc/ABMA", "plies": 1e400}',
        b'{"position": "4HPwATDgc/ABMA", "plies": ' + b"9" * 5000 + b"}",
        b'{"position": "4HPwATDgc/ABMA", "time": NaN}',
        b'{"position": "4HPwATDgc/ABMA", "time": Infinity}',
        b"\xff\xfe\x00",
        b"",
        b"null",
        b'"x"',
        b'{"position": {"position": {"mine": [1], "theirs": []}}}',
        b'{"position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:99999999999999999999:10"}',
    ],
    ids=range(17),
)
@pytest.mark.parametrize("path", ["hint", "parse", "rollouts", "evaluations"])
def test_strange_json_is_refused(client: httpx.Client, path: str, body: bytes) -> None:
    started = time.monotonic()
    refused(post(client, f"/v1/{path}", body))
    assert time.monotonic() - started < 5


# --- mutations --------------------------------------------------------------------------------------------------------


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The same with some bytes flipped, cut, doubled or strange ones put in."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(found) + 1)
        kind = chance.randrange(5)
        if kind == 0 and found:
            found[place % len(found)] = chance.randrange(256)
        elif kind == 1:
            del found[place : place + chance.randint(1, 20)]
        elif kind == 2:
            found[place:place] = found[max(0, place - 20) : place]
        elif kind == 3:
            found[place:place] = chance.choice(
                [b"\0", b"-1", b"1e999", b"null", b'"', b"[[", b"}}", b"\xff", b"999999"]
            )
        else:
            found = found[:place]
    return bytes(found)


def uploads() -> list[bytes]:
    """Files of several formats, made of the sample."""
    from kibitz.formats import by_name, load

    match = load(SAMPLE)
    written = (by_name(name).write(match)[0] for name in ("json", "sgf"))
    return [SAMPLE.read_bytes(), *written, xg_common_match(), bgf_file(bgf_common_match())]


def repacked(data: bytes, chance: random.Random) -> bytes:
    """A file with its contents mutated inside their compression, so that what is read is damaged and not the stream."""
    if data.startswith(b"RGMH"):
        records = b"".join(bytes(one.data) for one in xg_common_records())
        return xg_container({"temp.xg": mutated(records, chance)})
    place = data.find(b"\x1f\x8b")
    return data[:place] + gzip.compress(mutated(gzip.decompress(data[place:]), chance)) if place > 0 else data


def check_mutations(client: httpx.Client, server: Server, count: int) -> None:
    chance = random.Random(5)
    files = uploads()
    forget_peak(server)
    before = memory(server)
    statuses: dict[int, int] = {}
    for number in range(count):
        started = time.monotonic()
        if number % 4 == 0:
            path, media = "/v1/matches", "application/octet-stream"
            data = chance.choice(files)
            body = mutated(data, chance) if chance.random() < 0.5 else repacked(data, chance)
        else:
            name = chance.choice(PATHS)
            path, media = f"/v1/{name}?estimate=true", "application/json"
            body = mutated(json.dumps(VALID[name]).encode(), chance)
        answer = post(client, path, body, media)
        assert time.monotonic() - started < 10, (path, body)
        assert answer.status_code < 500, (path, body, answer.text)
        if answer.status_code >= 400:
            refused(answer)
        statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
    assert statuses.get(422, 0) > count / 4
    assert memory(server, PEAK) < before + 250 * MB


def test_mutated_bodies_and_uploads_never_break_the_server(client: httpx.Client, server: Server) -> None:
    check_mutations(client, server, 250)


@pytest.mark.slow
def test_ten_thousand_mutated_bodies_and_uploads(client: httpx.Client, server: Server) -> None:
    check_mutations(client, server, 10_000)


def test_garbage_instead_of_http_is_answered_or_hung_up_on(server: Server) -> None:
    for line in (b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"POST /v1/hint HTTP/1.1\r\nhost: a\r\nx" * 9):
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as talk:
            talk.sendall(line + b"\r\n\r\n")
            answer = talk.recv(4096)
            assert not answer or answer[9:10] in b"45"
    assert httpx.get(f"{server.url}/healthz").status_code == 200
