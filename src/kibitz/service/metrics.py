"""Figures of the running service, as Prometheus reads them."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds that latencies are counted by."""


class Metrics:
    """Counts of one process. Labels are routes and never what a client sent."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._latencies: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._levels: Counter[str] = Counter()
        self.started = time.time()

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request has been answered."""
        with self._lock:
            self._requests[method, route, status] += 1
            row = self._latencies.setdefault(route, [0] * (len(BUCKETS) + 1))
            row[next((n for n, edge in enumerate(BUCKETS) if seconds <= edge), len(BUCKETS))] += 1
            self._seconds[route] += seconds  # type: ignore[assignment]

    def count(self, name: str, by: int = 1) -> None:
        """Something has happened."""
        with self._lock:
            self._counts[name] += by

    def level(self, name: str, by: int) -> int:
        """There is more or less of something; how much there is now."""
        with self._lock:
            self._levels[name] += by
            return self._levels[name]

    def levels(self) -> dict[str, int]:
        """How much there is of everything."""
        with self._lock:
            return dict(self._levels)

    def text(self, jobs: dict[str, int]) -> str:
        """The exposition format; jobs are counted by state."""
        with self._lock:
            return "\n".join((*self._lines(jobs), ""))

    def _lines(self, jobs: dict[str, int]) -> Iterator[str]:
        yield "# TYPE kibitz_requests_total counter"
        for (method, route, status), count in sorted(self._requests.items()):
            yield f'kibitz_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}'
        yield "# TYPE kibitz_request_seconds histogram"
        for route, row in sorted(self._latencies.items()):
            total = 0
            for edge, count in zip((*map(str, BUCKETS), "+Inf"), row, strict=True):
                total += count
                yield f'kibitz_request_seconds_bucket{{route="{route}",le="{edge}"}} {total}'
            yield f'kibitz_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'kibitz_request_seconds_count{{route="{route}"}} {total}'
        for name, count in sorted(self._counts.items()):
            yield f"# TYPE kibitz_{name}_total counter"
            yield f"kibitz_{name}_total {count}"
        for name, count in sorted(self._levels.items()):
            yield f"# TYPE kibitz_{name} gauge"
            yield f"kibitz_{name} {count}"
        yield "# TYPE kibitz_jobs gauge"
        for state, count in sorted(jobs.items()):
            yield f'kibitz_jobs{{state="{state}"}} {count}'
        yield "# TYPE process_resident_memory_bytes gauge"
        yield f"process_resident_memory_bytes {resident_bytes()}"
        yield "# TYPE process_start_time_seconds gauge"
        yield f"process_start_time_seconds {self.started:.3f}"


def resident_bytes() -> int:
    """The memory of this process; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError, ValueError):
        return 0
