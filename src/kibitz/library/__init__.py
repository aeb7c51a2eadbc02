"""The library: matches, decisions and what was said of them, in a database. `Library` is the door to all of it."""

from __future__ import annotations

from importlib.util import find_spec

from kibitz.errors import LibraryError

if missing := [name for name in ("sqlalchemy", "alembic") if find_spec(name) is None]:
    raise LibraryError(f'the library needs {" and ".join(missing)}: pip install "kibitz[library]"')
