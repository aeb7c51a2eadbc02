"""A real server, a real browser, and a page that has come in by the token; skipped where there is no browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from tests.service.running import Server

TIMEOUT = 15_000
"""Milliseconds that a page has for anything."""


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
