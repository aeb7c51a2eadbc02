"""The newcomer's walk through the house: every name in it is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PLACES = [ROOT / "src" / "kibitz", ROOT / "cpp", ROOT]
"""Where a path on the page may begin."""
DEFINED = r"(?:\b(?:def|class|struct|enum class)\s+{0}\b|^\s*{0}\s*[:=]|[\w>&*]\s+(?:\w+::)?{0}\(|\bself\.{0}\s*[:=])"
"""How Python and C++ say what a name is."""


def steps() -> list[str]:
    """The numbered lines of both ways, each with the lines that belong to it."""
    found = re.findall(r"^\*\*The way of `kibitz \w+[^`]*`\.\*\*\n(.*?)\n\n", PAGE, re.DOTALL | re.MULTILINE)
    return [" ".join(step.split()) for way in found for step in re.split(r"\n(?=\d+\. )", way)]


def file_of(name: str) -> Path | None:
    """The file or folder that a path on the page stands for."""
    return next((place / name for place in PLACES if (place / name).exists()), None)


def is_defined(name: str, where: Path) -> bool:
    """Whether a name is defined in a file, or in one of a folder."""
    files = (
        [where] if where.is_file() else [path for path in where.rglob("*") if path.suffix in (".py", ".cpp", ".hpp")]
    )
    pattern = re.compile(DEFINED.format(re.escape(name)), re.MULTILINE)
    return any(pattern.search(path.read_text(encoding="utf-8")) for path in files)


def names(step: str) -> list[str]:
    """What stands in backticks and is no option, file or command."""
    return [
        name for name in re.findall(r"`([^`]+)`", step) if not name.startswith(("-", "kibitz ")) and "/" not in name
    ]


def test_each_way_has_ten_steps() -> None:
    assert [int(step.partition(".")[0]) for step in steps()] == [*range(1, 11), *range(1, 11)]


@pytest.mark.parametrize("step", steps(), ids=lambda step: step[:40])
def test_every_file_and_name_of_the_walk_exists(step: str) -> None:
    """A method is looked up by its own name, and so is its class."""
    for path in re.findall(r"`([\w.]+/[\w./]*|[\w]+\.(?:py|cpp))`", step):
        assert file_of(path) is not None or any((ROOT / "src").rglob(path)), f"there is no {path}"
    for name in names(step):
        if name.endswith((".py", ".cpp")):
            continue
        for part in re.split(r"\.|::", re.sub(r"\(.*\)$", "", name)):
            assert part == "_core" or any(is_defined(part, place) for place in PLACES[:2]), f"nothing is called {part}"


@pytest.mark.parametrize("step", steps(), ids=lambda step: step[:40])
def test_what_the_walk_finds_in_a_file_is_there(step: str) -> None:
    """Where it says "`name` in `file`"."""
    for name, path in re.findall(r"`([\w.:]+)(?:\(\))?` (?:in|of) `(\w+/[\w./]*)`", step):
        where = file_of(path)
        assert where is not None
        assert is_defined(re.split(r"\.|::", name)[-1], where), f"{path} has no {name}"


def test_a_wrong_name_is_noticed() -> None:
    assert file_of("cli/hunt.py") is None
    assert is_defined("answer_text", ROOT / "src" / "kibitz" / "report" / "decisions.py")
    assert not is_defined("answer_texts", ROOT / "src" / "kibitz")
    assert not is_defined("answer_text", ROOT / "src" / "kibitz" / "report" / "layout.py")
