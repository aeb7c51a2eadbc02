"""A PostgreSQL server for the tests: found, started and stopped here. Nothing of it is left behind."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Server:
    """A running server, reached through a socket in its folder."""

    folder: Path
    programs: Path
    user: str | None

    def new_database(self, name: str, template: str = "template0") -> str:
        """Make a database, empty or as another one; returns its URL."""
        import psycopg

        with psycopg.connect(host=str(self.folder), user="kibitz", dbname="postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
        return f"postgresql://kibitz@/{name}?host={self.folder}"

    def stop(self) -> None:
        """Stop the server and delete all it had."""
        run([self.programs / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "-w", "stop"], self.user)
        shutil.rmtree(self.folder, ignore_errors=True)


def start_server() -> Server:
    """Start a server, or skip the test with a line that says why not."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    user = unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="kibitz-pg-", dir="/tmp"))
    folder.chmod(0o755)
    if user is not None:
        shutil.chown(folder, user)
    data = folder / "data"
    made = run([programs / "initdb", "-D", data, "-U", "kibitz", "-A", "trust", "-E", "UTF8", "--no-sync"], user)
    # fsync is off: the tests kill clients, not the machine.
    options = f"-k {folder} -h '' -c fsync=off -c max_connections=30"
    begun = run([programs / "pg_ctl", "-D", data, "-l", folder / "log", "-o", options, "-w", "start"], user)
    if made.returncode or begun.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip(f"PostgreSQL does not start here: {(made.stderr + begun.stderr).strip()[-200:]}")
    return Server(folder, programs, user)


def find_programs() -> Path | None:
    """The folder of initdb and pg_ctl: on the path, or where Debian puts them."""
    if (found := shutil.which("initdb")) is not None and shutil.which("pg_ctl") is not None:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists()), None)


def unprivileged() -> str | None:
    """Whom to run the server as: it refuses to be run by root. None for ourselves."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


def run(command: list[str | Path], user: str | None) -> subprocess.CompletedProcess[str]:
    """Run a program of the server's, as a user that it accepts."""
    environment = {**os.environ, "LC_ALL": "C"}
    # pg_ctl leaves the server running with its output open: a pipe would never end.
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            [str(word) for word in command], user=user, cwd="/tmp", env=environment, stdout=output, stderr=output
        )
        output.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, "", output.read())
