"""The kinds of jobs: how each is planned, how a chunk is done, and what chunks amount to.

A chunk is plain data. Doing it again gives the same result, on any machine, so a job that was cut off ends with the
digits of one that was not.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from kibitz.analysis.analyse import Findings, analyse
from kibitz.analysis.analyzer import Analyzer
from kibitz.analysis.levels import ReviewSettings
from kibitz.analysis.review import MatchReview, review_of
from kibitz.bearoff import tables
from kibitz.engine.engine import Cancellation, Engine
from kibitz.errors import EngineError, KibitzError
from kibitz.library.library import Library
from kibitz.library.rows import pack_record, unpack_record
from kibitz.record import Match, Moment
from kibitz.rollout.executors import Executor
from kibitz.rollout.files import from_data, to_data
from kibitz.rollout.job import Part
from kibitz.rollout.rollout import Rollout
from kibitz.rollout.settings import GROUP, StopRule
from kibitz.rollout.tally import Tally
from kibitz.service import costs

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JobPlan:
    """A job before it is made: what it is, what it will cost, and how it is cut if it is not too much."""

    kind: str
    request: Data
    cut: Callable[[], list[Data]]
    cost: float


@dataclass(frozen=True, slots=True)
class Tools:
    """What a worker has: an engine of its own, where games are played, and the library of the job's owner."""

    engine: Engine
    executor: Executor
    library: Library
    cluster: Callable[..., Any] | None = None  # calls a function with arguments on some other machine


class StoppedError(KibitzError):
    """A chunk that is not wanted any more."""


class JobKind(ABC):
    """One kind of job."""

    name: str

    @abstractmethod
    def run(self, request: Data, payload: Data, tools: Tools, stop: Cancellation) -> Data:
        """Do a chunk. Raises StoppedError if it was cancelled."""

    @abstractmethod
    def gather(self, request: Data, tools: Tools) -> Gathering:
        """An empty collection of what chunks give."""


class Gathering(ABC):
    """What the chunks of a job amount to so far. Chunks may be added in any order, each once."""

    def __init__(self) -> None:
        self.known: set[int] = set()

    def add(self, number: int, result: Data) -> None:
        """Take in a chunk."""
        if number not in self.known:
            self.known.add(number)
            self.take(number, result)

    @abstractmethod
    def take(self, number: int, result: Data) -> None:
        """Take in a chunk that is new."""

    @property
    def ended(self) -> bool:
        """Whether a rule says that the other chunks are not needed."""
        return False

    @abstractmethod
    def finish(self) -> Data:
        """The job is done: keep what came of it, and tell what is kept of the job."""


# --- rollouts ---------------------------------------------------------------------------------------------------------


class RolloutJob(JobKind):
    """Games of a rollout; a chunk is a range of them. The executor plays them."""

    name = "rollout"

    @staticmethod
    def plan(rollout: Rollout, trials: int, stop: StopRule, asked: Data) -> JobPlan:
        """Cut a rollout of which no game has been played into chunks of half a second."""
        settings = rollout.job.settings
        total = costs.whole_groups(trials) if settings.stratified else trials
        each = costs.rollout_game(settings, len(rollout.job.candidates))
        size = costs.chunk_size(total, each, whole=GROUP)
        rule = {"error": stop.error, "separation": stop.separation, "least": stop.least}
        request = {"asked": asked, "rollout": to_data(rollout), "trials": total, "stop": rule}

        def cut() -> list[Data]:
            return [{"games": list(games)} for games in costs.ranges(total, size)]

        return JobPlan(RolloutJob.name, request, cut, total * each)

    def run(self, request: Data, payload: Data, tools: Tools, stop: Cancellation) -> Data:
        """Play a range of games."""
        rollout = from_data(request["rollout"])
        by_groups = StopRule(**request["stop"]).looks_at_groups
        work = replace(rollout.work, by_groups=by_groups)
        games = range(*payload["games"])
        found: dict[int, tuple[int, Tally]] = {}
        started = time.monotonic()
        parts = tools.executor.run(work, games)
        for part in parts:
            # One sum for the chunk, or one for each group that a rule looks at.
            key = max(part.first // GROUP * GROUP, games.start) if by_groups else games.start
            count, tally = found.get(key, (0, Tally(len(rollout.job.candidates))))
            tally.add(part.tally)
            found[key] = (count + part.count, tally)
            if stop.cancelled:
                break
        if hasattr(parts, "close"):
            parts.close()
        if stop.cancelled:
            raise StoppedError("the rollout was cancelled")
        sums = [[first, count, tally.to_dict()] for first, (count, tally) in sorted(found.items())]
        return {"sums": sums, "seconds": time.monotonic() - started}

    def gather(self, request: Data, tools: Tools) -> RolloutGathering:  # noqa: ARG002
        """An empty rollout."""
        return RolloutGathering(request)


class RolloutGathering(Gathering):
    """Games that have been played. They are counted in their order, so that rules to stop always see the same ones."""

    def __init__(self, request: Data) -> None:
        super().__init__()
        self.rollout = from_data(request["rollout"])
        self._rule = StopRule(**request["stop"])
        self._trials = request["trials"]
        self._waiting: dict[int, Part] = {}
        self._next = 0

    def take(self, number: int, result: Data) -> None:  # noqa: ARG002
        """Count the games whose turn it is."""
        if self.ended:
            return
        for first, count, sums in result["sums"]:
            self._waiting[first] = Part(first, count, Tally.from_dict(sums))
        self.rollout.seconds += result["seconds"]
        while (part := self._waiting.pop(self._next, None)) is not None:
            self.rollout.count(part)
            self._next = part.first + part.count
            if self._next % GROUP == 0:
                self.rollout.stopped = self.rollout.verdict(self._rule)
                if self.ended:
                    return
        if self._next >= self._trials:
            self.rollout.stopped = "trials"

    @property
    def ended(self) -> bool:
        """Whether all has been played, or a rule says stop."""
        return self.rollout.stopped is not None

    def finish(self) -> Data:
        """The rollout as a file holds it, and why it ended."""
        return {"file": to_data(self.rollout), "stopped": self.rollout.stopped}

    def counted(self) -> Rollout:
        """The rollout with all games that are there, for those who want to see what is done."""
        if self.ended or not self._waiting:
            return self.rollout
        shown = Rollout(self.rollout.work, ranges=self.rollout.ranges)
        shown.tally.add(self.rollout.tally)
        shown.seconds = self.rollout.seconds
        for part in self._waiting.values():
            shown.count(part)
        return shown


def finished_rollout(result: Data) -> Rollout:
    """The rollout in the result of a job."""
    rollout = from_data(result["file"])
    rollout.stopped = result["stopped"]
    return rollout


# --- reviews ----------------------------------------------------------------------------------------------------------


MOST_MOMENTS = 20
"""Moments of a match that a chunk holds at most."""


class ReviewJob(JobKind):
    """The review of a match of the library; a chunk is some of its moments."""

    name = "review"

    @staticmethod
    def plan(match: Match, number: int, settings: ReviewSettings, asked: Data) -> JobPlan:
        """Cut a match into chunks of half a second, or of so few moments that whoever looks on sees them come."""
        moments = sum(1 for _ in match.moments())
        if not moments:
            raise EngineError("there is nothing to review in this match")
        each = costs.review_moment(settings)
        request = {"asked": asked, "match": number, "moments": moments, "settings": settings.to_dict()}

        def cut() -> list[Data]:
            size = min(costs.chunk_size(moments, each), MOST_MOMENTS)
            return [{"moments": list(one)} for one in costs.ranges(moments, size)]

        return JobPlan(ReviewJob.name, request, cut, moments * each)

    def run(self, request: Data, payload: Data, tools: Tools, stop: Cancellation) -> Data:
        """Analyse some moments."""
        first, last = payload["moments"]
        moments = moments_of(tools.library.match(request["match"], analyses=False), request)[first:last]
        settings = ReviewSettings.from_dict(request["settings"])
        if tools.cluster is not None:
            record = pack_record(tools.library.match(request["match"]))
            found = tools.cluster(analyse_remotely, record, request["settings"], first, last)
        else:
            found = analyse_moments(moments, tools.engine, settings, stop)
        return {"first": first, "findings": found}

    def gather(self, request: Data, tools: Tools) -> ReviewGathering:
        """An empty review."""
        return ReviewGathering(request, tools)


def analyse_moments(moments: list[Moment], engine: Engine, settings: ReviewSettings, stop: Cancellation) -> list[Data]:
    """What is found about some moments, as plain data."""
    analyzer = Analyzer(engine, settings.level, stop)
    found = []
    for moment in moments:
        try:
            found.append(analyse(moment, analyzer, settings))
        except EngineError:
            if not stop.cancelled:
                raise
        if stop.cancelled:
            raise StoppedError("the review was cancelled")
    if settings.rollout:
        from kibitz.analysis.rollouts import roll_out_blunders

        found = roll_out_blunders(found, engine, settings, 1)
    return [one.to_dict() for one in found]


def analyse_remotely(record: bytes, settings: Data, first: int, last: int) -> list[Data]:
    """The same in whatever process this is."""
    moments = list(unpack_record(record).moments())[first:last]
    chosen = ReviewSettings.from_dict(settings)
    return analyse_moments(moments, _engine_of_this_process(), chosen, Cancellation())


@lru_cache(maxsize=1)
def _engine_of_this_process() -> Engine:
    return Engine(threads=1)


class ReviewGathering(Gathering):
    """Findings of some moments of a match."""

    def __init__(self, request: Data, tools: Tools) -> None:
        super().__init__()
        self._tools = tools
        self._number: int = request["match"]
        self.settings = ReviewSettings.from_dict(request["settings"])
        self._match = tools.library.match(self._number, origin="file")
        self._moments = moments_of(self._match, request)
        self._findings: dict[int, Findings] = {}

    def take(self, number: int, result: Data) -> None:  # noqa: ARG002
        """Keep what is said of each moment."""
        for place, one in enumerate(result["findings"], start=result["first"]):
            self._findings[place] = Findings.from_dict(one, self._moments[place], self.settings.thresholds)

    def review(self) -> MatchReview:
        """The review as far as it is done."""
        findings = [self._findings[place] for place in sorted(self._findings)]
        return review_of(self._match, findings, self.settings, self._tools.engine)

    def finish(self) -> Data:
        """Keep the review in the library."""
        found = self.review()
        self._tools.library.add_review(self._number, found, self._tools.engine)
        players = [found.statistics(player).to_dict() for player in (0, 1)]
        return {"match": self._number, "decisions": len(found.decisions), "statistics": players}


def moments_of(match: Match, request: Data) -> list[Moment]:
    """The moments of the match that a job is about, which must be as it was when the job was made."""
    moments = list(match.moments())
    if len(moments) != request["moments"]:
        raise EngineError(f"match {request['match']} has changed since the review was asked for: ask again")
    return moments


# --- tables -----------------------------------------------------------------------------------------------------------


class TableJob(JobKind):
    """A table to build; it is one chunk."""

    name = "table"

    @staticmethod
    def plan(name: tables.TableName, asked: Data) -> JobPlan:
        """One chunk."""
        return JobPlan(TableJob.name, {"asked": asked, "name": str(name)}, lambda: [{}], costs.table(name))

    def run(self, request: Data, payload: Data, tools: Tools, stop: Cancellation) -> Data:  # noqa: ARG002
        """Build it, unless it is there and sound."""
        name = tables.TableName.of(request["name"])

        def progress(share: float, words: str) -> None:  # noqa: ARG001
            if stop.cancelled:
                raise StoppedError("the table was cancelled")

        if tables.table_info(name).state not in ("built", "in memory"):
            tables.build(name, threads=1, progress=progress)
        return {"table": table_facts(name)}

    def gather(self, request: Data, tools: Tools) -> TableGathering:  # noqa: ARG002
        """No table yet."""
        return TableGathering()


class TableGathering(Gathering):
    """A table that has been built."""

    def __init__(self) -> None:
        super().__init__()
        self._facts: Data = {}

    def take(self, number: int, result: Data) -> None:  # noqa: ARG002
        """It is there."""
        self._facts = result["table"]

    def finish(self) -> Data:
        """What it is."""
        return self._facts


def table_facts(name: tables.TableName) -> Data:
    """What a table is; where its file lies is the server's own business."""
    data = tables.table_info(name).to_dict()
    del data["path"]
    return data


KINDS: dict[str, JobKind] = {kind.name: kind for kind in (RolloutJob(), ReviewJob(), TableJob())}
"""All kinds by name."""
