"""What the benchmarks share: processor time, the best of several rounds, and where peers and material are.

A benchmark is a script with a `main`: it asserts the work that it did and prints its figures.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
"""Debian's gnubg, where it is installed."""
SHARED = Path(os.environ.get("KIBITZ_SHARED", Path(__file__).resolve().parents[1] / ".." / "shared"))
"""Matches and decided positions that are not part of the repository."""


def best_of(rounds: int, work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds of the quickest of several rounds, which other work disturbs little, and the last result."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result
