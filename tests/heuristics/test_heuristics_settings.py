"""Settings from files and from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.errors import EngineError
from kibitz.heuristics import TabulaSettings, TenFactorSettings
from kibitz.heuristics.settings import read_both


def test_a_file_holds_tables_for_both_engines(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("[tabula]\nblots = 1.1\nopponent_spaces = true\n[ten-factor]\nblots = -1\n")
    assert TabulaSettings.read(file) == TabulaSettings(blots=1.1, opponent_spaces=True)
    assert TenFactorSettings.read(file) == TenFactorSettings(blots=-1.0)


def test_a_file_may_hold_one_engines_settings_alone(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("blots = 1.1\nhits = -1\n")
    assert TabulaSettings.read(file) == TabulaSettings(blots=1.1, hits=-1.0)


def test_assignments_win_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("[tabula]\nblots = 1.1\nhits = -1\n")
    settings = TabulaSettings.read(file, ["blots=2", "opponent_spaces = true"])
    assert settings == TabulaSettings(blots=2.0, hits=-1.0, opponent_spaces=True)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        (
            "bolts=1",
            "ten-factor has no setting 'bolts'; it has blots, hits, points, pips, home, prime, builders, stack",
        ),
        ("blots", "NAME=VALUE"),
        ("blots=", "NAME=VALUE"),
        ("blots=much", "'blots' must be a number, not 'much'"),
        ("blots=nan", "'blots' must be a number, not nan"),
        ("blots=true", "'blots' must be a number, not True"),
    ],
)
def test_wrong_assignments_are_refused(assignment: str, message: str) -> None:
    with pytest.raises(EngineError) as raised:
        TenFactorSettings.read(assignments=[assignment])
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tabla]\nblots = 1\n", "has a section 'tabla'; known are tabula, ten-factor"),
        ("[tabula]\nblots = 'x'\n", "'blots' must be a number"),
        ("[tabula]\nopponent_spaces = 1\n", "'opponent_spaces' must be true or false"),
        ("[tabula\n", "is not TOML"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(text)
    with pytest.raises(EngineError) as raised:
        TabulaSettings.read(file)
    assert message in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"cannot read the settings file .*nowhere\.toml"):
        TabulaSettings.read(tmp_path / "nowhere.toml")


def test_the_settings_of_both_engines_are_read_together(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("[tabula]\nblots = 1.1\nhits = -1\n[ten-factor]\nblots = -1\n")
    factors, parts = read_both(file, ["tabula.blots=2", "ten-factor.stack = 0"])
    assert factors == TenFactorSettings(blots=-1.0, stack=0.0)
    assert parts == TabulaSettings(blots=2.0, hits=-1.0)


def test_a_name_may_say_its_engine() -> None:
    assert TabulaSettings.read(assignments=["tabula.blots=2"]) == TabulaSettings(blots=2.0)
    with pytest.raises(EngineError, match=r"tabula has no setting 'ten-factor\.blots'"):
        TabulaSettings.read(assignments=["ten-factor.blots=2"])


@pytest.mark.parametrize("assignment", ["blots=1", "neural.blots=1", "blots", ".blots=1", ""])
def test_both_engines_settings_have_to_say_whose_they_are(assignment: str) -> None:
    with pytest.raises(EngineError, match=r"ENGINE\.NAME=VALUE, such as tabula\.blots=1\.1"):
        read_both(assignments=[assignment])


def test_a_file_for_both_engines_has_sections_alone(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("blots = 1.1\n[tabula]\nhits = -1\n")
    with pytest.raises(EngineError, match="has 'blots' outside of"):
        read_both(file)


def test_a_number_beyond_all_bounds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(f"[tabula]\nhits = {'9' * 400}\n")
    with pytest.raises(EngineError, match="must be a number"):
        read_both(path)
