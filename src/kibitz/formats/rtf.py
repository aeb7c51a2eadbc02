"""The text of an RTF document, as XG keeps its comments: no fonts, no colours, no pictures."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)|.", re.I | re.S
)
_SILENT = {"fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "generator", "listtable"}
_BREAKS = {
    "par": "\n",
    "line": "\n",
    "tab": "\t",
    "emdash": "\u2014",
    "endash": "\u2013",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
}


def rtf_to_text(source: str) -> str:
    """Plain text of an RTF document; text that is not RTF comes back as it is."""
    if not source.lstrip().startswith("{\\rtf"):
        return source.strip()
    code_page = "cp1252"
    pieces: list[str] = []
    silent_since: list[bool] = [False]  # one entry a group: whether its text is to be left out
    skip = 0  # plain characters that stand for a Unicode one just read
    for token in _TOKEN.finditer(source):
        word, number, byte, symbol, brace, plain = token.groups()
        if brace == "{":
            silent_since.append(silent_since[-1])
        elif brace == "}":
            if len(silent_since) > 1:
                silent_since.pop()
        elif symbol == "*" or (word and word in _SILENT):
            silent_since[-1] = True
        elif word == "ansicpg" and number:
            code_page = f"cp{number}"
        elif silent_since[-1]:
            continue
        elif word == "u" and number:
            value = int(number) % 0x10000
            pieces.append("�" if 0xD800 <= value < 0xE000 else chr(value))
            skip = 1
        elif word in _BREAKS:
            pieces.append(_BREAKS[word])
        elif byte:
            pieces.append("" if skip else _decode(byte, code_page))
            skip = 0
        elif symbol in ("\\", "{", "}"):
            pieces.append(symbol)
        elif symbol == "~":
            pieces.append(" ")
        elif plain:
            pieces.append(plain[skip:])
            skip = 0
    return "".join(pieces).strip()


def _decode(byte: str, code_page: str) -> str:
    raw = bytes.fromhex(byte)
    try:
        return raw.decode(code_page)
    except (LookupError, UnicodeDecodeError):
        return raw.decode("latin-1")
