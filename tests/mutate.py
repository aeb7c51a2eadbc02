"""Mutation testing: small faults are put into the code one by one, and the tests must notice.

    python tests/mutate.py [--rooms engine analysis protocols play decision] [--sample 40] [--seed 1] [--workers 2]

Each room is changed in `--sample` places drawn at random (0: everywhere): a comparison turned round, `and` for `or`, a
`not` dropped, plus for minus, another number, the other branch, no return value, a call left out. The tests of the room
run until one fails. What survives is listed with its line, and the share that was killed is printed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[1]
TESTS = {
    "decision": ["tests/decision", "tests/engine"],
    "engine": ["tests/engine", "tests/decision", "tests/eval", "tests/search", "tests/cli/test_analyst_commands.py"],
    "analysis": ["tests/analysis", "tests/report"],
    "protocols": ["tests/protocols"],
    "play": ["tests/play", "tests/cli", "tests/arena"],
}
SECONDS = 240
"""A mutant that makes its tests run longer than this hangs, and counts as killed."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
RUNNER = """
import sys
sys.meta_path = [one for one in sys.meta_path if "editable" not in type(one).__module__]
sys.path.insert(0, "src")
import pytest
sys.exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


@dataclass(frozen=True)
class Mutant:
    """A file with one fault in it."""

    room: str
    path: Path
    line: int
    what: str
    source: str


def mutants(room: str, path: Path) -> Iterator[Mutant]:
    """Every fault that can be put into a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(inner) for node in ast.walk(tree) for root in ignored(node) for inner in ast.walk(root)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in skipped:
            continue
        for kind in range(3):
            changed = copy.deepcopy(tree)
            target = next(one for index, one in enumerate(ast.walk(changed)) if index == number)
            if (what := change(target, kind)) is None:
                break
            line = getattr(node, "lineno", 0)
            yield Mutant(room, path.relative_to(ROOT), line, what, ast.unparse(ast.fix_missing_locations(changed)))


def ignored(node: ast.AST) -> list[ast.AST]:
    """What says nothing about behaviour: docstrings, annotations, imports for types alone, messages of errors."""
    if isinstance(node, ast.Raise):
        return [node]
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return [node]
    if isinstance(node, ast.AnnAssign):
        return [node.annotation]
    if isinstance(node, ast.arg):
        return [node.annotation] if node.annotation else []
    if isinstance(node, ast.FunctionDef):
        return [*([node.returns] if node.returns else []), *node.decorator_list]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return [node]
    return [node] if isinstance(node, ast.Assert) else []


def change(node: ast.AST, kind: int) -> str | None:
    """Put the fault of this kind into a node; None if it has no such place."""
    if kind > 0 and not isinstance(node, ast.Compare):
        return None
    if isinstance(node, ast.Compare) and kind < len(node.ops):
        old = node.ops[kind]
        node.ops[kind] = COMPARISONS[type(old)]()
        return f"{type(old).__name__} -> {type(node.ops[kind]).__name__}"
    if isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return f"now {type(node.op).__name__}"
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        node.op = ARITHMETIC[type(node.op)]()
        return f"now {type(node.op).__name__}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
        if isinstance(node.op, ast.UAdd):
            return "minus dropped"
        node.operand = ast.UnaryOp(ast.Not(), node.operand)
        return "not dropped"
    if isinstance(node, ast.IfExp):
        node.body, node.orelse = node.orelse, node.body
        return "other branch"
    if isinstance(node, ast.If) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return "condition turned round"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
        return f"now {node.value}"
    if isinstance(node, ast.Return) and node.value is not None:
        node.value = ast.Constant(None)
        return "returns nothing"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        node.value = ast.Constant(None)
        return "call left out"
    return None


def killed(mutant: Mutant, copy_of: Path) -> bool:
    """Whether the tests of its room notice."""
    path = copy_of / mutant.path
    original = path.read_bytes()
    path.write_text(mutant.source, encoding="utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-c", RUNNER, *(one for one in TESTS[mutant.room] if (copy_of / one).exists())],
            cwd=copy_of,
            capture_output=True,
            timeout=SECONDS,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_bytes(original)
    return done.returncode != 0


def workplace(folder: Path) -> Path:
    """A copy of the sources and tests with the native module in it."""
    from kibitz import _core

    for name in ("src", "tests", "examples", "docs", "benchmarks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    native = Path(str(_core.__file__))
    shutil.copy(native, folder / "src" / "kibitz" / native.name)
    return folder


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rooms", nargs="+", default=list(TESTS), choices=list(TESTS))
    options.add_argument("--sample", type=int, default=40, help="faults a room; 0 for all")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = options.parse_args()
    chosen: list[Mutant] = []
    for room in asked.rooms:
        found = [one for path in sorted((ROOT / "src" / "kibitz" / room).rglob("*.py")) for one in mutants(room, path)]
        count = len(found) if asked.sample == 0 else min(asked.sample, len(found))
        chosen += random.Random(asked.seed).sample(found, count)
    with tempfile.TemporaryDirectory() as scratch:
        places: Queue[Path] = Queue()
        for number in range(asked.workers):
            places.put(workplace(Path(scratch) / str(number)))

        def try_one(mutant: Mutant) -> tuple[Mutant, bool]:
            place = places.get()
            try:
                return mutant, killed(mutant, place)
            finally:
                places.put(place)

        counts = {room: [0, 0] for room in asked.rooms}
        with ThreadPoolExecutor(asked.workers) as pool:
            for mutant, dead in pool.map(try_one, chosen):
                counts[mutant.room][0] += dead
                counts[mutant.room][1] += 1
                if not dead:
                    print(f"survived: {mutant.path}:{mutant.line} {mutant.what}", flush=True)
    for room, (noticed, count) in counts.items():
        print(f"{room}: {noticed} of {count} killed ({noticed / max(count, 1):.0%})")
    total, all_dead = sum(one[1] for one in counts.values()), sum(one[0] for one in counts.values())
    print(f"all: {all_dead} of {total} killed ({all_dead / max(total, 1):.0%})")


if __name__ == "__main__":
    main()
