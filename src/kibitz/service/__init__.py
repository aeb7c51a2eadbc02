"""The service: analysis over HTTP. `app.make_app` is the application, `server.serve` runs it."""

from __future__ import annotations

from importlib.util import find_spec

from kibitz.errors import EngineError


def check_extra() -> None:
    """Raise EngineError, in one line, where the packages of the extra are missing."""
    wanted = ("fastapi", "uvicorn", "orjson", "sqlalchemy", "alembic")
    if missing := [name for name in wanted if find_spec(name) is None]:
        raise EngineError(f'the service needs {", ".join(missing)}: pip install "kibitz[web]"')
