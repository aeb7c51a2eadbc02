"""Study: decisions of the library as cards, asked again when it is time."""

from __future__ import annotations

from importlib.util import find_spec

from kibitz.errors import LibraryError

if find_spec("fsrs") is None:
    raise LibraryError('study needs fsrs: pip install "kibitz[library]"')
