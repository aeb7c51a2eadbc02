"""Two plays of one roll side by side: factor by factor, part by part, and in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.heuristics.listing import entry_of
from kibitz.heuristics.settings import TabulaSettings, TenFactorSettings
from kibitz.heuristics.tabula import Parts, Tabula, TabulaPlay
from kibitz.heuristics.ten_factor import TenFactor, TenFactorPlay
from kibitz.heuristics.words import Facts, differences
from kibitz.move import Play


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two plays, what both engines say of them, and what the second gives up and gets for it."""

    ten_factor: tuple[TenFactorPlay, TenFactorPlay]
    tabula: tuple[TabulaPlay, TabulaPlay]
    settings: tuple[TenFactorSettings, TabulaSettings]
    gives_up: tuple[str, ...]
    gains: tuple[str, ...]

    @property
    def plays(self) -> tuple[Play, Play]:
        """The two plays."""
        return self.ten_factor[0].play, self.ten_factor[1].play

    @property
    def words(self) -> str:
        """The comparison in plain words."""
        first, second = self.plays
        if first.result == second.result:
            return f"{second} is the only legal play."
        told = "; ".join(self.gives_up)
        if self.gains:
            told += (". In return it " if told else "") + "; ".join(self.gains)
        return f"Against {first}, {second} {told or 'differs in nothing that the ten factors see'}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "plays": [str(play) for play in self.plays],
            "settings": {settings.section: settings.to_dict() for settings in self.settings},
            "ten-factor": [entry.to_dict() for entry in self.ten_factor],
            "tabula": [entry.to_dict() for entry in self.tabula],
            "gives_up": list(self.gives_up),
            "gains": list(self.gains),
            "words": self.words,
        }


def compare_plays(
    first: Play | None, second: Play, *, ten_factor: TenFactor | None = None, tabula: Tabula | None = None
) -> Comparison:
    """Compare two plays of a roll. Without a first one, the best other play by the ten factors takes its place."""
    ten_factor, tabula = ten_factor or TenFactor(), tabula or Tabula()
    by_factors = ten_factor.rank(second.position, second.dice)
    by_tabula = tabula.rank(second.position, second.dice)
    if first is None:
        first = next((entry.play for entry in by_factors if entry.play.result != second.result), second)
    factors = entry_of(by_factors, first), entry_of(by_factors, second)
    parts = entry_of(by_tabula, first), entry_of(by_tabula, second)
    found = differences(Facts.of(factors[0]), Facts.of(factors[1]))
    settings = ten_factor.settings, tabula.settings
    return Comparison(factors, parts, settings, tuple(found.gives_up), tuple(found.gains))


def comparison_text(comparison: Comparison) -> str:
    """Both plays side by side, as text of 80 columns."""
    first, second = comparison.plays
    lines = [f"A  {first}", f"B  {second}", ""]
    lines.append(f"{'ten factors':<20}{'weight':>8}{'A: raw':>10}{'adds':>10}{'B: raw':>10}{'adds':>10}{'B - A':>10}")
    one, other = comparison.ten_factor
    for mine, theirs in zip(one.factors, other.factors, strict=True):
        difference = theirs.contribution - mine.contribution
        lines.append(
            f"{mine.title:<20}{mine.weight:>8g}{mine.raw:>10.4f}{mine.contribution:>10.4f}"
            f"{theirs.raw:>10.4f}{theirs.contribution:>10.4f}{_signed(difference, 4):>10}"
        )
    lines.append(
        f"{'score (high is best)':<28}{one.score:>20.4f}{other.score:>20.4f}{_signed(other.score - one.score, 4):>10}"
    )
    lines += ["", f"{'tabula':<30}{'weight':>8}{'A':>10}{'B':>20}{'B - A':>10}"]
    weights = comparison.settings[1]
    tabula = comparison.tabula
    lines += _part_rows("player", weights, tabula[0].player, tabula[1].player)
    lines += _part_rows("average reply", weights, tabula[0].opponent, tabula[1].opponent)
    lines.append(_figures("score (low is best)", None, tabula[0].score, tabula[1].score))
    return "\n".join(lines)


def _part_rows(name: str, settings: TabulaSettings, first: Parts | None, second: Parts | None) -> list[str]:
    weights = {
        "pips": settings.pips,
        "blots": settings.blots,
        "hits": settings.hits,
        "score": settings.opponent if name == "average reply" else None,
    }
    return [
        _figures(
            f"{name}: {part}", weight, *(None if parts is None else getattr(parts, part) for parts in (first, second))
        )
        for part, weight in weights.items()
    ]


def _figures(title: str, weight: float | None, first: float | None, second: float | None) -> str:
    """A line with two figures and their difference; '-' for what was not counted because the sides are past."""
    cells = ["-" if value is None else f"{value:.2f}" for value in (first, second)]
    difference = "" if first is None or second is None else _signed(second - first, 2)
    given = "" if weight is None else f"{weight:g}"
    return f"{title:<30}{given:>8}{cells[0]:>10}{cells[1]:>20}{difference:>10}".rstrip()


def _signed(value: float, digits: int) -> str:
    return "0" if round(value, digits) == 0 else f"{value:+.{digits}f}"
