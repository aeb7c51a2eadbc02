"""Which analysis of each decision is the current one, and the sums over those."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Integer, and_, case, cast, delete, func, insert, literal, select, update

from kibitz.analysis.marks import pr_factor
from kibitz.library.models import Analysis, Analyst, DecisionRow, MatchRow, PositionRow, TallyRow
from kibitz.position import Variant

ERROR = 0.02
"""From which loss on a decision is an error, as in the review's statistics."""


def choose_again(connection: Connection, match: int) -> None:
    """Let the analysts of the highest rank be the current ones of a match, and add up what they say."""
    choose_current(connection, match)
    add_up(connection, match)


def choose_current(connection: Connection, match: int) -> None:
    """Of each decision, the analysis of the highest rank is the current one; of equals, the newest."""
    order = func.row_number().over(
        partition_by=Analysis.decision_id, order_by=[Analyst.rank.desc(), Analysis.id.desc()]
    )
    ranked = (
        select(Analysis.id, Analysis.current, order.label("place"))
        .join(Analyst, Analyst.id == Analysis.analyst_id)
        .join(DecisionRow, DecisionRow.id == Analysis.decision_id)
        .where(DecisionRow.match_id == match)
        .subquery()
    )
    changed = update(Analysis)
    # One after the other: no two analyses of a decision may be current, not even for a moment.
    gone = select(ranked.c.id).where(ranked.c.place > 1, ranked.c.current)
    connection.execute(changed.where(Analysis.id.in_(gone)).values(current=False))
    come = select(ranked.c.id).where(ranked.c.place == 1, ranked.c.current.is_(False))
    connection.execute(changed.where(Analysis.id.in_(come)).values(current=True))


def add_up(connection: Connection, match: int) -> None:
    """Sums over the current analyses of a match, anew."""
    connection.execute(delete(TallyRow).where(TallyRow.match_id == match))
    length, variant = connection.execute(select(MatchRow.length, MatchRow.variant).where(MatchRow.id == match)).one()
    groups = group_columns()
    sums = sum_columns(literal(pr_factor(length, Variant(variant))))
    rows = (
        select(DecisionRow.match_id, *groups.values(), *sums.values())
        .join(Analysis, Analysis.decision_id == DecisionRow.id)
        .join(PositionRow, PositionRow.id == DecisionRow.position_id)
        .where(DecisionRow.match_id == match, Analysis.current)
        .group_by(DecisionRow.match_id, *groups.values())
    )
    connection.execute(insert(TallyRow).from_select(["match_id", *groups, *sums], rows))


def group_columns() -> dict[str, Any]:
    """What makes decisions of a game alike."""
    return {
        "game_id": DecisionRow.game_id,
        "seat": DecisionRow.seat,
        "kind": DecisionRow.kind,
        "phase": DecisionRow.phase,
        "plan": PositionRow.plan,
        "flaw": Analysis.flaw,
        "early": case((DecisionRow.move <= 2, DecisionRow.move), else_=0),
    }


def factor_column(connection: Connection) -> Any:
    """The factor of a match for a PR, where a query joins matches of several lengths and variants."""
    pairs = connection.execute(select(MatchRow.length, MatchRow.variant).distinct()).all()
    factors = {(length, variant): pr_factor(length, Variant(variant)) for length, variant in pairs}
    cases = [
        (and_(MatchRow.length == length, MatchRow.variant == variant), literal(factor))
        for (length, variant), factor in factors.items()
        if factor != 1.0
    ]
    return case(*cases, else_=1.0) if cases else literal(1.0)


def sum_columns(factor: Any) -> dict[str, Any]:
    """What is added up over decisions that are alike; `factor` is that of the match for a PR."""
    pr = case((Analysis.counts_pr, Analysis.lost * factor), else_=0.0)
    luck = func.coalesce(Analysis.luck, 0.0)
    return {
        "decisions": func.count(),
        "counted": _count(Analysis.counts),
        "pr_counted": _count(Analysis.counts_pr),
        "lost": func.sum(Analysis.lost),
        "lost_squares": func.sum(Analysis.lost * Analysis.lost),
        "pr_lost": func.sum(pr),
        "pr_squares": func.sum(pr * pr),
        "stake": func.sum(Analysis.stake),
        "errors": _count(Analysis.lost > ERROR),
        "blunders": _count(Analysis.is_blunder),
        "rolls": _count(Analysis.luck.is_not(None)),
        "luck": func.sum(luck),
        "luck_squares": func.sum(luck * luck),
        "luck_stake": func.sum(func.coalesce(Analysis.luck_stake, 0.0)),
    }


def _count(truth: Any) -> Any:
    return cast(func.sum(case((truth, 1), else_=0)), Integer)
