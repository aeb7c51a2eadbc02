"""Move filters: which plays a search looks at more deeply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz import _core
from kibitz.errors import EngineError

MOST_PLAYS = 10_000
"""More than any roll has."""


@dataclass(frozen=True, slots=True)
class FilterStep:
    """What goes on from one look to the next: always the best `keep`, and up to `extra` more within `threshold`."""

    keep: int = 0
    extra: int = 8
    threshold: float = 0.16
    skip: bool = False

    def __post_init__(self) -> None:
        if not (0 <= self.keep <= MOST_PLAYS and 0 <= self.extra <= MOST_PLAYS and 0 <= self.threshold <= 1e9):
            raise EngineError(
                f"a filter keeps 0 to {MOST_PLAYS} plays within a threshold from 0 on, not {self.keep}, {self.extra}, "
                f"{self.threshold}"
            )

    def to_core(self) -> _core.FilterStep:
        """For the native search."""
        return _core.FilterStep(-1 if self.skip else self.keep, self.extra, self.threshold)


@dataclass(frozen=True, slots=True)
class MoveFilter:
    """One step for the look at each number of plies before the last; the last step counts again for deeper ones."""

    steps: tuple[FilterStep, ...]
    name: str = "custom"

    def for_plies(self, plies: int, *, every_ply: bool = False) -> list[_core.FilterStep]:
        """The native steps. `every_ply` skips no look: a search against the clock wants something at each depth."""
        steps = list(self.steps[: max(plies, 1)])
        if every_ply:
            kept = [step for step in self.steps if not step.skip]
            steps = [kept[0], *(kept[1:] or kept)]
        return [step.to_core() for step in steps]

    @classmethod
    def of(cls, filter: MoveFilter | str) -> MoveFilter:
        """A filter from its name, or from text such as '0:8:0.16,skip,0:2:0.04' (keep:extra:threshold for each ply)."""
        if isinstance(filter, MoveFilter):
            return filter
        if known := FILTERS.get(filter):
            return known
        try:
            steps = []
            for word in filter.split(","):
                if word.strip() == "skip":
                    steps.append(FilterStep(skip=True))
                else:
                    keep, extra, threshold = word.split(":")
                    steps.append(FilterStep(int(keep), int(extra), float(threshold)))
            if steps[0].skip:
                raise ValueError
        except ValueError:
            raise EngineError(
                f"a filter is one of {', '.join(FILTERS)}, or steps such as 0:8:0.16,skip,0:2:0.04, not {filter!r}"
            ) from None
        return cls(tuple(steps))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        steps = [{"keep": s.keep, "extra": s.extra, "threshold": s.threshold, "skip": s.skip} for s in self.steps]
        return {"name": self.name, "steps": steps}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> str | MoveFilter:
        """What `to_dict` gave: the name of a filter that is known by it, else the filter."""
        made = cls(tuple(FilterStep(**step) for step in data["steps"]), data["name"])
        return made.name if FILTERS.get(made.name) == made else made


def _named(name: str, *steps: tuple[int, float]) -> MoveFilter:
    """One (extra, threshold) for the look at 0, 1, 2 … plies: each leaves fewer plays to the next."""
    return MoveFilter(tuple(FilterStep(0, extra, threshold) for extra, threshold in steps), name)


FILTERS: dict[str, MoveFilter] = {
    one.name: one
    for one in (
        _named("tiny", (5, 0.08), (3, 0.04), (2, 0.02)),
        _named("narrow", (8, 0.12), (4, 0.06), (2, 0.03)),
        _named("normal", (8, 0.16), (5, 0.08), (2, 0.04)),
        _named("large", (16, 0.32), (10, 0.16), (4, 0.08)),
        _named("huge", (20, 0.44), (20, 0.32), (6, 0.11)),
        MoveFilter((FilterStep(0, MOST_PLAYS, 1e9),), "everything"),
    )
}
"""The named filters."""
