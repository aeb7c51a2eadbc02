"""Table names and files: where they are, how to build them, whether they are sound.

A name is `one-sided-6x15`, `two-sided-6x6` (points x checkers) or `hypergammon-3` (checkers). The two small ones are
built in memory on first use; every other table is a file in the user's cache directory, mapped when it is used.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any, Literal

from kibitz import _core
from kibitz.errors import TableError
from kibitz.folders import cache_folder

Kind = Literal["one-sided", "two-sided", "hypergammon"]
Progress = Callable[[float, str], None]
"""Is told the share that is done and, where there is one, a word on the present step."""

SLOTS = 25
MOST_POINTS = 11
MOST_CHECKERS = 15
MOST_HYPERGAMMON = 3
LARGEST_FILE = 64 << 30

_NAME = re.compile(r"(?:(one-sided|two-sided)-(\d+)x(\d+)|hypergammon-(\d+))\Z")
_HEADER = struct.Struct("<QIIIIQQQQQQQ")
_HEADER_PAGE = 4096
_MAGIC = b"KBTZTAB1"


@dataclass(frozen=True, slots=True, order=True)
class TableName:
    """Which table: its kind, and the points and checkers that it covers."""

    kind: Kind
    points: int
    checkers: int

    def __post_init__(self) -> None:
        if self.kind == "hypergammon":
            if not 1 <= self.checkers <= MOST_HYPERGAMMON:
                raise TableError(f"hypergammon is played with 1, 2 or 3 checkers, not {self.checkers}")
            return
        if not (1 <= self.points <= MOST_POINTS and 1 <= self.checkers <= MOST_CHECKERS):
            raise TableError(
                f"a bearoff table has 1 to {MOST_POINTS} points and 1 to {MOST_CHECKERS} checkers, "
                f"not {self.points} points and {self.checkers} checkers"
            )

    @classmethod
    def of(cls, name: str | TableName) -> TableName:
        """A name from text such as 'two-sided-6x7' or 'hypergammon-2'."""
        if isinstance(name, TableName):
            return name
        found = _NAME.match(name)
        if not found:
            raise TableError(
                f"a table is called one-sided-POINTSxCHECKERS, two-sided-POINTSxCHECKERS or hypergammon-CHECKERS, "
                f"such as one-sided-8x15; not {name!r}"
            )
        if found[4]:
            return cls("hypergammon", SLOTS, int(found[4]))
        return cls("one-sided" if found[1] == "one-sided" else "two-sided", int(found[2]), int(found[3]))

    def __str__(self) -> str:
        if self.kind == "hypergammon":
            return f"hypergammon-{self.checkers}"
        return f"{self.kind}-{self.points}x{self.checkers}"

    @property
    def in_memory(self) -> bool:
        """Whether this table comes by itself, built in memory on first use."""
        return self in IN_MEMORY

    @property
    def positions(self) -> int:
        """How many positions the table answers."""
        rows = comb(self.points + self.checkers, self.checkers)
        if self.kind == "one-sided":
            return rows
        return rows * rows if self.kind == "two-sided" else int(_core.HypergammonTable.positions_of(self.checkers))

    @property
    def expected_bytes(self) -> int:
        """How large the file is; an estimate for one-sided tables, whose distributions differ in length."""
        if self.kind == "hypergammon":
            return _HEADER_PAGE + int(_core.HypergammonTable.bytes_of(self.checkers))
        if self.kind == "two-sided":
            return _HEADER_PAGE + 16 * self.positions
        return _HEADER_PAGE + (32 + 8 * (3 + self.points * self.checkers // 10)) * self.positions

    @property
    def expected_seconds(self) -> float:
        """How long a build takes on two cores of 2020, roughly; more cores take less."""
        rate = {"one-sided": 400_000, "two-sided": 2_500_000, "hypergammon": 12_000}[self.kind]
        return self.positions / rate

    @property
    def path(self) -> Path:
        """Where its file is or would be."""
        return folder() / f"{self}.kbt"


IN_MEMORY = (TableName("one-sided", 6, 15), TableName("two-sided", 6, 6))
USUAL = (
    *IN_MEMORY,
    TableName("one-sided", 8, 15),
    TableName("one-sided", 11, 15),
    TableName("two-sided", 6, 8),
    TableName("hypergammon", SLOTS, 1),
    TableName("hypergammon", SLOTS, 2),
    TableName("hypergammon", SLOTS, 3),
)
"""The tables that `kibitz tables list` names even while they are not built."""


def folder() -> Path:
    """Where table files are kept."""
    return cache_folder() / "tables"


# --- opening ---------------------------------------------------------------------------------------------------------


def table_error(problem: str, name: TableName, path: Path) -> TableError:
    """The error for what the core found wrong with a file: what it is, and what to do."""
    build = f"build it with `kibitz tables build {name}`"
    rebuild = f"`kibitz tables build {name}` replaces it"
    sentences = {
        "missing": f"there is no table {name} at {path}; {build}",
        "unreadable": f"the table file {path} cannot be read or written; check its folder and permissions",
        "foreign": f"{path} is no table file of Kibitz; {rebuild}",
        "version": f"{path} was written by another version of Kibitz; {rebuild}",
        "other": f"{path} holds another table than {name}; {rebuild}",
        "truncated": f"the table file {path} is not as long as its header says; {rebuild}",
        "damaged": f"the table file {path} is damaged: its checksum does not agree; {rebuild}",
        "busy": f"the table {name} is being built by another process; wait for it, or stop it first",
        "full": f"there is no room for the table {name} at {path}: it needs {name.expected_bytes / 1e6:.0f} MB",
    }
    return TableError(sentences.get(problem, f"the table file {path} cannot be used: {problem}"))


def open_native(name: TableName, path: Path | None = None, *, check: bool = True) -> Any:
    """The native table of a file. Every byte is compared with the checksum unless `check` is false."""
    where = name.path if path is None else Path(path)
    table: Any
    if name.kind == "hypergammon":
        table, problem = _core.HypergammonTable.open(str(where), name.checkers, check)
    elif name.kind == "two-sided":
        table, problem = _core.TwoSidedTable.open(str(where), name.points, name.checkers, check)
    else:
        table, problem = _core.OneSidedTable.open(str(where), name.points, name.checkers, check)
    if table is None:
        raise table_error(problem, name, where)
    return table


def terminal_progress(name: TableName) -> Progress | None:
    """A line on stderr that rewrites itself; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        return None

    def tell(done: float, detail: str) -> None:
        end = "\n" if done >= 1 and not detail else ""
        print(f"\r{name}: {100 * done:5.1f} %  {detail:<50}", end=end, file=sys.stderr, flush=True)

    return tell


# --- building --------------------------------------------------------------------------------------------------------


def build(
    name: str | TableName,
    *,
    path: Path | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    keep_every: float = 10.0,
) -> Path:
    """Build a table into its file, and return the file's path.

    The file gets its name only when it is whole. What is done is kept beside it every `keep_every` seconds. A build
    that was cut off, by an exception in `progress` or a kill, goes on from there and ends with the same values.
    """
    table = TableName.of(name)
    where = table.path if path is None else Path(path)
    if table.expected_bytes > LARGEST_FILE:
        raise TableError(
            f"the table {table} would need {table.expected_bytes / 1e9:.0f} GB, more than the 64 GB allowed"
        )
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"the folder {where.parent} for tables cannot be made: {error.strerror}") from None
    if table.kind == "hypergammon":
        problem = _core.HypergammonTable.write(str(where), table.checkers, threads, progress, keep_every)
    elif table.kind == "two-sided":
        problem = _core.TwoSidedTable.write(str(where), table.points, table.checkers, threads, progress, keep_every)
    else:
        problem = _core.OneSidedTable.write(str(where), table.points, table.checkers, threads, progress, keep_every)
    if problem:
        raise table_error(problem, table, where)
    return where


# --- what is there ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What is known of a table without opening it."""

    name: TableName
    state: str  # in memory (on first use), built, partly built, not built, or what is wrong with the file
    path: Path | None
    bytes: int
    seconds: float | None
    checksum: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "name": str(self.name),
            "positions": self.name.positions,
            "state": self.state,
            "path": None if self.path is None else str(self.path),
            "bytes": self.bytes,
            "build_seconds": self.seconds,
            "checksum": self.checksum,
        }


def table_info(name: TableName) -> TableInfo:
    """State, size, build time and checksum of a table, read from the header of its file."""
    path = name.path
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(_HEADER.size)
        size = path.stat().st_size
        if len(head) < _HEADER.size:
            return TableInfo(name, "damaged", path, size, None, None)
        fields = _HEADER.unpack(head)
        whole = fields[8] == 1 and size == _HEADER_PAGE + fields[5]
        state = "built" if whole else "damaged"
        return TableInfo(name, state, path, size, fields[9] / 1000, f"{fields[10]:016x}")
    for suffix in (".journal", ".part"):
        part = path.with_name(path.name + suffix)
        if part.is_file():
            return TableInfo(name, "partly built", part, part.stat().st_size, None, None)
    if name.in_memory:
        return TableInfo(name, "in memory", None, name.expected_bytes - _HEADER_PAGE, None, None)
    return TableInfo(name, "not built", None, name.expected_bytes, None, None)


def table_info_of(path: Path) -> TableInfo:
    """What the header of a table file says, whatever the file is called."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER.size)
            size = path.stat().st_size
    except OSError as error:
        raise TableError(f"the table file {path} cannot be read: {error.strerror}") from None
    kinds: dict[int, Kind] = {1: "one-sided", 2: "two-sided", 3: "hypergammon"}
    fields = _HEADER.unpack(head) if len(head) == _HEADER.size else None
    if fields is None or not head.startswith(_MAGIC) or fields[2] not in kinds:
        raise TableError(f"{path} is no table file of Kibitz; `kibitz tables build NAME` makes one")
    name = TableName(kinds[fields[2]], fields[3], fields[4])
    return TableInfo(name, "built", path, size, fields[9] / 1000, f"{fields[10]:016x}")


def table_infos() -> list[TableInfo]:
    """All tables that are usual or there."""
    names = set(USUAL)
    for path in sorted(folder().glob("*.kbt*")) if folder().is_dir() else []:
        found = _NAME.match(path.name.removesuffix(".part").removesuffix(".journal").removesuffix(".kbt"))
        if found:
            try:
                names.add(TableName.of(found[0]))
            except TableError:
                continue
    order = {"one-sided": 0, "two-sided": 1, "hypergammon": 2}
    return [table_info(name) for name in sorted(names, key=lambda name: (order[name.kind], name.points, name.checkers))]
