"""A real server, a real browser, and a page that has come in by the token; skipped where there is no browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from tests.service.running import Server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
TIMEOUT = 15_000
"""Milliseconds that a page has for anything."""
THEMES = ("light", "dark", "contrast")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
"""The last one lets no name be found: a page that asks for anything elsewhere fails."""


class View:
    """A page of the face, and all troubles that it had: script errors, console warnings, requests to elsewhere."""

    def __init__(self, page: Any, url: str) -> None:
        self.page = page
        self.url = url
        self.troubles: list[str] = []
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._heard)
        page.on("request", self._asked)
        page.on("dialog", self._interrupted)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(message.text)

    def _interrupted(self, dialog: Any) -> None:
        self.troubles.append(dialog.message)
        dialog.dismiss()

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.troubles.append(f"asked for {request.url}")

    def go(self, path: str) -> Any:
        """Go to an address of the face; the page."""
        self.page.goto(self.url + path)
        return self.page

    def choose(self, **settings: object) -> None:
        """Settings of the face, as the browser keeps them; they count from the next `go` on."""
        write = "choices => localStorage.setItem('kibitz.settings', JSON.stringify(choices))"
        self.page.evaluate(write, settings)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`kibitz serve http` with a library of its own."""
    with Server(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: the face is not tested in a browser")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def cookies(server: Server, browser: Any) -> Any:
    """What the token of the server is exchanged for, once."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.url}/?token={server.token}")
    found = context.cookies()
    context.close()
    return found


@pytest.fixture
def open_view(server: Server, browser: Any, cookies: Any) -> Iterator[Callable[..., View]]:
    """Makes views of any width; those that had troubles fail the test at its end, unless it took them away."""
    made = []

    def make(width: int = 1280, height: int = 860, **options: Any) -> View:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.add_cookies(cookies)
        view = View(context.new_page(), server.url)
        made.append(view)
        return view

    yield make
    troubles = [trouble for view in made for trouble in view.troubles]
    for view in made:
        view.page.context.close()
    assert troubles == []


@pytest.fixture
def view(open_view: Callable[..., View]) -> View:
    """A page of the usual width."""
    return open_view()


def violations(page: Any, rules: list[str] | None = None, *, within: str = "html") -> list[str]:
    """What axe finds wrong with a page as it is now, or with a part of it; by some of its rules, or by all."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules is not None:
        options["runOnly"] = rules
    found = page.evaluate("([within, options]) => axe.run(document.querySelector(within), options)", [within, options])
    return [
        f"{one['id']}: {node['html'][:160]} ({node['failureSummary'][:200]})"
        for one in found["violations"]
        for node in one["nodes"]
    ]
