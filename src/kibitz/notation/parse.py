"""Any notation, found by itself: alone, or anywhere in a text such as the clipboard of another program."""

from __future__ import annotations

import re
from dataclasses import replace

from kibitz.errors import KibitzError, NotationError
from kibitz.notation import position_id as position_ids
from kibitz.notation.fibs import parse_fibs
from kibitz.notation.match_id import parse_match_id
from kibitz.notation.xgid import parse_xgid
from kibitz.position import Variant
from kibitz.state import State

_BASE64 = r"[A-Za-z0-9+/]"
_NO_BASE64_BEFORE = r"(?<![A-Za-z0-9+/=])"
_NO_BASE64_AFTER = r"(?![A-Za-z0-9+/=])"
_POSITION_ID = f"{_NO_BASE64_BEFORE}({_BASE64}{{14}}){_NO_BASE64_AFTER}"
_MATCH_ID = f"{_NO_BASE64_BEFORE}({_BASE64}{{12}}){_NO_BASE64_AFTER}"

_XGID = re.compile(r"XGID\s{0,9}=\s{0,9}(\S{0,400})", re.IGNORECASE)
_BARE_XGID = re.compile(r"(?<![\w-])[-A-Pa-p]{26}(?::-?\w+){8,9}")
_FIBS = re.compile(r"\bboard:\S{0,1000}")
_GNUBG_ID = re.compile(rf"{_NO_BASE64_BEFORE}({_BASE64}{{14}}):(\S{{1,400}})")
_NAMED_POSITION_ID = re.compile(r"Position[ -]?ID\s{0,9}[:=]?\s{0,9}" + _POSITION_ID, re.IGNORECASE)
_NAMED_MATCH_ID = re.compile(r"Match[ -]?ID\s{0,9}[:=]?\s{0,9}" + _MATCH_ID, re.IGNORECASE)
_LOOSE_POSITION_ID = re.compile(_POSITION_ID)

_PUNCTUATION = ".,;:!?)]}>'\"`"  # of the sentence around a notation
_EXPECTED = "a Position ID, POSITIONID:MATCHID, an XGID or a FIBS board"


def parse(text: str) -> State:
    """The state that a text tells in any notation: XGID, FIBS board, Position ID with or without a Match ID.

    The text may hold other things too, as a pasted clipboard does; the first notation found counts, and where one
    moment is told twice, the XGID. A notation that is there but wrong is an error, not passed over.

    >>> parse("4HPwATDgc/ABMA").position.pips
    (167, 167)
    >>> parse("try this: XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10 hard!").dice
    Dice(high=3, low=1)
    """
    if not isinstance(text, str):
        raise NotationError(f"expected text with {_EXPECTED}, not {text!r}")
    if found := _XGID.search(text):
        return parse_xgid("XGID=" + found[1].rstrip(_PUNCTUATION))
    if found := _BARE_XGID.search(text):
        return parse_xgid(found[0])
    if found := _FIBS.search(text):
        return parse_fibs(found[0].rstrip(_PUNCTUATION))
    if found := _GNUBG_ID.search(text):
        return _from_ids(found[1], found[2].rstrip(_PUNCTUATION))
    if found := _NAMED_POSITION_ID.search(text):
        match_id = _NAMED_MATCH_ID.search(text, found.end())
        another = _NAMED_POSITION_ID.search(text, found.end())
        if match_id and not (another and another.start() < match_id.start()):
            return _from_ids(found[1], match_id[1])
        return _from_ids(found[1])
    return _loose(text)


def variant_of(name: Variant | str) -> Variant:
    """A variant by its name."""
    known = [one.value for one in Variant]
    if name not in known:
        raise NotationError(f"there is no variant {str(name)!r}; there are {', '.join(known)}")
    return Variant(name)


def in_game(state: State, variant: Variant | str | None = None) -> State:
    """The state in the game that is named. No notation tells it, so where it is in doubt it must be named.

    It is in doubt with at most three checkers a side, unless both sides bear off: that ends many a game of backgammon.
    """
    if variant is not None:
        return replace(state, match=replace(state.match, variant=variant_of(variant)))
    if state.match.variant is Variant.BACKGAMMON and state.position.may_be_hypergammon:
        mine, theirs = sum(state.position.mine), sum(state.position.theirs)
        raise NotationError(
            f"with {mine} checkers against {theirs} this may be hypergammon or the end of a game of backgammon: "
            "expected the variant, such as --variant hypergammon-3 or --variant backgammon"
        )
    return state


def _from_ids(position_id: str, match_id: str | None = None) -> State:
    position = position_ids.parse_position_id(position_id)
    return parse_match_id(match_id, position) if match_id else State(position)


def _loose(text: str) -> State:
    """The first Position ID that stands somewhere by itself, without a name before it."""
    words = text.split()
    if len(words) == 1 and len(words[0]) == position_ids.LENGTH:
        return _from_ids(words[0])
    for found in _LOOSE_POSITION_ID.finditer(text):
        try:
            return _from_ids(found[1])
        except KibitzError:
            continue  # a long word, most likely
    raise NotationError(f"expected {_EXPECTED}, not {_shortened(text)}" + _hint(words))


def _hint(words: list[str]) -> str:
    """What the writer may have meant."""
    if len(words) != 1:
        return ""
    word = words[0]
    if re.fullmatch(_MATCH_ID, word):
        return "; a Match ID alone does not say where the checkers are"
    if re.fullmatch(f"{_BASE64}+", word):
        return f"; a Position ID has {position_ids.LENGTH} characters, this has {len(word)}"
    if ":" in word:
        return "; it has colons, but neither the fields of an XGID nor those of a FIBS board"
    return ""


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else line[:57] + "…")
