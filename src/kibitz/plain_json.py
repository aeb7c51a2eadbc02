"""Plain data for JSON: values told as such, and JSON that others wrote, read within bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from enum import Enum
from typing import Any, ClassVar

MAX_NESTING = 64
"""Lists and objects inside each other. What Kibitz writes has below twenty."""
MAX_DIGITS = 300
"""Digits of a whole number, so that it fits into a float. Sums of rollouts have some forty."""


class PlainData:
    """A dataclass that tells all its fields, and nothing else."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]  # what a dataclass calls its fields

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return picked(self, *self.__match_args__)


def picked(value: object, *names: str) -> dict[str, Any]:
    """Some attributes as plain data for JSON."""
    return {name: _plain(getattr(value, name)) for name in names}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return value.isoformat() if isinstance(value, date) else value.to_dict()


def read_json(text: str | bytes, *, nesting: int = MAX_NESTING) -> Any:
    """The value that a JSON text holds; ValueError says in one line why it cannot be read.

    Refused are numbers that are no numbers or beyond all bounds, and what is nested too deeply. Half a character, as
    \\ud800 alone is one, becomes U+FFFD.
    """
    import json  # which the value types have no need of

    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite, parse_int=_bounded)
    except RecursionError:
        raise ValueError(f"nested more than {nesting} levels deep") from None
    _check_nesting(value, nesting)
    halves = rb"\ud" in text.lower() if isinstance(text, bytes) else r"\ud" in text.lower()
    return whole_text(value) if halves else value


def whole_text(value: Any) -> Any:
    """A value with U+FFFD for every half of a character, so that it can be written as UTF-8."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [whole_text(one) for one in value]
    if isinstance(value, dict):
        return {whole_text(key): whole_text(one) for key, one in value.items()}
    return value


_KINDS: dict[type, tuple[str, tuple[type, ...]]] = {
    bool: ("true or false", (bool,)),
    int: ("a whole number", (int,)),
    float: ("a number", (int, float)),
    str: ("text", (str,)),
    list: ("a list", (list, tuple)),
    dict: ("an object", (dict,)),
}


def check_kinds(values: Mapping[str, Any], examples: Mapping[str, Any]) -> None:
    """Raise ValueError where a value is of another kind than the example of its name; an example of None is any."""
    for name, example in examples.items():
        if example is None or name not in values:
            continue
        words, kinds = _KINDS[type(example)]
        value = values[name]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ValueError(f"{name} is {words}, not {repr(value)[:40]}")


def _check_nesting(value: Any, nesting: int) -> None:
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(nesting):
        inner = (part for one in level for part in (one.values() if isinstance(one, dict) else one))
        level = [part for part in inner if isinstance(part, list | dict)]
    if level:
        raise ValueError(f"nested more than {nesting} levels deep")


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _bounded(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of {len(text)} digits is beyond all bounds")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:40]} is beyond all bounds")
    return number
