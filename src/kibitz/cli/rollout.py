"""`kibitz rollout`: what games played from a position say of its plays or its cube."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import JsonOption, print_json, read_state
from kibitz.cli.neural import MetOption, NetsOption, TablesOption, VariantOption, make_engine
from kibitz.errors import EngineError, NotationError

if TYPE_CHECKING:
    from kibitz.rollout.executors import Executor
    from kibitz.rollout.rollout import Rollout
    from kibitz.rollout.settings import Preset, RolloutSettings, StopRule

PRESET_NAMES = "quick, standard, world-class, roller, roller+, roller++"


def rollout(
    position: Annotated[
        str | None,
        typer.Argument(metavar="POSITION", help="As in kibitz hint.", show_default=False),
    ] = None,
    dice: Annotated[
        str | None,
        typer.Argument(metavar="DICE", help="A roll such as 31, for plays; by default POSITION's.", show_default=False),
    ] = None,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="PRESET",
            help=f"One of {PRESET_NAMES}.",
            autocompletion=lambda: PRESET_NAMES.split(", "),
        ),
    ] = "standard",
    trials: Annotated[int | None, typer.Option("--trials", min=1, help="Games; rounded up to groups of 36.")] = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="A:B", help="Games A to B - 1 instead, to be merged later.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Another seed, other dice.")] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How many plays, the best by a look without rollout.")] = 5,
    play: Annotated[
        list[str] | None, typer.Option("--play", metavar="PLAY", help="A play such as '8/5 6/5'; may be repeated.")
    ] = None,
    cube: Annotated[bool, typer.Option(help="Weigh no double against double.")] = True,
    cubeful: Annotated[bool | None, typer.Option("--cubeful/--cubeless", help="With or without the cube.")] = None,
    plies: Annotated[int | None, typer.Option("--plies", min=0, help="Plies of both sides, plays and cube.")] = None,
    cube_plies: Annotated[int | None, typer.Option("--cube-plies", min=0, help="Plies of cube decisions.")] = None,
    opponent_plies: Annotated[
        int | None, typer.Option("--opponent-plies", min=0, help="Plies of the opponent.")
    ] = None,
    opponent_cube_plies: Annotated[
        int | None, typer.Option("--opponent-cube-plies", min=0, help="Those of its cube decisions.")
    ] = None,
    late_after: Annotated[int | None, typer.Option("--late-after", min=1, help="From this turn on ...")] = None,
    late_plies: Annotated[int | None, typer.Option("--late-plies", min=0, help="... these plies.")] = None,
    truncate: Annotated[
        int | None, typer.Option("--truncate", min=0, help="End games after so many turns; 0 for never.")
    ] = None,
    truncation_plies: Annotated[
        int | None, typer.Option("--truncation-plies", min=0, help="How deep to look where games are truncated.")
    ] = None,
    luck_plies: Annotated[int | None, typer.Option("--luck-plies", min=0, help="How deep to look for luck.")] = None,
    stop_at_tables: Annotated[
        bool | None, typer.Option("--stop-at-tables/--play-on", help="End games where a table knows their value.")
    ] = None,
    filter: Annotated[str | None, typer.Option("--filter", help="The move filter of looks ahead, as in hint.")] = None,
    opponent_filter: Annotated[str | None, typer.Option("--opponent-filter", help="That of the opponent.")] = None,
    pruning: Annotated[
        bool | None,
        typer.Option("--pruning/--no-pruning", help="A cheap look at plays first, or a real evaluation of all."),
    ] = None,
    opponent_pruning: Annotated[
        bool | None, typer.Option("--opponent-pruning/--no-opponent-pruning", help="That of the opponent.")
    ] = None,
    noise: Annotated[float | None, typer.Option("--noise", min=0, max=1, help="Errors in each chance.")] = None,
    opponent_noise: Annotated[
        float | None, typer.Option("--opponent-noise", min=0, max=1, help="Those of the opponent.")
    ] = None,
    noise_seed: Annotated[
        int | None, typer.Option("--noise-seed", min=-1, help="The errors follow from it; -1: from chance.")
    ] = None,
    opponent_noise_seed: Annotated[
        int | None, typer.Option("--opponent-noise-seed", min=-1, help="That of the opponent.")
    ] = None,
    cubeful_plays: Annotated[
        bool | None,
        typer.Option("--cubeful-plays/--cubeless-plays", help="Plays chosen for the cube, or as if it were dead."),
    ] = None,
    opponent_cubeful_plays: Annotated[
        bool | None,
        typer.Option("--opponent-cubeful-plays/--opponent-cubeless-plays", help="Those of the opponent."),
    ] = None,
    met: MetOption = None,
    nets: NetsOption = None,
    luck: Annotated[bool | None, typer.Option("--luck/--no-luck", help="Variance reduction by luck.")] = None,
    generator: Annotated[
        str | None,
        typer.Option("--generator", help="Where rolls come from: counter, or numpy's pcg64 or mt19937."),
    ] = None,
    quasi_random: Annotated[
        bool | None, typer.Option("--quasi-random/--random", help="Spread the first rolls evenly.")
    ] = None,
    error: Annotated[float | None, typer.Option("--error", help="Stop at this standard error.")] = None,
    separation: Annotated[
        float | None, typer.Option("--separation", help="Stop when the best is ahead by so many joint standard errors.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--time", metavar="SECONDS", help="Stop after so long.")] = None,
    variant: VariantOption = None,
    tables: TablesOption = None,
    threads: Annotated[int, typer.Option("--threads", min=0, help="Cores to use; 0 for all.")] = 0,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask cluster: tcp://..., or local.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Keep the state here; go on from it if it exists.")
    ] = None,
    merge: Annotated[
        list[Path] | None, typer.Option("--merge", metavar="FILE", help="Add up saved rollouts; may be repeated.")
    ] = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="Tell how games ended, at which cube, and doubles taken and passed.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Roll out the plays of a roll, or the cube action: the mean of many games, with its error."""
    if merge:
        if position is not None:
            raise EngineError("expected either a position to roll out or files to merge, not both")
        _finish(_merged(merge, save), json, counts)
        return
    from kibitz.rollout.run import prepare, resumed
    from kibitz.rollout.settings import Preset

    base = Preset.of(preset)
    settings = _settings(
        base,
        {
            "plies": plies,
            "cube": cube_plies,
            "opponent": opponent_plies,
            "opponent_cube": opponent_cube_plies,
            "late": late_plies,
        },
        truncate,
        seed=seed,
        cubeful=cubeful,
        late_after=late_after,
        variance_reduction=luck,
        stratified=quasi_random,
        generator=generator,
        truncation_plies=truncation_plies,
        luck_plies=luck_plies,
        stop_at_tables=stop_at_tables,
        filter=filter,
        opponent_filter=opponent_filter,
        pruning=pruning,
        opponent_pruning=opponent_pruning,
        noise=noise,
        opponent_noise=opponent_noise,
        noise_seed=noise_seed,
        opponent_noise_seed=opponent_noise_seed,
        cubeful_plays=cubeful_plays,
        opponent_cubeful_plays=opponent_cubeful_plays,
    )
    if position is None:
        if settings != base.settings:
            raise EngineError("the file says how its games are played: expected a POSITION beside other settings")
        started = _kept(save, nets, tables)
    else:
        started = prepare(
            make_engine(threads=threads, tables=tables, met=met, nets=nets),
            read_state(position, dice, variant),
            settings,
            top=top,
            play=tuple(play or ()),
            cube=cube,
        )
        if save is not None and save.exists():
            started = resumed(started, save)
    wanted = _games(games)
    rule = _rule(base.stop, error, separation, seconds)
    number = None if wanted is not None else trials or base.trials
    with _executor(cluster) as executor, _live(started, number, wanted) as progress:
        started.extend(
            number, games=wanted, stop=rule, executor=executor, threads=threads, progress=progress, save=save
        )
    _finish(started, json, counts)


def _kept(save: Path | None, nets: Path | None, tables: list[Path] | None) -> Rollout:
    """The rollout that a file holds, to go on with what the file says."""
    from kibitz.rollout.files import load

    if save is None or not save.exists():
        raise NotationError("expected a POSITION to roll out, a --save FILE to go on with, or --merge FILE")
    if tables:
        from kibitz.bearoff.in_use import use_tables

        use_tables(tables)
    return load(save, nets)


def _settings(base: Preset, depths: dict[str, int | None], truncate: int | None, **changes: Any) -> RolloutSettings:
    """The preset's settings with what was asked for instead."""
    from kibitz.rollout.settings import Plies

    settings = base.settings

    def chosen(usual: Plies, play: int | None, cube: int | None) -> Plies | None:
        """One number counts for plays and cube, unless the cube has its own."""
        if play is None:
            return None if cube is None else replace(usual, cube=cube)
        return Plies(play, play if cube is None else cube)

    play = depths["plies"]
    mine = changes["plies"] = chosen(settings.plies, play, depths["cube"])
    theirs = settings.opponent or mine or settings.plies
    changes["opponent"] = chosen(theirs, depths["opponent"], depths["opponent_cube"])
    changes["late"] = None if depths["late"] is None else Plies.of(depths["late"])
    if play is not None and changes["late_after"] is None and depths["late"] is None:
        settings = replace(settings, late_after=None, late=None)  # one depth was asked for: it counts to the end
    if truncate == 0:
        settings = replace(settings, truncate=None)
    return settings.changed(truncate=truncate or None, **changes)


def _finish(done: Rollout, json: bool, counts: bool) -> None:
    if not done.trials:
        raise EngineError("no game was finished, so there is nothing to tell")
    if json:
        print_json(done.to_dict())
    else:
        from kibitz.rollout.report import text

        print(text(done, counts=counts))
    if done.stopped == "interrupted":
        raise typer.Exit(130)


def _merged(files: list[Path], save: Path | None) -> Rollout:
    from kibitz.rollout.rollout import Rollout

    first, *others = [Rollout.load(path) for path in files]
    merged = first.merge(*others)
    if save is not None:
        if save.exists() and save.resolve() not in {path.resolve() for path in files}:
            raise EngineError(f"{save} exists already; expected a new file, or one of those that are merged")
        merged.save(save)
    return merged


def _games(text: str | None) -> range | None:
    if text is None:
        return None
    try:
        first, last = map(int, text.split(":"))
    except ValueError:
        raise NotationError(f"games are given as A:B, such as 1296:2592, not {text!r}") from None
    return range(first, last)


def _rule(rule: StopRule, error: float | None, separation: float | None, seconds: float | None) -> StopRule:
    return replace(
        rule,
        error=rule.error if error is None else error,
        separation=rule.separation if separation is None else separation,
        seconds=rule.seconds if seconds is None else seconds,
    )


@contextmanager
def _executor(cluster: str | None) -> Iterator[Executor | None]:
    if cluster is None:
        yield None
        return
    from kibitz.rollout.dask_executor import DaskExecutor

    with DaskExecutor(cluster) as executor:
        yield executor


@contextmanager
def _live(started: Rollout, trials: int | None, games: range | None) -> Iterator[Callable[[Rollout], object] | None]:
    """A table that grows while the games are played, on stderr and only if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live

    begun, before = time.monotonic(), started.trials
    goal = trials if games is None else before + len(games)
    with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:

        def show(now: Rollout) -> None:
            live.update(_screen(now, goal or 0, now.trials - before, time.monotonic() - begun))

        yield show


def _screen(now: Rollout, goal: int, played: int, seconds: float) -> Any:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    from kibitz.rollout.report import error_bars

    results = now.results
    if not results:
        return ""
    table = Table(box=None, pad_edge=False)
    for name in ("", "equity", "± se", "behind", "± joint", ""):
        table.add_column(name, justify="left" if not name else "right", no_wrap=True)
    for one, bar in zip(results, error_bars(results), strict=True):
        behind = ("", "") if one.difference == 0 else (f"{one.difference:+.4f}", f"{one.joint_error:.4f}")
        table.add_row(one.name, f"{one.equity:+.4f}", f"{one.standard_error:.4f}", *behind, bar)
    left = seconds / played * max(goal - now.trials, 0) if played else 0.0
    words = (
        f"{now.trials:,} of {goal:,} trials, {int(left // 60)}:{int(left % 60):02d} left; Ctrl-C stops and keeps them"
    )
    line = Table.grid()  # a bar by itself does not end its line
    line.add_row(ProgressBar(total=max(goal, 1), completed=now.trials, width=60))
    return Group(table, line, words)
