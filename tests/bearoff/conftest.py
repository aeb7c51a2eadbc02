from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of the test's own, so that no table of the user's is read or changed."""
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    return tmp_path / "tables"
