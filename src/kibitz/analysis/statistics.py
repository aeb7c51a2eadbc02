"""The statistics of a player: gnubg's whole table, Snowie's error rate and eXtreme Gammon's PR.

Errors and luck are counted twice: in normalised equity (EMG) and in the stake, which is match winning chance in a match
and points in a money game. Totals lost are positive numbers here; tables may print them as losses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from kibitz.analysis.decisions import Flaw, Kind, ReviewedDecision, RollLuck
from kibitz.analysis.marks import (
    FIBS_PERFECT,
    LuckMark,
    Mark,
    Thresholds,
    checker_rating_loss,
    cube_rating_loss,
    error_rate_name,
    luck_name,
    pr_elo,
    pr_name,
    rating_difference,
)
from kibitz.decision import CubeAction
from kibitz.plain_json import PlainData


@dataclass(frozen=True, slots=True)
class Tally(PlainData):
    """How often something happened, and what it cost in all."""

    count: int = 0
    emg: float = 0.0
    stake: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.count + other.count, self.emg + other.emg, self.stake + other.stake)

    def rate(self, over: int) -> float | None:
        """The normalised equity lost for each of so many; None for none."""
        return self.emg / over if over else None


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What a player did in a game or a match. `unit` is what stakes are: 'MWC' or 'points'."""

    unit: str
    length: int
    limits: Thresholds
    # checker play
    total_moves: int
    unforced_moves: int
    moves_of_both: int
    marked: dict[str, int]
    checker: Tally
    # dice
    rolls: int
    luck_marked: dict[str, int]
    luck: Tally
    # cube
    total_cube: int
    close_cube: int
    doubles: int
    takes: int
    passes: int
    beavers: int
    flaws: dict[str, Tally]
    cube: Tally
    cube_marked: dict[str, int]
    # eXtreme Gammon's count; a blunder is an error too
    pr_decisions: int
    pr_lost: float
    pr_factor: float
    blunders: int
    errors: int
    # the result
    actual_result: float | None
    luck_adjusted_result: float | None

    # --- rates ------------------------------------------------------------------------------------------------------

    @property
    def overall(self) -> Tally:
        """Checker play and cube together."""
        return self.checker + self.cube

    @property
    def decisions(self) -> int:
        """What gnubg divides by: unforced plays, and cube decisions that were close or made."""
        return self.unforced_moves + self.close_cube

    @property
    def checker_rate(self) -> float | None:
        """Normalised equity lost for each unforced play."""
        return self.checker.rate(self.unforced_moves)

    @property
    def cube_rate(self) -> float | None:
        """Normalised equity lost for each cube decision that was close or made."""
        return self.cube.rate(self.close_cube)

    @property
    def error_rate(self) -> float | None:
        """Normalised equity lost for each decision."""
        return self.overall.rate(self.decisions)

    @property
    def snowie_rate(self) -> float | None:
        """Snowie's error rate: normalised equity lost for each move of both players."""
        return self.overall.rate(self.moves_of_both)

    @property
    def luck_rate(self) -> float | None:
        """Luck for each roll."""
        return self.luck.rate(self.rolls)

    @property
    def pr(self) -> float | None:
        """eXtreme Gammon's performance rating: 500 times the equity lost for each decision that it counts."""
        return 500.0 * self.pr_factor * self.pr_lost / self.pr_decisions if self.pr_decisions else None

    # --- names and ratings ------------------------------------------------------------------------------------------

    @property
    def rating(self) -> str | None:
        """The name for the error rate."""
        return error_rate_name(self.error_rate)

    @property
    def pr_rating(self) -> str | None:
        """The name for the PR."""
        return pr_name(self.pr)

    @property
    def elo(self) -> float | None:
        """The Elo rating that the PR is thought to stand for."""
        return None if self.pr is None else pr_elo(self.pr)

    @property
    def checker_rating_loss(self) -> float | None:
        """FIBS rating points lost by checker play; None in money games, for which no formula is known."""
        rate = self.checker_rate
        return None if rate is None or not self.length else checker_rating_loss(rate, self.length)

    @property
    def cube_rating_loss(self) -> float | None:
        """FIBS rating points lost at the cube."""
        rate = self.cube_rate
        return None if rate is None or not self.length else cube_rating_loss(rate, self.length)

    @property
    def fibs_rating(self) -> float | None:
        """The FIBS rating that these errors stand for."""
        checker = self.checker_rating_loss
        return None if checker is None else FIBS_PERFECT - checker - (self.cube_rating_loss or 0.0)

    @property
    def luck_adjusted_rating(self) -> float | None:
        """The difference of FIBS ratings that the result stands for once the luck is taken out."""
        if self.luck_adjusted_result is None or not self.length:
            return None
        return rating_difference(0.5 + self.luck_adjusted_result, self.length)

    def marks(self, mark: Mark) -> int:
        """How many plays have this mark."""
        return self.marked.get(mark.value, 0)

    def lucky(self, mark: LuckMark) -> int:
        """How many rolls have this mark."""
        return self.luck_marked.get(mark.value, 0)

    def flaw(self, flaw: Flaw) -> Tally:
        """How often a cube action was wrong in this way, and what it cost."""
        return self.flaws.get(flaw.value, Tally())

    def __str__(self) -> str:
        pr = "no decisions" if self.pr is None else f"PR {self.pr:.2f} ({self.pr_rating})"
        totals = f"lost {self.overall.emg:.3f} EMG, luck {self.luck.emg:+.3f} EMG"
        return f"{pr}, errors {self.errors}, blunders {self.blunders}, {totals}"

    def _repr_html_(self) -> str:
        from kibitz.report.faces import statistics_html

        return statistics_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: everything counted, and all the rates and names that follow."""
        data: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, Tally | Thresholds):
                value = value.to_dict()
            elif item.name == "flaws":
                value = {name: tally.to_dict() for name, tally in value.items()}
            data[item.name] = dict(value) if isinstance(value, dict) else value
        for name in _DERIVED:
            value = getattr(self, name)
            data[name] = value.to_dict() if isinstance(value, Tally) else value
        data["checker_rating"] = error_rate_name(self.checker_rate)
        data["cube_rating"] = error_rate_name(self.cube_rate)
        data["luck_rating"] = luck_name(self.luck_rate)
        return data


_DERIVED = (
    "overall",
    "decisions",
    "checker_rate",
    "cube_rate",
    "error_rate",
    "snowie_rate",
    "luck_rate",
    "pr",
    "rating",
    "pr_rating",
    "elo",
    "checker_rating_loss",
    "cube_rating_loss",
    "fibs_rating",
    "luck_adjusted_rating",
)


def count(
    player: int,
    decisions: Iterable[ReviewedDecision],
    rolls: Iterable[RollLuck],
    *,
    length: int,
    pr_factor: float = 1.0,
    actual_result: float | None = None,
    limits: Thresholds | None = None,
) -> PlayerStatistics:
    """The statistics of a player over these decisions and rolls of both, and a result in stakes if there is one."""
    counter = _Counter(player)
    for decision in decisions:
        counter.add(decision)
    luck, own_rolls, luck_marked = [Tally(), Tally()], 0, dict.fromkeys((mark.value for mark in LuckMark), 0)
    for roll in rolls:
        luck[roll.player] += Tally(1, roll.luck, roll.stake)
        if roll.player == player:
            own_rolls += 1
            luck_marked[roll.mark.value] += 1
    adjusted = None
    if actual_result is not None:
        adjusted = actual_result - luck[player].stake + luck[1 - player].stake
    return PlayerStatistics(
        unit="MWC" if length else "points",
        length=length,
        limits=limits or Thresholds(),
        total_moves=counter.moves[player],
        unforced_moves=counter.unforced,
        moves_of_both=sum(counter.moves),
        marked=counter.marked,
        checker=counter.checker,
        rolls=own_rolls,
        luck_marked=luck_marked,
        luck=luck[player],
        total_cube=counter.total_cube,
        close_cube=counter.close_cube,
        doubles=counter.actions[CubeAction.DOUBLE],
        takes=counter.actions[CubeAction.TAKE],
        passes=counter.actions[CubeAction.PASS],
        beavers=counter.actions[CubeAction.BEAVER],
        flaws=counter.flaws,
        cube=counter.cube,
        cube_marked=counter.cube_marked,
        pr_decisions=counter.pr_decisions,
        pr_lost=counter.pr_lost,
        pr_factor=pr_factor,
        blunders=counter.blunders,
        errors=counter.errors,
        actual_result=actual_result,
        luck_adjusted_result=adjusted,
    )


class _Counter:
    def __init__(self, player: int) -> None:
        self.player = player
        self.moves = [0, 0]
        self.unforced = self.total_cube = self.close_cube = self.pr_decisions = self.blunders = self.errors = 0
        self.pr_lost = 0.0
        self.checker = self.cube = Tally()
        self.marked = dict.fromkeys((mark.value for mark in Mark), 0)
        self.cube_marked = dict.fromkeys((mark.value for mark in Mark), 0)
        self.flaws = {flaw.value: Tally() for flaw in Flaw if flaw is not Flaw.NONE}
        self.actions: Counter[object] = Counter()

    def add(self, decision: ReviewedDecision) -> None:
        """Count one decision. Resignations are shown but, as in gnubg's table, not counted."""
        if decision.kind is Kind.CHECKER:
            self.moves[decision.player] += 1
        if decision.player != self.player or decision.kind in (Kind.RESIGNATION, Kind.ACCEPTANCE):
            return
        lost = Tally(1, decision.lost, decision.stake)
        if decision.kind is Kind.CHECKER:
            self.unforced += decision.counts
            self.marked[decision.mark.value] += 1
            self.checker += lost
        else:
            self.total_cube += 1
            self.close_cube += decision.counts
            self.actions[decision.chosen] += 1
            self.cube_marked[decision.mark.value] += 1
            self.cube += lost
            if decision.flaw is not Flaw.NONE:
                self.flaws[decision.flaw.value] += lost
        if decision.counts_pr:
            self.pr_decisions += 1
            self.pr_lost += decision.lost
        self.blunders += decision.is_blunder
        self.errors += decision.is_error
