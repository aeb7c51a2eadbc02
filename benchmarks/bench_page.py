"""The offline page of several matches: how large it is, how long it takes to make, and how soon a browser shows it.

    python benchmarks/bench_page.py FILE...

Without files, the sample of the repository is taken six times. Needs Playwright and a chromium.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import kibitz
from kibitz.analysis.review import MatchReview
from kibitz.report.html import page

SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "sample.mat"
ROUNDS = 5
LIMIT = 1.0
"""Seconds after which the page has to be there."""


def reviews(paths: list[Path]) -> list[MatchReview]:
    """The reviews of all files; those that were made before are not made again."""
    return [kibitz.review(path, level="fast", cache=True) for path in paths]


def shown(browser: Any, path: Path) -> tuple[float, float, float]:
    """Seconds until the page is there, of its thread's work for that, and from a click to a match with its board."""
    view = browser.new_page(viewport={"width": 1280, "height": 860})
    metrics = view.context.new_cdp_session(view)
    metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
    begun = time.perf_counter()
    view.goto(path.as_uri(), wait_until="load")
    view.wait_for_selector(".page-index:visible, kb-board svg")
    loaded = time.perf_counter() - begun
    busy = {one["name"]: one["value"] for one in metrics.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
    opened = 0.0
    if view.locator(".page-index:visible").count():
        begun = time.perf_counter()
        view.locator(".page-index a").first.click()
        view.wait_for_selector("kb-board svg")
        opened = time.perf_counter() - begun
    assert view.locator(".move").count() > 10
    view.close()
    return loaded, busy, opened


def main() -> None:
    """Make the page, measure it, print the figures."""
    from playwright.sync_api import sync_playwright

    paths = [Path(name) for name in sys.argv[1:]] or [SAMPLE] * 6
    found = reviews(paths)
    page(found[:1])  # scripts and styles are put together once
    begun = time.process_time()
    text = page(found)
    made = time.process_time() - begun
    decisions = sum(len(one.decisions) for one in found)
    assert decisions > 100
    print(f"{len(found)} matches, {decisions} decisions")
    print(f"page: {len(text.encode()) / 1e6:.2f} MB, made in {made:.2f} s of one core")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "page.html"
        path.write_text(text, encoding="utf-8")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        times = [shown(browser, path) for _ in range(ROUNDS)]
        browser.close()
    loads, works, opens = zip(*times, strict=True)
    print(f"shown in {statistics.median(loads):.2f} s (best {min(loads):.2f}), median of {ROUNDS};", end=" ")
    print(f"{statistics.median(works):.2f} s of it the browser's own work")
    if any(opens):
        print(f"a match of it in {statistics.median(opens):.2f} s (best {min(opens):.2f})")
    if statistics.median(loads) > LIMIT:
        raise SystemExit(f"the page is shown later than after {LIMIT:g} s")


if __name__ == "__main__":
    main()
