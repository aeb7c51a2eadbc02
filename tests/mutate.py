"""Mutation testing: small faults are put into the code one by one, and the tests must notice.

    python tests/mutate.py [--rooms engine analysis protocols play decision] [--sample 60] [--seed 1]

Each room is changed in `--sample` places drawn at random (0: everywhere): a comparison turned round, `and` for `or`, a
`not` dropped, plus for minus, another number, the other branch, no return value, a call left out. First the tests of
the room run once, and it is written down which of them reach which line. Of each fault only the tests that reach its
line are asked, the quickest first, until one fails. What survives is listed with its line, and the share that was
killed is printed.

Everything is imported once and the tests are collected once, and each fault is tried in a fork of that process: so it
runs where there is `os.fork`. A fault inside a function replaces its code there; any other is written into the file,
and everything is imported and collected anew.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import importlib
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = {
    "decision": ["tests/decision", "tests/engine/test_engine.py", "tests/engine/test_confidence.py"],
    "engine": ["tests/engine", "tests/decision", "tests/eval/test_network_file.py"],
    "analysis": ["tests/analysis", "tests/report/test_html.py"],
    "protocols": ["tests/protocols"],
    "play": ["tests/play", "tests/cli/test_play.py"],
}
SECONDS = 60
"""How long the tests that are asked about one fault may take without it; the quickest come first."""

NOT_PUT = 99
"""What a child says that could not change the code."""

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


@dataclass(frozen=True)
class Mutant:
    """A fault that can be put into a file: which node of its tree changes, and how."""

    path: Path
    number: int
    kind: int
    what: str
    lines: range
    in_function: bool

    def tree(self) -> ast.Module:
        """The file with the fault in it."""
        tree = ast.parse((ROOT / self.path).read_text(encoding="utf-8"))
        change(next(node for index, node in enumerate(ast.walk(tree)) if index == self.number), self.kind)
        return ast.fix_missing_locations(tree)


def mutants(path: Path) -> Iterator[Mutant]:
    """Every fault that can be put into a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(inner) for node in ast.walk(tree) for root in ignored(node) for inner in ast.walk(root)}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = {id(inner) for node in functions for statement in node.body for inner in ast.walk(statement)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in skipped:
            continue
        for kind in range(3):
            if (what := change(copy.copy(node), kind)) is None:
                break
            lines = range(getattr(node, "lineno", 0), (getattr(node, "end_lineno", 0) or 0) + 1)
            yield Mutant(path.relative_to(ROOT), number, kind, what, lines, id(node) in inside)


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
        node.ops = [*node.ops[:kind], COMPARISONS[type(old)](), *node.ops[kind + 1 :]]
        return f"{type(old).__name__} -> {type(node.ops[kind]).__name__}"
    if isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return f"now {type(node.op).__name__}"
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        node.op = ARITHMETIC[type(node.op)]()
        return f"now {type(node.op).__name__}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        if isinstance(node.op, ast.USub):
            node.op = ast.UAdd()
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
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        node.value = ast.Constant(None)
        return "returns nothing"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        node.value = ast.Constant(None)
        return "call left out"
    return None


@dataclass
class Reach:
    """Which tests reach which line, and how long each of them takes. A plugin of pytest, while they run."""

    folder: str
    failed: set[str] = field(default_factory=set)
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """Who reaches a line: a test, or a file of tests (what its fixtures reach)."""
    who: str = ""

    def trace(self, frame: FrameType, _: str, __: Any) -> Callable[..., Any] | None:
        """For `sys.settrace`: watch the lines of the room alone."""
        if not frame.f_code.co_filename.startswith(self.folder):
            return None
        self.lines[frame.f_code.co_filename, frame.f_lineno].add(self.who)
        return self.trace

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        self.who = item.nodeid.partition("::")[0]
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.who, began = item.nodeid, time.perf_counter()
        try:
            return (yield)
        except BaseException:
            self.failed.add(item.nodeid)
            raise
        finally:
            self.seconds[item.nodeid] = time.perf_counter() - began

    def reaches(self, mutant: Mutant) -> set[str]:
        """The tests, or files of tests, that reach a fault."""
        return {one for line in mutant.lines for one in self.lines.get((str(mutant.path), line), ())}

    def tests(self, mutant: Mutant, seconds: float) -> list[str]:
        """The tests to ask about a fault, the quickest first, as many as fit into a time."""
        who, green = self.reaches(mutant), self.seconds.keys() - self.failed
        asked = {test for test in green if {test, test.partition("::")[0]} & who} if mutant.in_function else green
        chosen: list[str] = []
        for test in sorted(asked, key=lambda one: (self.seconds[one], one)):
            seconds -= self.seconds[test]
            if chosen and seconds < 0:
                break
            chosen.append(test)
        return chosen


def workplace(folder: Path) -> None:
    """A copy of the sources and tests with the native module in it, from which everything is imported."""
    for name in ("src", "tests", "examples", "docs", "benchmarks", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    native = find_spec("kibitz._core")
    assert native is not None and native.origin is not None
    shutil.copy(native.origin, folder / "src" / "kibitz" / Path(native.origin).name)
    forget()
    os.chdir(folder)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.dont_write_bytecode = True
    sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in type(one).__module__]
    sys.path[:0] = [str(folder), str(folder / "src")]


def forget() -> None:
    """Import the package and its tests anew when they are asked for, but for the native module."""
    for name in [one for one in sys.modules if one.split(".")[0] in ("kibitz", "tests") and one != "kibitz._core"]:
        del sys.modules[name]


def in_child(job: Callable[[], int], seconds: float) -> int:
    """What a job says in a process of its own; 1 if it takes longer than so many seconds."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setpgid(0, 0)
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            status = job()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    print(f"ended after {seconds:.0f} s, and counted as noticed: it hangs, or the machine is too busy", flush=True)
    return 1


def run(arguments: list[str], *plugins: object) -> int:
    """Run tests here; the exit code of pytest."""
    options = ["-q", "-p", "no:cacheprovider"]
    return int(pytest.main([*options, *arguments], plugins=list(plugins)))


def existing(room: str) -> list[str]:
    """The files and folders of a room's tests."""
    return [one for one in TESTS[room] if Path(one).exists()]


def reached(room: str, place: Path) -> Reach:
    """What the tests of a room reach. Those that fail without any fault are named, and not asked."""
    folder, notes = place / "src" / "kibitz" / room, place / f"{room}.pickle"
    tests = existing(room)
    for one in tests:
        for path in sorted(Path(one).rglob("test_*.py")) or [Path(one)]:
            importlib.import_module(".".join(path.with_suffix("").parts))
    gc.freeze()

    def watch() -> int:
        reach = Reach(str(folder))
        sys.settrace(reach.trace)
        threading.settrace(reach.trace)
        run(tests, reach)
        sys.settrace(None)
        names = {(str(Path(path).relative_to(place)), line): who for (path, line), who in reach.lines.items()}
        notes.write_bytes(pickle.dumps((reach.failed, reach.seconds, names)))
        return 0

    if in_child(watch, 3600) != 0:
        sys.exit(f"the tests of {room} cannot be run")
    reach = Reach(str(folder), *pickle.loads(notes.read_bytes()))
    for test in sorted(reach.failed):
        print(f"fails without any fault: {test}", flush=True)
    return reach


Functions = dict[tuple[str, str, int], list[FunctionType]]
"""What is loaded of a room, by file, name and line."""


def loaded(room: str) -> Functions:
    """The functions of a room; all of it is imported for that."""
    for path in sorted(Path("src/kibitz", room).rglob("*.py")):
        importlib.import_module(".".join(path.relative_to("src").with_suffix("").parts))
    found: Functions = defaultdict(list)
    gc.unfreeze()  # what is frozen is not listed
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            code = one.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
    gc.freeze()
    return found


def put(mutant: Mutant, functions: Functions) -> None:
    """Put a fault inside a function into this process."""
    path = str(Path.cwd() / mutant.path)
    waiting = [compile(mutant.tree(), path, "exec")]
    changed = 0
    while waiting:
        code = waiting.pop()
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
        for function in functions.get((path, code.co_qualname, code.co_firstlineno), ()):
            function.__code__ = code
            changed += 1
    assert changed, f"no function of {path} is loaded"


def killed_anew(mutant: Mutant, tests: list[str], seconds: float) -> bool:
    """Whether one of the tests notices a fault that is outside of functions."""
    original = mutant.path.read_bytes()

    def job() -> int:
        forget()
        return run(["-x", *tests])

    try:
        mutant.path.write_text(ast.unparse(mutant.tree()), encoding="utf-8")
        return in_child(job, seconds) != 0
    finally:
        mutant.path.write_bytes(original)


def killed(mutant: Mutant, tests: list[pytest.Item], functions: Functions, seconds: float) -> bool:
    """Whether one of the tests notices a fault inside a function."""

    def job() -> int:
        try:
            put(mutant, functions)
        except (ValueError, AssertionError):
            return NOT_PUT
        for test, following in zip(tests, [*tests[1:], None], strict=True):
            test.ihook.pytest_runtest_protocol(item=test, nextitem=following)
            if test.session.testsfailed:
                return 1
        return 0

    if (status := in_child(job, seconds)) == NOT_PUT:
        # Its code has other free variables than the function, as without a call of super().
        return killed_anew(mutant, [one.nodeid for one in tests], seconds)
    return status != 0


@dataclass
class Trial:
    """The faults of a room, tried one after the other. A plugin of pytest, which collects the tests for it."""

    room: str
    mutants: list[Mutant]
    reach: Reach
    survivors: list[Mutant] = field(default_factory=list)

    def try_all(self) -> None:
        """Find the survivors."""
        for mutant in self.mutants:
            if not mutant.in_function:
                self.ask(mutant, killed_anew)
        if run(["-s", "-p", "no:terminalreporter", *existing(self.room)], self) not in (0, 5):
            sys.exit(f"the tests of {self.room} cannot be collected")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the faults inside functions, instead of running the tests."""
        items, functions = {item.nodeid: item for item in session.items}, loaded(self.room)
        for mutant in self.mutants:
            if mutant.in_function:
                self.ask(
                    mutant, lambda one, tests, limit: killed(one, [items[test] for test in tests], functions, limit)
                )
        return True

    def ask(self, mutant: Mutant, notices: Callable[[Mutant, list[str], float], bool]) -> None:
        """Whether the tests that reach a fault notice it."""
        tests = self.reach.tests(mutant, SECONDS)
        limit = 30 + 8 * sum(self.reach.seconds[test] for test in tests)  # what takes longer hangs
        if not tests or not notices(mutant, tests, limit):
            self.survivors.append(mutant)
            print(f"survived: {mutant.path}:{mutant.lines[0]} {mutant.what} ({len(tests)} tests)", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rooms", nargs="+", default=list(TESTS), choices=list(TESTS))
    options.add_argument("--sample", type=int, default=60, help="faults a room; 0 for all")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    all_dead = total = 0
    with tempfile.TemporaryDirectory() as scratch:
        workplace(Path(scratch))
        for room in asked.rooms:
            found = [one for path in sorted((ROOT / "src" / "kibitz" / room).rglob("*.py")) for one in mutants(path)]
            chosen = random.Random(asked.seed).sample(found, min(asked.sample or len(found), len(found)))
            reach = reached(room, Path(scratch))
            print(f"{room}: {len(chosen)} of {len(found)} faults, {len(reach.seconds)} tests", flush=True)
            # What is reached by nothing, or while modules are imported, is imported anew.
            tried = [one if reach.reaches(one) else replace(one, in_function=False) for one in chosen]
            trial = Trial(room, tried, reach)
            trial.try_all()
            dead = len(chosen) - len(trial.survivors)
            print(f"{room}: {dead} of {len(chosen)} killed ({dead / max(len(chosen), 1):.0%})", flush=True)
            all_dead, total = all_dead + dead, total + len(chosen)
    print(f"all: {all_dead} of {total} killed ({all_dead / max(total, 1):.0%})")


if __name__ == "__main__":
    main()
