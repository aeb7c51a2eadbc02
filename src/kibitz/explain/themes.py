"""Themes: what players call the reasons. Each is told from facts, and has one sentence in the catalogue."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from kibitz.explain.contrasts import Contrast
from kibitz.explain.facts import Facts
from kibitz.explain.measures import MIDPOINT, MeasureKind, slot_point
from kibitz.explain.standing import BACK, HOME
from kibitz.move import Move
from kibitz.position import Position


class Stakes(StrEnum):
    """What most of a difference is about."""

    GAMES = "games"
    GAMMON_WON = "gammons won"
    GAMMON_LOST = "gammons lost"
    BACKGAMMON_LOST = "backgammons lost"


class Theme(StrEnum):
    """A reason as players name it. The value is its name in JSON and the key of its sentence."""

    # the opponent's next roll
    SAFETY = "safety"  # fewer shots
    WORSE_HIT = "worse hit"  # as many shots, but at the wrong blot
    CHEAPER_HIT = "cheaper hit"  # a hit costs less
    DANCE = "dance"  # he stays on the bar
    HOLD = "hold"  # he does not escape
    DENY = "deny"  # he does not make a point
    DUPLICATION = "duplication"  # he needs the same numbers for everything
    PAY_LATER = "pay later"  # fewer shots now, more to come
    # hitting
    HIT = "hit"
    HIT_LOOSE = "hit loose"
    POINT_ON = "point on a blot"
    DOUBLE_HIT = "double hit"
    PICK_AND_PASS = "pick and pass"
    TEMPO = "tempo hit"
    # points and blockades
    MAKE_POINT = "make a point"
    KEEP_POINT = "keep a point"
    MAKE_ANCHOR = "make an anchor"
    KEEP_ANCHOR = "hold the anchor"
    ADVANCE_ANCHOR = "advance the anchor"
    MAKE_PRIME = "extend the prime"
    KEEP_PRIME = "keep the prime"
    CONTAIN = "containment"
    BOARD = "stronger home board"
    # shape
    SLOT = "slot"
    BUILDERS = "builders"
    DIVERSIFY = "diversification"  # more of the own numbers do something good
    ANCHOR_CHANCES = "chances of an anchor"
    UNSTACK = "unstack"
    IN_PLAY = "keep checkers in play"
    TIDY = "no blots at home"
    AIM = "aim at his blots"
    TIMING = "timing"
    # back checkers
    RUN = "run"
    RUN_NOW = "run while it is safe"
    FREE = "ease the escape"
    CONTACT = "keep contact"
    NO_CONTACT = "break contact"
    # coming home
    CLEAR_REAR = "clear from the rear"
    PAY_NOW = "pay now"  # more shots now, fewer to come
    NEXT_SAFE = "safe next turn"
    # race and gammons
    BEAR_OFF = "bear off"
    CROSS_OVER = "cross over"
    NO_WASTE = "waste nothing"
    FILL_GAP = "fill the gaps"
    RACE = "race"
    COME_HOME = "come home"
    SAVE_GAMMON = "save the gammon"
    SAVE_BACKGAMMON = "save the backgammon"
    WIN_GAMMON = "win the gammon"


def theme_of(
    contrast: Contrast, before: Position, facts: tuple[Facts, Facts], stakes: Stakes
) -> tuple[Theme, dict[str, Any]]:
    """What players call a contrast, and the figures of its sentence."""
    here, there = facts[contrast.favours], facts[1 - contrast.favours]
    values = (contrast.values[contrast.favours], contrast.values[1 - contrast.favours])
    figures: dict[str, Any] = {"value": _plain(values[0]), "other_value": _plain(values[1])}
    kind = contrast.kind
    if kind is MeasureKind.HIT:
        return _hit(contrast, here), figures | {
            "points": _hit_points(contrast),
            "home_points": here.mine.home_points,
            "enter": here.mine.enter,
        }
    if kind in (MeasureKind.ESCAPE, MeasureKind.CROSSOVERS) and stakes is Stakes.BACKGAMMON_LOST:
        return Theme.SAVE_BACKGAMMON, figures | {
            "back": here.mine.back,
            "other_back": there.mine.back,
            "of": kind.value,
        }
    if kind is MeasureKind.ESCAPE:
        return _run(here, there, figures)
    if kind is MeasureKind.EXPOSED:
        pays = here.shots.count > there.shots.count
        figures |= {"shots": here.shots.count, "other_shots": there.shots.count}
        return (Theme.PAY_NOW if pays else Theme.NEXT_SAFE), figures
    if kind in BEARING_OFF and stakes is Stakes.GAMMON_WON and here.theirs.home_pips:
        return Theme.WIN_GAMMON, figures | {"their_home_pips": here.theirs.home_pips, "of": kind.value}
    if kind in (MeasureKind.CROSSOVERS, MeasureKind.GAMMON_PIPS) and stakes is Stakes.GAMMON_LOST:
        return Theme.SAVE_GAMMON, figures | {"of": kind.value}
    if kind is MeasureKind.COVER:
        return Theme.SLOT, figures | {"slot": slot_point(here)}
    if kind in (MeasureKind.CONTACT, MeasureKind.NO_CONTACT):
        figures |= {"lead": here.lead, "other_lead": there.lead}
    if kind is MeasureKind.POINT:
        return _point(contrast, before, here, there, figures)
    if kind is MeasureKind.PRIME:
        old = before.mine
        had = sum(old[point - 1] >= 2 for point in range(here.mine.prime_from, here.mine.prime_from + here.mine.prime))
        kept = had == here.mine.prime
        span = {"length": here.mine.prime, "low": here.mine.prime_from, "high": _prime_end(here)}
        return (Theme.KEEP_PRIME if kept else Theme.MAKE_PRIME), figures | span
    if kind in (MeasureKind.BLOCK, MeasureKind.CONTAIN):
        rolls = {"escape": _rolls(here), "other_escape": _rolls(there)}
        return Theme.CONTAIN, figures | rolls | {"block": here.mine.block, "other_block": there.mine.block}
    return SIMPLE[kind], figures


BEARING_OFF = (MeasureKind.OFF, MeasureKind.CROSSOVERS, MeasureKind.EFFECTIVE_PIPS)
"""Measures of bearing off: of winning a gammon, while the opponent has borne nothing off and is not home."""
FEW_SHOTS = 8
"""A checker that is hit by no more rolls than these runs safely."""
HARD_TO_RUN = 18
"""A back checker that gets away with no more rolls than these had better go now."""
SIMPLE = {
    MeasureKind.FREE: Theme.FREE,
    MeasureKind.MAKING: Theme.BUILDERS,
    MeasureKind.ANCHORING: Theme.ANCHOR_CHANCES,
    MeasureKind.THREAT: Theme.AIM,
    MeasureKind.STACK: Theme.UNSTACK,
    MeasureKind.BURIED: Theme.IN_PLAY,
    MeasureKind.BOARD: Theme.BOARD,
    MeasureKind.HOME_BLOTS: Theme.TIDY,
    MeasureKind.REAR: Theme.CLEAR_REAR,
    MeasureKind.TIMING: Theme.TIMING,
    MeasureKind.OFF: Theme.BEAR_OFF,
    MeasureKind.CROSSOVERS: Theme.CROSS_OVER,
    MeasureKind.EFFECTIVE_PIPS: Theme.NO_WASTE,
    MeasureKind.GAPS: Theme.FILL_GAP,
    MeasureKind.PIPS: Theme.RACE,
    MeasureKind.GAMMON_PIPS: Theme.COME_HOME,
    MeasureKind.GOOD: Theme.DIVERSIFY,
    MeasureKind.CONTACT: Theme.CONTACT,
    MeasureKind.NO_CONTACT: Theme.NO_CONTACT,
}
"""Measures that have one name whatever the board."""


def _moves(contrast: Contrast) -> list[Move]:
    return [move for fragment in contrast.fragments for move in fragment.moves]


def _hit_points(contrast: Contrast) -> tuple[int, ...]:
    return tuple(sorted({move.target for move in _moves(contrast) if move.hit}, reverse=True))


def _hit(contrast: Contrast, here: Facts) -> Theme:
    """How a play hits."""
    moves = _moves(contrast)
    points = _hit_points(contrast)
    if len(points) > 1 or (here.theirs.on_bar > 1 and contrast.values[1 - contrast.favours] == 1):
        return Theme.DOUBLE_HIT
    if not points:
        return Theme.HIT
    if points[0] in here.mine.points:
        return Theme.POINT_ON
    if points[0] <= HOME and any(move.source == points[0] for move in moves):
        return Theme.PICK_AND_PASS
    return Theme.HIT_LOOSE if points[0] <= HOME and points[0] in here.mine.blots else Theme.HIT


def _run(here: Facts, there: Facts, figures: dict[str, Any]) -> tuple[Theme, dict[str, Any]]:
    """Running: while it is safe if few rolls hit afterwards and the checker that stays would find it hard to leave."""
    later = there.mine.escape_rolls
    safe = here.contact and here.shots.count <= FEW_SHOTS and later is not None and later <= HARD_TO_RUN
    figures |= {"shots": here.shots.count, "later": later}
    return (Theme.RUN_NOW if safe else Theme.RUN), figures


def _point(
    contrast: Contrast, before: Position, here: Facts, there: Facts, figures: dict[str, Any]
) -> tuple[Theme, dict[str, Any]]:
    point = contrast.measure.point
    figures = figures | {
        "point": point,
        "prime": here.mine.prime,
        "escape": _rolls(here),
        "other_escape": _rolls(there),
    }
    held = before.mine[point - 1] >= 2
    if point >= BACK:
        if held:
            return Theme.KEEP_ANCHOR, figures
        given_up = [old for old in range(point + 1, 25) if before.mine[old - 1] >= 2 and old not in here.mine.points]
        return (Theme.ADVANCE_ANCHOR if given_up else Theme.MAKE_ANCHOR), figures
    return (Theme.KEEP_POINT if held else Theme.MAKE_POINT), figures


def _rolls(facts: Facts) -> int | None:
    return facts.theirs.escape_rolls


def _prime_end(facts: Facts) -> int:
    return facts.mine.prime_from + facts.mine.prime - 1


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else round(value, 2)


__all__ = ["MIDPOINT", "Theme", "theme_of"]
