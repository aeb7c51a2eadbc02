"""Turns to bear off: against a plain recursion, and against values that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz.bearoff import OneSided
from kibitz.errors import PositionError, TableError

from . import plain

homes = st.lists(st.integers(0, 5), min_size=1, max_size=15).map(lambda at: tuple(at.count(p) for p in range(6)))


@pytest.fixture(scope="module")
def table() -> OneSided:
    return OneSided()


def test_all_positions_of_up_to_six_checkers_have_the_exact_mean(table: OneSided) -> None:
    rows = list(plain.rows(6, 6))
    assert len(rows) == 924
    expected = [plain.mean_turns(row) for row in rows]
    assert np.abs(table.means(rows) - expected).max() < 1e-9


def test_all_positions_of_up_to_six_checkers_have_the_exact_distribution(table: OneSided) -> None:
    for row in plain.rows(6, 6):
        expected = plain.distribution(row)
        turns = table.turns(row)
        assert turns.probabilities == pytest.approx(expected, abs=1e-9), row
        assert turns.most == len(expected) - 1
        assert turns.least == next(n for n, chance in enumerate(expected) if chance)
        mean = sum(n * chance for n, chance in enumerate(expected))
        variance = sum((n - mean) ** 2 * chance for n, chance in enumerate(expected))
        assert turns.standard_deviation == pytest.approx(variance**0.5, abs=1e-6)


def test_the_first_checker_off_has_the_exact_mean(table: OneSided) -> None:
    rows = [row for row in plain.rows(6, 5) if any(row)]
    expected = [plain.mean_turns_to_first(row, sum(row)) for row in rows]
    assert np.abs(table.look_up(rows)[:, 4] - expected).max() < 1e-9


def test_tables_beyond_the_home_board_bear_off_only_when_all_are_home() -> None:
    table = OneSided.build(11, 3)
    rows = list(plain.rows(11, 3))
    assert len(table) == len(rows) == 364
    assert np.abs(table.means(rows) - [plain.mean_turns(row) for row in rows]).max() < 1e-9


@pytest.mark.parametrize(
    ("checkers", "effective_pips"),
    [
        (1, 8.1667),
        (2, 8.1667),
        (4, 14.9722),
        (6, 22.0046),
        (8, 28.9992),
        (10, 36.0001),
        (13, 50.000004),
        (15, 56.999999),
    ],
)
def test_effective_pips_of_ace_point_stacks(table: OneSided, checkers: int, effective_pips: float) -> None:
    assert table.turns((checkers,)).effective_pips == pytest.approx(effective_pips, abs=6e-5 if checkers < 13 else 6e-7)


def test_seven_checkers_on_the_ace_point(table: OneSided) -> None:
    assert table.turns("700000").mean == pytest.approx(3.5509259259, abs=1e-10)


def test_one_checker_bears_off_with_the_rolls_that_everybody_knows(table: OneSided) -> None:
    """27 rolls of 36 bear off a checker on the six point, and 36 one on the ace point."""
    assert table.turns("000001").probabilities[1] == pytest.approx(27 / 36)
    assert table.turns("100000").probabilities == (0.0, 1.0)


def test_numbers_count_every_row_once(table: OneSided) -> None:
    assert len(table) == 54264
    rows = [table.row(number) for number in range(0, 54264, 7)]
    assert table.numbers(rows).tolist() == list(range(0, 54264, 7))
    assert table.row(0) == (0,) * 6


@given(homes)
def test_distributions_are_distributions(row: tuple[int, ...]) -> None:
    turns = OneSided().turns(row)
    assert sum(turns.probabilities) == pytest.approx(1, abs=1e-12)
    assert min(turns.probabilities) >= 0
    assert sum(n * chance for n, chance in enumerate(turns.probabilities)) == pytest.approx(turns.mean, abs=1e-9)
    assert turns.least <= turns.mean <= turns.most
    assert turns.least >= (sum(row) + 3) // 4
    assert OneSided().first_turns(row).mean <= turns.mean


@given(homes, homes)
def test_the_chance_to_win_is_the_sum_over_both_distributions(mine: tuple[int, ...], theirs: tuple[int, ...]) -> None:
    table = OneSided()
    board = np.zeros((1, 2, 25), dtype=np.uint8)
    board[0, 0, :6], board[0, 1, :6] = mine, theirs
    ours, others = np.array(table.turns(mine).probabilities), np.array(table.turns(theirs).probabilities)
    expected = sum(chance * others[n:].sum() for n, chance in enumerate(ours))
    assert table.win(board)[0] == pytest.approx(expected, abs=1e-12)


def test_rows_out_of_reach_are_refused_by_their_place() -> None:
    with pytest.raises(TableError, match="number 1 of what was asked"):
        OneSided().means([(1, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 1)])
    with pytest.raises(PositionError, match="shape"):
        OneSided().means(np.zeros((3, 26), dtype=int))
    with pytest.raises(TableError, match="1 to 11 points"):
        OneSided(12, 15)
    with pytest.raises(TableError, match="kibitz tables build one-sided-8x15"):
        OneSided(8, 15)


def test_the_room_is_an_attribute_of_the_package() -> None:
    assert kibitz.bearoff.OneSided is OneSided
    assert "000001" in OneSided() and (0,) * 7 + (1,) not in OneSided()
