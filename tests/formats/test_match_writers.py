"""Writing and reading again is the identity, and gnubg reads what we write."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kibitz
from kibitz import Dice, FormatError, Match
from kibitz.formats import FORMATS, by_suffix, read, save
from kibitz.formats.builder import MatchBuilder
from kibitz.record import AnalysisLevel, Candidate, CubeAnalysis, PlayAnalysis, Roll

from .format_makers import bgf_common_match, bgf_file, xg_common_match

DATA = Path(__file__).parent / "data"
GNUBG = shutil.which("gnubg") or ("/usr/games/gnubg" if Path("/usr/games/gnubg").exists() else None)
FILES = sorted(path.name for path in DATA.iterdir())


def everything() -> list[Match]:
    matches = [kibitz.load(DATA / name) for name in FILES]
    return [*matches, read(bgf_file(bgf_common_match())), read(xg_common_match())]


@pytest.mark.parametrize("match", everything(), ids=[*FILES, "bgf", "xg"])
def test_json_and_sgf_keep_everything(match: Match) -> None:
    for name in ("json", "sgf"):
        data, _ = FORMATS[name].write(match)
        again = read(data)
        assert again.format == name
        if name == "json" or match.format != "mat" or not match.warnings:
            assert again == match


@pytest.mark.parametrize("match", everything(), ids=[*FILES, "bgf", "xg"])
def test_mat_keeps_what_was_played(match: Match) -> None:
    data, dropped = FORMATS["mat"].write(match)
    again = read(data, format="mat")
    if not match.warnings:
        assert again.warnings == ()
        assert again.bare() == match.bare() or any("on roll" in loss for loss in dropped)
    analysed = any(a.cube or getattr(a, "analysis", None) for game in match.games for a in game.actions)
    assert any("analyses" in loss for loss in dropped) == analysed


# --- random matches ---------------------------------------------------------------------------------------------------


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Matches of random play, with cubes, resignations and analyses as they come."""
    random = draw(st.randoms(use_true_random=False))
    builder = MatchBuilder("json")
    builder.players = (draw(st.sampled_from(["ann", "Zoé \\ ]x[", "a : b", "x" * 40])), "bob")
    builder.length = draw(st.sampled_from([0, 1, 3, 5]))
    builder.comments.append("two words")
    for _ in range(draw(st.integers(1, 3))):
        if builder.games:
            builder.games[-1].close()
        if builder.length and max(builder.expected_score) >= builder.length:
            break
        game = builder.start_game()
        player = random.randrange(2)
        for _ in range(draw(st.integers(1, 200))):
            if game.table.is_over:
                break
            may_double = builder.length != 1 and not game.crawford and game.table.owner in (None, player)
            if may_double and game.table.value < 64 and random.random() < 0.05:
                game.double(player)
                if random.random() < 0.5:
                    game.drop(1 - player)
                    break
                game.take(1 - player)
            dice = Dice(random.randint(1, 6), random.randint(1, 6))
            plays = game.table.position(player).plays(dice)
            if random.random() < 0.01:
                game.resign(player, random.randint(1, 3))
                break
            if not plays:
                game.roll(player, dice, steps=[])
            else:
                play = random.choice(plays)
                analysis = None
                if random.random() < 0.3:
                    level = AnalysisLevel("kibitz", "2-ply", 2)
                    chances = (random.random(), 0.1, 0.01, 0.2, 0.02)
                    found = [Candidate(other.moves, level, random.random(), None, chances) for other in plays[:5]]
                    analysis = PlayAnalysis(tuple(found), 0)
                cube = None
                if random.random() < 0.3:
                    cube = CubeAnalysis(
                        AnalysisLevel("kibitz", "2-ply", 2), random.random(), -0.25, 1.0, cubeless=0.125
                    )
                game.roll(player, dice, result=play.result, analysis=analysis, cube=cube, luck=random.random())
            player = 1 - player
        if not game.table.is_over and not game.actions:
            break
    return builder.build()


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(matches())
def test_random_matches_survive_every_writer(match: Match) -> None:
    assert match.warnings == ()
    assert read(FORMATS["json"].write(match)[0]) == match
    assert read(FORMATS["sgf"].write(match)[0]) == match
    again = read(FORMATS["mat"].write(match)[0], format="mat")
    assert replace(again, comments=()).bare() == replace(match, comments=()).bare()


def test_json_is_plain_and_readable() -> None:
    match = kibitz.load(DATA / "galaxy.mat")
    data = json.loads(FORMATS["json"].write(match)[0])
    assert (data["kind"], data["version"], data["players"]) == ("kibitz-match", 1, ["ann", "bob"])
    second = data["games"][0]["actions"][1]
    assert second["play"] == "24/20*(2) 13/9(2)" and second["dice"] == [4, 4]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    match = read(xg_common_match())
    assert "8 analyses of plays" not in (losses := save(match, tmp_path / "a.mat"))
    assert any("analyses of cube decisions" in loss for loss in losses)
    with pytest.raises(FormatError, match="can be read but not written"):
        save(match, tmp_path / "a.xg")
    with pytest.raises(FormatError, match="does not say in which format"):
        by_suffix(".doc")


# --- gnubg ------------------------------------------------------------------------------------------------------------


def through_gnubg(command: str, folder: Path) -> Match:
    back = folder / "back.sgf"
    assert GNUBG is not None
    script = f"{command}\nsave match {back}\nquit\ny\n"
    subprocess.run([GNUBG, "-t", "-q"], input=script, capture_output=True, text=True, timeout=120, check=False)
    return kibitz.load(back)


@pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")
@pytest.mark.parametrize("name", ["gnubg.sgf", "galaxy.mat", "xg"])
def test_gnubg_reads_what_we_write(name: str, tmp_path: Path) -> None:
    match = read(xg_common_match()) if name == "xg" else kibitz.load(DATA / name)
    save(match, tmp_path / "ours.mat")
    save(match, tmp_path / "ours.sgf")
    for command in (f"import mat {tmp_path / 'ours.mat'}", f"load match {tmp_path / 'ours.sgf'}"):
        again = through_gnubg(command, tmp_path)
        assert again.warnings == ()
        assert (again.players, again.length) == (match.players, match.length)
        assert again.bare().games == match.bare().games
    # The second time through SGF: what gnubg understands of the analyses comes back.
    ours = [a.analysis for game in match.games for a in game.actions if isinstance(a, Roll) and a.analysis]
    theirs = [a.analysis for game in again.games for a in game.actions if isinstance(a, Roll) and a.analysis]
    ours = [analysis for analysis in ours if analysis.candidates[0].moves]
    assert len(theirs) == len(ours)
    for mine, other in zip(ours, theirs, strict=True):
        assert [c.moves for c in mine.candidates] == [c.moves for c in other.candidates]
        equities = zip(mine.candidates, other.candidates, strict=True)
        assert all(a.equity == pytest.approx(b.equity, abs=1e-5) for a, b in equities)


@pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")
def test_gnubg_reads_boards_that_were_set(tmp_path: Path) -> None:
    match = kibitz.load(DATA / "money.mat")
    match = replace(match, games=match.games[2:])
    save(match, tmp_path / "ours.sgf")
    again = through_gnubg(f"load match {tmp_path / 'ours.sgf'}", tmp_path)
    assert again.bare().games[0].actions == match.bare().games[0].actions
