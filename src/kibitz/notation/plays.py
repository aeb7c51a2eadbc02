"""Reading plays such as '24/18*/13 8/5(2)', in all the ways in which people and programs write them.

Steps may come in any order, one by one or joined; the bar is 'bar' or 25, off is 'off' or 0; '*' may be missing; '(2)'
repeats. A play is found by the position it leads to, so every way to write it is as good as any other. Where the way
matters, because a checker could hit or not hit on it, the points that the text names are the ones that it lands on.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from kibitz import _core
from kibitz.dice import ALL_ROLLS, Dice, DiceLike
from kibitz.errors import IllegalPlayError, NotationError
from kibitz.move import NO_PLAY, Move, Play
from kibitz.position import BAR, OFF, Position

_SLOTS = 25
_MOST_STEPS = 4
_NEAREST = 3
_LONGEST = 200
_NOTHING = {"", NO_PLAY, "cannot move", "can't move", "no move", "pass", "dance", "dances"}
_ROLL_BEFORE = re.compile(r"\s*([1-6])\s*-?\s*([1-6])\s*:")
_PLACE = r"(?:bar|off|[0-9]{1,2})"
_CHAIN = re.compile(rf"({_PLACE}\*?(?:[/-](?:{_PLACE}|-)\*?)+)\s*(?:\(([1-4])\))?")
_NAMES = {"bar": BAR, "off": OFF, "-": OFF}


@dataclass(frozen=True, slots=True)
class _Written:
    """A play as it was written: hops from a point to a point, each of one or more dice."""

    text: str
    hops: tuple[Move, ...]  # `hit` where the text has a star

    @property
    def landings(self) -> set[int]:
        """The points that the text names as reached."""
        return {hop.target for hop in self.hops}

    @property
    def stars(self) -> set[int]:
        """The points on which the text says that something is hit."""
        return {hop.target for hop in self.hops if hop.hit}


def parse_play(text: str, position: Position, dice: DiceLike | None = None) -> Play:
    """The legal play that a text tells.

    Without dice, a roll is found that makes it legal, if possible one that needs no step to be split; a roll before
    the play, as in '31: 8/5 6/5', counts as dice. Raises NotationError for text that is no play, and IllegalPlayError,
    with the reason and the nearest legal plays, for one that the rules forbid.
    """
    if len(text) > _LONGEST:
        raise NotationError(f"a play has at most {_LONGEST} characters, not {len(text)}")
    if before := _ROLL_BEFORE.match(text):
        dice = dice or (int(before[1]), int(before[2]))
        text = text[before.end() :]
    written = _read(text)
    if dice is None:
        return _with_any_dice(written, position)
    roll = Dice.of(dice)
    result = _find_result(written, position, roll)
    if result is None:
        raise IllegalPlayError(_refusal(written, position, roll))
    return Play(position, roll, result, None if written.hops else ())


def _read(text: str) -> _Written:
    plain = " ".join(text.lower().split())
    if plain in _NOTHING:
        return _Written(text.strip(), ())
    hops: list[Move] = []
    at = 0
    for chain in _CHAIN.finditer(plain):
        _expect_nothing(text, plain[at : chain.start()])
        at = chain.end()
        hops += _read_chain(text, chain[1]) * int(chain[2] or 1)
    _expect_nothing(text, plain[at:])
    if len(hops) > 2 * _MOST_STEPS:
        raise NotationError(f"a play has at most {_MOST_STEPS} steps, not {len(hops)}: {text!r}")
    return _Written(text.strip(), tuple(hops))


def _read_chain(text: str, chain: str) -> list[Move]:
    """The hops of one checker's way, such as 24/18*/13."""
    stops = re.findall(rf"({_PLACE}|-)(\*?)", re.sub(r"(?<=[0-9r*])-(?=[0-9bo])", "/", chain))
    points = [_NAMES[name] if name in _NAMES else int(name) for name, _ in stops]
    hops = []
    for (source, target), (_, star) in zip(pairwise(points), stops[1:], strict=True):
        if not (1 <= source <= BAR and OFF <= target < source):
            expected = "steps from a higher to a lower point, between 25 (bar) and 0 (off)"
            raise NotationError(f"expected {expected}, not {chain!r} in {text!r}")
        hops.append(Move(source, target, hit=bool(star)))
    return hops


def _expect_nothing(text: str, rest: str) -> None:
    if rest.strip(" ,;."):
        raise NotationError(f"expected a play such as '24/18*/13 8/5(2)', not {text!r}: {rest.strip()!r} is no step")


# --- from what was written to what is legal ---------------------------------------------------------------------------


def _find_result(written: _Written, position: Position, dice: Dice) -> Position | None:
    """The position that the play leads to; None if it is not legal."""
    results = _core.legal_results(position.rows, dice.high, dice.low) if not position.is_over else []
    if not written.hops:
        return position.swapped() if not results else None
    mine = _row_after(position, written)
    if mine is None:
        return None
    theirs = position.rows[_SLOTS:]
    blots = {point for point in range(1, BAR) if theirs[24 - point] == 1}
    if not written.stars <= blots:
        return None
    candidates = []
    for rows in results:
        if rows[_SLOTS:] != mine:
            continue
        hits = {point for point in blots if rows[24 - point] == 0}
        if written.stars <= hits:
            # Most like the text: hits on the points that it names, and on no others.
            candidates.append((len(hits ^ (written.landings & blots)), rows))
    return Position.from_rows(min(candidates)[1]) if candidates else None


def _row_after(position: Position, written: _Written) -> bytes | None:
    """The mover's row after the play; None if it moves checkers that are not there."""
    counts = Counter({point: count for point, count in enumerate(position.mine, start=1) if count})
    for hop in written.hops:
        counts[hop.source] -= 1
        counts[hop.target] += 1
    if any(count < 0 for count in counts.values()):
        return None
    return bytes(counts[point] for point in range(1, BAR + 1))


def _with_any_dice(written: _Written, position: Position) -> Play:
    """The play with a roll that makes it legal, the roll that fits the written steps best."""
    best: tuple[int, Dice, Position] | None = None
    for dice in ALL_ROLLS:
        result = _find_result(written, position, dice)
        if result is None:
            continue
        misfit = _misfit(written, dice)
        if best is None or misfit < best[0]:
            best = misfit, dice, result
    if best is None:
        raise IllegalPlayError(_refusal(written, position, None))
    _, dice, result = best
    return Play(position, dice, result, None if written.hops else ())


def _misfit(written: _Written, dice: Dice) -> int:
    """How badly the written hops fit these dice: 0 if each hop is one die and none is left."""
    left = [dice.high] * 4 if dice.is_double else list(dice)
    misfit = 0
    for hop in written.hops:
        length = hop.source - hop.target
        if length in left:
            left.remove(length)
        else:
            misfit += 10 * abs(length - sum(left)) if hop.target != OFF else 1
    return misfit + len(left)


# --- why not ----------------------------------------------------------------------------------------------------------


def _refusal(written: _Written, position: Position, dice: Dice | None) -> str:
    """What is wrong with a play, and which legal plays are nearest to it."""
    where = f"in {position.id}" + (f" with {dice}" if dice else "")
    name = repr(written.text) if written.text else "'no play'"
    reason = _reason(written, position, dice)
    message = f"{name} is not legal {where}: {reason}"
    if dice is None or position.is_over:
        return message
    plays = position.plays(dice)
    if not plays:
        return f"{message}; there is no legal play"
    plays.sort(key=lambda play: _distance(written, position, play))
    nearest = ", ".join(map(str, plays[:_NEAREST]))
    if len(plays) <= _NEAREST:
        return f"{message}; legal: {nearest}"
    return f"{message}; nearest of {len(plays)} legal plays: {nearest}"


def _reason(written: _Written, position: Position, dice: Dice | None) -> str:
    """The first rule that the play breaks, in words."""
    if position.is_over:
        return "the game is over"
    if not written.hops:
        return "a checker can move, so one must" if dice else "every roll has a legal play"
    mine = dict(enumerate(position.mine, start=1))
    theirs = position.theirs
    on_bar = mine[BAR]
    arrivals = Counter(hop.target for hop in written.hops)
    leaving = Counter(hop.source for hop in written.hops)
    for hop in written.hops:
        if mine[hop.source] + arrivals[hop.source] < leaving[hop.source]:
            have, want = mine[hop.source] + arrivals[hop.source], leaving[hop.source]
            if not have:
                return f"there is no checker on {_name(hop.source)}"
            return f"{want} checkers cannot leave {_name(hop.source)}, where there are only {have}"
        if on_bar and hop.source != BAR and leaving[BAR] < on_bar:
            return "checkers on the bar must enter first"
        if hop.target != OFF and theirs[24 - hop.target] >= 2:
            return f"the opponent holds point {hop.target}"
        if hop.hit and theirs[24 - hop.target] != 1:
            return f"there is no single checker to hit on point {hop.target}"
    after = {point: mine[point] - leaving[point] + arrivals[point] for point in range(7, BAR + 1)}
    if arrivals[OFF] and any(after.values()):
        return "checkers can be borne off only when all are in the home board"
    return _dice_reason(written, position, dice)


def _dice_reason(written: _Written, position: Position, dice: Dice | None) -> str:
    """What is wrong with how the play uses the dice."""
    if dice is None:
        return "no roll allows it"
    lengths = [dice.high] * 4 if dice.is_double else [dice.high, dice.low]
    pips = sum(hop.source - hop.target for hop in written.hops)
    plays = position.plays(dice)
    if plays and OFF not in written.landings:
        needed = {sum(move.source - move.target for move in play.moves) for play in plays}
        if pips > sum(lengths):
            return f"it moves {pips} pips, more than the {sum(lengths)} of the dice"
        if pips < min(needed):
            steps = max(len(play.moves) for play in plays)
            if steps == 1:
                return f"the {min(needed)} must be played, not the {pips}"
            return f"it moves {pips} pips, but {steps} dice can and must be played"
    sums = {sum(lengths[:count]) for count in range(1, len(lengths) + 1)} | set(lengths)
    for hop in written.hops:
        length = hop.source - hop.target
        if length not in sums and (hop.target != OFF or length > max(sums)):
            return f"{_name(hop.source)}/{_name(hop.target)} is a step of {length}, which the dice do not give"
    return "the dice cannot be played that way"


def _distance(written: _Written, position: Position, play: Play) -> tuple[int, int]:
    """How far a legal play is from what was written: steps not in common, then checkers not in common afterwards."""
    steps = Counter((hop.source, hop.target) for hop in written.hops)
    legal = Counter((move.source, move.target) for move in play.moves)
    different = (steps - legal).total() + (legal - steps).total()
    meant = Counter(dict(enumerate(position.mine, start=1)))
    meant.subtract(hop.source for hop in written.hops)
    meant.update(hop.target for hop in written.hops)
    apart = sum(abs(meant[point] - count) for point, count in enumerate(play.result.theirs, start=1))
    return apart, different


def _name(point: int) -> str:
    return {BAR: "the bar", OFF: "off"}.get(point, f"point {point}")
