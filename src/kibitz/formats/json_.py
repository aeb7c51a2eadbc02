"""Our own JSON: everything that a `Match` holds, without loss, in the words of `Match.to_dict()`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kibitz.cube import Owner
from kibitz.decision import CubeDecision, RankedPlay
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.limits import MAX_ACTIONS, MAX_GAMES, decode_text, printable
from kibitz.formats.plays import legal_play
from kibitz.move import Move
from kibitz.plain_json import read_json
from kibitz.position import Position, Variant
from kibitz.record import (
    ACTIONS,
    Action,
    Ending,
    Match,
    Moves,
    PlayAnalysis,
    Resign,
    Result,
    Roll,
    Rules,
    Setup,
)
from kibitz.state import State

NAME = "json"
KIND = "kibitz-match"
VERSION = 2
"""Version 1 wrote analyses in other words: what was played is read, its analyses are left out."""


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
        content = read_json(decode_text(data))
    except ValueError as error:
        raise FormatError(f"this is not JSON: {str(error)[:120]}") from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise FormatError(f"expected an object of the kind {KIND!r}")
    version = content.get("version")
    if version not in (1, VERSION):
        raise FormatError(f"version {version!r} of {KIND}; this reader knows the versions 1 and {VERSION}")
    builder = MatchBuilder(NAME, file)
    _read_header(builder, content)
    if version == 1:
        builder.warn("a file of version 1: its analyses are left out")
    games = _list(content.get("games"), "games")
    if len(games) > MAX_GAMES:
        raise FormatError(f"more than {MAX_GAMES} games in one match")
    for number, game in enumerate(games, start=1):
        try:
            _read_game(builder, game, analyses=version == VERSION)
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


def _read_game(builder: MatchBuilder, content: Any, *, analyses: bool) -> None:
    data = _object(content, "game")
    score = _list(data.get("score"), "score")
    if len(score) != 2:
        raise FormatError("a score has two numbers")
    actions = _list(data.get("actions", []), "actions")
    if len(actions) > MAX_ACTIONS:
        raise FormatError(f"more than {MAX_ACTIONS} actions in a game")
    read = [_read_action(item) for item in actions]
    result, comment = _read_result(data.get("result")), _text(data.get("comment", ""))
    before = _int(score[0], "score", low=0), _int(score[1], "score", low=0)
    game = builder.start_game(before, crawford=bool(data.get("crawford", False)))
    game.conclude(result)
    game.comment = comment
    try:
        _record(game, read, actions if analyses else [{}] * len(read))
    except KibitzError:
        game.rejected = True
        raise


def _record(game: GameBuilder, actions: list[Action], written: list[Any]) -> None:
    """The actions one after the other, each with what is said of it in the state that it was taken in."""
    for action, data in zip(actions, written, strict=True):
        state = game.record(action)
        if state is None:
            if game.result is not None:
                game.conclude(replace(game.result, ending=Ending.UNKNOWN))
            return
        if (cube := data.get("cube")) is not None:
            action = replace(action, cube=_read_cube(cube, replace(state, dice=None)))
        if isinstance(action, Roll) and (plays := data.get("analysis")) is not None:
            action = replace(action, analysis=_read_plays(plays, state))
        game.actions[-1] = action


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
    }
    if kind is Roll:
        dice = _list(data.get("dice"), "dice")
        if len(dice) != 2:
            raise FormatError("a roll has two dice")
        roll = Dice(_int(dice[0], "die"), _int(dice[1], "die"))
        moves = None if data.get("moves") is None else _read_moves(data["moves"])
        luck = _number_or_none(data.get("luck"))
        return Roll(player, roll, moves, bool(data.get("legal", True)), luck=luck, **notes)
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


def _read_plays(content: Any, state: State) -> PlayAnalysis:
    data = _object(content, "analysis")
    plays = tuple(_read_row(item, state) for item in _list(data.get("plays"), "plays"))
    played = data.get("played")
    if played is not None:
        played = _int(played, "played", low=0, high=max(len(plays) - 1, 0))
    return PlayAnalysis(plays, played)


def _read_row(content: Any, state: State) -> RankedPlay:
    assert state.dice is not None
    row = RankedPlay.from_dict(_shaped(content, "play", _ROW), state)
    if legal_play(state.position, state.dice, result=row.play.result) is None:
        raise FormatError(f"no play of {state.dice} leads to {row.play.result.id}")
    return row


def _read_cube(content: Any, state: State) -> CubeDecision:
    return CubeDecision.from_dict(_shaped(content, "cube", _CUBE), state)


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
    return printable(value)


def _int(value: Any, name: str, *, low: int = -(1 << 31), high: int = 1 << 31) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise FormatError(f"{name} must be a whole number from {low} to {high}, not {str(value)[:40]!r}")
    return value


def _power(value: Any, name: str) -> int:
    number = _int(value, name, low=1, high=1 << 15)
    if number & (number - 1):
        raise FormatError(f"{name} must be a power of two, not {number}")
    return number


def _number(value: Any, name: str = "number") -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or abs(value) > 1e9 or not math.isfinite(value):
        raise FormatError(f"{name} must be a number, not {str(value)[:40]!r}")
    return float(value)


def _number_or_none(value: Any, name: str = "number") -> float | None:
    return None if value is None else _number(value, name)


# --- decisions --------------------------------------------------------------------------------------------------------

Check = Callable[[Any, str], Any]
"""What makes sure of one value, given its name."""


def _shaped(content: Any, name: str, shape: Mapping[str, Check]) -> dict[str, Any]:
    """The fields of an object that its shape names, each checked."""
    data = _object(content, name)
    return {field: check(data.get(field), field) for field, check in shape.items()}


def _of(shape: Mapping[str, Check]) -> Check:
    return lambda value, name: _shaped(value, name, shape)


def _or_none(check: Check) -> Check:
    return lambda value, name: None if value is None else check(value, name)


def _count(value: Any, name: str) -> int:
    return _int(value, name, low=0)


def _word(value: Any, name: str) -> str:  # noqa: ARG001
    return _text(value)


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise FormatError(f"{name} must be true or false, not {str(value)[:40]!r}")
    return value


_LEVEL: dict[str, Check] = {
    "engine": _word,
    "name": _word,
    "plies": _or_none(_count),
    "cubeful": _flag,
    "trials": _or_none(_count),
}
_EVALUATION: dict[str, Check] = dict.fromkeys(
    ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"), _number
)
_CHANCES: dict[str, Check] = dict.fromkeys(("no_double", "double_take", "double_pass"), _number)
_POINTS: dict[str, Check] = dict.fromkeys(("double_point", "cash_point", "too_good_point"), _number_or_none)
_ROW: dict[str, Check] = {
    "result": _word,
    "equity": _number,
    "difference": _number,
    "rank": _count,
    "mwc": _number_or_none,
    "standard_error": _number_or_none,
    "evaluation": _of(_EVALUATION),
    "level": _of(_LEVEL),
}
_CUBE: dict[str, Check] = {
    "no_double": _number,
    "double_take": _number_or_none,
    "double_pass": _number_or_none,
    "cubeless": _number,
    "available": _flag,
    "mwc": _or_none(_of(_CHANCES | {"cubeless": _number_or_none})),
    "standard_error": _number_or_none,
    "evaluation": _of(_EVALUATION),
    "taken_evaluation": _or_none(_of(_EVALUATION)),
    "level": _of(_LEVEL),
    "points": _of(_POINTS),
    "live_points": _of(_POINTS),
    "dead_points": _of(_POINTS),
    "double_confidence": _number_or_none,
    "take_confidence": _number_or_none,
}
"""What a decision must hold: the names are those of its `to_dict()`."""
