"""Reasons by the ledger: what the opponent's rolls do after one play and not after the other.

Rolls are a reason if they carry more of the difference than as many random rolls would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from kibitz.explain.ledger import Account, LedgerRow, RollClass, RollEntry, Share
from kibitz.explain.measures import clearing
from kibitz.explain.reason import LEAST_SHARE, Case, Reason
from kibitz.explain.themes import Theme
from kibitz.position import BAR

LEAST_EXCESS = 0.15
"""Rolls carry at least this part of the difference more than as many random ones."""
MORE_TO_COME = 3
"""So many more rolls that leave a shot next turn are a price to be paid later."""
WORTH_DENYING = (3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22)
"""The points of his that block or hold."""
SEEN = 3
"""Counts of rolls that differ by less are alike to a player, unless one of them is none."""
GOOD_NUMBER = 0.05
"""A number is good for the opponent if its rolls cost us this much more than the average roll."""


def tactical_reasons(case: Case) -> list[Reason]:
    """The classes of rolls that carry more than chance, as reasons for the play that they speak for."""
    found = []
    rows = case.ledger.rows
    for kind, theme, favours in (
        (RollClass.HIT_SECOND, Theme.SAFETY, 0),
        (RollClass.HIT_FIRST, Theme.SAFETY, 1),
        (RollClass.HIT_SECOND, Theme.WORSE_HIT, 0),
        (RollClass.HIT_BOTH, Theme.CHEAPER_HIT, 0),
        (RollClass.DANCE_FIRST, Theme.DANCE, 0),
        (RollClass.DANCE_SECOND, Theme.DANCE, 1),
        (RollClass.ESCAPE_SECOND, Theme.HOLD, 0),
        (RollClass.ESCAPE_FIRST, Theme.HOLD, 1),
        (RollClass.POINT_SECOND, Theme.DENY, 0),
        (RollClass.POINT_FIRST, Theme.DENY, 1),
    ):
        chosen = [row for row in rows if row.roll_class is kind]
        if not chosen:
            continue
        share = case.ledger.share(row.dice for row in chosen)
        beats = share.beats_chance() if favours == 0 else _mirrored(share).beats_chance()
        figures = _roll_figures(theme, favours, rows, chosen, case)
        if not beats or figures is None:
            continue
        contribution = share.contribution if favours == 0 else -share.contribution
        contribution -= figures.get("spared", 0.0)
        part = contribution / case.difference
        if theme is Theme.SAFETY and _pays_later(case, favours):
            theme = Theme.PAY_LATER
            figures |= {"next": case.facts[favours].next_roll.exposed}
            figures |= {"other_next": case.facts[1 - favours].next_roll.exposed}
        found.append(Reason(theme, favours, contribution, part, figures | {"rolls": share.count}, share))
    return found


def _pays_later(case: Case, favours: int) -> bool:
    """Whether the play that is safer now leaves a shot with more rolls next turn, by a difference that players see."""
    here, there = case.facts[favours], case.facts[1 - favours]
    if not (clearing(here) and clearing(there)):
        return False
    return here.next_roll.exposed - there.next_roll.exposed >= MORE_TO_COME


def duplication(case: Case) -> list[Reason]:
    """Numbers that are good for the opponent after the second play only, if they carry more than chance."""
    here, there = (good_numbers(one) for one in (case.ledger.first, case.ledger.second))
    only = [number for number in there if number not in here]
    if not only or not here or len(here) >= len(there):
        return []
    rolls = [row.dice for row in case.ledger.rows if row.dice.high in only or row.dice.low in only]
    share = case.ledger.share(rolls)
    if not share.beats_chance():
        return []
    figures = {"value": len(here), "other_value": len(there), "numbers": tuple(here), "other_numbers": tuple(there)}
    figures |= {"rolls": share.count}
    reason = Reason(Theme.DUPLICATION, 0, share.contribution, share.share, figures, share)
    return [reason] if carries(reason, case) else []


def good_numbers(one: Account) -> list[int]:
    """The numbers of a die whose eleven rolls are better for the opponent than his average roll, by a good deal."""
    found = []
    for number in range(1, 7):
        entries = [entry for entry in one.rolls if number in entry.dice]
        mean = sum(entry.dice.weight * entry.equity for entry in entries) / sum(entry.dice.weight for entry in entries)
        if one.equity - mean > GOOD_NUMBER:
            found.append(number)
    return found


def _mirrored(share: Share) -> Share:
    """The same, seen from the second play."""
    return replace(share, contribution=-share.contribution, total=-share.total, by_chance=-share.by_chance)


def _roll_figures(
    theme: Theme, favours: int, rows: Sequence[LedgerRow], chosen: Sequence[LedgerRow], case: Case
) -> dict[str, Any] | None:
    """The figures of a class of rolls; None where the counts do not differ in the direction that would be said."""

    def entries(play: int, among: Iterable[LedgerRow] = rows) -> list[RollEntry]:
        return [row.first if play == 0 else row.second for row in among]

    def weight(among: Iterable[RollEntry]) -> int:
        return sum(entry.dice.weight for entry in among)

    here, there = entries(favours), entries(1 - favours)
    if theme is Theme.SAFETY:
        values = weight(e for e in here if e.turn.hits), weight(e for e in there if e.turn.hits)
        if not _fewer(*values):
            return None
        return _counts(values[0], values[1]) | _blots(entries(1 - favours, chosen), case, favours)
    if theme is Theme.WORSE_HIT:
        values = weight(e for e in here if e.turn.hits), weight(e for e in there if e.turn.hits)
        spared = max(0.0, -sum(row.contribution for row in rows if row.roll_class is RollClass.HIT_FIRST))
        cost = sum(row.contribution for row in chosen)
        if _fewer(*values) or cost <= spared:
            return None
        return (
            _counts(values[0], values[1]) | _blots(entries(1, chosen), case, favours) | {"cost": cost, "spared": spared}
        )
    if theme is Theme.CHEAPER_HIT:
        mean = [
            sum(e.dice.weight * e.equity for e in entries(play, chosen)) / weight(entries(play, chosen))
            for play in (0, 1)
        ]
        if mean[0] <= mean[1]:
            return None
        return _counts(round(mean[0], 3), round(mean[1], 3)) | _returns(*(entries(play, chosen) for play in (0, 1)))
    if theme is Theme.DANCE:
        values = weight(e for e in here if e.dances), weight(e for e in there if e.dances)
        return _counts(values[0], values[1]) if _fewer(values[1], values[0]) else None
    if theme is Theme.HOLD:
        values = weight(e for e in here if e.turn.left_back > 0), weight(e for e in there if e.turn.left_back > 0)
        return _counts(values[0], values[1]) if _fewer(*values) else None
    made: Counter[int] = Counter()
    for entry in entries(1 - favours, chosen):
        for point in entry.turn.made:
            if point in WORTH_DENYING:
                made[point] += entry.dice.weight
    for point, _ in made.most_common():
        values = weight(e for e in here if point in e.turn.made), weight(e for e in there if point in e.turn.made)
        if _fewer(*values):
            return _counts(values[0], values[1]) | {"point": point}
    return None


def _blots(entries: Sequence[RollEntry], case: Case, favours: int) -> dict[str, Any]:
    """The blot that these replies hit most, and whether it stands on a point that the other play keeps."""
    hit: Counter[int] = Counter()
    for entry in entries:
        for point in entry.turn.hit:
            hit[BAR - point] += entry.dice.weight
    most = hit.most_common(1)
    if not most:
        return {"blot": None, "given_up": False}
    blot = most[0][0]
    kept = blot in case.facts[favours].mine.points and case.before.mine[blot - 1] >= 2
    return {"blot": blot, "given_up": kept}


def _returns(here: Sequence[RollEntry], there: Sequence[RollEntry]) -> dict[str, Any]:
    """How many of our 36 rolls hit back after these hits, on average."""
    means = []
    for hits in (here, there):
        found = [(entry.dice.weight, entry.returns) for entry in hits if entry.returns is not None]
        means.append(round(sum(weight * rolls for weight, rolls in found) / sum(weight for weight, _ in found), 1))
    return {"returns": means[0], "other_returns": means[1]}


def _fewer(count: int, other: int) -> bool:
    """Whether rolls are fewer by so many that a player would see it."""
    return other - count >= (1 if count == 0 and other > 1 else SEEN)


def _counts(value: float, other: float) -> dict[str, Any]:
    return {"value": value, "other_value": other}


def carries(reason: Reason, case: Case) -> bool:
    """Whether rolls carry enough, and enough more than as many random ones."""
    enough = LEAST_SHARE * case.difference
    return reason.contribution >= enough and excess(reason) >= LEAST_EXCESS * case.difference


def excess(reason: Reason) -> float:
    """What rolls carry more than as many random ones, less what the other play is spared."""
    assert reason.rolls is not None
    by_chance = reason.rolls.by_chance if reason.favours == 0 else -reason.rolls.by_chance
    return reason.contribution - by_chance
