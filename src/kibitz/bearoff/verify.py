"""Whether a table is sound: its checksum, and its own equations one roll ahead on positions drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bearoff.hypergammon import FIELDS, Hypergammon
from kibitz.bearoff.one_sided import OneSided
from kibitz.bearoff.tables import TableName, table_info
from kibitz.bearoff.two_sided import TwoSided
from kibitz.dice import ALL_ROLLS
from kibitz.errors import TableError
from kibitz.position import Position

TOLERANCE = 2e-6
"""Equities of hypergammon are kept as floats; the other tables are far more precise."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What has been checked."""

    name: TableName
    positions: int
    largest_error: float
    checksum: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "name": str(self.name),
            "checked_positions": self.positions,
            "largest_error": self.largest_error,
            "checksum": self.checksum,
        }


def verify(name: str | TableName, *, positions: int = 100, seed: int = 1) -> Verification:
    """Compare every byte with the checksum, and some positions with what their plays lead to."""
    table = TableName.of(name)
    info = table_info(table)
    path = table.path if info.path is not None else None
    random = np.random.default_rng(seed)
    if table.kind == "one-sided":
        error = _verify_one_sided(OneSided(table.points, table.checkers, path=path), random, positions)
    elif table.kind == "two-sided":
        error = _verify_two_sided(TwoSided(table.points, table.checkers, path=path), random, positions)
    else:
        error = _verify_hypergammon(Hypergammon(table.checkers, path=path), random, positions)
    if not error <= TOLERANCE:
        raise TableError(
            f"the table {table} contradicts itself by {error:.1e}; `kibitz tables build {table} --force` replaces it"
        )
    return Verification(table, positions, error, info.checksum)


def _random_row(random: np.random.Generator, points: int, checkers: int) -> tuple[int, ...]:
    """A row with one to `checkers` checkers."""
    count = int(random.integers(1, checkers + 1))
    return tuple(np.bincount(random.integers(0, points, count), minlength=25).tolist())


def _results(position: Position) -> list[tuple[int, list[Position]]]:
    """For every roll its weight and the positions after it."""
    return [(roll.weight, [play.result for play in position.plays(roll)] or [position.swapped()]) for roll in ALL_ROLLS]


def _verify_one_sided(table: OneSided, random: np.random.Generator, positions: int) -> float:
    worst = 0.0
    for _ in range(positions):
        row = _random_row(random, table.name.points, table.name.checkers)
        mean = 1.0
        for weight, results in _results(Position(row, (1,) + (0,) * 24)):
            mean += weight / 36 * float(table.means([result.theirs for result in results]).min())
        worst = max(worst, abs(mean - table.turns(row).mean))
    return worst


def _boards(results: list[Position]) -> npt.NDArray[np.uint8]:
    return np.stack([result.board for result in results])


def _verify_two_sided(table: TwoSided, random: np.random.Generator, positions: int) -> float:
    worst = 0.0
    for _ in range(positions):
        rows = [_random_row(random, table.name.points, table.name.checkers) for _ in range(2)]
        position = Position(rows[0], rows[1])
        sums = np.zeros(4)
        for weight, results in _results(position):
            sums += weight / 36 * table.look_up(_boards(results)).min(axis=0)
        win, centred, owned, unavailable = 1 - sums[0], -sums[1], -sums[3], -sums[2]
        doubled = min(2 * unavailable, 1.0)
        expected = np.array([win, max(centred, doubled), max(owned, doubled), unavailable])
        worst = max(worst, float(np.abs(expected - table.look_up(position.board[np.newaxis])[0]).max()))
    return worst


def _verify_hypergammon(table: Hypergammon, random: np.random.Generator, positions: int) -> float:
    worst = 0.0
    checked = 0
    columns = {name: FIELDS.index(name) for name in FIELDS}
    while checked < positions:
        mine, theirs = (_random_row(random, 25, table.checkers) for _ in range(2))
        if any(mine[slot] and theirs[23 - slot] for slot in range(24)):
            continue
        checked += 1
        position = Position(mine, theirs)
        sums = np.zeros(10)
        for weight, results in _results(position):
            sums += weight / 36 * table.look_up(_boards(results)).min(axis=0)
        unavailable = -sums[columns["owned"]]
        doubled = min(2 * unavailable, 1.0)
        expected = {
            "equity": -sums[columns["equity"]],
            "centred": max(-sums[columns["centred"]], doubled),
            "centred_jacoby": max(-sums[columns["centred_jacoby"]], doubled),
            "owned": max(-sums[columns["unavailable"]], doubled),
            "unavailable": unavailable,
        }
        found = table.evaluate(position).to_dict()
        worst = max(worst, *(abs(expected[name] - found[name]) for name in expected))
    return worst
