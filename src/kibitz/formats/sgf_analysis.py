"""gnubg's analyses inside SGF: the values of A (plays) and DA (cube decisions), read and written.

What gnubg has no words for (XG's levels, equities of cube decisions in matches) stands in properties of our own beside
them, which gnubg passes over: KA candidates that gnubg would not list, KL a level for each candidate, KW its winning
chance (empty if it is the one that follows from the score) and standard error, KC the level of a cube decision, KD its
numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from kibitz.decision import AnalysisLevel, CubeDecision, CubePoints, Evaluation
from kibitz.dice import Dice
from kibitz.formats.analyses import CubeRow, PlayRow, both_units
from kibitz.formats.plays import legal_play
from kibitz.formats.sgf_tree import Node, escape
from kibitz.match import MatchState
from kibitz.move import Play
from kibitz.position import BAR, Position
from kibitz.record import Moves, PlayAnalysis

_NO_PLAY = "-"
_PLIES = re.compile(r"(\d{1,2})(C?)$")


# --- points -----------------------------------------------------------------------------------------------------------


def point_of(letter: str, player: int) -> int:
    """A letter as a point of the player's own: White counts from a, Black from x; y is the bar, z is off."""
    if letter == "y":
        return BAR
    if letter == "z":
        return 0
    number = ord(letter) - ord("a") + 1
    if not 1 <= number <= 24:
        return 999
    return number if player == 0 else 25 - number


def letter_of(point: int, player: int) -> str:
    """A player's own point as a letter."""
    if point == BAR:
        return "y"
    if point == 0:
        return "z"
    return chr(ord("a") + (point - 1 if player == 0 else 24 - point))


def steps_of(letters: str, player: int) -> list[tuple[int, int]]:
    """'hefe' as steps."""
    pairs = zip(letters[::2], letters[1::2], strict=False)
    return [(point_of(source, player), point_of(target, player)) for source, target in pairs]


def letters_of(moves: Moves, player: int) -> str:
    """Steps as letters."""
    return "".join(letter_of(move.source, player) + letter_of(move.target, player) for move in moves)


# --- plays ------------------------------------------------------------------------------------------------------------


def read_plays(node: Node, position: Position, dice: Dice, player: int, engine: str) -> list[PlayRow]:
    """The candidates of a node."""
    values = node.properties.get("A") or node.properties.get("KA")
    if not values or len(values) < 2:
        return []
    played = int(values[0]) if values[0].isascii() and values[0].isdigit() and len(values[0]) < 4 else None
    levels, chances = node.properties.get("KL", []), node.properties.get("KW", [])
    found: list[PlayRow] = []
    for number, value in enumerate(values[1:]):
        row = _read_row(value.split(), position, dice, player, engine)
        if row is None:
            continue
        if number < len(levels) and (level := _read_level(levels[number])):
            row = replace(row, level=level)
        if number < len(chances):
            mwc, _, error = chances[number].partition("|")
            row = replace(row, mwc=_float(mwc), standard_error=_float(error))
        found.append(replace(row, is_played=True) if number == played else row)
    return found


def _read_row(words: list[str], position: Position, dice: Dice, player: int, engine: str) -> PlayRow | None:
    if len(words) < 3:
        return None
    letters = "" if words[0] == _NO_PLAY else words[0]
    play = legal_play(position, dice, steps=steps_of(letters, player))
    if play is None:
        return None
    if words[1] == "E":
        numbers = words[4:] if words[2] == "ver" else words[2:]
        values = _floats(numbers[:6])
        plies = _PLIES.match(numbers[6]) if len(numbers) > 6 else None
        if values is None or len(values) < 6 or plies is None:
            return None
        level = AnalysisLevel(engine, f"{plies[1]}-ply", int(plies[1]), bool(plies[2]))
        return PlayRow(play, level, values[5], evaluation=Evaluation.of(values[:5]))
    return _read_rollout(words, play, engine) if words[1] == "X" else None


def _read_rollout(words: list[str], play: Play, engine: str) -> PlayRow | None:
    outputs, deviations = _after(words, "Output", 7), _after(words, "StdDev", 7)
    score = _after(words, "Score", 1)
    if outputs is None:
        return None
    equity = score[0] if score else outputs[6]
    error = deviations[6] if deviations else None
    evaluation = Evaluation.of(outputs[:5])
    return PlayRow(play, _rollout_level(words, engine), equity, evaluation=evaluation, standard_error=error)


def write_plays(analysis: PlayAnalysis, match: MatchState, player: int, engine: str) -> str:
    """The properties of a node for its candidates."""
    values: list[str] = []
    levels: list[str] = []
    chances: list[str] = []
    for row in analysis.plays:
        plies = 2 if row.plies is None else row.plies
        written = f"{plies}{'C' if row.cubeful else ''}"
        numbers = " ".join(map(number, (*row.evaluation, row.equity)))
        letters = letters_of(row.play.moves, player) or _NO_PLAY
        values.append(f"[{letters} E ver 3 {numbers} {written} 0 1 0.000000 1]")
        plain = AnalysisLevel(engine, f"{plies}-ply", plies, row.cubeful)
        levels.append("" if row.level == plain else write_level(row.level))
        known = both_units(row.equity, None, match)[1]
        pair = None if row.mwc == known else row.mwc, row.standard_error
        chances.append("|".join("" if value is None else number(value) for value in pair))
    own = "KL" + "".join(f"[{level}]" for level in levels) if any(levels) else ""
    if any(chance != "|" for chance in chances):
        own += "KW" + "".join(f"[{chance}]" for chance in chances)
    # gnubg lists no candidates where nothing can move, and wants the play that was made to be one of them.
    played = analysis.played
    shown = played is not None and any(row.play.moves for row in analysis.plays)
    return f"{'A' if shown else 'KA'}[{'' if played is None else played}]" + "".join(values) + own


# --- cube decisions ---------------------------------------------------------------------------------------------------


def read_cube(node: Node, engine: str, *, money: bool) -> CubeRow | None:
    """The cube decision of a node."""
    row = _read_da(node.get("DA").split(), engine, money=money) if "DA" in node else None
    level = _read_level(node.get("KC"))
    if row is None:
        return None
    if level is not None:
        row = replace(row, level=level)
    if "KD" in node:
        values = [None if word == "-" else _float(word) for word in node.get("KD").split()[:7]]
        if len(values) == 7:
            hold, take, drop, hold_mwc, take_mwc, drop_mwc, cubeless = values
            mwc = (hold_mwc, take_mwc, drop_mwc)
            return replace(row, equities=(hold, take, drop), mwc=mwc, cubeless=cubeless)
    return row


def _read_da(words: list[str], engine: str, *, money: bool) -> CubeRow | None:
    if not words:
        return None
    if words[0] == "E":
        rest = words[3:] if len(words) > 2 and words[1] == "ver" else words[1:]
        plies = _PLIES.match(rest[0]) if rest else None
        numbers = _floats(rest[-14:]) if len(rest) >= 15 else None
        if plies is None or numbers is None:
            return None
        level = AnalysisLevel(engine, f"{plies[1]}-ply", int(plies[1]), bool(plies[2]))
        hold, take = numbers[:7], numbers[7:]
    elif words[0] == "X":
        outputs = [index for index, word in enumerate(words) if word == "Output"][:2]
        both = [_floats(words[index + 1 : index + 8]) for index in outputs]
        if len(both) < 2 or both[0] is None or both[1] is None or min(map(len, (both[0], both[1]))) < 7:
            return None
        level, hold, take = _rollout_level(words, engine), both[0], both[1]
    else:
        return None
    pair = (hold[6], take[6], None)
    evaluation = Evaluation.of(hold[:5])
    if money:
        return CubeRow(level, pair, evaluation=evaluation, cubeless=hold[5])
    return CubeRow(level, mwc=pair, evaluation=evaluation, cubeless=hold[5])


def write_cube(cube: CubeDecision, engine: str) -> str:
    """The properties of a node for its cube decision: gnubg's, and ours for what does not follow from them."""
    plies = 2 if cube.plies is None else cube.plies
    mwc = cube.mwc
    # A match that is too long for the match equity tables has no winning chances for gnubg to show.
    pair = (cube.no_double, cube.double_take) if mwc is None else (mwc.no_double, mwc.double_take)
    rows = (" ".join(map(number, (*cube.evaluation, cube.cubeless, value))) for value in pair)
    written = f"E ver 3 {plies}{'C' if cube.level.cubeful else ''} 1 0.000000 1 {' '.join(rows)}"
    row = read_cube(Node(0, {"DA": [written]}), engine, money=cube.match.is_money)
    bare = replace(cube, points=CubePoints(), live_points=CubePoints(), dead_points=CubePoints(), standard_error=None)
    if row is not None and row.decision(cube.state) == bare:
        return f"DA[{written}]"
    values = [cube.no_double, cube.double_take, cube.double_pass]
    chances = [None] * 3 if mwc is None else [mwc.no_double, mwc.double_take, mwc.double_pass]
    numbers = ["-" if value is None else number(value) for value in (*values, *chances, cube.cubeless)]
    return f"DA[{written}]KD[{' '.join(numbers)}]KC[{write_level(cube.level)}]"


# --- levels and numbers -----------------------------------------------------------------------------------------------


def write_level(level: AnalysisLevel) -> str:
    """A level as one value."""
    fields = (level.engine, level.name, level.plies, int(level.cubeful), level.trials)
    return escape("|".join("" if item is None else str(item).replace("|", "/") for item in fields))


def _read_level(text: str) -> AnalysisLevel | None:
    fields = text.split("|")
    if len(fields) != 5:
        return None
    plies, trials = (_count(word) for word in (fields[2], fields[4]))
    return AnalysisLevel(fields[0], fields[1], plies, fields[3] == "1", trials)


def _count(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else None


def _rollout_level(words: list[str], engine: str) -> AnalysisLevel:
    trials = _after(words, "Trials", 1)
    return AnalysisLevel(engine, "rollout", None, True, int(trials[0]) if trials and 0 < trials[0] < 1e9 else None)


def number(value: float) -> str:
    """A number with gnubg's six decimals where that is all of it, else in full."""
    text = f"{value:.6f}"
    return text if float(text) == value else repr(value)


def _after(words: list[str], name: str, count: int) -> list[float] | None:
    if name not in words:
        return None
    start = words.index(name) + 1
    values = _floats(words[start : start + count])
    return values if values is not None and len(values) == count else None


def _float(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _floats(words: Sequence[str]) -> list[float] | None:
    values = [_float(word) for word in words]
    return None if any(value is None for value in values) else [value for value in values if value is not None]
