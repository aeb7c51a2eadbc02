"""Every real file beside the repository is read without loss, and formats agree on the same match."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import kibitz
from kibitz import Match
from kibitz.formats import FORMATS, read
from kibitz.match_equity import emg_of
from kibitz.notation import parse
from kibitz.record import Roll, Setup

EXPECTED = {
    "mat_galaxy": 250,
    "mat": 1,
    "sgf": 1,
    "gnubg_text": 12,
    "xg": 7,
    "xgp": 2,
    "bgf": 1,
    "bgblitz_text": 8,
    "xg_text": 8,
}


@pytest.fixture(scope="module")
def corpus(shared: Path) -> dict[Path, Match]:
    folder = shared / "corpus"
    if not folder.is_dir():
        pytest.skip("the corpus is not there")
    return {path: kibitz.load(path) for path in sorted(folder.glob("*/*"))}


def one(corpus: dict[Path, Match], kind: str, name: str) -> Match:
    return next(match for path, match in corpus.items() if path.parent.name == kind and name in path.name)


def test_all_files_are_read_without_loss(corpus: dict[Path, Match]) -> None:
    assert Counter(path.parent.name for path in corpus) == EXPECTED
    warnings = [str(warning) for match in corpus.values() for warning in match.warnings]
    # One file records a play that XG itself marks as invalid, and lists it among its candidates.
    assert len(warnings) == 2 and all("42" in warning for warning in warnings)
    illegal = [
        a
        for match in corpus.values()
        for game in match.games
        for a in game.actions
        if isinstance(a, Roll) and not a.legal
    ]
    assert [str(action) for action in illegal] == ["42: 6/1 3/1"]


def test_every_game_can_be_replayed_and_scores_add_up(corpus: dict[Path, Match]) -> None:
    moments = 0
    for match in corpus.values():
        for game, following in zip(match.games, match.games[1:], strict=False):
            assert game.result is not None
            won = game.result.points
            after = tuple(score + won * (game.result.winner == player) for player, score in enumerate(game.score))
            assert following.score == after
        moments += sum(1 for _ in match.moments())
    assert moments > 35_000


def test_galaxy_counts(corpus: dict[Path, Match]) -> None:
    matches = [match for path, match in corpus.items() if path.parent.name == "mat_galaxy"]
    kinds = Counter(action.kind for match in matches for game in match.games for action in game.actions)
    assert sum(len(match.games) for match in matches) == 698
    assert kinds["double"] == kinds["take"] + kinds["drop"]
    # Galaxy's single games for coins are recorded as matches to 4 or 16 that end after one game.
    unfinished = [match for match in matches if match.winner is None]
    assert len(unfinished) == 40 and all(len(match.games) == 1 and match.length in (4, 16) for match in unfinished)
    assert all(game.result is not None for match in matches for game in match.games)


def test_formats_agree_on_the_same_match(corpus: dict[Path, Match]) -> None:
    xg, sgf, mat = (
        one(corpus, "xg", "test.xg"),
        one(corpus, "sgf", "test.sgf"),
        one(corpus, "xg_text", "testdata__test.txt"),
    )
    assert xg.bare().games == sgf.bare().games == mat.bare().games
    assert xg.players == sgf.players == mat.players
    for name in ("event", "round", "place", "date", "annotator"):
        assert getattr(xg, name) == getattr(sgf, name) == getattr(mat, name)


def test_gnubg_export_agrees_with_its_source(corpus: dict[Path, Match]) -> None:
    export = one(corpus, "gnubg_text", "faith23")
    source = one(corpus, "mat_galaxy", "faith23")
    # The export has the other player on top.
    swapped = export.players == source.players[::-1]
    actions = [replace(a, player=1 - a.player) if swapped else a for a in export.bare().games[0].actions]
    assert actions == list(source.bare().games[0].actions)


def test_xg_and_gnubg_analyses_are_kept(corpus: dict[Path, Match]) -> None:
    for kind, engine, rolls in (
        ("xg", "XG", 2000),
        ("sgf", "gnubg", 290),
        ("gnubg_text", "gnubg", 500),
        ("bgf", "BGBlitz", 55),
    ):
        analysed = 0
        for path, match in corpus.items():
            if path.parent.name != kind:
                continue
            for moment in match.moments():
                action = moment.action
                if not isinstance(action, Roll) or action.analysis is None:
                    continue
                analysed += 1
                for row in action.analysis.plays:
                    assert row.level.engine == engine
                    assert (row.play.position, row.play.dice) == (moment.state.position, action.dice)
                    assert (row.mwc is None) == match.is_money
                if action.analysis.played is not None and action.moves is not None:
                    assert action.analysis.plays[action.analysis.played].play == moment.play
        assert analysed > rolls


def test_cube_decisions_are_the_doublers_at_the_state_of_replay(corpus: dict[Path, Match]) -> None:
    """Equities and winning chances say the same, and a wrong player or a wrong cube would show."""
    checked = 0
    for match in corpus.values():
        for moment in match.moments():
            cube = moment.action.cube
            if cube is None:
                continue
            checked += 1
            assert cube.state == replace(moment.state, dice=None)
            assert cube.double_pass == pytest.approx(1.0, abs=1e-6)
            if not match.is_money:
                assert cube.mwc is not None
                # BGBlitz names both, by a match equity table of its own and rounded.
                off = 0.15 if match.format == "bgblitz-text" else 1e-6
                assert emg_of(cube.mwc.no_double, cube.match) == pytest.approx(cube.no_double, abs=off)
    assert checked > 1000


def test_ids_in_the_texts_agree_with_ours(corpus: dict[Path, Match]) -> None:
    """XGID, Position ID, Match ID and pip counts; those that do not agree would be warnings, and there are none."""
    checked = 0
    for path, match in corpus.items():
        if match.format not in ("bgblitz-text", "xg-text"):
            continue
        text = path.read_text()
        xgid = next(word for word in text.split() if word.startswith("XGID="))
        *_, last = match.moments(1)
        state = last.state
        if isinstance(last.action, Setup):
            state = replace(state, dice=None)
        assert replace(state, names=None).xgid == xgid
        if match.format == "bgblitz-text":
            words = text.split()
            position_id, match_id = (words[words.index(name) + 1] for name in ("Position-ID:", "Match-ID:"))
            assert state.position_id == position_id
            assert parse(f"{position_id}:{match_id}").match == replace(state.match, max_cube=1024)
        checked += 1
    assert checked == 15


def test_gnubg_text_ids_agree_at_every_move(corpus: dict[Path, Match]) -> None:
    import re

    for path, match in corpus.items():
        if match.format != "gnubg-text":
            continue
        printed = re.findall(r"Position ID: (\S+)", path.read_text())
        replayed = [moment.state.position_id for moment in match.moments(1) if moment.action.kind != "resign"]
        assert replayed == printed


def test_writing_and_reading_again_is_the_identity(corpus: dict[Path, Match]) -> None:
    for path, match in corpus.items():
        assert read(FORMATS["json"].write(match)[0]) == match, path.name
        assert read(FORMATS["sgf"].write(match)[0]) == match, path.name
        data, dropped = FORMATS["mat"].write(match)
        if not any("on roll" in loss or "Crawford" in loss for loss in dropped):
            again = read(data, format="mat").bare()
            assert again == match.bare(), path.name
