"""A decoder of SMILE, the binary form of JSON (FasterXML's specification, version 1).

Only what JSON can hold is decoded, which is all of SMILE but raw binary: that comes back as bytes. Tables of names and
values seen before, nesting and the number of items are bounded, so that a damaged file ends in a FormatError and not in
a full memory.
"""

from __future__ import annotations

import struct
from typing import Any

from kibitz.errors import FormatError
from kibitz.formats.limits import MAX_NESTING

HEADER = b":)\n"
_SHARED_NAMES, _SHARED_VALUES = 1, 2
_TABLE = 1024
_LONGEST_SHARED = 64
_END_OF_STRING, _END_ARRAY, _END_OBJECT, _END_OF_CONTENT = 0xFC, 0xF9, 0xFB, 0xFF
_MAX_ITEMS = 4_000_000


def decode_smile(data: bytes) -> Any:
    """The value that a SMILE document holds."""
    return _Decoder(data).document()


class _Decoder:
    def __init__(self, data: bytes) -> None:
        if not data.startswith(HEADER) or len(data) < 5:
            raise FormatError("a SMILE document starts with ':)' and a line end")
        flags = data[3]
        self.data = data
        self.at = 4
        self.names: list[str] | None = [] if flags & _SHARED_NAMES else None
        self.values: list[str] | None = [] if flags & _SHARED_VALUES else None
        self.items = 0

    def document(self) -> Any:
        try:
            return self.value(0)
        except IndexError:
            raise FormatError("the SMILE document is cut off") from None

    # --- values -----------------------------------------------------------------------------------------------------

    def value(self, depth: int) -> Any:
        self.items += 1
        if self.items > _MAX_ITEMS:
            raise FormatError(f"more than {_MAX_ITEMS} values in a SMILE document")
        token = self.byte()
        if 0x01 <= token <= 0x1F:
            return self.shared_value(token - 1)
        if 0x20 <= token <= 0x3F:
            return self.simple(token)
        if 0x40 <= token <= 0x7F:
            # ASCII: tiny 1..32 bytes, small 33..64.
            return self.text(token - 0x3F)
        if 0x80 <= token <= 0xBF:
            # Unicode: tiny 2..33 bytes, small 34..65.
            return self.text(token - 0x7E)
        if 0xC0 <= token <= 0xDF:
            return _zigzag(token - 0xC0)
        if 0xEC <= token <= 0xEF:
            return self.shared_value((token & 3) << 8 | self.byte())
        if token in (0xE0, 0xE4):
            return self.long_text()
        if token == 0xE8:
            return self.seven_bit_bytes()
        if token == 0xFD:
            return self.take(self.number())
        if token == 0xF8:
            return self.array(self.deeper(depth))
        if token == 0xFA:
            return self.object(self.deeper(depth))
        raise FormatError(f"a SMILE value cannot start with the byte {token:#04x} (at {self.at - 1})")

    def simple(self, token: int) -> Any:
        if token == 0x20:
            return ""
        if token in (0x21, 0x22, 0x23):
            return (None, False, True)[token - 0x21]
        if token in (0x24, 0x25):
            return _zigzag(self.number())
        if token == 0x26:
            return int.from_bytes(self.seven_bit_bytes(), "big", signed=True)
        if token == 0x28:
            return struct.unpack(">f", self.bits(5, 32))[0]
        if token == 0x29:
            return struct.unpack(">d", self.bits(10, 64))[0]
        if token == 0x2A:
            scale = _zigzag(self.number())
            digits = int.from_bytes(self.seven_bit_bytes(), "big", signed=True)
            if abs(scale) > 300 or digits.bit_length() > 900:
                raise FormatError("a decimal number in the SMILE document is out of all bounds")
            return float(digits) * 10.0**-scale
        raise FormatError(f"a SMILE value cannot start with the byte {token:#04x} (at {self.at - 1})")

    def array(self, depth: int) -> list[Any]:
        items = []
        while self.data[self.at] != _END_ARRAY:
            items.append(self.value(depth))
        self.at += 1
        return items

    def object(self, depth: int) -> dict[str, Any]:
        items = {}
        while self.data[self.at] != _END_OBJECT:
            name = self.name()
            items[name] = self.value(depth)
        self.at += 1
        return items

    def name(self) -> str:
        token = self.byte()
        if token == 0x20:
            return ""
        if 0x30 <= token <= 0x33:
            return self.shared_name((token & 3) << 8 | self.byte())
        if token == 0x34:
            return self.long_text()
        if 0x40 <= token <= 0x7F:
            return self.shared_name(token - 0x40)
        if 0x80 <= token <= 0xBF:
            size = token - 0x7F
        elif 0xC0 <= token <= 0xF7:
            size = token - 0xBE
        else:
            raise FormatError(f"a SMILE name cannot start with the byte {token:#04x} (at {self.at - 1})")
        name = _utf8(self.take(size))
        if self.names is not None:
            _remember(self.names, name)
        return name

    # --- parts ------------------------------------------------------------------------------------------------------

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def take(self, size: int) -> bytes:
        if self.at + size > len(self.data):
            raise FormatError("the SMILE document is cut off")
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self, size: int) -> str:
        text = _utf8(self.take(size))
        if self.values is not None and size <= _LONGEST_SHARED:
            _remember(self.values, text)
        return text

    def long_text(self) -> str:
        end = self.data.find(_END_OF_STRING, self.at)
        if end < 0:
            raise FormatError("the SMILE document is cut off inside a text")
        text = _utf8(self.data[self.at : end])
        self.at = end + 1
        return text

    def number(self) -> int:
        """An unsigned number: seven bits a byte, the last byte marked by its high bit and holding six."""
        value = 0
        for _ in range(11):
            byte = self.byte()
            if byte & 0x80:
                return value << 6 | (byte & 0x3F)
            value = value << 7 | byte
        raise FormatError("a number in the SMILE document has no end")

    def bits(self, size: int, width: int) -> bytes:
        value = 0
        for byte in self.take(size):
            value = value << 7 | (byte & 0x7F)
        return (value & ((1 << width) - 1)).to_bytes(width // 8, "big")

    def seven_bit_bytes(self) -> bytes:
        """Bytes that are stored seven bits at a time, after their number."""
        size = self.number()
        stored = self.take((size * 8 + 6) // 7)
        value = 0
        if size > 1 << 16:
            raise FormatError("a number in the SMILE document is out of all bounds")
        for byte in stored[:-1]:
            value = value << 7 | (byte & 0x7F)
        if stored:
            left = size * 8 - 7 * (len(stored) - 1)
            value = value << left | (stored[-1] & ((1 << left) - 1))
        return (value & ((1 << (8 * size)) - 1)).to_bytes(size, "big")

    def shared_value(self, index: int) -> str:
        return _recall(self.values, index, "value")

    def shared_name(self, index: int) -> str:
        return _recall(self.names, index, "name")

    def deeper(self, depth: int) -> int:
        if depth >= MAX_NESTING:
            raise FormatError(f"more than {MAX_NESTING} levels of nesting in a SMILE document")
        return depth + 1


def _remember(table: list[str], text: str) -> None:
    if len(table) >= _TABLE:
        table.clear()
    table.append(text)


def _recall(table: list[str] | None, index: int, what: str) -> str:
    if table is None or index >= len(table):
        raise FormatError(f"the SMILE document refers to a {what} that it has not named before")
    return table[index]


def _zigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def _utf8(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")
