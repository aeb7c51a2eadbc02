"""The review of a match: every decision analysed, every roll's luck, statistics for both players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.analysis.analyse import Findings, analyse
from kibitz.analysis.analyzer import Analyzer
from kibitz.analysis.decisions import CurvePoint, ReviewedDecision, RollLuck
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.marks import pr_factor
from kibitz.analysis.statistics import PlayerStatistics, count
from kibitz.cores import usable_cores
from kibitz.errors import EngineError
from kibitz.match import is_crawford_game
from kibitz.match_equity import MatchEquityTable
from kibitz.record import Game, Match, Moment, Setup, Take, add_result
from kibitz.state import Offer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.engine.engine import Engine

Progress = Callable[[int, int], None]
"""Called with the number of moments done and of all moments."""


@dataclass(frozen=True, repr=False)
class MatchReview:
    """What came of a review. Decisions, rolls and curve points are in the order in which they happened.

    Players are 0 and 1, or named; games and moves are counted from 1. `results` holds for each game what player 0 won
    by it: match winning chance in a match, points for money; None for an unfinished game.
    """

    match: Match
    settings: ReviewSettings
    engine: str
    decisions: tuple[ReviewedDecision, ...]
    rolls: tuple[RollLuck, ...]
    curve: tuple[CurvePoint, ...]
    results: tuple[float | None, ...]
    _statistics: dict[tuple[int, int | None], PlayerStatistics] = field(
        default_factory=dict, repr=False, compare=False, init=False
    )

    # --- looking ----------------------------------------------------------------------------------------------------

    def statistics(self, player: int | str, game: int | None = None) -> PlayerStatistics:
        """The statistics of a player, for the match or for one game of it."""
        number = self.match.find_player(player)
        key = (number, None if game is None else self.match.find_game(game))
        if key not in self._statistics:
            results = self.results if game is None else self.results[game - 1 : game]
            known = [result for result in results if result is not None]
            own = None if not known or len(known) < len(results) else sum(known) * (1 if number == 0 else -1)
            self._statistics[key] = count(
                number,
                self.decisions if game is None else self.game(game),
                self.rolls if game is None else [roll for roll in self.rolls if roll.game == game],
                length=self.match.length,
                pr_factor=pr_factor(self.match.length, self.match.variant),
                actual_result=own,
                limits=self.settings.thresholds,
            )
        return self._statistics[key]

    def errors(self, player: int | str | None = None, *, at_least: float | None = None) -> list[ReviewedDecision]:
        """The errors of a player or of both, the worst first; with `at_least`, what lost so much instead."""
        number = None if player is None else self.match.find_player(player)
        found = [
            decision
            for decision in self.decisions
            if number in (None, decision.player)
            and (decision.is_error if at_least is None else decision.lost > 0 and decision.lost >= at_least)
        ]
        return sorted(found, key=lambda decision: -decision.lost)

    def game(self, number: int) -> list[ReviewedDecision]:
        """The decisions of one game, counted from 1."""
        number = self.match.find_game(number)
        return [decision for decision in self.decisions if decision.game == number]

    # --- other forms ------------------------------------------------------------------------------------------------

    def records(self) -> list[dict[str, Any]]:
        """One flat dictionary a decision: what pandas.DataFrame and polars.DataFrame take."""
        from kibitz.analysis.records import decision_records

        return decision_records(self)

    def roll_records(self) -> list[dict[str, Any]]:
        """One flat dictionary a roll."""
        from kibitz.analysis.records import roll_records

        return roll_records(self)

    def to_numpy(self) -> npt.NDArray[np.void]:
        """The decisions as a structured array."""
        from kibitz.analysis.records import decision_array

        return decision_array(self)

    def annotated(self) -> Match:
        """The match with our analyses where the file had none: ready for a writer that keeps analyses."""
        from kibitz.analysis.annotate import annotated

        return annotated(self)

    def save(self, path: Path | str) -> None:
        """Write a report; the suffix says which: .html a page, .csv, .json, or .sgf the match with our analyses."""
        from kibitz.report.files import save

        save(Path(path), [self])

    @cached_property
    def deepest(self) -> int:
        """The plies of the deepest look that was taken."""
        return max((decision.plies or 0 for decision in self.decisions), default=0)

    @property
    def depth(self) -> str:
        """How deep it looks, in words."""
        look = "the net alone" if not self.deepest else f"up to {self.deepest} plies"
        return f"{self.settings.level.name} level ({look})"

    def __str__(self) -> str:
        players = (f"{name}: {self.statistics(number)}" for number, name in enumerate(self.match.players))
        return "\n".join((f"{self.match}, reviewed by {self.engine}, {self.depth}", *players))

    def __repr__(self) -> str:
        return f"<MatchReview: {self.match}, {len(self.decisions)} decisions>"

    def _repr_html_(self) -> str:
        from kibitz.report.faces import review_html

        return review_html(self)

    # --- JSON -------------------------------------------------------------------------------------------------------

    def to_dict(self, *, statistics: bool = True) -> dict[str, Any]:
        """Plain data for JSON; statistics can be left out, since they follow from the rest."""
        match = self.match
        return {
            "players": list(match.players),
            "length": match.length,
            "score": list(match.score),
            "event": match.event,
            "date": match.date,
            "engine": self.engine,
            "settings": self.settings.to_dict(),
            "unit": "MWC" if match.length else "points",
            "statistics": self._statistics_to_dict(None) if statistics else None,
            "games": [
                {
                    "game": number,
                    "score": list(game.score),
                    "crawford": game.crawford,
                    "result": None if game.result is None else game.result.to_dict(),
                    "result_stake": self.results[number - 1],
                    "statistics": self._statistics_to_dict(number) if statistics else None,
                }
                for number, game in enumerate(match.games, start=1)
            ],
            "decisions": [decision.to_dict() for decision in self.decisions],
            "rolls": [roll.to_dict() for roll in self.rolls],
            "curve": [point.to_dict() for point in self.curve],
            "warnings": [str(warning) for warning in match.warnings],
        }

    def _statistics_to_dict(self, game: int | None) -> list[dict[str, Any]]:
        return [self.statistics(player, game).to_dict() for player in (0, 1)]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], match: Match) -> MatchReview:
        """What `to_dict` gave, with the match that it was made of."""
        moments = {(moment.game, moment.index): moment for moment in match.moments()}
        settings = ReviewSettings.from_dict(data["settings"])
        return cls(
            match,
            settings,
            data["engine"],
            tuple(
                ReviewedDecision.from_dict(one, moments[one["game"], one["index"]], settings.thresholds)
                for one in data["decisions"]
            ),
            tuple(RollLuck.from_dict(one, moments[one["game"], one["index"]]) for one in data["rolls"]),
            tuple(CurvePoint.from_dict(one) for one in data["curve"]),
            tuple(game["result_stake"] for game in data["games"]),
        )


def review(
    match: Match | Path | str,
    *,
    level: ReviewLevel | str = "default",
    engine: Engine | None = None,
    settings: ReviewSettings | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    rollout: int | None = None,
    cache: bool = False,
) -> MatchReview:
    """Analyse every decision of a match, given as such or as the path of a file of any format.

    `level` is 'fast' (the net alone), 'default' (two plies where it matters), 'deep', 'ultimate', or such as '3-ply'.
    `threads=0` uses all cores; results do not depend on it. `rollout` rolls every blunder out with so many trials.
    With `cache`, a match that was reviewed before by the same engine and settings is not reviewed again.
    """
    from kibitz.engine.engine import Engine

    settings = (settings or ReviewSettings(level=ReviewLevel.of(level))).changed(rollout=rollout)
    engine = engine or Engine()
    if not isinstance(match, Match):
        from kibitz.formats import load

        match = load(match)
    if cache:
        from kibitz.analysis import cache as store

        if (known := store.find(match, settings, engine)) is not None:
            if progress is not None:
                progress(1, 1)
            return known
    findings = _analyse_all(list(match.moments()), engine, settings, threads, progress)
    if settings.rollout:
        from kibitz.analysis.rollouts import roll_out_blunders

        findings = roll_out_blunders(findings, engine, settings, threads)
    result = review_of(match, findings, settings, engine)
    if cache:
        store.keep(result, engine)
    return result


def review_of(match: Match, findings: Sequence[Findings], settings: ReviewSettings, engine: Engine) -> MatchReview:
    """The review that consists of these findings, in the order of the match; of all its moments or of some."""
    return MatchReview(
        match,
        settings,
        engine_name(),
        tuple(decision for found in findings for decision in found.decisions),
        tuple(found.luck for found in findings if found.luck is not None),
        tuple(_curve(match, list(match.moments()), findings, engine.met)),
        game_results(match, engine.met),
    )


def engine_name() -> str:
    """The engine as reports name it."""
    from kibitz import __version__

    return f"Kibitz {__version__}"


# --- results ----------------------------------------------------------------------------------------------------------


def game_results(match: Match, met: MatchEquityTable) -> tuple[float | None, ...]:
    """What player 0 won by each game: winning chance in a match, points for money."""
    results: list[float | None] = []
    for game in match.games:
        if game.result is None:
            results.append(None)
        elif not match.length:
            results.append(float(game.result.points * (1 if game.result.winner == 0 else -1)))
        else:
            results.append(chance_after(match, game, met) - chance_before(match, game, met))
    return tuple(results)


def chance_before(match: Match, game: Game, met: MatchEquityTable) -> float:
    """The chance of player 0 to win the match before a game."""
    return _chance(match, game.score, game.crawford, met)


def chance_after(match: Match, game: Game, met: MatchEquityTable) -> float:
    """The chance of player 0 to win the match after a game that has a result."""
    score = add_result(game.score, game.result)
    played = match.length - 1 in game.score or not match.rules.crawford
    return _chance(match, score, is_crawford_game(match.length, score, played), met)


def _chance(match: Match, score: tuple[int, int], crawford: bool, met: MatchEquityTable) -> float:
    mine, theirs = (max(match.length - points, 0) for points in score)
    return met.chance(mine, theirs, post_crawford=1 in (mine, theirs) and not crawford)


def _curve(
    match: Match, moments: Sequence[Moment], findings: Sequence[Findings], met: MatchEquityTable
) -> Iterator[CurvePoint]:
    """How each game went: before it, after every play, and at its end."""
    points: dict[int, list[CurvePoint]] = {}
    for found in findings:
        if found.point is not None:
            points.setdefault(found.point.game, []).append(found.point)
    last = {moment.game: moment for moment in moments}
    for number, game in enumerate(match.games, start=1):
        if not game.actions:
            continue
        if not isinstance(game.actions[0], Setup):
            yield CurvePoint(number, -1, 0, 0.0, chance_before(match, game, met) if match.length else None)
        own = points.get(number, [])
        yield from own
        if game.result is not None:
            sign = 1 if game.result.winner == 0 else -1
            move = own[-1].number if own else 0
            mwc = chance_after(match, game, met) if match.length else None
            equity = sign * game.result.points / _cube_after(last[number])
            yield CurvePoint(number, len(game.actions), move + 1, equity, mwc)


def _cube_after(moment: Moment) -> int:
    """What the cube shows after the last action of a game."""
    value = moment.state.match.cube.value
    turned = {Offer.DOUBLE: 2, Offer.BEAVER: 4, Offer.RACCOON: 8}
    return value * turned[moment.state.offer] if isinstance(moment.action, Take) else value


# --- work -------------------------------------------------------------------------------------------------------------


def _analyse_all(
    work: list[Moment], engine: Engine, settings: ReviewSettings, threads: int, progress: Progress | None
) -> list[Findings]:
    """Analyse all moments, on as many cores as asked. The results are in order and do not depend on the threads."""
    if threads < 0:
        raise EngineError(f"threads cannot be negative: {threads}")
    analyzer = Analyzer(engine, settings.level)
    workers = threads or usable_cores()
    if workers == 1 or len(work) < 2:
        found = []
        for number, moment in enumerate(work, start=1):
            found.append(analyse(moment, analyzer, settings))
            if progress is not None:
                progress(number, len(work))
        return found
    done = 0

    def count_one(_: Future[list[Findings]]) -> None:
        nonlocal done
        done += 1

    # Small bundles: handing over one moment at a time would cost more than a fast look at it.
    size = 4 if settings.level.search.plies else 16
    bundles = [work[start : start + size] for start in range(0, len(work), size)]
    with ThreadPoolExecutor(workers) as pool:
        futures = [
            pool.submit(lambda bundle: [analyse(moment, analyzer, settings) for moment in bundle], bundle)
            for bundle in bundles
        ]
        for future in futures:
            future.add_done_callback(count_one)
        try:
            pending: set[Future[list[Findings]]] = set(futures)
            while pending:
                finished, pending = wait(pending, timeout=0.1, return_when=FIRST_EXCEPTION)
                for future in finished:
                    future.result()
                if progress is not None:
                    progress(min(done * size, len(work)), len(work))
        except BaseException:
            analyzer.cancellation.cancel()
            for future in futures:
                future.cancel()
            raise
    return [found for future in futures for found in future.result()]
