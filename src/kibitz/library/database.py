"""Opening a library's database: SQLite or PostgreSQL. Older schemas are upgraded, newer ones are refused."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Connection, Engine, create_engine, event, exc, inspect, make_url, select, text
from sqlalchemy.engine import URL

from kibitz.errors import LibraryError
from kibitz.folders import data_folder
from kibitz.library.models import Base
from kibitz.library.models_notes import Note
from kibitz.library.models_play import LiveMatchRow

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0003"
"""The revision of the schema that this code speaks."""
BUSY_SECONDS = 60
"""How long a process waits for another one's transaction."""
_LOCK = 0x6B696269  # any number, the same in all processes that write into a PostgreSQL library
_MIGRATIONS = Path(__file__).parent / "migrations"
_TABLES = (Note, LiveMatchRow)  # their modules must be imported for the metadata to be whole


def default_path() -> Path:
    """Where a library is kept: $KIBITZ_LIBRARY, else the platform's folder for a user's data."""
    if given := os.environ.get("KIBITZ_LIBRARY"):
        return Path(given)
    return data_folder() / "library.db"


def database_url(where: str | Path | None) -> URL:
    """The URL of a library that is given as one, or as the path of a file."""
    if where is None:
        where = default_path()
        if ":/" not in os.fspath(where):  # as a path has it, a URL has one slash less
            where.parent.mkdir(parents=True, exist_ok=True)
    given = os.fspath(where)
    if "://" not in given and not given.startswith("postgresql:/"):
        return URL.create("sqlite", database=given)
    try:
        url = make_url(given.replace("postgresql:/", "postgresql://", 1) if "://" not in given else given)
    except exc.ArgumentError:
        raise LibraryError(
            "the URL of a library cannot be read; expected one such as postgresql://name@host/db"
        ) from None
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise LibraryError(f"a library is kept in SQLite or PostgreSQL, not in {url.drivername!r}")
    return url


class Database:
    """A database whose schema is ours and up to date. Transactions are either reading or writing."""

    def __init__(self, where: str | Path | None = None) -> None:
        self.url = database_url(where)
        self.is_sqlite = self.url.drivername == "sqlite"
        self.engine = self._engine()
        self._writer = self.engine.execution_options(kibitz_writes=True)
        self.backup_made: Path | None = None
        try:
            with self._told():
                self._prepare()
        except BaseException:
            self.close()
            raise

    # --- transactions -----------------------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the library and changes nothing."""
        with self._told(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is kept as a whole or, after any error, not at all. Writers come one after the other."""
        with self._told(), self._writer.begin() as connection:
            self._lock(connection)
            yield connection

    def _lock(self, connection: Connection) -> None:
        """SQLite's writers wait for each other by themselves; PostgreSQL's are told to, so that both behave alike."""
        if not self.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the database in one clear line each."""
        try:
            yield
        except exc.DBAPIError as error:
            raise LibraryError(f"{self.name}: {_words(error)}") from error

    @property
    def name(self) -> str:
        """How messages call the library: its file, or its URL without a password."""
        return str(self.url.database) if self.is_sqlite else self.url.render_as_string(hide_password=True)

    def insert(self, table: type[Base]) -> Any:
        """An INSERT that knows ON CONFLICT, which each kind of database has in its own way."""
        if self.is_sqlite:
            from sqlalchemy.dialects import sqlite

            return sqlite.insert(table)
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)

    # --- opening ----------------------------------------------------------------------------------------------------

    def _engine(self) -> Engine:
        if not self.is_sqlite:
            try:
                return create_engine(self.url, pool_pre_ping=True)
            except ModuleNotFoundError as error:
                words = f'a library in PostgreSQL needs {error.name}: pip install "kibitz[library]"'
                raise LibraryError(words) from None
        engine = create_engine(self.url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _prepare(self) -> None:
        revision = self._revision()
        if revision == HEAD:
            return
        if revision is not None and revision not in known_revisions():
            raise LibraryError(
                f"{self.name} was written by a newer Kibitz: its schema is {revision}, this one knows up to {HEAD}; "
                "upgrade Kibitz to open it"
            )
        if revision is not None and self.is_sqlite:
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
            self.backup_made = self.backup(f"{self.url.database}.{revision}-{stamp}.backup")
        self._upgrade()

    def _revision(self, connection: Connection | None = None) -> str | None:
        """The revision of the schema; None for a database with nothing in it."""
        if connection is None:
            with self.engine.connect() as fresh:
                return self._revision(fresh)
        tables = inspect(connection).get_table_names()
        if "alembic_version" in tables:
            found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
            return None if found is None else str(found)
        if tables:
            raise LibraryError(f"{self.name} is a database, but no library of Kibitz: it holds {', '.join(tables[:3])}")
        return None

    def _upgrade(self) -> None:
        from alembic import command

        with self._writer.begin() as connection:
            self._lock(connection)
            if self._revision(connection) == HEAD:
                return  # another process was quicker
            config = alembic_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    # --- backups ----------------------------------------------------------------------------------------------------

    def backup(self, path: str | Path) -> Path:
        """Copy an SQLite library, which may be in use. The copy gets its name when it is whole."""
        if not self.is_sqlite or self.url.database in (None, "", ":memory:"):
            raise LibraryError("only a library in a file is copied here; for PostgreSQL use pg_dump")
        target = Path(path)
        if target.exists():
            raise LibraryError(f"{target} exists already: expected the name of a new file")
        partial = target.with_name(target.name + ".part")
        try:
            partial.unlink(missing_ok=True)
            with (
                closing(sqlite3.connect(str(self.url.database), timeout=BUSY_SECONDS)) as source,
                closing(sqlite3.connect(partial)) as copy,
            ):
                source.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
            partial.rename(target)
        except (sqlite3.Error, OSError) as error:
            partial.unlink(missing_ok=True)
            raise LibraryError(f"cannot copy {self.name} to {target}: {error}") from error
        return target


def alembic_config() -> Config:
    """What alembic needs to find the migrations of the package."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    return config


def known_revisions() -> list[str]:
    """All revisions that this code can upgrade from, the oldest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()][::-1]


def owner_id(connection: Connection, name: str) -> int | None:
    """The number of an owner; None for a new one."""
    from kibitz.library.models import Owner

    return connection.execute(select(Owner.id).where(Owner.name == name)).scalar()


def _set_up_sqlite(connection: sqlite3.Connection, record: object) -> None:  # noqa: ARG001
    connection.isolation_level = None  # transactions begin where we say so
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA cache_size=-65536")
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode=WAL")


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its lock at once: one that reads first and writes later could not wait for another."""
    writes = connection.get_execution_options().get("kibitz_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _words(error: exc.DBAPIError) -> str:
    said = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
    for known, words in _SAYINGS.items():
        if known in said:
            return f"{words} ({said})"
    return said


_SAYINGS = {
    "disk is full": "there is no room left to write, and nothing was changed",
    "disk I/O error": "the file cannot be read or written, and nothing was changed",
    "database is locked": f"another process kept the library busy for {BUSY_SECONDS} seconds, and nothing was changed",
    "not a database": "the file is no library",
    "malformed": "the file is damaged; restore a backup",
    "unable to open": "the file cannot be opened",
    "readonly": "the file cannot be written",
}
