"""The engine as a review needs it: raw rankings without a `Play` for every candidate, the luck of rolls, a memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz import _core
from kibitz.analysis.levels import ReviewLevel
from kibitz.dice import ALL_ROLLS, Dice
from kibitz.engine.engine import Cancellation, Engine
from kibitz.engine.filters import MoveFilter
from kibitz.engine.results import CubeDecision
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.position import Position
from kibitz.record import AnalysisLevel, Probabilities

ENGINE_NAME = "Kibitz"


@dataclass(frozen=True, slots=True)
class RawPlay:
    """A result of a roll: 50 bytes seen by the opponent, and what it is worth to the mover."""

    result: bytes
    probabilities: Probabilities
    equity: float
    mwc: float | None
    plies: int


@dataclass(frozen=True, slots=True)
class Luck:
    """What a roll gained over the mean of all."""

    equity: float
    mwc: float | None


class Judge:
    """An engine with the settings of a review. May be asked by many threads at once."""

    def __init__(self, engine: Engine, level: ReviewLevel, cancellation: Cancellation | None = None) -> None:
        self.engine = engine
        self.level = level
        self.cancellation = cancellation or Cancellation()
        self._analyst = engine._analyst(1)
        self._models: dict[MatchState, _core.CubeModel] = {}
        self._cubes: dict[tuple[Position, MatchState, int], CubeDecision] = {}
        self._first = engine.settings.changed(plies=0, cubeful=True)
        self._deep = engine.settings.changed(plies=level.plies, cubeful=True)
        self._steps = MoveFilter.of(level.filter).for_plies(level.plies)

    # --- plays ------------------------------------------------------------------------------------------------------

    def plays(self, position: Position, dice: Dice, match: MatchState, played: Position | None) -> list[RawPlay]:
        """All results of a roll, the deepest looks first and the best of them first. One may have been played."""
        ranked = self._rank(position, dice, match, played, deep=False)
        if self.level.plies == 0 or len(ranked) < 2:
            return ranked
        wanted = ranked[0].equity - ranked[1].equity < self.level.window
        if played is not None and ranked[0].result != played._rows:
            wanted = True
        if ranked[0].equity - ranked[-1].equity < 1e-6:
            wanted = False  # nothing depends on it, as at the end of a lost race
        return self._rank(position, dice, match, played, deep=True) if wanted or self.level.every else ranked

    def _rank(
        self, position: Position, dice: Dice, match: MatchState, played: Position | None, *, deep: bool
    ) -> list[RawPlay]:
        model = self.model(match)
        settings = self._deep if deep else self._first
        found: Any = self._analyst.rank(
            position._rows,
            dice.high,
            dice.low,
            model,
            _core.RankSettings(settings.plies, self._steps if deep else [], settings.tree(match.variant.checkers)),
            [] if played is None else [played._rows],
            None,
            self.cancellation._flag,
        )
        results, _, stopped = found
        if stopped:
            raise EngineError("the review was cancelled")
        money = match.is_money
        return [
            RawPlay(rows, outputs, equity, None if money else model.match_chance(utility), plies)
            for rows, outputs, utility, equity, plies in results
        ]

    # --- cube -------------------------------------------------------------------------------------------------------

    def quick_cube(self, position: Position, match: MatchState) -> CubeDecision:
        """A cube decision by the net alone."""
        return self._cube(position, match, 0)

    def cube(self, position: Position, match: MatchState, *, made: bool) -> CubeDecision:
        """A cube decision, deeper if a cube action was made here or might have been."""
        quick = self._cube(position, match, 0)
        if self.level.plies == 0 or not quick.available:
            return quick
        near = quick.equity - min(quick.double_take, quick.double_pass) < 0.16 + self.level.cube_window
        return self._cube(position, match, self.level.plies) if made or near or self.level.every else quick

    def _cube(self, position: Position, match: MatchState, plies: int) -> CubeDecision:
        key = (position, match, plies)
        if key not in self._cubes:
            self._cubes[key] = self.engine.cube(
                position, match=match, plies=plies, threads=1, cancellation=self.cancellation
            )
        return self._cubes[key]

    def level_of(self, cube: CubeDecision) -> AnalysisLevel:
        """What match files are told about the numbers."""
        return AnalysisLevel(ENGINE_NAME, f"{cube.plies}-ply", cube.plies)

    # --- dice -------------------------------------------------------------------------------------------------------

    def luck(self, position: Position, dice: Dice, match: MatchState, *, opening: bool) -> Luck:
        """How lucky a roll was. The roll that opens a game is compared with all that could have opened it."""
        model = self.model(match)
        values = self.rolls(position, match)
        if opening and not dice.is_double:
            theirs = self.rolls(position.swapped(), match.swapped())
            plain = [n for n, roll in enumerate(ALL_ROLLS) if not roll.is_double]
            mean = sum(values[n] - theirs[n] for n in plain) / (2 * len(plain))
        else:
            mean = sum(roll.weight * value for roll, value in zip(ALL_ROLLS, values, strict=True)) / 36.0
        value = values[ALL_ROLLS.index(dice)]
        equity = model.normalised(value, 0) - model.normalised(mean, 0)
        return Luck(equity, None if match.is_money else model.match_chance(value) - model.match_chance(mean))

    def rolls(self, position: Position, match: MatchState) -> list[float]:
        """The utility of each of the 21 rolls."""
        settings = self._first
        plies = self.level.luck_plies
        tree = settings.tree(match.variant.checkers)
        found: Any = self._analyst.roll_values(position._rows, self.model(match), plies, tree, self.cancellation._flag)
        if found is None:
            raise EngineError("the review was cancelled")
        values: list[float] = found
        return values

    def model(self, match: MatchState) -> _core.CubeModel:
        """The cube model of a match state, made once."""
        model = self._models.get(match)
        if model is None:
            model = self._models[match] = self.engine._model(match, self._first)
        return model
