"""Decisions at a level: a first search, and then more thought for what is still open, step by step.

A rollout step plays games of the plays that are open, or of both lines of a cube decision, with the same dice for all.
Search and games err in different ways, so their mean, weighted by how far each errs, is better than either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kibitz.decision import (
    AnalysisLevel,
    CubeDecision,
    Decision,
    Evaluation,
    PlayDecision,
    Question,
    RankedPlay,
    question_of,
)
from kibitz.engine.confidence import PLAYS, TAKES, chances_better, play_confidence, with_confidence
from kibitz.engine.engine import Cancellation, Engine, Plays
from kibitz.engine.filters import FilterStep, MoveFilter
from kibitz.engine.levels import Level
from kibitz.engine.settings import SearchOptions, SearchSettings
from kibitz.errors import EngineError
from kibitz.rollout.rollout import Rollout
from kibitz.rollout.run import prepare
from kibitz.rollout.settings import Preset
from kibitz.state import State

MOST_OPEN = 5
"""Plays at most that a step looks at."""
OUT = 0.005
"""Plays whose chance to be the best is smaller than this are not looked at any more."""
ONE_PLAY = MoveFilter((FilterStep(1, 0, 0.0),), "one play")
"""What a deeper search looks at besides the plays that it is told: the best by its first look."""
CHUNKS = 3
"""How often a rollout step asks whether it is sure before its last game, doubling the games each time."""


def decide(
    engine: Engine,
    state: State,
    level: Level | str,
    *,
    play: Plays = (),
    listed: int = 0,
    cancellation: Cancellation | None = None,
    threads: int | None = None,
) -> Decision:
    """The answer to what a state asks for, with the thought that a level gives it."""
    level = Level.of(level)
    thought = Thought(engine, level, cancellation, engine.settings.threads if threads is None else threads)
    search, question = thought.options(level.search), question_of(state)
    if question is Question.PLAY:
        return _plays(thought, engine.rank(state, play=play, listed=listed, cancellation=cancellation, **search))
    if question is Question.RESIGNATION:
        return engine.resignation(state, cancellation=cancellation, **search)
    return _cube(thought, engine.cube(state, cancellation=cancellation, **search))


@dataclass(frozen=True, slots=True)
class Thought:
    """Who thinks, how much, and until when."""

    engine: Engine
    level: Level
    cancellation: Cancellation | None
    threads: int

    @property
    def stopped(self) -> bool:
        """Whether somebody wants it to end."""
        return self.cancellation is not None and self.cancellation.cancelled

    def options(self, search: SearchSettings) -> SearchOptions:
        """The settings of a search of this engine."""
        return {**search.options(cubeful=self.engine.settings.cubeful), "threads": self.threads}

    def play_on(self, rollout: Rollout, trials: int) -> None:
        """Play until there are so many games, or somebody wants it to end."""
        rollout.extend(trials, threads=self.threads, cancellation=self.cancellation)
        if rollout.trials < 2:
            raise EngineError("the search was cancelled")


# --- plays ------------------------------------------------------------------------------------------------------------


def _plays(thought: Thought, found: PlayDecision) -> PlayDecision:
    for step in thought.level.steps:
        candidates = open_plays(found)
        if len(candidates) < 2 or (found.confidence or 0.0) >= thought.level.sure or thought.stopped:
            break
        if isinstance(step, SearchSettings):
            options: SearchOptions = {**thought.options(step), "filter": ONE_PLAY}
            named = [one.play for one in candidates]
            deeper = thought.engine.rank(found.state, play=named, cancellation=thought.cancellation, **options)
            found = merged(found, [one for one in deeper if one.plies == step.plies])
        elif not any(one.play.result.is_over for one in candidates):
            found = _roll_out_plays(thought, found, candidates, Preset.of(step))
    return found


def open_plays(found: PlayDecision) -> list[RankedPlay]:
    """The first play and those that may still be better."""
    if not found:
        return []
    chances = chances_better(found)
    rivals = [one for one, chance in zip(found[1:], chances, strict=True) if chance > OUT]
    return [found[0], *sorted(rivals, key=lambda one: -one.equity)[: MOST_OPEN - 1]]


def merged(before: PlayDecision, better: Sequence[RankedPlay]) -> PlayDecision:
    """The plays that were looked at again in front, best first, then the others as they were."""
    again = {one.play for one in better}
    ordered = sorted(better, key=lambda one: -one.equity)
    ordered += [one for one in before if one.play not in again]
    best = ordered[0].equity
    plays = tuple(
        replace(one, rank=number, difference=one.equity - best) for number, one in enumerate(ordered, start=1)
    )
    return PlayDecision(before.state, plays, play_confidence(plays))


def _roll_out_plays(
    thought: Thought, found: PlayDecision, candidates: Sequence[RankedPlay], preset: Preset
) -> PlayDecision:
    """Games of the open plays with the same dice for all, twice as many each time; those that fall behind drop out."""
    rollout = prepare(
        thought.engine,
        found.state,
        preset.settings.changed(cubeful=candidates[0].cubeful),
        play=[one.play for one in candidates],
    )
    for trials in chunks(preset.trials):
        thought.play_on(rollout, trials)
        found = merged(found, _weighed_plays(candidates, rollout))
        if (found.confidence or 0.0) >= thought.level.sure or thought.stopped:
            break
        left = {one.play for one in open_plays(found)}
        numbers = [number for number, one in enumerate(candidates) if one.play in left]
        if 1 < len(numbers) < len(candidates):
            rollout, candidates = rollout.narrowed(numbers), [candidates[number] for number in numbers]
    return found


def _weighed_plays(candidates: Sequence[RankedPlay], rollout: Rollout) -> list[RankedPlay]:
    """The plays as the search and the games together see them."""
    games = {one.play: one for one in rollout.results}
    noise = max(one.joint_error for one in games.values())
    share = share_of_games(PLAYS.of(candidates[0].plies), PLAYS.rollout, noise)
    level = AnalysisLevel.rolled_out(rollout.trials, cubeful=candidates[0].cubeful)
    rows = []
    for one in candidates:
        game = games[one.play]
        rows.append(
            replace(
                one,
                equity=between(one.equity, game.equity, share),
                evaluation=mixed(one.evaluation, game.evaluation, share),
                level=level,
                mwc=None if one.mwc is None or game.mwc is None else between(one.mwc, game.mwc, share),
                standard_error=share * noise / math.sqrt(2.0),  # so that the error of a difference is that of the games
            )
        )
    return rows


# --- the cube ---------------------------------------------------------------------------------------------------------


def _cube(thought: Thought, found: CubeDecision) -> CubeDecision:
    for step in thought.level.steps:
        if _is_settled(found, thought.level.sure) or thought.stopped:
            break
        if isinstance(step, SearchSettings):
            options = thought.options(step)
            found = thought.engine.cube(found.state, cancellation=thought.cancellation, **options)
        else:
            found = _roll_out_cube(thought, found, Preset.of(step))
    return found


def _is_settled(found: CubeDecision, sure: float) -> bool:
    """Whether both sides know what to do, or, where the answer alone is asked for, that."""
    chances = [found.take_confidence]
    if found.question is not Question.TAKE:
        chances.append(found.double_confidence)
    return all(one is None or one >= sure for one in chances)


def _roll_out_cube(thought: Thought, found: CubeDecision, preset: Preset) -> CubeDecision:
    """Games of both lines, undoubled and taken."""
    before = found
    rollout = prepare(thought.engine, State(found.state.position, found.match), preset.settings)
    if not rollout.is_cube_decision:
        return found
    for trials in chunks(preset.trials):
        thought.play_on(rollout, trials)
        found = _weighed_cube(before, rollout)
        if _is_settled(found, thought.level.sure) or thought.stopped:
            break
    return found


def _weighed_cube(found: CubeDecision, rollout: Rollout) -> CubeDecision:
    """The decision as the search and the games together see it."""
    held, taken = rollout.results
    noise = max(held.standard_error, taken.standard_error)
    share = share_of_games(TAKES.of(found.plies), TAKES.rollout, noise)
    mwc = found.mwc
    if mwc is not None and held.mwc is not None and taken.mwc is not None:
        mwc = replace(
            mwc,
            no_double=between(mwc.no_double, held.mwc, share),
            double_take=between(mwc.double_take, taken.mwc, share),
        )
    return with_confidence(
        replace(
            found,
            no_double=between(found.no_double, held.equity, share),
            double_take=between(found.double_take, taken.equity, share),
            evaluation=mixed(found.evaluation, held.evaluation, share),
            level=AnalysisLevel.rolled_out(rollout.trials),
            mwc=mwc,
            standard_error=share * noise,
        )
    )


# --- both -------------------------------------------------------------------------------------------------------------


def share_of_games(search: float, games: float, noise: float) -> float:
    """What the games say counts for so much beside the search, by how far either errs."""
    return search**2 / (search**2 + games**2 + noise**2)


def between(search: float, games: float, share: float) -> float:
    """What lies so far from the search's number to that of the games."""
    return search + share * (games - search)


def mixed(search: Evaluation, games: Evaluation, share: float) -> Evaluation:
    """Chances between those of the search and those of the games, in the order that chances have."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = (
        min(max(between(a, b, share), 0.0), 1.0) for a, b in zip(search, games, strict=True)
    )
    gammon, lose_gammon = min(gammon, win), min(lose_gammon, 1.0 - win)
    return Evaluation(win, gammon, min(backgammon, gammon), lose_gammon, min(lose_backgammon, lose_gammon))


def chunks(trials: int) -> list[int]:
    """After how many games a rollout asks whether it is sure: twice as many each time."""
    return [max(trials >> halvings, 1) for halvings in range(CHUNKS, -1, -1)]
