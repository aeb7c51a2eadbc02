"""The reference is complete: every public name has its place and its words, every command its page."""

from __future__ import annotations

import inspect
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from tools import docs, pictures, release
from tools.pages import ROOT

import kibitz
from kibitz.cli import COMMANDS

NAMES = [name for _, names in docs.API.values() for name in names.split()]


def test_every_public_name_stands_on_one_page() -> None:
    assert sorted(NAMES) == sorted(kibitz.__all__)


def undocumented(thing: object, name: str) -> list[str]:
    """The public parts of a class, or a function, that have no docstring."""
    if inspect.isclass(thing):
        members = [
            (key, value)
            for key, value in vars(thing).items()
            if not key.startswith("_")
            and (inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod))
        ]
        own = [] if inspect.getdoc(thing) else [name]
        return own + [f"{name}.{key}" for key, value in members if not inspect.getdoc(value)]
    return [] if not callable(thing) or inspect.getdoc(thing) else [name]


@pytest.mark.parametrize("name", kibitz.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert undocumented(getattr(kibitz, name), name) == []


@pytest.mark.parametrize("name", sorted(room for _, room in docs.API_ROOMS.values()))
def test_every_public_name_of_a_room_is_documented(name: str) -> None:
    room = __import__(name, fromlist=["__all__"])
    assert room.__all__
    assert [bad for one in room.__all__ for bad in undocumented(getattr(room, one), one)] == []


def test_every_command_has_a_page_made_from_its_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs, "SOURCE", tmp_path)
    monkeypatch.setenv("KIBITZ_LIBRARY", "/own/library.db")
    listed = docs.command_pages()
    assert set(COMMANDS) <= set(listed)
    page = (tmp_path / "commands" / "tables.md").read_text(encoding="utf-8")
    for below in (tmp_path / "commands").iterdir():
        assert "/own" not in below.read_text(encoding="utf-8")
    assert "## kibitz tables build" in page and "--force" in page
    assert "(hint.md)" in (tmp_path / "commands" / "index.md").read_text(encoding="utf-8")


def test_the_boards_are_those_that_the_program_draws(tmp_path: Path) -> None:
    """`python -m tools.pictures` draws them anew."""
    pictures.draw_boards(tmp_path)
    for name in pictures.BOARDS:
        assert (tmp_path / name).read_text() == (pictures.PICTURES / name).read_text(), name


def test_broken_links_of_a_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 id="x"></h1><a href="b.html#y"><a href="#x"><a href="#z"><img src="c.png">')
    (tmp_path / "b.html").write_text('<p id="y"><a href="https://example.org/none"><a href="a.html#x">')
    assert docs.broken_links(tmp_path) == ["a.html: #z", "a.html: c.png"]


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert kibitz.__version__ == project["version"] == re.findall(r"^version: (.*)$", citation, re.MULTILINE)[0]
    assert set(project["optional-dependencies"]["all"]) == {"kibitz[cluster,exchange,library,web]"}


def test_a_release_dates_its_section_and_opens_the_next() -> None:
    text = "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.0 (2026-01-01)\n\n- old\n"
    made = release.released(text, "1.1.0", "2026-02-03")
    assert (
        made.index("## Unreleased") < made.index("## 1.1.0 (2026-02-03)") < made.index("- new") < made.index("## 1.0.0")
    )
    with pytest.raises(SystemExit, match="already"):
        release.released(text, "1.0.0", "2026-02-03")
    with pytest.raises(SystemExit, match="nothing stands"):
        release.released(made, "1.2.0", "2026-02-03")


def test_a_release_sets_the_version_everywhere_or_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("CHANGELOG.md", "pyproject.toml", "CITATION.cff")
    for name in names:
        shutil.copyfile(ROOT / name, tmp_path / name)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("## Unreleased\n", "## Unreleased\n\nSome.\n")
    (tmp_path / "CHANGELOG.md").write_text(changes, encoding="utf-8")
    release.main("98.7.6")
    changelog, project, citation = ((tmp_path / name).read_text(encoding="utf-8") for name in names)
    assert tomllib.loads(project)["project"]["version"] == "98.7.6"
    day = re.findall(r'^version: 98.7.6\ndate-released: "(.*)"$', citation, re.MULTILINE)[0]
    assert f"## Unreleased\n\n## 98.7.6 ({day})\n\nSome.\n" in changelog

    (tmp_path / "CHANGELOG.md").write_text(
        changelog.replace("## Unreleased\n", "## Unreleased\n\nMore.\n"), encoding="utf-8"
    )
    (tmp_path / "CITATION.cff").write_text("version: 98.7.6\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="date-released"):
        release.main("98.7.7")
    assert (tmp_path / "pyproject.toml").read_text(encoding="utf-8") == project


def test_the_changelog_has_versions_with_dates() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+\S* \(\d{4}-\d\d-\d\d\)", heading) for heading in headings[1:])
