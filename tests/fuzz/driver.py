"""A plain driver: spoils seeds, runs targets, and tells of crashes, hangs, foreign exceptions and memory.

Spoilt inputs that a target takes become seeds, so that damage grows deeper. What fails is written to a file and can be
run again by itself. Everything follows from the seed.
"""

from __future__ import annotations

import random
import resource
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from kibitz import KibitzError
from tests.fuzz.targets import Target

SLOW_SECONDS = 2.0
HANG_SECONDS = 20
MAX_MEGABYTES = 1024
LONGEST = 20_000
KEPT = 60
WORDS = (
    b"(", b"[", b"{", b";", b":", b'"', b"\\", b"\n", b" ", b"\t", b"\0", b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\x1b",
    b"-1", b"0", b"99999999999999999999", b"1e999", b"NaN", b"null", b"true", b"[]", b"{}", b"\xf8", b"\xfa", b"Game 1",
    b"Wins 1004 point", b"Doubles", b"; Set Pos=", b"XGID=", b"/", b"*", b"bar", b"off",
    "\u0663".encode(), "\u00b2".encode(),
)  # fmt: skip


@dataclass
class Report:
    """What came of the inputs of one target."""

    name: str
    inputs: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    failures: list[tuple[str, bytes]] = field(default_factory=list)


def spoilt(data: bytes, rng: random.Random, other: bytes) -> bytes:
    """One to four random injuries."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(found) + 1), rng.choice((1, 2, 8, 40, 200))
        kind = rng.randrange(11)
        if kind == 0 and found:
            found[min(at, len(found) - 1)] ^= 1 << rng.randrange(8)
        elif kind == 1 and found:
            found[min(at, len(found) - 1)] = rng.randrange(256)
        elif kind == 2:
            del found[at:]
        elif kind == 3:
            del found[at : at + size]
        elif kind == 4:
            found[at:at] = found[at : at + size] * rng.choice((1, 2, 50))
        elif kind == 5:
            found[at:at] = rng.randbytes(size)
        elif kind == 6:
            found[at : at + rng.choice((0, size))] = rng.choice(WORDS) * rng.choice((1, 1, 2, size))
        elif kind == 7:
            start = rng.randrange(len(other) + 1)
            found[at:at] = other[start : start + size]
        elif kind == 8:
            lines = bytes(found).split(b"\n")
            rng.shuffle(lines)
            found = bytearray(b"\n".join(lines))
        elif kind == 9:
            words = bytes(found).split(b" ")
            first, second = rng.randrange(len(words)), rng.randrange(len(words))
            words[first], words[second] = words[second], words[first]
            found = bytearray(b" ".join(words))
        else:
            digits = [place for place, byte in enumerate(found) if 48 <= byte <= 57]
            if digits:
                place = rng.choice(digits)
                found[place : place + 1] = rng.choice((b"0", b"7", b"16", b"-1", b"9" * 25, b"0.5"))
    return bytes(found[:LONGEST])


def fuzz(target: Target, count: int, seed: int = 1, until: float | None = None) -> Report:
    """Run so many spoilt inputs, or as many as there is time for (`until` is a moment of time.monotonic())."""
    rng = random.Random(f"{target.name} {seed}")
    seeds, report = list(target.seeds), Report(target.name)
    own = len(seeds)
    before = signal.signal(signal.SIGALRM, _hung)
    started = time.monotonic()
    try:
        for number in range(count):
            if until is not None and number % 50 == 0 and time.monotonic() > until:
                break
            data = spoilt(rng.choice(seeds), rng, rng.choice(seeds)) if number >= own else seeds[number]
            taken = _try(target, data, report)
            if taken and len(data) < 4 * max(map(len, target.seeds)) and rng.random() < 0.05:
                if len(seeds) >= own + KEPT:
                    seeds.pop(rng.randrange(own, len(seeds)))
                seeds.append(data)
    finally:
        signal.signal(signal.SIGALRM, before)
    report.seconds = time.monotonic() - started
    return report


def _try(target: Target, data: bytes, report: Report) -> bool:
    started = time.process_time()
    signal.alarm(HANG_SECONDS)
    taken = True
    try:
        target.run(data)
    except KibitzError:
        taken = False
        report.refused += 1
    except Exception as error:
        taken = False
        report.failures.append((f"{type(error).__name__}: {error}"[:300], data))
    finally:
        signal.alarm(0)
    spent = time.process_time() - started
    report.inputs += 1
    report.slowest = max(report.slowest, spent)
    if spent > SLOW_SECONDS:
        report.failures.append((f"took {spent:.1f} s", data))
    return taken


def _hung(*_: object) -> None:
    raise TimeoutError(f"no end after {HANG_SECONDS} s")


def megabytes() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def write_failures(reports: Iterable[Report], folder: Path) -> list[Path]:
    """Write the inputs that failed, a few for each target."""
    written = []
    for report in reports:
        for number, (words, data) in enumerate(report.failures[:5]):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{report.name.replace(' ', '-')}-{number}"
            path.write_bytes(data)
            written.append(path)
            print(f"{report.name}: {words}  -> {path}")
    return written
