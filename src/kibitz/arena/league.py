"""A league: everybody against everybody else, and what came of each pair."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from kibitz.arena.runner import Duel, DuelResult, Progress, run_duel
from kibitz.arena.specs import PlayerSpec
from kibitz.errors import EngineError


@dataclass(frozen=True, slots=True)
class League:
    """The results of all pairs of players."""

    players: tuple[PlayerSpec, ...]
    results: dict[tuple[int, int], DuelResult]

    @property
    def is_money(self) -> bool:
        """Whether every game stands for itself."""
        return next(iter(self.results.values())).duel.rules.is_money

    def value(self, first: int, second: int) -> float | None:
        """What the first player of a pair scored a game, luck-adjusted where it was measured."""
        if (first, second) in self.results:
            return self.results[first, second].score.best.mean
        if (second, first) in self.results:
            mean = self.results[second, first].score.best.mean
            return -mean if self.is_money else 1.0 - mean
        return None

    def order(self) -> list[int]:
        """The players, best mean score first."""
        return sorted(range(len(self.players)), key=lambda one: -self.mean(one))

    def mean(self, player: int) -> float:
        """The mean score against all others."""
        values = [self.value(player, other) for other in range(len(self.players)) if other != player]
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if known else 0.0

    def rows(self) -> list[list[str]]:
        """Heading and rows of cells: number, name, score against each other player, mean."""
        order = self.order()
        rows = [["", "player", *(str(place) for place in range(1, len(order) + 1)), "mean"]]
        for place, player in enumerate(order, start=1):
            cells = [self._cell(self.value(player, other)) for other in order]
            rows.append([str(place), self.players[player].label, *cells, self._cell(self.mean(player))])
        return rows

    def _cell(self, value: float | None) -> str:
        if value is None:
            return "·"
        return f"{value:+.3f}" if self.is_money else f"{100 * value:.1f}%"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "players": [str(player) for player in self.players],
            "order": self.order(),
            "duels": [result.to_dict() for result in self.results.values()],
        }


def play_league(
    players: Sequence[PlayerSpec],
    duel: Duel,
    *,
    folder: Path | None = None,
    progress: Callable[[Duel], Progress | None] = lambda _: None,
) -> League:
    """Play every pair of a list under the settings of `duel`; with a folder, each pair has its log there."""
    if len(players) < 2 or len(set(players)) != len(players):
        raise EngineError("a league needs two players or more, all different")
    results = {}
    for (number, first), (other, second) in combinations(enumerate(players), 2):
        one = replace(duel, first=first, second=second)
        log = None if folder is None else folder / f"{log_name(one)}.jsonl"
        result = run_duel(one, log=log, progress=progress(one))
        if result.interrupted:
            raise KeyboardInterrupt
        results[number, other] = result
    return League(tuple(players), results)


def log_name(duel: Duel) -> str:
    """A file name that tells one duel from every other."""
    rules = duel.rules
    kind = "money" if rules.is_money else f"match{rules.length}"
    words = [str(duel.first), "vs", str(duel.second), kind]
    words += [] if rules.cube else ["cubeless"]
    words += ["jacoby"] if rules.jacoby else []
    words += [f"seed{duel.seed}"]
    return re.sub(r"[^\w.=-]+", "-", "-".join(words)).strip("-")[:180]
