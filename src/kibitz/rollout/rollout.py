"""A rollout: games that have been played, what they say, and how to play more."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.decision import ChanceErrors, CubeChances, CubeDecision, Evaluation, PlayDecision
from kibitz.engine.confidence import play_confidence, with_confidence
from kibitz.errors import EngineError
from kibitz.rollout.executors import Executor, ThreadExecutor, Work
from kibitz.rollout.job import Job, Part
from kibitz.rollout.ranges import covered, missing, overlap, united
from kibitz.rollout.results import RolloutResult
from kibitz.rollout.settings import GROUP, StopRule
from kibitz.rollout.tally import EQUITY, UTILITY, Tally

if TYPE_CHECKING:
    from kibitz.engine.engine import Cancellation

SAVE_SECONDS = 5.0
"""How often a running rollout writes its file."""


class Rollout:
    """What `Engine.rollout` returns. It can be extended, merged with others of the same settings, saved and drawn."""

    def __init__(self, work: Work, *, tally: Tally | None = None, ranges: Sequence[range] = ()) -> None:
        self.work = work
        self.tally = tally or Tally(len(work.job.candidates))
        self.ranges: list[range] = list(ranges)
        self.stopped: str | None = None
        """Why the last run ended: trials, error, separation, time, interrupted or cancelled."""
        self.seconds = 0.0
        self._model = work.job.model()

    # --- what it says -----------------------------------------------------------------------------------------------

    @property
    def job(self) -> Job:
        """Candidates, match and settings."""
        return self.work.job

    @property
    def trials(self) -> int:
        """How many games of each candidate have been played."""
        return self.tally.games

    @property
    def results(self) -> list[RolloutResult]:
        """The candidates, the best first (a cube decision's in their usual order)."""
        return self._results(list(range(len(self.job.candidates))))

    @property
    def best(self) -> RolloutResult:
        """The candidate with the highest equity."""
        return max(self.results, key=lambda one: one.equity)

    @property
    def equity(self) -> float:
        """The equity of the best candidate; of a cube decision, with the proper action of both sides."""
        return self.decision.equity if self.is_cube_decision else self.best.equity

    @property
    def standard_error(self) -> float:
        """The standard error of the best candidate's equity."""
        return self.best.standard_error

    @property
    def evaluation(self) -> Evaluation:
        """The five chances of the best candidate (of not doubling, for a cube decision)."""
        return self.results[0].evaluation

    @property
    def is_cube_decision(self) -> bool:
        """Whether the candidates are not doubling and doubling."""
        return any(candidate.taken for candidate in self.job.candidates)

    @property
    def decision(self) -> CubeDecision:
        """The cube decision by these games."""
        if not self.is_cube_decision:
            raise EngineError("this is a rollout of plays or of one position, not of a cube decision")
        no_double, double_take = self.results
        passed = self._model.dead((1.0, 0.0, 0.0, 0.0, 0.0), 0, self._model.present)  # a game won, no gammon
        mwc = None
        if no_double.mwc is not None and double_take.mwc is not None:
            mwc = CubeChances(no_double.mwc, double_take.mwc, self._model.match_chance(passed))
        found = CubeDecision(
            self.job.state,
            no_double.equity,
            double_take.equity,
            self._model.normalised(passed, 0),
            no_double.evaluation,
            no_double.level,
            no_double.cubeless_equity,
            mwc=mwc,
            standard_error=None if math.isnan(self.standard_error) else self.standard_error,
        )
        return with_confidence(found)

    @property
    def plays(self) -> PlayDecision:
        """The plays by these games, best first, as the engine ranks them."""
        ranked = tuple(one.ranked() for one in self.results if one.play is not None)
        if not ranked:
            raise EngineError("this is no rollout of plays")
        return PlayDecision(self.job.state, ranked, play_confidence(ranked))

    def _results(self, numbers: list[int]) -> list[RolloutResult]:
        tally, stratified = self.tally, self.job.settings.stratified
        offset = self._model.normalised(0.0, 0)
        slope = self._model.normalised(1.0, 0) - offset
        if not tally.games:
            return []

        def utility(number: int) -> float:
            return tally.mean(number, UTILITY)

        best = max(numbers, key=utility)
        if not self.is_cube_decision:
            numbers = sorted(numbers, key=lambda number: -utility(number))
        found = []
        for rank, number in enumerate(numbers, start=1):
            candidate = self.job.candidates[number]
            means = [tally.mean(number, q) for q in range(7)]
            errors = [tally.standard_error(number, q, stratified=stratified) for q in range(7)]
            money = self.job.match.is_money
            found.append(
                RolloutResult(
                    name=candidate.name,
                    equity=offset + slope * means[UTILITY],
                    standard_error=slope * errors[UTILITY],
                    evaluation=Evaluation.of(means[:5]),
                    errors=ChanceErrors(*errors[:5]),
                    cubeless_equity=means[EQUITY],
                    cubeless_error=errors[EQUITY],
                    mwc=None if money else (means[UTILITY] + 1) / 2,
                    mwc_error=None if money else errors[UTILITY] / 2,
                    difference=slope * (means[UTILITY] - utility(best)),
                    joint_error=0.0
                    if number == best
                    else slope * tally.joint_error(number, best, stratified=stratified),
                    trials=tally.games,
                    cubeful=self.job.settings.cubeful,
                    play=candidate.play,
                    rank=rank,
                    counts=tally.candidates[number].counts,
                )
            )
        return found

    # --- playing more -----------------------------------------------------------------------------------------------

    def extend(
        self,
        trials: int | None = None,
        *,
        games: range | None = None,
        stop: StopRule | None = None,
        executor: Executor | None = None,
        threads: int = 0,
        progress: Callable[[Rollout], object] | None = None,
        cancellation: Cancellation | None = None,
        save: Path | str | None = None,
    ) -> Rollout:
        """Play on until there are `trials` games in all, or the games of a range, or until a rule says stop.

        Ctrl-C and a cancellation end it early; what has been played counts, and `stopped` says why it ended. With
        `save`, the state is written to that file every few seconds and at the end. `progress` is called now and then.
        """
        last = time.monotonic()
        steps = self.steps(
            trials, games=games, stop=stop, executor=executor, threads=threads, cancellation=cancellation
        )
        try:
            with closing(steps):
                for _ in steps:
                    if progress is not None:
                        progress(self)
                    if save is not None and time.monotonic() - last >= SAVE_SECONDS:
                        self.save(save)
                        last = time.monotonic()
        except KeyboardInterrupt:  # between two steps: it ends the rollout as it does within one
            self.stopped = "interrupted"
        if save is not None:
            self.save(save)
        return self

    def steps(
        self,
        trials: int | None = None,
        *,
        games: range | None = None,
        stop: StopRule | None = None,
        executor: Executor | None = None,
        threads: int = 0,
        cancellation: Cancellation | None = None,
    ) -> Generator[Rollout, None, None]:
        """The same as an iterator: yields itself whenever some more games have been counted."""
        rule = stop or StopRule()
        work = replace(self.work, by_groups=rule.looks_at_groups)
        wanted = self._wanted(trials, games)
        started = time.monotonic()
        before = self.seconds
        pending: dict[int, Part] = {}
        self.stopped = None
        try:
            for run in missing(wanted, self.ranges):
                where = executor or ThreadExecutor(threads)
                expected = run.start
                with closing(_generator(where.run(work, run))) as parts:
                    for part in parts:
                        # In their order, so that the rules to stop always see the same games.
                        pending[part.first] = part
                        while (ready := pending.pop(expected, None)) is not None:
                            self.count(ready)
                            expected = ready.first + ready.count
                            if expected % GROUP == 0:
                                self.stopped = self.verdict(rule)
                                if self.stopped is not None:
                                    pending.clear()
                                    return
                        self.seconds = before + time.monotonic() - started
                        yield self
                        if rule.seconds is not None and time.monotonic() - started >= rule.seconds:
                            self.stopped = "time"
                        elif cancellation is not None and cancellation.cancelled:
                            self.stopped = "cancelled"
                        if self.stopped is not None:
                            return
            self.stopped = "trials"
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        finally:
            # Games that were played out of their order count too when nothing more will come.
            for first in sorted(pending):
                self.count(pending[first])
            self.seconds = before + time.monotonic() - started

    def _wanted(self, trials: int | None, games: range | None) -> range:
        if games is not None:
            if trials is not None or games.step != 1 or games.start < 0 or not games:
                raise EngineError(f"expected either a number of trials or a range of games from 0 on, not {games}")
            return games
        if trials is None or trials < 1:
            raise EngineError(f"a rollout needs at least one trial, not {trials}")
        if self.job.settings.stratified:
            trials = -(-trials // GROUP) * GROUP
        # As many games as are missing, the first ones that have not been played.
        start = self.ranges[0].start if self.ranges else 0
        need = trials - self.trials
        stop = start
        for gap in missing(range(start, start + trials + self.ranges[-1].stop if self.ranges else trials), self.ranges):
            if need <= 0:
                break
            stop = gap.start + min(need, len(gap))
            need -= min(need, len(gap))
        return range(start, stop)

    def count(self, part: Part) -> None:
        """Add games that have been played."""
        games = range(part.first, part.first + part.count)
        self.tally.add(part.tally)
        self.ranges = united([*self.ranges, games])

    def verdict(self, rule: StopRule) -> str | None:
        """Why a rule says stop now; None to go on. It is asked after every 36 games, in their order."""
        if self.trials < rule.least or not rule.looks_at_groups:
            return None
        results = self.results
        if rule.error is not None and all(one.standard_error <= rule.error for one in results):
            return "error"
        if rule.separation is not None and self._is_clear(results, rule.separation):
            return "separation"
        return None

    def _is_clear(self, results: list[RolloutResult], limit: float) -> bool:
        if not self.is_cube_decision:
            return len(results) > 1 and all(one.separation >= limit for one in results[1:])
        # The answer must be clear, and then whether to double when it is given.
        no_double, double_take = results
        passed = self.decision.double_pass
        if abs(double_take.equity - passed) < limit * double_take.standard_error:
            return False
        if double_take.equity > passed:
            return abs(no_double.equity - passed) >= limit * no_double.standard_error
        joint = max(no_double.joint_error, double_take.joint_error)
        return abs(no_double.equity - double_take.equity) >= limit * joint

    def narrowed(self, numbers: Sequence[int]) -> Rollout:
        """A new rollout of some of the candidates, with the games that they have played."""
        job = replace(self.job, candidates=tuple(self.job.candidates[number] for number in numbers))
        rollout = Rollout(replace(self.work, job=job), tally=self.tally.among(numbers), ranges=self.ranges)
        rollout.seconds = self.seconds
        return rollout

    # --- merging and files ------------------------------------------------------------------------------------------

    def merge(self, *others: Rollout) -> Rollout:
        """A new rollout of all games of these. They must have the same settings and no game in common."""
        from kibitz.rollout.files import differences

        tally = Tally(len(self.job.candidates))
        ranges: list[range] = []
        for one in (self, *others):
            if found := differences(self.job.identity(), one.job.identity(), ("in the first", "in another")):
                raise EngineError(f"rollouts of different settings cannot be merged: {'; '.join(found)}")
            if twice := overlap(ranges, one.ranges):
                raise EngineError(
                    f"rollouts that share games cannot be merged: games {twice.start} to {twice.stop - 1} are in both"
                )
            tally.add(one.tally)
            ranges = united([*ranges, *one.ranges])
        merged = Rollout(self.work, tally=tally, ranges=ranges)
        merged.seconds = sum(one.seconds for one in (self, *others))
        return merged

    def save(self, path: Path | str) -> None:
        """Write the state to a file: aside first, then in one step, so that there is always a whole one."""
        from kibitz.rollout.files import save

        save(self, Path(path))

    @classmethod
    def load(cls, path: Path | str, *, nets: Path | str | None = None) -> Rollout:
        """A rollout from its file, ready to go on with the nets of a folder (the shipped ones by default)."""
        from kibitz.rollout.files import load

        return load(Path(path), None if nets is None else Path(nets))

    # --- telling ----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        from kibitz.rollout.report import summary

        return summary(self)

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.job.candidates)
        return f"<Rollout of {names}: {self.trials} trials>"

    def _repr_svg_(self) -> str:
        from kibitz.rollout.report import draw

        return draw(self)

    def _repr_html_(self) -> str:
        from kibitz.rollout.report import html

        return html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "title": self.job.title,
            "trials": self.trials,
            "games": [[run.start, run.stop] for run in self.ranges],
            "stopped": self.stopped,
            "seconds": self.seconds,
            "results": [one.to_dict() for one in self.results],
            "decision": self.decision.to_dict() if self.is_cube_decision and self.trials else None,
            "match": self.job.match.to_dict(),
            "settings": self.job.settings.to_dict(),
            "nets": list(self.job.net_names),
        }

    def __contains__(self, game: int) -> bool:
        return covered(game, self.ranges)


def _generator(parts: Iterator[Part]) -> Any:
    """What can be closed, whatever an executor returns."""
    return parts if hasattr(parts, "close") else (part for part in parts)
