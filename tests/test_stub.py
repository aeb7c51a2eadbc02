"""The types of the native module are those that are committed. `make stub` writes them anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMITTED = Path(__file__).parents[1] / "src" / "kibitz" / "_core.pyi"


def write_stub(path: Path) -> None:
    """What nanobind tells of the module that is installed."""
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "kibitz._core", "-o", str(path)], check=True)


def test_the_stub_tells_of_the_module_that_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("nanobind", reason="nanobind, which writes the stub, is not installed")
    fresh = tmp_path / "_core.pyi"
    write_stub(fresh)
    assert fresh.read_text(encoding="utf-8") == COMMITTED.read_text(encoding="utf-8"), "make stub writes it anew"


if __name__ == "__main__":
    write_stub(COMMITTED)
