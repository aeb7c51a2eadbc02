"""Where things are kept on each platform."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kibitz import folders


@pytest.mark.parametrize(
    ("platform", "cache", "data", "config"),
    [
        ("linux", ".cache/kibitz", ".local/share/kibitz", ".config/kibitz"),
        (
            "darwin",
            "Library/Caches/kibitz",
            "Library/Application Support/kibitz",
            "Library/Application Support/kibitz",
        ),
        ("win32", "AppData/Local/kibitz/cache", "AppData/Local/kibitz", "AppData/Roaming/kibitz"),
    ],
)
def test_each_platform_has_its_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, cache: str, data: str, config: str
) -> None:
    variables = ("KIBITZ_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "APPDATA")
    for variable in variables:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    found = (folders.cache_folder(), folders.data_folder(), folders.config_folder())
    assert found == (tmp_path / cache, tmp_path / data, tmp_path / config)


def test_variables_say_otherwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert folders.cache_folder() == tmp_path
    assert folders.data_folder() == tmp_path / "data" / "kibitz"
