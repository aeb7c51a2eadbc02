from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The material beside the repository; tests that want it skip where it is absent."""
    folder = Path(os.environ.get("KIBITZ_SHARED", Path(__file__).resolve().parents[1] / ".." / "shared")).resolve()
    if not folder.is_dir():
        pytest.skip("the shared material is not beside the repository")
    return folder
