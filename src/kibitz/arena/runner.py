"""Duels: many pairs of sessions with duplicate dice, in parallel, with failures kept apart and a log that can be
resumed.

A pair is a seed played twice with seats exchanged. When a player fails, the whole pair is void: the player is
restarted and the pair is begun anew, once. A pair that fails again counts as failed: it is logged and reported, and is
no part of the statistics.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kibitz import _core
from kibitz.arena.log import VERSION, DuelLog, LogWriter, pair_score
from kibitz.arena.referee import END, GAME, ROLL, Event, Luck, Session, play_session
from kibitz.arena.rules import ArenaRules
from kibitz.arena.specs import PlayerSpec
from kibitz.arena.statistics import DuelScore, Estimate, Sprt
from kibitz.cores import usable_cores
from kibitz.dice import Dice
from kibitz.errors import EngineError
from kibitz.move import Play
from kibitz.play.players import Player, PlayerError
from kibitz.position import Position

ATTEMPTS = 2
"""How often a pair is begun before it counts as failed."""
_NATIVE_CHUNK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Duel:
    """Who plays whom, under which rules, how often, and how it is measured. `processes=0` uses all cores."""

    first: PlayerSpec
    second: PlayerSpec
    rules: ArenaRules = field(default_factory=ArenaRules)
    sessions: int = 1000
    seed: int = 1
    luck: bool = True
    shortlist: int = 2
    processes: int = 0
    record: bool = False
    native: bool = True
    sprt: Sprt | None = None
    max_failures: int = 20
    seconds: float | None = None  # after which no more pairs are waited for

    def __post_init__(self) -> None:
        if self.sessions < 2:
            raise EngineError(f"a duel has at least 2 games, one for each seating, not {self.sessions}")
        if not 0 <= self.seed < 1 << 63:
            raise EngineError(f"a seed is 0 or more and below 2^63, not {self.seed}")
        if self.processes < 0:
            raise EngineError(f"processes cannot be negative: {self.processes}")

    @property
    def pairs(self) -> int:
        """How many pairs make that many sessions."""
        return (self.sessions + 1) // 2

    @property
    def workers(self) -> int:
        """How many processes or threads play."""
        return self.processes or usable_cores()

    @property
    def is_native(self) -> bool:
        """Whether both players can be refereed in C++."""
        return self.native and all(spec.native(self.rules) is not None for spec in (self.first, self.second))


@dataclass(frozen=True, slots=True)
class DuelResult:
    """What came of a duel."""

    duel: Duel
    log: DuelLog
    score: DuelScore
    seconds: float  # of this run
    played: int  # sessions of this run
    interrupted: bool = False
    verdict: str | None = None

    @property
    def rate(self) -> float:
        """Sessions per second of this run."""
        return self.played / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        sprt = self.duel.sprt
        return {
            "players": self.log.header["players"],
            "about": self.log.header["about"],
            "rules": self.duel.rules.to_dict(),
            "seed": self.duel.seed,
            "score": self.score.to_dict(),
            "sprt": None if sprt is None else sprt.to_dict(self.score.best),
            "failed_pairs": len(self.log.failures),
            "restarts": self.log.retries,
            "sessions_per_second": self.rate,
            "interrupted": self.interrupted,
        }


Lines = Generator[dict[str, Any], None, None]
"""Lines of the log, one for each pair."""

Progress = Callable[[int, int, DuelLog, float], None]
"""Called with the pairs that are done, all pairs, the log so far, and sessions per second."""


def run_duel(
    duel: Duel, *, log: Path | None = None, cluster: str | None = None, progress: Progress | None = None
) -> DuelResult:
    """Play a duel to its end, or to the verdict of the sequential test; Ctrl-C keeps what is done.

    On a Dask cluster, by its address or "local", the workers play; they need what the players need. The log is here.
    """
    writer = LogWriter(log, _header(duel))
    missing = [pair for pair in range(duel.pairs) if pair not in writer.log.pairs]
    started = time.monotonic()
    played = 0
    interrupted = False
    verdict = _verdict(duel, writer.log)
    spent = duel.seconds is not None and writer.log.seconds > duel.seconds
    if verdict is None and missing and not spent:
        source = _pairs(duel, missing) if cluster is None else _cluster_pairs(duel, missing, cluster)
        try:
            for pair in source:
                writer.add(pair)
                played += 2 * ("sessions" in pair)
                done = len(writer.log.pairs)
                if progress is not None:
                    progress(done, duel.pairs, writer.log, played / max(time.monotonic() - started, 1e-9))
                if len(writer.log.failures) > duel.max_failures:
                    last = writer.log.failures[-1]["failed"]["message"]
                    raise EngineError(f"more than {duel.max_failures} pairs failed; the last one because {last}")
                if duel.seconds is not None and writer.seconds > duel.seconds:
                    break
                if duel.sprt is not None and done % 50 == 0 and (verdict := _verdict(duel, writer.log)):
                    break
        except KeyboardInterrupt:
            interrupted = True
        finally:
            source.close()
            writer.finish()
    if verdict is None:
        verdict = _verdict(duel, writer.log)
    score = DuelScore.of(writer.log.scores(), with_luck=duel.luck)
    return DuelResult(duel, writer.log, score, time.monotonic() - started, played, interrupted, verdict)


def _verdict(duel: Duel, log: DuelLog) -> str | None:
    """What the sequential test says. It looks at the pairs in order up to the first missing one: short games end first,
    and a test on whatever is done would favour those who win quickly."""
    if duel.sprt is None:
        return None
    values = []
    for number in range(duel.pairs):
        pair = log.pairs.get(number)
        if pair is None:
            break
        if "sessions" in pair:
            score = pair_score(pair, money=duel.rules.is_money)
            values.append(score.adjusted if duel.luck else score.raw)
    return duel.sprt.verdict(Estimate.of(values))


def _header(duel: Duel) -> dict[str, Any]:
    from kibitz import __version__

    return {
        "kibitz_arena": VERSION,
        "players": [str(duel.first), str(duel.second)],
        "rules": duel.rules.to_dict(),
        "seed": duel.seed,
        "luck": {"evaluator": "kibitz 0-ply", "shortlist": duel.shortlist} if duel.luck else None,
        "about": [_about(spec, duel.rules) for spec in (duel.first, duel.second)],
        "version": __version__,
        "started": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }


def _about(spec: PlayerSpec, rules: ArenaRules) -> dict[str, Any]:
    """Name, version and settings of a player, who is started for that and closed again."""
    player = spec.make(rules)
    try:
        return player.to_dict()
    finally:
        player.close()


# --- sessions as lines of the log -------------------------------------------------------------------------------------


def _line(session: Session, first_seat: int, *, money: bool) -> dict[str, Any]:
    """A session, seen by the first player, who sits in `first_seat`."""
    result, luck = session.result, session.luck
    if first_seat == 1:
        result, luck = (-result if money else 1.0 - result), -luck
    line: dict[str, Any] = {"result": result, "luck": luck}
    for name in ("games", "turns", "doubles", "drops", "cube"):
        line[name] = getattr(session, name)
    if session.events:
        line["events"] = _plain_events(session.events, first_seat)
    return line


def _plain_events(events: list[Event], first_seat: int) -> list[list[Any]]:
    """Events with players instead of seats and plays instead of positions; what `kibitz.arena.export` reads."""
    boards = [Position.start(), Position.start()]
    plain: list[list[Any]] = []
    for kind, *values in events:
        if kind == GAME:
            scores = values[:2] if first_seat == 0 else values[1::-1]
            plain.append([kind, *scores, int(values[2])])
            boards = [Position.start(), Position.start()]
            continue
        player = values[0] if first_seat == 0 else 1 - values[0]
        if kind == ROLL:
            dice, result = Dice(values[1], values[2]), Position.from_rows(values[3])
            play = Play(boards[player], dice, result)
            steps = " ".join(f"{move.source}/{move.target}{'*' if move.hit else ''}" for move in play.moves)
            plain.append([kind, player, str(dice), steps])
            boards[1 - player], boards[player] = result, result.swapped()
        elif kind == END:
            plain.append([kind, player, values[1]])
        else:
            plain.append([kind, player])
    return plain


# --- the native way ---------------------------------------------------------------------------------------------------


def _native_pairs(duel: Duel, missing: list[int]) -> Lines:
    """Pairs from the native referee, in portions of about a second."""
    from kibitz.engine.networks import evaluator_of
    from kibitz.match_equity import MatchEquityTable

    rules = duel.rules
    first, second = duel.first.native(rules), duel.second.native(rules)
    assert first is not None and second is not None
    equity = None if rules.is_money else MatchEquityTable.default().reaching(rules.length).native
    luck_evaluator = evaluator_of() if duel.luck else None
    portion, at = 2 * duel.workers, 0
    while at < len(missing):
        numbers = missing[at : at + portion]
        before = time.monotonic()
        pairs = _core.arena_pairs(
            first=first,
            second=second,
            seed=duel.seed,
            pairs=numbers,
            length=rules.length,
            cube=rules.cube,
            jacoby=rules.jacoby,
            crawford=rules.crawford,
            equity=equity,
            luck_evaluator=luck_evaluator,
            luck_shortlist=duel.shortlist,
            keep_events=duel.record,
            threads=duel.workers,
        )
        spent = time.monotonic() - before
        at += portion
        portion = max(2, min(2 * portion, int(portion * _NATIVE_CHUNK_SECONDS / max(spent, 1e-6)), 10_000))
        for number, both in zip(numbers, pairs, strict=True):
            if not all(session[7] for session in both):
                yield {"pair": number, "failed": {"player": "", "kind": "hung", "message": "a game did not end"}}
                continue
            sessions = [_session(session) for session in both]
            lines = [_line(session, seat, money=rules.is_money) for seat, session in enumerate(sessions)]
            yield {"pair": number, "sessions": lines}


def _session(told: tuple[Any, ...]) -> Session:
    result, luck, games, turns, doubles, drops, cube, _, events = told
    return Session(result, luck, games, turns, doubles, drops, cube, events)


# --- by players, in this process or in several ------------------------------------------------------------------------


class PairPlayer:
    """Both players of a duel in one process, who play one pair after another."""

    def __init__(self, duel: Duel) -> None:
        from kibitz.engine.networks import evaluator_of

        self.duel = duel
        self.luck = Luck(evaluator_of() if duel.luck else None, duel.shortlist)
        self.players: list[Player] = []
        try:
            for spec in (duel.first, duel.second):
                self.players.append(spec.make(duel.rules))
        except BaseException:
            self.close()
            raise

    def play(self, number: int) -> dict[str, Any]:
        """The line of one pair: played, or failed."""
        failures: list[dict[str, str]] = []
        for _ in range(ATTEMPTS):
            try:
                line: dict[str, Any] = {"pair": number, "sessions": [self._session(number, seat) for seat in (0, 1)]}
                return line | ({"retries": failures} if failures else {})
            except PlayerError as failure:
                failures.append({"player": failure.player, "kind": failure.kind, "message": str(failure)})
                self._restart(failure.player)
        return {"pair": number, "failed": failures[-1], "retries": failures[:-1]}

    def close(self) -> None:
        """Close both players."""
        for player in self.players:
            with suppress(OSError):
                player.close()

    def _session(self, number: int, first_seat: int) -> dict[str, Any]:
        duel = self.duel
        players = self.players if first_seat == 0 else self.players[::-1]
        session = play_session(
            players, duel.rules, seed=duel.seed, pair=number, luck=self.luck, keep_events=duel.record
        )
        return _line(session, first_seat, money=duel.rules.is_money)

    def _restart(self, name: str) -> None:
        for player in self.players:
            if player.name == name:
                player.restart()


def _pairs(duel: Duel, missing: list[int]) -> Lines:
    return _native_pairs(duel, missing) if duel.is_native else _player_pairs(duel, missing)


def _cluster_pairs(duel: Duel, missing: list[int], cluster: str) -> Lines:
    """Pairs from the workers of a cluster."""
    from kibitz.rollout.dask_executor import DaskExecutor

    todo = list(reversed(missing))

    def cut(size: int) -> tuple[tuple[list[int]], int] | None:
        numbers = [todo.pop() for _ in range(min(size, len(todo)))]
        return ((numbers,), len(numbers)) if numbers else None

    with DaskExecutor(cluster) as executor:
        for lines in executor.shared_out(play_remotely, replace(duel, processes=1), cut):
            yield from lines


def play_remotely(duel: Duel, numbers: list[int]) -> list[dict[str, Any]]:
    """Some pairs of a duel in whatever process this is."""
    return list(_pairs(duel, numbers))


def _player_pairs(duel: Duel, missing: list[int]) -> Lines:
    if duel.workers == 1 or len(missing) == 1:
        return _alone(duel, missing)
    from kibitz.arena.workers import shared_pairs

    return shared_pairs(replace(duel, processes=min(duel.workers, len(missing))), missing)


def _alone(duel: Duel, missing: list[int]) -> Lines:
    pairs = PairPlayer(duel)
    try:
        for number in missing:
            yield pairs.play(number)
    finally:
        pairs.close()
