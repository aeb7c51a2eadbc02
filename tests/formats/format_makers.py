"""Binary files written here from scratch, so that nothing but this code says what is in them."""

from __future__ import annotations

import gzip
import struct
import zlib
from typing import Any

from kibitz import Position

# --- SMILE ------------------------------------------------------------------------------------------------------------


def smile(value: Any) -> bytes:
    """A SMILE document with shared names, long and short texts, all kinds of numbers."""
    names: dict[str, int] = {}
    return b":)\n\x01" + _smile_value(value, names)


def _smile_value(value: Any, names: dict[str, int]) -> bytes:
    if value is None:
        return b"\x21"
    if isinstance(value, bool):
        return b"\x23" if value else b"\x22"
    if isinstance(value, int):
        if -16 <= value <= 15:
            return bytes([0xC0 + _zigzag(value)])
        return (b"\x24" if -(1 << 31) <= value < 1 << 31 else b"\x25") + _vint(_zigzag(value))
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack(">d", value), "big")
        return b"\x29" + bytes((bits >> (7 * (9 - index))) & 0x7F for index in range(10))
    if isinstance(value, str):
        return _smile_text(value)
    if isinstance(value, list):
        return b"\xf8" + b"".join(_smile_value(item, names) for item in value) + b"\xf9"
    out = b"\xfa"
    for name, item in value.items():
        if name in names and names[name] < 64:
            out += bytes([0x40 + names[name]])
        elif name in names:
            out += bytes([0x30 | names[name] >> 8, names[name] & 0xFF])
        else:
            names[name] = len(names)
            out += bytes([0x80 + len(name) - 1]) + name.encode()
        out += _smile_value(item, names)
    return out + b"\xfb"


def _smile_text(text: str) -> bytes:
    raw = text.encode()
    if not raw:
        return b"\x20"
    if text.isascii():
        if len(raw) <= 64:
            return bytes([0x3F + len(raw)]) + raw
        return b"\xe0" + raw + b"\xfc"
    if 2 <= len(raw) <= 65:
        return bytes([0x7E + len(raw)]) + raw
    return b"\xe4" + raw + b"\xfc"


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _vint(value: int) -> bytes:
    out = bytes([0x80 | value & 0x3F])
    value >>= 6
    while value:
        out = bytes([value & 0x7F]) + out
        value >>= 7
    return out


# --- BGBlitz ----------------------------------------------------------------------------------------------------------

BGF_HEADER = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'


def bgf_file(content: dict[str, Any]) -> bytes:
    return BGF_HEADER + gzip.compress(smile(content), mtime=0)


def bgf_equity(
    win: float, *, cube: tuple[float, float, float] | None = None, doubled: bool | None = None
) -> dict[str, Any]:
    decision = None
    if cube is not None:
        decision = {
            "hasDoubled": doubled,
            "eqNoDouble": f"{cube[0]}",
            "eqDoubleTake": f"{cube[1]}",
            "eqDoublePass": f"{cube[2]}",
        }
    return {
        "equity": f"{2 * win - 1}",
        "myWins": f"{win}",
        "myGammon": "0.13",
        "myBackGammon": "0.005",
        "oppWins": f"{1 - win}",
        "oppGammon": "0.12",
        "oppBackGammon": "0.004",
        "matchEquity": f"{win}",
        "useMatchEquity": True,
        "emg": f"{2 * win - 1}",
        "hasEMG": True,
        "cubeDecision": decision,
        "cube": 1,
    }


def bgf_move(player: int, dice: tuple[int, int], steps: list[tuple[int, int]], **more: Any) -> dict[str, Any]:
    sources = [source for source, _ in steps] + [-1] * (4 - len(steps))
    targets = [target for _, target in steps] + [-1] * (4 - len(steps))
    return {
        "type": "amove",
        "red": dice[0],
        "green": dice[1],
        "player": -1 if player == 0 else 1,
        "from": sources,
        "to": targets,
        "equity": None,
        "moveAnalysis": [],
        "luck": None,
        "ply": 2,
        "comment": None,
    } | more


def bgf_special(player: int, code: int, **more: Any) -> dict[str, Any]:
    return bgf_move(player, (code, 7), [], **more)


def bgf_common_match() -> dict[str, Any]:
    """The match of all dialects (see test_match_dialects), as BGBlitz has it."""
    analysed = {
        "equity": bgf_equity(0.51, cube=(0.5, 0.47, 0.6)),
        "moveAnalysis": [
            {"move": bgf_move(0, (4, 4), [(24, 16), (24, 16)]), "eq": bgf_equity(0.61), "ply": 2, "played": False},
            {
                "move": bgf_move(0, (4, 4), [(24, 20), (24, 20), (13, 9), (13, 9)]),
                "eq": bgf_equity(0.6),
                "ply": 2,
                "played": True,
            },
        ],
        "luck": {"luckPlain": "0.02", "luckWeighted": "0.31", "mode": "Match"},
    }
    dance = bgf_special(1, 5) | {"from": [6, -1, -1, -1], "to": [6, -1, -1, -1]}
    offer = {"equity": bgf_equity(0.72, cube=(0.68, 0.7, 0.69), doubled=True)}
    answer = {"equity": bgf_equity(0.28, cube=(0.32, 0.3, 0.31), doubled=True)}
    games = [
        {
            "scoreGreen": 0,
            "scoreRed": 0,
            "isCrawford": False,
            "wonPoints": -2,
            "wasResignation": True,
            "moves": [
                bgf_move(1, (2, 1), [(13, 11), (6, 5)]),
                bgf_move(0, (4, 4), [(24, 20), (24, 20), (13, 9), (13, 9)], **analysed),
                dance,
                bgf_special(0, 1, **offer),
                bgf_special(1, 2, **answer),
                bgf_move(0, (3, 1), [(8, 5), (6, 5)], comment="solid"),
                bgf_move(1, (6, 2), [(25, 23), (24, 18)]),
                bgf_special(0, 4),
            ],
        },
        {
            "scoreGreen": 0,
            "scoreRed": 2,
            "isCrawford": True,
            "wonPoints": 2,
            "wasResignation": True,
            "moves": [
                bgf_move(0, (6, 1), [(13, 7), (8, 7)]),
                bgf_move(1, (4, 3), [(13, 6)]),
                bgf_move(0, (5, 5), [(13, 3), (13, 3)]),
                bgf_special(1, 4),
            ],
        },
    ]
    return {
        "matchlen": 3,
        "nameGreen": "ann",
        "nameRed": "bob",
        "finalGreen": 2,
        "finalRed": 2,
        "useCrawford": True,
        "useJacoby": False,
        "useBeaver": False,
        "useCube": True,
        "gameMode": 0,
        "date": "Feb 29, 2024",
        "event": "Été 2024",
        "location": "Garten" * 20,
        "round": "",
        "comment": "",
        "cubeLimit": -1,
        "ratingGreen": 1745,
        "ratingRed": 0.5,
        "games": games,
    }


# --- eXtreme Gammon ---------------------------------------------------------------------------------------------------


class Record:
    """One record of 2560 bytes."""

    def __init__(self, kind: int) -> None:
        self.data = bytearray(2560)
        self.data[8] = kind

    def put(self, offset: int, form: str, *values: Any) -> Record:
        struct.pack_into("<" + form, self.data, offset, *values)
        return self

    def short(self, offset: int, text: str) -> Record:
        raw = text.encode("cp1252")
        return self.put(offset, f"B{len(raw)}s", len(raw), raw)

    def wide(self, offset: int, text: str) -> Record:
        raw = text.encode("utf-16-le")
        return self.put(offset, f"{len(raw)}s", raw)


def board(position: Position) -> tuple[int, ...]:
    """XG's 26 numbers of a position, seen by the player on roll."""
    mine, theirs = position.mine, position.theirs
    points = [mine[point - 1] - theirs[24 - point] for point in range(1, 25)]
    return (-theirs[24], *points, mine[24])


def xg_header(length: int = 3) -> Record:
    record = Record(0).short(9, "ann").short(50, "bob").put(92, "ii", length, 0).put(100, "4B", 1, 0, 0, 0)
    record.put(104, "dd", 1745.0, 0.0).put(128, "d", 45351.5).short(136, "legacy event")
    record.put(552, "i", 30).put(576, "ii", 0, -1).put(612, "i", 10)
    return record.wide(622, "Été 2024").wide(880, "ann").wide(1138, "bob").wide(1396, "Garten").wide(1960, "Zoé")


def xg_game(number: int, score: tuple[int, int], crawford: bool = False) -> Record:
    return Record(1).put(12, "ii", *score).put(20, "B", crawford).put(48, "i", number).put(56, "iii", -1, -1, 0)


def xg_cube(player: int, before: Position, cube: int, *, double: int = 0, take: int = -1, comment: int = -1) -> Record:
    """`before` is seen by player 0, as the file wants it."""
    record = (
        Record(2).put(12, "6i", 1 if player == 0 else -1, double, take, -1, -1, cube).put(36, "26b", *board(before))
    )
    record.put(64 + 28, "i", 1002).put(64 + 60, "7f", 0.005, 0.12, 0.4, 0.6, 0.2, 0.01, 0.29)
    return record.put(64 + 88, "3f", 0.5, 0.25, 1.0).put(200, "d", 0.0).put(292, "i", comment)


def xg_move(
    player: int,
    before: Position,
    after: Position | None,
    dice: tuple[int, int],
    steps: list[tuple[int, int]],
    cube: int,
    *,
    comment: int = -1,
) -> Record:
    """`before` is seen by player 0, `after` by the mover; without `after` the roll was not played."""
    record = Record(3).put(9, "26b", *board(before)).put(64, "i", 1 if player == 0 else -1)
    flat = [number - 1 for step in steps for number in step] + [-1] * (8 - 2 * len(steps))
    record.put(100, "3i", *dice, cube).put(2312, "dd", 0.0, 0.125).put(2524, "i", comment)
    if after is not None:
        record.put(35, "26b", *board(after)).put(68, "8i", *flat).put(2308, "B", 1)
        record.put(124 + 64, "i", 1).put(124 + 68, "26b", *board(after))
        record.put(124 + 68 + 34 * 32, "h", 3).put(124 + 68 + 38 * 32, "7f", 0.005, 0.12, 0.4, 0.6, 0.2, 0.01, 0.25)
    return record


def xg_end(score: tuple[int, int], winner: int, points: int, how: int) -> Record:
    return Record(4).put(12, "ii", *score).put(24, "iii", 1 if winner == 0 else -1, points, how)


def xg_file(records: list[Record], comments: list[str] | None = None) -> bytes:
    members = {"temp.xg": b"".join(bytes(record.data) for record in records)}
    members["temp.xgi"] = bytes(records[0].data)
    if comments:
        lines = [text.replace("\n", "\x01\x02") for text in comments]
        members["temp.xgc"] = "\r\n".join(lines).encode("cp1252")
    return xg_container(members)


def xg_container(members: dict[str, bytes]) -> bytes:
    picture = b"\xff\xd8 a picture \xff\xd9"
    header = struct.pack("<4siiqi", b"RGMH", 1, 8232, 0, len(picture)).ljust(8232, b"\0")
    data, registry = b"", b""
    for name, content in members.items():
        packed = zlib.compress(content)
        entry = struct.pack("<B255sB255s", len(name), name.encode(), 0, b"")
        entry += struct.pack("<iiiI4B", len(content), len(packed), len(data), zlib.crc32(content), 0, 2, 0, 0)
        registry += entry
        data += packed
    packed_registry = zlib.compress(registry)
    body = data + packed_registry
    trailer = struct.pack("<Iiiiii12x", zlib.crc32(body), len(members), 1, len(packed_registry), len(data), 1)
    return header + picture + body + trailer


def xg_common_records() -> list[Record]:
    """The match of all dialects, as XG has it."""
    start = Position.start()
    records = [xg_header(), xg_game(1, (0, 0))]

    seen = [start, start]  # the board as each player sees it

    def cube(player: int, cube: int, **more: Any) -> None:
        records.append(xg_cube(player, seen[0], cube, **more))

    def move(
        player: int, dice: tuple[int, int], text: str, steps: list[tuple[int, int]], cube: int, **more: Any
    ) -> None:
        before = seen[player]
        after = before.play(text, dice).swapped() if text else before
        records.append(xg_move(player, seen[0], after, dice, steps, cube, **more))
        seen[player], seen[1 - player] = after, after.swapped()

    move(1, (2, 1), "13/11 6/5", [(13, 11), (6, 5)], 0)
    cube(0, 0)
    move(0, (4, 4), "24/20*(2) 13/9(2)", [(24, 20), (24, 20), (13, 9), (13, 9)], 0, comment=1)
    cube(1, 0)
    move(1, (6, 6), "", [], 0)
    cube(0, 0, double=1, take=1, comment=2)
    move(0, (3, 1), "8/5 6/5", [(8, 5), (6, 5)], -1)
    move(1, (6, 2), "bar/23 24/18", [(25, 23), (24, 18)], -1)
    records.append(xg_move(0, seen[0], None, (6, 4), [], -1))
    records.append(xg_end((0, 2), 1, 2, 101))
    seen[:] = [start, start]
    records.append(xg_game(2, (0, 2), crawford=True))
    move(0, (6, 1), "13/7 8/7", [(13, 7), (8, 7)], 0)
    move(1, (4, 3), "13/6", [(13, 9), (9, 6)], 0)
    move(0, (5, 5), "13/3(2)", [(13, 8), (13, 8), (8, 3), (8, 3)], 0)
    records.append(xg_end((2, 2), 0, 2, 102))
    seen[:] = [start, start]
    records.append(xg_game(3, (2, 2)))
    move(1, (4, 1), "24/23 13/9", [(24, 23), (13, 9)], 0)
    move(0, (1, 1), "8/7(2) 6/5(2)", [(8, 7), (8, 7), (6, 5), (6, 5)], 0)
    return records


XG_COMMENTS = [
    "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}\n\\pard\\fs20 a match in \\'e9t\\'e9\\par\n}",
    "{\\rtf1\\ansi{\\*\\generator Riched20;}\\pard the joker\\line of the day \\u8211?\\par}",
    "plain words",
]


def xg_common_match() -> bytes:
    return xg_file(xg_common_records(), XG_COMMENTS)
