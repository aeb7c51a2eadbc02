"""gnubg's analyses inside SGF: the values of A (plays) and DA (cube decisions), read and written.

What gnubg has no words for (XG's levels, equities of cube decisions in matches) stands in properties of our own beside
them, which gnubg passes over: KA candidates that gnubg would not list, KL a level for each candidate, KW its winning
chance and standard error, KC the level of a cube decision, KD its numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from kibitz.dice import Dice
from kibitz.errors import KibitzError
from kibitz.formats.builder import resolve
from kibitz.formats.sgf_tree import Node, escape
from kibitz.position import BAR, Position
from kibitz.record import AnalysisLevel, Candidate, CubeAnalysis, Moves, PlayAnalysis, Probabilities

_NO_PLAY = "-"
_PLIES = re.compile(r"(\d{1,2})(C?)$")
_CUBE_FIELDS = (
    "no_double",
    "double_take",
    "double_pass",
    "no_double_mwc",
    "double_take_mwc",
    "double_pass_mwc",
    "cubeless",
)


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


def read_plays(node: Node, position: Position, dice: Dice, player: int, engine: str) -> PlayAnalysis | None:
    """The candidates of a node."""
    values = node.properties.get("A") or node.properties.get("KA")
    if not values or len(values) < 2:
        return None
    played = int(values[0]) if values[0].isascii() and values[0].isdigit() and len(values[0]) < 4 else None
    levels, chances = node.properties.get("KL", []), node.properties.get("KW", [])
    found: list[Candidate] = []
    index = None
    for number, value in enumerate(values[1:]):
        candidate = _read_candidate(value.split(), position, dice, player, engine)
        if candidate is None:
            continue
        if number < len(levels) and (level := _read_level(levels[number])):
            candidate = replace(candidate, level=level)
        if number < len(chances):
            mwc, _, error = chances[number].partition("|")
            candidate = replace(candidate, mwc=_float(mwc), standard_error=_float(error))
        if number == played:
            index = len(found)
        found.append(candidate)
    return PlayAnalysis(tuple(found), index) if found else None


def _read_candidate(words: list[str], position: Position, dice: Dice, player: int, engine: str) -> Candidate | None:
    if len(words) < 3:
        return None
    letters = "" if words[0] == _NO_PLAY else words[0]
    try:
        moves, legal = resolve(position, dice, steps=steps_of(letters, player))
    except KibitzError:
        return None
    if not legal or moves is None:
        return None
    if words[1] == "E":
        numbers = words[4:] if words[2] == "ver" else words[2:]
        values = _floats(numbers[:6])
        plies = _PLIES.match(numbers[6]) if len(numbers) > 6 else None
        if values is None or len(values) < 6 or plies is None:
            return None
        level = AnalysisLevel(engine, f"{plies[1]}-ply", int(plies[1]), bool(plies[2]))
        return Candidate(moves, level, values[5], probabilities=_five(values))
    if words[1] == "X":
        return _read_rollout(words, moves, engine)
    return None


def _read_rollout(words: list[str], moves: Moves, engine: str) -> Candidate | None:
    outputs, deviations = _after(words, "Output", 7), _after(words, "StdDev", 7)
    score = _after(words, "Score", 1)
    if outputs is None:
        return None
    level = _rollout_level(words, engine)
    equity = score[0] if score else outputs[6]
    error = deviations[6] if deviations else None
    return Candidate(moves, level, equity, probabilities=_five(outputs), standard_error=error)


def write_plays(analysis: PlayAnalysis, player: int, engine: str) -> str:
    """The properties of a node for its candidates."""
    values: list[str] = []
    levels: list[str] = []
    chances: list[str] = []
    played = None
    for index, candidate in enumerate(analysis.candidates):
        if candidate.equity is None or candidate.probabilities is None:
            continue
        if index == analysis.played:
            played = len(values)
        plies = 2 if candidate.level.plies is None else candidate.level.plies
        written = f"{plies}{'C' if candidate.level.cubeful else ''}"
        numbers = " ".join(map(number, (*candidate.probabilities, candidate.equity)))
        letters = letters_of(candidate.moves, player) or _NO_PLAY
        values.append(f"[{letters} E ver 3 {numbers} {written} 0 1 0.000000 1]")
        plain = AnalysisLevel(engine, f"{plies}-ply", plies, candidate.level.cubeful)
        levels.append("" if candidate.level == plain else write_level(candidate.level))
        pair = candidate.mwc, candidate.standard_error
        chances.append("|".join("" if value is None else number(value) for value in pair))
    if not values:
        return ""
    own = "KL" + "".join(f"[{level}]" for level in levels) if any(levels) else ""
    if any(chance != "|" for chance in chances):
        own += "KW" + "".join(f"[{chance}]" for chance in chances)
    # gnubg lists no candidates where nothing can move, and wants the play that was made to be one of them.
    shown = played is not None and any(candidate.moves for candidate in analysis.candidates)
    return f"{'A' if shown else 'KA'}[{'' if played is None else played}]" + "".join(values) + own


# --- cube decisions ---------------------------------------------------------------------------------------------------


def read_cube(node: Node, engine: str, *, money: bool) -> CubeAnalysis | None:
    """The cube decision of a node."""
    analysis = _read_da(node.get("DA").split(), engine, money=money) if "DA" in node else None
    level = _read_level(node.get("KC"))
    if "KD" in node and (analysis is not None or level is not None):
        words = node.get("KD").split()
        values: list[float | None] = [None if word == "-" else _float(word) for word in words[:7]]
        if len(values) == 7:
            probabilities = _five(_floats(words[7:12]) or []) or (analysis.probabilities if analysis else None)
            base = level or (analysis.level if analysis else AnalysisLevel(engine))
            return CubeAnalysis.of(base, values[:3], values[3:6], probabilities=probabilities, cubeless=values[6])
    if analysis is not None and level is not None:
        return replace(analysis, level=level)
    return analysis


def _read_da(words: list[str], engine: str, *, money: bool) -> CubeAnalysis | None:
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
    pair: tuple[float | None, ...] = (hold[6], take[6], 1.0 if money else None)
    none = (None, None, None)
    equities, mwc = (pair, none) if money else (none, pair)
    return CubeAnalysis.of(level, equities, mwc, probabilities=_five(hold), cubeless=hold[5])


def write_cube(analysis: CubeAnalysis, engine: str, *, money: bool) -> str:
    """The properties of a node for its cube decision: gnubg's if the numbers it wants are there, and ours."""
    written = ""
    plies = 2 if analysis.level.plies is None else analysis.level.plies
    pair = (analysis.no_double, analysis.double_take) if money else (analysis.no_double_mwc, analysis.double_take_mwc)
    if None not in pair and analysis.probabilities is not None:
        p = analysis.probabilities
        cubeless = analysis.cubeless
        if cubeless is None:
            cubeless = 2 * p[0] - 1 + p[1] + p[2] - p[3] - p[4]
        rows = (" ".join(map(number, (*p, cubeless, value or 0.0))) for value in pair)
        written = f"DA[E ver 3 {plies}{'C' if analysis.level.cubeful else ''} 1 0.000000 1 {' '.join(rows)}]"
    node = Node(0, {"DA": [written[3:-1]]} if written else {})
    if read_cube(node, engine, money=money) != analysis:
        values = [getattr(analysis, name) for name in _CUBE_FIELDS]
        numbers = ["-" if value is None else number(value) for value in values]
        if not written and analysis.probabilities is not None:
            numbers += map(number, analysis.probabilities)
        written += f"KD[{' '.join(numbers)}]KC[{write_level(analysis.level)}]"
    return written


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


def _five(values: Sequence[float]) -> Probabilities | None:
    if len(values) < 5:
        return None
    return values[0], values[1], values[2], values[3], values[4]
