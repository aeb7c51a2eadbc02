"""Several matches in one report: an index of them, and the totals of each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.analysis.review import MatchReview


@dataclass(frozen=True, slots=True)
class Total:
    """What a player did in several matches."""

    name: str
    matches: int
    decisions: int
    lost: float  # of what a PR counts, times the factor of each match
    errors: int
    blunders: int
    rolls: int
    luck: float

    @property
    def pr(self) -> float | None:
        """The performance rating over all matches: of the sums, not the mean of ratings."""
        return 500.0 * self.lost / self.decisions if self.decisions else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {"pr": self.pr}


def totals(reviews: Sequence[MatchReview]) -> list[Total]:
    """Each player over all matches, those with the most matches first. Large and small letters make no other player."""
    found: dict[str, Total] = {}
    for review in reviews:
        for seat, name in enumerate(review.match.players):
            key = " ".join(name.casefold().split())  # sites write a name in their own letters
            one, old = review.statistics(seat), found.get(key, Total(name, 0, 0, 0.0, 0, 0, 0, 0.0))
            found[key] = Total(
                old.name,
                old.matches + 1,
                old.decisions + one.pr_decisions,
                old.lost + one.pr_factor * one.pr_lost,
                old.errors + one.errors,
                old.blunders + one.blunders,
                old.rolls + one.rolls,
                old.luck + one.luck.emg,
            )
    return sorted(found.values(), key=lambda total: (-total.matches, total.name))


def totals_text(reviews: Sequence[MatchReview]) -> str:
    """The totals for the terminal."""
    lines = [f"{'Totals':27} matches  decisions     PR  errors  blunders     luck"]
    for total in totals(reviews):
        rating = "    -" if total.pr is None else f"{total.pr:5.2f}"
        name = "".join(letter if letter.isprintable() else "?" for letter in total.name)[:27]
        lines.append(
            f"{name:27} {total.matches:>7} {total.decisions:>10}  {rating} {total.errors:>7} {total.blunders:>9}"
            f"  {total.luck:+7.3f}"
        )
    return "\n".join(lines)
