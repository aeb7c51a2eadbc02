from __future__ import annotations

import io
import re

import pytest

from kibitz import Engine, MatchState, Position
from kibitz.cube import Cube, Owner
from kibitz.protocols.answers import Answerer
from kibitz.protocols.limits import Limits
from kibitz.protocols.stdio import serve_ubgi
from kibitz.protocols.ubgi import UbgiSession

ENGINE = Engine(threads=1)
START = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
# White has 60 pips and is on roll against 84: double, pass.
AHEAD = Position.of({1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 2}, {8: 2, 7: 3, 6: 3, 5: 3, 4: 2, 3: 2})


@pytest.fixture
def session() -> UbgiSession:
    return UbgiSession(Answerer(ENGINE, Limits()))


def talk(session: UbgiSession, script: str) -> list[str]:
    return [answer for line in script.strip().splitlines() for answer in session.answer(line.strip())]


def last(session: UbgiSession, script: str) -> str:
    return talk(session, script)[-1]


def test_the_handshake(session: UbgiSession) -> None:
    answers = talk(session, "ubgi")
    assert answers[0].startswith("id name Kibitz")
    assert answers[1].startswith("id author")
    assert answers[-1] == "ubgiok"
    options = {line.split()[2] for line in answers if line.startswith("option name")}
    assert {"Threads", "Seed", "Deterministic", "EvalMode"} <= options
    assert talk(session, "isready") == ["readyok"]


def test_a_play(session: UbgiSession) -> None:
    answers = talk(session, f"newgame\nposition gnubgid {START}\ndice 3 1\ngo role chequer")
    assert answers[-1] == "bestmove 8/5 6/5"
    assert answers[-2] == f"bestmoveid {Position.start().play('8/5 6/5').id}"
    assert re.fullmatch(r"eval eq -?\d\.\d+ pwin \d\.\d+ pgammon \d\.\d+ pbg \d\.\d+", answers[0])


@pytest.mark.parametrize("line", ["go", "go chequer", "go role chequer depth 0", "go role chequer movetime 50 nodes 5"])
def test_the_ways_to_ask_for_a_play(session: UbgiSession, line: str) -> None:
    assert last(session, f"position gnubgid {START}\ndice 1 3\n{line}") == "bestmove 8/5 6/5"


def test_deeper_and_interrupted(session: UbgiSession) -> None:
    answer = last(session, f"setoption name Plies value 1\nposition gnubgid {START}\ndice 3 1\ngo role chequer")
    assert answer == "bestmove 8/5 6/5"
    assert talk(session, "stop") == []


def test_no_legal_play(session: UbgiSession) -> None:
    closed = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))
    assert last(session, f"position gnubgid {closed.id}\ndice 6 6\ngo role chequer") == "bestmove pass"


def test_bar_and_off_are_words(session: UbgiSession) -> None:
    entering = Position.of({25: 1, 2: 2}, {6: 2, 24: 1})
    assert last(session, f"position gnubgid {entering.id}\ndice 6 5\ngo role chequer").startswith("bestmove bar/")
    bearing = Position.of({6: 1, 5: 1}, {24: 2})
    assert last(session, f"position gnubgid {bearing.id}\ndice 6 5\ngo role chequer") == "bestmove 6/off 5/off"


def test_the_cube(session: UbgiSession) -> None:
    assert last(session, f"position gnubgid {START}\ngo role cube") == "bestcube nodouble"
    assert last(session, f"position gnubgid {AHEAD.id}\ngo role cube") == "bestcube double"
    assert last(session, f"setcube value 2 owner p1\nposition gnubgid {AHEAD.id}\ngo role cube") == "bestcube nodouble"
    owned = ENGINE.cube(AHEAD, match=MatchState(cube=Cube(2, Owner.MINE)))
    answer = talk(session, f"setcube value 2 owner p0\nposition gnubgid {AHEAD.id}\ngo role cube")
    assert f"eq {owned.equity:.6f}" in answer[0]
    assert answer[1] == f"bestcube {'double' if owned.double else 'nodouble'}"
    assert last(session, f"setturn p1\nposition gnubgid {AHEAD.id}\ngo role cube") == "bestcube nodouble"


def test_a_whole_turn(session: UbgiSession) -> None:
    first = last(session, f"position gnubgid {START}\ndice 3 1\ngo role turn")
    assert first == f"bestturn cube=nodouble moveid={Position.start().play('8/5 6/5').id} move=8/5 6/5"
    assert last(session, f"position gnubgid {AHEAD.id}\ndice 3 1\ngo role turn") == "bestturn cube=double"
    assert last(session, f"position gnubgid {AHEAD.id}\ngo role turn") == "bestcube double"


def test_takes_and_drops_by_xgid(session: UbgiSession) -> None:
    assert last(session, f"position xgid {XGID.replace(':31:', ':D:')}\ngo role cube") == "bestcube take"
    dropped = AHEAD.xgid().replace(":00:", ":D:")
    assert last(session, f"position xgid {dropped}\ngo role cube") == "bestcube drop"


def test_xgid_brings_its_dice(session: UbgiSession) -> None:
    assert last(session, f"position xgid {XGID}\ngo role chequer") == "bestmove 8/5 6/5"
    assert last(session, f"position xgid {XGID.removeprefix('XGID=')}\ngo role chequer") == "bestmove 8/5 6/5"


def test_match_scores_reach_the_engine(session: UbgiSession) -> None:
    """At each score and cube, the same decision as the engine's own."""
    for my_score, their_score in ((0, 0), (3, 5), (6, 2), (2, 6)):
        script = f"newsession type match length 7 crawford off\nsetscore {my_score} {their_score}\nsetturn p0"
        match = MatchState(length=7, my_score=my_score, their_score=their_score)
        expected = ENGINE.cube(AHEAD.swapped().swapped(), match=match)
        answer = last(session, f"{script}\nposition gnubgid {AHEAD.id}\ngo role cube")
        assert answer == f"bestcube {'double' if expected.double else 'nodouble'}"
    crawford = "newsession type match length 7\nsetscore 5 6\nsetturn p0"
    assert last(session, f"{crawford}\nposition gnubgid {AHEAD.id}\ngo role cube") == "bestcube nodouble"


def test_owner_and_turn_are_absolute(session: UbgiSession) -> None:
    match = MatchState(length=5, my_score=1, their_score=3, cube=Cube(2, Owner.MINE))
    script = "newsession type match length 5\nsetscore 3 1\nsetcube value 2 owner p1\nsetturn p1"
    answer = talk(session, f"{script}\nposition gnubgid {START}\ngo role cube")[0]
    assert f"eq {ENGINE.cube(Position.start(), match=match).equity:.6f}" in answer


def test_cubeless_mode(session: UbgiSession) -> None:
    script = f"setoption name EvalMode value cubeless\nposition gnubgid {START}\ndice 3 1\ngo role chequer"
    expected = ENGINE.rank(Position.start(), "31", cubeful=False)[0].equity
    assert f"eq {expected:.6f}" in talk(session, script)[0]


def test_keys_of_the_newer_draft(session: UbgiSession) -> None:
    assert all(line.startswith("key ") for line in talk(session, "keys"))
    assert talk(session, "set engine.ply 2\nget engine.ply") == ["value engine.ply 2"]
    assert talk(session, "get game.variant") == ["value game.variant backgammon"]
    assert talk(session, "set game.variant backgammon\nset engine.eval_mode cubeless") == []


def test_bare_positions_of_the_older_draft(session: UbgiSession) -> None:
    fibs = Position.start()
    assert talk(session, XGID) == ["8/5 6/5"]
    assert talk(session, XGID.replace(":31:", ":00:")) == ["roll"]
    assert talk(session, XGID.replace(":31:", ":D:")) == ["take"]
    assert talk(session, AHEAD.xgid()) == ["double"]
    from kibitz import Dice, State

    assert talk(session, State(fibs, dice=Dice(3, 1)).fibs) == ["8/5 6/5"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("frobnicate", "unknown_command"),
        ("go role chequer", "missing_context"),
        ("go role magic", "bad_argument"),
        ("go role chequer depth", "bad_argument"),
        ("go role chequer depth x", "bad_argument"),
        ("position gnubgid xxx", "bad_argument"),
        ("position fen 123", "bad_argument"),
        ("position xgid nonsense", "bad_argument"),
        ("dice 0 7", "bad_argument"),
        ("dice 3", "bad_argument"),
        ("setoption name Magic value 3", "unsupported_feature"),
        ("setoption name Threads value -1", "bad_argument"),
        ("setoption Threads 1", "bad_argument"),
        ("newsession type duel", "bad_argument"),
        ("newsession type match", "bad_argument"),
        ("newsession type money jacoby maybe", "bad_argument"),
        ("setscore 1", "bad_argument"),
        ("setscore -1 0", "bad_argument"),
        ("setcube value 3 owner p0", "bad_argument"),
        ("setcube value 2 owner me", "bad_argument"),
        ("setturn p2", "bad_argument"),
        ("set engine.magic 1", "unsupported_feature"),
        ("get nothing", "unsupported_feature"),
        ("XGID=rubbish", "bad_argument"),
        ("board:You:Me", "bad_argument"),
    ],
)
def test_bad_lines_get_an_error_and_the_session_lives_on(session: UbgiSession, line: str, code: str) -> None:
    [answer] = session.answer(line)
    assert answer.startswith(f"error {code} ")
    assert talk(session, "isready") == ["readyok"]


def test_over_standard_input_and_output() -> None:
    text = f"ubgi\n\nposition gnubgid {START}\ndice 3 1\ngo role chequer\n{'x' * 5000}\nisready\nquit\nisready\n"
    out = io.BytesIO()
    limits = Limits()
    serve_ubgi(UbgiSession(Answerer(ENGINE, limits)), io.BytesIO(text.encode()), out, limits)
    lines = out.getvalue().decode().splitlines()
    assert lines[-3] == "bestmove 8/5 6/5"
    assert lines[-2] == "error bad_argument a line has at most 2048 bytes"
    assert lines[-1] == "readyok"
