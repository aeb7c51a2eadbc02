"""Rollouts, reviews and duels on a real Dask cluster of two processes on this machine, of which one is killed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz import EngineError, Position, Rollout, _core
from kibitz.analysis.files import review_files
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.arena.rules import ArenaRules
from kibitz.arena.runner import Duel, run_duel
from kibitz.arena.specs import PlayerSpec
from kibitz.rollout.settings import StopRule

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")
EXAMPLE = Path(__file__).parents[1] / "examples" / "sample.mat"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from kibitz.rollout.dask_executor import DaskExecutor

    with DaskExecutor("local", workers=2) as executor:
        yield executor


@pytest.fixture
def address(cluster: Any) -> str:
    return str(cluster.client.scheduler.address)


def kill_a_worker(cluster: Any) -> None:
    """One of the two processes dies as if its machine had lost power. The cluster starts another one by and by."""
    pids = cluster.client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)


def digits(rollout: Rollout) -> str:
    return json.dumps(rollout.tally.to_dict())


def roll_out(**changes: Any) -> Rollout:
    return kibitz.Engine(threads=1).rollout(Position.start(), "31", top=2, **{"trials": 720, "truncate": 4} | changes)


def test_a_worker_that_dies_loses_no_game(cluster: Any) -> None:
    killed: list[int] = []

    def kill_one(rollout: Rollout) -> None:
        if not killed and rollout.trials >= 36:
            killed.append(rollout.trials)
            kill_a_worker(cluster)

    rollout = roll_out(executor=cluster, progress=kill_one)
    assert killed and rollout.trials == 720 and rollout.stopped == "trials"
    assert digits(rollout) == digits(roll_out())


def test_reviews_are_those_made_here_though_a_worker_dies(cluster: Any, address: str, tmp_path: Path) -> None:
    match = kibitz.load(EXAMPLE)
    for number, game in enumerate(match.games):
        kibitz.save(replace(match, games=(game,)), tmp_path / f"{number}.json")
    (tmp_path / "1-bad.mat").write_text("no match")
    paths = sorted(tmp_path.iterdir())
    settings = ReviewSettings(level=ReviewLevel.of("fast"))
    progress: list[tuple[int, int]] = []

    def count(done: int, of: int) -> None:
        progress.append((done, of))
        if len(progress) == 1:
            kill_a_worker(cluster)

    there = list(review_files(paths, settings, cache=False, cluster=address, progress=count))
    here = list(review_files(paths, settings, cache=False, threads=1))
    assert [one.path for one in there] == paths and progress[-1] == (4, 4)
    assert [one.error for one in there] == [one.error for one in here] and there[1].error
    for mine, theirs in zip(here, there, strict=True):
        if mine.review is not None and theirs.review is not None:
            assert mine.review.to_dict() == theirs.review.to_dict()


def test_a_library_is_reviewed_as_it_would_be_here_though_a_worker_dies(
    cluster: Any, address: str, tmp_path: Path
) -> None:
    """Given a library, when a cluster reviews it and loses a worker, then each match is reviewed once, as here."""
    pytest.importorskip("sqlalchemy", reason="the extra library is not installed")
    match = kibitz.load(EXAMPLE)
    done: list[int] = []

    def count(number: int, of: int) -> None:  # noqa: ARG001
        done.append(number)
        if len(done) == 1:
            kill_a_worker(cluster)

    with kibitz.Library(tmp_path / "there.db") as there, kibitz.Library(tmp_path / "here.db") as here:
        for library in (there, here):
            for game in match.games:
                library.add(replace(match, games=(game,)))
        assert there.review("fast", cluster=address, progress=count).reviewed == len(match.games) == done[-1]
        assert here.review("fast", threads=1).reviewed == len(match.games)
        assert there.review("fast", cluster=address).reviewed == 0
        for info in here.matches():
            assert there.review_of(info.id).to_dict() == here.review_of(info.id).to_dict()
            assert there.statistics(match=info.id) == here.statistics(match=info.id)


@pytest.mark.parametrize("native", [True, False])
def test_a_duel_ends_as_it_would_here_though_a_worker_dies(
    cluster: Any, address: str, native: bool, tmp_path: Path
) -> None:
    players = PlayerSpec.parse("random"), PlayerSpec.parse("ten-factor")
    duel = Duel(*players, ArenaRules(cube=False), sessions=40, luck=False, native=native, processes=1)
    killed: list[int] = []

    def kill_one(done: int, *_: object) -> None:
        if not killed and done < 20:
            killed.append(done)
            kill_a_worker(cluster)

    there = run_duel(duel, log=tmp_path / "duel.jsonl", cluster=address, progress=kill_one)
    assert killed and there.score == run_duel(duel).score
    assert run_duel(duel, log=tmp_path / "duel.jsonl").played == 0  # the log is here, and whole


def test_an_evaluator_of_ones_own_stays_at_home(cluster: Any) -> None:
    engine = kibitz.Engine(evaluator=_core.MockEvaluator())
    with pytest.raises(EngineError, match="cannot be sent to a cluster"):
        engine.rollout(Position.start(), trials=36, executor=cluster)


def test_errors_of_ours_come_back_as_they_are(cluster: Any) -> None:
    tasks = iter([((1,), 1), ((2,), 1)])
    with pytest.raises(EngineError, match=r"task [12] is wrong"):
        list(cluster.shared_out(_wrong, "task", lambda _: next(tasks, None)))


def _wrong(word: str, number: int) -> None:
    raise EngineError(f"{word} {number} is wrong")


# --- minutes rather than seconds --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_digits_are_those_of_threads(cluster: Any) -> None:
    assert digits(roll_out(executor=cluster)) == digits(roll_out())


@pytest.mark.slow
def test_rules_stop_at_the_same_game(cluster: Any) -> None:
    rule = StopRule(error=0.01)
    on_cluster, here = roll_out(executor=cluster, stop=rule), roll_out(stop=rule)
    assert on_cluster.stopped == here.stopped == "error"
    assert digits(on_cluster) == digits(here)


@pytest.mark.slow
def test_cancelling_works_there_too(cluster: Any) -> None:
    from kibitz.engine.engine import Cancellation

    cancellation = Cancellation()
    rollout = roll_out(
        trials=360_000, executor=cluster, cancellation=cancellation, progress=lambda _: cancellation.cancel()
    )
    assert rollout.stopped == "cancelled" and 0 < rollout.trials < 360_000
