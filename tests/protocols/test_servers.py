from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from kibitz import Dice, Engine, MatchState, Offer, Position, State
from kibitz.arena.gnubg import board_line
from kibitz.cube import Cube, Owner
from kibitz.errors import EngineError, KibitzError
from kibitz.protocols.answers import Answerer
from kibitz.protocols.gnubg_socket import GnubgConversation, read_board
from kibitz.protocols.limits import Limits, LineBuffer
from kibitz.protocols.line_server import LineServer

ENGINE = Engine(plies=0, threads=1)
LIMITS = Limits(clients=2, idle_seconds=5)
EXAMPLE = (
    "board:You:Other:1:0:0:0:-1:-1:0:0:0:5:0:3:0:0:0:-4:5:0:0:0:-4:0:-5:0:0:0:0:2:0"
    ":1:2:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:6:0:0"
)


@pytest.fixture
def server() -> Iterator[LineServer]:
    answerer = Answerer(ENGINE, LIMITS)
    with LineServer(lambda: GnubgConversation(answerer), limits=LIMITS) as running:
        yield running


class Client:
    def __init__(self, server: LineServer) -> None:
        self.socket = socket.create_connection((server.host, server.port), timeout=20)
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def ask(self, line: str, end: bytes = b"\n") -> str:
        self.socket.sendall(line.encode() + end)
        return self.file.readline().decode()


# --- gnubg's lines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "state",
    [
        State(Position.start(), MatchState(), Dice(3, 1)),
        State(
            Position.start(), MatchState(length=7, my_score=2, their_score=5, cube=Cube(2, Owner.THEIRS)), Dice(6, 6)
        ),
        State(Position.start(), MatchState(length=7, my_score=6, their_score=5, crawford=True), Dice(2, 1)),
        State(Position.of({25: 2, 6: 5}, {25: 1, 3: 7}), MatchState(cube=Cube(4, Owner.MINE))),
    ],
)
def test_what_we_ask_gnubg_we_can_read(state: State) -> None:
    assert read_board(board_line(state)) == state


def test_take_questions_are_read_too() -> None:
    match = MatchState(length=7, my_score=2, their_score=5, cube=Cube(2, Owner.MINE))
    question = read_board(board_line(State(Position.start(), match, offer=Offer.DOUBLE)))
    assert question.offer is Offer.DOUBLE
    assert question.match == match


def test_a_line_for_the_other_player_is_seen_by_that_player() -> None:
    """As gnubg sends it when its player 0 is on roll: still seen by player 1, with turn -1."""
    fields = EXAMPLE.split(":")
    fields[32] = "-1"
    fields[3:6] = ["5", "1", "2"]
    question = read_board(":".join(fields))
    assert question.position == read_board(EXAMPLE).position.swapped()
    assert (question.match.my_score, question.match.their_score) == (1, 2)


def test_a_mailing_list_example(server: LineServer) -> None:
    with Client(server) as client:
        answer = client.ask(EXAMPLE)
    position = read_board(EXAMPLE).position
    assert position.play(answer, "21") in {play.result for play in position.plays("21")}


def test_gnubg_ends_its_lines_with_lf_and_nul(server: LineServer) -> None:
    with Client(server) as client:
        for _ in range(3):
            assert client.ask(board_line(State(Position.start(), MatchState(), Dice(3, 1))), b"\n\0") == "8/5 6/5\n"
        assert client.ask(board_line(State(Position.start(), MatchState())), b"\n\0") == "roll\n"
        assert client.ask(board_line(State(Position.start(), MatchState(), offer=Offer.DOUBLE)), b"\n\0") == "take\n"


def test_evaluations_are_six_numbers(server: LineServer) -> None:
    line = board_line(State(Position.start(), MatchState()))
    with Client(server) as client:
        cubeless = client.ask(f"evaluation fibsboard {line} plies 0 cubeless prune on jacobyrule no").split()
        cubeful = client.ask(f"evaluation fibsboard {line} plies 0 cubeful jacobyrule no").split()
        match = board_line(State(Position.start(), MatchState(length=5, my_score=4, their_score=1)))
        chance = client.ask(f"evaluation fibsboard {match} plies 0 cubeful").split()
    evaluation = ENGINE.evaluate(Position.start())
    assert [float(word) for word in cubeless] == pytest.approx([*evaluation.to_dict().values()], abs=1e-5)
    money = ENGINE.cube(Position.start(), match=MatchState(jacoby=False))
    assert float(cubeful[5]) == pytest.approx(money.no_double, abs=1e-5)
    assert 0.6 < float(chance[5]) < 1


def test_version_and_exit(server: LineServer) -> None:
    with Client(server) as client:
        assert client.ask("version") == "Interface: 2\n"
        assert [client.file.readline() for _ in range(3)][1] == b"Engine: Kibitz\n"
        assert client.ask("exit") == ""


@pytest.mark.parametrize(
    "line", ["board:", EXAMPLE + ":1", EXAMPLE[:-4], EXAMPLE.replace(":25:", ":x:"), "nonsense", "set a b"]
)
def test_bad_lines_get_an_error_and_the_connection_lives_on(server: LineServer, line: str) -> None:
    with Client(server) as client:
        assert client.ask(line).startswith("Error: ")
        assert client.ask(EXAMPLE)


# --- limits -----------------------------------------------------------------------------------------------------------


def test_a_line_that_is_too_long_is_thrown_away(server: LineServer) -> None:
    with Client(server) as client:
        assert client.ask("x" * 5000).startswith("Error: a line has at most")
        assert client.ask("version").startswith("Interface")
        client.socket.setblocking(True)


def test_a_flood_closes_the_connection() -> None:
    answerer = Answerer(ENGINE, Limits(flood_bytes=10_000))
    with (
        LineServer(lambda: GnubgConversation(answerer), limits=answerer.limits) as server,
        Client(server) as client,
        contextlib.suppress(OSError),
    ):
        client.socket.sendall(b"x" * 500_000)
        assert client.file.readline() == b""


def test_only_so_many_clients(server: LineServer) -> None:
    with Client(server) as first, Client(server) as second:
        assert first.ask("version") and second.ask("version")
        with Client(server) as third:
            assert third.file.readline().startswith(b"Error: there are 2 clients already")
            assert third.file.readline() == b""
    until = time.monotonic() + 10
    while time.monotonic() < until:  # both have gone when the server has noticed
        with Client(server) as fourth, contextlib.suppress(OSError):
            if fourth.ask("version").startswith("Interface"):
                return
    raise AssertionError("there is no place for a client after others have gone")


def test_the_idle_are_left() -> None:
    answerer = Answerer(ENGINE, Limits(idle_seconds=0.2))
    with LineServer(lambda: GnubgConversation(answerer), limits=answerer.limits) as server, Client(server) as client:
        assert client.file.readline() == b""


def test_a_byte_now_and_then_is_no_line() -> None:
    answerer = Answerer(ENGINE, Limits(idle_seconds=0.3))
    with LineServer(lambda: GnubgConversation(answerer), limits=answerer.limits) as server, Client(server) as client:
        client.socket.settimeout(0.05)
        started = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - started < 10:
                client.socket.sendall(b"x")
                with contextlib.suppress(TimeoutError):
                    if not client.socket.recv(10):
                        break
        assert time.monotonic() - started < 5


def test_too_many_open_files_end_no_server(server: LineServer) -> None:
    """It goes on when there is room again."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    waiting = socket.socket()
    waiting.settimeout(20)
    files = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[0], 512), before[1]))
        with contextlib.suppress(OSError):
            while True:
                files.append(os.open("/dev/null", os.O_RDONLY))
        waiting.connect((server.host, server.port))  # the system takes it; the server cannot
        waiting.sendall(b"version\n")
        time.sleep(0.3)
    finally:
        for file in files:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert waiting.recv(100).startswith(b"Interface")
    waiting.close()


def test_closing_waits_for_those_who_think() -> None:
    answerer = Answerer(Engine(plies=4, threads=1), Limits(plies=4))
    server = LineServer(lambda: GnubgConversation(answerer), limits=answerer.limits)
    with server, Client(server) as client:
        client.socket.sendall(f"{EXAMPLE}\n".encode())
        while not answerer.is_thinking:
            time.sleep(0.01)
        started = time.monotonic()
        answerer.stop()
        server.close()
        assert not server.clients and time.monotonic() - started < 5


@pytest.mark.parametrize("talk", ["gnubg", "ubgi", "idle"])
def test_ctrl_c_ends_a_server_in_peace(talk: str) -> None:
    """While it thinks, and with a client who says nothing: no abort, and no word about leaks."""
    options = ["ubgi"] if talk == "ubgi" else ["gnubg", "--port", "0"]
    words = ["serve", *options, "--plies", "4", "--max-plies", "4", "--threads", "1"]
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *words]
    pipe = subprocess.PIPE
    client = None
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        if talk == "ubgi":
            process.stdin.write(b"ubgi\nposition gnubgid 4HPwATDgc/ABMA\ndice 6 1\ngo role chequer\n")
            process.stdin.flush()
            while b"ubgiok" not in process.stdout.readline():
                pass
        else:
            port = int(process.stderr.readline().split()[2].rpartition(b":")[2].rstrip(b";"))
            client = socket.create_connection(("127.0.0.1", port), timeout=20)
            client.sendall(b"" if talk == "idle" else f"{EXAMPLE}\n".encode())
        until = time.monotonic() + (0.7 if talk == "idle" else 1.5)
        while time.monotonic() < until and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    if client is not None:
        client.close()
    assert process.returncode in (0, 130), errors
    assert b"leak" not in errors and b"Fatal" not in errors and b"Traceback" not in errors


def test_only_this_machine_by_default(server: LineServer) -> None:
    assert server.host == "127.0.0.1"


def test_a_port_in_use_is_an_error(server: LineServer) -> None:
    with pytest.raises(EngineError, match="cannot listen"):
        LineServer(lambda: GnubgConversation(Answerer(ENGINE)), port=server.port)


def test_lines_come_out_whole_however_they_come_in() -> None:
    buffer = LineBuffer(Limits(line_bytes=256))
    found: list[str | None] = []
    for byte in b"one\n\0two\r\n" + 300 * b"x" + b"\nthree\n":
        found += buffer.feed(bytes([byte]))
    assert found == ["one", "two", None, "three"]
    assert LineBuffer(Limits()).feed(b"a\nb\nc") == ["a", "b"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"line_bytes": 255},
        {"line_bytes": 400, "flood_bytes": 399},
        {"clients": 0},
        {"idle_seconds": 0},
        {"think_seconds": 0},
        {"plies": -1},
    ],
)
def test_limits_have_limits(wrong: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        Limits(**wrong)


def test_limits_may_be_as_tight_as_they_get() -> None:
    tight = Limits(line_bytes=256, flood_bytes=256, clients=1, idle_seconds=0.5, think_seconds=0.5, plies=0)
    assert tight.plies == 0
    usual = Limits()
    assert (usual.line_bytes, usual.flood_bytes, usual.clients, usual.plies) == (2048, 1 << 20, 8, 3)
    assert (usual.idle_seconds, usual.think_seconds) == (600.0, 30.0)


def test_a_line_of_exactly_the_limit_is_read_and_one_byte_more_is_not() -> None:
    limits = Limits(line_bytes=256, flood_bytes=1000)
    assert LineBuffer(limits).feed(b"x" * 256 + b"\n") == ["x" * 256]
    assert LineBuffer(limits).feed(b"x" * 257 + b"\ny\n") == [None, "y"]
    buffer = LineBuffer(limits)
    assert buffer.feed(b"x" * 200) == []
    assert buffer.feed(b"x" * 57) == []
    assert buffer.feed(b"\nz\n") == [None, "z"]


def test_a_flood_is_noticed_at_its_limit_and_counted_by_line() -> None:
    limits = Limits(line_bytes=256, flood_bytes=1000)
    buffer = LineBuffer(limits)
    for _ in range(3):
        assert buffer.feed(b"x" * 1000 + b"\n") == [None]
        assert not buffer.flooded
    assert buffer.feed(b"x" * 600) == []
    assert buffer.feed(b"x" * 400) == []
    assert not buffer.flooded
    assert buffer.feed(b"x") == []
    assert buffer.flooded


def test_bad_boards_are_refused() -> None:
    for text in (
        "board:a:b" + ":0" * 50,
        "board:a:b" + ":1" * 50,
        "board:a:b" + ":99999" * 50,
        EXAMPLE.replace(":5:", ":15:"),
    ):
        with pytest.raises(KibitzError):
            read_board(text)
