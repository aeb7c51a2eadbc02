"""Rolling out the blunders of a review: the best play and the one that was made, each played to the end many times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kibitz.analysis.decisions import Decision, Kind, Option
from kibitz.analysis.levels import ReviewSettings
from kibitz.errors import EngineError

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine


def roll_out_blunders(
    decisions: tuple[Decision, ...], engine: Engine, settings: ReviewSettings, threads: int
) -> tuple[Decision, ...]:
    """The decisions with every blundered play judged again by a rollout. Cube actions keep their search."""
    rollout: Callable[..., Any] | None = getattr(engine, "rollout", None)
    if rollout is None:
        raise EngineError("this engine cannot roll positions out; leave the rollouts of blunders away")
    return tuple(
        _again(decision, rollout, settings, threads)
        if decision.is_blunder and decision.kind is Kind.CHECKER and decision.is_legal
        else decision
        for decision in decisions
    )


def _again(decision: Decision, rollout: Callable[..., Any], settings: ReviewSettings, threads: int) -> Decision:
    rolled: list[Option] = []
    others: list[Option] = []
    for option in decision.options:
        play = decision.play_of(option.name)
        if play is None or option not in (decision.best, decision.chosen_option):
            others.append(option)
            continue
        # After the play the opponent is on roll, so the rollout speaks of the opponent.
        found = rollout(play.result, match=decision.state.match.swapped(), trials=settings.rollout, threads=threads)
        rolled.append(replace(option, equity=-found.equity, standard_error=found.standard_error))
    rolled.sort(key=lambda option: -option.equity)
    chosen = next((option for option in rolled if option.name == decision.chosen), None)
    if chosen is None:
        return decision
    lost = rolled[0].equity - chosen.equity
    share = lost / decision.lost if decision.lost else 0.0
    return replace(
        decision,
        options=(*rolled, *others),
        lost=lost,
        lost_mwc=None if decision.lost_mwc is None else decision.lost_mwc * share,
        mark=settings.thresholds.mark(lost),
        is_blunder=lost > settings.thresholds.blunder,
    )
