"""Hypergammon: against a plain value iteration written from the rules."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
import pytest

from kibitz import ALL_ROLLS, Position, Variant, _core
from kibitz.bearoff import Hypergammon, exact_evaluations, exact_money_equities
from kibitz.bearoff.hypergammon import FIELDS
from kibitz.bearoff.tables import TableName, build
from kibitz.bearoff.verify import _verify_hypergammon as largest_error
from kibitz.cube import Owner
from kibitz.errors import TableError

Outcome = npt.NDArray[np.float64]

USERS_TABLE = TableName.of("hypergammon-3").path  # before the tests get a cache directory of their own


def all_positions(checkers: int) -> list[Position]:
    """Every position in which both sides have checkers left and share no point. Slot 25 stands for borne off."""
    rows = []
    for slots in combinations_with_replacement(range(26), checkers):
        row = [0] * 26
        for slot in slots:
            row[slot] += 1
        if row[25] < checkers:
            rows.append(tuple(row[:25]))
    return [
        Position.from_rows(bytes(mine) + bytes(theirs))
        for mine in rows
        for theirs in rows
        if not any(mine[slot] and theirs[23 - slot] for slot in range(24))
    ]


def final_points(loser: tuple[int, ...], checkers: int) -> int:
    if sum(loser) < checkers:
        return 1
    return 3 if any(loser[18:]) else 2


class PlainSolver:
    """Jacobi iteration over all positions at once; the plays come from the rules of the whole game."""

    def __init__(self, checkers: int) -> None:
        self.positions = all_positions(checkers)
        count = len(self.positions)
        numbers = {position.rows: number for number, position in enumerate(self.positions)}
        boards = np.frombuffer(b"".join(p.rows for p in self.positions), dtype=np.uint8).reshape(count, 2, 25)
        targets: list[int] = []
        starts: list[int] = []
        self.finals: dict[int, int] = {}
        for roll in ALL_ROLLS:
            offsets, results = _core.legal_results_bulk(boards, np.full((count, 2), tuple(roll), dtype=np.uint8))
            flat = results.reshape(-1, 50)
            for number in range(count):
                starts.append(len(targets))
                ends = flat[offsets[number] : offsets[number + 1]]
                if not len(ends):
                    targets.append(numbers[self.positions[number].swapped().rows])
                for end in ends:
                    key = end.tobytes()
                    if any(key[25:]):
                        targets.append(numbers[key])
                    else:
                        # The mover has borne off all: one extra number for each way to lose.
                        points = final_points(tuple(key[:25]), checkers)
                        targets.append(count + points - 1)
        self.targets = np.array(targets)
        self.starts = np.array(starts)
        self.weights = np.repeat([roll.weight / 36 for roll in ALL_ROLLS], count)
        self.count = count

    def average(self, values: Outcome, ends: list[float]) -> Outcome:
        """Minus the opponent's least value, averaged over the rolls."""
        least = np.minimum.reduceat(np.concatenate([values, ends])[self.targets], self.starts)
        averaged: Outcome = -(least * self.weights).reshape(21, self.count).sum(axis=0)
        return averaged

    def solve(self) -> dict[str, Outcome]:
        lost = [-1.0, -2.0, -3.0]
        flat = [-1.0] * 3
        names = ("equity", "centred", "centred_jacoby", "owned", "unavailable")
        values = {name: np.zeros(self.count) for name in names}
        for _ in range(400):
            unavailable = self.average(values["owned"], lost)
            doubled = np.minimum(2 * unavailable, 1)
            after = {
                "equity": self.average(values["equity"], lost),
                "centred": np.maximum(self.average(values["centred"], lost), doubled),
                "centred_jacoby": np.maximum(self.average(values["centred_jacoby"], flat), doubled),
                "owned": np.maximum(self.average(values["unavailable"], lost), doubled),
                "unavailable": unavailable,
            }
            change = max(float(np.abs(after[name] - values[name]).max()) for name in names)
            values = after
            if change < 1e-9:
                return values
        raise AssertionError("the plain iteration does not converge")

    def compare(self, table: Hypergammon) -> None:
        boards = np.frombuffer(b"".join(p.rows for p in self.positions), dtype=np.uint8).reshape(-1, 2, 25)
        found = table.look_up(boards)
        for name, expected in self.solve().items():
            assert np.abs(found[:, FIELDS.index(name)] - expected).max() < 2e-6, name
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, equity = found[:, :6].T
        summed = 2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon
        assert np.abs(equity - summed).max() < 2e-6
        assert (win_backgammon <= win_gammon + 1e-6).all() and (win_gammon <= win + 1e-6).all()
        assert (lose_backgammon <= lose_gammon + 1e-6).all() and (lose_gammon <= 1 - win + 1e-6).all()


@pytest.fixture(scope="module")
def two() -> Hypergammon:
    return Hypergammon.build(2)


def test_one_checker_against_a_plain_iteration() -> None:
    solver = PlainSolver(1)
    assert solver.count == 25 * 25 - 24
    solver.compare(Hypergammon.build(1))


@pytest.mark.slow
def test_two_checkers_against_a_plain_iteration(two: Hypergammon) -> None:
    PlainSolver(2).compare(two)


def test_two_checkers_agree_with_their_plays_one_roll_ahead(two: Hypergammon) -> None:
    assert largest_error(two, np.random.default_rng(1), 150) < 1e-6


@pytest.mark.slow
def test_three_checkers_give_the_published_opening() -> None:
    """Reads the user's table where there is one; else it is built, which takes minutes."""
    path = USERS_TABLE if USERS_TABLE.is_file() else build("hypergammon-3")
    table = Hypergammon(3, path=path)
    opening = table.opening()
    assert opening.equity == pytest.approx(0.0836795, abs=1e-6)
    wins = (opening.win, opening.win_gammon, opening.win_backgammon)
    losses = (1 - opening.win, opening.lose_gammon, opening.lose_backgammon)
    assert wins == pytest.approx((0.52118, 0.31021, 0.02082), abs=6e-6)
    assert losses == pytest.approx((0.47882, 0.27245, 0.01726), abs=6e-6)
    assert largest_error(table, np.random.default_rng(1), 100) < 1e-6


def test_positions_are_those_that_can_occur() -> None:
    assert [_core.HypergammonTable.positions_of(checkers) for checkers in (1, 2, 3)] == [652, 107253, 7959904]


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    boards = np.stack([position.board for position in all_positions(1)])
    assert (Hypergammon.build(1, threads=1).look_up(boards) == Hypergammon.build(1, threads=3).look_up(boards)).all()


def test_the_player_on_roll_is_ahead_at_the_start(two: Hypergammon) -> None:
    value = two.evaluate(Position.start("hypergammon-2"))
    assert 0.5 < value.win < 0.6
    assert value.unavailable < value.equity < value.owned
    opening = two.opening()
    assert opening.equity < value.equity  # no doubles in the opening roll


def test_finished_games_count_as_they_ended(two: Hypergammon) -> None:
    lost = two.evaluate(Position.of({19: 1, 1: 1}, {}))
    assert (lost.win, lost.lose_gammon, lost.lose_backgammon, lost.equity, lost.centred_jacoby) == (0, 1, 1, -3, -1)
    won = two.evaluate(Position.of({}, {19: 1}))
    assert (won.win, won.win_gammon, won.equity) == (1, 0, 1)


def test_cube_decisions_agree_with_the_table(two: Hypergammon) -> None:
    for mine, theirs in (({24: 1, 23: 1}, {24: 1, 23: 1}), ({25: 2}, {1: 1, 5: 1}), ({6: 1, 3: 1}, {25: 1, 24: 1})):
        position = Position.of(mine, theirs)
        value = two.evaluate(position)
        for owner, jacoby, expected in (
            (Owner.CENTRED, False, value.centred),
            (Owner.CENTRED, True, value.centred_jacoby),
            (Owner.MINE, False, value.owned),
        ):
            cube = two.cube(position, owner, jacoby=jacoby)
            assert max(cube.no_double, min(cube.double_take, 1)) == pytest.approx(expected, abs=2e-6)
        assert two.cube(position, Owner.THEIRS).no_double == value.unavailable


def test_evaluation_uses_a_table_once_it_is_told_to() -> None:
    table = Hypergammon.build(1)
    start = Position.start(Variant.HYPERGAMMON_1)
    table.use()
    outputs, known = exact_evaluations(start.board[np.newaxis], variant="hypergammon-1")
    assert known.all()
    assert outputs[0, 0] == pytest.approx(table.evaluate(start).win)
    money = exact_money_equities(start, variant="hypergammon-1")
    assert money is not None and money["owned"] == table.evaluate(start).owned


def test_positions_that_cannot_occur_are_refused(two: Hypergammon) -> None:
    with pytest.raises(TableError, match="up to 2 checkers"):
        two.evaluate(Position.start("hypergammon-3"))
    with pytest.raises(TableError, match="1, 2 or 3 checkers, not 4"):
        Hypergammon(4)
    with pytest.raises(TableError, match="kibitz tables build hypergammon-3"):
        Hypergammon(3)
