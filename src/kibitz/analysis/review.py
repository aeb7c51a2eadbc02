"""The review of a match: every decision judged, every roll's luck, statistics for both players."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kibitz.analysis.decisions import CurvePoint, Decision, Kind, RollLuck
from kibitz.analysis.judge import Judge
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.marks import Mark, pr_factor
from kibitz.analysis.statistics import PlayerStatistics, count
from kibitz.analysis.weigh import Findings, Turn, weigh
from kibitz.engine.match_equity import MatchEquityTable
from kibitz.errors import EngineError
from kibitz.position import Position
from kibitz.record import Game, Match, Resign, Roll, Setup, add_result
from kibitz.replay import Table
from kibitz.state import State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.engine.engine import Engine

Progress = Callable[[int, int], None]
"""Called with the number of turns done and of all turns."""


@dataclass(frozen=True)
class MatchReview:
    """What came of a review. Decisions, rolls and curve points are in the order in which they happened.

    `results` holds for each game what player 0 won by it: match winning chance in a match, points for money; None for
    an unfinished game.
    """

    match: Match
    settings: ReviewSettings
    engine: str
    decisions: tuple[Decision, ...]
    rolls: tuple[RollLuck, ...]
    curve: tuple[CurvePoint, ...]
    results: tuple[float | None, ...]
    _statistics: dict[tuple[int, int | None], PlayerStatistics] = field(
        default_factory=dict, repr=False, compare=False, init=False
    )

    # --- looking ----------------------------------------------------------------------------------------------------

    def statistics(self, player: int, game: int | None = None) -> PlayerStatistics:
        """The statistics of a player (0 or 1), for the match or for one game of it."""
        key = (player, game)
        if key not in self._statistics:
            results = self.results if game is None else self.results[game : game + 1]
            known = [result for result in results if result is not None]
            own = None if not known or len(known) < len(results) else sum(known) * (1 if player == 0 else -1)
            self._statistics[key] = count(
                player,
                self.decisions if game is None else [d for d in self.decisions if d.game == game],
                self.rolls if game is None else [r for r in self.rolls if r.game == game],
                length=self.match.length,
                pr_factor=pr_factor(self.match.length, self.match.variant),
                actual_result=own,
            )
        return self._statistics[key]

    def errors(self, player: int | None = None, *, at_least: float = 0.0) -> list[Decision]:
        """The decisions that lost more than nothing and at least so much, the worst first."""
        found = [
            decision
            for decision in self.decisions
            if player in (None, decision.player) and decision.lost > 0 and decision.lost >= at_least
        ]
        return sorted(found, key=lambda decision: -decision.lost)

    def marked(self, mark: Mark) -> list[Decision]:
        """The decisions with this mark."""
        return [decision for decision in self.decisions if decision.mark is mark]

    def game(self, number: int) -> list[Decision]:
        """The decisions of one game, counted from 0."""
        return [decision for decision in self.decisions if decision.game == number]

    # --- tables -----------------------------------------------------------------------------------------------------

    def records(self) -> list[dict[str, Any]]:
        """One flat dictionary a decision: what pandas.DataFrame and polars.DataFrame take."""
        from kibitz.analysis.tables import decision_records

        return decision_records(self)

    def roll_records(self) -> list[dict[str, Any]]:
        """One flat dictionary a roll."""
        from kibitz.analysis.tables import roll_records

        return roll_records(self)

    def to_numpy(self) -> npt.NDArray[np.void]:
        """The decisions as a structured array."""
        from kibitz.analysis.tables import decision_array

        return decision_array(self)

    def annotated(self) -> Match:
        """The match with our analyses where the file had none: ready for a writer that keeps analyses."""
        from kibitz.analysis.annotate import annotated

        return annotated(self)

    # --- JSON -------------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
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
            "statistics": [self.statistics(player).to_dict() for player in (0, 1)],
            "games": [
                {
                    "game": number + 1,
                    "score": list(game.score),
                    "crawford": game.crawford,
                    "result": None if game.result is None else game.result.to_dict(),
                    "result_stake": self.results[number],
                    "statistics": [self.statistics(player, number).to_dict() for player in (0, 1)],
                }
                for number, game in enumerate(match.games)
            ],
            "decisions": [decision.to_dict() for decision in self.decisions],
            "rolls": [roll.to_dict() for roll in self.rolls],
            "curve": [point.to_dict() for point in self.curve],
            "warnings": [str(warning) for warning in match.warnings],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], match: Match, settings: ReviewSettings) -> MatchReview:
        """What `to_dict` gave, with the match that it was made of."""
        states = {(turn.game, turn.index): turn.state for turn in turns(match)}
        decisions = []
        for one in data["decisions"]:
            state = states[one["game"] - 1, one["index"]]
            if one["kind"] == Kind.CUBE.value and state.dice is not None:
                state = _without_dice(state)
            decisions.append(Decision.from_dict(one, state))
        return cls(
            match,
            settings,
            data["engine"],
            tuple(decisions),
            tuple(RollLuck.from_dict(one) for one in data["rolls"]),
            tuple(CurvePoint.from_dict(one) for one in data["curve"]),
            tuple(game["result_stake"] for game in data["games"]),
        )

    @cached_property
    def deepest(self) -> int:
        """The plies of the deepest look that was taken."""
        return max((decision.plies or 0 for decision in self.decisions), default=0)


def review(
    match: Match,
    *,
    level: ReviewLevel | str = "default",
    engine: Engine | None = None,
    settings: ReviewSettings | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    rollout: int | None = None,
    cache: bool = False,
) -> MatchReview:
    """Judge every decision of a match.

    `level` is 'fast' (the net alone), 'default' (two plies where it matters), 'thorough', 'deep', or such as '3-ply'.
    `threads=0` uses all cores; results do not depend on it. `rollout` rolls every blunder out with so many trials.
    With `cache`, a match that was reviewed before by the same engine and settings is not reviewed again.
    """
    from kibitz.engine.engine import Engine

    settings = (settings or ReviewSettings(level=ReviewLevel.of(level))).changed(rollout=rollout)
    engine = engine or Engine()
    if cache:
        from kibitz.analysis import cache as store

        if (known := store.find(match, settings, engine)) is not None:
            if progress is not None:
                progress(1, 1)
            return known
    work = list(turns(match))
    findings = _weigh_all(work, engine, settings, threads, progress)
    decisions = tuple(decision for found in findings for decision in found.decisions)
    if settings.rollout:
        from kibitz.analysis.rollouts import roll_out_blunders

        decisions = roll_out_blunders(decisions, work, engine, settings, threads)
    result = MatchReview(
        match,
        settings,
        engine_name(),
        decisions,
        tuple(found.luck for found in findings if found.luck is not None),
        tuple(_curve(match, findings, engine.met)),
        game_results(match, engine.met),
    )
    if cache:
        store.keep(result, engine)
    return result


def engine_name() -> str:
    """The engine as reports name it."""
    from kibitz import __version__

    return f"Kibitz {__version__}"


# --- replay -----------------------------------------------------------------------------------------------------------


def turns(match: Match) -> Iterator[Turn]:
    """Every action of a match with what has to be known to weigh it."""
    for number, game in enumerate(match.games):
        table = Table(match, game)
        previous = None
        rolls = 0
        for index, action in enumerate(game.actions):
            on_roll = table.turn
            state = table.state_for(action)
            opening = isinstance(action, Roll) and index == 0 and state.position == Position.start(match.variant)
            rolls += isinstance(action, Roll)
            move = rolls if isinstance(action, Roll) else rolls + (not isinstance(action, Resign))
            yield Turn(number, index, move, state, action, previous, on_roll, opening)
            table.apply(action)
            previous = action


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
    away = [max(match.length - score, 0) for score in game.score]
    if 0 in away:
        return 1.0 if away[0] == 0 else 0.0
    return met.chance(away[0], away[1], post_crawford=1 in away and not game.crawford and match.length > 1)


def chance_after(match: Match, game: Game, met: MatchEquityTable) -> float:
    """The chance of player 0 to win the match after a game that has a result."""
    score = add_result(game.score, game.result)
    away = [max(match.length - points, 0) for points in score]
    if 0 in away:
        return 1.0 if away[0] == 0 else 0.0
    played = game.crawford or 1 in [match.length - points for points in game.score] or not match.rules.crawford
    return met.chance(away[0], away[1], post_crawford=1 in away and played)


def _curve(match: Match, findings: Sequence[Findings], met: MatchEquityTable) -> Iterator[CurvePoint]:
    """How each game went: before it, after every play, and at its end."""
    points: dict[int, list[CurvePoint]] = {}
    for found in findings:
        if found.point is not None:
            points.setdefault(found.point.game, []).append(found.point)
    for number, game in enumerate(match.games):
        if not game.actions:
            continue
        if not isinstance(game.actions[0], Setup):
            yield CurvePoint(number, -1, 0, 0.0, chance_before(match, game, met) if match.length else None)
        own = points.get(number, [])
        yield from own
        if game.result is not None:
            cube = _last_cube(match, game)
            sign = 1 if game.result.winner == 0 else -1
            last = own[-1].number if own else 0
            mwc = chance_after(match, game, met) if match.length else None
            yield CurvePoint(number, len(game.actions), last + 1, sign * game.result.points / cube, mwc)


def _last_cube(match: Match, game: Game) -> int:
    table = Table(match, game)
    for action in game.actions:
        table.state_for(action)
        table.apply(action)
    return table.value


def _without_dice(state: State) -> State:
    from dataclasses import replace

    return replace(state, dice=None)


# --- work -------------------------------------------------------------------------------------------------------------


def _weigh_all(
    work: list[Turn], engine: Engine, settings: ReviewSettings, threads: int, progress: Progress | None
) -> list[Findings]:
    """Weigh all turns, on as many cores as asked. The results are in order and do not depend on the threads."""
    if threads < 0:
        raise EngineError(f"threads cannot be negative: {threads}")
    judge = Judge(engine, settings.level)
    workers = threads or os.cpu_count() or 1
    if workers == 1 or len(work) < 2:
        found = []
        for number, turn in enumerate(work):
            found.append(weigh(turn, judge, settings))
            if progress is not None:
                progress(number + 1, len(work))
        return found
    done = 0

    def count_one(_: Future[list[Findings]]) -> None:
        nonlocal done
        done += 1

    # Small bundles: handing over one turn at a time would cost more than a fast look at it.
    size = 4 if settings.level.plies else 16
    bundles = [work[start : start + size] for start in range(0, len(work), size)]
    with ThreadPoolExecutor(workers) as pool:
        futures = [
            pool.submit(lambda bundle: [weigh(turn, judge, settings) for turn in bundle], bundle) for bundle in bundles
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
            judge.cancellation.cancel()
            for future in futures:
                future.cancel()
            raise
    return [found for future in futures for found in future.result()]
