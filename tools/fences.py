"""For the reference: examples at the prompt stand in docstrings without fences; on a page they are blocks of code."""

from __future__ import annotations

import re
from typing import Any

import griffe


def fenced(text: str) -> str:
    """A docstring whose examples are blocks of code, without what they say to the tests."""
    parts = re.sub(r" *# doctest: \+\w+$", "", text, flags=re.MULTILINE).split("\n\n")
    return "\n\n".join(f"```python\n{part}\n```" if part.startswith(">>> ") else part for part in parts)


class Fences(griffe.Extension):
    """Put fences around the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of whatever has one."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
