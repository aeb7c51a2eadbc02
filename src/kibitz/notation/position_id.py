"""GNU Backgammon's Position ID: 14 characters of base64 for 80 bits.

For each of the two players, the one NOT on roll first, and for each of that player's points 1 to 24 and the bar: as
many one-bits as checkers stand there, then a zero. Checkers that are missing have been borne off. The bits fill each
byte from its lowest end. The core does the work; this module says what is wrong with text that is no ID.
"""

from __future__ import annotations

import base64
import string

from kibitz import _core
from kibitz.notation.reading import Reading
from kibitz.position import CHECKERS, Position, position_defects
from kibitz.status import Defect, PositionStatus

LENGTH = 14
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"

_SLOTS = 25
_BITS = 80


def parse_position_id(text: str) -> Position:
    """The position of a Position ID. Spaces around it are ignored."""
    position_id = text.strip()
    rows = _core.position_from_id(position_id) if position_id.isascii() else None
    reading = Reading("Position ID", position_id)
    if rows is None:
        explain(reading, position_id)
        reading.finish()
        raise AssertionError(f"the core refuses the Position ID {position_id!r} for no reason that we know")
    reading.note(position_defects(rows[:_SLOTS], rows[_SLOTS:]))
    reading.finish()
    return Position.from_rows(rows)


def format_position_id(position: Position) -> str:
    """The Position ID of a position."""
    return _core.position_id(position.rows)


def explain(reading: Reading, position_id: str) -> None:
    """Note everything that keeps a text from being a Position ID."""
    strange = sorted(set(position_id) - set(ALPHABET))
    if strange:
        reading.unreadable("it contains " + ", ".join(map(repr, strange)) + ", which base64 has not")
    if len(position_id) != LENGTH:
        reading.unreadable(f"it has {len(position_id)} characters instead of {LENGTH}")
    if reading.defects:
        return
    data = base64.b64decode(position_id + "A=")  # 84 bits; the last four must be zero and code nothing
    bits = [data[place // 8] >> place % 8 & 1 for place in range(_BITS)]
    if data[10:] != b"\0" or ALPHABET.index(position_id[-1]) % 16:
        reading.unreadable(f"its last character {position_id[-1]!r} carries bits that no checker has")
    place = 0
    for owner in ("the opponent", "the player on roll"):
        row = [0] * _SLOTS
        slot = 0
        while slot < _SLOTS and place < _BITS:
            if bits[place]:
                row[slot] += 1
            else:
                slot += 1
            place += 1
        if sum(row) > CHECKERS:
            words = f"{owner} has {sum(row)} checkers, more than {CHECKERS}"
            reading.note([Defect(PositionStatus.TOO_MANY_CHECKERS, words)])
        if slot < _SLOTS:
            reading.unreadable(f"it ends before all points of {owner} have been told")
    if any(bits[place:]):
        reading.unreadable("it goes on after all points have been told")
