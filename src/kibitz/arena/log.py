"""The log of a duel: JSON lines that only ever grow, so that an interrupted duel goes on where it stopped.

The first line says who plays whom under which rules. Every other line is a pair: `{"pair": 7, "sessions": [{…}, {…}]}`,
both seen by the first player, or `{"pair": 7, "failed": {…}}` for one that could not be played. A last line that a
crash has torn is dropped.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.arena.statistics import PairScore
from kibitz.errors import FormatError
from kibitz.files import append_line, cannot_write
from kibitz.plain_json import read_json

VERSION = 1
_IDENTITY = ("players", "rules", "seed", "luck", "about")
"""What must be the same for a duel to be continued: also versions and nets, which "about" tells."""


@dataclass(slots=True)
class DuelLog:
    """What a log holds."""

    header: dict[str, Any] = field(default_factory=dict)
    pairs: dict[int, dict[str, Any]] = field(default_factory=dict)
    seconds: float = 0.0  # of all runs so far

    @property
    def is_money(self) -> bool:
        """Whether every game stands for itself."""
        return not self.header["rules"]["length"]

    @property
    def with_luck(self) -> bool:
        """Whether luck was measured."""
        return self.header["luck"] is not None

    def scores(self) -> list[PairScore]:
        """The finished pairs by number."""
        return [pair_score(pair, money=self.is_money) for _, pair in sorted(self.pairs.items()) if "sessions" in pair]

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The pairs that could not be played."""
        return [pair for _, pair in sorted(self.pairs.items()) if "failed" in pair]

    @property
    def retries(self) -> int:
        """How often a pair was begun anew because a player failed."""
        return sum(len(pair.get("retries", ())) for pair in self.pairs.values())


def pair_score(pair: dict[str, Any], *, money: bool) -> PairScore:
    """The results of a pair's line."""
    first, second = pair["sessions"]
    return PairScore((first["result"], second["result"]), (first["luck"], second["luck"]), money)


def read_log(path: Path) -> DuelLog:
    """Read a log."""
    log = DuelLog()
    for number, line in enumerate(_lines(path), start=1):
        try:
            data = read_json(line)
            if number == 1:
                if data.get("kibitz_arena") != VERSION:
                    raise FormatError(f"{path}: not an arena log of version {VERSION}")
                log.header = _checked_header(data)
            elif "seconds" in data:
                log.seconds += float(data["seconds"])
            else:
                log.pairs[int(data["pair"])] = _checked_pair(data, money=log.is_money)
        except (ValueError, KeyError, TypeError, AttributeError):
            words = line[:60].decode("utf-8", "replace")
            raise FormatError(f"{path}:{number}: not a line of an arena log: {words!r}") from None
    if not log.header:
        raise FormatError(f"{path}: an arena log begins with a line about the duel; this is empty")
    return log


def _checked_header(header: dict[str, Any]) -> dict[str, Any]:
    """A first line that has what is asked of it later."""
    first, second = header["players"]
    ours, theirs = header["about"]
    length, luck = header["rules"]["length"], header["luck"]
    kinds = ((first, str), (second, str), (ours, dict), (theirs, dict), (length, int), (luck, dict | None))
    if not all(isinstance(value, kind) for value, kind in kinds):
        raise TypeError("a header of other types")
    return header


def _checked_pair(pair: dict[str, Any], *, money: bool) -> dict[str, Any]:
    """A line about a pair that has what is asked of it later."""
    if "sessions" in pair:
        score = pair_score(pair, money=money)
        if not all(isinstance(number, int | float) for number in (*score.results, *score.luck)):
            raise TypeError("results are numbers")
    elif not isinstance(pair["failed"]["message"], str):
        raise TypeError("a failure says why")
    if not isinstance(pair.get("retries", []), list):
        raise TypeError("retries are a list")
    return pair


def _lines(path: Path) -> Iterator[bytes]:
    """The whole lines of a file."""
    try:
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror}") from None


NOTE_SECONDS = 20.0
"""How often the time spent is noted: no more of it is lost by a kill."""


class LogWriter:
    """Appends to a log. Every line reaches the file at once, whole or not at all."""

    def __init__(self, path: Path | None, header: dict[str, Any]) -> None:
        self._noted = time.monotonic()
        self.log = DuelLog(header)
        self._path = path
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            self.log = read_log(path)
            for name in _IDENTITY:
                if self.log.header.get(name) != header[name]:
                    old, new = self.log.header.get(name), header[name]
                    raise FormatError(f"{path} is the log of another duel: under {name!r} it has {old}, not {new}")
            _drop_torn_line(path)
        else:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise cannot_write(path, error) from None
            self._write(header)

    def add(self, pair: dict[str, Any]) -> None:
        """One more pair."""
        self.log.pairs[pair["pair"]] = pair
        self._write(pair)
        if time.monotonic() - self._noted >= NOTE_SECONDS:
            self._note_time()

    @property
    def seconds(self) -> float:
        """How long the duel has taken so far, in all runs."""
        return self.log.seconds + time.monotonic() - self._noted

    def finish(self) -> None:
        """Note the time. That it cannot be noted is no reason to fail: all pairs are there."""
        with suppress(FormatError):
            self._note_time()

    def _note_time(self) -> None:
        now = time.monotonic()
        spent = round(now - self._noted, 3)
        self._noted = now
        self.log.seconds += spent
        self._write({"seconds": spent})

    def _write(self, data: dict[str, Any]) -> None:
        if self._path is not None:
            append_line(self._path, json.dumps(data, separators=(",", ":")))


def _drop_torn_line(path: Path) -> None:
    """Cut off what stands behind the last end of a line."""
    with path.open("rb+") as file:
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            file.truncate(whole)
            file.flush()
            os.fsync(file.fileno())
