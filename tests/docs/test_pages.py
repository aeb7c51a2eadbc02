"""Every page of the docs is true: its examples run, its commands are commands of ours, its links lead somewhere."""

from __future__ import annotations

import doctest
import io
import re
import sys
import types
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tools.docs import subcommands
from tools.pages import DOCS, ROOT, Block, blocks, broken_links, pages, run_command
from tools.pages import desk as a_desk

import kibitz

PAGES = pages()
BLOCKS = [block for page in PAGES for block in blocks(page)]
ELSEWHERE = {"service.md"}
"""Pages whose examples need a server: tests/service runs them."""


def by_name(one: object) -> str:
    return one.name if isinstance(one, Path) else str(one)


@pytest.fixture
def desk() -> Iterator[Path]:
    """A folder with what the examples speak of, and no data of the user."""
    with a_desk() as folder:
        yield folder


def code_of(page: Path, *, prompts: bool) -> str:
    found = [block.text for block in blocks(page) if block.language == "python" and block.run]
    return "\n".join(text for text in found if (">>>" in text) == prompts)


@pytest.mark.parametrize("page", [page for page in PAGES if code_of(page, prompts=True)], ids=by_name)
@pytest.mark.usefixtures("desk")
def test_examples_at_the_prompt(page: Path) -> None:
    test = doctest.DocTestParser().get_doctest(code_of(page, prompts=True), {}, page.name, str(page), 0)
    said = io.StringIO()
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.write)
    assert result.failed == 0, said.getvalue()


def names_of(page: Path, pandas: object) -> dict[str, Any]:
    """What an example of a page takes for granted."""
    boards = kibitz.Position.of({1: 4}, {1: 2}).board[None]
    names: dict[str, Any] = {
        "kibitz": kibitz,
        "pandas": pandas,
        "position": kibitz.Position.start(),
        "boards": boards,
        "rows": boards[:, 0, :6],
        "input": lambda _prompt: names["card"].question.rows[0].name,
        "__name__": page.stem,
    }
    return names


PLAIN = [page for page in PAGES if code_of(page, prompts=False) and page.name not in ELSEWHERE]


@pytest.mark.parametrize("page", PLAIN, ids=by_name)
@pytest.mark.usefixtures("desk")
def test_examples_without_a_prompt(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = types.SimpleNamespace(DataFrame=list)  # the one call that examples make of it
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    if page.name in ("library.md", "study.md"):
        pytest.importorskip("sqlalchemy", reason="the extra library is not installed")
        run_command("kibitz library import matches")
        run_command("kibitz library me Ada")
        run_command("kibitz library review --level fast")
    with redirect_stdout(io.StringIO()):
        exec(compile(code_of(page, prompts=False), str(page), "exec"), names_of(page, pandas))


CONSOLE = [block for block in BLOCKS if block.language == "console" and block.run]


@pytest.mark.parametrize("block", CONSOLE, ids=by_name)
@pytest.mark.usefixtures("desk")
def test_commands_run_and_print_what_the_page_says(block: Block) -> None:
    """A block with one command and its output is compared; one of commands alone is run. `...` stands for anything."""
    if block.text.count("\n") == len(block.commands):
        for command in block.commands:
            run_command(command)
        return
    command, expected = block.text.split("\n", 1)
    printed = run_command(command.removeprefix("$ "))
    assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), printed


@cache
def help_of(words: tuple[str, ...]) -> str:
    return run_command(" ".join([*words, "--help"]))


COMMANDS = sorted({command for block in BLOCKS for command in block.commands})


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_that_is_named_is_there(command: str) -> None:
    words = re.sub(r"\s#.*", "", command).split()
    known: tuple[str, ...] = (words[0],)
    for word in words[1:]:
        if word in subcommands(help_of(known)):
            known = (*known, word)
    assert len(known) > 1, f"{words[1]} is no command"
    options = {re.match(r"--[a-z-]+", word.strip("[]"))[0] for word in words if word.strip("[]").startswith("--")}  # type: ignore[index]
    # Some groups do one of their commands if none is named.
    told = help_of(known) + "".join(help_of((*known, one)) for one in subcommands(help_of(known)))
    missing = {option for option in options if not re.search(rf"{option}\b", told)}
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=by_name)
def test_links_lead_somewhere(page: Path) -> None:
    generated = {"api/index.md", "commands/index.md"}  # made with the site
    assert [link for link in broken_links(page) if link not in generated] == []


def test_a_link_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    page = DOCS / "index.md"
    bad = tmp_path / "bad.md"
    bad.write_text("# A\n\n[a](#a) [b](#b) [c](none.md) `[d](no.md)`\n")
    assert broken_links(bad) == ["#b", "none.md"]
    assert broken_links(page) == []


def test_every_page_is_in_the_navigation() -> None:
    named = set(re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert {page.name for page in DOCS.glob("*.md")} <= named


def test_blocks_that_are_not_run_say_why() -> None:
    """Examples in a shell's language are no tests of ours unless they are commands alone; so few are left out."""
    left_out = [block for block in BLOCKS if not block.run]
    assert len(left_out) < 15
