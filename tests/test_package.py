"""The package as a whole: what it exports, how soon it is there, and that its documentation is true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

import kibitz

ROOT = Path(__file__).resolve().parents[1]


def test_all_is_complete_and_every_name_in_it_is_there() -> None:
    """Names that are imported when first asked for count as well; ruff keeps the list sorted."""
    for name in kibitz.__all__:
        assert getattr(kibitz, name) is not None
    public = {
        name for name, value in vars(kibitz).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public - {"TYPE_CHECKING"} <= set(kibitz.__all__)
    assert len(set(kibitz.__all__)) == len(kibitz.__all__)


def test_build_info() -> None:
    info = kibitz.build_info()
    assert info["version"] == kibitz.__version__
    assert info["compiler"] and info["instruction_set"]


@pytest.mark.parametrize(
    "code", ["import kibitz, kibitz.cli", "from kibitz.cli import app; app(['--help'], standalone_mode=False)"]
)
def test_nothing_heavy_is_imported_at_the_top(code: str) -> None:
    """What start-up costs in time is told by benchmarks/bench_startup.py; a busy machine would fail a test of time."""
    heavy = {
        "numpy",
        "rich",
        "torch",
        "hypothesis",
        "pydantic",
        "fastapi",
        "sqlalchemy",
        "jinja2",
        "kibitz.engine.engine",
    }
    run = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print('heavy:', *sorted({heavy} & set(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines()[-1].strip() == "heavy:"


def test_the_readme_is_true() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 5
    assert result.failed == 0


MODULES = sorted(module.name for module in pkgutil.walk_packages(kibitz.__path__, "kibitz.", onerror=lambda _: None))


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(("_core", "__main__"))])
def test_examples_in_docstrings_are_true(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"an optional package is missing: {error.name}")
    names = {"kibitz": kibitz, **{export: getattr(kibitz, export) for export in kibitz.__all__}}
    result = doctest.testmod(module, extraglobs=names)
    assert result.failed == 0


def test_the_source_archive_has_all_that_a_build_needs_and_installs(tmp_path: Path) -> None:
    """Given the archive that is published; then every kept file of the package, and what CMake installs, is in it."""
    build = pytest.importorskip("scikit_build_core.build")
    line = ["git", "ls-files", "src", "cpp", "bindings"]
    kept = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    kept = [name for name in kept if (ROOT / name).is_file()]
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    kept += re.findall(r"install\(FILES (\S+)", cmake)
    code = f"import {build.__name__} as build, sys; build.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert not set(kept) - names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "examples/"))]


def test_an_error_is_one_line_that_can_be_read() -> None:
    """Whatever is named in it."""
    assert str(kibitz.FormatError("two\nlines\r\nand\u2028more")) == "two lines and more"
    assert len(str(kibitz.KibitzError("x" * 100_000))) == 3000
