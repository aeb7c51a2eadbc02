"""Libraries to test with: SQLite in a file, and a PostgreSQL server that is started for the run."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'library' is not installed")

from kibitz import Library
from kibitz.library import likeness
from tests.library.postgres import Server, start_server
from tests.library.samples import random_match

_numbers = itertools.count()


KINDS = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server of our own, gone after the run."""
    server = start_server()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Which database: all tests run on both."""
    return str(request.param)


@pytest.fixture
def url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new, empty library can be made."""
    if kind == "sqlite":
        return str(tmp_path / "library.db")
    server: Server = request.getfixturevalue("postgres")
    return server.new_database(f"empty_{next(_numbers)}")


@pytest.fixture(scope="session")
def template(kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A library with nothing in it, to be copied."""
    if kind == "sqlite":
        url = str(tmp_path_factory.mktemp("template") / "library.db")
    else:
        server: Server = request.getfixturevalue("postgres")
        url = server.new_database("template_empty")
    Library(url).close()
    return url


@pytest.fixture
def library(kind: str, template: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Library]:
    """A new library."""
    with Library(_copy(kind, template, "template_empty", request, tmp_path)) as found:
        yield found


def _copy(kind: str, url: str, name: str, request: pytest.FixtureRequest, folder: Path) -> str:
    """A copy of a library that nobody uses now."""
    if kind == "sqlite":
        return str(shutil.copy(url, str(folder / f"{name}.db")))
    server: Server = request.getfixturevalue("postgres")
    return server.new_database(f"copy_{next(_numbers)}", name)


@pytest.fixture(scope="session")
def reviewed_url(kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A library with some matches, reviewed; nobody writes into it."""
    if kind == "sqlite":
        url = str(tmp_path_factory.mktemp("reviewed") / "library.db")
    else:
        server: Server = request.getfixturevalue("postgres")
        url = server.new_database("reviewed")
    with Library(url) as found:
        fill(found)
    return url


@pytest.fixture(scope="session")
def reviewed(reviewed_url: str) -> Iterator[Library]:
    """Some matches, reviewed, to be asked and not to be changed."""
    with Library(reviewed_url) as found:
        found.close()  # connections are made when they are asked for
        yield found


@pytest.fixture
def changing(
    kind: str, reviewed: Library, reviewed_url: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Library]:
    """The same matches, to be changed."""
    reviewed.close()  # PostgreSQL copies no database that is in use
    with Library(_copy(kind, reviewed_url, "reviewed", request, tmp_path)) as found:
        yield found


def fill(library: Library) -> None:
    """Four matches of Ada's against two opponents, reviewed by the net alone."""
    for seed, players, date in MATCHES:
        library.add(random_match(seed, length=3, players=players, date=date, event="Open" if seed % 2 else ""))
    library.players.set_me("Ada")
    library.review("fast", threads=1)
    likeness.fill(library.database)


MATCHES = (
    (11, ("Ada", "Ben"), "2024-01-10"),
    (12, ("Ben", "Ada"), "2024-02-10"),
    (13, ("Ada", "Cleo"), "2024-02-11"),
    (14, ("Cleo", "Ada"), "2025-03-01"),
)
