"""The examples in the code of the hand-made engines; those of their pages run in tests/docs."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

MODULES = ["", ".shots", ".text", ".tabula", ".ten_factor"]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_the_code(module: str) -> None:
    found = doctest.testmod(import_module("kibitz.heuristics" + module))
    assert found.failed == 0
    assert found.attempted > 0
