"""The signature: one short text that changes when, and only when, the engine's answers change. And how fast they come.

Every section does a fixed amount of work on fixed positions and boils its answers down to one number. Rooms above add
sections of their own, such as one for evaluations: a function that returns a Section, in SECTIONS.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.bulk import plays_bulk
from kibitz.dice import ALL_ROLLS
from kibitz.plain_json import picked
from kibitz.position import Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Speed:
    """How often something is done in a second, on one thread."""

    what: str
    per_second: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"what": self.what, "per_second": round(self.per_second)}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the bench: `count` things of the kind `unit` were done, and `digest` stands for the answers."""

    name: str
    count: int
    unit: str
    digest: int
    speeds: tuple[Speed, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return picked(self, "name", "count", "unit") | {
            "digest": f"{self.digest:08x}",
            "speeds": [speed.to_dict() for speed in self.speeds],
        }


@dataclass(frozen=True, slots=True)
class Bench:
    """All sections of a run."""

    sections: tuple[Section, ...]

    @property
    def signature(self) -> str:
        """How much was done in all sections, and one hash of all answers."""
        digests = " ".join(f"{section.name} {section.count} {section.digest:08x}" for section in self.sections)
        return f"{sum(section.count for section in self.sections)}-{zlib.crc32(digests.encode()):08x}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"signature": self.signature, "sections": [section.to_dict() for section in self.sections]}


def run(*, repeats: int = 5) -> Bench:
    """Do the work of all sections. Speeds are the best of several repeats."""
    return Bench(tuple(section(repeats) for section in SECTIONS))


@cache
def positions() -> tuple[Position, ...]:
    """The fixed positions: 1,100 of all kinds."""
    text = (files("kibitz") / "data" / "bench_positions.txt").read_text(encoding="ascii")
    return tuple(Position.from_id(line) for line in text.split())


@cache
def boards() -> npt.NDArray[np.uint8]:
    """The fixed positions as one array, shape (1100, 2, 25)."""
    import numpy as np

    return np.stack([position.board for position in positions()])


def digest(rows: npt.NDArray[Any]) -> int:
    """32 bits of a set of rows, whatever their order."""
    import numpy as np

    flat = np.ascontiguousarray(rows).reshape(len(rows), -1)
    return sum(zlib.crc32(row.tobytes()) for row in flat) & 0xFFFFFFFF


def best_time(work: Callable[[], object], repeats: int, clock: Callable[[], float] = time.thread_time) -> float:
    """The shortest processor time of several runs, in seconds: what the work costs when nothing disturbs it."""
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return max(min(times), 1e-9)


def bench_plays(repeats: int) -> Section:
    """Every roll in every position: the legal plays, and the keys and IDs of the positions they lead to."""
    import numpy as np

    every = np.repeat(boards(), len(ALL_ROLLS), axis=0)
    rolls = np.tile(np.array([tuple(roll) for roll in ALL_ROLLS], dtype=np.uint8), (len(boards()), 1))
    results = plays_bulk(every, rolls).boards
    count = len(results)
    core = best_time(lambda: _core.count_results(boards()), repeats)
    bulk = best_time(lambda: plays_bulk(every, rolls), repeats)
    keys = best_time(lambda: _core.mixed_keys(results), repeats)
    ids = best_time(lambda: _core.position_ids(results), repeats)
    return Section(
        name="plays",
        count=count,
        unit="distinct results",
        digest=digest(results),
        speeds=(
            Speed("distinct results in C++", count / core),
            Speed("distinct results through Python in bulk", count / bulk),
            Speed("position keys in C++", count / keys),
            Speed("Position IDs through Python in bulk", count / ids),
        ),
    )


def bench_evaluations(repeats: int) -> Section:
    """Every position evaluated, and the best play of every roll: by the strong net alone, and after the pruning net."""
    import numpy as np

    from kibitz.engine.networks import evaluator_of

    evaluator = evaluator_of()
    every = np.repeat(boards(), len(ALL_ROLLS), axis=0)
    rolls = np.tile(np.array([tuple(roll) for roll in ALL_ROLLS], dtype=np.uint8), (len(boards()), 1))
    results = plays_bulk(every, rolls).boards
    outputs = evaluator.evaluate_batch(results)
    considered, best, _ = evaluator.best_plays(every, rolls, SHORTLIST)
    batch = best_time(lambda: evaluator.evaluate_batch(results), repeats)
    evaluated = best_time(lambda: evaluator.best_plays(every, rolls, 0), repeats)
    ranked = best_time(lambda: evaluator.best_plays(every, rolls, SHORTLIST), repeats)
    return Section(
        name="evaluations",
        count=len(results),
        unit="evaluations",
        digest=(digest(outputs) + digest(best)) & 0xFFFFFFFF,
        speeds=(
            Speed("evaluations through Python in bulk", len(results) / batch),
            Speed("plays evaluated by the strong net, plays generated along the way", considered / evaluated),
            Speed(f"plays ranked by the pruning net, the best {SHORTLIST} by the strong net", considered / ranked),
        ),
    )


def bench_search(repeats: int) -> Section:
    """Hints, and cube decisions for money and at a score, at 2 plies."""
    from kibitz.bearoff.in_use import use_tables
    from kibitz.engine.engine import Engine
    from kibitz.match import MatchState

    use_tables(())  # the signature is the same on every machine
    engine = Engine(plies=2, threads=1)
    asked = [
        (position, ALL_ROLLS[i % len(ALL_ROLLS)]) for i, position in enumerate(positions()[:: len(positions()) // 44])
    ]
    scores = (MatchState(jacoby=False), MatchState(length=7, my_score=3, their_score=2))

    def hints() -> list[str]:
        engine.clear_cache()
        ranked = [engine.rank(position, roll) for position, roll in asked]
        return [f"{one.play} {one.equity:.6f}" for plays in ranked for one in plays]

    def cubes() -> list[str]:
        engine.clear_cache()
        weighed = [engine.cube(position, match=match) for position, _ in asked for match in scores]
        return [f"{one.no_double:.6f} {one.double_take:.6f} {one.action}" for one in weighed]

    answers = hints() + cubes()
    return Section(
        name="search",
        count=len(answers),
        unit="plays and cube decisions",
        digest=zlib.crc32("\n".join(answers).encode()),
        speeds=(
            Speed("hints at 2 plies", len(asked) / best_time(hints, repeats)),
            Speed("cube decisions at 2 plies", len(scores) * len(asked) / best_time(cubes, repeats)),
        ),
    )


def bench_rollouts(repeats: int) -> Section:
    """Rollouts of cube decisions, with variance reduction."""
    from kibitz.bearoff.in_use import use_tables
    from kibitz.engine.engine import Engine

    use_tables(())
    engine = Engine(threads=1)
    asked = positions()[:: len(positions()) // 3]
    games = 36

    def rollouts() -> list[str]:
        results = [one for position in asked for one in engine.rollout(position, trials=games).results]
        return [f"{one.equity:.6f} {one.cubeless_equity:.6f}" for one in results]

    answers = rollouts()
    played = games * len(answers)
    seconds = best_time(rollouts, repeats, time.process_time)  # they are played in a thread of their own
    return Section(
        name="rollouts",
        count=played,
        unit="games",
        digest=zlib.crc32("\n".join(answers).encode()),
        speeds=(Speed("games of a cubeful rollout", played / seconds),),
    )


SHORTLIST = 5
"""Plays that the strong net looks at after the pruning net."""

SECTIONS: list[Callable[[int], Section]] = [bench_plays, bench_evaluations, bench_search, bench_rollouts]
"""What makes up the signature, in this order."""
