"""The native search equals the plain one, whatever cache and threads it has."""

from __future__ import annotations

import threading
import time

import pytest

from kibitz import Position, _core
from tests.cube.plain_cube import Efficiency, PlainMatch
from tests.cube.test_match import EQUITY, POST, PRE
from tests.cube.test_money import OWNERS

from .plain_search import PlainSearch, Rules

EVERYTHING = 100_000

# Small enough for a search in plain Python: a few checkers in contact, a race, and an end where games finish.
CONTACT = Position.of({21: 1, 6: 2, 2: 2}, {18: 1, 5: 2, 3: 2})
RACE = Position.of({7: 2, 5: 1, 2: 1}, {8: 1, 4: 2, 1: 2})
ENDING = Position.of({9: 1, 1: 1}, {7: 1, 2: 1})


def efficiency(position: Position) -> Efficiency:
    found = _core.CubeEfficiency().of(position.rows)
    return Efficiency(found.shared, found.jacoby, found.owned, found.swing, found.far, found.gammons)


def settings(*, cubeful: bool = True, replies: int = EVERYTHING) -> _core.TreeSettings:
    return _core.TreeSettings(cubeful, replies, replies, _core.CubeEfficiency(), 15)


def analyst(threads: int = 1, cache: int = 0, exact: bool = False) -> _core.Analyst:
    return _core.Analyst(_core.MockEvaluator(), threads, cache, exact)


def value_of(position: Position, model: _core.CubeModel, plies: int) -> tuple[tuple[float, ...], float]:
    """Outputs and value of a search that nobody cancels."""
    found = analyst().value(position.rows, model, plies, settings())
    assert found is not None
    return found


def money(owner: str, jacoby: bool = False) -> _core.CubeModel:
    return _core.CubeModel(owner=OWNERS[owner], jacoby=jacoby)


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("owner", ["centred", "mine", "theirs"])
@pytest.mark.parametrize("position", [CONTACT, RACE, ENDING], ids=["contact", "race", "ending"])
def test_money_search_equals_the_plain_one(position: Position, owner: str, plies: int) -> None:
    plain = PlainSearch(_core.MockEvaluator(), efficiency, Rules(jacoby=False), [(1, owner)])
    five, value = plain.decided(position, plies, 1, owner)
    outputs, native = value_of(position, money(owner), plies)
    assert native == pytest.approx(value, abs=1e-6)
    assert outputs == pytest.approx(five, abs=1e-6)


@pytest.mark.parametrize(("mine", "theirs", "crawford"), [(5, 3, False), (2, 2, False), (1, 3, True), (3, 1, False)])
@pytest.mark.parametrize("plies", [0, 1, 2])
def test_match_search_equals_the_plain_one(mine: int, theirs: int, crawford: bool, plies: int) -> None:
    position = ENDING if plies == 2 else CONTACT
    rules = Rules(PlainMatch(PRE, POST, mine, theirs, crawford))
    plain = PlainSearch(_core.MockEvaluator(), efficiency, rules, [(1, "centred")])
    five, value = plain.decided(position, plies, 1, "centred")
    model = _core.CubeModel(my_away=mine, their_away=theirs, crawford=crawford, table=EQUITY)
    outputs, native = value_of(position, model, plies)
    assert native == pytest.approx(value, abs=1e-6)
    assert outputs == pytest.approx(five, abs=1e-6)


@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize(("mine", "theirs"), [(0, 0), (5, 3), (2, 1), (3, 3)])
def test_a_taken_double_has_its_replies_chosen_for_its_own_sake(mine: int, theirs: int, plies: int) -> None:
    position = ENDING if plies == 2 else CONTACT
    rules = Rules(PlainMatch(PRE, POST, mine, theirs, crawford=False) if mine else None)
    plain = PlainSearch(_core.MockEvaluator(), efficiency, rules, [(1, "centred"), (2, "theirs")])
    model = _core.CubeModel(my_away=mine, their_away=theirs, jacoby=False, table=EQUITY if mine else None)
    found = analyst().cube(position.rows, model, _core.CubeOwner.CENTRED, plies, settings())
    assert found is not None
    assert found[0] == pytest.approx(plain.undecided(position, plies, 1, "centred")[0], abs=1e-6)
    assert found[1] == pytest.approx(plain.undecided(position, plies, 1, "centred")[1], abs=1e-6)
    assert found[2] == pytest.approx(plain.undecided(position, plies, 2, "theirs")[1], abs=1e-6)
    assert found[4]


Five = tuple[float, float, float, float, float]
Ranking = tuple[list[tuple[bytes, Five, float, float, int]], int, bool]
"""The plays, how many plies deep the search went, and whether it was cancelled."""


def ranking(tool: _core.Analyst, position: Position, plies: int) -> Ranking:
    rank_settings = _core.RankSettings(plies, [_core.FilterStep(1, 6, 0.2)], settings(replies=6))
    return tool.rank(position.rows, 3, 1, money("centred", jacoby=True), rank_settings, [])


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_cache_and_threads_never_change_a_digit(plies: int) -> None:
    position = Position.start() if plies < 3 else CONTACT
    plain = ranking(analyst(), position, plies)
    assert ranking(analyst(threads=2), position, plies) == plain
    assert ranking(analyst(threads=5, cache=1 << 20), position, plies) == plain
    tiny = analyst(cache=64)
    assert tiny.cache_bytes == 64
    assert ranking(tiny, position, plies) == plain
    warm = analyst(threads=2, cache=1 << 22)
    for _ in range(3):
        assert ranking(warm, position, plies) == plain


def test_many_callers_at_once_get_the_same_digits() -> None:
    shared = analyst(threads=2, cache=1 << 16)
    expected = ranking(analyst(), Position.start(), 2)
    found: list[Ranking] = []
    threads = [threading.Thread(target=lambda: found.append(ranking(shared, Position.start(), 2))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_a_cancelled_search_stops_at_once_and_keeps_what_is_done() -> None:
    flag = _core.CancelFlag()
    tool = analyst(threads=2)
    rank_settings = _core.RankSettings(5, [_core.FilterStep(20, 0, 0)], settings(replies=EVERYTHING))
    found: list[Ranking] = []

    def search() -> None:
        found.append(tool.rank(Position.start().rows, 3, 1, money("centred"), rank_settings, [], cancel=flag))

    thread = threading.Thread(target=search)
    thread.start()
    time.sleep(0.3)
    start = time.perf_counter()
    flag.set()
    thread.join()
    assert time.perf_counter() - start < 0.25  # 0.05 on a machine with nothing else to do
    results, plies, stopped = found[0]
    assert stopped
    assert plies < 5
    assert len(results) == len(Position.start().plays("31"))


def test_time_budget_ends_the_search_without_failing() -> None:
    rank_settings = _core.RankSettings(9, [_core.FilterStep(8, 0, 0)], settings(replies=4))
    start = time.perf_counter()
    results, plies, stopped = analyst().rank(
        Position.start().rows, 3, 1, money("centred"), rank_settings, [], seconds=0.2
    )
    assert time.perf_counter() - start < 2
    assert not stopped
    assert 1 <= plies < 9
    assert results[0][4] == plies


def test_a_play_that_was_asked_for_is_looked_at_as_deeply_as_the_best() -> None:
    position = Position.start()
    rank_settings = _core.RankSettings(1, [_core.FilterStep(2, 0, 0)], settings())
    worst = analyst().rank(position.rows, 3, 1, money("centred"), rank_settings, [])[0][-1]
    assert worst[4] == 0
    asked = analyst().rank(position.rows, 3, 1, money("centred"), rank_settings, [worst[0]])[0]
    plies = {result: depth for result, _, _, _, depth in asked}
    assert plies[worst[0]] == 1
    assert sorted(plies.values()).count(1) == 3


def test_filters_keep_the_best_and_the_close_ones() -> None:
    position = Position.start()
    everything = _core.RankSettings(0, [], settings())
    flat = analyst().rank(position.rows, 3, 1, money("centred"), everything, [])[0]
    close = sum(flat[0][3] - entry[3] <= 0.05 for entry in flat)
    for step, expected in (
        (_core.FilterStep(3, 0, 0.0), 3),
        (_core.FilterStep(0, 100, 0.05), close),
        (_core.FilterStep(1, 2, 9.0), 3),
    ):
        found = analyst().rank(position.rows, 3, 1, money("centred"), _core.RankSettings(1, [step], settings()), [])[0]
        assert sum(entry[4] == 1 for entry in found) == expected


def test_without_a_legal_play_the_only_result_is_the_turned_board() -> None:
    closed = Position.of({25: 1, 6: 2}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2})
    found = analyst().rank(closed.rows, 3, 1, money("centred"), _core.RankSettings(1, [], settings()), [])[0]
    assert [entry[0] for entry in found] == [closed.swapped().rows]


def test_cube_decisions_of_exact_bearoffs_equal_the_table() -> None:
    """One checker each on the 6 point: known by hand, since who rolls either bears off or not."""
    position = Position.of({6: 1}, {6: 1})
    off = 27 / 36  # rolls that bear a checker off the 6 point
    found = analyst(exact=True).cube(position.rows, money("centred"), _core.CubeOwner.CENTRED, 2, settings())
    assert found is not None
    _five, no_double, double_take, double_pass, available, _ = found
    # After a miss the opponent, who wins 3 of 4, doubles, and I pass or take at exactly -1.
    assert available
    assert no_double == pytest.approx(off - (1 - off), abs=1e-6)
    assert double_pass == 1.0
    # Taken: after a miss the opponent owns the cube and redoubles me out.
    assert double_take == pytest.approx(2 * (off - (1 - off)), abs=1e-6)
