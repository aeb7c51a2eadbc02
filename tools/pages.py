"""The pages of the docs: which there are, what stands in them as an example, and where their links lead."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PROJECT = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages outside docs/, and what they are called on the site."""
_BLOCK = re.compile(r"^(<!-- not run: .* -->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")


def pages() -> list[Path]:
    """Every page: of docs/, of the project, and the README."""
    return [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *(ROOT / name for name in PROJECT)]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code in a page."""

    page: Path
    line: int
    language: str
    text: str
    run: bool
    """Whether it is an example to be run: the others say before them why not."""

    @property
    def commands(self) -> list[str]:
        """The commands of ours in it."""
        lines = [line.removeprefix("$ ") for line in self.text.splitlines()]
        return [line for line in lines if line.startswith("kibitz ")]

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(page, line, found[2], found[3], found[1] is None)


def without_blocks(text: str) -> str:
    """A page without its code, in blocks and in lines."""
    return re.sub(r"`[^`\n]*`", "", _BLOCK.sub("", text))


def links(page: Path) -> list[str]:
    """Where a page leads."""
    return _LINK.findall(without_blocks(page.read_text(encoding="utf-8")))


def anchor_of(heading: str) -> str:
    """The name of a heading in an address."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain).strip().lower().replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """The names of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", _BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {anchor_of(heading) for heading in headings}


def broken_links(page: Path) -> list[str]:
    """The links of a page that lead to no file of the repository, or to no heading of a page."""
    broken = []
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        there = target.exists() and (not path or target.is_relative_to(ROOT))
        if not there or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    return broken


@contextlib.contextmanager
def desk() -> Iterator[Path]:
    """A folder to run examples in, with what they speak of and no data of the user; what they write is gone with it."""
    with tempfile.TemporaryDirectory(prefix="kibitz-desk-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "matches").mkdir()
        for copy in ("match.mat", "matches/match.mat"):
            shutil.copyfile(ROOT / "examples" / "sample.mat", folder / copy)
        own = {"KIBITZ_CACHE": "cache", "KIBITZ_LIBRARY": "library.db", "KIBITZ_CONFIG": "config.toml"}
        places = {variable: str(folder / part) for variable, part in own.items()}
        with mock.patch.dict(os.environ, places), contextlib.chdir(folder):
            yield folder


def run_command(command: str) -> str:
    """What a command of ours prints, run in this process; raises if it fails."""
    from kibitz.cli import main

    words = shlex.split(command, comments=True)
    printed, complaints = io.StringIO(), io.StringIO()
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    with (
        mock.patch.object(sys, "argv", words),
        mock.patch.dict(os.environ, plain),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(complaints),
    ):
        try:
            main()
        except SystemExit as done:
            if done.code not in (None, 0):
                raise RuntimeError(f"{command}: {complaints.getvalue().strip() or done.code}") from None
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines()) + "\n"
