"""Little matches, of which each has something rare, with every column of their reviews in a golden file.

They are quick to review, so that whatever changes in a review is noticed at once; the other tests say why.
`python -m tests.analysis.test_little_reviews` writes the file anew: read the difference.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kibitz import Cube, Dice, Match, Move, Owner, Position, Variant
from kibitz.analysis.decisions import Opinion
from kibitz.analysis.records import COLUMNS, to_csv
from kibitz.analysis.review import MatchReview
from kibitz.record import Beaver, Double, Drop, Ending, Game, Raccoon, Resign, Result, Roll, Rules, Setup, Take

from .samples import CRUSHED, DATA, beavers, mock_review, money

GOLDEN = DATA / "little.txt"
OPENING = Roll(1, Dice(3, 1), (Move(8, 5), Move(6, 5)), comment="makes the point")
BLUNDER = Roll(0, Dice(4, 2), (Move(8, 4), Move(8, 6)))
CLOSED = dict.fromkeys(range(1, 7), 2)
STUCK = Position.of({25: 1, 6: 14}, CLOSED)


def match(*actions: Any, score: tuple[int, int] = (0, 0), length: int = 5, **changes: Any) -> Match:
    """One game of a match, whose beginning Ben wins."""
    given: dict[str, Any] = {"crawford": False, "result": None, **changes}
    return Match(("Ada", "Ben"), length, (Game(score, actions=actions, **given),))


LITTLE: dict[str, Match] = {
    "a double that is beavered and a raccoon": beavers(),
    "a beaver that is passed": money(Double(0), Beaver(1), Drop(0), position=CRUSHED.swapped()),
    "a beaver that is taken": money(Double(0), Beaver(1), Take(0), position=CRUSHED.swapped()),
    "a raccoon that is taken": money(Double(0), Beaver(1), Raccoon(0), Take(1), position=CRUSHED.swapped()),
    "a wrong play at a cube of four": money(
        Roll(0, Dice(2, 1), (Move(6, 4), Move(6, 5)), comment="?"), cube=Cube(4, Owner.MINE)
    ),
    "an opening, an error, a double and a take": match(OPENING, BLUNDER, Double(1, comment="now"), Take(0)),
    "a double that is dropped": match(
        OPENING, BLUNDER, Double(1), Drop(0), result=Result(1, 1, Ending.DROPPED), score=(1, 3)
    ),
    "the Crawford game": match(OPENING, BLUNDER, Roll(1, Dice(6, 6), None), score=(4, 2), crawford=True),
    "a settled game after a take": match(OPENING, Double(0), Take(1), result=Result(0, 2, Ending.SETTLED)),
    "a roll that cannot be played": match(Setup(0, STUCK), Roll(0, Dice(6, 6), ())),
    "an illegal play": match(OPENING, Roll(0, Dice(3, 1), (Move(8, 5), Move(8, 5)), legal=False)),
    "a gammon resigned too early": match(OPENING, Resign(0, 2), result=Result(1, 2, Ending.RESIGNED)),
    "a game resigned after the roll": match(OPENING, Roll(0, Dice(6, 5), None), Resign(0, 1)),
    "a resignation out of turn": match(OPENING, Resign(1, 1), result=Result(0, 1, Ending.RESIGNED)),
    "a resignation at a cube of two": money(Resign(1, 1), position=CRUSHED, cube=Cube(2, Owner.THEIRS)),
    "nackgammon to one point": replace(match(OPENING, BLUNDER, length=1), variant=Variant.NACKGAMMON),
    "no Crawford rule": replace(match(OPENING, score=(3, 4), result=Result(1, 1)), rules=Rules(crawford=False)),
}


LITTLE["a double that the file has an opinion of"] = mock_review(
    LITTLE["an opening, an error, a double and a take"]
).annotated()


def rounded(value: Any) -> Any:
    """Eight places of a number: the last digits are nobody's business."""
    if isinstance(value, Opinion):
        return {name: rounded(one) for name, one in value.to_dict().items()}
    return round(value, 8) + 0.0 if isinstance(value, float) else value


def told(found: MatchReview) -> str:
    """All that a review says, but for the words of its reasons."""
    records = [{name: rounded(value) for name, value in record.items()} for record in found.records()]
    records = [{**record, "reason": "told" if record["reason"] else "", "themes": ""} for record in records]
    rolls = [{name: rounded(value) for name, value in record.items()} for record in found.roll_records()]
    curve = [{name: rounded(value) for name, value in point.to_dict().items()} for point in found.curve]
    lines = [to_csv(records), *(to_csv(rows, rows[0]) for rows in (rolls, curve) if rows)]
    lines += [f"comments: {[decision.comment for decision in found.decisions]}"]
    lines += [str(rounded(opinion)) for one in found.decisions if (opinion := one.opinion) is not None]
    lines += [f"results: {[rounded(result) for result in found.results]}"]
    stakes = [*(one.stake for one in found.decisions), *(one.stake for one in found.rolls)]
    lines += [f"stakes: {[rounded(stake) for stake in stakes]}"]
    lines += [str(one) for one in (*found.decisions, *found.rolls)]
    lines += [f"{name}: {found.statistics(name)}" for name in ("Ada", "Ben")]
    lines += [f"{name}: PR {rounded(found.statistics(name).pr)}" for name in ("Ada", "Ben")]
    return "\n".join(lines)


def golden() -> dict[str, str]:
    """What the file says of each match."""
    parts = GOLDEN.read_text(encoding="utf-8").split("=== ")[1:]
    return {name: text for name, _, text in (part.rstrip("\n").partition("\n") for part in parts)}


@pytest.mark.parametrize("name", LITTLE)
def test_a_little_review_is_the_golden_one(name: str) -> None:
    found = mock_review(LITTLE[name])
    assert told(found) == golden()[name]
    assert MatchReview.from_dict(found.to_dict(), found.match) == found
    assert {tuple(record) for record in found.records()} <= {COLUMNS}


if __name__ == "__main__":
    GOLDEN.write_text(
        "".join(f"=== {name}\n{told(mock_review(one))}\n" for name, one in LITTLE.items()), encoding="utf-8"
    )
