"""Match equity tables: the chance to win a match by the points that each side still needs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.errors import EngineError, FormatError
from kibitz.match_equity import formulas
from kibitz.plain_json import picked, read_json

if TYPE_CHECKING:
    from xml.etree import ElementTree

Rows = tuple[tuple[float, ...], ...]
MAX_LENGTH = 64
"""The longest match that a table may reach."""
MAX_FILE = 1 << 20
"""Bytes of a table's file. A table of the longest matches has 100,000."""


@dataclass(frozen=True)
class MatchEquityTable:
    """Chances before a game. `pre_crawford[i][j]` is for the side that needs i + 1 points against j + 1.

    Where one side needs one point, that is the chance before the Crawford game; `post_crawford[n]` is the chance of a
    trailer who needs n + 1 points against a leader who needs one once that game has been played.
    """

    name: str
    pre_crawford: Rows
    post_crawford: tuple[float, ...]
    notice: str = ""

    def __post_init__(self) -> None:
        defects = table_defects(self.pre_crawford, self.post_crawford)
        if defects:
            raise FormatError(f"match equity table {self.name!r}: " + "; ".join(defects))

    @classmethod
    def default(cls) -> MatchEquityTable:
        """Kazaross-XG2, the table that comes with Kibitz."""
        return _default()

    @classmethod
    def load(cls, path: Path | str) -> MatchEquityTable:
        """A table from a file: gnubg's XML, XG's .met, or our own JSON."""
        return load_table(Path(path))

    @classmethod
    def of(cls, table: MatchEquityTable | str | None) -> MatchEquityTable:
        """A table, the table of a name, or the default."""
        if isinstance(table, str):
            return cls.named(table)
        return table or cls.default()

    @classmethod
    def named(cls, name: str) -> MatchEquityTable:
        """A table by name (kazaross-xg2, zadeh, mec), or from the file of that name."""
        known = {"kazaross-xg2": _default, "zadeh": _zadeh, "mec": _mec}
        if make := known.get(name.lower()):
            return make()
        if not Path(name).exists():
            raise EngineError(
                f"no match equity table is called {name!r}, nor is there such a file; "
                f"expected {', '.join(known)} or a file"
            )
        return cls.load(name)

    @property
    def length(self) -> int:
        """The longest match that the table reaches."""
        return len(self.pre_crawford)

    def chance(self, my_away: int, their_away: int, *, post_crawford: bool = False) -> float:
        """The chance of the side that needs `my_away` points. A longer match than the table's is extended to."""
        needed = max(my_away, their_away)
        if my_away < 0 or their_away < 0 or not needed or needed > MAX_LENGTH:
            raise EngineError(f"expected scores of at most {MAX_LENGTH} points away, not {my_away} and {their_away}")
        table = self.reaching(needed)
        return table.native.chance(my_away, their_away, post_crawford)

    def after_game(self, my_away: int, their_away: int, points: int) -> float:
        """The chance after a game that is won by so many points, or lost if they are negative; it may be any number."""
        needed = max(my_away, their_away)
        return self.reaching(needed).native.after_game(my_away, their_away, max(-needed, min(points, needed)))

    def reaching(self, length: int) -> MatchEquityTable:
        """This table, or one that goes on from it by Zadeh's model up to a longer match."""
        if length <= self.length:
            return self
        if length > MAX_LENGTH:
            raise EngineError(f"a match of {length} points is too long: at most {MAX_LENGTH} can be analysed")
        return _extended(self)

    @cached_property
    def native(self) -> _core.MatchEquity:
        """The same numbers as the core looks them up."""
        return _core.MatchEquity([list(row) for row in self.pre_crawford], list(self.post_crawford))

    def __hash__(self) -> int:
        return hash((self.name, self.length, self.post_crawford))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `load` reads it back."""
        return picked(self, "name", "notice", "length", "pre_crawford", "post_crawford")


def table_defects(pre_crawford: Rows, post_crawford: Sequence[float]) -> list[str]:
    """All that is wrong with a table; empty for one that can be used."""
    length = len(pre_crawford)
    if not 1 <= length <= MAX_LENGTH:
        return [f"it reaches {length} points, expected 1 to {MAX_LENGTH}"]
    defects = [
        f"row {number} has {len(row)} values instead of {length}"
        for number, row in enumerate(pre_crawford, start=1)
        if len(row) != length
    ]
    if len(post_crawford) != length:
        defects.append(f"there are {len(post_crawford)} post-Crawford values instead of {length}")
    if any(not 0 <= value <= 1 for row in (*pre_crawford, post_crawford) for value in row):
        defects.append("a chance is not between 0 and 1")
    if not defects:
        lopsided = max(abs(pre_crawford[i][j] + pre_crawford[j][i] - 1) for i in range(length) for j in range(length))
        if lopsided > 0.02:
            defects.append(f"the chances of the two sides are off by {lopsided:.3f}; both must be of one strength")
    return defects


_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


def load_table(path: Path) -> MatchEquityTable:
    """Read a table file of any known kind, recognised by its content."""
    import configparser
    from xml.etree import ElementTree

    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE + 1)
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror})") from None
    if len(raw) > MAX_FILE:
        raise FormatError(f"{path}: more than {MAX_FILE >> 20} MB, which no match equity table has")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    start = text.lstrip()
    try:
        if start.startswith("<"):
            return _from_xml(text, path)
        if start.startswith("{"):
            data = read_json(text)
            pre = tuple(tuple(map(float, row)) for row in data["pre_crawford"])
            post = tuple(map(float, data["post_crawford"]))
            return MatchEquityTable(str(data["name"]), pre, post, str(data.get("notice", "")))
        if start.startswith("["):
            return _from_ini(text, path)
    except (*_DAMAGE, ElementTree.ParseError, configparser.Error) as error:
        words = " ".join(str(error).split())[:200]
        raise FormatError(f"{path}: not a match equity table that can be read ({words})") from None
    raise FormatError(f"{path}: expected a match equity table: gnubg's XML, XG's .met or Kibitz's JSON")


def _from_xml(text: str, path: Path) -> MatchEquityTable:
    """gnubg's XML: explicit rows, or the parameters of a formula."""
    from xml.etree import ElementTree

    root = ElementTree.fromstring(text)
    name = (root.findtext("info/name") or path.stem).strip()
    notice = " ".join((root.findtext("info/description") or "").split())
    pre_node = root.find("pre-crawford-table")
    if root.tag != "met" or pre_node is None:
        raise FormatError(f"{path}: the XML is not a match equity table: no <pre-crawford-table> in a <met>")
    post_nodes = root.findall("post-crawford-table")
    kind = pre_node.get("type", "explicit")
    length = int(root.findtext("info/length") or -1)
    if length > MAX_LENGTH:
        raise FormatError(f"{path}: it says a length of {length}, expected at most {MAX_LENGTH}")
    if kind != "explicit":
        parameters = _parameters(pre_node) | {
            key: value for node in post_nodes for key, value in _parameters(node).items()
        }
        return _by_formula(kind, length if length > 0 else _default().length, parameters, name, path)
    pre = tuple(_numbers(row) for row in pre_node.findall("row"))
    explicit = [node for node in post_nodes if node.get("type", "explicit") == "explicit"]
    post = _numbers(explicit[0].find("row")) if explicit else ()
    return _completed(name, pre, post, notice)


def _numbers(row: ElementTree.Element | None) -> tuple[float, ...]:
    return () if row is None else tuple(float(cell.text or "") for cell in row.findall("me"))


def _parameters(node: ElementTree.Element) -> dict[str, float]:
    return {str(item.get("name")): float(item.text or "") for item in node.iter("parameter")}


def _by_formula(kind: str, length: int, parameters: dict[str, float], name: str, path: Path) -> MatchEquityTable:
    drops = {2: parameters.get("free-drop-2-away", 0.015), 4: parameters.get("free-drop-4-away", 0.004)}
    if kind == "zadeh":
        pre, post = formulas.zadeh(
            length,
            leader_gammons=parameters.get("gammon-rate-trailer", 0.15),
            trailer_gammons=parameters.get("gammon-rate-leader", 0.25),
            slack=parameters.get("delta-bar", 0.06),
            free_drops=drops,
        )
    elif kind == "mec":
        pre, post = formulas.mec(length, gammons=parameters.get("gammon-rate", 0.26), free_drops=drops)
    else:
        raise FormatError(f"{path}: no formula is known for a table of type {kind!r}, expected explicit, zadeh or mec")
    return MatchEquityTable(name, pre, post)


def _from_ini(text: str, path: Path) -> MatchEquityTable:
    """XG's .met: sections PreCrawford and PostCrawford, numbers separated by blanks, commas or semicolons."""
    import configparser

    reader = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True, delimiters=("=",))
    reader.read_string(text)
    sections = {name.lower(): reader[name] for name in reader.sections()}
    if "precrawford" not in sections:
        raise FormatError(f"{path}: a .met file has a section [PreCrawford]; found {', '.join(sections) or 'none'}")
    name = sections["current"].get("name", path.stem) if "current" in sections else path.stem
    size = int(sections["precrawford"].get("size", "0"))
    numbers = [
        value
        for key, cells in sections["precrawford"].items()
        if key != "size"
        for value in _loose_numbers([cells if cells is not None else key])
    ]
    size = size or math.isqrt(len(numbers))
    if len(numbers) != size * size:
        raise FormatError(f"{path}: [PreCrawford] holds {len(numbers)} values, expected {size} x {size}")
    pre = tuple(tuple(numbers[size * row : size * (row + 1)]) for row in range(size))
    post = tuple(_loose_numbers([sections["postcrawford"].get("data", "")])) if "postcrawford" in sections else ()
    scale = 100.0 if max(numbers) > 1.0 else 1.0
    return _completed(
        name or path.stem, tuple(tuple(v / scale for v in row) for row in pre), tuple(v / scale for v in post)
    )


def _loose_numbers(cells: Iterable[str]) -> list[float]:
    words = " ".join(cells).replace(";", " ").replace(",", " ").split()
    return [float(word) for word in words]


def _completed(name: str, pre: Rows, post: tuple[float, ...], notice: str = "") -> MatchEquityTable:
    """Post-Crawford values that a file leaves out follow from the ones before."""
    if len(pre) > MAX_LENGTH:
        raise FormatError(f"match equity table {name[:40]!r}: it reaches {len(pre)} points, expected 1 to {MAX_LENGTH}")
    full = formulas.post_crawford(len(pre), post)
    return MatchEquityTable(name, pre, full[: len(pre)], notice)


@cache
def _default() -> MatchEquityTable:
    data = json.loads((files("kibitz") / "data" / "met" / "kazaross_xg2.json").read_text("utf-8"))
    pre = tuple(tuple(row) for row in data["pre_crawford"])
    return MatchEquityTable(data["name"], pre, tuple(data["post_crawford"]), data["notice"])


@cache
def _zadeh() -> MatchEquityTable:
    return MatchEquityTable("Zadeh", *formulas.zadeh(MAX_LENGTH))


@cache
def _mec() -> MatchEquityTable:
    return MatchEquityTable("MEC", *formulas.mec(MAX_LENGTH))


@cache
def _extended(table: MatchEquityTable) -> MatchEquityTable:
    pre, post = formulas.zadeh(MAX_LENGTH, known=(table.pre_crawford, table.post_crawford))
    return MatchEquityTable(f"{table.name}, extended by Zadeh's model", pre, post, table.notice)
