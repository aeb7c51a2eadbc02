"""Whole matches against gnubg, through both directions of its socket."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from kibitz import Engine, load
from kibitz.arena.export import matches_of
from kibitz.arena.gnubg import find_gnubg
from kibitz.arena.rules import ArenaRules
from kibitz.arena.runner import Duel, run_duel
from kibitz.arena.specs import PlayerSpec
from kibitz.protocols.answers import Answerer
from kibitz.protocols.gnubg_socket import GnubgConversation, read_board
from kibitz.protocols.line_server import LineServer
from kibitz.record import Double, Match
from kibitz.state import Offer

pytestmark = pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")

COMMANDS = """\
set automatic game on
set automatic roll on
set automatic move on
set seed {seed}
set player 1 gnubg
set player 1 chequerplay evaluation plies 0
set player 1 cubedecision evaluation plies 0
set player 0 external 127.0.0.1:{port}
new match 5
export match mat {mat}
"""


def all_legal(match: Match) -> int:
    """Check every play of a match by the rules; how many there were."""
    count = 0
    for moment in match.moments():
        if (play := moment.play) is not None:
            legal = {one.result for one in play.position.plays(play.dice)} or {play.position.swapped()}
            assert play.result in legal
            count += 1
        if isinstance(moment.action, Double):
            assert not moment.state.match.crawford
    return count


def test_gnubg_plays_matches_against_us(tmp_path: Path) -> None:
    """gnubg is the client, keeps the score and writes the match; we answer. Both saw the same scores and plays.

    Which matches have a Crawford game depends on our plays, so they go on until one had.
    """
    for seed in range(7, 17):
        folder = tmp_path / str(seed)
        folder.mkdir()
        match = match_of_gnubg_against_us(seed, folder)
        if any(game.crawford for game in match.games):
            return
    pytest.fail("ten matches without a Crawford game")


def match_of_gnubg_against_us(seed: int, tmp_path: Path) -> Match:
    """One match, checked."""
    answerer = Answerer(Engine(plies=0, threads=1))
    seen: list[tuple[str, str | None]] = []

    class Spy(GnubgConversation):
        def answer(self, line: str) -> str | None:
            said = super().answer(line)
            seen.append((line, said))
            return said

    mat = tmp_path / "match.mat"
    with LineServer(lambda: Spy(answerer)) as server:
        commands = COMMANDS.format(seed=seed, port=server.port, mat=mat)
        script = tmp_path / "script.py"
        script.write_text(f"import gnubg\nfor line in {commands.splitlines()!r}:\n    gnubg.command(line)\n")
        subprocess.run(
            [str(find_gnubg()), "-t", "-q", "-r", "-p", str(script)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
            check=True,
            env={**os.environ, "HOME": str(tmp_path)},
            cwd=tmp_path,
        )
    match = load(mat)
    assert not match.warnings
    assert match.length == 5
    assert match.winner is not None
    assert all_legal(match) > 30
    assert not [said for _, said in seen if said and said.startswith("Error")]
    # Each of our plays stands in gnubg's record, and the scores that it told us are those of its games.
    questions = [(read_board(line), said) for line, said in seen if line.startswith("board:")]
    played = {moment.play.result for moment in match.moments() if moment.play and moment.action.player == 0}
    for question, said in questions:
        if question.dice is not None and said:
            assert question.position.play(said.strip(), question.dice) in played
    told = {
        (question.match.my_score, question.match.their_score)
        for question, _ in questions
        if question.offer is Offer.NONE
    }
    assert told <= {game.score for game in match.games}
    taken = {
        (question.match.their_score, question.match.my_score)
        for question, _ in questions
        if question.offer is Offer.DOUBLE
    }
    assert taken <= {game.score for game in match.games}
    return match


def test_we_referee_matches_against_gnubg() -> None:
    """gnubg is the server and is asked for every decision; the record replays by the rules to the same result."""
    specs = PlayerSpec.parse("kibitz:0"), PlayerSpec.parse("gnubg:0")
    result = run_duel(Duel(specs[0], specs[1], ArenaRules(length=5), sessions=2, seed=2, processes=1, record=True))
    assert not result.log.failures and not result.log.retries
    won = 0
    for _, match in matches_of(result.log):
        assert all_legal(match) > 20
        won += match.winner == 0
    assert won == result.score.wins
