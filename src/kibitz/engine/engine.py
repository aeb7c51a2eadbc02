"""The engine: evaluates positions, ranks plays, decides about the cube and about resignations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from kibitz import _core
from kibitz.cube import Cube, Owner
from kibitz.decision import (
    AnalysisLevel,
    CubeChances,
    CubeDecision,
    CubePoints,
    Decision,
    Evaluation,
    PlayDecision,
    PositionClass,
    Question,
    RankedPlay,
    ResignationDecision,
    opponents_chance,
    question_of,
    resigned_size,
)
from kibitz.dice import ALL_ROLLS, Dice, DiceLike
from kibitz.engine.classes import PositionValue, is_solved, position_class
from kibitz.engine.confidence import play_confidence, resignation_confidence, with_confidence
from kibitz.engine.networks import SHIPPED, evaluator_for, evaluator_of
from kibitz.engine.replies import RollReply
from kibitz.engine.settings import MAX_PLIES, SearchOptions, SearchSettings
from kibitz.errors import EngineError
from kibitz.folders import bearoff_files
from kibitz.match import MatchState
from kibitz.match_equity import MatchEquityTable, cube_model
from kibitz.match_equity.cube_model import NATIVE_OWNERS
from kibitz.move import Play
from kibitz.notation.plays import parse_play
from kibitz.position import CHECKERS, Position, Variant
from kibitz.state import Offer, State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.engine.levels import Level
    from kibitz.rollout.rollout import Rollout
    from kibitz.rollout.run import RolloutOptions

Plays = Play | str | Sequence[Play | str]
"""Plays that are named: one or several, as such or in a notation."""
MOST_NOISES = 4
"""Analysts with errors that are kept: each has a cache of its own, and there is no end of seeds."""


class Cancellation:
    """A way to stop a search from another thread: hand it over, and call `cancel()`."""

    def __init__(self) -> None:
        self.flag = _core.CancelFlag()

    def cancel(self) -> None:
        """Stop all searches that were given this; they end within milliseconds."""
        self.flag.set()

    @property
    def cancelled(self) -> bool:
        """Whether it has been called."""
        return self.flag.is_set


class Engine:
    """The neural engine with the shipped nets, or with those of another folder.

    Settings given here (`SearchSettings`) are the defaults of every method; a method takes the same settings for one
    call. `threads=0` uses all cores; results do not depend on it. `met` is a match equity table, its name, or a file.
    What a method is asked about is a `State`, which brings its match, or a `Position`, which is a money game with the
    Jacoby rule unless `match` says otherwise. The variant in the match decides who answers: hypergammon is answered by
    its exact table, which is built on first use. Safe to be shared by threads.

    >>> Engine(plies=2, filter="normal").rank(Position.start(), "31")[0].play  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        nets: Path | str | None = None,
        met: MatchEquityTable | str | None = None,
        evaluator: _core.Evaluator | None = None,
        **search: Unpack[SearchOptions],
    ) -> None:
        self.settings = SearchSettings().changed(**search)
        self.met = MatchEquityTable.of(met)
        self.nets = None if nets is None else Path(nets)
        self.evaluator = evaluator or evaluator_of(SHIPPED if self.nets is None else self.nets)
        self.has_own_evaluator = evaluator is not None
        if bearoff_files():  # one that cannot be used is refused here, and not in the middle of a search
            from kibitz.bearoff.in_use import tables_in_use

            tables_in_use()
        self._analysts: dict[tuple[int, int, float, int], _core.Analyst] = {}
        self._models: dict[tuple[MatchState, bool], _core.CubeModel] = {}
        self._stop: Cancellation | None = None

    def changed(self, **search: Unpack[SearchOptions]) -> Engine:
        """The same engine with other defaults. Both share what they remember."""
        found = copy(self)
        found.settings = self.settings.changed(**search)
        found.__dict__.pop("fingerprint", None)  # it follows from the settings
        return found

    def stopped_by(self, cancellation: Cancellation) -> Engine:
        """The same engine for work of many searches, all of which end when the work is cancelled."""
        found = copy(self)
        found._stop = cancellation
        return found

    # --- whatever is asked ------------------------------------------------------------------------------------------

    def answer(
        self,
        state: State,
        *,
        play: Plays = (),
        listed: int = 0,
        time: float | None = None,
        cancellation: Cancellation | None = None,
        level: Level | str | None = None,
        **search: Unpack[SearchOptions],
    ) -> Decision:
        """The answer to what the state asks for: a play, a double, a take, or what to do about a resignation.

        A `level`, such as "deep" or "world-class", says how much thought it gets; it stands for the settings of a
        search and for `time`.
        """
        if state.position.is_over:
            raise EngineError("the game is over: there is nothing to decide")
        if level is not None:
            threads = search.pop("threads", None)
            if time is not None or any(value is not None for value in search.values()):
                raise EngineError("expected a level, or a time and settings of a search: a level brings its own")
            from kibitz.rollout.deciding import decide

            return decide(self, state, level, play=play, listed=listed, cancellation=cancellation, threads=threads)
        question = question_of(state)
        if question is Question.PLAY:
            return self.rank(state, play=play, listed=listed, time=time, cancellation=cancellation, **search)
        if question is Question.RESIGNATION:
            return self.resignation(state, cancellation=cancellation, **search)
        return self.cube(state, cancellation=cancellation, **search)

    # --- positions --------------------------------------------------------------------------------------------------

    def evaluate(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> Evaluation:
        """The cubeless chances of the player on roll for money; at 0 plies by the net or the exact tables alone.

        They tell the class of the position and who answers for it: `engine.evaluate(position).position_class`.
        """
        state = replace(state_of(where, match=match), dice=None, offer=Offer.NONE)
        found = self._chances(state, MatchState(), cancellation, search)
        return replace(found, position_class=self.position_class(state))

    def _chances(
        self, state: State, match: MatchState, cancellation: Cancellation | None, search: SearchOptions
    ) -> Evaluation:
        """The chances of the player on roll if both sides play for this match with a dead cube."""
        settings = self.settings.changed(**search).changed(cubeful=False)
        if (settings.plies == 0 and not settings.noise) or state.position.is_over:
            outputs = self.evaluate_batch(state.position.board[None], variant=state.match.variant)
            return Evaluation.of(outputs[0].tolist())
        found = self._analyst(settings, state.match.variant).value(
            state.position.rows,
            self.model(match, cubeful=False),
            settings.plies,
            settings.tree(state.match.variant.checkers),
            self._flag(cancellation),
        )
        if found is None:
            raise EngineError("the search was cancelled")
        return Evaluation.of(found[0])

    def value(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> PositionValue:
        """What a position is worth at its score: chances and equity, cubeful or cubeless, and who answers.

        The cubeful equity is that with the best cube action of both sides. In a finished game only the result counts.
        """
        state = replace(state_of(where, match=match), dice=None, offer=Offer.NONE)
        settings = self.settings.changed(**search)
        found, money = self.position_class(state), state.match.is_money
        level = AnalysisLevel.searched(settings.plies, cubeful=settings.cubeful)
        if settings.cubeful and not state.position.is_over:
            cube = self._cube(state, cancellation, search)
            return PositionValue(state, cube.evaluation, cube.equity, cube.equity_mwc, found, level)
        evaluation = self._chances(state, MatchState() if money else state.match, cancellation, search)
        if money:
            return PositionValue(state, evaluation, evaluation.equity, None, found, level)
        model = self.model(state.match, cubeful=False)
        utility = model.dead(tuple(evaluation), 0, model.present)
        return PositionValue(state, evaluation, model.normalised(utility, 0), model.match_chance(utility), found, level)

    def position_class(self, where: State | Position, *, match: MatchState | None = None) -> PositionClass:
        """Which kind of position it is, and whether a net or a table answers for it."""
        state = state_of(where, match=match)
        self.evaluator_for(state.match.variant)
        found = position_class(state.position, state.match.variant)
        if self.has_own_evaluator and state.match.variant.checkers == CHECKERS and not state.position.is_over:
            return PositionClass(found.name, "evaluator", "caller's own evaluator")
        return found

    def evaluate_batch(
        self, boards: npt.NDArray[np.uint8], *, variant: Variant | str = Variant.BACKGAMMON
    ) -> npt.NDArray[np.float32]:
        """Many boards at once, at 0 plies: uint8 (n, 2, 25), row 0 the player on roll, to float32 (n, 5)."""
        import numpy as np

        variant = Variant(variant)
        boards = np.ascontiguousarray(boards, dtype=np.uint8)
        if boards.ndim != 3 or boards.shape[1:] != (2, 25):
            raise EngineError(f"boards have the shape (n, 2, 25), not {boards.shape}")
        if boards.size and boards.sum(axis=2, dtype=np.int64).max() > variant.checkers:
            raise EngineError(f"a board has more than {variant.checkers} checkers on one side")
        return self.evaluator_for(variant).evaluate_batch(boards)

    def roll_values(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> list[float]:
        """What each of the 21 rolls (`ALL_ROLLS`) is worth to the player on roll, as the cube model counts values."""
        state = state_of(where, match=match)
        settings = self.settings.changed(**search)
        tree = settings.tree(state.match.variant.checkers)
        found: Any = self._analyst(settings, state.match.variant).roll_values(
            state.position.rows, self.model(state.match), settings.plies, tree, self._flag(cancellation)
        )
        if found is None:
            raise EngineError("the search was cancelled")
        return list(found)

    def roll_replies(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> list[RollReply]:
        """The best play of each of the 21 rolls with its worth, looking `plies` further after the play."""
        state = state_of(where, match=match)
        settings = self.settings.changed(**search)
        tree = settings.tree(state.match.variant.checkers)
        found = self._analyst(settings, state.match.variant).roll_replies(
            state.position.rows, self.model(state.match), settings.plies, tree, self._flag(cancellation)
        )
        if found is None:
            raise EngineError("the search was cancelled")
        return [
            RollReply(dice, Position.from_rows(rows), Evaluation.of(five), held, doubled)
            for dice, (rows, five, held, doubled) in zip(ALL_ROLLS, found, strict=True)
        ]

    # --- plays ------------------------------------------------------------------------------------------------------

    def rank(
        self,
        where: State | Position,
        dice: DiceLike | None = None,
        *,
        match: MatchState | None = None,
        play: Plays = (),
        listed: int = 0,
        time: float | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> PlayDecision:
        """All plays of a roll, best first: those that got the deepest look, then the others.

        Equities are cubeful at the score, or cubeless if the settings say so. `play` names plays that must get the
        deepest look, however bad, and `listed` how many of the best by a first look do, so that a list of them has one
        depth. With `time`, the search deepens ply by ply, up to `plies` if given, until so many seconds are over. A
        cancelled search returns what it has finished.
        """
        state = state_of(where, dice, match)
        if state.dice is None:
            raise EngineError("expected dice, in the state or beside the position: without them there is no play")
        position, roll = state.position, state.dice
        if position.is_over or not _core.legal_results(position.rows, roll.high, roll.low):
            return PlayDecision(state, ())
        if time is not None and search.get("plies") is None:
            search["plies"] = MAX_PLIES
        settings = self.settings.changed(**search)
        named = named_plays(play, position, roll)
        if listed and settings.plies and time is None:
            shallow: SearchOptions = {**search, "plies": 0}
            named += [one.play for one in self.rank(state, **shallow)[:listed]]
        model = self.model(state.match, cubeful=settings.cubeful)
        tree = settings.tree(state.match.variant.checkers)
        results, _, _ = self._analyst(settings, state.match.variant).rank(
            position.rows,
            roll.high,
            roll.low,
            model,
            _core.RankSettings(settings.plies, settings.steps(every_ply=time is not None), tree),
            [one.result.rows for one in named],
            time,
            self._flag(cancellation),
        )
        best = results[0][3]
        money = state.match.is_money
        plays = tuple(
            RankedPlay(
                Play(position, roll, Position.from_rows(rows)),
                equity,
                Evaluation(*outputs),
                AnalysisLevel.searched(plies, cubeful=settings.cubeful),
                equity - best,
                number,
                None if money else model.match_chance(utility),
            )
            for number, (rows, outputs, utility, equity, plies) in enumerate(results, start=1)
        )
        solved = not settings.noise and all(is_solved(rows, state.match) for rows, *_ in results)
        return PlayDecision(state, plays, 1.0 if plays and solved else play_confidence(plays))

    # --- the cube ---------------------------------------------------------------------------------------------------

    def cube(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        lines: bool = False,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> CubeDecision:
        """The cube decision of the player on roll, and the opponent's answer to a double.

        Where a double awaits its answer, that is asked for, also if no sensible player would have doubled. `lines` asks
        for the chances of each line too: those after a double that is taken are searched for the turned cube.
        """
        state = state_of(where, match=match)
        if state.offer in (Offer.BEAVER, Offer.RACCOON):
            # The doubler answers a beaver as he would a double, at the cube before it.
            state = replace(state, match=replace(state.match, cube=Cube(state.match.cube.value)))
        decision = self._cube(state, cancellation, search)
        unusual = decision.question is Question.TAKE and not decision.available
        if unusual or (lines and decision.available):
            decision = self._turned(decision, unusual, cancellation, search)
        return self._confident(decision, search)

    def _confident(self, decision: CubeDecision, search: SearchOptions) -> CubeDecision:
        """The decision with the chances that its actions are right: certainty where a table has solved the position."""
        found, state = with_confidence(decision), decision.state
        if (
            self.settings.changed(**search).noise
            or not found.available
            or not is_solved(state.position.rows, state.match)
        ):
            return found
        return replace(found, double_confidence=1.0, take_confidence=1.0)

    def cubes(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        owners: Sequence[Owner] = tuple(Owner),
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> dict[Owner, CubeDecision]:
        """The cube decision with the cube in each of these hands."""
        state = replace(state_of(where, match=match), dice=None, offer=Offer.NONE)
        places = {owner: replace(state.match, cube=Cube(state.match.cube.value, owner)) for owner in owners}
        return {
            owner: self._confident(self._cube(replace(state, match=place), cancellation, search), search)
            for owner, place in places.items()
        }

    def equity(
        self, where: State | Position, *, match: MatchState | None = None, **search: Unpack[SearchOptions]
    ) -> float:
        """The cubeful equity of the player on roll with the best cube action, normalised to the present cube."""
        return self.cube(where, match=match, **search).equity

    def _cube(self, state: State, cancellation: Cancellation | None, search: SearchOptions) -> CubeDecision:
        position, match = state.position, state.match
        if position.is_over:
            raise EngineError("the game is over: there is no cube decision")
        settings = self.settings.changed(**search).changed(cubeful=True)
        model = self.model(match)
        numbers = self._analyst(settings, match.variant).cube(
            position.rows,
            model,
            NATIVE_OWNERS[match.cube.owner],
            settings.plies,
            settings.tree(match.variant.checkers),
            self._flag(cancellation),
        )
        if numbers is None:
            raise EngineError("the search was cancelled")
        five, no_double, double_take, double_pass, available, dead = numbers
        utilities = (no_double, double_take, double_pass, dead)
        equities = [model.normalised(value, 0) for value in utilities]
        return CubeDecision(
            state=state,
            no_double=equities[0],
            double_take=equities[1],
            double_pass=equities[2],
            evaluation=Evaluation.of(five),
            level=AnalysisLevel.searched(settings.plies),
            cubeless=equities[3],
            available=available,
            mwc=None if match.is_money else CubeChances(*map(model.match_chance, utilities)),
            points=_points(model, five, _core.CubeEfficiency().of(position.rows)),
            live_points=_points(model, five, _core.Efficiency(1.0)),
            dead_points=_points(model, five, _core.Efficiency(0.0)),
        )

    def _turned(
        self, decision: CubeDecision, unusual: bool, cancellation: Cancellation | None, search: SearchOptions
    ) -> CubeDecision:
        """Look at the doubled cube itself. A double that no sensible player would make has to be answered by that."""
        match = decision.match
        value = 2 * match.cube.value
        turned = replace(match, cube=Cube(value, Owner.THEIRS), max_cube=max(match.max_cube, value))
        after = self._cube(State(decision.state.position, turned), cancellation, search)
        decision = replace(decision, taken_evaluation=after.evaluation)
        if not unusual:
            return decision
        assert decision.mwc is not None and after.mwc is not None  # for money all doubles that may be made are usual
        chance = after.mwc.no_double
        return replace(
            decision,
            double_take=self.model(match).normalised(2 * chance - 1, 0),
            available=True,
            mwc=replace(decision.mwc, double_take=chance),
        )

    # --- resignations -----------------------------------------------------------------------------------------------

    def resignation(
        self, state: State, *, cancellation: Cancellation | None = None, **search: Unpack[SearchOptions]
    ) -> ResignationDecision:
        """Whether the opponent should accept what the player on roll offers to lose."""
        accepted, accepted_mwc = resignation_value(state.match, resigned_size(state), self.met)
        asked = replace(state, offer=Offer.NONE)
        ranked = self.rank(asked, cancellation=cancellation, **search) if state.dice is not None else ()
        if ranked:
            value, mwc, level = ranked[0].equity, ranked[0].mwc, ranked[0].level
        else:
            cube = self.cube(replace(asked, dice=None), cancellation=cancellation, **search)
            value, mwc, level = cube.equity, cube.equity_mwc, cube.level
        found = ResignationDecision(
            state, -accepted, -value, level, opponents_chance(accepted_mwc), opponents_chance(mwc)
        )
        return replace(found, confidence=resignation_confidence(found))

    # --- rollouts ---------------------------------------------------------------------------------------------------

    def rollout(
        self, where: State | Position, dice: DiceLike | None = None, **options: Unpack[RolloutOptions]
    ) -> Rollout:
        """Play games from a position to find out what it is worth, with the error of the answer.

        With dice the candidates are the `top` plays, or those named by `play`; without, not doubling and doubling
        (`cube=False`: the position itself). `preset` gives settings and trials; any of `RolloutSettings` may be named,
        such as cubeful=False, plies=1, truncate=7, seed=2. `games` names a range of games instead of a number of
        trials. With `save`, the state is kept in that file, and goes on from there if the file exists. Ctrl-C keeps
        what has been played.
        """
        from kibitz.rollout.run import run

        return run(self, state_of(where, dice, options.pop("match", None)), options)

    # --- inside -----------------------------------------------------------------------------------------------------

    def evaluator_for(self, variant: Variant) -> _core.Evaluator:
        """Who evaluates the positions of a variant: the engine's evaluator, or the table of a hypergammon."""
        return evaluator_for(variant, self.evaluator)

    def model(self, match: MatchState, *, cubeful: bool = True) -> _core.CubeModel:
        """The native cube model of a match state by this engine's table."""
        key = (match, cubeful)
        if key not in self._models:
            if len(self._models) >= 4096:
                self._models.clear()
            self._models[key] = cube_model(match, self.met, cubeful=cubeful)
        return self._models[key]

    @cached_property
    def fingerprint(self) -> str:
        """What answers depend on besides the question: the nets, told by what they say of positions, table and replies.

        The positions are all that the opening can lead to in two rolls of the same dice.
        """
        import numpy as np

        from kibitz.bearoff.in_use import tables_in_use

        start = Position.start()
        boards = [
            reply.result.board
            for roll in ALL_ROLLS
            for play in start.plays(roll)
            for reply in play.result.plays(roll)[:4]
        ]
        digest = hashlib.sha256(self.evaluate_batch(np.stack(boards)).tobytes())
        digest.update(json.dumps(self.met.to_dict(), sort_keys=True).encode())
        digest.update(f"{self.settings.replies},{self.settings.last_replies}".encode())
        if self.settings.noise or not self.settings.pruning:
            digest.update(f"{self.settings.noise},{self.settings.noise_seed},{self.settings.pruning}".encode())
        digest.update("".join(tables_in_use().identity).encode())
        return digest.hexdigest()

    def clear_cache(self) -> None:
        """Forget all evaluations. It changes no result, only the time until the next ones."""
        for analyst in self._analysts.values():
            analyst.clear_cache()

    def _analyst(self, settings: SearchSettings, variant: Variant) -> _core.Analyst:
        key = (settings.threads, variant.checkers, settings.noise, settings.noise_seed if settings.noise else 0)
        analyst = self._analysts.get(key)
        if analyst is None:
            # A table is faster than any memory of it. Its cube equities know no noise.
            cache_bytes = int(self.settings.cache_mb * (1 << 20)) if variant.checkers == CHECKERS else 0
            evaluator = settings.noisy(self.evaluator_for(variant))
            analyst = _core.Analyst(evaluator, settings.threads, cache_bytes, settings.noise == 0)
            if settings.noise:
                noises = [one for one in list(self._analysts) if one[2]]
                for oldest in noises[: max(len(noises) - MOST_NOISES + 1, 0)]:
                    self._analysts.pop(oldest, None)
            analyst = self._analysts.setdefault(key, analyst)
        return analyst

    def _flag(self, cancellation: Cancellation | None) -> Any:
        stop = cancellation or self._stop
        return None if stop is None else stop.flag


def resignation_value(match: MatchState, size: int, met: MatchEquityTable) -> tuple[float, float | None]:
    """What a resignation of this size leaves the resigner: equity at the present cube, and match winning chance."""
    points = match.points(size)
    if match.is_money:
        return -points / match.cube.value, None
    chance = met.after_game(match.my_away, match.their_away, -points)
    return cube_model(match, met).normalised(2.0 * chance - 1.0, 0), chance


def named_plays(play: Plays, position: Position, dice: Dice) -> list[Play]:
    """The plays that were named, each legal."""
    several = [play] if isinstance(play, (Play, str)) else list(play)
    return [parse_play(one, position, dice) if isinstance(one, str) else one for one in several]


def state_of(where: State | Position, dice: DiceLike | None = None, match: MatchState | None = None) -> State:
    """What is asked about, as a state. Dice beside a state replace what it says about dice and offers."""
    if isinstance(where, State):
        if match is not None:
            raise EngineError("a State brings its match: `match` goes with a Position")
        return where if dice is None else replace(where, dice=Dice.of(dice), offer=Offer.NONE)
    if not isinstance(where, Position):
        raise EngineError(f"expected a State or a Position, not {type(where).__name__}; kibitz.parse reads notations")
    if match is None and where.may_be_hypergammon:
        raise EngineError(
            f"the position {where.id} may be hypergammon or the end of a game of backgammon: "
            "expected match=MatchState(variant=...) beside it, or a State"
        )
    return State(where, match or MatchState(), None if dice is None else Dice.of(dice))


def _points(model: _core.CubeModel, outputs: Sequence[float], efficiency: _core.Efficiency) -> CubePoints:
    return CubePoints.of(model.points(tuple(outputs), model.present, efficiency))
