"""Starting a rollout: from what a person asks to candidates and a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.cube import Owner
from kibitz.dice import Dice, DiceLike
from kibitz.engine.networks import SHIPPED
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.play import Play
from kibitz.position import Position
from kibitz.rollout.executors import Executor, Work
from kibitz.rollout.files import differences, load
from kibitz.rollout.job import OUR_EVALUATOR, Candidate, Job, names_of
from kibitz.rollout.rollout import Rollout
from kibitz.rollout.settings import Preset, RolloutSettings, StopRule

if TYPE_CHECKING:
    from kibitz import _core
    from kibitz.engine.engine import Cancellation, Engine


def prepare(
    engine: Engine,
    position: Position,
    dice: DiceLike | None = None,
    *,
    match: MatchState | None = None,
    top: int = 5,
    play: Play | str | Sequence[Play | str] = (),
    cube: bool = True,
    settings: RolloutSettings | None = None,
    luck: _core.Evaluator | None = None,
) -> Rollout:
    """A rollout of which no game has been played yet.

    With dice, the candidates are the `top` plays by the engine, or exactly those named by `play`. Without, they are not
    doubling and doubling, if the player on roll may double and the rollout is cubeful; `cube=False` asks for the
    position's own value, with doubles from the first turn on.
    """
    if position.is_over:
        raise EngineError("the game is over: there is nothing to roll out")
    match = match or MatchState()
    settings = settings or RolloutSettings()
    if dice is not None:
        roll = Dice.of(dice)
        candidates = _plays(engine, position, roll, match, settings, top, play)
        title = f"{position.id} with {roll}"
    else:
        candidates = _cube(engine, position, match, settings, cube)
        title = position.id
    if over := [one.name for one in candidates if one.position.is_over]:
        raise EngineError(f"the game is over after {over[0]}: there is nothing to roll out")
    rows = None
    if not match.is_money:
        table = engine.met.reaching(max(match.my_away, match.their_away))
        rows = (table.pre_crawford, table.post_crawford)
    own = engine._own_evaluator
    nets = engine._nets
    job = Job(
        candidates=tuple(candidates),
        match=match,
        settings=settings,
        nets=nets,
        net_names=(OUR_EVALUATOR,) if own is not None else names_of(nets or SHIPPED),
        met_name="" if rows is None else engine.met.name,
        met_rows=rows,
        title=title,
    )
    return Rollout(Work(job, own, luck))


def run(
    engine: Engine,
    position: Position,
    dice: DiceLike | None = None,
    *,
    match: MatchState | None = None,
    top: int = 5,
    play: Play | str | Sequence[Play | str] = (),
    cube: bool = True,
    preset: Preset | str = "standard",
    trials: int | None = None,
    games: range | None = None,
    stop: StopRule | None = None,
    executor: Executor | None = None,
    threads: int | None = None,
    progress: Callable[[Rollout], object] | None = None,
    cancellation: Cancellation | None = None,
    save: Path | str | None = None,
    luck: _core.Evaluator | None = None,
    **settings: Any,
) -> Rollout:
    """See Engine.rollout."""
    chosen = Preset.of(preset)
    rollout = prepare(
        engine,
        position,
        dice,
        match=match,
        top=top,
        play=play,
        cube=cube,
        settings=chosen.settings.changed(**settings),
        luck=luck,
    )
    if save is not None and Path(save).exists():
        rollout = resumed(rollout, Path(save))
    if trials is None and games is None:
        trials = chosen.trials
    return rollout.extend(
        trials,
        games=games,
        stop=stop or chosen.stop,
        executor=executor,
        threads=engine.settings.threads if threads is None else threads,
        progress=progress,
        cancellation=cancellation,
        save=save,
    )


def resumed(fresh: Rollout, path: Path) -> Rollout:
    """The rollout in a file, if it is the same one."""
    old = load(path, fresh.job.nets)
    if found := differences(fresh.job.identity(), old.job.identity()):
        raise EngineError(f"{path} holds another rollout: {'; '.join(found)}")
    again = Rollout(fresh.work, tally=old._tally, ranges=old.ranges)
    again.seconds = old.seconds
    return again


def _plays(
    engine: Engine,
    position: Position,
    roll: Dice,
    match: MatchState,
    settings: RolloutSettings,
    top: int,
    named: Play | str | Sequence[Play | str],
) -> list[Candidate]:
    from kibitz.notation.plays import parse_play

    several = [named] if isinstance(named, (Play, str)) else list(named)
    plays = [parse_play(one, position, roll) if isinstance(one, str) else one for one in several]
    if not plays:
        if top < 1:
            raise EngineError(f"expected at least one play to roll out, not {top}")
        plays = [one.play for one in engine.rank(position, roll, match=match, cubeful=settings.cubeful)[:top]]
    if not plays:
        raise EngineError(f"no checker can move with {roll}: there is no play to roll out")
    if len({one.result for one in plays}) < len(plays):
        raise EngineError("the same play was named twice")
    return [Candidate(str(one), one.result, mine=False, play=str(one)) for one in plays]


def _cube(
    engine: Engine, position: Position, match: MatchState, settings: RolloutSettings, cube: bool
) -> list[Candidate]:
    from kibitz.engine.engine import cube_model

    model = cube_model(match, engine.met, cubeful=settings.cubeful)
    if not (cube and settings.cubeful and model.doubled(model.present, 0) >= 0):
        return [Candidate("position", position)]
    word = "double" if match.cube.owner is Owner.CENTRED else "redouble"
    return [
        Candidate(f"no {word}", position, may_double=False),
        Candidate(f"{word}, take", position, taken=True),
    ]
