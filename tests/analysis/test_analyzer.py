"""What a review asks of the engine: how deep it looks at what, and what it remembers."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz import Cancellation, Cube, Engine, Match, MatchState, Offer, Owner, Position, State, _core, save
from kibitz.analysis import cache
from kibitz.analysis.analyzer import Analyzer
from kibitz.analysis.decisions import Kind
from kibitz.analysis.files import review_files
from kibitz.analysis.levels import LEVELS, ReviewLevel, ReviewSettings
from kibitz.analysis.marks import Thresholds
from kibitz.decision import CLOSE
from kibitz.dice import Dice
from kibitz.engine.settings import SearchSettings
from kibitz.errors import EngineError
from kibitz.position import Variant
from kibitz.record import Double, Drop, Ending, Game, Result, Roll, Setup

from .samples import mock_review, short_match, short_review

START = Position.start()
ROLLED = State(START, dice=Dice(3, 1))
RACE = Position.of({6: 3, 5: 3, 4: 3, 3: 2}, {6: 3, 5: 3, 4: 3, 3: 3, 2: 2})


class Watched(Engine):
    """An engine that evaluates by pips and blots, and remembers how deep it was asked to look."""

    def __init__(self) -> None:
        super().__init__(evaluator=_core.MockEvaluator(), threads=1)
        self.looks: list[tuple[str, int]] = []
        self.threads: set[int] = set()

    def rank(self, *where: Any, **search: Any) -> Any:
        self.looks.append(("rank", search["plies"]))
        self.threads.add(search["threads"])
        return super().rank(*where, **search)

    def cube(self, *where: Any, **search: Any) -> Any:
        self.looks.append(("cube", search["plies"]))
        self.threads.add(search["threads"])
        return super().cube(*where, **search)


def level(**settings: Any) -> ReviewLevel:
    return ReviewLevel("own", SearchSettings(plies=1), **settings)


def plies_of_plays(own: ReviewLevel, state: State = ROLLED, rank: int | None = None) -> list[int]:
    """How deep the plays of a roll were looked at, where the one of this rank was played."""
    engine = Watched()
    played = None if rank is None else Engine.rank(engine, state, plies=0)[rank - 1].play
    engine.looks.clear()
    Analyzer(engine, own).plays(state, played)
    assert engine.threads == {1}
    return [plies for what, plies in engine.looks if what == "rank"]


def test_plays_get_a_deeper_look_where_another_is_near_or_a_worse_one_was_played() -> None:
    first = Engine(evaluator=_core.MockEvaluator(), threads=1).rank(ROLLED, plies=0)
    gap = first[0].equity - first[1].equity
    assert gap > 0
    assert plies_of_plays(level(window=gap + 1e-6)) == [0, 1]
    assert plies_of_plays(level(window=gap - 1e-6)) == [0]
    assert plies_of_plays(level(window=gap - 1e-6), rank=1) == [0]
    assert plies_of_plays(level(window=gap - 1e-6), rank=2) == [0, 1]
    assert plies_of_plays(level(window=gap - 1e-6, every=True), rank=1) == [0, 1]
    assert plies_of_plays(ReviewLevel("fast", SearchSettings(plies=0), every=True), rank=2) == [0]


def test_where_nothing_depends_on_the_play_nobody_looks_deeper() -> None:
    """A race that is lost with every play; a single legal play is no question either."""
    lost = State(Position.of({6: 3}, {1: 1}), MatchState(jacoby=False), dice=Dice(4, 2))
    real = Engine(threads=1, plies=0)
    assert [one.equity for one in real.rank(lost)] == pytest.approx([-1.0] * len(lost.position.plays("42")))
    looks = list[int]()

    class Real(Engine):
        def rank(self, *where: Any, **search: Any) -> Any:
            looks.append(search["plies"])
            return super().rank(*where, **search)

    Analyzer(Real(threads=1), level(window=9.0)).plays(lost, real.rank(lost)[-1].play)
    assert looks == [0]
    forced = State(Position.of({25: 1, 6: 14}, dict.fromkeys(range(2, 7), 2)), dice=Dice(6, 1))
    assert len(forced.position.plays(Dice(6, 1))) == 1
    assert plies_of_plays(level(window=9.0), forced) == [0]


def plies_of_cube(own: ReviewLevel, state: State, *, made: bool) -> list[int]:
    engine = Watched()
    Analyzer(engine, own).cube(state, made=made)
    return [plies for _, plies in engine.looks]


def test_cubes_get_a_deeper_look_where_they_were_turned_or_might_have_been() -> None:
    quick = Engine(evaluator=_core.MockEvaluator(), threads=1).cube(START, plies=0)
    beyond = quick.equity - min(quick.double_take, quick.double_pass) - CLOSE
    assert beyond > 0  # nobody doubles here
    far, near = level(cube_window=beyond - 1e-6), level(cube_window=beyond + 1e-6)
    assert plies_of_cube(far, State(START), made=False) == [0]
    assert plies_of_cube(far, State(START), made=True) == [0, 1]
    assert plies_of_cube(near, State(START), made=False) == [0, 1]
    assert plies_of_cube(replace(far, every=True), State(START), made=False) == [0, 1]
    theirs = State(START, MatchState(cube=Cube(2, Owner.THEIRS)))
    assert plies_of_cube(level(every=True, cube_window=9.0), theirs, made=True) == [0]
    assert plies_of_cube(ReviewLevel("fast", SearchSettings(plies=0)), State(START), made=True) == [0]


def test_a_cube_that_was_looked_at_is_not_looked_at_again() -> None:
    engine = Watched()
    analyzer = Analyzer(engine, level(every=True))
    named = State(START, names=("Ada", "Ben"))
    first, again = analyzer.cube(State(START), made=True), analyzer.cube(named, made=False)
    assert len(engine.looks) == 2  # quick and deep
    assert again.state is named and again.no_double == first.no_double
    assert analyzer.cube(State(START, offer=Offer.DOUBLE), made=True).question.value == "take"


def test_a_level_with_thought_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, asked = Watched(), list[Any]()

    def answer(state: State, **how: Any) -> Any:
        asked.append((how["level"], how["threads"]))
        return Engine.rank(engine, state, plies=1) if state.dice is not None else Engine.cube(engine, state, plies=1)

    monkeypatch.setattr(engine, "answer", answer)
    analyzer = Analyzer(engine, level(every=True, thought="deep"))
    assert analyzer.plays(ROLLED, None)[0].plies == 1
    assert analyzer.cube(State(START), made=True).plies == 1
    assert asked == [("deep", 1)] * 2
    assert {plies for _, plies in engine.looks} == {0}


def test_a_review_that_is_cancelled_ends() -> None:
    cancellation = Cancellation()
    analyzer = Analyzer(Watched(), level(), cancellation)
    cancellation.cancel()
    with pytest.raises(EngineError, match="cancelled"):
        analyzer.plays(ROLLED, None)


def test_a_roll_that_cannot_be_played_is_worth_what_it_leaves() -> None:
    stuck = State(Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2)), MatchState(7, 2, 4), dice=Dice(6, 6))
    engine = Watched()
    ranked = Analyzer(engine, level()).plays(stuck, None)
    after = Engine.cube(engine, stuck.swapped(), plies=0)
    assert len(ranked) == 1 and ranked.confidence == 1.0
    assert ranked[0].equity == -after.equity
    assert ranked[0].mwc == pytest.approx(1.0 - (after.equity_mwc or 0.0))
    assert ranked[0].evaluation == after.evaluation.swapped()
    assert ranked[0].play.result == stuck.position.swapped()


def test_luck_is_looked_at_as_deep_as_the_level_says() -> None:
    state, shallow, deep = State(RACE, dice=Dice(6, 6)), level(), level(luck_plies=1)
    found = [Analyzer(Watched(), own).luck(state, opening=False) for own in (shallow, deep)]
    assert found[0].mwc is None and found[0].equity > 0.1
    assert found[0] != found[1]
    match = replace(state, match=MatchState(5, 1, 2))
    lucky = Analyzer(Watched(), shallow).luck(match, opening=False)
    assert lucky.mwc is not None and lucky.mwc > 0.02


# --- settings ---------------------------------------------------------------------------------------------------------


def test_settings_of_a_review_are_kept_whole_and_have_limits() -> None:
    own = ReviewSettings(level(window=0.3, luck_plies=1, every=True), Thresholds(error=0.03), 2, 36, reasons=False)
    assert ReviewSettings.from_dict(own.to_dict()) == own
    old = {
        name: value for name, value in own.to_dict().items() if name != "reasons"
    }  # as written before there were any
    assert ReviewSettings.from_dict(old).reasons is True
    assert own.changed(rollout=None) is own and own.changed(rollout=0) == replace(own, rollout=0)
    assert (ReviewSettings().candidates, ReviewSettings().rollout, ReviewSettings().reasons) == (5, 0, True)
    assert ReviewSettings(candidates=1).candidates == 1
    for wrong in ({"candidates": 0}, {"rollout": -1}):
        with pytest.raises(EngineError):
            ReviewSettings(**wrong)  # type: ignore[arg-type]
    for wrong_level in ({"luck_plies": 8}, {"luck_plies": -1}, {"thought": "profound"}):
        with pytest.raises(EngineError):
            level(**wrong_level)


@pytest.mark.parametrize("name", ["x-ply", "-ply", "3-rolls", "3", "3-ply-deep", "", "²-ply"])
def test_a_level_that_is_called_nothing_known_is_refused(name: str) -> None:
    with pytest.raises(EngineError, match=f"no review level is called '{name}'"):
        ReviewLevel.of(name)
    assert ReviewLevel.of("3-PLY").search.plies == 3


LEVEL_TABLE = {  # plies, filter, window of plays, of cubes, everything deep, plies for luck, thought
    "fast": (0, "normal", 0.08, 0.12, False, 0, ""),
    "default": (2, "0:6:0.10", 0.08, 0.12, False, 0, ""),
    "thorough": (2, "normal", 0.08, 0.12, True, 0, ""),
    "standard": (2, "normal", 0.16, 0.25, False, 0, ""),
    **{
        name: (3, "normal", 0.16, 0.25, False, 1, name)
        for name in ("deep", "roller", "roller+", "world-class", "roller++", "ultimate")
    },
}


def test_levels_look_as_deep_and_as_wide_as_they_say() -> None:
    assert list(LEVELS) == list(LEVEL_TABLE)
    for name, (plies, filter, window, cube_window, every, luck_plies, thought) in LEVEL_TABLE.items():
        search = SearchSettings(plies=plies, filter=filter)
        assert LEVELS[name] == ReviewLevel(name, search, window, cube_window, every, luck_plies, thought)
    assert ReviewLevel.of("1-ply") == ReviewLevel("1-ply", SearchSettings(plies=1, filter="normal"), every=True)
    assert ReviewLevel() == LEVELS["default"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"doubtful": 0.0},
        {"doubtful": 0.05},
        {"bad": 0.09},
        {"error": 0.0},
        {"error": 0.09},
        {"blunder": 0.01},
    ],
)
def test_limits_grow_from_one_mark_to_the_next(wrong: dict[str, float]) -> None:
    with pytest.raises(EngineError, match="grow"):
        Thresholds(**wrong)
    assert Thresholds(doubtful=0.05, bad=0.05, very_bad=0.05, error=0.05, blunder=0.05).error == 0.05


# --- files and what is kept -------------------------------------------------------------------------------------------


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "reviews"


def two_matches(folder: Path) -> list[Path]:
    actions = (Setup(0, START), Double(0), Drop(1))
    for name in ("a", "b"):
        game = Game((0, 0), False, actions, Result(0, 1, Ending.DROPPED))
        save(Match((name, "Ben"), 3, (game,)), folder / f"{name}.json")
    (folder / "c.json").write_text("nonsense")
    return [folder / "a.json", folder / "c.json", folder / "b.json"]


def test_files_are_reviewed_in_their_order_and_a_bad_one_stops_nobody(tmp_path: Path, own_cache: Path) -> None:
    settings, steps = ReviewSettings(ReviewLevel.of("fast")), list[tuple[int, int]]()
    found = list(review_files(two_matches(tmp_path), settings, progress=lambda *step: steps.append(step)))
    assert [one.path.name for one in found] == ["a.json", "c.json", "b.json"]
    assert [one.review is None for one in found] == [False, True, False]
    assert [bool(one.error) for one in found] == [False, True, False]
    assert found[0].review is not None and found[0].review.match.players[0] == "a"
    assert steps[-1] == (3, 3)  # a single file is counted by its moments
    assert len(list(own_cache.rglob("*.json.gz"))) == 2
    assert cache.clear() == 2
    assert next(iter(review_files(two_matches(tmp_path)[:1], settings, cache=False))).review is not None
    assert cache.clear() == 0


class InPairs:
    """A cluster of nobody: two tasks at a time, whose results come in the wrong order."""

    tasks = 0

    def __init__(self, cluster: str) -> None:
        assert cluster == "nowhere"

    def __enter__(self) -> InPairs:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def shared_out(self, function: Any, shared: Any, cut: Any) -> Iterator[Any]:
        while tasks := [task for task in (cut(1), cut(1)) if task is not None]:
            for arguments, units in reversed(tasks):
                assert units == 1
                InPairs.tasks += 1
                yield function(shared, *arguments)


def test_on_a_cluster_files_come_in_their_order_and_what_is_kept_needs_no_worker(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given two good files, a bad one between them and one after them, each is told once, in order, with its number."""
    monkeypatch.setattr("kibitz.rollout.dask_executor.DaskExecutor", InPairs)
    settings, paths = ReviewSettings(ReviewLevel.of("fast")), two_matches(tmp_path)
    paths += [tmp_path / "none.mat"]

    def ask(*, cache: bool) -> tuple[list[str], list[bool], list[tuple[int, int]], int]:
        InPairs.tasks = 0
        told = list[tuple[int, int]]()
        on_cluster = review_files(
            paths, settings, cluster="nowhere", cache=cache, progress=lambda *step: told.append(step)
        )
        found = list(on_cluster)
        words = [one.path.name if one.review is None else one.review.match.players[0] for one in found]
        return words, [bool(one.error) for one in found], told, InPairs.tasks

    expected = ["a", "c.json", "b", "none.mat"], [False, True, False, True], [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert ask(cache=False) == (*expected, 2)
    assert not own_cache.exists()
    assert ask(cache=True) == (*expected, 2)
    assert ask(cache=True) == (*expected, 0)
    here = list(review_files(paths, settings, threads=1))
    assert list(review_files(paths, settings, cluster="nowhere")) == here
    assert all(
        one.review is not None and one.review.match.variant is Variant.NACKGAMMON
        for one in review_files([paths[0]], settings, cluster="nowhere", variant=Variant.NACKGAMMON)
    )

    def fails(*_: object, **__: object) -> None:
        raise EngineError("out of order")

    monkeypatch.setattr("kibitz.analysis.review.review", fails)
    broken = list(review_files(paths, settings, cluster="nowhere", cache=False))
    assert [one.error for one in broken][::2] == ["out of order"] * 2
    assert [one.path for one in broken] == paths


def test_many_files_are_shared_out_among_processes(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given four files or more and two cores, a pool of two takes them; three are not worth its start."""
    pools = list[int]()

    class Pool(ThreadPoolExecutor):
        def __init__(self, workers: int, mp_context: Any) -> None:
            assert mp_context.get_start_method() == "spawn"
            pools.append(workers)
            super().__init__(workers)

    monkeypatch.setattr("kibitz.analysis.files.ProcessPoolExecutor", Pool)
    settings, told = ReviewSettings(ReviewLevel.of("fast")), list[tuple[int, int]]()
    three = two_matches(tmp_path)
    four = [*three, three[0]]
    for paths, threads, expected in ((three, 2, []), (four, 1, []), (four, 2, [2]), (four, 9, [4])):
        pools.clear()
        found = list(review_files(paths, settings, threads=threads, cache=False))
        assert pools == expected
        assert [one.path for one in found] == paths and [one.review is None for one in found][:3] == [
            False,
            True,
            False,
        ]
    assert not own_cache.exists()
    found = list(review_files(four, settings, threads=2, progress=lambda *step: told.append(step)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)] and found[0].review == found[3].review
    assert len(list(own_cache.rglob("*.json.gz"))) == 2


def test_a_kept_review_that_cannot_be_read_counts_as_none(tmp_path: Path, own_cache: Path) -> None:
    settings = ReviewSettings(ReviewLevel.of("fast"))
    [first] = review_files(two_matches(tmp_path)[:1], settings)
    [kept] = own_cache.rglob("*.json.gz")
    assert first.review is not None
    assert cache.read_kept(kept, first.review.match) == first.review
    whole = kept.read_bytes()
    for damaged in (b"", b"no archive", whole[:-20], whole[:40]):
        kept.write_bytes(damaged)
        assert cache.read_kept(kept, first.review.match) is None
    [again] = review_files(two_matches(tmp_path)[:1], settings)
    assert again == first and kept.read_bytes() == whole


def test_an_annotated_match_has_our_luck_and_analyses_where_the_file_had_none() -> None:
    found = short_review()
    rolls = {(one.game, one.index): one.luck for one in found.rolls}
    plays = {(one.game, one.index): one for one in found.decisions if one.kind is Kind.CHECKER and not one.is_forced}
    actions = {(moment.game, moment.index): moment.action for moment in found.annotated().moments()}
    for place, action in actions.items():
        if isinstance(action, Roll):
            assert action.luck == rolls.get(place)
            assert (action.analysis is not None) == (place in plays)
    first = next(place for place, action in actions.items() if isinstance(action, Roll))
    rolled = found.match.games[0].actions[first[1]]
    assert isinstance(rolled, Roll)
    known = replace(rolled, luck=0.125)
    games = found.match.games
    begun = replace(games[0], actions=(*games[0].actions[: first[1]], known, *games[0].actions[first[1] + 1 :]))
    again = mock_review(replace(found.match, games=(begun, *games[1:]))).annotated()
    kept = again.games[0].actions[first[1]]
    assert isinstance(kept, Roll) and kept.luck == 0.125  # what the file says stays


def test_comments_stand_with_the_decision_they_were_written_about() -> None:
    """One on a roll belongs to its play, not to the cube that was left alone before; one on a double to the double."""
    match = short_match()
    noted = replace(
        match,
        games=tuple(
            replace(game, actions=tuple(replace(action, comment=f"on {action.kind}") for action in game.actions))
            for game in match.games
        ),
    )
    comments = {
        (one.kind, one.chosen_name if one.kind is Kind.CUBE else ""): set[str]() for one in short_review().decisions
    }
    for one in mock_review(noted).decisions:
        comments[one.kind, one.chosen_name if one.kind is Kind.CUBE else ""].add(one.comment)
    assert comments[Kind.CHECKER, ""] == {"on roll"}
    assert comments[Kind.CUBE, "no double"] == {""}
    assert comments[Kind.CUBE, "double"] == {"on double"}
    assert comments[Kind.ANSWER, ""] <= {"on take", "on drop"}
