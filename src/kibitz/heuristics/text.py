"""What the hand-made engines have to say about their rankings, as text of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.heuristics.listing import entry_of, listed
from kibitz.heuristics.protocol import Ranked
from kibitz.heuristics.settings import TabulaSettings
from kibitz.heuristics.tabula import Parts, TabulaPlay
from kibitz.heuristics.ten_factor import Factor, TenFactorPlay
from kibitz.move import Play

_PLAY = 16  # columns for the play; a longer one gets a line of its own
_NOTHING = "no legal play"
_SHORT = ("blot", "hits", "pnts", "pips", "home", "prim", "bldr", "stck", "oblt", "high")


def tabula_text(
    ranked: Sequence[TabulaPlay], settings: TabulaSettings, top: int | None = None, named: Sequence[Play] = ()
) -> str:
    """A line a play: the score, the player's parts and the average parts of the replies.

    Then the sum of each named play, or of the best one where none is named.
    """
    if not ranked:
        return _NOTHING
    lines = [
        f"{'':{5 + _PLAY}}{'':9} {'player':-^22} {'average reply':-^26}",
        f"   # {'play':<{_PLAY}}{'score':>9}"
        f"{'pips':>6}{'blots':>6}{'hits':>5}{'score':>7}{'pips':>7}{'blots':>6}{'hits':>6}{'score':>7}",
    ]
    shown = listed(ranked, top, named)
    for entry in shown:
        mine, theirs = entry.player, entry.opponent
        figures = f"{entry.score:>9.2f}{mine.pips:>6.0f}{mine.blots:>6.0f}{mine.hits:>5.0f}{mine.score:>7.1f}"
        if theirs is not None:
            figures += f"{theirs.pips:>7.1f}{theirs.blots:>6.1f}{theirs.hits:>6.1f}{theirs.score:>7.1f}"
        lines += _row(entry.rank, str(entry.play), figures)
    lines += _left_out(ranked, shown)
    lines += ["", "The lowest score is best."]
    for entry in [entry_of(ranked, play) for play in named] or ranked[:1]:
        lines += _tabula_sum(entry, settings)
    return "\n".join(lines)


def _tabula_sum(entry: TabulaPlay, settings: TabulaSettings) -> list[str]:
    """What the score of one play is made of."""
    lines = [f"{entry.play}:", _sum("player", entry.player, settings)]
    opponent = entry.opponent
    if opponent is None:
        return [*lines, "  past the opponent: only the player's own pips count"]
    sides = f"{entry.player.score:.2f} + {opponent.score:.2f} x {settings.opponent:g}"
    return [*lines, _sum("reply", opponent, settings), f"  score  {sides} = {entry.score:.2f}"]


def ten_factor_text(ranked: Sequence[TenFactorPlay], top: int | None = None, named: Sequence[Play] = ()) -> str:
    """Every listed play with the raw value of each factor and what it adds to the score.

    Then the same in full for each named play, or for the best one where none is named.
    """
    if not ranked:
        return _NOTHING
    lines = [
        "   # play\n" + _cells("score", "", _SHORT),
        _cells("", "weight", [short_number(factor.weight) for factor in ranked[0].factors]),
    ]
    shown = listed(ranked, top, named)
    for entry in shown:
        lines.append(f"{'>' if entry.rank == 1 else ' '}{entry.rank:>3} {entry.play}")
        lines.append(_cells(f"{entry.score:.4f}", "raw", [short_number(factor.raw) for factor in entry.factors]))
        lines.append(_cells("", "adds", [short_number(factor.contribution) for factor in entry.factors]))
    lines += _left_out(ranked, shown)
    lines += ["", "The highest score is best."]
    for entry in [entry_of(ranked, play) for play in named] or ranked[:1]:
        lines += [f"{entry.play}:", f"  {'factor':<20}{'raw':>10}{'weight':>10}{'adds':>10}"]
        lines += [_factor_line(factor) for factor in entry.factors]
        lines.append(f"  {'score':<40}{entry.score:>10.4f}")
    return "\n".join(lines)


def _cells(score: str, label: str, cells: Sequence[str]) -> str:
    return f"{score:>12} {label:<6}" + "".join(f"{cell:>6}" for cell in cells)


def _factor_line(factor: Factor) -> str:
    return f"  {factor.title:<20}{factor.raw:>10.4f}{factor.weight:>10g}{factor.contribution:>10.4f}"


def short_number(value: float) -> str:
    """A number in five characters as a rule, with three digits after the point where it is not whole.

    >>> [short_number(value) for value in (0.35, -0.0064, 1.4, 12.5, 7.0, 0.0)]
    ['.350', '-.006', '1.400', '12.50', '7', '0']
    """
    if value == int(value):
        return str(int(value))
    text = f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}"
    return text.replace("0.", ".", 1) if abs(value) < 0.9995 else text


def _row(number: int, play: str, figures: str) -> list[str]:
    mark = ">" if number == 1 else " "
    if len(play) < _PLAY:
        return [f"{mark}{number:>3} {play:<{_PLAY}}{figures}"]
    return [f"{mark}{number:>3} {play}", f"{'':{5 + _PLAY}}{figures}"]


def _left_out(ranked: Sequence[Ranked], shown: Sequence[Ranked]) -> list[str]:
    left = len(ranked) - len(shown)
    return [f"     and {left} more"] if left > 0 else []


def _sum(name: str, parts: Parts, settings: TabulaSettings) -> str:
    terms = (
        f"{_plain(getattr(parts, part))} {part} x {getattr(settings, part):g}" for part in ("pips", "blots", "hits")
    )
    return f"  {name:<6} " + " + ".join(terms) + f" = {parts.score:.2f}"


def _plain(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"
