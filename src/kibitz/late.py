"""Names that are imported when they are first asked for: a start should not wait for what it does not use."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # this page stands before everything else, and `typing` takes longer than all of it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def late(room: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], object]:
    """The `__getattr__` of a room, from the names that each of some modules has."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(import_module(home_of[name], room), name)
        setattr(sys.modules[room], name, value)
        return value

    return find
