"""Settings of a search: what they are called, what they may be, what they change and what they do not."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import kibitz
from kibitz import Cube, Engine, MatchState, Owner, Position, _core
from kibitz.bearoff import TwoSided, in_use
from kibitz.engine import filters
from kibitz.engine import levels as levels_
from kibitz.engine import settings as settings_
from kibitz.engine.filters import FILTERS, FilterStep, MoveFilter
from kibitz.engine.levels import LEVELS, Level, noise_of
from kibitz.engine.settings import MAX_PLIES, RANDOM_NOISE, SearchSettings
from kibitz.errors import EngineError, TableError

START = Position.start()


@pytest.fixture(scope="module")
def engine() -> Engine:
    """Evaluates by pips and blots alone."""
    return Engine(evaluator=_core.MockEvaluator(), threads=1, plies=0)


@pytest.fixture
def native(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the native search is told stays readable: filter steps and trees are the tuples of their arguments."""
    plain = SimpleNamespace(FilterStep=told, TreeSettings=told, CubeEfficiency=_core.CubeEfficiency)
    monkeypatch.setattr(filters, "_core", plain)
    monkeypatch.setattr(settings_, "_core", plain)


def told(*arguments: Any) -> tuple[Any, ...]:
    """The arguments."""
    return arguments


def looks(filter: str, plies: int, *, every_ply: bool = False) -> Any:
    """The least that goes on, the most besides, and how far behind; a look that is skipped has -1 for the least."""
    return MoveFilter.of(filter).for_plies(plies, every_ply=every_ply)


def test_a_cancellation_says_whether_it_was_called() -> None:
    cancellation = kibitz.Cancellation()
    assert cancellation.cancelled is False
    cancellation.cancel()
    assert cancellation.cancelled is True


@pytest.mark.usefixtures("native")
def test_a_filter_has_a_step_for_each_look_before_the_last() -> None:
    assert looks("normal", 1) == [(0, 8, 0.16)]
    assert looks("normal", 2) == [(0, 8, 0.16), (0, 5, 0.08)]
    assert looks("normal", 0) == [(0, 8, 0.16)]
    assert looks("1:3:0.2,skip,0:2:0.04", 3) == [(1, 3, 0.2), (-1, 8, 0.16), (0, 2, 0.04)]
    assert looks("everything", 2) == [(0, 10_000, 1e9)]


@pytest.mark.usefixtures("native")
def test_against_the_clock_no_look_is_skipped() -> None:
    """There has to be an answer at each depth: the last step counts again, also where it is the only one."""
    assert looks("1:3:0.2,skip,0:2:0.04", 3, every_ply=True) == [(1, 3, 0.2), (0, 2, 0.04)]
    assert looks("0:3:0.1", 3, every_ply=True) == [(0, 3, 0.1), (0, 3, 0.1)]


@pytest.mark.parametrize(
    "text", ["skip", "skip,0:2:0.04", "0:8", "0:8:0.1:2", "a:b:c", "", "-1:2:0.1", "0:-2:0.1", "0:2:-1"]
)
def test_filters_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(EngineError):
        MoveFilter.of(text)


FILTER_TABLE = {  # how many plays more than the best, and how far behind, go on from the look at 0, 1 and 2 plies
    "tiny": [(5, 0.08), (3, 0.04), (2, 0.02)],
    "narrow": [(8, 0.12), (4, 0.06), (2, 0.03)],
    "normal": [(8, 0.16), (5, 0.08), (2, 0.04)],
    "large": [(16, 0.32), (10, 0.16), (4, 0.08)],
    "huge": [(20, 0.44), (20, 0.32), (6, 0.11)],
    "everything": [(10_000, 1e9)],
}


def test_filters_by_name_keep_more_the_larger_they_are() -> None:
    assert list(FILTERS) == list(FILTER_TABLE)
    for name, steps in FILTER_TABLE.items():
        assert FILTERS[name] == MoveFilter(tuple(FilterStep(0, *step) for step in steps), name)
    assert MoveFilter((FilterStep(skip=True), FilterStep())).to_dict() == {
        "name": "custom",
        "steps": [{"keep": 0, "extra": 8, "threshold": 0.16, "skip": skip} for skip in (True, False)],
    }


def test_filters_come_back_from_their_names_and_dictionaries() -> None:
    for name, filter in FILTERS.items():
        assert MoveFilter.of(name) is filter
        assert MoveFilter.from_dict(filter.to_dict()) == name
    own = MoveFilter.of("0:4:0.1,skip,0:2:0.05")
    assert MoveFilter.from_dict(own.to_dict()) == own and own.name == "custom"


def test_a_filter_may_keep_as_much_as_a_roll_could_have() -> None:
    assert FilterStep(10_000, 10_000, 1e9).keep == 10_000
    for step in ((10_001, 0, 0.0), (0, 10_001, 0.0), (0, 0, 1.1e9)):
        with pytest.raises(EngineError, match="a filter keeps 0 to 10000 plays"):
            FilterStep(*step)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"plies": -1}, "0 to 7"),
        ({"plies": MAX_PLIES + 1}, "0 to 7"),
        ({"replies": 0}, "at least one reply"),
        ({"last_replies": 0}, "at least one reply"),
        ({"noise": -0.01}, "noise is 0 to 1"),
        ({"noise": 1.01}, "noise is 0 to 1"),
        ({"noise_seed": -2}, "seed -1 or more"),
        ({"noise_seed": 2**63}, "seed -1 or more"),
        ({"threads": -1}, "cannot be negative"),
        ({"cache_mb": -1.0}, "cannot be negative"),
        ({"filter": "wide"}, "a filter is one of"),
    ],
)
def test_settings_end_where_they_say(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(EngineError, match=words):
        SearchSettings(**wrong)


def test_settings_may_be_as_extreme_as_they_say() -> None:
    least = SearchSettings(plies=0, replies=1, last_replies=1, noise=0.0, noise_seed=-1, threads=0, cache_mb=0.0)
    most = SearchSettings(plies=MAX_PLIES, noise=1.0, noise_seed=2**63 - 1)
    own = SearchSettings(filter=MoveFilter.of("0:4:0.1"))
    for settings in (least, most, own, SearchSettings(pruning=False, cubeful=False)):
        assert SearchSettings.from_dict(settings.to_dict()) == settings
        assert SearchSettings().changed(**settings.options()) == replace(settings, threads=0, cache_mb=32.0)


def test_a_cubeless_engine_stays_cubeless_at_every_level() -> None:
    kinds = {
        (own, engine): SearchSettings(cubeful=own).options(cubeful=engine)["cubeful"]
        for own in (True, False)
        for engine in (True, False)
    }
    assert kinds == {(True, True): True, (True, False): False, (False, True): False, (False, False): False}


def test_who_says_nothing_gets_the_settings_that_the_pages_name() -> None:
    assert SearchSettings().to_dict() == {
        "plies": 2,
        "cubeful": True,
        "filter": FILTERS["normal"].to_dict(),
        "replies": 8,
        "last_replies": 3,
        "pruning": True,
        "noise": 0.0,
        "noise_seed": 0,
        "threads": 0,
        "cache_mb": 32.0,
    }
    assert (MAX_PLIES, RANDOM_NOISE) == (7, -1)
    assert [len(SearchSettings(plies=plies).steps()) for plies in (0, 1, 2, 3, 7)] == [1, 1, 2, 3, 3]


def test_none_stands_for_the_default_and_unknown_names_are_refused() -> None:
    settings = SearchSettings(plies=3, replies=5)
    assert settings.changed(plies=None, replies=None) is settings
    assert settings.changed(plies=0, cubeful=False) == replace(settings, plies=0, cubeful=False)
    with pytest.raises(EngineError, match="no setting breadth, depth"):
        settings.changed(depth=3, breadth=1)


@pytest.mark.usefixtures("native")
def test_without_pruning_every_reply_is_evaluated() -> None:
    settings: Any = SearchSettings(replies=4, last_replies=2)
    cubeful, replies, last_replies, _, checkers = settings.tree(15)
    assert (cubeful, replies, last_replies, checkers) == (True, 4, 2, 15)
    cubeful, replies, last_replies, _, checkers = settings.changed(pruning=False, cubeful=False).tree(3)
    assert (cubeful, checkers) == (False, 3)
    assert min(replies, last_replies) >= 100_000  # no roll has as many


def test_an_evaluator_without_noise_is_left_as_it_is() -> None:
    evaluator = _core.MockEvaluator()
    assert SearchSettings(noise_seed=7).noisy(evaluator) is evaluator
    assert SearchSettings(noise=0.1).noisy(evaluator) is not evaluator


# --- levels -----------------------------------------------------------------------------------------------------------


def test_levels_are_found_by_name_in_any_case() -> None:
    assert Level.of("DEEP") is LEVELS["deep"] is Level.of(LEVELS["deep"])
    with pytest.raises(EngineError, match="no level is called 'deepest'; expected beginner, "):
        Level.of("deepest")


THIN, WIDE = SearchSettings(plies=2), SearchSettings(plies=3, replies=16, last_replies=16)
LEVEL_TABLE: dict[
    str, tuple[SearchSettings, float, tuple[SearchSettings | str, ...], float]
] = {  # the first search, noise, further steps, and how sure is sure
    "beginner": (SearchSettings(plies=0), 0.100, (), 0.99),
    "casual": (SearchSettings(plies=0), 0.060, (), 0.99),
    "intermediate": (SearchSettings(plies=0), 0.035, (), 0.99),
    "advanced": (SearchSettings(plies=0), 0.015, (), 0.99),
    "expert": (SearchSettings(plies=0), 0.0, (), 0.99),
    "master": (SearchSettings(plies=1), 0.0, (), 0.99),
    "grandmaster": (THIN, 0.0, (), 0.99),
    "fast": (SearchSettings(plies=0), 0.0, (), 0.99),
    "standard": (THIN, 0.0, (), 0.99),
    "deep": (THIN, 0.0, (WIDE,), 0.99),
    "roller": (THIN, 0.0, ("roller",), 0.99),
    "roller+": (THIN, 0.0, ("roller+",), 0.99),
    "world-class": (THIN, 0.0, (WIDE, "roller+"), 0.99),
    "roller++": (THIN, 0.0, ("roller++",), 0.995),
    "ultimate": (THIN, 0.0, (WIDE, "roller++"), 0.995),
}


def test_opponents_get_stronger_and_thought_gets_longer() -> None:
    assert list(LEVELS) == list(LEVEL_TABLE)
    for name, (search, noise, steps, sure) in LEVEL_TABLE.items():
        assert LEVELS[name] == Level(name, search, noise, steps, sure)


def test_the_noise_of_a_seed_is_the_same_for_ever() -> None:
    """Matches against a level are played again from their seed: a golden value, by the Box-Muller formula."""
    digest = hashlib.sha256(b"7|play|x").digest()
    first, second = (int.from_bytes(digest[start : start + 8], "little") / 2**64 for start in (0, 8))
    expected = math.sqrt(-2 * math.log(first)) * math.cos(2 * math.pi * second)
    assert noise_of(7, "play", "x") == pytest.approx(expected, rel=1e-9)


def test_the_noise_of_a_seed_is_finite_at_the_end_of_the_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a digest of nothing but zeros or ones, the logarithm is taken of a number above 0 and not above 1."""
    for byte in (b"\0", b"\xff"):
        digest = SimpleNamespace(digest=lambda byte=byte: byte * 32)
        monkeypatch.setattr(levels_, "hashlib", SimpleNamespace(sha256=lambda _, digest=digest: digest))
        assert abs(noise_of(0)) < 10


@pytest.mark.parametrize("sure", [0.0, 0.49, 1.0, 1.5])
def test_a_level_is_never_quite_sure_nor_sure_of_nothing(sure: float) -> None:
    with pytest.raises(EngineError, match=r"between 0\.5 and 1"):
        Level("odd", SearchSettings(), sure=sure)
    assert Level("even", SearchSettings(), sure=0.5).sure == 0.5


def test_noise_has_no_mean_and_a_spread_of_one_on_both_sides() -> None:
    found = [noise_of(seed, "play", seed % 7) for seed in range(4000)]
    assert abs(sum(found) / 4000) < 0.05
    assert abs(sum(one * one for one in found) / 4000 - 1.0) < 0.08
    assert 0.15 < sum(one > 1.0 for one in found) / 4000 < 0.17  # of a normal distribution 15.9 %
    assert 0.15 < sum(one < -1.0 for one in found) / 4000 < 0.17


# --- what answers depend on -------------------------------------------------------------------------------------------


def test_the_fingerprint_changes_with_what_answers_depend_on_and_with_nothing_else(engine: Engine) -> None:
    """Reviews are kept under it: two engines share one if, and only if, they say the same of every question."""

    def print_of(**changes: Any) -> str:
        return engine.changed(**changes).fingerprint

    own = engine.fingerprint
    noisy = print_of(noise=0.1)
    changed = [
        print_of(replies=7),
        print_of(last_replies=4),
        noisy,
        print_of(noise=0.2),
        print_of(noise=0.1, noise_seed=1),
    ]
    changed += [print_of(pruning=False), Engine(evaluator=_core.MockEvaluator(), met="zadeh").fingerprint]
    changed.append(Engine().fingerprint)
    assert len({own, *changed}) == len(changed) + 1
    assert print_of(threads=3, cache_mb=1.0, noise_seed=5) == own  # a seed of no noise says nothing


def test_tables_that_cannot_be_used_are_refused_before_the_first_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    monkeypatch.setattr(in_use, "_in_use", None)
    Engine(evaluator=_core.MockEvaluator())
    monkeypatch.setattr(in_use, "_in_use", None)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "two-sided-6x7.kbt").write_bytes(b"no table")
    with pytest.raises(TableError, match="two-sided-6x7"):
        Engine(evaluator=_core.MockEvaluator())


def test_the_exact_table_answers_about_the_cube_unless_there_is_noise() -> None:
    """Given a race of a few checkers, equities are those of the two-sided table with the cube in every hand."""
    position, table = Position.of({4: 1, 3: 1, 2: 1}, {3: 2, 1: 1}), TwoSided()
    exact, noisy = Engine(threads=1, plies=0), Engine(threads=1, plies=0, noise=0.2, noise_seed=3)
    for owner in Owner:
        match = MatchState(cube=Cube(1 if owner is Owner.CENTRED else 2, owner), jacoby=False)
        expected = table.cube(position, owner)
        assert exact.cube(position, match=match).no_double == pytest.approx(expected.no_double, abs=1e-6)
        assert noisy.cube(position, match=match).no_double != pytest.approx(expected.no_double, abs=1e-3)
