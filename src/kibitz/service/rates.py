"""How often a caller may ask: a bucket of requests that refills at a steady rate."""

from __future__ import annotations

import time
from collections import OrderedDict

from kibitz.service.problems import Problem

MOST_CALLERS = 10_000
"""Buckets that are kept; the one that was used longest ago is forgotten first, and by then it is full again."""


class Rates:
    """The buckets of all callers. A rate of 0 is no limit."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = float(max(burst, 1))
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, caller: str, now: float | None = None) -> None:
        """Take one request out of a caller's bucket, or refuse it and say when to come again."""
        if not self._rate:
            return
        now = time.monotonic() if now is None else now
        left, then = self._buckets.pop(caller, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        allowed = left >= 1.0
        self._buckets[caller] = (left - 1.0 if allowed else left, now)
        if len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)
        if not allowed:
            wait = max(1, round((1.0 - left) / self._rate + 0.5))
            raise Problem(
                "rate-limited",
                f"more than {self._rate:g} requests a second; come again in {wait} s",
                headers={"retry-after": str(wait)},
            )
