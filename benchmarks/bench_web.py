"""How fast the face is: the first board, the answer to a click, and the first numbers of a hint, in a real browser.

Ends with status 1 where a figure is beyond its limit. On a machine that does other things as well, run it again: the
medians count.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.chromium import FLAGS
from tests.service.running import Server

from kibitz.web.face import static_folder

PLAY = "/position?xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
OFFLINE = {"page.js", "page.css", "review-data.js"}
"""What only the offline page has."""
LIMITS = {
    "first board, nothing cached": (1000, "ms"),
    "first board, scripts in the cache": (1000, "ms"),
    "hint, first numbers": (150, "ms"),
    "hint, 2 plies": (300, "ms"),
    "a click until it is drawn": (2 * 16.7, "ms"),
    "scripts and styles, gzipped": (150, "kB"),
}
"""What the face promises. Between a click and the next frame there is one frame, or two where the click comes late."""
HINT = """async xgid => {
  const {stream} = await import(document.querySelector('script[type=module]').src.replace('app.js', 'api.js'));
  const found = [];
  const start = performance.now();
  for await (const {event, data} of stream('/v1/hint', {position: xgid, plies: 2, top: 10})) {
    found.push([data.plays[0].plies, performance.now() - start]);
  }
  return found;
}"""
CLICK = """() => new Promise(resolve => {
  const board = document.querySelector('kb-board');
  board.undoAll();
  requestAnimationFrame(() => {
    const start = performance.now();
    board.querySelector('[data-place=p8] rect').dispatchEvent(new MouseEvent('click', {bubbles: true}));
    requestAnimationFrame(() => resolve([board.entry.steps.length, performance.now() - start]));
  });
})"""


def main() -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("there is no chromium here")
        return
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page()
        page.goto(f"{server.url}/?token={server.token}")
        cold = [_board(page, server.url, driver, chromium) for _ in range(3)]
        warm = [_first(page, server.url) for _ in range(5)]
        first, second = _hints(page)
        found = dict(zip(LIMITS, (cold, warm, first, second, _clicks(page), [_size() / 1000]), strict=True))
        browser.close()
    missed = 0
    for name, figures in found.items():
        limit, unit = LIMITS[name]
        median = statistics.median(figures)
        missed += median > limit
        print(f"{name:34} {median:8.1f} {unit}, {min(figures):.1f} to {max(figures):.1f}; at most {limit:g} allowed")
    sys.exit(1 if missed else 0)


def _board(page: Any, url: str, driver: Any, chromium: str) -> float:
    """A browser that has never been here, with the cookie of the one that has."""
    other = driver.chromium.launch(executable_path=chromium, args=FLAGS)
    context = other.new_context()
    context.add_cookies(page.context.cookies())
    found = _first(context.new_page(), url)
    other.close()
    return found


def _first(page: Any, url: str) -> float:
    started = time.perf_counter()
    page.goto(url + PLAY, wait_until="commit")
    page.wait_for_selector("circle.checker")
    return 1000 * (time.perf_counter() - started)


def _hints(page: Any) -> tuple[list[float], list[float]]:
    """Milliseconds until the first numbers and until those at 2 plies, of positions that no cache knows."""
    from kibitz import Dice, Position, State

    position, first, second = Position.start(), [], []
    for roll in ("31", "42", "65", "53", "61", "64", "21", "43", "54", "52"):
        dice = Dice.of(roll)
        found = page.evaluate(HINT, State(position, dice=dice).xgid)
        assert [plies for plies, _ in found] == [0, 1, 2], found
        first.append(found[0][1])
        second.append(found[-1][1])
        position = position.plays(dice)[0].result
    return first, second


def _clicks(page: Any) -> list[float]:
    page.wait_for_selector(".entry-bar")
    found = [page.evaluate(CLICK) for _ in range(20)]
    assert all(steps == 1 for steps, _ in found)
    return [ms for _, ms in found]


def _size() -> int:
    import gzip

    files = [path for path in static_folder().rglob("*") if path.suffix in (".js", ".css") and path.name not in OFFLINE]
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)


if __name__ == "__main__":
    main()
