"""Opening, upgrading, copying; and what happens when there is no room, no right, or somebody else at work."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from kibitz import Library
from kibitz.errors import LibraryError
from kibitz.library import database
from kibitz.library.database import HEAD, Database, alembic_config, database_url, default_path, known_revisions
from kibitz.library.filters import DecisionFilter
from kibitz.library.models import Base
from tests.library.postgres import Server
from tests.library.samples import random_match

SCHEMAS = Path(__file__).parent / "schemas"
"""A library of every schema that was ever committed, as SQL, with a match in it."""


def test_the_migrations_make_what_the_models_say(url: str) -> None:
    with Database(url) as database, database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    assert known_revisions()[-1] == HEAD


def test_every_older_schema_is_kept_for_the_tests() -> None:
    assert sorted(path.stem for path in SCHEMAS.glob("*.sql")) == known_revisions()


@pytest.mark.parametrize("revision", known_revisions())
def test_every_older_schema_is_upgraded_after_a_backup(revision: str, tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as old, old:
        old.executescript((SCHEMAS / f"{revision}.sql").read_text(encoding="utf-8"))
    with Library(path) as library:
        (match,) = library.matches()
        assert match.players == ("Ada", "Ben")
        assert library.statistics(player="Ada").decisions > 5
        assert [note.text for note in library.notes.all()] == ["Remember: O'Hara said so."]
        assert library.database.url.database == str(path)
        made = library.database.backup_made
        if revision == HEAD:
            assert made is None
        else:
            assert made is not None
            with sqlite3.connect(made) as copy:
                assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == (revision,)
            copy.close()
        with library.database.reading() as reading:
            assert compare_metadata(MigrationContext.configure(reading), Base.metadata) == []


@pytest.mark.parametrize("revision", known_revisions())
def test_every_older_schema_is_upgraded_on_a_server(revision: str, postgres: Server, tmp_path: Path) -> None:
    """Given the same old library in PostgreSQL, when it is opened, then all is there, and it can be added to."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as old, old:
        old.executescript((SCHEMAS / f"{revision}.sql").read_text(encoding="utf-8"))
    url = postgres.new_database(f"old_{revision}")
    _copy_at(revision, path, url)
    with Library(url) as library:
        (match,) = library.matches()
        assert match.players == ("Ada", "Ben")
        assert library.statistics(player="Ada").decisions > 5
        assert [note.text for note in library.notes.all()] == ["Remember: O'Hara said so."]
        with library.database.reading() as reading:
            assert compare_metadata(MigrationContext.configure(reading), Base.metadata) == []
        assert library.add(random_match(5, length=1)).outcome == "new"
        assert library.like(library.decisions()[-1].state, 1)[0][0] == 0.0


def _copy_at(revision: str, path: Path, url: str) -> None:
    """Copy all rows of an old library in a file to a server with the schema of that time."""
    from alembic import command
    from sqlalchemy import MetaData, create_engine, func, select

    there = create_engine(database_url(url))
    with there.begin() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        tables = MetaData()
        tables.reflect(connection)
        here = create_engine(database_url(path))
        ours = MetaData()
        ours.reflect(here)
        with here.connect() as reading:
            for table in tables.sorted_tables:
                rows = [dict(row) for row in reading.execute(select(ours.tables[table.name])).mappings()]
                if table.name == "alembic_version" or not rows:
                    continue
                connection.execute(table.insert(), rows)
                if "id" in table.c:
                    sequence = func.pg_get_serial_sequence(f'"{table.name}"', "id")
                    connection.execute(select(func.setval(sequence, max(row["id"] for row in rows))))
        here.dispose()
    there.dispose()


def test_a_newer_schema_is_refused_in_a_sentence(url: str) -> None:
    with Database(url) as database, database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(LibraryError, match=r"newer Kibitz: its schema is 9999, .*upgrade Kibitz"):
        Database(url)


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("not a database at all, but long enough to be read as one\n" * 40)
    with pytest.raises(LibraryError, match="no library"):
        Database(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    with pytest.raises(LibraryError, match="no library of Kibitz: it holds recipes"):
        Database(other)
    with pytest.raises(LibraryError, match="cannot be opened"):
        Database(tmp_path / "missing" / "folder" / "library.db")
    with pytest.raises(LibraryError, match="SQLite or PostgreSQL, not in 'mysql'"):
        Database("mysql://me@here/db")


def test_where_a_library_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_LIBRARY", str(tmp_path / "mine.db"))
    assert default_path() == tmp_path / "mine.db"
    with Library() as library:
        assert library.database.name == str(tmp_path / "mine.db")
    monkeypatch.delenv("KIBITZ_LIBRARY")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert default_path() == tmp_path / "kibitz" / "library.db"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_LIBRARY", "postgresql://me:secret@host/db")
    url = database_url(None)
    assert not list(tmp_path.glob("postgresql*"))  # a URL is no folder to be made
    assert url.drivername == "postgresql+psycopg"
    assert url.host == "host"
    assert "secret" not in url.render_as_string(hide_password=True)


def test_a_copy_is_a_library(reviewed: Library, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    if not reviewed.database.is_sqlite:
        with pytest.raises(LibraryError, match="pg_dump"):
            reviewed.backup(target)
        return
    assert reviewed.backup(target) == target
    with Library(target) as copy:
        assert copy.matches() == reviewed.matches()
        assert copy.statistics(player="me") == reviewed.statistics(player="me")
    with pytest.raises(LibraryError, match="exists already"):
        reviewed.backup(target)
    with pytest.raises(LibraryError, match="cannot copy"):
        reviewed.backup(tmp_path / "no" / "folder.db")


def test_a_transaction_is_kept_whole_or_not_at_all(library: Library) -> None:
    from kibitz.library.rows import match_rows
    from kibitz.library.store import Store

    with pytest.raises(RuntimeError), library.database.writing() as connection:
        Store(library.database, library.owner_id).add(connection, match_rows(random_match(1)))
        raise RuntimeError
    assert library.matches() == []
    assert library.players.all() == []


def test_no_room_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    path = tmp_path / "small.db"
    with Library(path) as library:
        library.add(random_match(1))
        before = library.matches()
        with library.database.engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")
            with pytest.raises(LibraryError, match="no room left to write, and nothing was changed"):
                for seed in range(2, 40):  # the limit belongs to the connection that the pool hands out again
                    connection.rollback()
                    connection.close()
                    library.add(random_match(seed, length=3))
    with Library(path) as library:
        assert library.matches()[-1] == before[0]
        for match in library.matches():
            assert library.match(match.id, analyses=False).games
            assert library.count(match=match.id) > 0


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    Library(path).close()
    # Whoever may not write may not read Python's own files here either: all is imported before.
    code = (
        "import os, sys\nfrom kibitz import Library\nfrom kibitz.errors import LibraryError\n"
        "Library(sys.argv[1]).players.set_me('y')\nos.setuid(65534)\n"
        "try:\n    Library(sys.argv[1]).players.set_me('x')\n"
        "except LibraryError as error:\n    print(error)\n"
    )
    if os.getuid() != 0:
        pytest.skip("only root can become somebody who may not write")
    tmp_path.chmod(0o755)
    for folder in tmp_path.parents[:2]:
        folder.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert "cannot be" in done.stdout, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


# --- two at once ------------------------------------------------------------------------------------------------------


def _add_matches(url: str, seeds: range) -> None:
    with Library(url) as library:
        for seed in seeds:
            library.add(random_match(seed, length=1))
            library.notes.tags()


def test_two_processes_write_at_once(url: str) -> None:
    """Given a library that does not exist yet, when several processes open and fill it, then all is there, once."""
    context = multiprocessing.get_context("spawn")
    shared = range(100, 106)
    workers = [context.Process(target=_add_matches, args=(url, shared)) for _ in range(2)]
    workers.append(context.Process(target=_add_matches, args=(url, range(200, 206))))
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
        assert worker.exitcode == 0
    with Library(url) as library:
        assert len(library.matches()) == 12
        assert {one.name for one in library.players.all()} == {"Ada", "Ben"}


def _hold(path: str, seconds: float) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    time.sleep(seconds)
    connection.execute("COMMIT")
    connection.close()


def test_a_writer_waits_for_another_one(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    Library(path).close()
    context = multiprocessing.get_context("spawn")
    holder = context.Process(target=_hold, args=(str(path), 2.0))
    holder.start()
    while True:  # until the other one has the lock
        probe = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            probe.execute("BEGIN IMMEDIATE")
            probe.execute("ROLLBACK")
        except sqlite3.OperationalError:
            break
        finally:
            probe.close()
        time.sleep(0.02)
    with Library(path) as library:
        library.players.set_me("Ada")
    holder.join()
    with Library(path) as library:
        assert [one.name for one in library.players.all()] == ["Ada"]


def test_a_library_that_stays_locked_is_told_and_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a process that keeps the library for too long, when another one writes, then it says so in a line."""
    path = tmp_path / "library.db"
    Library(path).close()
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    with Library(path) as library:
        with closing(sqlite3.connect(path, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            with pytest.raises(
                LibraryError, match=r"another process kept the library busy .* nothing was changed"
            ) as told:
                library.add(random_match(1, length=1))
            assert "\n" not in str(told.value)
            holder.execute("COMMIT")
        assert library.matches() == []
        assert library.add(random_match(1, length=1)).outcome == "new"


def test_two_owners_see_nothing_of_each_other(url: str) -> None:
    with Library(url, owner="one") as one, Library(url, owner="two") as two:
        first = one.add(random_match(1, length=1)).match_id
        second = two.add(random_match(1, length=1)).match_id
        assert first != second
        one.players.set_me("Ada")
        assert two.players.me() is None
        one.notes.save_search("mine", DecisionFilter())
        assert two.notes.searches() == {}
        assert [match.id for match in two.matches()] == [second]
        for ask in (two.match, two.info, two.delete):
            with pytest.raises(LibraryError, match="no match"):
                ask(first)
        assert two.decisions(match=first) == []
        decision = one.decisions()[0]
        assert two.analyses(decision.id) == []
        assert all(found.match_id == second for _, found in two.like(decision.state, 3))
