"""Rollouts on a real Dask cluster of processes on this machine."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from kibitz import EngineError, Position, Rollout, _core
from kibitz.rollout.settings import StopRule

pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from kibitz.rollout.dask_executor import DaskExecutor

    with DaskExecutor("local", workers=2) as executor:
        yield executor


def digits(rollout: Rollout) -> str:
    return json.dumps(rollout.tally.to_dict())


def roll_out(**changes: Any) -> Rollout:
    return kibitz.Engine(threads=1).rollout(Position.start(), "31", top=2, **{"trials": 720, "truncate": 8} | changes)


def test_the_digits_are_those_of_threads(cluster: Any) -> None:
    assert digits(roll_out(executor=cluster)) == digits(roll_out())


def test_rules_stop_at_the_same_game(cluster: Any) -> None:
    rule = StopRule(error=0.01)
    on_cluster, here = roll_out(executor=cluster, stop=rule), roll_out(stop=rule)
    assert on_cluster.stopped == here.stopped == "error"
    assert digits(on_cluster) == digits(here)


def test_a_worker_that_dies_loses_no_game(cluster: Any) -> None:
    killed: list[int] = []

    def kill_one(rollout: Rollout) -> None:
        if not killed and rollout.trials >= 36:
            pids = cluster.client.run(os.getpid)
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)

    rollout = roll_out(trials=2160, executor=cluster, progress=kill_one)
    assert killed and rollout.trials == 2160 and rollout.stopped == "trials"
    assert digits(rollout) == digits(roll_out(trials=2160))


def test_cancelling_works_there_too(cluster: Any) -> None:
    from kibitz.engine.engine import Cancellation

    cancellation = Cancellation()
    rollout = roll_out(
        trials=360_000, executor=cluster, cancellation=cancellation, progress=lambda _: cancellation.cancel()
    )
    assert rollout.stopped == "cancelled" and 0 < rollout.trials < 360_000


def test_an_evaluator_of_ones_own_stays_at_home(cluster: Any) -> None:
    engine = kibitz.Engine(evaluator=_core.MockEvaluator())
    with pytest.raises(EngineError, match="cannot be sent to a cluster"):
        engine.rollout(Position.start(), trials=36, executor=cluster)
