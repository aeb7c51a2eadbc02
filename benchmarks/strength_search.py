"""How strong the search is: plays and cube actions that gnubg judged at 4 plies, and published opening plays.

    python benchmarks/strength_search.py [--plies 0 1 2] [--plays 2000] [--cubes 1500] [--nets FOLDER]

The material lies beside the repository (or where KIBITZ_SHARED says); without it there is nothing to do. Plays are
scored by the cubeless equity lost among the plays that were judged at 4 plies, in thousandths of a point; cube actions
by the equity lost at the score in decisions that are close.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import resource
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure import SHARED

import kibitz
from kibitz.decision import CLOSE, OPTIONAL


@dataclass
class Score:
    """A mean loss and what it was measured on."""

    loss: float
    count: int
    agreed: float
    seconds: float

    def __str__(self) -> str:
        return f"{1000 * self.loss:7.3f}   {100 * self.agreed:5.1f} %   {self.count:5d}   {1000 * self.seconds:8.2f} ms"


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def lines(name: str, limit: int) -> list[dict[str, Any]]:
    """Evenly spread lines of a file."""
    with gzip.open(SHARED / "bench" / name, "rt") as file:
        rows = [json.loads(line) for line in file]
    step = max(1, len(rows) // limit) if limit else 1
    return rows[::step][: limit or None]


def money(chances: list[float]) -> float:
    """Cubeless money equity of win, gammon, backgammon, lose, gammon, backgammon."""
    win, gammon, backgammon, lose, lost_gammon, lost_backgammon = chances
    return win - lose + gammon - lost_gammon + backgammon - lost_backgammon


def score_plays(engine: kibitz.Engine, plies: int, rows: list[dict[str, Any]], *, at_score: bool) -> Score:
    """The loss of the engine's plays: cubeless for money, or cubeful at the score of the match."""
    loss, count, agreed, seconds = 0.0, 0, 0, 0.0
    for row in rows:
        state = kibitz.parse(f"{row['pid']}:{row['mid']}")
        judged = {}
        for notation, depth, cubeful, chances in row["moves"]:
            if depth == 4:
                worth = cubeful if at_score else money(chances)
                judged[state.position.play(notation, tuple(row["dice"]))] = worth
        if len(judged) < 2:
            continue
        start = cpu_seconds()
        ranked = engine.rank(
            state.position,
            tuple(row["dice"]),
            plies=plies,
            cubeful=at_score,
            match=state.match if at_score else None,
        )
        seconds += cpu_seconds() - start
        chosen = next(judged[one.play.result] for one in ranked if one.play.result in judged)
        best = max(judged.values())
        loss += best - chosen
        agreed += chosen == best
        count += 1
    return Score(loss / count, count, agreed / count, seconds / count)


@dataclass(frozen=True)
class JudgedCube:
    """A close cube decision with the judge's equities of the doubler."""

    state: kibitz.State
    no_double: float
    take: float
    cash: float

    def losses(self, decision: kibitz.CubeDecision) -> tuple[float, float]:
        """What the doubler and the one who answers lose by acting so."""
        doubled = min(self.take, self.cash)
        doubling = max(self.no_double, doubled) - (doubled if decision.double else self.no_double)
        return doubling, (self.take if decision.take else self.cash) - doubled


def judged_cubes(rows: list[dict[str, Any]]) -> list[JudgedCube]:
    """The decisions that are close by the judge."""
    found = []
    for row in rows:
        judge = row["cube"]
        state = kibitz.parse(f"{row['pid']}:{row['mid']}")
        no_double, take, cash = judge["No double"], judge["Double, take"], judge["Double, pass"]
        if state.offer is kibitz.Offer.DOUBLE:  # told by the one who has to answer
            no_double, take, cash = -no_double, -take, -cash
        if no_double - min(take, cash) < CLOSE:
            found.append(JudgedCube(state, no_double, take, cash))
    return found


def score_cubes(engine: kibitz.Engine, plies: int, rows: list[dict[str, Any]]) -> Score:
    """The loss of the engine's actions as doubler and as taker, in decisions that are close by the judge."""
    loss, count, agreed, seconds = 0.0, 0, 0, 0.0
    for one in judged_cubes(rows):
        start = cpu_seconds()
        decision = engine.cube(one.state.position, match=one.state.match, plies=plies)
        seconds += cpu_seconds() - start
        if not decision.available:
            continue
        losses = one.losses(decision)
        loss += sum(losses)
        agreed += max(losses) <= OPTIONAL
        count += 1
    return Score(loss / count, count, agreed / count, seconds / count)


def score_openings(engine: kibitz.Engine, plies: int) -> tuple[int, int, float]:
    """How many published best plays are ranked first, of how many, and the worst loss of the others."""
    published: dict[str, list[tuple[str, float]]] = {}
    with (SHARED / "bench" / "opening_rolls.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            published.setdefault(row["roll"], []).append((row["move"], float(row["equity"])))
    start = kibitz.Position.start()
    right, worst = 0, 0.0
    for roll, plays in published.items():
        dice = kibitz.Dice.of(roll)
        equities = {start.play(notation, dice): equity for notation, equity in plays}
        top = engine.rank(start, dice, plies=plies)[0]
        best = max(equities.values())
        lost = best - equities.get(top.play.result, min(equities.values()))
        right += lost == 0
        worst = max(worst, lost)
        if lost:
            print(f"  {roll}: {top.play} instead of {plays[0][0]}, {lost:.4f} lost")
    return right, len(published), worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--plays", type=int, default=1000, help="decisions to score; 0 for all")
    parser.add_argument("--cubes", type=int, default=2000, help="cube actions to look at; 0 for all")
    parser.add_argument("--nets", type=Path)
    parser.add_argument("--filter", default="normal")
    parser.add_argument("--replies", type=int)
    parser.add_argument("--last-replies", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", choices=["plays", "score", "cubes", "openings"])
    options = parser.parse_args()
    if not (SHARED / "bench").is_dir():
        sys.exit(f"there is no {SHARED / 'bench'}: nothing to measure")
    engine = kibitz.Engine(
        nets=options.nets,
        filter=options.filter,
        threads=options.threads,
        replies=options.replies,
        last_replies=options.last_replies,
    )
    plays, cubes = lines("decisions.jsonl.gz", options.plays), lines("cubes.jsonl.gz", options.cubes)
    wanted = [options.only] if options.only else ["plays", "score", "cubes", "openings"]
    print("what              plies   loss (m)   agreed   count   CPU a decision")
    for plies in options.plies:
        if "plays" in wanted:
            print(f"plays, cubeless   {plies}      {score_plays(engine, plies, plays, at_score=False)}", flush=True)
        if "score" in wanted:
            print(f"plays, at score   {plies}      {score_plays(engine, plies, plays, at_score=True)}", flush=True)
        if "cubes" in wanted:
            print(f"cube, close       {plies}      {score_cubes(engine, plies, cubes)}", flush=True)
        if "openings" in wanted:
            right, count, worst = score_openings(engine, plies)
            print(f"opening plays     {plies}      {right} of {count} first, {worst:.4f} lost at most", flush=True)


if __name__ == "__main__":
    main()
