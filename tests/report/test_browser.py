"""The page in a real browser: no script error, filters that filter, a curve that shows, nothing wider than a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.analysis.marks import Mark
from kibitz.report.html import is_shown, page
from tests.analysis.samples import short_review
from tests.report.test_html import evil_review

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def opened(browser: Any, path: Path, text: str, width: int = 1200) -> tuple[Any, list[str]]:
    """A page of this width, and the list into which errors and outside requests go."""
    path.write_text(text, encoding="utf-8")
    troubles: list[str] = []
    view = browser.new_page(viewport={"width": width, "height": 900})
    view.on("pageerror", lambda error: troubles.append(str(error)))
    view.on("console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None)
    view.on("request", lambda request: troubles.append(request.url) if not request.url.startswith("file:") else None)
    view.on("dialog", lambda dialog: troubles.append(dialog.message))
    view.goto(path.as_uri())
    return view, troubles


def test_filters_curve_and_links(browser: Any, tmp_path: Path) -> None:
    found = short_review()
    view, troubles = opened(browser, tmp_path / "report.html", page(found))
    shown = view.locator(".decision:visible")
    marked = [decision for decision in found.decisions if decision.mark is not Mark.NONE]
    assert shown.count() == len(marked)
    view.select_option("select[name=player]", "1")
    assert shown.count() == sum(decision.player == 1 for decision in marked)
    view.select_option("select[name=size]", "0.02")
    assert shown.count() == len([decision for decision in found.errors("Ben") if is_shown(decision)])
    view.select_option("select[name=size]", "0.08")
    assert shown.count() == sum(decision.player == 1 and decision.is_blunder for decision in marked)
    view.select_option("select[name=player]", "")
    view.select_option("select[name=size]", "-1")
    everything = shown.count()
    assert everything == view.locator(".decision").count() > len(marked)
    view.select_option("select[name=kind]", "cube")
    cubes = shown.count()
    view.select_option("select[name=kind]", "checker")
    assert cubes + shown.count() == everything
    view.select_option("select[name=kind]", "")
    view.select_option("select[name=game]", "2")
    assert view.locator(".game:visible").count() == 1
    view.select_option("select[name=game]", "")
    assert "of" in view.locator(".count").inner_text()
    box = view.locator(".curve").first.bounding_box()
    assert box["width"] > 300
    assert box["height"] > 100
    assert view.locator(".curve .line").first.bounding_box()["width"] > 200
    # A mark on the curve leads to its decision, also when the filter hides it.
    view.select_option("select[name=size]", "0.16")
    link = view.locator(".curve a").first
    target = link.get_attribute("href")
    link.click()
    view.wait_for_function("id => document.querySelector(id).offsetParent !== null", arg=target)
    assert view.locator(target).is_visible()
    assert troubles == []
    view.close()


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_wider_than_a_phone(browser: Any, tmp_path: Path, width: int) -> None:
    view, troubles = opened(browser, tmp_path / "phone.html", page(short_review()), width)
    view.select_option("select[name=size]", "-1")
    view.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    wide = view.evaluate(
        "width => [...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > width + 1"
        " && !one.closest('.scroll') && !one.closest('svg')).map(one => one.outerHTML.slice(0, 120))",
        width,
    )
    assert wide == []
    assert troubles == []
    view.close()


def test_names_run_no_script(browser: Any, tmp_path: Path) -> None:
    view, troubles = opened(browser, tmp_path / "evil.html", page(evil_review()), 390)
    assert troubles == []
    assert view.evaluate("document.documentElement.scrollWidth") <= 390
    view.close()


def test_the_page_prints(browser: Any, tmp_path: Path) -> None:
    view, troubles = opened(browser, tmp_path / "print.html", page(short_review()))
    view.emulate_media(media="print")
    assert view.locator(".filters").is_hidden()
    assert len(view.pdf()) > 10_000
    assert troubles == []
    view.close()
