from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator

import pytest

from kibitz import Dice, Engine, MatchState, Position
from kibitz.arena.gnubg import board_line
from kibitz.arena.players import Decision
from kibitz.cube import Cube, Owner
from kibitz.errors import EngineError, KibitzError
from kibitz.protocols.answers import Answerer
from kibitz.protocols.bei import BeiConversation, read_state
from kibitz.protocols.gnubg_socket import GnubgConversation, read_board
from kibitz.protocols.limits import Limits, LineBuffer
from kibitz.protocols.line_server import LineServer

ENGINE = Engine(threads=1)
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
    "decision",
    [
        Decision(Position.start(), MatchState(), Dice(3, 1)),
        Decision(
            Position.start(), MatchState(length=7, my_score=2, their_score=5, cube=Cube(2, Owner.THEIRS)), Dice(6, 6)
        ),
        Decision(Position.start(), MatchState(length=7, my_score=6, their_score=5, crawford=True), Dice(2, 1)),
        Decision(Position.of({25: 2, 6: 5}, {25: 1, 3: 7}), MatchState(cube=Cube(4, Owner.MINE))),
    ],
)
def test_what_we_ask_gnubg_we_can_read(decision: Decision) -> None:
    question = read_board(board_line(decision))
    assert (question.position, question.match, question.dice) == (decision.position, decision.match, decision.dice)
    assert not question.doubled


def test_take_questions_are_read_too() -> None:
    match = MatchState(length=7, my_score=2, their_score=5, cube=Cube(2, Owner.MINE))
    question = read_board(board_line(Decision(Position.start(), match), doubled=True))
    assert question.doubled
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
            assert client.ask(board_line(Decision(Position.start(), MatchState(), Dice(3, 1))), b"\n\0") == "8/5 6/5\n"
        assert client.ask(board_line(Decision(Position.start(), MatchState())), b"\n\0") == "roll\n"
        assert client.ask(board_line(Decision(Position.start(), MatchState()), doubled=True), b"\n\0") == "take\n"


def test_evaluations_are_six_numbers(server: LineServer) -> None:
    line = board_line(Decision(Position.start(), MatchState()))
    with Client(server) as client:
        cubeless = client.ask(f"evaluation fibsboard {line} plies 0 cubeless prune on jacobyrule no").split()
        cubeful = client.ask(f"evaluation fibsboard {line} plies 0 cubeful jacobyrule no").split()
        match = board_line(Decision(Position.start(), MatchState(length=5, my_score=4, their_score=1)))
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
        with Client(server) as third, contextlib.suppress(OSError):
            assert third.ask("version") == ""
    time.sleep(0.3)
    with Client(server) as fourth:
        assert fourth.ask("version")


def test_the_idle_are_left() -> None:
    answerer = Answerer(ENGINE, Limits(idle_seconds=0.2))
    with LineServer(lambda: GnubgConversation(answerer), limits=answerer.limits) as server, Client(server) as client:
        assert client.file.readline() == b""


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


@pytest.mark.parametrize("wrong", [{"line_bytes": 10}, {"clients": 0}, {"idle_seconds": 0}, {"think_seconds": -1}])
def test_limits_have_limits(wrong: dict[str, float]) -> None:
    with pytest.raises(EngineError):
        Limits(**wrong)  # type: ignore[arg-type]


# --- BEI --------------------------------------------------------------------------------------------------------------


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


def test_bei_states_are_read_back() -> None:
    position = Position.of({25: 1, 6: 5}, {25: 2, 4: 3})
    text = bei_state(position, (2, 5), at33=4, at34=2, at35=1, at36=3, at37=7)
    read, match, dice = read_state(text)
    assert (read, dice) == (position, Dice(5, 2))
    assert match == MatchState(length=7, my_score=1, their_score=3, cube=Cube(4, Owner.THEIRS))


def test_bei_doubles() -> None:
    event = bei(f"double {bei_state(Position.start(), at37=7)}")
    assert (event["Type"], event["Double"], event["Take"]) == ("okdouble", False, True)


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


def test_bad_boards_are_refused() -> None:
    for text in (
        "board:a:b" + ":0" * 50,
        "board:a:b" + ":1" * 50,
        "board:a:b" + ":99999" * 50,
        EXAMPLE.replace(":5:", ":15:"),
    ):
        with pytest.raises(KibitzError):
            read_board(text)
