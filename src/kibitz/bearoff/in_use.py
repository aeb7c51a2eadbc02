"""Which bearoff tables on disk answer beside those in memory, for all engines of this process.

The largest one-sided and the largest two-sided file of the cache directory, unless a program names others. Files are
mapped, not read: their header and length are checked, and `kibitz tables verify` checks every byte.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz import _core
from kibitz.bearoff.one_sided import OneSided
from kibitz.bearoff.tables import IN_MEMORY, TableName, table_info_of
from kibitz.bearoff.two_sided import TwoSided
from kibitz.errors import TableError
from kibitz.folders import bearoff_files


@dataclass(frozen=True, slots=True)
class TablesInUse:
    """The larger tables that are asked, if any, and their names with checksums: answers depend on them."""

    one_sided: OneSided | None = None
    two_sided: TwoSided | None = None
    identity: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The tables by name."""
        return tuple(str(table.name) for table in (self.one_sided, self.two_sided) if table is not None)


_LOCK = threading.Lock()
_in_use: TablesInUse | None = None


def tables_in_use() -> TablesInUse:
    """The larger tables that are asked. The first who wants to know looks into the cache directory."""
    return _in_use if _in_use is not None else use_tables()


def use_tables(files: Sequence[Path | str] | None = None) -> TablesInUse:
    """Ask these files from now on, one of each kind at most; none for an empty list; by default the largest there are.

    It counts for all engines of the process. Call it before there are any: what they remember is not forgotten.
    """
    global _in_use
    with _LOCK:
        found = _largest() if files is None else [(table_info_of(Path(file)).name, Path(file)) for file in files]
        if wrong := [str(name) for name, _ in found if name.kind == "hypergammon"]:
            raise TableError(f"expected tables for bearing off, not {wrong[0]}")
        if len({name.kind for name, _ in found}) < len(found):
            raise TableError("expected at most one table of each kind, one-sided and two-sided")
        one_sided, two_sided, identity = None, None, []
        for name, path in found:
            if name.kind == "one-sided":
                one_sided = OneSided(name.points, name.checkers, path=path, check=False)
            else:
                two_sided = TwoSided(name.points, name.checkers, path=path, check=False)
            identity.append(f"{name} {table_info_of(path).checksum}")
        _core.put_away_tables()
        for table in (one_sided, two_sided):
            if table is not None:
                table.use()
        _in_use = TablesInUse(one_sided, two_sided, tuple(identity))
        return _in_use


def _largest() -> list[tuple[TableName, Path]]:
    """The largest file of each kind that reaches farther than the table in memory."""
    best: dict[str, TableName] = {}
    for path in bearoff_files():
        try:
            name = TableName.of(path.stem)
        except TableError:
            continue  # no name of ours
        small = any(name.kind == one.kind and name.positions <= one.positions for one in IN_MEMORY)
        if not small and (name.kind not in best or best[name.kind].positions < name.positions):
            best[name.kind] = name
    return [(name, name.path) for name in best.values()]
