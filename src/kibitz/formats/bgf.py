"""BGBlitz's match files, .bgf: a line of JSON, then (usually compressed) SMILE or JSON.

Green is player 0, Red player 1; the file numbers them -1 and 1. An action is a move with two dice, or one whose green
die is 7: then the red die says what it is.
"""

from __future__ import annotations

import math
import re
from typing import Any

from kibitz.cube import Owner
from kibitz.decision import AnalysisLevel, Evaluation
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.analyses import NONE, CubeRow, PlayRow
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.limits import check_size, decode_text, inflate
from kibitz.formats.plays import legal_play
from kibitz.formats.smile import HEADER as SMILE_HEADER
from kibitz.formats.smile import decode_smile
from kibitz.plain_json import read_json
from kibitz.position import Position
from kibitz.record import Ending, Match, Rules

NAME = "bgf"

_SPECIAL = 7
_DOUBLE, _TAKE, _DROP, _END, _DANCE = 1, 2, 3, 4, 5
_NOT_COUNTED = -98.0
_MONTHS = {name: number for number, name in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1)}  # fmt: skip


def looks_like(data: bytes) -> bool:
    """Whether bytes are a BGBlitz match."""
    line = data[:400].partition(b"\n")[0].lstrip(b"\xef\xbb\xbf \t")
    return line.startswith(b"{") and b'"BGF"' in line.replace(b" ", b"")


def read(data: bytes, file: str = "") -> Match:
    """Read a .bgf file."""
    content = _content(data)
    if not isinstance(content, dict):
        raise FormatError("a .bgf file holds an object with a match, not a bare value")
    builder = MatchBuilder(NAME, file)
    _read_header(builder, content)
    games = _list(content.get("games"))
    for number, game in enumerate(games):
        if not isinstance(game, dict):
            builder.warn(f"game {number + 1} is not an object; left out")
            continue
        following = games[number + 1] if number + 1 < len(games) else None
        _read_game(builder, content, game, following)
    return builder.build()


def _content(data: bytes) -> Any:
    line, _, rest = data.partition(b"\n")
    if not looks_like(data):
        raise FormatError("a .bgf file starts with a line of JSON that names the format BGF")
    if rest.startswith(b"\x1f\x8b"):
        rest = inflate(rest, gzip=True)
    elif rest[:1] == b"\x78":
        rest = inflate(rest)
    if rest.startswith(SMILE_HEADER):
        return decode_smile(rest)
    check_size(len(rest))
    try:
        return read_json(decode_text(rest))
    except ValueError:
        raise FormatError(f"what follows the header {line[:80]!r} is neither SMILE nor JSON") from None


def _read_header(builder: MatchBuilder, content: dict[str, Any]) -> None:
    builder.players = (_text(content.get("nameGreen")) or "Green", _text(content.get("nameRed")) or "Red")
    length = _int(content.get("matchlen"))
    builder.length = length if 0 < length < 1000 else 0
    limit = _int(content.get("cubeLimit"), -1)
    use_cube = content.get("useCube") is not False
    builder.rules = Rules(
        crawford=bool(content.get("useCrawford", True)),
        jacoby=bool(content.get("useJacoby")) and builder.length == 0,
        beavers=bool(content.get("useBeaver")) and builder.length == 0,
        max_cube=1 if not use_cube else limit if limit >= 2 and limit & (limit - 1) == 0 and limit <= 1 << 15 else 1024,
    )
    if _int(content.get("gameMode")) != 0:
        builder.warn(f"the game mode {content.get('gameMode')!r} is not known; read as backgammon")
    builder.event = _text(content.get("event"))
    builder.round = _text(content.get("round"))
    builder.place = _text(content.get("location"))
    builder.date = _date(_text(content.get("date")))
    builder.ratings = (_rating(content.get("ratingGreen")), _rating(content.get("ratingRed")))
    if comment := _text(content.get("comment")):
        builder.comments.append(comment)
    for name in ("site", "extMatchID"):
        if value := _text(content.get(name)):
            builder.info.append((name, value))


def _read_game(builder: MatchBuilder, content: dict[str, Any], data: dict[str, Any], following: Any) -> None:
    score = _int(data.get("scoreGreen")), _int(data.get("scoreRed"))
    game = builder.start_game(score, crawford=bool(data.get("isCrawford")) and builder.length > 0)
    game.comment = _text(data.get("comment"))
    moves = [move for move in _list(data.get("moves")) if isinstance(move, dict)]
    _read_initial(game, data.get("initial"), moves)
    for number, move in enumerate(moves):
        try:
            _read_action(game, move)
        except KibitzError as error:
            builder.warn(f"action {number + 1} of game {len(builder.games)}: {error}")
    points = abs(_int(data.get("wonPoints")))
    if not points:
        return
    after = (
        (_int(following.get("scoreGreen")), _int(following.get("scoreRed")))
        if isinstance(following, dict)
        else (_int(content.get("finalGreen")), _int(content.get("finalRed")))
    )
    if (after[0] > score[0]) == (after[1] > score[1]):
        builder.warn(f"{points} points were won, but the scores do not say by whom")
        return
    ending = None
    if data.get("lostOnTime") is True or data.get("wasForfeit") is True:
        ending = Ending.UNKNOWN
    game.finish(0 if after[0] > score[0] else 1, points, ending)


def _read_initial(game: GameBuilder, initial: Any, moves: list[dict[str, Any]]) -> None:
    """A start that is not the usual one. Which sign and numbering is whose shows in what can be played from it."""
    if not isinstance(initial, dict):
        return
    points = [_int(count) for count in _list(initial.get("points"))[:28]]
    value, owner = _int(initial.get("cube"), 1), _int(initial.get("cubeOwner"))
    start = game.replay.position(0)
    if len(points) < 26 or not any(points[:24]):
        return
    first = next((move for move in moves if _int(move.get("green")) in range(1, 7)), None)
    player = _player(first) if first else 0
    chosen = None
    for sign in (-1, 1):
        try:
            green = [max(sign * points[i if sign < 0 else 23 - i], 0) for i in range(24)] + [abs(points[24])]
            red = [max(-sign * points[23 - i if sign < 0 else i], 0) for i in range(24)] + [abs(points[25])]
            position = Position(green, red)
        except KibitzError:
            continue
        chosen = chosen or position
        if first is not None and _can_play(position if player == 0 else position.swapped(), first):
            chosen = position
            break
    if chosen is None:
        game.match.warn("the starting position of a game cannot be read; the usual one is taken")
        return
    if chosen != start or value != 1 or owner:
        mine = {0: Owner.CENTRED, -1: Owner.MINE, 1: Owner.THEIRS}.get(owner, Owner.CENTRED)
        if value < 1 or value & (value - 1) or value > 1 << 12:
            game.match.warn(f"the cube starts at {value}; taken as 1")
            value = 1
        seen = chosen if player == 0 else chosen.swapped()
        game.setup(player, seen, value, mine if player == 0 else mine.swapped())


def _can_play(position: Position, move: dict[str, Any]) -> bool:
    try:
        dice = _dice(move)
    except KibitzError:
        return False
    return legal_play(position, dice, steps=_steps(move)) is not None


def _read_action(game: GameBuilder, move: dict[str, Any]) -> None:
    player = _player(move)
    notes: dict[str, Any] = {"comment": _text(move.get("comment"))}
    cube = _cube_row(move)
    if _int(move.get("green")) != _SPECIAL:
        dice = _dice(move)
        plays = _play_rows(move, game.replay.position(player), dice)
        game.roll(player, dice, steps=_steps(move), cube=cube, plays=plays, luck=_luck(move), **notes)
        return
    code = _int(move.get("red"))
    if code == _DANCE:
        first, second = _list(move.get("from")), _list(move.get("to"))
        if not first or not second:
            raise FormatError("a dance without its dice")
        dice = Dice(_int(first[0]), _int(second[0]))
        game.roll(player, dice, steps=[], cube=cube, luck=_luck(move), **notes)
    elif code == _DOUBLE:
        game.double(player, cube=cube, **notes)
    elif code == _TAKE:
        game.take(player, cube=None if cube is None else cube.swapped(), **notes)
    elif code == _DROP:
        game.drop(player, cube=None if cube is None else cube.swapped(), **notes)
    elif code != _END:
        game.match.warn(f"an action with the unknown code {code}; ignored")


def _play_rows(move: dict[str, Any], position: Position, dice: Dice) -> list[PlayRow]:
    found: list[PlayRow] = []
    for entry in _list(move.get("moveAnalysis"))[:200]:
        if not isinstance(entry, dict) or not isinstance(entry.get("move"), dict):
            continue
        numbers = entry.get("eq") if isinstance(entry.get("eq"), dict) else {}
        assert isinstance(numbers, dict)
        play = legal_play(position, dice, steps=_steps(entry["move"]))
        if play is None:
            continue
        equity = _float(numbers.get("emg" if numbers.get("hasEMG") else "equity"))
        cube = numbers.get("cubeDecision")
        mwc = None
        if numbers.get("useMatchEquity") is True:
            mwc = _float(cube.get("eqCubeFul")) if isinstance(cube, dict) else _float(numbers.get("matchEquity"))
        played = entry.get("played") is True
        found.append(PlayRow(play, _level(entry), equity, mwc, _evaluation(numbers), is_played=played))
    return found


def _cube_row(move: dict[str, Any]) -> CubeRow | None:
    numbers = move.get("equity")
    if not isinstance(numbers, dict) or not isinstance(numbers.get("cubeDecision"), dict):
        return None
    cube = numbers["cubeDecision"]
    hold, take, drop = (_float(cube.get(name)) for name in ("eqNoDouble", "eqDoubleTake", "eqDoublePass"))
    values = (hold, take, drop)
    equities, mwc = (NONE, values) if numbers.get("useMatchEquity") is True else (values, NONE)
    return CubeRow(_level(move), equities, mwc, _evaluation(numbers), _float(numbers.get("equity")))


def _level(entry: dict[str, Any]) -> AnalysisLevel:
    plies = _int(entry.get("ply"), -1)
    return AnalysisLevel("BGBlitz", f"{plies}-ply" if plies >= 0 else "", plies if plies >= 0 else None)


def _luck(move: dict[str, Any]) -> float | None:
    """The luck as equity: in a match the weighted number, in a money game the plain one."""
    luck = move.get("luck")
    if not isinstance(luck, dict):
        return None
    return _float(luck.get("luckPlain" if luck.get("mode") == "Money" else "luckWeighted"))


def _evaluation(numbers: dict[str, Any]) -> Evaluation | None:
    names = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
    values = [value for name in names if (value := _float(numbers.get(name))) is not None]
    return Evaluation.of(values) if len(values) == len(names) else None


def _player(move: dict[str, Any]) -> int:
    sign = _int(move.get("player"))
    if sign not in (1, -1):
        raise FormatError(f"the player is {sign}, not 1 or -1")
    return 0 if sign == -1 else 1


def _dice(move: dict[str, Any]) -> Dice:
    return Dice(_int(move.get("red")), _int(move.get("green")))


def _steps(move: dict[str, Any]) -> list[tuple[int, int]]:
    pairs = zip(_list(move.get("from"))[:4], _list(move.get("to"))[:4], strict=False)
    return [(_int(source), max(_int(target), 0)) for source, target in pairs if _int(source) > 0]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(filter(None, map(_text, value[:100])))
    return value.strip() if isinstance(value, str) else ""


def _int(value: Any, default: int = 0) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 31 else default


def _float(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and abs(number) < -_NOT_COUNTED else None


def _rating(value: Any) -> str:
    return str(value) if isinstance(value, int | float) and value else ""


def _date(text: str) -> str:
    """'Nov 2, 2025' and '2025.11.02' as ISO; anything else as it is."""
    if found := re.fullmatch(r"([A-Za-z]{3})[a-z]*\.? (\d{1,2}), (\d{4})", text):
        month = _MONTHS.get(found[1].lower())
        if month:
            return f"{found[3]}-{month:02}-{int(found[2]):02}"
    if found := re.fullmatch(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", text):
        return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
    return text
