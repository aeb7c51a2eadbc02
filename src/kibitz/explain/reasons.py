"""Reasons: the themes that explain why one play is better than another, the weightiest first.

Two kinds of evidence are used. The ledger tells what the opponent's rolls do. The counterfactual boards tell what moves
gain; they are counted on the rolls that no reason has spoken of, so that nothing is counted twice. What beats no null
is not named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from kibitz.dice import ALL_ROLLS
from kibitz.explain.contrasts import Contrast
from kibitz.explain.fragments import Fragment
from kibitz.explain.ledger import RollClass
from kibitz.explain.measures import MeasureKind
from kibitz.explain.reason import LEAST_SHARE, Case, Reason, Reasons
from kibitz.explain.tactics import carries, duplication, excess, tactical_reasons
from kibitz.explain.themes import Stakes, Theme, theme_of

LEAST_SCORE = 0.12
"""A contrast that is less apt than this names nothing."""
LEAST_NEEDED_SCORE = 0.4
"""A contrast that is named by need alone has to be so apt."""
ENOUGH = 0.5
"""Where reasons explain this part of the difference, no further ones are sought."""
MOST_REASONS = 3
TAKEN_AWAY = (RollClass.HIT_SECOND, RollClass.ESCAPE_SECOND, RollClass.POINT_SECOND)
"""What a hit takes away from the opponent."""
LAST_RESORTS = (MeasureKind.TIMING, MeasureKind.STACK, MeasureKind.BLOCK, MeasureKind.HOME_BLOTS)
"""What is named only where nothing better is."""
RISKS = (Theme.SAFETY, Theme.PAY_LATER, Theme.WORSE_HIT)
"""What is risked now. It is told beside what the moves gain; what rolls do otherwise follows from the moves."""


LOSING_MORE = (Stakes.GAMMON_LOST, Stakes.BACKGAMMON_LOST)
SHAPE_AT_HOME = (MeasureKind.GAPS, MeasureKind.EFFECTIVE_PIPS, MeasureKind.STACK)
"""What does not matter to a side that only saves a gammon."""
PAYING = {Theme.PAY_NOW, Theme.PAY_LATER, Theme.NEXT_SAFE}
"""One of these tells the others."""


def find_reasons(case: Case) -> Reasons:
    """The reasons of a case in which the first play is better."""
    if case.difference <= 0:
        return Reasons()
    tactical = [reason for reason in tactical_reasons(case) if carries(reason, case)]
    hit = next((one for one in case.contrasts if one.kind is MeasureKind.HIT and one.favours == 0), None)
    # What a hit prevents is part of the hit.
    prevented = hit is not None and hit.gain >= 0.5 * case.difference
    named = [one for one in tactical if one.favours == 0 and one.theme in RISKS and not prevented]
    rest = _other_rolls(named)
    named += [_with_tempo(one, case) if prevented else one for one in structural_reasons(case, 0, rest)]
    # What the moves bring about less surely, and what the rolls do besides, is told only where the rest is unexplained.
    if explained_share(case, named, rest) < ENOUGH:
        named += structural_reasons(case, 0, rest, doubtful=True, used=_used(named))
    if explained_share(case, named, rest) < ENOUGH:
        named += duplication(case)
        named += [one for one in tactical if one.favours == 0 and one.theme not in RISKS]
    named = named or _needed(case)
    named = _without_repeats(sorted(named, key=lambda one: -_weight(one, case)))[:MOST_REASONS]
    counter = [one for one in tactical if one.favours == 1] + structural_reasons(case, 1, range(len(ALL_ROLLS)))
    if any(one.theme is Theme.WORSE_HIT for one in named):
        counter = [
            one for one in counter if one.theme not in (Theme.SAFETY, Theme.PAY_LATER)
        ]  # told already, as what is spared
    told = {one.theme for one in named}
    if told & PAYING:
        told |= PAYING
    counter = [one for one in counter if one.theme not in told]
    counter.sort(key=lambda one: -_weight(one, case))
    return Reasons(tuple(named), tuple(counter[:1]), explained_share(case, named, _other_rolls(named)))


def _with_tempo(reason: Reason, case: Case) -> Reason:
    """A hit that gains because it takes away what the opponent would have done is a tempo hit."""
    if reason.theme not in (Theme.HIT, Theme.HIT_LOOSE):
        return reason
    taken = [row for row in case.ledger.rows if row.roll_class in TAKEN_AWAY]
    share = case.ledger.share(row.dice for row in taken)
    if share.contribution < ENOUGH * case.difference or not share.beats_chance():
        return reason
    return replace(
        reason, theme=Theme.TEMPO, figures=reason.figures | {"rolls": share.count, "saved": share.contribution}
    )


def _without_repeats(reasons: list[Reason]) -> list[Reason]:
    """Without the second of two reasons that say the same, or that speak of the same point given up."""
    kept: list[Reason] = []
    for reason in reasons:
        if not any(_says_the_same(reason, other) for other in kept):
            kept.append(reason)
    return kept


def _says_the_same(one: Reason, other: Reason) -> bool:
    if one.contrast is not None and other.contrast is not None and one.contrast.measure is other.contrast.measure:
        return True
    return _given_up(one) == _given_up(other) != 0


def _given_up(reason: Reason) -> int:
    """The point whose loss a reason speaks of, 0 if it speaks of none."""
    if reason.theme in (Theme.KEEP_POINT, Theme.KEEP_ANCHOR):
        return int(reason.figures["point"])
    return int(reason.figures["blot"]) if reason.figures.get("given_up") else 0


def _other_rolls(reasons: Iterable[Reason]) -> list[int]:
    """The rolls that these reasons do not speak of, by their number in ALL_ROLLS."""
    taken = {roll for reason in reasons if reason.rolls for roll in reason.rolls.rolls}
    return [number for number, roll in enumerate(ALL_ROLLS) if roll not in taken]


def _weight(reason: Reason, case: Case) -> float:
    """What reasons are ordered by: their part of the difference, no more than all of it, and how apt the name is."""
    if reason.rolls is not None:
        # Rolls that are most of the 36 carry most of the difference by chance too; a risk is told by what it costs.
        return max(1.5 * excess(reason), reason.contribution if reason.theme in RISKS else 0.0)
    assert reason.contrast is not None
    return min(reason.contribution, 1.5 * case.difference) * min(1.0, 0.5 + reason.contrast.score)


def explained_share(case: Case, named: Sequence[Reason], rest: Collection[int]) -> float:
    """The part of the difference that reasons explain: their rolls, and what their moves gain on the other rolls."""
    by_rolls = sum(reason.contribution for reason in named if reason.rolls is not None)
    contrasts = [reason.contrast for reason in named if reason.contrast is not None]
    by_moves = sum(contrast.gain_on(case.anatomy, rest) for contrast in contrasts)
    left = case.difference - by_rolls
    explained = by_rolls + max(0.0, min(by_moves, left))
    return max(0.0, min(1.0, explained / case.difference))


def _used(reasons: Iterable[Reason]) -> set[int]:
    """The fragments that these reasons speak of."""
    contrasts = [reason.contrast for reason in reasons if reason.contrast is not None]
    return {number for one in contrasts for number in (*_ids(one.fragments), *_ids(one.against))}


def structural_reasons(
    case: Case, favours: int, rest: Collection[int], *, doubtful: bool = False, used: Collection[int] = ()
) -> list[Reason]:
    """The contrasts that carry enough, one for each set of moves: the most apt name, others in support.

    They have to carry enough on the rest of the rolls, or to be needed in any case. Doubtful ones are needed less.
    """
    groups: dict[tuple[Any, ...], list[Contrast]] = {}
    for contrast in case.contrasts:
        if doubtful and case.one_choice and contrast.needed and contrast.gain < case.difference:
            # One move or the other: what either of them does is the whole difference, if no other play does without it.
            contrast = replace(
                contrast, gain=case.difference, fragments=case.anatomy.first, against=case.anatomy.second
            )
        if contrast.favours != favours or contrast.score < LEAST_SCORE or not contrast.remarkable:
            continue
        if case.stakes in LOSING_MORE and contrast.kind in SHAPE_AT_HOME:
            continue
        enough = contrast.gain_on(case.anatomy, rest) >= LEAST_SHARE * case.difference
        sure = contrast.beats_chance and (enough or contrast.needed) and contrast.kind not in LAST_RESORTS
        holds = enough and contrast.hardly_beats_chance if doubtful else sure
        if holds and contrast.gain >= LEAST_SHARE * case.difference:
            key = (_ids(contrast.fragments), _ids(contrast.against))
            groups.setdefault(key, []).append(contrast)
    found: list[Reason] = []
    taken = set(used)
    for group in sorted(groups.values(), key=lambda group: -max(_rank(one, case) for one in group)):
        best, *others = sorted(group, key=lambda one: -one.score)
        moves = {*_ids(best.fragments), *_ids(best.against)}
        if moves <= taken:
            continue
        taken |= moves
        theme, figures = theme_of(best, case.before, case.facts, case.stakes)
        part = best.gain / case.difference
        support = tuple(one for one in others if one.score >= 0.5 * best.score)
        found.append(Reason(theme, best.favours, best.gain, part, figures, None, best, support))
    return found


def _needed(case: Case) -> list[Reason]:
    """Where the counterfactual boards name nothing: the most apt fact that no play does without at little cost.

    Its contribution is what every play without it loses at least.
    """
    apt = [
        one
        for one in case.contrasts
        if one.need is not None and one.favours == 0 and one.remarkable and one.kind not in LAST_RESORTS
        if one.need.share >= ENOUGH and one.score >= LEAST_NEEDED_SCORE
    ]
    if not apt:
        return []
    best = max(apt, key=lambda one: one.score * one.need.share if one.need else 0.0)
    assert best.need is not None
    theme, figures = theme_of(best, case.before, case.facts, case.stakes)
    return [Reason(theme, 0, best.need.share * case.difference, best.need.share, figures, None, best)]


def _rank(contrast: Contrast, case: Case) -> float:
    return min(contrast.gain, 1.5 * case.difference) * contrast.score


def _ids(fragments: Iterable[Fragment]) -> tuple[int, ...]:
    return tuple(id(fragment) for fragment in fragments)
