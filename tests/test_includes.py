"""The order of the C++ rooms, and how long their functions are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = [
    "support",
    "board",
    "heuristics",
    "tables",
    "eval",
    "cube",
    "decide",
    "search",
    "rollout",
    "arena",
    "selfplay",
]
"""In dependency order: a room includes its own files and those of rooms before it."""
ALLOWED = {"heuristics": {"support", "board"}}
"""Rooms that stand on fewer than all that come before them: the hand-made scores know the board alone."""
LONGEST_FUNCTION = 80

SOURCES = sorted(path for folder in ("cpp", "bindings") for path in (ROOT / folder).rglob("*") if path.is_file())
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def forbidden_includes(room: str, text: str) -> list[str]:
    """What a file of a room includes although it must not."""
    allowed = ALLOWED.get(room, set(ROOMS[: ROOMS.index(room)])) | {room}
    return [name for name in INCLUDE.findall(text) if name.split("/")[0] not in allowed]


def without_comments(text: str) -> str:
    """The code with what is no code blanked out: comments, texts, preprocessor. Lines stay where they are."""
    blanks = re.compile(
        r"""//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|^\s*\#(?:\\\n|[^\n])*""",
        re.DOTALL | re.MULTILINE,
    )
    return blanks.sub(lambda match: "\n" * match.group().count("\n"), text)


def functions(text: str) -> list[tuple[str, int]]:
    """The blocks that stand in none but those of namespaces and types: their heads, and how many lines they have."""
    code = without_comments(text)
    found: list[tuple[str, int]] = []
    outer: list[bool] = []  # whether each open block is one of a namespace or a type
    start = begin = 0
    for place, sign in enumerate(code):
        if sign == "{":
            head = re.sub(r"\b(public|private|protected):", "", code[start:place]).strip()
            is_outer = bool(re.match(r"(template\s*<.*?>\s*)?(inline\s+)?(namespace|class|struct|enum|union)\b", head))
            if all(outer):
                begin = place - len(code[start:place].lstrip())
            outer.append(is_outer and all(outer))
            start = place + 1
        elif sign == "}":
            if not outer.pop() and all(outer):
                head = " ".join(code[begin:place].split("{")[0].split())
                found.append((head, code.count("\n", begin, place) + 1))
            start = place + 1
        elif sign == ";" and all(outer):
            start = place + 1
    assert not outer, "braces do not match"
    return found


def test_every_idea_has_a_test_beside_it_or_a_line_that_says_where_it_is_tested() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_0-9]*)`", page.partition("where it is tested")[2].partition("\n\n")[0]))
    sources = (ROOT / "cpp").rglob("*.cpp")
    ideas = {path.relative_to(ROOT / "cpp").with_suffix("") for path in sources}
    for idea in ideas:
        name = str(idea).removesuffix("_test")
        kernels = re.sub(r"kernels_(avx2|avx512|baseline)", "kernels", name)
        has_test = Path(f"{name}_test") in ideas
        assert has_test or kernels in named or f"{idea.parent}/" in named, f"nobody says where {name} is tested"


def test_every_room_has_a_place_in_the_order() -> None:
    assert {path.name for path in (ROOT / "cpp").iterdir() if path.is_dir()} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_includes_only_rooms_before_it(room: str) -> None:
    for path in (ROOT / "cpp" / room).iterdir():
        assert not forbidden_includes(room, path.read_text(encoding="utf-8")), path


def test_an_include_against_the_order_is_noticed() -> None:
    assert forbidden_includes("tables", '#include <vector>\n#include "eval/network.hpp"\n') == ["eval/network.hpp"]
    assert forbidden_includes("heuristics", '#include "decide/game.hpp"\n') == ["decide/game.hpp"]
    assert not forbidden_includes("search", '#include "decide/game.hpp"\n#include "search/tree.hpp"\n')


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_function_is_longer_than_a_screen(path: Path) -> None:
    too_long = [one for one in functions(path.read_text(encoding="utf-8")) if one[1] > LONGEST_FUNCTION]
    assert not too_long


def test_lines_of_functions_are_counted() -> None:
    body = "  if (x) {\n    y();  // }\n  }\n" * 30
    code = f'namespace a {{\nclass B : public C {{\n  int d() {{ return "}}"; }}\n}};\nvoid e(int f) {{\n{body}}}\n}}\n'
    assert functions(code) == [("int d()", 1), ("void e(int f)", 92)]
