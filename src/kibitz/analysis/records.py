"""Reviews as flat records for pandas, polars and CSV, and as a structured array for numpy."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kibitz.analysis.decisions import ReviewedDecision
from kibitz.errors import NotationError
from kibitz.state import State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.analysis.review import MatchReview

COLUMNS = (
    "game",
    "move",
    "player",
    "name",
    "kind",
    "dice",
    "chosen",
    "best",
    "verdict",
    "lost",
    "lost_mwc",
    "mark",
    "error",
    "blunder",
    "flaw",
    "themes",
    "reason",
    "counts",
    "counts_pr",
    "forced",
    "legal",
    "equity",
    "best_equity",
    "mwc",
    "best_mwc",
    "win",
    "win_gammon",
    "win_backgammon",
    "lose_gammon",
    "lose_backgammon",
    "luck",
    "luck_mwc",
    "plies",
    "my_score",
    "their_score",
    "length",
    "crawford",
    "cube",
    "cube_owner",
    "my_pips",
    "their_pips",
    "position_id",
    "match_id",
    "xgid",
    "source",
    "source_best",
    "source_lost",
)
"""The columns of a decision's record, in the order of a CSV file."""


def decision_records(review: MatchReview) -> list[dict[str, Any]]:
    """One dictionary a decision, all with the same keys. Games and moves count from 1, players are 0 and 1."""
    lucks = {(roll.game, roll.index): roll for roll in review.rolls}
    records = []
    for decision in review.decisions:
        roll = lucks.get((decision.game, decision.index)) if decision.state.dice is not None else None
        record = _record(decision)
        record["luck"] = None if roll is None else roll.luck
        record["luck_mwc"] = None if roll is None else roll.luck_mwc
        records.append({name: record[name] for name in COLUMNS})
    return records


def _record(decision: ReviewedDecision) -> dict[str, Any]:
    state, match = decision.state, decision.state.match
    best, chosen = decision.best, decision.chosen_option
    evaluation = best.evaluation if chosen is None else chosen.evaluation
    names = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
    opinion = decision.opinion
    return {
        "game": decision.game,
        "move": decision.number,
        "player": decision.player,
        "name": decision.name,
        "kind": decision.kind.value,
        "dice": "" if state.dice is None else str(state.dice),
        "chosen": decision.chosen_name,
        "best": best.name,
        "verdict": decision.verdict,
        "lost": decision.lost,
        "lost_mwc": decision.lost_mwc,
        "mark": decision.mark.value,
        "error": decision.is_error,
        "blunder": decision.is_blunder,
        "flaw": decision.flaw.value,
        "themes": "; ".join(decision.themes),
        "reason": decision.reason,
        "counts": decision.counts,
        "counts_pr": decision.counts_pr,
        "forced": decision.is_forced,
        "legal": decision.is_legal,
        "equity": None if chosen is None else chosen.equity,
        "best_equity": best.equity,
        "mwc": None if chosen is None else chosen.mwc,
        "best_mwc": best.mwc,
        **dict(zip(names, evaluation or (None,) * 5, strict=True)),
        "plies": decision.plies,
        "my_score": match.my_score,
        "their_score": match.their_score,
        "length": match.length,
        "crawford": match.crawford,
        "cube": match.cube.value,
        "cube_owner": match.cube.owner.value,
        "my_pips": state.position.pips[0],
        "their_pips": state.position.pips[1],
        "position_id": state.position_id,
        "match_id": _or_empty(state, "match_id"),
        "xgid": _or_empty(state, "xgid"),
        "source": "" if opinion is None else opinion.source,
        "source_best": "" if opinion is None else opinion.best,
        "source_lost": None if opinion is None else opinion.lost,
    }


def roll_records(review: MatchReview) -> list[dict[str, Any]]:
    """One dictionary a roll."""
    return [
        {
            "game": roll.game,
            "move": roll.number,
            "player": roll.player,
            "name": review.match.players[roll.player],
            "dice": str(roll.dice),
            "luck": roll.luck,
            "luck_mwc": roll.luck_mwc,
            "mark": roll.mark.value,
            "cube": roll.cube,
        }
        for roll in review.rolls
    ]


def decision_array(review: MatchReview) -> npt.NDArray[np.void]:
    """The decisions as a structured array; numbers that there are not are NaN, -1 for plies."""
    import numpy as np

    records = decision_records(review)
    kinds: list[tuple[str, Any]] = []
    for name in COLUMNS:
        values = [record[name] for record in records]
        if all(isinstance(value, bool) for value in values):
            kinds.append((name, np.bool_))
        elif name in _WHOLE:
            kinds.append((name, np.int32))
        elif any(isinstance(value, str) for value in values):
            kinds.append((name, f"U{max([len(value) for value in values], default=1) or 1}"))
        else:
            kinds.append((name, np.float64))
    rows = [tuple(_filled(name, record[name]) for name in COLUMNS) for record in records]
    return np.array(rows, dtype=np.dtype(kinds))


_WHOLE = {
    "game",
    "move",
    "player",
    "plies",
    "my_score",
    "their_score",
    "length",
    "cube",
    "my_pips",
    "their_pips",
}


def _filled(name: str, value: Any) -> Any:
    if value is None:
        return -1 if name in _WHOLE else float("nan")
    return value


def to_csv(records: Iterable[dict[str, Any]], columns: Iterable[str] = COLUMNS) -> str:
    """Records as CSV with a header. Nothing is rounded; what there is not is left empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: _cell(value) for name, value in record.items()})
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula gets an apostrophe: names come from files that anyone wrote."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return value


def _or_empty(state: State, name: str) -> str:
    try:
        text: str = getattr(state, name)
    except NotationError:
        return ""
    return text
