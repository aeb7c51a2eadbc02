"""The site of the docs: `make docs`.

Puts together in build/site-source what mkdocs.yml names: the pages of docs/ with the output of their commands, the
pages of the project, a page for each command made from its help, and the reference of the Python names made from their
docstrings. Then builds the site in build/site and checks every link in it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock
from urllib.parse import unquote, urlsplit

from tools.pages import DOCS, PROJECT, ROOT, desk, run_command

SOURCE = ROOT / "build" / "site-source"
SITE = ROOT / "build" / "site"
CONFIGURATION = ROOT / "build" / "mkdocs.yml"
API = {
    "values": (
        "Positions, dice, plays, states",
        "ALL_ROLLS BAR OFF Cube Dice GameStatus MatchState Move Offer Owner Play Position PositionStatus State Variant",
    ),
    "notation": ("Notations and files", "parse load save Match Game"),
    "engine": ("The engine", "Engine Level MoveFilter Cancellation Client MatchEquityTable build_info"),
    "decisions": (
        "Decisions and their reasons",
        "Evaluation PlayDecision RankedPlay CubeDecision ResignationDecision explain",
    ),
    "rollouts": ("Rollouts", "Rollout"),
    "reviews": ("Reviews and the library", "review MatchReview Library"),
    "bulk": ("Many positions at once", "plays_bulk BulkPlays position_ids_bulk shots"),
    "errors": (
        "Errors",
        "KibitzError EngineError FormatError IllegalPlayError LibraryError NetworkFileError NotationError "
        "PositionError TableError",
    ),
}
"""The pages of the reference: their names, titles, and which names of the package they tell of."""
API_ROOMS = {
    "bearoff": ("Bearing off and exact tables", "kibitz.bearoff"),
    "heuristics": ("Engines that explain themselves", "kibitz.heuristics"),
    "testing": ("Hypothesis strategies", "kibitz.testing"),
}
"""Rooms with public names of their own."""


def write(name: str, text: str) -> None:
    """A page of the site."""
    path = SOURCE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def with_output(text: str) -> str:
    """A page in which every block of commands alone shows what they print."""

    def filled(found: re.Match[str]) -> str:
        lines = found[1].splitlines()
        if not all(line.startswith("$ kibitz ") for line in lines):
            return found[0]
        shown = [line + "\n" + run_command(line.removeprefix("$ ")) for line in lines]
        return "```console\n" + "\n".join(shown) + "```\n"

    return re.sub(r"^```console\n(.*?)^```\n", filled, text, flags=re.MULTILINE | re.DOTALL)


def copy_pages() -> None:
    """The pages that are written by hand, with links that are right on the site."""
    for path in sorted(DOCS.rglob("*")):
        if path.is_file() and path.suffix != ".md":
            target = SOURCE / path.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for name, called in PROJECT.items():
            text = text.replace(f"](../{name}", f"]({called}")
        write(path.name, with_output(text.replace("](../README.md", "](index.md")))
    for name, called in PROJECT.items():
        text = (ROOT / name).read_text(encoding="utf-8").replace("](../docs/", "](").replace("](docs/", "](")
        for other, its_name in PROJECT.items():
            text = text.replace(f"]({other}", f"]({its_name}")
        write(called, text.replace("](README.md", "](index.md"))


def subcommands(text: str) -> list[str]:
    """The commands that a help text lists."""
    _, _, listed = text.partition("Commands")
    return re.findall(r"^[│ ] {1,2}?([a-z][a-z-]*) {2,}\S", listed, re.MULTILINE)


def help_of(*words: str) -> str:
    """What a command says of itself, with its own defaults and not the user's."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    with mock.patch.dict(os.environ, others | {"KIBITZ_CONFIG": os.devnull}, clear=True):
        return run_command(" ".join(["kibitz", *words, "--help"])).strip("\n") + "\n"


def command_pages() -> list[str]:
    """A page for each command, from its help; their names."""
    top = help_of()
    names = subcommands(top)
    for name in names:
        text = help_of(name)
        parts = [f"# kibitz {name}\n\n```text\n{text}```\n"]
        parts += [f"## kibitz {name} {sub}\n\n```text\n{help_of(name, sub)}```\n" for sub in subcommands(text)]
        write(f"commands/{name}.md", "\n".join(parts))
    listed = "\n".join(f"- [kibitz {name}]({name}.md)" for name in names)
    write("commands/index.md", f"# Commands\n\n{listed}\n\n```text\n{top}```\n")
    return names


def api_pages() -> list[str]:
    """The reference of the public names, from their docstrings; the names of its pages."""
    for name, (title, names) in API.items():
        told = "\n".join(f"::: kibitz.{one}\n" for one in names.split())
        write(f"api/{name}.md", f"# {title}\n\n{told}")
    for name, (title, room) in API_ROOMS.items():
        write(f"api/{name}.md", f"# {title}\n\n::: {room}\n    options:\n      show_root_heading: false\n")
    titles = {**{name: title for name, (title, _) in API.items()}, **{n: title for n, (title, _) in API_ROOMS.items()}}
    listed = "\n".join(f"- [{title}]({name}.md)" for name, title in titles.items())
    write("api/index.md", f"# Python reference\n\nEvery public name, by what it is about.\n\n{listed}\n")
    return list(titles)


def configure(commands: list[str], api: list[str]) -> None:
    """The configuration with all pages that were made."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for word, folder, names in (("COMMANDS", "commands", commands), ("API", "api", api)):
        listed = [f"{folder}/index.md", *(f"{folder}/{name}.md" for name in names)]
        text = text.replace(f": {word}\n", ":\n" + "".join(f"          - {path}\n" for path in listed))
    text = re.sub(r"^(docs_dir|site_dir): build/", r"\1: ", text, flags=re.MULTILINE)  # seen from build/
    text = text.replace("paths: [src]", "paths: [../src]")
    text = text.replace("[tools/fences.py]", f"[{ROOT.as_posix()}/tools/fences.py]")
    CONFIGURATION.write_text(text, encoding="utf-8")


class Page(HTMLParser):
    """The links and the anchors of a page of the site."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, _tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Remember what leads somewhere, and what can be led to."""
        for key, value in attributes:
            if key in ("href", "src") and value:
                self.links.append(value)
            elif key in ("id", "name") and value:
                self.anchors.add(value)


def read_page(path: Path) -> Page:
    """A page, read."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def broken_links(site: Path) -> list[str]:
    """Every link of the site that leads to no file or to no anchor."""
    read = {path: read_page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    broken = []
    for path, page in read.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment)
            found = target.is_file() and (not anchor or target not in read or anchor in read[target].anchors)
            if not found and anchor != "__skip":
                broken.append(f"{path.relative_to(site)}: {link}")
    return broken


def main() -> None:
    """Make the site, and check it."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    with desk():
        copy_pages()
        configure(command_pages(), api_pages())
    zensical = Path(sys.executable).with_name("zensical")
    subprocess.run([zensical, "build", "--strict", "--config-file", CONFIGURATION], check=True, cwd=ROOT)
    broken = broken_links(SITE)
    if broken:
        raise SystemExit("broken links:\n" + "\n".join(broken))
    print(f"{len(list(SITE.rglob('*.html')))} pages in {SITE.relative_to(ROOT)}, no broken link")


if __name__ == "__main__":
    main()
