"""kibitz arena: engines play each other, and the statistics say who is stronger."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from kibitz.cli.common import ClusterOption, JsonOption, print_json
from kibitz.cli.streams import tell

if TYPE_CHECKING:
    from kibitz.arena.league import League
    from kibitz.arena.log import DuelLog
    from kibitz.arena.rules import ArenaRules
    from kibitz.arena.runner import Duel, DuelResult, Progress


class _DuelByDefault(TyperGroup):
    """`kibitz arena A B` is `kibitz arena duel A B`."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["duel", *args]
        return super().parse_args(ctx, args)


arena = typer.Typer(
    cls=_DuelByDefault,
    no_args_is_help=True,
    help="Let engines play each other: PLAYER PLAYER, or league, publish, export.",
)

PlayerArgument = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER", help="kibitz:2, kibitz:beginner, gnubg:0, bgsage, tabula, ten-factor, random, ubgi:COMMAND."
    ),
]
GamesOption = Annotated[int, typer.Option("--games", "-n", min=2, help="Money games, or matches, to play.")]
LengthOption = Annotated[int, typer.Option("--match", min=0, help="Matches of so many points; 0 plays money games.")]
CubelessOption = Annotated[bool, typer.Option("--cubeless", help="Without the cube; gammons count.")]
JacobyOption = Annotated[bool, typer.Option("--jacoby/--no-jacoby", help="The Jacoby rule in money games.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The dice follow from it.")]
LuckOption = Annotated[bool, typer.Option("--luck/--no-luck", help="Measure luck, for results without it.")]
ProcessesOption = Annotated[int, typer.Option("--processes", min=0, help="Games at the same time; 0 for all cores.")]


@arena.command()
def duel(
    first: PlayerArgument,
    second: PlayerArgument,
    games: GamesOption = 1000,
    length: LengthOption = 0,
    cubeless: CubelessOption = False,
    jacoby: JacobyOption = True,
    seed: SeedOption = 1,
    luck: LuckOption = True,
    processes: ProcessesOption = 0,
    log: Annotated[Path | None, typer.Option("--log", help="A log to write, or to go on with.")] = None,
    mat: Annotated[Path | None, typer.Option("--mat", help="A folder for the games as .mat files.")] = None,
    record: Annotated[bool, typer.Option("--record", help="Keep the games in the log.")] = False,
    sprt: Annotated[
        str | None, typer.Option("--sprt", metavar="H0,H1", help="Stop once one mean (ppg, match wins) is accepted.")
    ] = None,
    alpha: Annotated[float, typer.Option("--alpha", help="Chance to accept H1 wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option("--beta", help="Chance to accept H0 wrongly.")] = 0.05,
    cluster: ClusterOption = None,
    json: JsonOption = False,
) -> None:
    """Two players, with the same dice for both: who wins, by how much, and how sure that is."""
    from kibitz.arena.export import export_mat
    from kibitz.arena.runner import Duel, run_duel
    from kibitz.arena.specs import PlayerSpec
    from kibitz.arena.statistics import Sprt

    test = None if sprt is None else Sprt.parse(sprt, alpha=alpha, beta=beta)
    record = record or mat is not None
    wanted = Duel(
        PlayerSpec.parse(first),
        PlayerSpec.parse(second),
        _rules(length, cubeless, jacoby),
        sessions=games,
        seed=seed,
        luck=luck,
        processes=processes,
        record=record,
        sprt=test,
    )
    result = run_duel(wanted, log=log, cluster=cluster, progress=_progress(wanted))
    _clear_line()
    if mat is not None and result.log.scores():
        export_mat(result.log, mat)
    if json:
        print_json(result.to_dict())
    else:
        print(_summary(result))
    if result.interrupted:
        tell("interrupted; what was finished is kept" + (" in the log" if log else ""))
        raise SystemExit(130)


@arena.command()
def league(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER…", help="Two or more players.")],
    games: GamesOption = 1000,
    length: LengthOption = 0,
    cubeless: CubelessOption = False,
    jacoby: JacobyOption = True,
    seed: SeedOption = 1,
    luck: LuckOption = True,
    processes: ProcessesOption = 0,
    logs: Annotated[Path | None, typer.Option("--logs", help="A folder for one log for each pair.")] = None,
    json: JsonOption = False,
) -> None:
    """All pairs of a list, and how each player did against each other."""
    from kibitz.arena.league import play_league
    from kibitz.arena.runner import Duel
    from kibitz.arena.specs import PlayerSpec

    specs = [PlayerSpec.parse(text) for text in players]
    rules = _rules(length, cubeless, jacoby)
    pattern = Duel(specs[0], specs[-1], rules, sessions=games, seed=seed, luck=luck, processes=processes)
    found = play_league(specs, pattern, folder=logs, progress=_progress)
    _clear_line()
    if json:
        print_json(found.to_dict())
    else:
        print(_league_text(found))


@arena.command()
def publish(
    plan: Annotated[Path, typer.Argument(help="What is played, such as docs/strength.toml.")],
    output: Annotated[Path, typer.Argument(help="The page, such as docs/strength.md.")],
    logs: Annotated[
        Path, typer.Option("--logs", help="A folder for the logs; finished games are not played again.")
    ] = Path("strength-logs"),
    processes: ProcessesOption = 0,
    scale: Annotated[float, typer.Option("--scale", min=1e-6, max=1.0, help="A part of the games, for a trial.")] = 1.0,
) -> None:
    """Play the plan of published results and write their page."""
    from kibitz.arena.publish import Plan
    from kibitz.arena.publish import publish as write
    from kibitz.files import write_file

    trial = f" --scale {scale:g}" if scale < 1 else ""
    command = f"kibitz arena publish {_published(plan)} {_published(output)}{trial}"
    text = write(Plan.load(plan, processes=processes, scale=scale), folder=logs, command=command, progress=_progress)
    _clear_line()
    write_file(output, text)
    print(f"wrote {output}")


@arena.command()
def export(
    log: Annotated[Path, typer.Argument(help="A log with recorded games.")],
    folder: Annotated[Path, typer.Argument(help="Where the .mat files go.")],
) -> None:
    """The recorded games of a log as .mat files."""
    from kibitz.arena.export import export_mat
    from kibitz.arena.log import read_log
    from kibitz.errors import FormatError

    if not log.is_file():
        raise FormatError(f"there is no log {log}")
    print(f"wrote {len(export_mat(read_log(log), folder))} files to {folder}")


def _published(path: Path) -> str:
    """A path as a page may tell it: from where the command runs, else its name alone."""
    here, whole = Path.cwd(), path.resolve()
    return whole.relative_to(here).as_posix() if whole.is_relative_to(here) else path.name


def _rules(length: int, cubeless: bool, jacoby: bool) -> ArenaRules:
    from kibitz.arena.rules import ArenaRules

    return ArenaRules(length, not cubeless, jacoby)


def _progress(duel: Duel) -> Progress | None:
    """A line on stderr that tells how far a duel is, on a terminal only."""
    if not sys.stderr.isatty():
        return None
    from time import monotonic

    shown = [0.0]

    def show(done: int, total: int, log: DuelLog, rate: float) -> None:
        now = monotonic()
        if now - shown[0] < 0.5 and done < total:
            return
        shown[0] = now
        from kibitz.arena.statistics import DuelScore

        best = DuelScore.of(log.scores(), with_luck=duel.luck).best
        names = f"{duel.first.label} v {duel.second.label}"
        text = f"{names}: {2 * done:,} of {2 * total:,}  {best}  {rate:.1f}/s"
        print(f"\r{text[:79]:79}", end="", file=sys.stderr, flush=True)

    return show


def _clear_line() -> None:
    if sys.stderr.isatty():
        print("\r" + 79 * " " + "\r", end="", file=sys.stderr, flush=True)


def _summary(result: DuelResult) -> str:
    """The result of a duel in words."""
    from kibitz.arena.statistics import PAIR_CLASSES

    duel, score, log = result.duel, result.score, result.log
    what = "games" if score.money else "matches"
    unit = "ppg" if score.money else "of the matches"
    lines = [
        f"{duel.first.label} v {duel.second.label}: {duel.rules}, {score.sessions:,} {what} in pairs, seed {duel.seed}",
        f"  raw            {score.raw} {unit}",
    ]
    if score.adjusted is not None:
        lines.append(f"  luck-adjusted  {score.adjusted} {unit}  (by kibitz 0-ply, for both sides)")
    lines.append(f"  won            {score.wins:,} of {score.sessions:,} {what}")
    counts = ", ".join(
        f"{name.replace(',', '')} {count:,}" for name, count in zip(PAIR_CLASSES, score.pairs, strict=True)
    )
    lines.append(f"  pairs          {counts}")
    if duel.sprt is not None:
        low, high = duel.sprt.bounds
        ratio = duel.sprt.ratio(score.best)
        verdict = {"H0": "H0 accepted", "H1": "H1 accepted"}.get(result.verdict or "", "undecided")
        lines.append(
            f"  SPRT           H0 {duel.sprt.lower:g}, H1 {duel.sprt.upper:g}: LLR {ratio:+.2f} of "
            f"[{low:.2f}, {high:+.2f}], {verdict}"
        )
    if log.failures or log.retries:
        lines.append(f"  failures       {len(log.failures)} pairs left out, {log.retries} begun anew")
        lines += [f"    {failure['failed']['message']}" for failure in log.failures[:3]]
    lines.append(f"  speed          {result.rate:,.1f} {what}/s")
    return "\n".join(lines)


def _league_text(found: League) -> str:
    rows = found.rows()
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for number, name, *cells in rows:
        words = [number.rjust(widths[0]), name.ljust(widths[1])]
        lines.append("  ".join(words + [cell.rjust(width) for cell, width in zip(cells, widths[2:], strict=True)]))
    return "\n".join(lines)
