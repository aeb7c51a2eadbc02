"""The engine: judges positions, ranks plays, decides about the cube."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.cube import Cube, Owner
from kibitz.dice import Dice, DiceLike
from kibitz.engine.evaluation import Evaluation
from kibitz.engine.filters import MoveFilter
from kibitz.engine.match_equity import MatchEquityTable
from kibitz.engine.networks import SHIPPED, evaluator_of
from kibitz.engine.results import CubeDecision, CubePoints, RankedPlay
from kibitz.engine.settings import MAX_PLIES, SearchSettings
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.play import Play
from kibitz.position import Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.rollout.executors import Executor
    from kibitz.rollout.rollout import Rollout
    from kibitz.rollout.settings import StopRule

__all__ = ["Cancellation", "CubeDecision", "Engine", "RankedPlay"]

_OWNERS = {
    Owner.CENTRED: _core.CubeOwner.CENTRED,
    Owner.MINE: _core.CubeOwner.MINE,
    Owner.THEIRS: _core.CubeOwner.THEIRS,
}


class Cancellation:
    """A way to stop a search from another thread: hand it over, and call `cancel()`."""

    def __init__(self) -> None:
        self._flag = _core.CancelFlag()

    def cancel(self) -> None:
        """Stop all searches that were given this; they end within milliseconds."""
        self._flag.set()

    @property
    def cancelled(self) -> bool:
        """Whether it has been called."""
        return self._flag.is_set


class Engine:
    """The neural engine with the shipped nets, or with those of another folder.

    Settings given here are the defaults of every call. `threads=0` uses all cores; results do not depend on it. `met`
    is a match equity table, its name, or a file. Safe to be shared by threads.

    >>> Engine(plies=2, filter="normal").rank(Position.start(), "31")[0].play  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        nets: Path | str | None = None,
        plies: int = 0,
        filter: str | MoveFilter = "normal",
        cubeful: bool = True,
        threads: int = 0,
        cache_mb: float = 32.0,
        replies: int | None = None,
        last_replies: int | None = None,
        met: MatchEquityTable | str | None = None,
        evaluator: _core.Evaluator | None = None,
    ) -> None:
        settings = SearchSettings(plies=plies, cubeful=cubeful, filter=filter, threads=threads, cache_mb=cache_mb)
        self.settings = settings.changed(replies=replies, last_replies=last_replies)
        self.met = MatchEquityTable.default() if met is None else _table(met)
        self._nets = None if nets is None else Path(nets)
        self._own_evaluator = evaluator
        self._evaluator = evaluator or evaluator_of(SHIPPED if nets is None else Path(nets))
        self._analysts: dict[int, _core.Analyst] = {}

    # --- positions --------------------------------------------------------------------------------------------------

    def evaluate(self, position: Position, *, plies: int = 0) -> Evaluation:
        """The chances of the player on roll: at 0 plies by the net or the exact tables alone, cubeless."""
        if plies == 0 or position.is_over:
            return Evaluation.of(self.evaluate_batch(position.board[None])[0].tolist())
        settings = self.settings.changed(plies=plies, cubeful=False)
        model = _core.CubeModel(jacoby=False)
        found = self._analyst(settings.threads).value(position._rows, model, plies, settings.tree(15))
        assert found is not None  # nobody could cancel it
        return Evaluation.of(found[0])

    def evaluate_batch(self, boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        """Many boards at once: uint8 (n, 2, 25), row 0 the player on roll, to float32 (n, 5)."""
        import numpy as np

        boards = np.ascontiguousarray(boards, dtype=np.uint8)
        if boards.ndim != 3 or boards.shape[1:] != (2, 25):
            raise EngineError(f"boards have the shape (n, 2, 25), not {boards.shape}")
        if boards.size and boards.sum(axis=2, dtype=np.int64).max() > 15:
            raise EngineError("a board has more than 15 checkers on one side")
        return self._evaluator.evaluate_batch(boards)

    # --- plays ------------------------------------------------------------------------------------------------------

    def rank(
        self,
        position: Position,
        dice: DiceLike,
        *,
        plies: int | None = None,
        match: MatchState | None = None,
        cubeful: bool | None = None,
        filter: str | MoveFilter | None = None,
        threads: int | None = None,
        time: float | None = None,
        play: Play | str | Sequence[Play | str] = (),
        cancellation: Cancellation | None = None,
    ) -> list[RankedPlay]:
        """All plays of a roll, best first: those that got the deepest look, then the others.

        Equities are cubeful at the score of `match` (money with the Jacoby rule by default), or cubeless if told so.
        `play` names plays that must get the deepest look, however bad. With `time`, the search deepens ply by ply,
        up to `plies` if given, until so many seconds are over. A cancelled search returns what it has finished.
        """
        roll = Dice.of(dice)
        if position.is_over or not _core.legal_results(position._rows, roll.high, roll.low):
            return []
        deepest = plies if plies is not None else MAX_PLIES if time is not None else None
        settings = self.settings.changed(plies=deepest, cubeful=cubeful, filter=filter, threads=threads)
        match = match or MatchState()
        model = self._model(match, settings)
        steps = MoveFilter.of(settings.filter).for_plies(settings.plies, every_ply=time is not None)
        results, _, _ = self._analyst(settings.threads).rank(
            position._rows,
            roll.high,
            roll.low,
            model,
            _core.RankSettings(settings.plies, steps, settings.tree(match.variant.checkers)),
            [one.result._rows for one in _asked(play, position, roll)],
            time,
            cancellation._flag if cancellation else None,
        )
        ranked = []
        best = results[0][3]
        for number, (rows, outputs, utility, equity, depth) in enumerate(results, start=1):
            ranked.append(
                RankedPlay(
                    Play(position, roll, Position._unchecked(rows)),
                    equity,
                    Evaluation(*outputs),
                    depth,
                    equity - best,
                    number,
                    settings.cubeful,
                    None if match.is_money else model.match_chance(utility),
                )
            )
        return ranked

    # --- the cube ---------------------------------------------------------------------------------------------------

    def cube(
        self,
        position: Position,
        *,
        match: MatchState | None = None,
        plies: int | None = None,
        threads: int | None = None,
        cancellation: Cancellation | None = None,
    ) -> CubeDecision:
        """The cube decision of the player on roll, and the opponent's answer to a double."""
        match = match or MatchState()
        owner = match.cube.owner
        return self.cubes(
            position, match=match, owners=[owner], plies=plies, threads=threads, cancellation=cancellation
        )[owner]

    def cubes(
        self,
        position: Position,
        *,
        match: MatchState | None = None,
        owners: Sequence[Owner] = tuple(Owner),
        plies: int | None = None,
        threads: int | None = None,
        cancellation: Cancellation | None = None,
    ) -> dict[Owner, CubeDecision]:
        """The same with the cube in each of these hands."""
        if position.is_over:
            raise EngineError("the game is over: there is no cube decision")
        match = match or MatchState()
        settings = self.settings.changed(plies=plies, threads=threads, cubeful=True)
        model = self._model(match, settings)
        tree = settings.tree(match.variant.checkers)
        flag = cancellation._flag if cancellation else None
        decisions = {}
        for owner in owners:
            numbers = self._analyst(settings.threads).cube(
                position._rows, model, _OWNERS[owner], settings.plies, tree, flag
            )
            if numbers is None:
                raise EngineError("the search was cancelled")
            decisions[owner] = _decision(position, model, owner, numbers, settings.plies, match)
        return decisions

    def equity(self, position: Position, *, match: MatchState | None = None, plies: int | None = None) -> float:
        """The cubeful equity of the player on roll with the best cube action, normalised to the present cube."""
        return self.cube(position, match=match, plies=plies).equity

    # --- rollouts ---------------------------------------------------------------------------------------------------

    def rollout(
        self,
        position: Position,
        dice: DiceLike | None = None,
        *,
        match: MatchState | None = None,
        top: int = 5,
        play: Play | str | Sequence[Play | str] = (),
        cube: bool = True,
        preset: str = "standard",
        trials: int | None = None,
        games: range | None = None,
        stop: StopRule | None = None,
        executor: Executor | None = None,
        threads: int | None = None,
        progress: Callable[[Rollout], object] | None = None,
        cancellation: Cancellation | None = None,
        save: Path | str | None = None,
        **settings: Any,
    ) -> Rollout:
        """Play games from a position to find out what it is worth, with the error of the answer.

        With dice the candidates are the `top` plays, or those named by `play`; without, not doubling and doubling
        (`cube=False`: the position itself). `preset` gives settings and trials; `settings` are those of
        `kibitz.rollout.settings.RolloutSettings`, such as cubeful=False, plies=1, truncate=7, seed=2. `games` names a
        range of games instead of a number of trials. With `save`, the state is kept in that file, and goes on from
        there if the file exists. Ctrl-C keeps what has been played.
        """
        from kibitz.rollout.start import run

        return run(
            self,
            position,
            dice,
            match=match,
            top=top,
            play=play,
            cube=cube,
            preset=preset,
            trials=trials,
            games=games,
            stop=stop,
            executor=executor,
            threads=threads,
            progress=progress,
            cancellation=cancellation,
            save=save,
            **settings,
        )

    # --- inside -----------------------------------------------------------------------------------------------------

    def clear_cache(self) -> None:
        """Forget all evaluations. It changes no result, only the time until the next ones."""
        for analyst in self._analysts.values():
            analyst.clear_cache()

    def _analyst(self, threads: int) -> _core.Analyst:
        analyst = self._analysts.get(threads)
        if analyst is None:
            analyst = _core.Analyst(self._evaluator, threads, int(self.settings.cache_mb * (1 << 20)))
            analyst = self._analysts.setdefault(threads, analyst)
        return analyst

    def _model(self, match: MatchState, settings: SearchSettings) -> _core.CubeModel:
        return cube_model(match, self.met, cubeful=settings.cubeful)


def cube_model(match: MatchState, met: MatchEquityTable, *, cubeful: bool = True) -> _core.CubeModel:
    """The native cube model of a match state. Cubeless values know no Jacoby rule: their gammons count."""
    needed = max(match.my_away, match.their_away)
    return _core.CubeModel(
        my_away=match.my_away,
        their_away=match.their_away,
        cube=match.cube.value,
        owner=_OWNERS[match.cube.owner],
        crawford=match.crawford,
        jacoby=match.jacoby and cubeful,
        beavers=match.beavers,
        max_cube=match.max_cube,
        table=None if match.is_money else met.reaching(needed)._core_table,
    )


def _table(met: MatchEquityTable | str) -> MatchEquityTable:
    return met if isinstance(met, MatchEquityTable) else MatchEquityTable.named(met)


def _asked(play: Play | str | Sequence[Play | str], position: Position, dice: Dice) -> list[Play]:
    """The plays that were named, each legal."""
    from kibitz.notation.plays import parse_play

    several = [play] if isinstance(play, (Play, str)) else list(play)
    return [parse_play(one, position, dice) if isinstance(one, str) else one for one in several]


def _decision(
    position: Position,
    model: _core.CubeModel,
    owner: Owner,
    numbers: tuple[tuple[float, ...], float, float, float, bool, float],
    plies: int,
    match: MatchState,
) -> CubeDecision:
    outputs, no_double, double_take, double_pass, available, dead = numbers
    state = model.with_owner(_OWNERS[owner])
    chances = None
    if not match.is_money:
        utilities = {"no_double": no_double, "double_take": double_take, "double_pass": double_pass, "cubeless": dead}
        chances = {name: model.match_chance(value) for name, value in utilities.items()}
    five = tuple(outputs)
    lives = (_core.CubeLife().of(position._rows), _core.Lives(1.0), _core.Lives(0.0))
    return CubeDecision(
        model.normalised(no_double, 0),
        model.normalised(double_take, 0),
        model.normalised(double_pass, 0),
        available,
        owner,
        Evaluation.of(five),
        plies,
        model.normalised(dead, 0),
        match.beavers,
        chances,
        *(CubePoints.of(model.points(five, state, at)) for at in lives),
    )


def with_cube(match: MatchState, cube: Cube) -> MatchState:
    """The same state with another cube."""
    from dataclasses import replace

    return replace(match, cube=cube)
