"""eXtreme Gammon's own files, .xg and .xgp: a picture, then a zlib archive of fixed-size records.

XG's player 1 is our player 0. Boards before an action are player 1's: index 0 the opponent's bar, 1..24 the points, 25
the own bar, positive counts for player 1. Boards after a play, and those of candidates, are the mover's in that way.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from kibitz.cube import Owner
from kibitz.decision import AnalysisLevel, Evaluation
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError, NotationError
from kibitz.formats.analyses import CubeRow, PlayRow
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.limits import MAX_EXPANDED, inflate
from kibitz.formats.plays import legal_play
from kibitz.formats.rtf import rtf_to_text
from kibitz.position import Position, Variant
from kibitz.record import Ending, Match, Rules

NAME = "xg"
MAGIC = b"RGMH"

_RECORD = 2560
_ENTRY = 532
_TRAILER = 36
_UNKNOWN = -1000.0  # XG's mark for a number that was not computed
_MONEY = 99999
_LEVELS = {
    12: "3-ply red",
    100: "rollout",
    998: "book",
    999: "book",
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
}
_VARIANTS = {0: Variant.BACKGAMMON, 1: Variant.NACKGAMMON, 2: Variant.HYPERGAMMON_3}
_HEADER, _GAME, _CUBE, _MOVE, _GAME_END, _MATCH_END = range(6)


def looks_like(data: bytes) -> bool:
    """Whether bytes are an XG file."""
    return data.startswith(MAGIC)


def read(data: bytes, file: str = "") -> Match:
    """Read an .xg or .xgp file."""
    builder = MatchBuilder(NAME, file)
    members = _members(data, builder)
    records = members.get("temp.xg")
    if not records or len(records) < _RECORD or records[8] != _HEADER:
        raise FormatError("the XG file holds no match: its temp.xg is missing or does not start with a header")
    if len(records) % _RECORD:
        builder.warn(f"the last record is cut off: {len(records) % _RECORD} of {_RECORD} bytes")
    comments = _comments(members.get("temp.xgc", b""))
    _Reader(builder, comments).read(records)
    return builder.build()


# --- the container ----------------------------------------------------------------------------------------------------


def _members(data: bytes, builder: MatchBuilder) -> dict[str, bytes]:
    """The files inside, by name."""
    if len(data) < 24 + _TRAILER:
        raise FormatError(f"an XG file has more than {len(data)} bytes: it is cut off")
    end = len(data) - _TRAILER
    crc, count, _, registry_size, archive_size, _ = struct.unpack_from("<Iiiiii", data, end)
    start = end - registry_size - archive_size
    if not (0 < count <= 64 and 0 < registry_size <= end and 0 < archive_size <= end and start >= 0):
        raise FormatError("the table of contents at the end of the XG file is damaged or cut off")
    if zlib.crc32(data[start:end]) != crc:
        builder.warn("the checksum of the archive is wrong: something in the file is damaged")
    registry = inflate(data[end - registry_size : end], limit=64 * _ENTRY)
    members, left = {}, MAX_EXPANDED
    for index in range(min(count, len(registry) // _ENTRY)):
        entry = registry[index * _ENTRY : (index + 1) * _ENTRY]
        name = entry[1 : 1 + entry[0]].decode("cp1252", errors="replace").lower()
        size, compressed, offset, checksum = struct.unpack_from("<iiiI", entry, 512)
        if offset < 0 or compressed < 0 or offset + compressed > archive_size:
            builder.warn(f"the part {name!r} lies outside of the file")
            continue
        raw = data[start + offset : start + offset + compressed]
        try:
            content = raw if entry[528] else inflate(raw, limit=left)
        except FormatError as error:
            builder.warn(f"the part {name!r} cannot be read: {error}")
            continue
        left -= len(content)
        if len(content) != size or zlib.crc32(content) != checksum:
            builder.warn(f"the part {name!r} does not match its checksum")
        members[name] = content
    return members


def _comments(raw: bytes) -> list[str]:
    """The comments, one a line; bytes 1 and 2 stand for the line ends inside one."""
    lines = raw.split(b"\r\n")[:20_000]
    return [rtf_to_text(line.replace(b"\x01\x02", b"\r\n").decode("cp1252", errors="replace")) for line in lines]


# --- the records ------------------------------------------------------------------------------------------------------


class _Reader:
    """Walks over the records and tells the builder what it sees."""

    def __init__(self, builder: MatchBuilder, comments: list[str]) -> None:
        self.builder = builder
        self.comments = comments
        self.game: GameBuilder | None = None
        self.cube: CubeRow | None = None
        self.cube_notes: dict[str, Any] = {}

    def read(self, records: bytes) -> None:
        """All records, in order."""
        for number, record in enumerate(_split(records)):
            kind = record[8]
            try:
                if kind == _HEADER:
                    if number == 0:
                        self.header(record)
                elif kind == _GAME:
                    self.start_game(record)
                elif self.game is None:
                    self.builder.warn(f"record {number + 1} stands before any game; ignored")
                elif kind == _CUBE:
                    self.cube_action(self.game, record)
                elif kind == _MOVE:
                    self.move(self.game, record)
                elif kind == _GAME_END:
                    self.end_game(self.game, record)
                elif kind != _MATCH_END:
                    self.builder.warn(f"record {number + 1} is of the unknown type {kind}; ignored")
            except KibitzError as error:
                self.builder.warn(f"record {number + 1}: {error}")
        if self.game is not None and self.cube is not None:
            self.game.note(cube=self.cube)  # a position without a move: the cube decision is all there is

    def header(self, record: bytes) -> None:
        builder = self.builder
        version = _int(record, 552)
        names = (_unicode(record, 880), _unicode(record, 1138)) if version >= 24 else ("", "")
        legacy = _ansi(record, 9, 40), _ansi(record, 50, 40)
        builder.players = (names[0] or legacy[0] or "Player 1", names[1] or legacy[1] or "Player 2")
        length = _int(record, 92)
        if length not in range(1, 1000) and length != _MONEY:
            builder.warn(f"a match length of {length}; read as a money session")
        builder.length = length if 1 <= length < 1000 else 0
        variation = _int(record, 96)
        if variation not in _VARIANTS:
            builder.warn(f"the variation {variation} is not known; read as backgammon")
        builder.variant = _VARIANTS.get(variation, Variant.BACKGAMMON)
        limit = _int(record, 612)
        builder.rules = Rules(
            crawford=bool(record[100]),
            jacoby=bool(record[101]),
            beavers=bool(record[102]),
            max_cube=1 << limit if 0 < limit <= 15 else 1024,
        )
        unicode = version >= 24
        builder.event = (unicode and _unicode(record, 622)) or _ansi(record, 136, 128)
        builder.place = (unicode and _unicode(record, 1396)) or _ansi(record, 283, 128)
        builder.round = (unicode and _unicode(record, 1654)) or _ansi(record, 417, 128)
        builder.annotator = _unicode(record, 1960) if unicode else ""
        builder.date = _date(_double(record, 128))
        ratings = [_double(record, offset) for offset in (104, 112)]
        builder.ratings = (_rating(ratings[0]), _rating(ratings[1]))
        for offset in (576, 580):
            if comment := self.comment(_int(record, offset)):
                builder.comments.append(comment)

    def start_game(self, record: bytes) -> None:
        score = _int(record, 12), _int(record, 16)
        self.game = self.builder.start_game(score, crawford=bool(record[20]) and self.builder.length > 0)
        self.game.comment = "\n".join(filter(None, (self.comment(_int(record, offset)) for offset in (56, 60))))
        self.cube, self.cube_notes = None, {}
        board = struct.unpack_from("26b", record, 21)
        if any(board):
            position = _position(board, 0)
            if position != Position.start(self.builder.variant):
                self.game.setup(0, position)
        doubles = _int(record, 64)
        if 0 < doubles <= 10:
            self.game.setup(0, self.game.replay.position(0), 1 << doubles)

    def cube_action(self, game: GameBuilder, record: bytes) -> None:
        player = _player(_int(record, 12))
        doubled, taken, raccooned = _int(record, 16), _int(record, 20), _int(record, 28)
        self.check_board(game, player, struct.unpack_from("26b", record, 36), _int(record, 32))
        numbers = _cube_row(record)
        notes = self.notes(record, 288, 292)
        if doubled != 1:
            self.cube, self.cube_notes = numbers, notes
            return
        self.cube, self.cube_notes = None, {}
        if not game.double(player, cube=numbers, **notes):
            return
        opponent = 1 - player
        if taken == 1:
            game.take(opponent, cube=numbers)
        elif taken == 0:
            game.drop(opponent, cube=numbers)
        elif taken == 2:
            game.beaver(opponent, cube=numbers)
            if raccooned == 1:
                game.raccoon(player, cube=numbers)

    def move(self, game: GameBuilder, record: bytes) -> None:
        player = _player(_int(record, 64))
        before = struct.unpack_from("26b", record, 9)
        self.check_board(game, player, before, _int(record, 108))
        first, second = _int(record, 100), _int(record, 104)
        try:
            dice = Dice(first, second)
        except NotationError:
            self.builder.warn(f"a roll of {first} and {second}; the move is ignored")
            return
        cube, notes = self.cube, self.notes(record, 2520, 2524)
        if self.cube_notes.get("comment"):
            notes["comment"] = "\n".join(filter(None, (self.cube_notes["comment"], notes.get("comment", ""))))
        self.cube, self.cube_notes = None, {}
        luck = _double(record, 2320)
        position = game.replay.position(player)
        details: dict[str, Any] = notes | {
            "cube": cube,
            "plays": self.plays(record, position, dice),
            "luck": None if not math.isfinite(luck) or luck <= _UNKNOWN else luck,
        }
        steps = _steps(struct.unpack_from("<8i", record, 68))
        after = struct.unpack_from("26b", record, 35)
        if not any(after):
            game.roll(player, dice, played=False, **details)  # rolled, then gave up
            return
        result = _position(after, 0).swapped()
        if not steps and result.swapped() == position:
            game.roll(player, dice, steps=[], **details)
            return
        if legal_play(position, dice, result=result) is None:
            game.roll(player, dice, steps=steps, **details)
        else:
            game.roll(player, dice, result=result, **details)

    def end_game(self, game: GameBuilder, record: bytes) -> None:
        winner, points, how = _int(record, 24), _int(record, 28), _int(record, 32)
        if winner not in (1, -1) or points <= 0:
            return  # unfinished
        ending = Ending.SETTLED if how >= 1000 else Ending.RESIGNED if how >= 100 else None
        if ending is None and how in (1, 2, 3) and not game.replay.is_over and not game.damaged:
            ending = Ending.UNKNOWN  # said to be borne off, but the record stops before
        game.finish(_player(winner), points, ending)
        self.cube = None

    def check_board(self, game: GameBuilder, player: int, board: tuple[int, ...], cube: int) -> None:
        """Where the file's board is not the one that replay leads to, the file's board is set."""
        if game.damaged or game.rejected or not any(board):
            return
        position = _position(board, player)
        value, owner = 1 << min(abs(cube), 15), Owner.CENTRED if cube == 0 else Owner.THEIRS
        if cube and (cube > 0) == (player == 0):
            owner = Owner.MINE
        expected = game.replay.cube(player)
        if position == game.replay.position(player) and (value, owner) == (expected.value, expected.owner):
            return
        if game.replay.is_over:
            return
        if game.actions:
            self.builder.warn("a record's board does not follow from the one before; the board is set anew")
        game.setup(player, position, value, owner)

    def plays(self, record: bytes, position: Position, dice: Dice) -> list[PlayRow]:
        """XG's list of plays, as far as it was analysed."""
        base = 124
        count = min(max(_int(record, base + 64), 0), 32)
        played = struct.unpack_from("26b", record, 35)
        found: list[PlayRow] = []
        for number in range(count):
            board = struct.unpack_from("26b", record, base + 68 + 26 * number)
            level = struct.unpack_from("<h", record, base + 68 + 34 * 32 + 4 * number)[0]
            numbers = struct.unpack_from("<7f", record, base + 68 + 38 * 32 + 28 * number)
            try:
                play = legal_play(position, dice, result=_position(board, 0).swapped())
            except KibitzError:
                continue  # no board at all
            if play is None or not all(map(math.isfinite, numbers)):
                continue
            evaluation = _evaluation(numbers)
            found.append(PlayRow(play, _level(level), numbers[6], evaluation=evaluation, is_played=board == played))
        if len(found) < count:
            self.builder.warn(f"{count - len(found)} candidates of a roll of {dice} cannot be read")
        return found

    def notes(self, record: bytes, flag: int, comment: int) -> dict[str, Any]:
        """Comment and flag of a record."""
        notes: dict[str, Any] = {}
        if text := self.comment(_int(record, comment)):
            notes["comment"] = text
        if record[flag]:
            notes["marks"] = ("flagged",)
        return notes

    def comment(self, index: int) -> str:
        """The comment with this number, if there is one."""
        return self.comments[index] if 0 <= index < len(self.comments) else ""


def _split(records: bytes) -> Iterator[bytes]:
    for offset in range(0, len(records) - _RECORD + 1, _RECORD):
        yield records[offset : offset + _RECORD]


def _cube_row(record: bytes) -> CubeRow | None:
    base = 64
    error = _double(record, 200)
    numbers = struct.unpack_from("<7f", record, base + 60)
    equities = struct.unpack_from("<3f", record, base + 88)
    if error <= _UNKNOWN or not all(map(math.isfinite, numbers + equities)):
        return None
    if not any(numbers[:6]):
        return None
    level = _level(_int(record, base + 28))
    return CubeRow(level, equities, evaluation=_evaluation(numbers), cubeless=numbers[6])


def _evaluation(numbers: tuple[float, ...]) -> Evaluation:
    """The chances among XG's seven numbers: losses from backgammon down, wins up to backgammon, equity."""
    return Evaluation(numbers[3], numbers[4], numbers[5], numbers[1], numbers[0])


def _level(code: int) -> AnalysisLevel:
    if 0 <= code <= 6:
        return AnalysisLevel("XG", f"{code + 1}-ply", code)
    return AnalysisLevel("XG", _LEVELS.get(code, f"level {code}"), 2 if code == 12 else None)


def _steps(numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    """(from, to) pairs, points counted from 0; -1 ends the list; a checker borne off goes below 0."""
    steps = []
    for source, target in zip(numbers[::2], numbers[1::2], strict=True):
        if not 0 <= source <= 24:
            break
        steps.append((source + 1, max(target + 1, 0)))
    return steps


def _position(board: tuple[int, ...], seen_by: int) -> Position:
    """A board of the file, which is player 0's or the mover's, as seen by that player (0) or by the other one (1)."""
    mine = [max(board[point], 0) for point in range(1, 26)]
    theirs = [max(-board[25 - point], 0) for point in range(1, 26)]
    return Position(mine, theirs) if seen_by == 0 else Position(theirs, mine)


def _player(sign: int) -> int:
    if sign not in (1, -1):
        raise FormatError(f"the player is {sign}, not 1 or -1")
    return 0 if sign == 1 else 1


def _int(record: bytes, offset: int) -> int:
    return int.from_bytes(record[offset : offset + 4], "little", signed=True)


def _double(record: bytes, offset: int) -> float:
    value: float = struct.unpack_from("<d", record, offset)[0]
    return value


def _ansi(record: bytes, offset: int, size: int) -> str:
    return record[offset + 1 : offset + 1 + min(record[offset], size)].decode("cp1252", errors="replace").strip()


def _unicode(record: bytes, offset: int) -> str:
    return record[offset : offset + 258].decode("utf-16-le", errors="replace").partition("\0")[0].strip()


def _date(days: float) -> str:
    """Delphi's count of days since 30 December 1899."""
    if not 1 < days < 100_000:
        return ""
    return (datetime(1899, 12, 30) + timedelta(days=days)).date().isoformat()


def _rating(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) and 0 < value < 10_000 else ""
