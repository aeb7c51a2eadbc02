"""The pages about the hand-made engines say what the program does."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ["tabula.md", "ten-factor.md", "documents.md"]
MODULES = ["", ".shots", ".text", ".tabula", ".ten_factor"]


@pytest.mark.parametrize("page", PAGES)
def test_the_python_examples(page: str) -> None:
    # The closing fence of a block would be taken for expected output.
    text = (DOCS / page).read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, page, page, 0)
    assert len(test.examples) >= 5
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("page", PAGES)
def test_the_commands(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n\$ kibitz (.*?)\n(.*?)```", text, flags=re.DOTALL)
    assert blocks
    for command, expected in blocks:
        arguments = [sys.executable, "-c", "from kibitz.cli import main; main()", *shlex.split(command)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
        assert done.stdout == expected, command


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_the_code(module: str) -> None:
    found = doctest.testmod(import_module("kibitz.heuristics" + module))
    assert found.failed == 0
    assert found.attempted > 0
