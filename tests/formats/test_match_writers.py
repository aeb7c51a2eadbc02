"""Writing and reading again is the identity, and gnubg reads what we write."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kibitz
from kibitz import Dice, FormatError, Match
from kibitz.decision import AnalysisLevel, Evaluation
from kibitz.formats import FORMATS, by_suffix, read, save
from kibitz.formats.analyses import CubeRow, PlayRow
from kibitz.formats.builder import MatchBuilder
from kibitz.record import Roll

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
            if game.replay.is_over:
                break
            may_double = builder.length != 1 and not game.crawford and game.replay.owner in (None, player)
            if may_double and game.replay.value < 64 and random.random() < 0.05:
                game.double(player)
                if random.random() < 0.5:
                    game.drop(1 - player)
                    break
                game.take(1 - player)
            dice = Dice(random.randint(1, 6), random.randint(1, 6))
            plays = game.replay.position(player).plays(dice)
            if random.random() < 0.01:
                game.resign(player, random.randint(1, 3))
                break
            if not plays:
                game.roll(player, dice, steps=[])
            else:
                play = random.choice(plays)
                level = AnalysisLevel("kibitz", "2-ply", 2)
                chances = Evaluation(random.random(), 0.1, 0.01, 0.2, 0.02)
                rows = []
                if random.random() < 0.3:
                    mwc = random.choice([None, random.random()])
                    rows = [
                        PlayRow(other, level, random.random(), mwc, chances, is_played=other is plays[0])
                        for other in plays[:5]
                    ]
                cube = None
                if random.random() < 0.3:
                    cube = CubeRow(level, (random.random(), -0.25, 1.0), evaluation=chances, cubeless=0.125)
                game.roll(player, dice, result=play.result, plays=rows, cube=cube, luck=random.random())
            player = 1 - player
        if not game.replay.is_over and not game.actions:
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
    assert (data["kind"], data["version"], data["players"]) == ("kibitz-match", 2, ["ann", "bob"])
    second = data["games"][0]["actions"][1]
    assert second["play"] == "24/20*(2) 13/9(2)" and second["dice"] == [4, 4]


def test_a_rule_that_turns_out_to_be_another_holds_for_earlier_decisions_too() -> None:
    """A double in what should be the Crawford game, and a cube beyond its limit: states are those of replay."""
    builder = MatchBuilder("json")
    builder.length, builder.rules = 5, replace(builder.rules, max_cube=2)
    row = CubeRow(AnalysisLevel("XG", "1-ply", 0), (0.5, 0.25, 1.0), evaluation=Evaluation(0.6, 0.2, 0.0, 0.1, 0.0))
    first = builder.start_game((0, 0))
    first.roll(0, Dice(3, 1), text="8/5 6/5", cube=row)
    first.resign(1, 1)
    game = builder.start_game((4, 2), crawford=True)
    game.roll(0, Dice(3, 1), text="8/5 6/5", cube=row)
    for doubler in (1, 0):
        game.double(doubler)
        game.take(1 - doubler)
    match = builder.build()
    assert (match.games[1].crawford, match.rules.max_cube, len(match.warnings)) == (False, 1024, 2)
    for moment in match.moments():
        if moment.action.cube is not None:
            assert moment.action.cube.state == replace(moment.state, dice=None)
    assert read(FORMATS["json"].write(match)[0]) == match


def test_json_of_version_1_is_read_without_its_analyses() -> None:
    match = read(xg_common_match())
    data = json.loads(FORMATS["json"].write(match)[0])
    old = read(json.dumps(data | {"version": 1}).encode())
    assert [str(warning) for warning in old.warnings] == ["a file of version 1: its analyses are left out"]
    assert old.bare() == match.bare()
    assert not any(moment.action.cube for moment in old.moments())
    with pytest.raises(FormatError, match="this reader knows the versions 1 and 2"):
        read(json.dumps(data | {"version": 3}).encode())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda roll: roll["analysis"]["plays"][0].update(result="4HPwATDgc/ABMA"),
        lambda roll: roll["analysis"]["plays"][0].update(equity="much"),
        lambda roll: roll["analysis"]["plays"][0]["evaluation"].pop("win"),
        lambda roll: roll["analysis"].update(played=7),
        lambda roll: roll["cube"].update(level={"engine": 3}),
        lambda roll: roll["cube"].update(no_double=None),
        lambda roll: roll["cube"].update(mwc={"no_double": 0.5}),
    ],
)
def test_json_with_a_decision_that_cannot_be_is_told(spoil: Callable[[dict[str, Any]], object]) -> None:
    """The game is left out, with the reason; the others are read."""
    data = json.loads(FORMATS["json"].write(read(xg_common_match()))[0])
    spoil(data["games"][0]["actions"][1])
    again = read(json.dumps(data).encode())
    assert len(again.games) == len(data["games"]) - 1
    assert [str(warning)[:20] for warning in again.warnings] == ["game 1 is left out: "]


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
    ours = [analysis for analysis in ours if analysis.plays[0].play.moves]
    assert len(theirs) == len(ours)
    for mine, other in zip(ours, theirs, strict=True):
        assert [row.play for row in mine.plays] == [row.play for row in other.plays]
        equities = zip(mine.plays, other.plays, strict=True)
        assert all(a.equity == pytest.approx(b.equity, abs=1e-5) for a, b in equities)


@pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")
def test_gnubg_reads_boards_that_were_set(tmp_path: Path) -> None:
    match = kibitz.load(DATA / "money.mat")
    match = replace(match, games=match.games[2:])
    save(match, tmp_path / "ours.sgf")
    again = through_gnubg(f"load match {tmp_path / 'ours.sgf'}", tmp_path)
    assert again.bare().games[0].actions == match.bare().games[0].actions
