from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz import Dice, MatchState, Offer, Position, State
from kibitz.arena.gnubg import GnubgPlayer, board_line, find_gnubg, read_reply
from kibitz.arena.referee import END, play_session
from kibitz.arena.rules import ArenaRules
from kibitz.arena.runner import Duel, run_duel
from kibitz.arena.specs import PlayerSpec
from kibitz.cube import Cube, Owner
from kibitz.play.players import PlayerError

needs_gnubg = pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")
OURSELVES = "ubgi:" + shlex.join(
    [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "ubgi", "--threads", "1", "--plies", "0"]
)
START = State(Position.start(), MatchState(), Dice(3, 1))


def test_board_lines_look_as_gnubg_wants_them() -> None:
    line = board_line(START)
    fields = line.split(":")
    assert len(fields) == 53
    assert ":".join(fields[6:32]) == "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    assert fields[32:37] == ["1", "3", "1", "3", "1"]
    assert len(line) < 255


def test_scores_are_exchanged_in_take_questions() -> None:
    match = MatchState(length=7, my_score=2, their_score=5, cube=Cube(2, Owner.MINE))
    state = State(Position.start(), match)
    assert board_line(state).split(":")[3:6] == ["7", "5", "2"]
    doubled = board_line(replace(state, offer=Offer.DOUBLE)).split(":")
    assert doubled[3:6] == ["7", "2", "5"]
    assert doubled[37:41] == ["2", "1", "0", "1"]


def test_the_crawford_game_has_its_flag() -> None:
    match = MatchState(length=7, my_score=6, their_score=5, crawford=True)
    assert board_line(State(Position.start(), match)).split(":")[-2:] == ["0", "0"]
    later = MatchState(length=7, my_score=6, their_score=5)
    assert board_line(State(Position.start(), later)).split(":")[-2:] == ["1", "1"]


def test_replies_are_read_step_by_step() -> None:
    assert read_reply("8/5 6/5 ", Position.start()) == Position.start().play("8/5 6/5")
    barred = Position.of({25: 1, 6: 2}, {4: 1, 24: 2})
    assert read_reply("25/21* 6/5", barred) == barred.play("bar/21* 6/5", "41")


@needs_gnubg
def test_gnubg_plays_doubles_and_takes() -> None:
    player = GnubgPlayer(ArenaRules())
    try:
        assert player.version.startswith("1.")
        assert player.play(START) == Position.start().play("8/5 6/5")
        ahead = Position.of({1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 2}, {8: 2, 7: 3, 6: 3, 5: 3, 4: 2, 3: 2})
        assert player.double(State(ahead, MatchState()))
        assert not player.take(State(ahead, offer=Offer.DOUBLE))
        assert not player.double(State(Position.start(), MatchState()))
        assert player.take(State(Position.start(), offer=Offer.DOUBLE))
        six = player.evaluate(State(Position.start(), MatchState()))
        assert six[0] == pytest.approx(0.52, abs=0.02)
    finally:
        player.close()


@needs_gnubg
def test_gnubg_knows_whose_score_is_whose() -> None:
    player = GnubgPlayer(ArenaRules(length=5))
    try:
        ahead = MatchState(length=5, my_score=4, their_score=1)
        behind = MatchState(length=5, my_score=1, their_score=4)
        start = Position.start()
        assert player.evaluate(State(start, ahead), cubeful=True)[5] > 0.7
        assert player.evaluate(State(start, behind), cubeful=True)[5] < 0.4
        assert player.double(State(start, behind))  # after the Crawford game there is nothing to lose
    finally:
        player.close()


@needs_gnubg
def test_gnubg_is_restarted_after_a_crash_and_leaves_nothing_behind() -> None:
    player = GnubgPlayer(ArenaRules())
    assert player._process is not None and player._home is not None
    old, home = player._process.pid, Path(player._home.name)
    os.kill(old, signal.SIGKILL)
    with pytest.raises(PlayerError) as caught:
        for _ in range(3):
            player.play(START)
            time.sleep(0.2)
    assert caught.value.kind == "crashed"
    player.restart()
    assert not home.exists()
    assert player.play(START) == Position.start().play("8/5 6/5")
    home = Path(player._home.name)
    player.close()
    assert not home.exists()


@needs_gnubg
def test_a_gnubg_that_hangs_is_noticed() -> None:
    player = GnubgPlayer(ArenaRules(), timeout=0.5)
    assert player._process is not None
    os.kill(player._process.pid, signal.SIGSTOP)
    with pytest.raises(PlayerError) as caught:
        player.play(START)
    assert caught.value.kind == "hung"
    player.close()


@needs_gnubg
@pytest.mark.parametrize("rules", [ArenaRules(), ArenaRules(cube=False)])
def test_gnubg_plays_whole_sessions(rules: ArenaRules) -> None:
    specs = PlayerSpec.parse("kibitz:0"), PlayerSpec.parse("gnubg:0")
    result = run_duel(Duel(specs[0], specs[1], rules, sessions=4, processes=2))
    assert result.score.sessions == 4
    assert not result.log.failures and not result.log.retries


def test_we_are_a_ubgi_engine_to_ourselves() -> None:
    """The same moves over UBGI as without it, cube and score included."""
    for rules in (ArenaRules(), ArenaRules(length=2)):
        there, here = PlayerSpec.parse(OURSELVES).make(rules), PlayerSpec.parse("kibitz:0").make(rules)
        try:
            assert there.name.startswith("Kibitz")
            mixed = play_session([there, here], rules, seed=4, pair=0, keep_events=True)
            assert mixed.events == play_session([here, here], rules, seed=4, pair=0, keep_events=True).events
        finally:
            there.close()


def test_the_hand_made_engines_play_a_match_over_ubgi() -> None:
    """The same plays as without the protocol, to the end of a match; the referee refuses illegal ones."""
    rules = ArenaRules(length=2)
    names = ("tabula", "ten-factor")
    there = [PlayerSpec.parse(f"{OURSELVES.removesuffix(' --plies 0')} --engine {name}").make(rules) for name in names]
    here = [PlayerSpec.parse(name).make(rules) for name in names]
    try:
        assert [player.name.split()[:2] for player in there] == [["Kibitz", "tabula"], ["Kibitz", "ten-factor"]]
        played = play_session(there, rules, seed=9, pair=0, keep_events=True)
        assert played.events is not None
        points = [0, 0]
        for event in played.events:
            if event[0] == END:
                points[event[1]] += event[2]
        assert max(points) >= rules.length
        assert played.events == play_session(here, rules, seed=9, pair=0, keep_events=True).events
    finally:
        for player in there:
            player.close()


def test_bgsage_where_it_is_installed() -> None:
    pytest.importorskip("bgsage")
    specs = PlayerSpec.parse("kibitz:0"), PlayerSpec.parse("bgsage")
    result = run_duel(Duel(specs[0], specs[1], ArenaRules(), sessions=2, processes=1))
    assert result.score.sessions == 2
    assert not result.log.retries
