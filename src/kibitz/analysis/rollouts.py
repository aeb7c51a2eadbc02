"""Rolling out the blunders of a review: the best play and the one that was made, or the cube actions, many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kibitz.analysis.decisions import Decision, Kind, Option
from kibitz.analysis.judge import Judge
from kibitz.analysis.levels import ReviewSettings
from kibitz.engine.results import CubeDecision
from kibitz.match import MatchState
from kibitz.position import Position
from kibitz.record import AnalysisLevel

if TYPE_CHECKING:
    from kibitz.analysis.weigh import Turn
    from kibitz.engine.engine import Engine

_CUBES = (Kind.CUBE, Kind.ANSWER)


def roll_out_blunders(
    decisions: tuple[Decision, ...], turns: Sequence[Turn], engine: Engine, settings: ReviewSettings, threads: int
) -> tuple[Decision, ...]:
    """The decisions with every blunder judged again by a rollout."""
    where = {(turn.game, turn.index): turn for turn in turns}
    judge = _RolloutJudge(engine, settings, threads)
    found = []
    for decision in decisions:
        if decision.is_blunder and decision.kind is Kind.CHECKER and decision.is_legal:
            decision = _play_again(decision, engine, settings, threads)
        elif decision.is_blunder and decision.kind in _CUBES:
            decision = _cube_again(decision, where[decision.game, decision.index], judge, settings)
        found.append(decision)
    return tuple(found)


def _play_again(decision: Decision, engine: Engine, settings: ReviewSettings, threads: int) -> Decision:
    """The best play and the chosen one with the same dice."""
    state = decision.state
    names = [decision.best.name, decision.chosen]
    assert state.dice is not None
    rolled = engine.rollout(
        state.position, state.dice, match=state.match, play=names, trials=settings.rollout, threads=threads
    )
    options = []
    for result in rolled.results:
        one = result.evaluation
        five = (one.win, one.win_gammon, one.win_backgammon, one.lose_gammon, one.lose_backgammon)
        name = next((name for name in names if name == result.play), result.name)
        options.append(Option(name, result.equity, result.mwc, five, None, result.standard_error))
    options.sort(key=lambda option: -option.equity)
    chosen = next((option for option in options if option.name == decision.chosen), None)
    if chosen is None:
        return decision
    best = options[0]
    lost = best.equity - chosen.equity
    lost_mwc = None if best.mwc is None or chosen.mwc is None else max(best.mwc - chosen.mwc, 0.0)
    others = tuple(option for option in decision.options if option.name not in names)
    return replace(
        decision,
        options=(*options, *others),
        lost=lost,
        lost_mwc=lost_mwc,
        mark=settings.thresholds.mark(lost),
        is_blunder=lost > settings.thresholds.blunder,
    )


def _cube_again(decision: Decision, turn: Turn, judge: _RolloutJudge, settings: ReviewSettings) -> Decision:
    """The same decision, weighed by the numbers of a rollout."""
    from kibitz.analysis.weigh import weigh_cube

    again = weigh_cube(turn, judge, settings)
    if again is None:
        return decision
    error = judge.errors[decision.state.position, decision.state.match]
    options = tuple(
        option if option.plies is None else replace(option, plies=None, standard_error=error)
        for option in again.options
    )
    return replace(again, options=options)


class _RolloutJudge(Judge):
    """A judge who rolls cube decisions out."""

    def __init__(self, engine: Engine, settings: ReviewSettings, threads: int) -> None:
        super().__init__(engine, settings.level)
        self._trials, self._threads = settings.rollout, threads
        self._rolled: dict[tuple[Position, MatchState], CubeDecision] = {}
        self.errors: dict[tuple[Position, MatchState], float] = {}

    def cube(self, position: Position, match: MatchState, *, made: bool) -> CubeDecision:  # noqa: ARG002
        """A cube decision by a rollout, made once for the doubler and the one who answers."""
        quick = self.quick_cube(position, match)
        if not quick.available:
            return quick
        key = (position, match)
        if key not in self._rolled:
            rolled = self.engine.rollout(position, match=match, trials=self._trials, threads=self._threads)
            self._rolled[key], self.errors[key] = rolled.decision, rolled.standard_error
        return self._rolled[key]

    def level_of(self, cube: CubeDecision) -> AnalysisLevel:
        """What match files are told about the numbers."""
        return replace(super().level_of(cube), name="rollout", plies=None, trials=self._trials)
