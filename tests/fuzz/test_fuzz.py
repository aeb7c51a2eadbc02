"""Spoilt inputs for every reader, notation and protocol; `python -m tests.fuzz` runs as many as wanted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kibitz import KibitzError
from tests.fuzz.driver import MAX_MEGABYTES, Report, fuzz, megabytes, write_failures
from tests.fuzz.targets import Target, targets

EVERY = {target.name: target for target in targets()}


def run(count: int, seed: int, seconds: float | None = None) -> list[Report]:
    until = None if seconds is None else time.monotonic() + seconds
    return [fuzz(target, count, seed, until) for target in EVERY.values()]


def check(reports: list[Report], folder: Path) -> None:
    failures = [f"{one.name}: {words}" for one in reports for words, _ in one.failures]
    assert not failures, write_failures(reports, folder)
    assert megabytes() < MAX_MEGABYTES


def test_spoilt_inputs_are_read_or_refused(tmp_path: Path) -> None:
    reports = run(40, seed=1)
    check(reports, tmp_path)
    assert all(one.inputs == 40 for one in reports)
    assert sum(one.refused for one in reports) > 300


@pytest.mark.slow
def test_many_spoilt_inputs_are_read_or_refused(tmp_path: Path) -> None:
    check(run(4000, seed=2), tmp_path)


def test_the_driver_notices_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(data: bytes) -> None:
        if b"9" in data:
            raise RuntimeError("broken")
        raise KibitzError("as it should")

    report = fuzz(Target("broken", (b"19", b"18", b"17"), broken), 300)
    words = {words for words, _ in report.failures}
    assert words == {"RuntimeError: broken"}
    assert 0 < report.refused < report.inputs == 300
    monkeypatch.setattr("tests.fuzz.driver.SLOW_SECONDS", -1.0)
    slow = fuzz(Target("slow", (b"",), len), 2)
    assert len(slow.failures) == 2 and "took" in slow.failures[0][0]
    assert fuzz(Target("late", (b"",), len), 10_000, until=time.monotonic()).inputs == 0


def test_every_seed_is_taken_as_it_is() -> None:
    """Seeds that are refused would be spoilt in vain."""
    refused = {target.name for target in EVERY.values() if not any(is_taken(target, seed) for seed in target.seeds)}
    assert not refused


def is_taken(target: Target, seed: bytes) -> bool:
    try:
        target.run(seed)
    except KibitzError:
        return False
    return True


def test_the_same_seed_gives_the_same_inputs() -> None:
    seen: list[list[bytes]] = [[], []]
    for inputs in seen:
        fuzz(Target("same", (b"abc 123\nxyz",), inputs.append), 200, seed=3)
    assert seen[0] == seen[1] and len(set(seen[0])) > 100
