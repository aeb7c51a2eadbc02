"""`kibitz.Client` has the methods of `Engine`, and its answers are equal to the engine's."""

from __future__ import annotations

import inspect
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from kibitz import (
    Cancellation,
    Client,
    CubeDecision,
    Engine,
    MatchState,
    Offer,
    Owner,
    Position,
    Rollout,
    State,
    parse,
    review,
)
from kibitz.arena.rules import ArenaRules
from kibitz.arena.specs import PlayerSpec
from kibitz.cli import app
from kibitz.engine.filters import MoveFilter
from kibitz.errors import EngineError, IllegalPlayError, KibitzError, PositionError
from kibitz.rollout.run import RolloutOptions
from kibitz.rollout.settings import StopRule
from tests.service.running import KEY, START, TURN, Server
from tests.service.test_positions import MATCH, STATES

BOARD = Position.start()


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(plies=1, threads=1)


@pytest.fixture(scope="module")
def remote(server: Server) -> Iterator[Client]:
    client = Client(server.url, key=KEY, plies=1)
    yield client
    client.close()


def test_a_client_has_the_methods_of_an_engine() -> None:
    """Every public method, with the same parameters; models, classes, tables and caches are of the engine alone."""
    own = {"model", "changed", "stopped_by", "fingerprint", "clear_cache", "evaluator_for", "position_class", "value"}
    for name, method in inspect.getmembers(Engine, inspect.isfunction):
        if not name.startswith("_") and name not in own:
            theirs = inspect.signature(getattr(Client, name))
            assert theirs.parameters.keys() == inspect.signature(method).parameters.keys(), name


@pytest.mark.parametrize("text", STATES)
def test_answers_are_equal(engine: Engine, remote: Client, text: str) -> None:
    state = parse(text)
    assert remote.answer(state) == engine.answer(state)
    # JSON has no numbers for a cube that is not available, so what can be read from it is compared.
    near = {owner: CubeDecision.from_dict(one.to_dict()) for owner, one in engine.cubes(state, plies=0).items()}
    assert remote.cubes(state, plies=0) == near
    assert remote.equity(state, plies=0) == engine.equity(state, plies=0)
    assert remote.evaluate(state) == engine.evaluate(state)
    assert remote.roll_values(state, plies=0) == engine.roll_values(state, plies=0)
    assert remote.roll_replies(state, plies=0) == engine.roll_replies(state, plies=0)
    assert (
        remote.cube(state, plies=0, lines=True).taken_evaluation
        == engine.cube(state, plies=0, lines=True).taken_evaluation
    )


def test_plays_cubes_and_resignations_are_equal(engine: Engine, remote: Client) -> None:
    assert remote.rank(BOARD, "31", play="24/20") == engine.rank(BOARD, "31", play="24/20")
    match = MatchState(length=7, my_score=2)
    assert remote.rank(BOARD, "65", match=match, filter="tiny") == engine.rank(BOARD, "65", match=match, filter="tiny")
    assert remote.cube(BOARD, match=match) == engine.cube(BOARD, match=match)
    assert set(remote.cubes(BOARD, owners=[Owner.MINE], plies=0)) == {Owner.MINE}
    state = State(BOARD, match, offer=Offer.RESIGN_SINGLE)
    assert remote.resignation(state) == engine.resignation(state)
    over = Position((0,) * 25, BOARD.theirs)
    assert remote.rank(over, "31") == engine.rank(over, "31")


def test_batches_are_equal(engine: Engine, remote: Client) -> None:
    boards = np.stack([play.result.board for play in BOARD.plays("31")])
    assert np.array_equal(remote.evaluate_batch(boards), engine.evaluate_batch(boards))


def test_a_rollout_is_one_that_can_be_gone_on_with(engine: Engine, remote: Client) -> None:
    seen: list[Rollout] = []
    far = remote.rollout(parse(TURN), preset="roller", top=2, trials=72, seed=3, progress=seen.append)
    near = engine.rollout(parse(TURN), preset="roller", top=2, trials=72, seed=3, threads=1)
    assert far.results == near.results
    assert far.stopped == near.stopped == "trials"
    assert far.extend(108, threads=1).results == near.extend(108, threads=1).results
    wide = MoveFilter.of("0:4:0.1,skip")
    options: RolloutOptions = {"top": 1, "trials": 36, "truncate": 4, "threads": 1, "plies": (1, 0), "filter": wide}
    options |= {"noise": 0.01, "generator": "pcg64"}
    deeper = remote.rollout(parse(TURN), **options)
    assert deeper.results == engine.rollout(parse(TURN), **options).results
    with pytest.raises(EngineError, match="without a rule of seconds"):
        remote.rollout(parse(TURN), stop=StopRule(seconds=5))
    with pytest.raises(EngineError, match="without save"):
        remote.rollout(parse(TURN), save="x")


def test_a_review_is_equal(engine: Engine, remote: Client) -> None:
    far = remote.review("examples/sample.mat", level="fast")
    near = review("examples/sample.mat", level="fast", engine=engine, threads=1)
    assert [one.lost for one in far.decisions] == [one.lost for one in near.decisions]
    assert [far.statistics(player).pr for player in (0, 1)] == [near.statistics(player).pr for player in (0, 1)]
    with pytest.raises(KibitzError, match="cannot read"):
        remote.review("no/such/file")


def test_a_cancelled_search_returns_what_is_done(remote: Client) -> None:
    stop = Cancellation()
    threading.Timer(0.6, stop.cancel).start()
    started = time.monotonic()
    found = remote.rank(BOARD, "66", plies=4, filter="everything", replies=50, cancellation=stop)
    assert time.monotonic() - started < 3
    assert found.best
    with pytest.raises(EngineError, match="cancelled"):
        remote.cube(BOARD, plies=4, cancellation=stop)
    assert remote.rank(BOARD, "31", plies=0, cancellation=Cancellation()).best == "8/5 6/5"


def test_problems_are_raised_as_the_errors_that_they_are(server: Server, remote: Client) -> None:
    with pytest.raises(IllegalPlayError):
        remote.rank(BOARD, "31", play="24/1")
    with pytest.raises(EngineError, match="at most 4 plies"):
        remote.rank(BOARD, "31", plies=7)
    with pytest.raises(PositionError, match="board 0"):
        remote.evaluate_batch(np.full((1, 2, 25), 9, np.uint8))
    with pytest.raises(EngineError, match="the key is not known"):
        Client(server.url, key="wrong").cube(BOARD)
    with pytest.raises(EngineError, match="cannot be reached"):
        Client("http://127.0.0.1:9").cube(BOARD)
    with pytest.raises(EngineError, match="expected the address of a server"):
        Client("127.0.0.1")


def test_an_answer_that_breaks_off_is_an_error_of_ours() -> None:
    """Given a server that dies in the middle of an answer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            line = listener.accept()[0]
            with line:
                line.recv(1 << 16)
                line.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(EngineError, match="ended in the middle of an answer"):
            Client(f"http://127.0.0.1:{listener.getsockname()[1]}").cube(BOARD)
        thread.join()


def test_the_command_line_and_the_arena_ask_a_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_KEY", KEY)
    far = CliRunner().invoke(app, ["hint", START, "31", "--engine", server.url, "--plies", "0"])
    near = CliRunner().invoke(app, ["hint", START, "31", "--plies", "0"])
    assert far.exit_code == 0, far.output
    assert far.stdout.replace(f"{server.url}: ", "neural: ") == near.stdout
    spec = PlayerSpec.parse(f"{server.url},plies=0")
    assert str(spec) == f"{server.url},plies=0"
    player = spec.make(ArenaRules())
    assert player.play(parse(TURN)) == Engine(plies=0, threads=1).rank(parse(TURN))[0].play.result
    assert isinstance(player.double(parse(MATCH)), bool)


def test_a_client_needs_no_extra() -> None:
    """It is plain Python: nothing of the service is imported."""
    source = Path("src/kibitz/client.py").read_text()
    assert "kibitz.service" not in source and "fastapi" not in source
