"""The page about the source documents names only what there is. Its examples run in tests/docs."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from kibitz.cli import app
from kibitz.heuristics import TabulaSettings, TenFactorSettings
from kibitz.heuristics.ten_factor import TITLES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "documents.md").read_text(encoding="utf-8")
TEXT = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
CODE = sorted(set(re.findall(r"`([^`]+)`", TEXT)))
NAMES = [code for code in CODE if re.fullmatch(r"kibitz(\.\w+)+", code)]
PATHS = [code for code in CODE if re.fullmatch(r"(cpp|src|docs)/[\w./-]+", code)]
COMMANDS = [code for code in CODE if code.startswith("kibitz ")]


def found(name: str) -> object:
    """The thing of a dotted name: a module as far as there are modules, then attributes."""
    words = name.split(".")
    thing: object = import_module(words[0])
    for number, word in enumerate(words[1:], start=2):
        try:
            thing = getattr(thing, word)
        except AttributeError:
            thing = import_module(".".join(words[:number]))
    return thing


def test_the_page_names_enough_to_be_worth_checking() -> None:
    assert len(NAMES) > 60 and len(PATHS) > 25 and len(COMMANDS) > 30


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_there(name: str) -> None:
    assert found(name) is not None


@pytest.mark.parametrize("path", PATHS)
def test_every_path_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([\w-]+\.md)\)", TEXT))))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / "docs" / link).is_file()


@pytest.mark.parametrize("anchor", sorted(set(re.findall(r"\]\(#([\w-]+)\)", TEXT))))
def test_every_anchor_is_a_heading(anchor: str) -> None:
    headings = re.findall(r"^#+ (.*)$", TEXT, flags=re.MULTILINE)
    assert anchor in [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_there(command: str) -> None:
    node = typer.main.get_command(app)
    for word in command.split()[1:]:
        if word.startswith("-"):
            assert word in {name for option in node.params for name in (*option.opts, *option.secondary_opts)}
        elif hasattr(node, "commands"):
            node = node.commands[word]


def test_every_setting_of_a_factor_is_in_its_row() -> None:
    rows = re.findall(r"^\| \d+ .*\| `(\w+)` \|$", TEXT, flags=re.MULTILINE)
    assert rows == list(TITLES) == TenFactorSettings.names()
    assert "opponent_spaces" in TabulaSettings.names()


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("hint", ["--engine", "--play", "--set", "--settings", "--top", "--threads", "--json"]),
        ("explain", ["--set", "--settings", "--json"]),
        ("bearoff suggest", ["--top", "--json"]),
        ("bearoff boards", ["--json"]),
        ("bearoff entry", ["--json"]),
        ("bearoff export", ["--checkers", "--output", "--json"]),
    ],
)
def test_help_tells_every_option(command: str, options: list[str]) -> None:
    code = "from kibitz.cli import main; main()"
    arguments = [sys.executable, "-c", code, *command.split(), "--help"]
    text = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    assert [option for option in options if option not in text] == []
