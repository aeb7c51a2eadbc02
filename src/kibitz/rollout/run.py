"""Running a rollout: from what a person asks to candidates, a job and its games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from kibitz.bearoff.in_use import tables_in_use
from kibitz.cube import Owner
from kibitz.engine.engine import Cancellation, Engine, Plays, named_plays
from kibitz.engine.filters import MoveFilter
from kibitz.engine.networks import SHIPPED
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.rollout.executors import Executor, Work
from kibitz.rollout.files import differences, load
from kibitz.rollout.job import OUR_EVALUATOR, Candidate, Job, names_of
from kibitz.rollout.rollout import Rollout
from kibitz.rollout.settings import Plies, Preset, RolloutSettings, StopRule
from kibitz.state import State

if TYPE_CHECKING:
    from kibitz import _core


class RunOptions(TypedDict, total=False):
    """How far a rollout goes and where its games are played: what `Rollout.extend` takes."""

    trials: int | None
    games: range | None
    stop: StopRule | None
    executor: Executor | None
    threads: int | None
    progress: Callable[[Rollout], object] | None
    cancellation: Cancellation | None
    save: Path | str | None


class RolloutOptions(RunOptions, total=False):
    """What `Engine.rollout` takes besides the position: candidates, preset, `RolloutSettings` and how far to go."""

    match: MatchState | None
    top: int
    play: Plays
    cube: bool
    preset: str
    luck: _core.Evaluator | None
    seed: int | None
    cubeful: bool | None
    variance_reduction: bool | None
    stratified: bool | None
    generator: str | None
    plies: Plies | int | tuple[int, int] | None
    opponent: Plies | int | tuple[int, int] | None
    late_after: int | None
    late: Plies | int | tuple[int, int] | None
    late_opponent: Plies | int | tuple[int, int] | None
    cubeful_plays: bool | None
    opponent_cubeful_plays: bool | None
    opponent_filter: str | MoveFilter | None
    opponent_pruning: bool | None
    opponent_noise: float | None
    opponent_noise_seed: int | None
    pruning: bool | None
    noise: float | None
    noise_seed: int | None
    truncate: int | None
    truncation_plies: int | None
    stop_at_tables: bool | None
    luck_plies: int | None
    luck_replies: int | None
    shortlist: int | None
    shortlist_gap: float | None
    filter: str | MoveFilter | None
    replies: int | None
    last_replies: int | None


def run(engine: Engine, state: State, options: RolloutOptions) -> Rollout:
    """See Engine.rollout."""
    given: dict[str, Any] = dict(options)
    asked = {name: given.pop(name) for name in ("top", "play", "cube", "luck") if name in given}
    going = {name: given.pop(name) for name in RunOptions.__annotations__ if name in given}
    preset = Preset.of(given.pop("preset", "standard"))
    rollout = prepare(engine, state, preset.settings.changed(**given), **asked)
    path = going.get("save")
    if path is not None and Path(path).exists():
        rollout = resumed(rollout, Path(path))
    if going.get("trials") is None and going.get("games") is None:
        going["trials"] = preset.trials
    going["stop"] = going.get("stop") or preset.stop
    if going.get("threads") is None:
        going["threads"] = engine.settings.threads
    return rollout.extend(**going)


def prepare(
    engine: Engine,
    state: State,
    settings: RolloutSettings | None = None,
    *,
    top: int = 5,
    play: Plays = (),
    cube: bool = True,
    luck: _core.Evaluator | None = None,
) -> Rollout:
    """A rollout of which no game has been played yet.

    With dice, the candidates are the `top` plays by the engine, or exactly those named by `play`. Without, they are not
    doubling and doubling, if the player on roll may double and the rollout is cubeful; `cube=False` asks for the
    position's own value, with doubles from the first turn on.
    """
    match = state.match
    if state.position.is_over:
        raise EngineError("the game is over: there is nothing to roll out")
    settings = settings or RolloutSettings()
    if state.dice is not None:
        candidates = _plays(engine, state, settings, top, play)
    else:
        candidates = _cube(engine, state, settings, cube)
    if over := [one.name for one in candidates if one.position.is_over]:
        raise EngineError(f"the game is over after {over[0]}: there is nothing to roll out")
    rows = None
    if not match.is_money:
        table = engine.met.reaching(max(match.my_away, match.their_away))
        rows = (table.pre_crawford, table.post_crawford)
    job = Job(
        candidates=tuple(candidates),
        settings=settings,
        nets=engine.nets,
        net_names=(OUR_EVALUATOR,) if engine.has_own_evaluator else names_of(engine.nets or SHIPPED),
        tables=tables_in_use().identity,
        met_name="" if rows is None else engine.met.name,
        met_rows=rows,
        state=state,
    )
    return Rollout(Work(job, engine.evaluator if engine.has_own_evaluator else None, luck))


def resumed(fresh: Rollout, path: Path) -> Rollout:
    """The rollout in a file, if it is the same one."""
    old = load(path, fresh.job.nets)
    if found := differences(fresh.job.identity(), old.job.identity(), ("here", "in the file")):
        raise EngineError(f"{path} holds a rollout of other settings: {'; '.join(found)}")
    again = Rollout(fresh.work, tally=old.tally, ranges=old.ranges)
    again.seconds = old.seconds
    return again


def _plays(engine: Engine, state: State, settings: RolloutSettings, top: int, named: Plays) -> list[Candidate]:
    assert state.dice is not None
    plays = named_plays(named, state.position, state.dice)
    if not plays:
        if top < 1:
            raise EngineError(f"expected at least one play to roll out, not {top}")
        plays = [one.play for one in engine.rank(state, cubeful=settings.cubeful)[:top]]
    if not plays:
        raise EngineError(f"no checker can move with {state.dice}: there is no play to roll out")
    if len({one.result for one in plays}) < len(plays):
        raise EngineError("the same play was named twice")
    return [Candidate(str(one), one.result, mine=False, play=one) for one in plays]


def _cube(engine: Engine, state: State, settings: RolloutSettings, cube: bool) -> list[Candidate]:
    model = engine.model(state.match, cubeful=settings.cubeful)
    if not (cube and settings.cubeful and model.doubled(model.present, 0) >= 0):
        return [Candidate("position", state.position)]
    word = "double" if state.match.cube.owner is Owner.CENTRED else "redouble"
    return [
        Candidate(f"no {word}", state.position, may_double=False),
        Candidate(f"{word}, take", state.position, taken=True),
    ]
