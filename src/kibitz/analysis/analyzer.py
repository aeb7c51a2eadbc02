"""The engine as a review asks it: a first look at everything, a deeper one where it matters, and a memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kibitz.analysis.levels import ReviewLevel
from kibitz.decision import CLOSE, CubeDecision, PlayDecision, RankedPlay, ResignationDecision, opponents_chance
from kibitz.dice import ALL_ROLLS
from kibitz.engine.confidence import resignation_confidence
from kibitz.engine.engine import Cancellation, Engine, resignation_value
from kibitz.engine.settings import SearchOptions
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.move import Play
from kibitz.position import Position
from kibitz.record import Moment, Resign, Roll
from kibitz.state import Offer, State


@dataclass(frozen=True, slots=True)
class Luck:
    """What a roll gained over the mean of all."""

    equity: float
    mwc: float | None


class Analyzer:
    """An engine with the level of a review. May be asked by many threads at once.

    `explainer` is the engine with the settings of the deeper look, for whoever looks into what was found.
    """

    def __init__(self, engine: Engine, level: ReviewLevel, cancellation: Cancellation | None = None) -> None:
        self.engine = engine
        self.level = level
        self.cancellation = cancellation or Cancellation()
        # By one thread: a review gives each thread a moment of its own.
        self._first: SearchOptions = {**level.search.options(), "plies": 0, "threads": 1}
        self._deep: SearchOptions = {**level.search.options(), "threads": 1}
        self.explainer = engine.changed(**self._deep)
        self._cubes: dict[tuple[Position, MatchState, Offer, bool], CubeDecision] = {}

    # --- plays ------------------------------------------------------------------------------------------------------

    def plays(self, state: State, played: Play | None) -> PlayDecision:
        """All plays of a roll, the deepest looks first and the best of them first. One may have been played.

        Where no checker can move, not moving is the only play.
        """
        ranked = self._rank(state, played, self._first)
        if not ranked:
            return self._no_play(state)
        if self.level.search.plies == 0 or len(ranked) < 2:
            return ranked
        wanted = ranked[1].difference > -self.level.window
        if played is not None and ranked[0].play != played:
            wanted = True
        if ranked[-1].difference > -1e-6:
            wanted = False  # nothing depends on it, as at the end of a lost race
        return self._rank(state, played, None) if wanted or self.level.every else ranked

    def _rank(self, state: State, played: Play | None, search: SearchOptions | None) -> PlayDecision:
        """By these settings; None for the deeper look of the level."""
        play = () if played is None else played
        if search is None and self.level.thought:
            thought = self.level.thought
            ranked = self.engine.answer(state, level=thought, play=play, cancellation=self.cancellation, threads=1)
            assert isinstance(ranked, PlayDecision)
        else:
            ranked = self.engine.rank(state, play=play, cancellation=self.cancellation, **(search or self._deep))
        if self.cancellation.cancelled:
            raise EngineError("the review was cancelled")
        return ranked

    def _no_play(self, state: State) -> PlayDecision:
        """What a roll is worth that cannot be played: the opponent is on roll in the same position."""
        assert state.dice is not None
        play = Play(state.position, state.dice, state.position.swapped(), ())
        after = self._cube(state.swapped(), deep=False)
        mwc = opponents_chance(after.equity_mwc)
        row = RankedPlay(play, -after.equity, after.evaluation.swapped(), after.level, mwc=mwc)
        return PlayDecision(state, (row,), 1.0)

    # --- cube -------------------------------------------------------------------------------------------------------

    def cube(self, state: State, *, made: bool) -> CubeDecision:
        """A cube decision or the answer to a double, deeper if a cube action was made here or might have been."""
        quick = self._cube(state, deep=False)
        if self.level.search.plies == 0 or not quick.available:
            return quick
        near = quick.is_close(CLOSE + self.level.cube_window)
        return self._cube(state, deep=True) if made or near or self.level.every else quick

    def _cube(self, state: State, *, deep: bool) -> CubeDecision:
        key = (state.position, state.match, state.offer, deep)
        if key not in self._cubes:
            self._cubes[key] = self._decide(state, deep=deep)
        found = self._cubes[key]
        return found if found.state is state else replace(found, state=state)

    def _decide(self, state: State, *, deep: bool) -> CubeDecision:
        if not (deep and self.level.thought):
            search = self._deep if deep else self._first
            return self.engine.cube(state, cancellation=self.cancellation, **search)
        found = self.engine.answer(state, level=self.level.thought, cancellation=self.cancellation, threads=1)
        assert isinstance(found, CubeDecision)
        return found

    # --- resignations -----------------------------------------------------------------------------------------------

    def resignation(self, moment: Moment, action: Resign) -> ResignationDecision:
        """What giving up leaves, and what playing on is worth, to the opponent who may accept it."""
        state, previous = moment.state, moment.previous
        asked = replace(state, offer=Offer.NONE)
        accepted, accepted_mwc = resignation_value(state.match, action.size, self.engine.met)
        if isinstance(previous, Roll) and previous.moves is None and previous.player == action.player:
            state = replace(state, dice=previous.dice)
            best = self.plays(replace(asked, dice=previous.dice), None)[0]
            theirs, theirs_mwc, level = -best.equity, opponents_chance(best.mwc), best.level
        elif moment.on_roll == 1 - action.player:
            cube = self.cube(asked.swapped(), made=False)
            theirs, theirs_mwc, level = cube.equity, cube.equity_mwc, cube.level
        else:
            cube = self.cube(asked, made=False)
            theirs, theirs_mwc, level = -cube.equity, opponents_chance(cube.equity_mwc), cube.level
        found = ResignationDecision(state, -accepted, theirs, level, opponents_chance(accepted_mwc), theirs_mwc)
        return replace(found, confidence=resignation_confidence(found))

    # --- dice -------------------------------------------------------------------------------------------------------

    def luck(self, state: State, *, opening: bool) -> Luck:
        """How lucky a roll was. The roll that opens a game is compared with all that could have opened it."""
        assert state.dice is not None
        model = self.engine.model(state.match)
        values = self._rolls(state)
        if opening and not state.dice.is_double:
            theirs = self._rolls(state.swapped())
            plain = [number for number, roll in enumerate(ALL_ROLLS) if not roll.is_double]
            mean = sum(values[number] - theirs[number] for number in plain) / (2 * len(plain))
        else:
            mean = sum(roll.weight * value for roll, value in zip(ALL_ROLLS, values, strict=True)) / 36.0
        value = values[ALL_ROLLS.index(state.dice)]
        equity = model.normalised(value, 0) - model.normalised(mean, 0)
        return Luck(equity, None if state.match.is_money else model.match_chance(value) - model.match_chance(mean))

    def _rolls(self, state: State) -> list[float]:
        search: SearchOptions = {**self._first, "plies": self.level.luck_plies}
        return self.engine.roll_values(state, cancellation=self.cancellation, **search)
