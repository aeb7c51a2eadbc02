from __future__ import annotations

import io
import re
import threading
import time
from typing import Any

import pytest

from kibitz import Engine, MatchState, Offer, Position, State
from kibitz.cube import Cube, Owner
from kibitz.errors import EngineError
from kibitz.play.players import EnginePlayer
from kibitz.protocols.answers import Answerer
from kibitz.protocols.limits import Limits
from kibitz.protocols.stdio import serve_ubgi
from kibitz.protocols.ubgi import UbgiConversation

ENGINE = Engine(plies=0, threads=1)
START = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
# White has 60 pips and is on roll against 84: double, pass.
AHEAD = Position.of({1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 2}, {8: 2, 7: 3, 6: 3, 5: 3, 4: 2, 3: 2})


@pytest.fixture
def session() -> UbgiConversation:
    return UbgiConversation(Answerer(ENGINE, Limits()))


def talk(session: UbgiConversation, script: str) -> list[str]:
    return [answer for line in script.strip().splitlines() for answer in session.answer(line.strip())]


def last(session: UbgiConversation, script: str) -> str:
    return talk(session, script)[-1]


def test_the_handshake(session: UbgiConversation) -> None:
    answers = talk(session, "ubgi")
    assert answers[0].startswith("id name Kibitz")
    assert answers[1].startswith("id author")
    assert answers[-1] == "ubgiok"
    options = {line.split()[2] for line in answers if line.startswith("option name")}
    assert {"Threads", "Seed", "Deterministic", "EvalMode"} <= options
    assert talk(session, "isready") == ["readyok"]


def test_a_play(session: UbgiConversation) -> None:
    answers = talk(session, f"newgame\nposition gnubgid {START}\ndice 3 1\ngo role chequer")
    assert answers[-1] == "bestmove 8/5 6/5"
    assert answers[-2] == f"bestmoveid {Position.start().play('8/5 6/5').id}"
    assert re.fullmatch(r"eval eq -?\d\.\d+ pwin \d\.\d+ pgammon \d\.\d+ pbg \d\.\d+", answers[0])


@pytest.mark.parametrize("line", ["go", "go chequer", "go role chequer depth 0", "go role chequer movetime 50 nodes 5"])
def test_the_ways_to_ask_for_a_play(session: UbgiConversation, line: str) -> None:
    assert last(session, f"position gnubgid {START}\ndice 1 3\n{line}") == "bestmove 8/5 6/5"


def test_deeper_and_interrupted(session: UbgiConversation) -> None:
    answer = last(session, f"setoption name Plies value 1\nposition gnubgid {START}\ndice 3 1\ngo role chequer")
    assert answer == "bestmove 8/5 6/5"
    assert talk(session, "stop") == []


def test_no_legal_play(session: UbgiConversation) -> None:
    closed = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))
    assert last(session, f"position gnubgid {closed.id}\ndice 6 6\ngo role chequer") == "bestmove pass"


def test_bar_and_off_are_words(session: UbgiConversation) -> None:
    entering = Position.of({25: 1, 2: 2}, {6: 2, 24: 1})
    assert last(session, f"position gnubgid {entering.id}\ndice 6 5\ngo role chequer").startswith("bestmove bar/")
    bearing = Position.of({6: 1, 5: 1}, {24: 2})
    assert last(session, f"position gnubgid {bearing.id}\ndice 6 5\ngo role chequer") == "bestmove 6/off 5/off"


def test_the_cube(session: UbgiConversation) -> None:
    assert last(session, f"position gnubgid {START}\ngo role cube") == "bestcube nodouble"
    assert last(session, f"position gnubgid {AHEAD.id}\ngo role cube") == "bestcube double"
    assert last(session, f"setcube value 2 owner p1\nposition gnubgid {AHEAD.id}\ngo role cube") == "bestcube nodouble"
    owned = ENGINE.cube(AHEAD, match=MatchState(cube=Cube(2, Owner.MINE)))
    answer = talk(session, f"setcube value 2 owner p0\nposition gnubgid {AHEAD.id}\ngo role cube")
    assert f"eq {owned.equity:.6f}" in answer[0]
    assert answer[1] == f"bestcube {'double' if owned.double else 'nodouble'}"
    assert last(session, f"setturn p1\nposition gnubgid {AHEAD.id}\ngo role cube") == "bestcube nodouble"


def test_a_whole_turn(session: UbgiConversation) -> None:
    first = last(session, f"position gnubgid {START}\ndice 3 1\ngo role turn")
    assert first == f"bestturn cube=nodouble moveid={Position.start().play('8/5 6/5').id} move=8/5 6/5"
    assert last(session, f"position gnubgid {AHEAD.id}\ndice 3 1\ngo role turn") == "bestturn cube=double"
    assert last(session, f"position gnubgid {AHEAD.id}\ngo role turn") == "bestcube double"


def test_takes_and_drops_by_xgid(session: UbgiConversation) -> None:
    assert last(session, f"position xgid {XGID.replace(':31:', ':D:')}\ngo role cube") == "bestcube take"
    dropped = AHEAD.xgid().replace(":00:", ":D:")
    assert last(session, f"position xgid {dropped}\ngo role cube") == "bestcube drop"


def test_xgid_brings_its_dice(session: UbgiConversation) -> None:
    assert last(session, f"position xgid {XGID}\ngo role chequer") == "bestmove 8/5 6/5"
    assert last(session, f"position xgid {XGID.removeprefix('XGID=')}\ngo role chequer") == "bestmove 8/5 6/5"


def test_match_scores_reach_the_engine(session: UbgiConversation) -> None:
    """At each score and cube, the same decision as the engine's own."""
    for my_score, their_score in ((0, 0), (3, 5), (6, 2), (2, 6)):
        script = f"newsession type match length 7 crawford off\nsetscore {my_score} {their_score}\nsetturn p0"
        match = MatchState(length=7, my_score=my_score, their_score=their_score)
        expected = ENGINE.cube(AHEAD.swapped().swapped(), match=match)
        answer = last(session, f"{script}\nposition gnubgid {AHEAD.id}\ngo role cube")
        assert answer == f"bestcube {'double' if expected.double else 'nodouble'}"
    crawford = "newsession type match length 7\nsetscore 5 6\nsetturn p0"
    assert last(session, f"{crawford}\nposition gnubgid {AHEAD.id}\ngo role cube") == "bestcube nodouble"


def test_owner_and_turn_are_absolute(session: UbgiConversation) -> None:
    match = MatchState(length=5, my_score=1, their_score=3, cube=Cube(2, Owner.MINE))
    script = "newsession type match length 5\nsetscore 3 1\nsetcube value 2 owner p1\nsetturn p1"
    answer = talk(session, f"{script}\nposition gnubgid {START}\ngo role cube")[0]
    assert f"eq {ENGINE.cube(Position.start(), match=match).equity:.6f}" in answer


def test_cubeless_mode(session: UbgiConversation) -> None:
    script = f"setoption name EvalMode value cubeless\nposition gnubgid {START}\ndice 3 1\ngo role chequer"
    expected = ENGINE.rank(Position.start(), "31", cubeful=False)[0].equity
    assert f"eq {expected:.6f}" in talk(session, script)[0]


def test_keys_of_the_newer_draft(session: UbgiConversation) -> None:
    assert all(line.startswith("key ") for line in talk(session, "keys"))
    assert talk(session, "set engine.ply 2\nget engine.ply") == ["value engine.ply 2"]
    assert talk(session, "get game.variant") == ["value game.variant backgammon"]
    assert talk(session, "set game.variant backgammon\nset engine.eval_mode cubeless") == []


def test_bare_positions_of_the_older_draft(session: UbgiConversation) -> None:
    fibs = Position.start()
    assert talk(session, XGID) == ["8/5 6/5"]
    assert talk(session, XGID.replace(":31:", ":00:")) == ["roll"]
    assert talk(session, XGID.replace(":31:", ":D:")) == ["take"]
    assert talk(session, AHEAD.xgid()) == ["double"]
    from kibitz import Dice

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
def test_bad_lines_get_an_error_and_the_session_lives_on(session: UbgiConversation, line: str, code: str) -> None:
    [answer] = session.answer(line)
    assert answer.startswith(f"error {code} ")
    assert talk(session, "isready") == ["readyok"]


def test_over_standard_input_and_output() -> None:
    text = f"ubgi\n\nposition gnubgid {START}\ndice 3 1\ngo role chequer\n{'x' * 5000}\nisready\nquit\nisready\n"
    out = io.BytesIO()
    limits = Limits()
    serve_ubgi(UbgiConversation(Answerer(ENGINE, limits)), io.BytesIO(text.encode()), out, limits)
    lines = out.getvalue().decode().splitlines()
    assert lines[-3] == "bestmove 8/5 6/5"
    assert lines[-2] == "error bad_argument a line has at most 2048 bytes"
    assert lines[-1] == "readyok"


# --- in detail --------------------------------------------------------------------------------------------------------


def test_the_options_tell_how_the_server_was_started() -> None:
    player = EnginePlayer(Engine(plies=0, threads=2), "advanced", seed=9)
    lines = UbgiConversation(Answerer(player, Limits(plies=2))).answer("ubgi")
    levels = [
        "none",
        "beginner",
        "casual",
        "intermediate",
        "advanced",
        "expert",
        "master",
        "grandmaster",
        "fast",
        "standard",
    ]
    assert [line.removeprefix("option name ") for line in lines if line.startswith("option")] == [
        "Plies type spin default 0 min 0 max 2",
        "Level type combo default advanced " + " ".join(f"var {level}" for level in levels),
        "Threads type spin default 2 min 0 max 64",
        "Seed type spin default 9 min 0 max 2147483647",
        "Deterministic type check default true",
        "EvalMode type combo default cubeful var cubeless var cubeful",
    ]
    plain = UbgiConversation(Answerer(Engine(plies=1, threads=1, cubeful=False))).answer("ubgi")
    assert "option name Plies type spin default 1 min 0 max 3" in plain
    assert "option name EvalMode type combo default cubeless var cubeless var cubeful" in plain
    assert any(line.startswith("option name Level type combo default none ") for line in plain)


def test_keys_tell_the_values_that_were_set(session: UbgiConversation) -> None:
    assert talk(session, "keys") == [
        "key game.variant enum backgammon|nackgammon|hypergammon-1|hypergammon-2|hypergammon-3 backgammon",
        "key engine.ply int 1..4 1",
        "key engine.level enum none|beginner|casual|intermediate|advanced|expert|master|grandmaster|fast|standard none",
        "key engine.threads int 0..64 1 ! cores, 0 for all",
        "key engine.seed int 0..2147483647 0 ! of the noise of a level",
        "key engine.deterministic bool true !",
        "key engine.eval_mode enum cubeless|cubeful cubeful",
    ]
    script = "set engine.ply 3\nset engine.threads 2\nset engine.seed 7\nset engine.deterministic false"
    assert talk(session, f"{script}\nset engine.eval_mode cubeless") == []
    keys = ("ply", "threads", "seed", "deterministic", "eval_mode")
    told = [talk(session, f"get engine.{key}") for key in keys]
    assert told == [
        [f"value engine.{key} {value}"] for key, value in zip(keys, ["3", "2", "7", "false", "cubeless"], strict=True)
    ]
    assert talk(session, "setoption name Level value master\nget engine.ply") == ["value engine.ply 2"]
    assert talk(session, "set engine.level none\nget engine.ply\nget engine.level") == [
        "value engine.ply 1",
        "value engine.level none",
    ]


def test_a_level_errs_and_none_does_not(session: UbgiConversation) -> None:
    rolls = ("2 1", "4 1", "5 1", "6 2", "5 4", "6 3")

    def moves() -> list[str]:
        return [last(session, f"position gnubgid {START}\ndice {roll}\ngo role chequer") for roll in rolls]

    best = moves()
    talk(session, "setoption name Level value beginner")
    seed_0 = moves()
    assert seed_0 == moves() != best
    talk(session, "setoption name Seed value 3")
    assert moves() != seed_0
    talk(session, "setoption name Level value none")
    assert moves() == best


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("Level", "wizard", "Level is none or beginner"),
        ("Deterministic", "maybe", "Deterministic is true or false"),
        ("EvalMode", "x", "EvalMode is cubeless or cubeful"),
        ("Threads", "65", "the option Threads is a number from 0 to 64"),
        ("Plies", "4", "the option Plies is a number from 0 to 3"),
        ("Seed", "2147483648", "the option Seed is a number from 0 to 2147483647"),
    ],
)
def test_options_are_checked(session: UbgiConversation, name: str, value: str, words: str) -> None:
    assert talk(session, f"setoption name {name} value {value}")[0].startswith(f"error bad_argument {words}")
    assert talk(session, "set engine.ply 0")[0].startswith("error bad_argument engine.ply is a number from 1 to 4")
    assert talk(session, "set engine.ply 5")[0].startswith("error bad_argument")
    assert talk(session, "set engine.ply")[0] == "error bad_argument expected set KEY VALUE"
    assert talk(session, "set game.variant chess")[0].startswith("error unsupported_feature the variants are")


def eval_of(line: str) -> dict[str, float]:
    words = line.split()
    assert words[0] == "eval"
    return {name: float(value) for name, value in zip(words[1::2], words[2::2], strict=True)}


def test_evaluations_belong_to_the_best_action(session: UbgiConversation) -> None:
    """The equity and the winning chance of the same action: that of doubling where doubling is right."""
    match = MatchState(length=7, my_score=2, their_score=3)
    script = "newsession type match length 7\nsetscore 2 3\nsetturn p0"
    first = eval_of(talk(session, f"{script}\nposition gnubgid {AHEAD.id}\ngo role cube")[0])
    found = ENGINE.cube(AHEAD, match=match)
    assert found.double and found.mwc is not None and found.equity_mwc is not None
    chances = found.evaluation
    assert first == pytest.approx(
        {
            "eq": found.equity,
            "mwc": found.equity_mwc,
            "pwin": chances.win,
            "pgammon": chances.win_gammon,
            "pbg": chances.win_backgammon,
        },
        abs=1e-6,
    )
    assert found.equity_mwc > found.mwc.no_double + 1e-4
    played = eval_of(talk(session, f"position gnubgid {START}\ndice 3 1\ngo role chequer")[0])
    best = ENGINE.rank(Position.start(), "31", match=match)[0]
    assert best.mwc is not None
    wanted = {"eq": best.equity, "mwc": best.mwc, "pwin": best.evaluation.win}
    assert {name: played[name] for name in wanted} == pytest.approx(wanted, abs=1e-6)


def test_a_session_is_money_or_a_match(session: UbgiConversation) -> None:
    start = Position.start()

    def equity(script: str) -> float:
        return eval_of(talk(session, f"{script}\nposition gnubgid {start.id}\ngo role cube")[-2])["eq"]

    def expected(match: MatchState) -> object:
        return pytest.approx(ENGINE.cube(start, match=match).equity, abs=1e-6)

    assert equity("isready") == expected(MatchState())  # until told otherwise, money with the Jacoby rule
    assert equity("newsession type money") == expected(MatchState())
    assert equity("newsession type money\nsetscore 3 4") == expected(
        MatchState()
    )  # what was won before does not matter
    assert equity("newsession type money jacoby off") == expected(MatchState(jacoby=False))
    assert equity("newsession type match length 3\nsetscore 2 0") == expected(MatchState(3, 2, 0, crawford=True))
    assert equity("newsession type match length 3 crawford off\nsetscore 2 0") == expected(MatchState(3, 2, 0))
    assert equity("newsession type match length 3\nsetscore 2 0\nsetturn p1") == expected(
        MatchState(3, 0, 2, crawford=True)
    )
    assert equity("newsession type match length 3\nsetscore 2 2") == expected(MatchState(3, 2, 2))
    assert equity("newsession type match length 64\nsetscore 2 1") == expected(MatchState(64, 2, 1))
    turned = "newsession type match length 5\nsetscore 4 2\nsetcube value 2 owner centre\nsetturn p0"
    assert equity(turned) == expected(MatchState(5, 4, 2, Cube(2)))  # a turned cube: not the Crawford game
    assert equity("newgame") == expected(MatchState(5, 4, 2, crawford=True))
    assert equity("newsession type money") == expected(MatchState())
    for bad in (
        "newsession type match length 65",
        "newsession type money length 3",
        "newsession length",
        "newsession type money colour red",
        "newsession length 3",
    ):
        assert talk(session, bad)[0].startswith("error bad_argument")
    assert talk(session, "newsession type match length 3\nsetscore 3 0")[0].startswith("error bad_argument a score")
    assert talk(session, "setcube value 2048 owner p0")[0].startswith("error bad_argument the cube")
    assert talk(session, "newsession type money\nsetscore 99999 0") == []  # money games have no length to keep to
    assert talk(session, "setscore 0 100000")[0].startswith("error bad_argument a score is a number from 0 to 99999")


def test_an_xgid_brings_score_cube_and_turn(session: UbgiConversation) -> None:
    """Both players of the source in turn, and what follows it starts from there."""
    match = MatchState(length=9, my_score=2, their_score=5, cube=Cube(2, Owner.MINE))
    for turn in (0, 1):
        text = State(AHEAD, match, turn=turn).xgid
        told = eval_of(talk(session, f"newsession type money\nposition xgid {text}\ngo role cube")[0])
        assert told["eq"] == pytest.approx(ENGINE.cube(AHEAD, match=match).equity, abs=1e-6)
        told = eval_of(talk(session, f"setturn p{turn}\nposition gnubgid {START}\ngo role cube")[0])
        other = ENGINE.cube(Position.start(), match=match.swapped())
        assert told["eq"] == pytest.approx(other.equity, abs=1e-6)
    assert talk(session, "position gnubgid " + AHEAD.id + ":" + State(AHEAD, match).match_id) == []
    assert eval_of(talk(session, "go role cube")[0])["eq"] == pytest.approx(
        ENGINE.cube(AHEAD, match=match).equity, abs=1e-6
    )
    jacoby = State(AHEAD, MatchState(jacoby=False)).xgid
    told = eval_of(talk(session, f"position xgid {jacoby}\nposition gnubgid {START}\ngo role cube")[0])
    assert told["eq"] == pytest.approx(ENGINE.cube(Position.start(), match=MatchState(jacoby=False)).equity, abs=1e-6)


@pytest.mark.parametrize("session_has", ["on", "off"])
@pytest.mark.parametrize("jacoby", [True, False])
def test_an_xgid_of_a_money_game_brings_its_own_rules(
    session: UbgiConversation, session_has: str, jacoby: bool
) -> None:
    """With its prefix and without: both are told alike, whatever the session was begun with."""
    match = MatchState(jacoby=jacoby)
    expected = pytest.approx(ENGINE.cube(Position.start(), match=match).equity, abs=1e-6)
    xgid = State(Position.start(), match).xgid
    for text in (xgid, xgid.removeprefix("XGID=")):
        talk(session, f"newsession type money jacoby {session_has}")
        assert eval_of(talk(session, f"position xgid {text}\ngo role cube")[-2])["eq"] == expected


def test_an_offer_is_answered_until_something_else_is_set(session: UbgiConversation) -> None:
    doubled = State(AHEAD, offer=Offer.DOUBLE).xgid
    for role in ("cube", "chequer", "turn"):
        assert last(session, f"position xgid {doubled}\ngo role {role}") == "bestcube drop"
    assert last(session, "setcube value 1 owner center\ngo role cube") == "bestcube double"
    assert last(session, f"position xgid {doubled}\nposition gnubgid {AHEAD.id}\ngo role cube") == "bestcube double"
    resigned = State(AHEAD, offer=Offer.RESIGN_GAMMON).match_id
    answer = talk(session, f"position gnubgid {AHEAD.id}:{resigned}")[0]
    assert answer.startswith("error unsupported_feature")
    long = State(AHEAD, MatchState(length=65)).xgid
    assert talk(session, f"position xgid {long}")[0].startswith("error unsupported_feature matches have up to 64")


def test_games_that_are_over_are_refused(session: UbgiConversation) -> None:
    over = Position.of({}, {1: 1})
    assert talk(session, f"position gnubgid {over.id}")[0].startswith("error bad_argument the game is over")
    assert talk(session, f"position xgid {over.xgid()}")[0].startswith("error bad_argument the game is over")
    assert talk(session, over.xgid()) == ["sorry"]
    assert talk(session, State(AHEAD, MatchState(length=65)).xgid) == ["sorry"]


def test_the_limits_of_a_search_are_read(session: UbgiConversation) -> None:
    context = f"position gnubgid {START}\ndice 3 1"
    deep = eval_of(talk(session, f"{context}\ngo role chequer depth 1")[0])
    assert deep["eq"] == pytest.approx(ENGINE.rank(Position.start(), "31", plies=1)[0].equity, abs=1e-6)
    for line in ("go role", "go role chequer nodes", "go role chequer speed 3", "go movetime x", "go magic 3"):
        assert talk(session, line)[0].startswith("error bad_argument")
    assert last(session, "go trials 5 movetime 10") == "bestmove 8/5 6/5"


def test_quit_ends_and_stop_is_silent(session: UbgiConversation) -> None:
    assert talk(session, "stop\n\n   ") == []
    assert not session.finished
    assert talk(session, "quit") == []
    assert session.finished


class Thinker(Engine):
    """Thinks until it is stopped, and has nothing by then."""

    def __init__(self) -> None:
        super().__init__(plies=2, threads=1)
        self.started = threading.Event()

    def answer(self, state: State, **search: Any) -> Any:
        if search["plies"] == 0:
            return super().answer(state, **search)
        self.started.set()
        began = time.monotonic()
        while not search["cancellation"].cancelled:
            assert time.monotonic() - began < 20, "nobody stops the search"
            time.sleep(0.005)
        raise EngineError("the search was cancelled")


def test_stop_is_heard_while_another_thread_thinks() -> None:
    """The reader cancels the search that `go` is in; the answer is what it has by then."""
    engine = Thinker()
    conversation = UbgiConversation(Answerer(engine, Limits(think_seconds=30)))
    conversation.cancel()  # nobody thinks yet
    said: list[str] = []
    talker = threading.Thread(target=lambda: said.extend(talk(conversation, f"position xgid {XGID}\ngo chequer")))
    talker.start()
    assert engine.started.wait(10)
    conversation.cancel()
    talker.join(10)
    assert said[-1] == "bestmove 8/5 6/5"


def test_movetime_is_in_milliseconds() -> None:
    conversation = UbgiConversation(Answerer(Thinker(), Limits(think_seconds=19)))
    began = time.monotonic()
    assert last(conversation, f"position xgid {XGID}\ngo chequer movetime 200") == "bestmove 8/5 6/5"
    assert 0.19 < time.monotonic() - began < 10


@pytest.mark.parametrize("word", ["stop", "quit"])
def test_stop_and_quit_over_standard_input_end_a_search(word: str) -> None:
    engine = Thinker()

    class Pipe(io.BytesIO):
        """Hands out one line at a time, the last one when the search is on."""

        def read1(self, size: int | None = -1) -> bytes:  # noqa: ARG002
            line = self.readline()
            if line.strip().decode() == word:
                assert engine.started.wait(10)
            return line

    out = io.BytesIO()
    text = f"position xgid {XGID}\ngo chequer\n{word}\n"
    serve_ubgi(UbgiConversation(Answerer(engine, Limits(think_seconds=19))), Pipe(text.encode()), out, Limits())
    assert out.getvalue().decode().splitlines()[-1] == "bestmove 8/5 6/5"
