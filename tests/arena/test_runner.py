from __future__ import annotations

import json
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz import load
from kibitz.arena import log as arena_log
from kibitz.arena.export import export_mat, matches_of
from kibitz.arena.log import VERSION, LogWriter, read_log
from kibitz.arena.rules import ArenaRules
from kibitz.arena.runner import Duel, run_duel
from kibitz.arena.specs import PlayerSpec
from kibitz.arena.statistics import Sprt
from kibitz.errors import EngineError, FormatError

CUBELESS = ArenaRules(cube=False)
BAD = Path(__file__).parent / "bad_engine.py"


def spec(text: str) -> PlayerSpec:
    return PlayerSpec.parse(text)


def bad(fault: str, after: int, once: Path | None = None) -> PlayerSpec:
    words = [sys.executable, str(BAD), fault, str(after), *([str(once)] if once else [])]
    return PlayerSpec("ubgi", (("command", shlex.join(words)),))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """UBGI engines get little time."""
    from kibitz.arena import ubgi_engine

    original = ubgi_engine.UbgiPlayer.__init__
    monkeypatch.setattr(
        ubgi_engine.UbgiPlayer, "__init__", lambda self, command, rules: original(self, command, rules, timeout=2.0)
    )


def test_a_duel_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Half of it, the other half, and the whole at once are the same; a torn last line is dropped."""
    half = Duel(spec("kibitz:0"), spec("ten-factor"), CUBELESS, sessions=10)
    whole = Duel(spec("kibitz:0"), spec("ten-factor"), CUBELESS, sessions=20)
    log = tmp_path / "a.jsonl"
    run_duel(half, log=log)
    with log.open("a") as file:
        file.write('{"pair":5,"sess')
    resumed = run_duel(whole, log=log)
    at_once = run_duel(whole)
    assert resumed.played == 10
    assert resumed.score == at_once.score
    assert len(read_log(log).pairs) == 10
    assert run_duel(whole, log=log).played == 0


def test_a_kill_loses_little_of_the_time_spent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that is never finished has noted it along the way, and the whole is what both runs took."""
    monkeypatch.setattr(arena_log, "NOTE_SECONDS", 0.0)
    path = tmp_path / "duel.jsonl"
    header = {"kibitz_arena": VERSION, "players": ["a", "b"], "rules": {"length": 0}, "seed": 1, "luck": None}
    header["about"] = [{}, {}]
    writer = LogWriter(path, header)
    for pair in range(3):
        time.sleep(0.01)
        writer.add({"pair": pair, "sessions": [{"result": 1, "luck": 0.0}] * 2})
    killed = read_log(path).seconds
    assert 0.03 <= killed <= writer.seconds
    again = LogWriter(path, header)
    time.sleep(0.01)
    assert again.seconds >= killed + 0.01
    again.finish()
    assert read_log(path).seconds == pytest.approx(again.log.seconds)


def test_the_log_of_another_duel_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    run_duel(Duel(spec("random"), spec("ten-factor"), CUBELESS, sessions=2), log=log)
    before = log.read_bytes()
    with pytest.raises(FormatError, match="another duel"):
        run_duel(Duel(spec("random"), spec("tabula"), CUBELESS, sessions=2), log=log)
    assert log.read_bytes() == before


HEADER = '{"kibitz_arena":1,"players":["random","random"],"rules":{"length":0},"seed":1,"luck":null,"about":[{},{}]}\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}\n",
        '{"kibitz_arena":1}\nnonsense\n',
        "[]\n",
        '{"kibitz_arena":1,"players":3,"rules":{"length":0},"luck":null,"about":[{},{}]}\n',
        '{"kibitz_arena":1,"players":["a","b"],"rules":7,"luck":null,"about":[{},{}]}\n',
        HEADER + '{"pair":1,"sessions":[{"result":"1","luck":0},{"result":1,"luck":0}]}\n',
        HEADER + '{"pair":1e999,"sessions":[]}\n',
        HEADER + '{"pair":1,"failed":"why"}\n',
        HEADER + "[" * 3000 + "\n",
        HEADER + '{"pair":\xff}\n',
    ],
)
def test_damaged_logs_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError) as refused:
        read_log(path)
    assert "\n" not in str(refused.value)


def test_damaged_games_of_a_log_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for events in ('[["roll",0,"99",""]]', '[["roll"]]', "[7]", "{}", '[["end",0]]'):
        session = f'{{"result":1,"luck":0,"events":{events}}}'
        path.write_text(HEADER + f'{{"pair":0,"sessions":[{session},{session}]}}\n')
        with pytest.raises(FormatError):
            matches_of(read_log(path))


def test_several_processes_play_the_same_games_as_one() -> None:
    """Players that only Python knows; one process, then two."""
    duel = Duel(spec("random"), spec("ten-factor"), CUBELESS, sessions=8, native=False)
    alone = run_duel(replace(duel, processes=1))
    shared = run_duel(replace(duel, processes=2))
    assert shared.score == alone.score == run_duel(replace(duel, native=True)).score


@pytest.mark.parametrize(("fault", "kind"), [("crash", "crashed"), ("illegal", "illegal"), ("garbage", "illegal")])
def test_a_player_that_fails_once_is_restarted_and_the_pair_replayed(tmp_path: Path, fault: str, kind: str) -> None:
    flawed = Duel(bad(fault, 20, tmp_path / "once"), spec("random"), CUBELESS, sessions=2, processes=1)
    result = run_duel(flawed)
    sound = run_duel(Duel(bad("none", 0), spec("random"), CUBELESS, sessions=2, processes=1))
    assert result.log.retries == 1
    assert not result.log.failures
    retried = [pair["retries"][0]["kind"] for pair in result.log.pairs.values() if "retries" in pair]
    assert retried == [kind]
    assert result.score == sound.score


@pytest.mark.usefixtures("impatient")
def test_a_player_that_hangs_is_restarted(tmp_path: Path) -> None:
    result = run_duel(Duel(bad("hang", 5, tmp_path / "once"), spec("random"), CUBELESS, sessions=2, processes=1))
    assert result.log.retries == 1
    assert result.score.sessions == 2


def test_a_player_that_always_fails_is_reported_and_counts_for_nothing() -> None:
    duel = Duel(bad("illegal", 0), spec("random"), CUBELESS, sessions=2, processes=1)
    result = run_duel(duel)
    assert len(result.log.failures) == 1
    assert result.score.sessions == 0
    assert "illegal" in result.log.failures[0]["failed"]["message"]
    with pytest.raises(EngineError, match="more than 0 pairs failed"):
        run_duel(replace(duel, max_failures=0))


def test_an_engine_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(EngineError, match="cannot start"):
        run_duel(Duel(spec("ubgi:/nonexistent/engine"), spec("random"), CUBELESS, sessions=2))


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"

    def interrupt(done: int, *_: object) -> None:
        if done == 2:
            raise KeyboardInterrupt

    duel = Duel(spec("random"), spec("ten-factor"), CUBELESS, sessions=40, processes=1, native=False)
    result = run_duel(duel, log=log, progress=interrupt)
    assert result.interrupted
    assert len(read_log(log).pairs) == 2
    assert result.score.sessions == 4


def test_the_sequential_test_ends_a_duel_early() -> None:
    duel = Duel(spec("ten-factor"), spec("random"), CUBELESS, sessions=4000, sprt=Sprt(0.0, 0.5), luck=False)
    result = run_duel(duel)
    assert result.verdict == "H1"
    assert result.score.sessions < 4000


def test_recorded_matches_become_mat_files_that_replay(tmp_path: Path) -> None:
    duel = Duel(spec("kibitz:0"), spec("ten-factor"), ArenaRules(length=3), sessions=4, record=True)
    log = tmp_path / "log.jsonl"
    result = run_duel(duel, log=log)
    files = export_mat(read_log(log), tmp_path / "mat")
    assert len(files) == 4
    won = 0
    for path in files:
        match = load(path)
        assert not match.warnings
        assert match.length == 3
        assert all(moment.play is None or moment.play.result for moment in match.moments())
        won += match.winner == 0
    assert won == result.score.wins


def test_recorded_money_games_become_one_session(tmp_path: Path) -> None:
    result = run_duel(Duel(spec("kibitz:0"), spec("random"), sessions=6, record=True))
    [(name, match)] = matches_of(result.log)
    assert name == "pairs-000000-000002"
    assert len(match.games) == 6
    assert match.score[0] - match.score[1] == sum(sum(score.results) for score in result.log.scores())
    export_mat(result.log, tmp_path)
    assert load(tmp_path / f"{name}.mat").score == match.score


def test_a_log_without_games_cannot_be_exported() -> None:
    with pytest.raises(FormatError, match="no recorded games"):
        matches_of(run_duel(Duel(spec("random"), spec("ten-factor"), CUBELESS, sessions=2)).log)


def test_logs_are_json_lines(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    run_duel(Duel(spec("random"), spec("ten-factor"), sessions=4), log=log)
    head, *pairs, last = [json.loads(line) for line in log.read_text().splitlines()]
    assert head["players"] == ["random", "ten-factor"]
    assert {pair["pair"] for pair in pairs} == {0, 1}
    assert set(pairs[0]["sessions"][0]) == {"result", "luck", "games", "turns", "doubles", "drops", "cube"}
    assert "seconds" in last
