"""Why one play is better than another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.decision import PlayDecision, RankedPlay
from kibitz.errors import IllegalPlayError
from kibitz.explain.contrasts import Controls, contrasts
from kibitz.explain.facts import Facts, Turn, facts_of, turn_facts
from kibitz.explain.fragments import Anatomy, anatomy
from kibitz.explain.ledger import CubeReply, Ledger, account
from kibitz.explain.outcomes import Outcomes, outcomes_of
from kibitz.explain.reason import Case, Reasons
from kibitz.explain.reasons import find_reasons
from kibitz.move import Play
from kibitz.plain_json import picked
from kibitz.position import Position
from kibitz.state import State

if TYPE_CHECKING:
    from kibitz.engine.engine import Engine

TOO_CLOSE = 0.01
"""A search does not tell plays apart that are closer than this: it gives no reason then."""
DEVIATIONS = 2.0
"""A rollout does not tell plays apart that are closer than so many standard errors of their difference."""


@dataclass(frozen=True, slots=True)
class PlayExplanation:
    """Two plays of a roll, the better first, and why it is better.

    `facts` are those of the board after each play, `before` those of the board before, as if the opponent were on roll.

    `gap` is the difference of the equities as the plays were analysed. `ledger` has its own depth and its own
    difference, which is the same where the plays were analysed by a search of that depth. Where the opponent doubles
    you out after a play, `ledger` says so, and the reasons speak of the game as if it were played on (`played_on`).
    """

    state: State
    first: RankedPlay
    second: RankedPlay
    ledger: Ledger
    outcomes: Outcomes
    before: Facts
    facts: tuple[Facts, Facts]
    anatomy: Anatomy
    reasons: Reasons
    played_on: bool

    @property
    def names(self) -> tuple[str, str]:
        """Both plays as they are written."""
        return self.first.name, self.second.name

    @property
    def gap(self) -> float:
        """By how much the first play is better."""
        return self.first.equity - self.second.equity

    @property
    def turns(self) -> tuple[Turn, Turn]:
        """What each play changed: points made and given up, checkers hit, blots left."""
        before = self.state.position
        return turn_facts(before, self.first.play.result), turn_facts(before, self.second.play.result)

    @property
    def too_close(self) -> bool:
        """Whether the gap may be chance: below two standard errors of a rollout, or below what a search can tell."""
        errors = (self.first.standard_error, self.second.standard_error)
        if errors[0] is None or errors[1] is None:
            return self.gap < TOO_CLOSE
        return self.gap < DEVIATIONS * math.hypot(errors[0], errors[1])

    @property
    def words(self) -> str:
        """The explanation in two or three sentences."""
        from kibitz.explain.words import play_words

        return play_words(self)

    @property
    def reason(self) -> str:
        """The words without the verdict, for those who have told it already."""
        from kibitz.explain.words import play_reason

        return play_reason(self)

    @property
    def themes(self) -> tuple[str, ...]:
        """The names of the themes that speak for the first play, the weightiest first."""
        return () if self.too_close else tuple(reason.theme.value for reason in self.reasons.named)

    def __str__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        from kibitz.report.explanations import explanation_html

        return explanation_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return (
            picked(self, "state", "first", "second", "gap", "too_close", "words", "reason", "themes", "reasons")
            | picked(self, "ledger", "outcomes", "before", "turns", "facts")
            | {"counterfactuals": self.anatomy.to_dict(), "played_on": self.played_on}
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PlayExplanation:
        """What `to_dict` gave."""
        state = State.from_dict(data["state"])
        parts = Anatomy.from_dict(data["counterfactuals"])
        one, other = map(Facts.from_dict, data["facts"])
        return cls(
            state,
            RankedPlay.from_dict(data["first"], state),
            RankedPlay.from_dict(data["second"], state),
            Ledger.from_dict(data["ledger"]),
            Outcomes.from_dict(data["outcomes"]),
            Facts.from_dict(data["before"]),
            (one, other),
            parts,
            Reasons.from_dict(data["reasons"], parts),
            data["played_on"],
        )


def explain_play(
    engine: Engine, decision: PlayDecision, play: Play | Position | str | None = None, *, plies: int | None = None
) -> PlayExplanation:
    """Why the best play of a decision is better than another one, by default the second best.

    `plies` is the depth of the ledger: that of the decision unless it is given.
    """
    if len(decision) < 2:
        told = f"{decision[0].name} is the only legal play" if decision else "no checker can move"
        raise IllegalPlayError(f"expected a choice with {decision.state.dice}: {told}")
    best = decision[0]
    other = decision[1] if play is None else decision.find(play)
    if other is None:
        raise IllegalPlayError(f"{play} is not among the legal plays of {decision.state.dice}")
    if other.play.result == best.play.result:
        other = decision[1]
    return explain_pair(engine, decision, best, other, plies=plies)


def explain_pair(
    engine: Engine, decision: PlayDecision, one: RankedPlay, other: RankedPlay, *, plies: int | None = None
) -> PlayExplanation:
    """Why the better one of two plays of a decision is better. The other plays serve as controls."""
    first, second = (one, other) if one.equity >= other.equity else (other, one)
    state, match = decision.state, decision.state.match
    if plies is None:
        plies = first.plies if first.plies is not None else engine.settings.plies
    plies = max(1, plies)
    ledger = Ledger(*(account(engine, entry.play.result, match, plies) for entry in (first, second)))
    # Where the opponent cashes, all rolls are alike. The reasons are then sought in the game that is played on.
    played_on = CubeReply.PASSED in (ledger.first.cube, ledger.second.cube)
    evidence = ledger
    if played_on:
        evidence = Ledger(*(account(engine, entry.play.result, match, plies, hold=True) for entry in (first, second)))
    facts = facts_of(first.play.result), facts_of(second.play.result)
    known = {one.after: one.equities for one in (evidence.first, evidence.second)}
    parts = anatomy(engine, first.play, second.play, match, plies, hold=played_on, known=known)
    found = contrasts(parts, facts, Controls(decision, first, second))
    outcomes = outcomes_of(engine, ledger, match)
    case = Case(state.position, facts, evidence, parts, tuple(found), outcomes)
    return PlayExplanation(
        state,
        first,
        second,
        ledger,
        outcomes,
        facts_of(state.position.swapped()),
        facts,
        parts,
        find_reasons(case),
        played_on,
    )
