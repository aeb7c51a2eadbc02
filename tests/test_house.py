"""The house stays in order: rooms use only rooms above them, functions stay short, private names stay private."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "kibitz"

ROOMS = (
    {"_core", "cores", "folders", "late"},
    {"status", "errors", "files", "plain_json", "dice", "position", "cube", "match", "move", "state"},
    {"bulk"},
    {"notation"},
    {"match_equity"},
    {"decision"},
    {"record", "replay"},
    {"formats"},
    {"bearoff"},
    {"heuristics"},
    {"engine"},
    {"rollout"},
    {"explain"},
    {"analysis"},
    {"client"},
    {"library"},
    {"study"},
    {"report"},
    {"play"},
    {"arena"},
    {"protocols"},
    {"train"},
    {"service"},
    {"web"},
    {"bench", "testing"},
    {"cli"},
    {"__main__"},
)
"""Every module of the package, in dependency order: a room uses only itself and rooms above it."""

EXCEPTIONS = {
    ("position", "notation"): "a position is read from and written as notations",
    ("state", "notation"): "so is a state",
    ("position", "report"): "a value draws itself",
    ("move", "report"): "a value draws itself",
    ("state", "report"): "a value draws itself",
    ("decision", "report"): "a decision shows itself",
    ("engine", "report"): "so does the value of a position",
    ("analysis", "report"): "a review shows itself",
    ("record", "report"): "a match shows itself",
    ("explain", "report"): "an explanation draws itself",
    ("engine", "rollout"): "Engine.rollout is the door to a room below",
}
"""Lazy imports of rooms below, each with its reason."""

LONGEST_FUNCTION = 80
MOST_PARAMETERS = 9


@cache
def modules() -> dict[Path, ast.Module]:
    """Every file of the package."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}


def room_of(module: str) -> int:
    """Where in the house a module is."""
    name = module.split(".")[0]
    found = next((number for number, names in enumerate(ROOMS) if name in names), None)
    assert found is not None, f"kibitz.{module} is in no room: add it to ROOMS and to docs/architecture.md"
    return found


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and the name below `kibitz` of everything that is imported, lazily or not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"kibitz.{alias.name}" for alias in node.names] if node.module == "kibitz" else [node.module or ""]
        else:
            continue
        for name in names:
            if name.startswith("kibitz."):
                yield node.lineno, name.removeprefix("kibitz.")


def public_names() -> set[str]:
    """What `from kibitz import` may name besides modules."""
    import kibitz

    return {*kibitz.__all__, "__version__"}


def test_rooms_use_only_rooms_above_them() -> None:
    """Lazy imports included; the exceptions are named, and each of them is used."""
    wrong, used = [], set()
    for path, tree in modules().items():
        inside = path.relative_to(SOURCE).with_suffix("")
        if inside.parts[0] == "__init__":
            continue  # the door of the package
        home = inside.parts[0]
        for line, name in imports(tree):
            target = name.split(".")[0]
            if target in public_names():
                continue
            if room_of(target) > room_of(home):
                if (home, target) in EXCEPTIONS:
                    used.add((home, target))
                else:
                    wrong.append(f"{path.relative_to(SOURCE)}:{line} imports kibitz.{name}, which is below it")
    assert not wrong, "\n".join(wrong)
    assert used == set(EXCEPTIONS), f"exceptions that nobody needs: {set(EXCEPTIONS) - used}"


def test_the_architecture_page_names_every_room() -> None:
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    there = {path.stem if path.suffix else path.name for path in SOURCE.iterdir() if path.suffix in ("", ".py")}
    missing = [
        name for name in sorted(there - {"__init__", "__pycache__", "_core"}) if not re.search(rf"`{name}/?`", page)
    ]
    assert not missing, f"docs/architecture.md does not say what {', '.join(missing)} is for"


@pytest.mark.parametrize("kind", ["lines", "parameters"])
def test_functions_stay_readable(kind: str) -> None:
    """Commands of the command line have as many parameters as options."""
    wrong = []
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            where = f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}"
            is_command = path.parent.name == "cli"
            if kind == "lines":
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                is_migration = "migrations" in path.parts  # a list of columns, written once and never changed
                if length > LONGEST_FUNCTION and not is_command and not is_migration:
                    wrong.append(f"{where} has {length} lines")
                continue
            arguments = node.args
            names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            count = len([name for name in names if name not in ("self", "cls")])
            if count > MOST_PARAMETERS and not is_command:
                wrong.append(f"{where} has {count} parameters")
    assert not wrong, "\n".join(wrong)


def test_private_names_stay_in_their_room() -> None:
    """What begins with an underscore is used in the file that defines it, and nowhere else."""
    python = {"_asdict", "_replace", "_fields", "_mapping", "_exit"}  # of namedtuples, rows of SQLAlchemy, and os
    wrong = []
    for path, tree in modules().items():
        own = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_self(node.value)}
        own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        annotated = [node.target for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]
        own |= {target.id for target in annotated if isinstance(target, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr) and node.attr not in own | python:
                wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno} uses .{node.attr}")
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kibitz"):
                names = [
                    alias.name for alias in node.names if re.match(r"_[a-z]", alias.name) and alias.name != "_core"
                ]
                wrong += [f"{path.relative_to(SOURCE)}:{node.lineno} imports {name}" for name in names]
    assert not wrong, "\n".join(wrong)


def test_no_three_classes_share_a_name() -> None:
    """What begins with an underscore is known to its file alone, and does not count."""
    found: dict[str, list[str]] = {}
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert not {name: paths for name, paths in found.items() if len(paths) > 2}


def is_self(node: ast.expr) -> bool:
    """Whether an attribute is looked up in the object itself, or in its class."""
    return isinstance(node, ast.Name) and node.id in ("self", "cls")
