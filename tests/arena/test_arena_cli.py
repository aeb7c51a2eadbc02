"""kibitz arena and kibitz serve on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.arena.publish import Plan
from kibitz.cli import app
from kibitz.engine.settings import DEFAULT_PLIES
from kibitz.errors import EngineError, FormatError

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_duel_in_words() -> None:
    text = run("arena", "kibitz:0", "ten-factor", "--games", "20", "--cubeless", "--sprt", "0,0.1")
    for word in ("cubeless money, 20 games", "raw", "luck-adjusted", "ppg", "pairs", "SPRT", "games/s"):
        assert word in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_a_duel_as_json(tmp_path: Path) -> None:
    log, mat = tmp_path / "log.jsonl", tmp_path / "mat"
    words = (
        "arena",
        "duel",
        "kibitz:0",
        "random",
        "--games",
        "4",
        "--match",
        "3",
        "--log",
        str(log),
        "--mat",
        str(mat),
    )
    data = json.loads(run(*words, "--json"))
    assert data["score"]["sessions"] == 4
    assert data["score"]["unit"] == "match wins"
    assert len(list(mat.glob("*.mat"))) == 4
    assert "wrote 4 files" in run("arena", "export", str(log), str(tmp_path / "again"))


def test_a_league_has_a_cross_table() -> None:
    text = run("arena", "league", "random", "ten-factor", "kibitz:0", "--games", "20", "--cubeless", "--no-luck")
    lines = text.splitlines()
    assert [line.split()[1] for line in lines[1:]] == ["kibitz", "ten-factor", "random"]
    data = json.loads(run("arena", "league", "random", "ten-factor", "--games", "4", "--cubeless", "--json"))
    assert data["order"] == [1, 0]


def test_a_page_of_results_by_one_command(tmp_path: Path) -> None:
    plan, page = tmp_path / "plan.toml", tmp_path / "page.md"
    plan.write_text(
        '[[duel]]\nfirst = "kibitz:0"\nsecond = "ten-factor"\ncube = false\ngames = 20\n'
        '[[duel]]\nfirst = "kibitz:0"\nsecond = "random"\nlength = 3\ngames = 4\nminutes = 1\n'
        '[league]\nplayers = ["kibitz:0", "random", "ten-factor"]\ncube = false\ngames = 4\n'
    )
    words = ("arena", "publish", str(plan), str(page), "--logs", str(tmp_path / "logs"))
    run(*words)
    text = page.read_text()
    assert "| kibitz 0-ply v ten-factor | cubeless money | 20 |" in text
    assert "by `kibitz arena publish plan.toml page.md` from" in text  # and no folder of this machine
    assert "## The league" in text
    assert "nets contact-" in text
    assert len(list((tmp_path / "logs").glob("*.jsonl"))) == 4
    run(*words)
    assert page.read_text() == text
    # A finished log is reported with the nets that played it, whatever they are by now.
    log = next((tmp_path / "logs").glob("kibitz*ten-factor*.jsonl"))
    log.write_text(log.read_text().replace('"contact-', '"contact-old-'))
    plan.write_text('[[duel]]\nfirst = "kibitz:0"\nsecond = "ten-factor"\ncube = false\ngames = 20\n')
    run(*words)
    assert "nets contact-old-" in page.read_text()


def test_the_published_page_tells_of_no_folder_of_a_machine() -> None:
    text = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    assert "`kibitz arena publish docs/strength.toml docs/strength.md`" in text


def test_the_published_plan_is_readable() -> None:
    plan = Plan.load(ROOT / "docs" / "strength.toml")
    asked = {(str(duel.first), str(duel.second), duel.rules.cube, duel.rules.length): duel for duel in plan.duels}
    assert asked["kibitz:plies=0", "gnubg:plies=0", False, 0].sessions >= 20_000
    assert asked["kibitz:plies=0", "gnubg:plies=0", True, 0].sessions >= 20_000
    assert asked["kibitz:plies=2", "gnubg:plies=2", True, 0].seconds == 3600


@pytest.mark.parametrize(
    "text", ["nonsense", "[[duel]]\nfirst = 'random'\n", "[[duel]]\nfirst='random'\nsecond='x'\ngames=2"]
)
def test_bad_plans_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises((FormatError, EngineError)):
        Plan.load(path)


@pytest.mark.parametrize(
    "words",
    [("arena", "kibitz", "wizard"), ("arena", "kibitz", "random", "--match", "99"), ("arena", "export", "x", "y")],
)
def test_mistakes_are_errors_of_ours(words: tuple[str, ...]) -> None:
    with pytest.raises((EngineError, FormatError)):
        CliRunner().invoke(app, list(words), catch_exceptions=False)


def test_ubgi_on_the_command_line() -> None:
    script = "ubgi\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo role chequer\nquit\n"
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "ubgi", "--threads", "1"]
    result = subprocess.run(command, input=script, capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.splitlines()[-1] == "bestmove 8/5 6/5"
    assert f"option name Plies type spin default {DEFAULT_PLIES} " in result.stdout


def test_help_lists_the_servers() -> None:
    text = run("serve", "--help")
    assert all(word in text for word in ("ubgi", "gnubg", "bei"))
