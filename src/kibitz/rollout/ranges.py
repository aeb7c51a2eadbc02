"""Sets of games as sorted, separate ranges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def united(ranges: Iterable[range]) -> list[range]:
    """The same games as few ranges as possible."""
    found: list[range] = []
    for one in sorted((r for r in ranges if r), key=lambda r: r.start):
        if found and one.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, one.stop))
        else:
            found.append(one)
    return found


def missing(wanted: range, done: Sequence[range]) -> list[range]:
    """What of a range is not in the sorted, separate ones."""
    found = []
    start = wanted.start
    for one in done:
        if one.stop <= start or one.start >= wanted.stop:
            continue
        if one.start > start:
            found.append(range(start, one.start))
        start = one.stop
    if start < wanted.stop:
        found.append(range(start, wanted.stop))
    return found


def overlap(some: Sequence[range], others: Sequence[range]) -> range | None:
    """The first games that are in both."""
    for a in some:
        for b in others:
            common = range(max(a.start, b.start), min(a.stop, b.stop))
            if common:
                return common
    return None


def covered(game: int, ranges: Sequence[range]) -> bool:
    """Whether a game is in one of these."""
    return any(game in one for one in ranges)
