"""How many cores there are to use: the one place that asks the operating system."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """The cores that this process may use: those it is bound to where the system tells, else all."""
    affinity = getattr(os, "sched_getaffinity", None)  # Linux alone has it
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
