"""The page of published results: a plan in TOML says what is played, the logs hold it, and the page is written from
them."""

from __future__ import annotations

import platform
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kibitz.arena.league import League, log_name, play_league
from kibitz.arena.levels import LevelPoint, levels_section, load_points
from kibitz.arena.log import read_log
from kibitz.arena.rules import ArenaRules
from kibitz.arena.runner import Duel, DuelResult, Progress, run_duel
from kibitz.arena.specs import PlayerSpec
from kibitz.arena.statistics import PAIR_CLASSES, DuelScore
from kibitz.cores import usable_cores
from kibitz.errors import FormatError

_WORDS = (
    "Every pair of games has the same dice, with seats exchanged. Plus is good for the player named first. *Raw* is",
    "what was won; *luck-adjusted* has the luck of every roll taken out, for both sides, by Kibitz's own 0-ply",
    "evaluation: its mean is the same whatever that evaluation thinks, and its interval is narrower. Intervals are",
    "95 %, made of pairs. Money results are points per game; match results are shares of matches won. There are no",
    "beavers, and nobody resigns. A pair in which a player fails is played anew once; pairs that fail twice are",
    "counted and left out. The plan is in [strength.toml](strength.toml); [protocols.md](protocols.md) tells how the",
    "others are asked, and how long it takes: 20,000 games against gnubg 0-ply are three to four minutes on two free",
    "cores, games at 2-ply about a second each. Games a second below are those of the",
    "machine named at the end, with whatever else it had to do.",
)

_KEYS = {"first", "second", "games", "minutes", "length", "cube", "jacoby", "seed", "luck"}


@dataclass(frozen=True, slots=True)
class Plan:
    """What is published: duels, and a league of all pairs."""

    duels: tuple[Duel, ...]
    league: tuple[PlayerSpec, ...] = ()
    league_duel: Duel | None = None
    levels: tuple[LevelPoint, ...] = ()
    picture: str = ""

    @classmethod
    def load(cls, path: Path, *, processes: int = 0, scale: float = 1.0) -> Plan:
        """Read a plan. `scale` shortens everything, for a trial run."""
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise FormatError(f"{path}: no plan of results: {error}") from None
        duels = [_duel(entry, path, processes, scale) for entry in data.get("duel", [])]
        league = data.get("league", {})
        players = tuple(PlayerSpec.parse(text) for text in league.pop("players", []))
        league_duel = None
        if players:
            names = {"first": str(players[0]), "second": str(players[-1])}
            league_duel = _duel(league | names, path, processes, scale)
        levels = data.get("levels", {})
        points = load_points(path.parent / levels["points"]) if levels else []
        return cls(tuple(duels), players, league_duel, tuple(points), levels.get("picture", ""))


def _duel(entry: dict[str, Any], path: Path, processes: int, scale: float) -> Duel:
    unknown = set(entry) - _KEYS
    if unknown or not {"first", "second", "games"} <= set(entry):
        raise FormatError(f"{path}: a duel has first, second, games and maybe {', '.join(sorted(_KEYS))}; not {entry}")
    rules = ArenaRules(entry.get("length", 0), entry.get("cube", True), entry.get("jacoby", True))
    minutes = entry.get("minutes")
    return Duel(
        PlayerSpec.parse(entry["first"]),
        PlayerSpec.parse(entry["second"]),
        rules,
        sessions=max(int(entry["games"] * scale), 4),
        seed=entry.get("seed", 1),
        luck=entry.get("luck", True),
        processes=processes,
        seconds=None if minutes is None else 60.0 * minutes * scale,
    )


def publish(
    plan: Plan,
    *,
    folder: Path,
    command: str,
    progress: Callable[[Duel], Progress | None] = lambda _: None,
) -> str:
    """Play what the logs do not hold yet, and return the page.

    A duel that its log holds to the end is not played again, even if nets or versions have changed since: the page
    tells those of the log. To play it anew, delete the log. One whose player is not installed is left out.
    """
    results = []
    for duel in plan.duels:
        path = folder / f"{log_name(duel)}.jsonl"
        known = finished(duel, path)
        if known is None and not (duel.first.is_installed and duel.second.is_installed):
            continue
        result = known or run_duel(duel, log=path, progress=progress(duel))
        if result.interrupted:
            raise KeyboardInterrupt
        results.append(result)
    league = None
    if plan.league_duel is not None:
        league = play_league(plan.league, plan.league_duel, folder=folder, progress=progress)
    levels = levels_section(plan.levels, plan.picture) if plan.levels else []
    return page(results, league, levels, command=command)


def finished(duel: Duel, path: Path) -> DuelResult | None:
    """The result of a duel that was played to the end of its games or of its time, or None."""
    if not path.exists() or not path.stat().st_size:
        return None
    log = read_log(path)
    spent = duel.seconds is not None and log.seconds > duel.seconds
    if not spent and len(log.pairs) < duel.pairs:
        return None
    return DuelResult(duel, log, DuelScore.of(log.scores(), with_luck=log.with_luck), 0.0, 0, False, None)


def page(results: list[DuelResult], league: League | None, levels: Sequence[str] = (), *, command: str) -> str:
    """The page itself."""
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    lines = [
        "# How strong Kibitz is",
        "",
        f"Written on {today} by `{command}` from the games of its logs; do not edit it by hand.",
        "",
        *_WORDS,
        "",
        "| players | rules | games | raw | luck-adjusted | failed pairs | games/s |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    lines += [_row(result) for result in results]
    lines += ["", "Pairs, by the two games of each:", "", "| players | rules | " + " | ".join(PAIR_CLASSES) + " |"]
    lines += ["|---|---|" + "---:|" * len(PAIR_CLASSES)]
    for result in results:
        counts = " | ".join(f"{count:,}" for count in result.score.pairs)
        lines.append(f"| {_names(result)} | {result.duel.rules} | {counts} |")
    if league is not None:
        lines += ["", "## The league", "", _league_words(league), ""]
        head, *rows = league.rows()
        lines += ["| " + " | ".join(head) + " |", "|---:|---|" + "---:|" * (len(head) - 2)]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
    if levels:
        lines += ["", *levels]
    lines += ["", "## Players and settings", ""]
    lines += _settings(results, league)
    return "\n".join(lines) + "\n"


def _names(result: DuelResult) -> str:
    return f"{result.duel.first.label} v {result.duel.second.label}"


def _row(result: DuelResult) -> str:
    score, log = result.score, result.log
    raw, adjusted = str(score.raw), "" if score.adjusted is None else f"**{score.adjusted}**"
    if not score.money:
        raw, adjusted = raw.replace("+", ""), adjusted.replace("+", "")
    rate = f"{score.sessions / log.seconds:,.1f}" if log.seconds else ""
    cells = [_names(result), result.duel.rules, f"{score.sessions:,}", raw, adjusted, len(log.failures), rate]
    return "| " + " | ".join(map(str, cells)) + " |"


def _league_words(league: League) -> str:
    result = next(iter(league.results.values()))
    fewest = min(one.score.sessions for one in league.results.values())
    widest = max(one.score.best.half_width for one in league.results.values())
    what = "points per game" if league.is_money else "shares of matches won"
    return (
        f"Everybody against everybody, {fewest:,} games a pair or more, {result.duel.rules}; luck-adjusted "
        f"{what} of the row's player against the column's. The widest interval is ± {widest:.3f}."
    )


def _settings(results: list[DuelResult], league: League | None) -> list[str]:
    everything = results + (list(league.results.values()) if league else [])
    known: dict[str, str] = {}
    for result in everything:
        for spec, about in zip((result.duel.first, result.duel.second), result.log.header["about"], strict=True):
            words = [f"{name} {_plain(value)}" for name, value in about.items() if name != "player"]
            known.setdefault(spec.label, f"- {spec.label}: " + ("; ".join(words) or "default settings"))
    started = sorted(str(result.log.header["started"]) for result in everything)
    machine = f"{usable_cores()} cores, {platform.machine()}, Python {platform.python_version()}"
    when = f"- Games from {started[0]} on; written on {machine}." if started else f"- Written on {machine}."
    seeds = sorted({result.duel.seed for result in everything})
    return [*known.values(), when, f"- Seeds: {', '.join(map(str, seeds))}."]


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
