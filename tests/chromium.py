"""The one browser of all tests: chromium, or Chrome where that is not, driven by Playwright for Python."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
THEMES = ("light", "dark", "contrast")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
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


@contextmanager
def launched() -> Iterator[Any]:
    """A browser; the test is skipped where there is none, or nothing to drive it with."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: nothing is tested in a browser")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


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


def violations_in_every_theme(page: Any, *, within: str = "html") -> list[str]:
    """By every rule in the theme that is shown; by contrast, which is what a theme changes, in the others."""
    page.emulate_media(reduced_motion="reduce")  # colours change at once
    found = violations(page, within=within)
    shown = page.get_attribute("html", "data-theme")
    for theme in (*THEMES, shown):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        if theme != shown:
            found += [f"{theme}: {one}" for one in violations(page, ["color-contrast"], within=within)]
    return found
