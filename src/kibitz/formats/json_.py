"""Our own JSON: everything that a `Match` holds, without loss, in the words of `Match.to_dict()`."""

from __future__ import annotations

import json
import math
from typing import Any

from kibitz.cube import Owner
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.builder import MatchBuilder
from kibitz.formats.limits import MAX_ACTIONS, MAX_GAMES, decode_text
from kibitz.play import Move
from kibitz.position import Position, Variant
from kibitz.record import (
    ACTIONS,
    Action,
    AnalysisLevel,
    Candidate,
    CubeAnalysis,
    Ending,
    Match,
    Moves,
    PlayAnalysis,
    Probabilities,
    Resign,
    Result,
    Roll,
    Rules,
    Setup,
)

NAME = "json"
KIND = "kibitz-match"
VERSION = 1

_CUBE_NUMBERS = (
    "no_double",
    "double_take",
    "double_pass",
    "no_double_mwc",
    "double_take_mwc",
    "double_pass_mwc",
    "cubeless",
)


def looks_like(text: str) -> bool:
    """Whether text is our JSON."""
    head = text[:500]
    return head.lstrip().startswith("{") and f'"{KIND}"' in head


def write(match: Match) -> tuple[bytes, list[str]]:
    """A .json file. Nothing is lost."""
    data = {"kind": KIND, "version": VERSION} | match.to_dict()
    return (json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode(), []


def read(data: bytes, file: str = "") -> Match:
    """Read our JSON."""
    try:
        content = json.loads(decode_text(data))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is not JSON: {str(error)[:120]}") from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise FormatError(f"expected an object of the kind {KIND!r}")
    if content.get("version") != VERSION:
        raise FormatError(f"version {content.get('version')!r} of {KIND}; this reader knows version {VERSION}")
    builder = MatchBuilder(NAME, file)
    _read_header(builder, content)
    games = _list(content.get("games"), "games")
    if len(games) > MAX_GAMES:
        raise FormatError(f"more than {MAX_GAMES} games in one match")
    for number, game in enumerate(games, start=1):
        try:
            _read_game(builder, game)
        except KibitzError as error:
            builder.warn(f"game {number} is left out: {error}")
    return builder.build()


def _read_header(builder: MatchBuilder, content: dict[str, Any]) -> None:
    names = _list(content.get("players"), "players")
    if len(names) != 2:
        raise FormatError(f"a match has two players, not {len(names)}")
    builder.players = (_text(names[0]), _text(names[1]))
    builder.length = _int(content.get("length"), "length", low=0, high=9999)
    rules = _object(content.get("rules"), "rules")
    builder.rules = Rules(
        crawford=bool(rules.get("crawford", True)),
        jacoby=bool(rules.get("jacoby", False)),
        beavers=bool(rules.get("beavers", False)),
        max_cube=_power(rules.get("max_cube", 1024), "max_cube"),
    )
    try:
        builder.variant = Variant(content.get("variant", "backgammon"))
    except ValueError:
        raise FormatError(f"the variant {content.get('variant')!r} is not known") from None
    for name in ("event", "round", "place", "date", "annotator"):
        setattr(builder, name, _text(content.get(name, "")))
    ratings = _list(content.get("ratings", ["", ""]), "ratings")
    if len(ratings) == 2:
        builder.ratings = (_text(ratings[0]), _text(ratings[1]))
    builder.comments += [_text(item) for item in _list(content.get("comments", []), "comments")]
    for pair in _list(content.get("info", []), "info"):
        items = _list(pair, "info")
        if len(items) == 2:
            builder.info.append((_text(items[0]), _text(items[1])))


def _read_game(builder: MatchBuilder, content: Any) -> None:
    data = _object(content, "game")
    score = _list(data.get("score"), "score")
    if len(score) != 2:
        raise FormatError("a score has two numbers")
    actions = _list(data.get("actions", []), "actions")
    if len(actions) > MAX_ACTIONS:
        raise FormatError(f"more than {MAX_ACTIONS} actions in a game")
    read = [_read_action(item) for item in actions]
    result = _read_result(data.get("result"))
    before = _int(score[0], "score", low=0), _int(score[1], "score", low=0)
    game = builder.start_game(before, crawford=bool(data.get("crawford", False)))
    # What was written was a checked match: its actions are taken as they stand, and replayed once by the builder.
    game.actions += read
    game.result = result
    game.comment = _text(data.get("comment", ""))
    game.damaged = True


def _read_result(content: Any) -> Result | None:
    if content is None:
        return None
    data = _object(content, "result")
    try:
        ending = Ending(data.get("ending", "unknown"))
    except ValueError:
        raise FormatError(f"the ending {data.get('ending')!r} is not known") from None
    return Result(_int(data.get("winner"), "winner", low=0, high=1), _int(data.get("points"), "points", low=1), ending)


def _read_action(content: Any) -> Action:
    data = _object(content, "action")
    kind = next((kind for kind in ACTIONS if kind.kind == data.get("action")), None)
    if kind is None:
        raise FormatError(f"the action {str(data.get('action'))[:40]!r} is not known")
    player = _int(data.get("player"), "player", low=0, high=1)
    notes: dict[str, Any] = {
        "comment": _text(data.get("comment", "")),
        "marks": tuple(_text(mark) for mark in _list(data.get("marks", []), "marks")),
        "cube": _read_cube(data.get("cube")),
    }
    if kind is Roll:
        dice = _list(data.get("dice"), "dice")
        if len(dice) != 2:
            raise FormatError("a roll has two dice")
        roll = Dice(_int(dice[0], "die"), _int(dice[1], "die"))
        moves = None if data.get("moves") is None else _read_moves(data["moves"])
        details = {"analysis": _read_plays(data.get("analysis")), "luck": _number(data.get("luck"))} | notes
        return Roll(player, roll, moves, bool(data.get("legal", True)), **details)
    if kind is Resign:
        return Resign(player, _int(data.get("size", 1), "size", low=1, high=3), **notes)
    if kind is Setup:
        try:
            owner = Owner(data.get("owner", "centred"))
        except ValueError:
            raise FormatError(f"the cube's owner {data.get('owner')!r} is not known") from None
        position = Position.from_id(_text(data.get("position", "")))
        return Setup(player, position, owner, _power(data.get("value", 1), "value"), **notes)
    return kind(player, **notes)


def _read_moves(content: Any) -> Moves:
    moves = []
    for item in _list(content, "moves"):
        parts = _list(item, "move")
        if len(parts) not in (2, 3):
            raise FormatError("a move is a source, a target and perhaps a hit")
        source, target = _int(parts[0], "source", low=1, high=25), _int(parts[1], "target", low=0, high=24)
        moves.append(Move(source, target, len(parts) == 3 and bool(parts[2])))
    if len(moves) > 8:
        raise FormatError("a play has at most four moves")
    return tuple(moves)


def _read_plays(content: Any) -> PlayAnalysis | None:
    if content is None:
        return None
    data = _object(content, "analysis")
    candidates = tuple(_read_candidate(item) for item in _list(data.get("candidates", []), "candidates"))
    played = data.get("played")
    if played is not None:
        played = _int(played, "played", low=0, high=max(len(candidates) - 1, 0))
    return PlayAnalysis(candidates, played)


def _read_candidate(content: Any) -> Candidate:
    data = _object(content, "candidate")
    return Candidate(
        _read_moves(data.get("moves", [])),
        _read_level(data.get("level")),
        _number(data.get("equity")),
        _number(data.get("mwc")),
        _probabilities(data.get("probabilities")),
        _number(data.get("standard_error")),
    )


def _read_cube(content: Any) -> CubeAnalysis | None:
    if content is None:
        return None
    data = _object(content, "cube")
    numbers = {name: _number(data.get(name)) for name in _CUBE_NUMBERS}
    chances = _probabilities(data.get("probabilities"))
    return CubeAnalysis(_read_level(data.get("level")), probabilities=chances, **numbers)


def _read_level(content: Any) -> AnalysisLevel:
    data = _object(content, "level")
    return AnalysisLevel(
        _text(data.get("engine", "")),
        _text(data.get("name", "")),
        None if data.get("plies") is None else _int(data["plies"], "plies", low=0, high=99),
        bool(data.get("cubeful", True)),
        None if data.get("trials") is None else _int(data["trials"], "trials", low=0),
    )


def _probabilities(content: Any) -> Probabilities | None:
    if content is None:
        return None
    values = [_number(item) for item in _list(content, "probabilities")]
    if len(values) != 5 or any(value is None for value in values):
        raise FormatError("probabilities are five numbers")
    win, gammon, backgammon, lose_gammon, lose_backgammon = (value or 0.0 for value in values)
    return win, gammon, backgammon, lose_gammon, lose_backgammon


# --- plain values -----------------------------------------------------------------------------------------------------


def _object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{name} must be an object, not {type(value).__name__}")
    return value


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(f"{name} must be a list, not {type(value).__name__}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise FormatError(f"expected text, not {type(value).__name__}")
    return value


def _int(value: Any, name: str, *, low: int = -(1 << 31), high: int = 1 << 31) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise FormatError(f"{name} must be a whole number from {low} to {high}, not {str(value)[:40]!r}")
    return value


def _power(value: Any, name: str) -> int:
    number = _int(value, name, low=1, high=1 << 15)
    if number & (number - 1):
        raise FormatError(f"{name} must be a power of two, not {number}")
    return number


def _number(value: Any) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or abs(value) > 1e9 or not math.isfinite(value):
        raise FormatError(f"expected a number, not {str(value)[:40]!r}")
    return float(value)
