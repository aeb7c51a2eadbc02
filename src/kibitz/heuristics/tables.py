"""The explaining tables of the hand-made engines, as text of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.heuristics.settings import TabulaSettings
from kibitz.heuristics.tabula import Parts, TabulaPlay
from kibitz.heuristics.ten_factor import TenFactorPlay

_PLAY = 16  # columns for the play; a longer one gets a line of its own
_NOTHING = "no legal play"
_SHORT = ("blot", "hits", "pnts", "pips", "home", "prim", "bldr", "stck", "oblt", "high")


def tabula_table(ranked: Sequence[TabulaPlay], settings: TabulaSettings, top: int | None = None) -> str:
    """A line a play: the score, the player's parts and the average parts of the replies; then the best play's sum."""
    if not ranked:
        return _NOTHING
    lines = [
        f"{'':{5 + _PLAY}}{'':9} {'player':-^22} {'average reply':-^26}",
        f"   # {'play':<{_PLAY}}{'score':>9}"
        f"{'pips':>6}{'blots':>6}{'hits':>5}{'score':>7}{'pips':>7}{'blots':>6}{'hits':>6}{'score':>7}",
    ]
    for number, entry in enumerate(ranked[:top], start=1):
        mine, theirs = entry.player, entry.opponent
        figures = f"{entry.score:>9.2f}{mine.pips:>6.0f}{mine.blots:>6.0f}{mine.hits:>5.0f}{mine.score:>7.1f}"
        if theirs is not None:
            figures += f"{theirs.pips:>7.1f}{theirs.blots:>6.1f}{theirs.hits:>6.1f}{theirs.score:>7.1f}"
        lines += _row(number, str(entry.play), figures)
    lines += _left_out(len(ranked), top)
    best = ranked[0]
    lines += ["", f"The lowest score is best. {best.play}:"]
    lines.append(_sum("player", best.player, settings))
    opponent = best.opponent
    if opponent is None:
        lines.append("  past the opponent: only the player's own pips count")
    else:
        lines.append(_sum("reply", opponent, settings))
        sides = f"{best.player.score:.2f} + {opponent.score:.2f} x {settings.opponent:g}"
        lines.append(f"  score  {sides} = {best.score:.2f}")
    return "\n".join(lines)


def ten_factor_table(ranked: Sequence[TenFactorPlay], top: int | None = None) -> str:
    """A line a play: the score and what each factor adds to it; then raw values and weights of the best play."""
    if not ranked:
        return _NOTHING
    header = "".join(f"{name:>5}" for name in _SHORT)
    lines = [f"   # {'play':<{_PLAY}}{'score':>7} {header}"]
    for number, entry in enumerate(ranked[:top], start=1):
        figures = "".join(f"{short_number(factor.contribution):>5}" for factor in entry.factors)
        lines += _row(number, str(entry.play), f"{entry.score:>7.3f} {figures}")
    lines += _left_out(len(ranked), top)
    lines += ["", f"The highest score is best. {ranked[0].play}:"]
    lines.append(f"  {'factor':<20}{'raw':>10}{'weight':>10}{'adds':>10}")
    for factor in ranked[0].factors:
        lines.append(f"  {factor.title:<20}{factor.raw:>10.4f}{factor.weight:>10g}{factor.contribution:>10.4f}")
    lines.append(f"  {'score':<40}{ranked[0].score:>10.4f}")
    return "\n".join(lines)


def short_number(value: float) -> str:
    """A number of at most four characters as a rule: '.35', '-.06', '1.40'; a plain 0 for nothing at all.

    >>> [short_number(value) for value in (0.35, -0.0064, 1.4, 0.0)]
    ['.35', '-.01', '1.40', '0']
    """
    if value == 0:
        return "0"
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 0.995 else f"{value:.2f}"


def _row(number: int, play: str, figures: str) -> list[str]:
    mark = ">" if number == 1 else " "
    if len(play) < _PLAY:
        return [f"{mark}{number:>3} {play:<{_PLAY}}{figures}"]
    return [f"{mark}{number:>3} {play}", f"{'':{5 + _PLAY}}{figures}"]


def _left_out(count: int, top: int | None) -> list[str]:
    left = 0 if top is None else count - top
    return [f"     and {left} more"] if left > 0 else []


def _sum(name: str, parts: Parts, settings: TabulaSettings) -> str:
    terms = (
        f"{_plain(getattr(parts, part))} {part} x {getattr(settings, part):g}" for part in ("pips", "blots", "hits")
    )
    return f"  {name:<6} " + " + ".join(terms) + f" = {parts.score:.2f}"


def _plain(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"
