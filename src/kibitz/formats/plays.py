"""Plays as files write them: notation, steps or the position they lead to, made into a `Play`."""

from __future__ import annotations

import re
from itertools import pairwise

from kibitz import _core
from kibitz.dice import Dice
from kibitz.errors import IllegalPlayError, KibitzError, NotationError
from kibitz.move import Move, Play
from kibitz.position import BAR, Position
from kibitz.replay import Steps, after_steps

_STEP = re.compile(r"(\d+|bar)/(\d+|off)\*?$", re.IGNORECASE)
_POINTS = {"bar": BAR, "off": 0}


def find_play(
    position: Position,
    dice: Dice,
    *,
    text: str | None = None,
    steps: Steps | None = None,
    result: Position | None = None,
) -> tuple[Play | None, bool]:
    """A play however it is given, with its canonical moves, and whether it is legal.

    An empty text is a play nobody wrote down: no play if none is legal, the only one if there is one, else None (the
    player gave up before playing). Raises NotationError or IllegalPlayError for what the board does not allow at all.
    """
    legal = _core.legal_results(position.rows, dice.high, dice.low)
    if result is not None:
        if result.rows in legal:
            return _canonical(position, dice, result.rows), True
        if not legal and result == position.swapped():
            return _no_play(position, dice), True
        raise IllegalPlayError("no legal play leads to the recorded position")
    if text is not None and not text.strip():
        if len(legal) > 1:
            return None, True
        return (_canonical(position, dice, legal[0]) if legal else _no_play(position, dice)), True
    if steps is None:
        steps = _plain_steps(text or "")
    if steps is not None:
        if not steps and not legal:
            return _no_play(position, dice), True
        try:
            rows = after_steps(position, steps).rows
        except IllegalPlayError:
            pass  # perhaps in another order, or joined steps: the notation knows
        else:
            if rows in legal:
                return _canonical(position, dice, rows), True
    return _by_notation(position, dice, text, steps, legal)


def legal_play(
    position: Position,
    dice: Dice,
    *,
    text: str | None = None,
    steps: Steps | None = None,
    result: Position | None = None,
) -> Play | None:
    """The play of a ranking; None for what is not legal."""
    try:
        play, legal = find_play(position, dice, text=text, steps=steps, result=result)
    except KibitzError:
        return None
    return play if legal else None


def _by_notation(
    position: Position, dice: Dice, text: str | None, steps: Steps | None, legal: list[bytes]
) -> tuple[Play, bool]:
    """Joined, reordered and counted steps, and at last plays that break the rules but not the board."""
    from kibitz.notation.plays import parse_play

    if text is None:
        text = " ".join(f"{'bar' if a == BAR else a}/{'off' if b <= 0 else b}" for a, b in steps or ())
    try:
        play = parse_play(text, position, dice)
        if play.result.rows in legal:
            return _canonical(position, dice, play.result.rows), True
    except (NotationError, IllegalPlayError):
        pass
    loose = _plain_steps(text, expand=True)
    if loose is None:
        raise NotationError(f"{text.strip()!r} is not a play")
    if not loose:
        return _no_play(position, dice), False  # nothing was played, though something could be
    result = after_steps(position, loose)  # raises where the board forbids it
    return Play(position, dice, result, _marked(position, loose)), False


def _canonical(position: Position, dice: Dice, result: bytes) -> Play:
    return Play(position, dice, Position.from_rows(result))


def _no_play(position: Position, dice: Dice) -> Play:
    return Play(position, dice, position.swapped(), ())


def _plain_steps(text: str, *, expand: bool = False) -> list[tuple[int, int]] | None:
    """The steps of a text that has only plain 'a/b' words; with `expand` also 'a/b/c' and 'a/b(2)'."""
    steps: list[tuple[int, int]] = []
    for word in text.replace(",", " ").split():
        found = _STEP.match(word)
        if found is not None:
            steps.append((_point(found[1]), _point(found[2])))
            continue
        if not expand:
            return None
        parts = re.fullmatch(r"((?:\d+|bar)(?:/(?:\d+|off)\*?)+)(?:\((\d)\))?(\*?)", word, re.IGNORECASE)
        if parts is None:
            return None
        points = [_point(point) for point in parts[1].replace("*", "").split("/")]
        steps += [step for _ in range(int(parts[2] or 1)) for step in pairwise(points)]
        if len(steps) > 8:
            return None
    return sorted(steps, reverse=True) if expand else steps


def _point(word: str) -> int:
    return _POINTS.get(word.lower(), int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 999)


def _marked(position: Position, steps: Steps) -> tuple[Move, ...]:
    """The moves of a play that was made as told, with its hits."""
    moves, board = [], position
    for source, target in steps:
        hit = target > 0 and board.theirs[24 - target] == 1
        moves.append(Move(source, max(target, 0), hit))
        board = after_steps(board, [(source, target)]).swapped()
    return tuple(moves)
