"""Table files: built aside, checked when opened, refused with advice when anything is wrong."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kibitz import Position
from kibitz.bearoff import Hypergammon, OneSided, TableName, TwoSided
from kibitz.bearoff import tables as catalogue
from kibitz.bearoff.verify import verify
from kibitz.errors import TableError

SMALL = ("one-sided-7x3", "two-sided-6x2", "hypergammon-1")


@pytest.mark.parametrize("name", SMALL)
def test_a_built_table_is_sound_and_leaves_nothing_else(name: str, cache: Path) -> None:
    path = catalogue.build(name)
    assert path == cache / f"{name}.kbt"
    assert [file.name for file in cache.iterdir()] == [f"{name}.kbt"]
    found = verify(name, positions=30)
    info = catalogue.table_info(TableName.of(name))
    assert info.state == "built" and info.checksum == found.checksum and info.bytes == path.stat().st_size
    assert abs(info.name.expected_bytes - info.bytes) <= (0 if name != "one-sided-7x3" else info.bytes)


def test_a_file_says_the_same_as_a_table_in_memory() -> None:
    for name in SMALL:
        catalogue.build(name)
    rows = [OneSided.build(7, 3).row(number) for number in range(120)]
    assert (OneSided(7, 3).look_up(rows) == OneSided.build(7, 3).look_up(rows)).all()
    position = Position.of({6: 1, 2: 1}, {4: 2})
    assert TwoSided(6, 2).evaluate(position) == TwoSided().evaluate(position)
    start = Position.start("hypergammon-1")
    assert Hypergammon(1).evaluate(start) == Hypergammon.build(1).evaluate(start)


@pytest.mark.parametrize("name", SMALL)
def test_every_kind_of_damage_is_refused_and_repaired_by_a_build(name: str) -> None:
    table = TableName.of(name)
    path = catalogue.build(name)
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2 + 2048] ^= 1
    version = bytearray(whole)
    version[8] += 1
    header = bytearray(whole)
    header[40] ^= 255
    cases = {
        "not as long": whole[:-1],
        "no table file": b"something else" * 1000,
        "damaged": bytes(flipped),
        "another version": bytes(version),
        "checksum": bytes(header),
    }
    for message, content in cases.items():
        path.write_bytes(content)
        with pytest.raises(TableError, match=message) as caught:
            catalogue.open_native(table)
        assert f"kibitz tables build {name}" in str(caught.value)
        assert caught.value.code == "table"
    path.write_bytes(b"")
    with pytest.raises(TableError, match="no table file"):
        catalogue.open_native(table)
    assert catalogue.table_info(table).state == "damaged"
    catalogue.build(name)
    catalogue.open_native(table)


def test_a_file_of_another_table_is_refused() -> None:
    path = catalogue.build("two-sided-6x2")
    path.rename(path.with_name("two-sided-6x3.kbt"))
    with pytest.raises(TableError, match="holds another table than two-sided-6x3"):
        TwoSided(6, 3)


def test_names_say_which_table() -> None:
    assert str(TableName.of("two-sided-6x8")) == "two-sided-6x8"
    assert TableName.of("hypergammon-3").positions == 7959904
    assert TableName.of("one-sided-6x15").positions == 54264
    for wrong in ("two-sided", "one-sided-12x15", "one-sided-6x16", "hypergammon-4", "../x", "two-sided-6x6\n"):
        with pytest.raises(TableError):
            TableName.of(wrong)
    with pytest.raises(TableError, match="64 GB"):
        catalogue.build("two-sided-11x15")


def test_an_exception_in_the_progress_stops_the_build_without_a_file(cache: Path) -> None:
    class EnoughError(Exception):
        pass

    def stop(done: float, _: str) -> None:
        if done > 0.5:
            raise EnoughError

    for name in ("one-sided-6x9", "two-sided-6x4", "hypergammon-1"):
        with pytest.raises(EnoughError):
            catalogue.build(name, progress=stop)
        assert not (cache / f"{name}.kbt").exists()
        with pytest.raises(TableError, match="there is no table"):
            catalogue.open_native(TableName.of(name))
        # What it has got to is kept, and the next build goes on with it.
        assert catalogue.table_info(TableName.of(name)).state == "partly built"
        first: list[float] = []
        catalogue.build(name, progress=lambda done, _, first=first: first.append(done))  # type: ignore[misc]
        assert first[0] > 0.3
        assert verify(name).largest_error < 1e-6


KILLED = """
import os, signal, sys
from kibitz.bearoff import tables
steps = 0
def tell(done, detail):
    global steps
    steps += 1
    if steps == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
tables.build(sys.argv[1], threads=1, progress=tell, keep_every=0.0)
"""


@pytest.mark.parametrize(("name", "steps"), [("hypergammon-2", 25), ("one-sided-7x7", 20), ("two-sided-6x5", 2)])
def test_a_killed_build_goes_on_and_ends_with_the_bytes_of_an_undisturbed_one(
    cache: Path, name: str, steps: int
) -> None:
    command = [sys.executable, "-c", KILLED, name, str(steps)]
    for _ in range(2):
        killed = subprocess.run(command, env=os.environ | {"KIBITZ_CACHE": str(cache.parent)}, check=False)
        assert killed.returncode == -signal.SIGKILL
        assert catalogue.table_info(TableName.of(name)).state == "partly built"
    left: list[float] = []
    resumed = catalogue.build(name, progress=lambda done, _: left.append(done))
    assert [path.name for path in cache.iterdir()] == [f"{name}.kbt"]
    whole: list[float] = []
    fresh = catalogue.build(name, path=cache.parent / "fresh.kbt", progress=lambda done, _: whole.append(done))
    assert len(left) < len(whole)
    assert resumed.read_bytes()[4096:] == fresh.read_bytes()[4096:]
    catalogue.open_native(TableName.of(name))


def test_what_is_left_of_another_build_is_not_used(cache: Path) -> None:
    cache.mkdir()
    for rubbish in (b"", b"rubbish", b"KBTZJNL1" + bytes(200)):
        (cache / "one-sided-6x3.kbt.journal").write_bytes(rubbish)
        catalogue.build("one-sided-6x3")
        assert verify("one-sided-6x3").largest_error < 1e-9
        (cache / "one-sided-6x3.kbt").unlink()


@pytest.mark.parametrize("name", ["hypergammon-1", "hypergammon-2"])
def test_a_resumed_build_ends_with_the_digits_of_an_undisturbed_one(name: str, cache: Path) -> None:
    """Wherever it was stopped, also in the middle of a block."""
    steps = 0

    class EnoughError(Exception):
        pass

    def stop(*_: object) -> None:
        nonlocal steps
        steps += 1
        if steps % 7 == 0 and steps < 40:
            raise EnoughError

    catalogue.build(name)
    whole = (cache / f"{name}.kbt").read_bytes()[4096:]
    (cache / f"{name}.kbt").unlink()
    while not (cache / f"{name}.kbt").exists():
        with contextlib.suppress(EnoughError):
            catalogue.build(name, progress=stop)
    assert steps > 7
    assert (cache / f"{name}.kbt").read_bytes()[4096:] == whole


def test_two_builds_of_one_table_do_not_meet(cache: Path) -> None:
    cache.mkdir()
    with (cache / "hypergammon-1.kbt.part").open("w") as part:
        fcntl.flock(part, fcntl.LOCK_EX)
        with pytest.raises(TableError, match="being built by another process"):
            catalogue.build("hypergammon-1")


def test_a_folder_that_cannot_be_made_is_an_error_of_ours(cache: Path) -> None:
    cache.write_text("in the way")
    with pytest.raises(TableError, match="cannot be made"):
        catalogue.build("hypergammon-1")


def test_the_cache_directory_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert catalogue.folder() == tmp_path / "tables"
    monkeypatch.delenv("KIBITZ_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert catalogue.folder() == Path("/somewhere/kibitz/tables")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert catalogue.folder() == Path.home() / ".cache/kibitz/tables"


def test_batches_of_a_large_shape_on_disk() -> None:
    catalogue.build("one-sided-9x4")
    table = OneSided(9, 4)
    rows = np.zeros((2, 9), dtype=int)
    rows[0, 8], rows[1, 0] = 4, 1
    assert table.means(rows)[1] == 1
