"""OGXM files: what the reference codec accepts and replays, and what comes back from it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import kibitz
from kibitz.errors import FormatError
from kibitz.formats import by_name, recognise
from kibitz.record import Ending, Game, Match, Resign, Result, Roll
from tests.analysis.samples import beavers, short_match, short_review
from tests.library.samples import random_match

ogxm = pytest.importorskip("ogxm", reason="the package ogxm is not installed")


def through(match: Match) -> Match:
    data, _ = by_name("ogxm").write(match)
    return by_name("ogxm").read(data)


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_match_comes_back_and_the_codec_replays_it(seed: int) -> None:
    match = random_match(seed, length=3, players=("Ada", "Bén"), event="Open")
    data, dropped = by_name("ogxm").write(match)
    assert dropped == []
    content = ogxm.binary_to_json(data)
    assert content["replay_complete"]
    back = by_name("ogxm").read(data)
    assert back.games == match.games
    assert (back.players, back.length, back.event, back.date) == (match.players, 3, "Open", match.date)
    # The codec's own replay of every board says the same as ours.
    for game, entry in zip(match.games, content["games"], strict=True):
        assert len(entry["plies"]) == len(game.actions)
        assert entry["winner"] == game.result.winner  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("loser", [0, 1])
def test_a_resignation_comes_back(size: int, loser: int) -> None:
    """The codec tells its size in words, and gives it to the one who wins by it."""
    rolls = random_match(3, length=7, players=("Ada", "Ben")).games[0].actions[:4]
    actions = (*rolls, Resign(loser, size))
    game = Game(actions=actions, result=Result(1 - loser, size, Ending.RESIGNED))
    back = through(Match(("Ada", "Ben"), 7, (game,)))
    assert back.games == (game,)
    assert not back.warnings


def test_analyses_come_back_to_six_digits() -> None:
    match = short_review().annotated()
    back = through(match)
    seen = 0
    for ours, theirs in zip(match.moments(), back.moments(), strict=True):
        assert ours.state.position == theirs.state.position
        if isinstance(ours.action, Roll) and ours.action.analysis is not None:
            assert isinstance(theirs.action, Roll) and theirs.action.analysis is not None
            for one, other in zip(ours.action.analysis.plays, theirs.action.analysis.plays, strict=True):
                assert one.play.result == other.play.result
                assert one.equity == pytest.approx(other.equity, abs=1e-5)
                assert list(one.evaluation) == pytest.approx(list(other.evaluation), abs=1e-4)
                assert one.level == other.level
            assert ours.action.analysis.played == theirs.action.analysis.played
            seen += 1
        if ours.action.cube is not None and ours.action.kind in ("roll", "double"):
            cube = theirs.action.cube
            assert cube is not None
            assert cube.no_double == pytest.approx(ours.action.cube.no_double, abs=1e-5)
            assert cube.double_take == pytest.approx(ours.action.cube.double_take, abs=1e-5)
            seen += 1
    assert seen > 80


def test_files_are_known_by_their_content(tmp_path: Path) -> None:
    path = tmp_path / "match.ogxm"
    assert kibitz.save(short_match(), path) == []
    assert recognise(path.read_bytes()).name == "ogxm"
    renamed = path.rename(tmp_path / "match.dat")
    assert kibitz.load(renamed).games == short_match().games


def test_what_it_cannot_hold_is_said() -> None:
    with pytest.raises(FormatError, match="no setup"):
        by_name("ogxm").write(beavers())


def test_damaged_files_are_refused_in_a_line() -> None:
    data, _ = by_name("ogxm").write(random_match(1, length=1))
    chance = random.Random(1)
    refused = 0
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 5)):
            damaged[chance.randrange(4, len(damaged))] = chance.randrange(256)
        try:
            by_name("ogxm").read(bytes(damaged))
        except FormatError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused > 50
    with pytest.raises(FormatError):
        by_name("ogxm").read(data[: len(data) // 2])
