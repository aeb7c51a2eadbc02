"""The examples run, as they are."""

from __future__ import annotations

import ast
import io
import json
import re
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's is read or written."""
    (tmp_path / "sample.mat").write_bytes((EXAMPLES / "sample.mat").read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def test_there_are_ten_scripts_and_two_notebooks_and_the_page_names_them() -> None:
    named = re.findall(r"^\| `(\S+\.(?:py|ipynb))`", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in (*SCRIPTS, *NOTEBOOKS))
    assert len(SCRIPTS) == 10 and len(NOTEBOOKS) == 2


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(script)])
    printed = io.StringIO()
    with redirect_stdout(printed):
        runpy.run_path(str(script), run_name="__main__")
    assert printed.getvalue().strip()


def run_cell(source: str, names: dict[str, Any]) -> object:
    """Run a cell as a notebook does; the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), names)
        return None
    exec(compile(ast.Module(tree.body[:-1], []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks(notebook: Path) -> None:
    """Cell by cell; what a cell ends with can be shown. Notebooks are kept without results."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    with redirect_stdout(io.StringIO()):
        for cell in cells:
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [] and cell["execution_count"] is None
                value = run_cell("".join(cell["source"]), names)
                picture = getattr(value, "_repr_html_", None) or getattr(value, "_repr_svg_", None)
                shown.append(picture() if picture else value)
    assert any(isinstance(one, str) and "<svg" in one for one in shown)
