"""How far explanations can be trusted: signs against rollouts, shares of real errors, time.

    python benchmarks/explain_pairs.py --rollouts rollouts.jsonl.gz --matches FOLDER

The rollouts are lines as bgsage's benchmark has them: `pid`, `dice`, `cube`, `away`, `moves` with the position after
each play, its equity, "R" where it was rolled out, and the standard error. The errors are plays in match files that
lost 0.05 and more, by the verdict in the file where it holds one, else by the engine's.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz import Cube, MatchState, Owner, Position
from kibitz.dice import Dice
from kibitz.engine.engine import Engine
from kibitz.errors import KibitzError
from kibitz.explain.facts import facts_of
from kibitz.explain.ledger import Ledger, RollClass, account
from kibitz.explain.plays import PlayExplanation, explain_pair
from kibitz.explain.themes import Theme
from kibitz.formats import load
from kibitz.record import Moment, Roll
from kibitz.state import State

LEAST_ERROR = 0.05
OWNERS = {"c": Owner.CENTRED, "me": Owner.MINE, "opp": Owner.THEIRS}


def match_of(line: dict[str, Any]) -> MatchState:
    """Score and cube of a line of the benchmark."""
    cube = Cube(line["cube"][0], OWNERS[line["cube"][1]])
    if "away" not in line:
        return MatchState(cube=cube, beavers=True)
    mine, theirs = line["away"]
    length = max(mine, theirs)
    return MatchState(length, length - mine, length - theirs, cube, crawford=bool(line.get("crawford")))


def rolled_out_pairs(path: Path, least: float) -> Iterator[tuple[State, Position, Position, float]]:
    """The best rolled-out play of each decision beside each worse one that was rolled out too."""
    with gzip.open(path, "rt") as lines:
        for text in lines:
            line = json.loads(text)
            if line["kind"] != "checker":
                continue
            judged = sorted((move for move in line["moves"] if move[2] == "R"), key=lambda move: -move[1])
            state = State(Position.from_id(line["pid"]), match_of(line), Dice(*line["dice"]))
            for other in judged[1:]:
                gap = judged[0][1] - other[1]
                if gap >= least:
                    yield state, Position.from_id(judged[0][0]), Position.from_id(other[0]), gap


def signs(engine: Engine, path: Path, limit: int, seed: int) -> None:
    """Whether the ledger has the rollouts' sign, and what the rolls that hit carry beside their null."""
    pairs = list(rolled_out_pairs(path, 0.02))
    random.Random(seed).shuffle(pairs)
    pairs = pairs[:limit]
    right: Counter[tuple[int, bool]] = Counter()
    shares: dict[RollClass, list[tuple[float, float]]] = {}
    errors = []
    for state, best, other, gap in pairs:
        for plies in (1, 2):
            ledger = Ledger(*(account(engine, after, state.match, plies) for after in (best, other)))
            right[plies, gap < 0.05] += ledger.difference > 0
        errors.append(ledger.difference - gap)
        if ledger.difference > 0:
            for kind, share in ledger.classes().items():
                shares.setdefault(kind, []).append((share.share, share.chance_share))
    small = sum(gap < 0.05 for *_, gap in pairs)
    for plies in (1, 2):
        below, above = right[plies, True] / max(small, 1), right[plies, False] / max(len(pairs) - small, 1)
        both = (right[plies, True] + right[plies, False]) / len(pairs)
        print(
            f"ledger at {plies} plies: {100 * both:.1f} % of {len(pairs)} rolled-out pairs with a gap of 0.02 and more "
            f"have the sign ({100 * below:.1f} % of {small} below 0.05, {100 * above:.1f} % above)"
        )
    print(f"error of the gap at 2 plies: rms {statistics.pstdev(errors):.4f}, mean {statistics.mean(errors):+.4f}")
    for kind, found in shares.items():
        said, chance = (100 * statistics.median(column) for column in zip(*found, strict=True))
        print(f"  {kind.value}: median {said:.0f} % of the gap, by chance {chance:.0f} % ({len(found)} pairs)")


def direction_holds(explanation: PlayExplanation) -> bool:
    """Whether the first reason names a fact in which the boards differ as it says, counted anew."""
    reason = explanation.reasons.named[0]
    here, there = (explanation.first, explanation.second)[:: 1 if reason.favours == 0 else -1]
    if reason.contrast is not None:
        measure = reason.contrast.measure
        facts_of.cache_clear()
        return measure.oriented(facts_of(here.play.result)) > measure.oriented(facts_of(there.play.result))
    if reason.theme is Theme.WORSE_HIT:
        return bool(reason.figures["cost"] > reason.figures["spared"])
    less = reason.theme in (Theme.SAFETY, Theme.PAY_LATER, Theme.HOLD, Theme.DENY, Theme.DUPLICATION)
    value, other = reason.figures["value"], reason.figures["other_value"]
    return bool(value < other) if less else bool(value > other)


@dataclass(frozen=True)
class Mistake:
    """A play that was made in a match, and the better one."""

    state: State
    best: Position
    played: Position


def mistakes(engine: Engine, folder: Path, limit: int, seed: int) -> list[Mistake]:
    """Plays that lost 0.05 and more, first those that files judge, then those that the engine judges."""
    judged: list[Mistake] = []
    moments: list[Moment] = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        try:
            match = load(path)
        except KibitzError:
            continue
        for moment in match.moments():
            action = moment.action
            if not isinstance(action, Roll) or moment.play is None or moment.state.dice is None:
                continue
            if action.analysis is None or not action.analysis.plays:
                moments.append(moment)
                continue
            plays = {entry.play.result: entry.equity for entry in action.analysis.plays}
            best, played = max(plays, key=lambda result: plays[result]), moment.play.result
            if played in plays and plays[best] - plays[played] >= LEAST_ERROR:
                judged.append(Mistake(moment.state, best, played))
    print(f"{len(judged)} errors by the verdict in the file")
    random.Random(seed).shuffle(moments)
    for moment in moments:
        if len(judged) >= limit:
            break
        found = _mistake(engine, moment)
        if found is not None:
            judged.append(found)
    return judged[:limit]


def _mistake(engine: Engine, moment: Moment) -> Mistake | None:
    """The error of a moment by the engine's verdict, if it is one."""
    assert moment.play is not None
    quick = engine.rank(moment.state, plies=0)
    played = quick.find(moment.play)
    if played is None or quick[0].equity - played.equity < LEAST_ERROR / 2:
        return None
    ranked = engine.rank(moment.state, play=[moment.play])
    played = ranked.find(moment.play)
    if played is None or ranked[0].equity - played.equity < LEAST_ERROR:
        return None
    return Mistake(moment.state, ranked[0].play.result, played.play.result)


def real_errors(engine: Engine, found: list[Mistake]) -> None:
    """What the named themes explain of real errors, whether the first sentence holds, and the time it takes."""
    explained, named, times, kept = [], [], [], []
    themes: Counter[str] = Counter()
    silent = count = agreed = 0
    for mistake in found:
        ranked = engine.rank(mistake.state, plies=0)
        plays = [ranked.find(result) for result in (mistake.best, mistake.played)]
        if None in plays:
            continue
        decision = engine.rank(mistake.state, play=[one.play for one in plays if one is not None])
        best, played = (decision.find(result) for result in (mistake.best, mistake.played))
        assert best is not None and played is not None
        count += 1
        if best.equity <= played.equity:
            continue  # the engine does not share the verdict
        agreed += 1
        engine.clear_cache()
        facts_of.cache_clear()
        start = time.process_time()
        explanation = explain_pair(engine, decision, best, played)
        words = explanation.words
        times.append(1000 * (time.process_time() - start))
        assert words
        if explanation.too_close or not explanation.reasons.named:
            silent += 1
            explained.append(0.0)
            continue
        explained.append(explanation.reasons.explained)
        named.append(direction_holds(explanation))
        themes[explanation.reasons.named[0].theme.value] += 1
        kept.append(deeper_share(engine, explanation))
    print(f"{count} real errors; the engine shares the verdict in {agreed}; silent in {silent}")
    print(f"named themes explain {100 * statistics.mean(explained):.1f} % on average (silence counts 0)")
    print(f"the first sentence holds in {100 * statistics.mean(named):.1f} % of those that have one")
    said, deeper = zip(*(pair for pair in kept if pair is not None), strict=True)
    print(
        f"named rolls: said to carry {100 * statistics.median(said):.0f} % of the gap, one ply deeper they carry "
        f"{100 * statistics.median(deeper):.0f} % (medians of {len(said)}), "
        f"correlation {statistics.correlation(said, deeper):.2f}"
    )
    times = sorted(times[1:])  # the first one loads what all share
    print(
        f"time: {statistics.mean(times):.1f} ms on average, 99 in 100 within {times[99 * len(times) // 100]:.1f} ms, "
        f"{times[-1]:.1f} ms at most (CPU, one thread, nothing remembered)"
    )
    print("first themes:", ", ".join(f"{theme} {number}" for theme, number in themes.most_common()))


def deeper_share(engine: Engine, explanation: PlayExplanation) -> tuple[float, float] | None:
    """The share that the first named rolls were said to carry, and the share that they carry one ply deeper."""
    share = next((reason.rolls for reason in explanation.reasons.named if reason.rolls is not None), None)
    if share is None or explanation.played_on:
        return None
    match, plies = explanation.state.match, explanation.ledger.plies + 1
    plays = (explanation.first, explanation.second)
    ledger = Ledger(*(account(engine, entry.play.result, match, plies) for entry in plays))
    return (share.share, ledger.share(share.rolls).share) if ledger.difference > 0.02 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rollouts", type=Path)
    parser.add_argument("--matches", type=Path, help="a folder of match files")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    engine = Engine(threads=1, plies=given.plies)
    if given.rollouts:
        signs(engine, given.rollouts, given.limit, given.seed)
    if given.matches:
        real_errors(engine, mistakes(engine, given.matches, given.limit, given.seed))


if __name__ == "__main__":
    main()
