"""`python -m tests.fuzz`: fuzz all targets or one of them, or run an input again; --atheris is led by coverage."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.fuzz.driver import MAX_MEGABYTES, Report, fuzz, megabytes, write_failures
from tests.fuzz.targets import Target, targets


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="inputs in all, shared out among the targets")
    parser.add_argument("--seconds", type=float, default=None, help="stop after so many seconds")
    parser.add_argument("--seed", type=int, default=1, help="all inputs follow from it")
    parser.add_argument("--target", default=None, help="one target by its name")
    parser.add_argument("--input", type=Path, default=None, help="run a single input of --target")
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"), help="where inputs that fail are kept")
    parser.add_argument("--atheris", action="store_true", help="let atheris find the inputs of --target")
    given = parser.parse_args()
    chosen = [target for target in targets() if given.target in (None, target.name)]
    if not chosen:
        parser.error(f"no target is called {given.target!r}; there are {', '.join(one.name for one in targets())}")
    if given.input is not None or given.atheris:
        if len(chosen) != 1:
            parser.error("expected --target")
        if given.input is not None:
            chosen[0].run(given.input.read_bytes())
            return 0
        return _by_atheris(chosen[0])
    until = None if given.seconds is None else time.monotonic() + given.seconds
    reports: list[Report] = []
    for number, target in enumerate(chosen):
        left = None
        if until is not None:
            left = time.monotonic() + max(until - time.monotonic(), 0) / (len(chosen) - number)
        share = -(-given.count * target.weight // sum(one.weight for one in chosen))
        reports.append(fuzz(target, share, given.seed, left))
        _tell(reports[-1])
    total, failed = sum(one.inputs for one in reports), sum(len(one.failures) for one in reports)
    slowest = max(one.slowest for one in reports)
    print(f"{total:,} inputs, {failed} failures, the slowest {slowest:.2f} s, {megabytes()} MB")
    write_failures(reports, given.failures)
    return int(failed > 0 or megabytes() > MAX_MEGABYTES)


def _tell(report: Report) -> None:
    rate = report.inputs / max(report.seconds, 1e-9)
    print(
        f"{report.name:20} {report.inputs:8,} inputs  {report.refused / max(report.inputs, 1):4.0%} refused  "
        f"{rate:7,.0f} a second  slowest {report.slowest:.3f} s  {len(report.failures)} failures",
        flush=True,
    )


def _by_atheris(target: Target) -> int:
    try:
        atheris: Any = import_module("atheris")
    except ImportError:
        print("atheris is not installed: pip install atheris", file=sys.stderr)
        return 2
    from kibitz import KibitzError

    def one(data: bytes) -> None:
        with suppress(KibitzError):
            target.run(data)

    atheris.instrument_all()
    atheris.Setup([sys.argv[0]], one)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
