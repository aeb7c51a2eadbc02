"""The libraries of the library's tests, to study with."""

import pytest

pytest.importorskip("fsrs", reason="the extra 'library' is not installed")

from tests.library.conftest import changing, kind, postgres, reviewed, reviewed_url

__all__ = ["changing", "kind", "postgres", "reviewed", "reviewed_url"]
