"""The scripts and styles of the face in one piece, for a page that has no server behind it."""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
from functools import cache
from importlib.resources import files

ENTRY = "page.js"
STYLES = ("tokens.css", "base.css", "components.css", "board.css", "screens.css", "review.css", "match.css")
_IMPORT = re.compile(r'^import\s*(?:\{([^}]*)\}\s*from\s*)?"(\.[^"]+)";[ \t]*$', re.MULTILINE)
_DECLARED = re.compile(r"^export ((?:async )?function\*? ?|class |const )(\w+)", re.MULTILINE)
_LISTED = re.compile(r"(?:^|(?<=[;}]))export ?\{([^}]*)\};?", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE)


def static_text(path: str) -> str:
    """A file of the face, as it is served."""
    return (files("kibitz") / "web" / "static" / path).read_text(encoding="utf-8")


@cache
def script() -> str:
    """All modules that the page needs, each in a function of its own, in the order in which they need each other.

    The modules of the face import and export by name, at the beginning of lines: that is all that is understood here.
    """
    numbers: dict[str, int] = {}
    parts: list[str] = []

    def add(path: str) -> int:
        if path not in numbers:
            code = static_text(path)
            needed = [(names, posixpath.normpath(posixpath.join(posixpath.dirname(path), other)))
                      for names, other in _IMPORT.findall(code)]  # fmt: skip
            bound = [(names, add(other)) for names, other in needed]
            numbers[path] = len(numbers)
            parts.append(_module(path, numbers[path], code, bound))
        return numbers[path]

    add(ENTRY)
    return f'"use strict";\n/*\n{_licences()}\n*/\n' + "".join(parts)


def _module(path: str, number: int, code: str, bound: list[tuple[str, int]]) -> str:
    """One module as a function that gives what it exports."""
    exported = [name for _, name in _DECLARED.findall(code)]
    returned = list(exported)
    for listed in _LISTED.findall(code):
        pairs = [one.split(" as ") for one in listed.replace("\n", " ").split(",") if one.strip()]
        returned += [f"{pair[-1].strip()}: {pair[0].strip()}" for pair in pairs]
    code = _LISTED.sub("", _DECLARED.sub(r"\1\2", _IMPORT.sub("", code)))
    if not path.startswith("vendor/"):
        code = _COMMENT.sub("", code)
    needed = "".join(f"const {{{names.replace(' as ', ': ').strip()}}} = m{one};\n" for names, one in bound if names)
    return f"const m{number} = (() => {{\n{needed}{code.strip()}\nreturn {{ {', '.join(returned)} }};\n}})();\n"


def _licences() -> str:
    """What must go with code of others."""
    manifest = json.loads(static_text("vendor/MANIFEST.json"))
    return "\n".join(f"{one['name']} {one['version']}: {one['licence_text']}" for one in manifest.values())


@cache
def style() -> str:
    """All styles, and the few lines that only the page has."""
    return "\n".join([*(static_text(f"styles/{name}") for name in STYLES), static_text("styles/page.css")])


def hash_of(text: str) -> str:
    """How a policy names an inline script or style."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


@cache
def policy() -> str:
    """What the page may do: run its own script, use its own style, and nothing else."""
    return (
        f"default-src 'none'; script-src {hash_of(script())}; style-src {hash_of(style())}; "
        "base-uri 'none'; form-action 'none'"
    )
