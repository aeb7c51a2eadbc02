from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.chromium import launched

# The same examples in every run: a test that fails today failed yesterday. No deadline: machines differ.
settings.register_profile("kibitz", deadline=None, derandomize=True)
settings.load_profile("kibitz")


@pytest.fixture(scope="session", autouse=True)
def no_tables_of_the_user() -> None:
    """Answers are those of the tables in memory, whatever the user has built."""
    from kibitz.bearoff.in_use import use_tables

    use_tables(())


@pytest.fixture(scope="session")
def shared() -> Path:
    """The material beside the repository; tests that want it skip where it is absent."""
    folder = Path(os.environ.get("KIBITZ_SHARED", Path(__file__).resolve().parents[1] / ".." / "shared")).resolve()
    if not folder.is_dir():
        pytest.skip("the shared material is not beside the repository")
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for a whole run: Playwright can be started only once in a process."""
    with launched() as browser:
        yield browser
