"""The pictures of the docs, made by commands of ours: `python -m tools.pictures` writes docs/pictures anew.

Boards are drawn by `kibitz show --svg`; screens are taken by playwright from pages that Kibitz made, where chromium is
installed. With names, only those screens are taken: `python -m tools.pictures match search`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.pages import DOCS, ROOT, run_command

PICTURES = DOCS / "pictures"
SAMPLE = ROOT / "examples" / "sample.mat"
BOARDS = {
    "opening-31.svg": 'kibitz show 4HPwATDgc/ABMA --play "8/5 6/5"',
    "race.svg": "kibitz show 2r0PAAC1ew8AAA",
}
"""The boards, and the commands that draw them."""
PLAY = "/position?xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
CUBE = "/position?xgid=--b-BBC-C---dC---c-e--a-B-:0:0:1:00:2:3:0:7:10"
PHONE = (390, 844)


@dataclass(frozen=True, slots=True)
class Screen:
    """A picture of the face: where it is taken, what has to be there, and what is done before."""

    path: str
    there: str = "main h1"
    act: Callable[[Any], None] | None = None
    size: tuple[int, int] = (1280, 860)
    theme: str = "light"


def press(*keys: str) -> Callable[[Any], None]:
    """Keys that are pressed, as a person would."""

    def act(page: Any) -> None:
        for key in keys:
            page.keyboard.press(key)

    return act


def tab(name: str, sign: str) -> Callable[[Any], None]:
    """A tab that is opened; what shows that its content is there."""

    def act(page: Any) -> None:
        page.get_by_role("tab", name=name).click()
        page.wait_for_selector(sign)

    return act


def begin_match(page: Any) -> None:
    """The table of a match that has just begun, with the hint of its first roll."""
    begin = """async () => {
      const body = {opponent: "expert", length: 5, seed: 8, seat: 1};
      const headers = {"content-type": "application/json"};
      const answer = await fetch("/v1/play", {method: "POST", headers, body: JSON.stringify(body)});
      return (await answer.json()).id;
    }"""
    page.goto(f"{page.url}/{page.evaluate(begin)}")
    page.wait_for_selector('.table-screen[aria-busy="false"]')
    while page.get_by_role("button", name="Roll").count():
        page.keyboard.press("r")
        page.wait_for_selector('.table-screen[aria-busy="false"]')
    page.keyboard.press("h")
    page.wait_for_selector("text=Hint >> nth=1")


def look_for_points(page: Any) -> None:
    """A search for positions with three points of the home board."""
    for point in (6, 5, 4):
        page.locator(f"[data-place=p{point}]").click(position={"x": 20, "y": 175})
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector("kb-decision-list tbody tr")


SCREENS = {
    "web": Screen(PLAY, ".why-words", size=(1280, 800)),
    "position": Screen(PLAY, ".why-words", size=(1280, 900)),
    "cube": Screen(CUBE, ".why-words", tab("Rolls", ".rolls"), (1280, 900), "dark"),
    "what-if": Screen(CUBE, ".why-words", tab("What if", ".matrix"), (1280, 1360)),
    "edit": Screen(PLAY, ".why-words", press("e"), (1280, 1080)),
    "position-phone": Screen(PLAY, ".why-words", None, PHONE, "dark"),
    "open": Screen("/", "#open-text"),
    "match": Screen("/match/1", ".card-pr", press("n"), (1280, 900)),
    "match-phone": Screen("/match/1", ".card-pr", press("n"), PHONE),
    "retry": Screen("/match/1", ".card-pr", press("r"), (1280, 900), "contrast"),
    "play": Screen("/play", ".opponent"),
    "table": Screen("/play", ".opponent", begin_match),
    "library": Screen("/library", "section[aria-label=Matches] tbody tr"),
    "statistics": Screen("/library/statistics", ".figure", None, (1280, 1000)),
    "search": Screen("/library/search", "kb-board svg", look_for_points, (1280, 1360)),
    "study": Screen("/study", ".deck", None, (1280, 500)),
    "card": Screen("/study/1", "kb-board svg", None, (1280, 860), "dark"),
    "jobs": Screen("/jobs", "tbody tr", None, (1280, 400)),
    "settings": Screen("/settings", "kb-board svg", None, (1280, 1000)),
}


def draw_boards(folder: Path) -> None:
    """Draw every board into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in BOARDS.items():
        run_command(f"{command} --svg {folder / name}")


@contextmanager
def face(folder: Path) -> Iterator[str]:
    """The address of a face whose library has the sample match and a deck of its errors, as it is printed."""
    from kibitz import Library, load
    from kibitz.library.filters import DecisionFilter
    from kibitz.study.decks import Study

    with Library(folder / "library.db") as library:
        library.add(load(SAMPLE))
        library.players.set_me("Ada")
        library.review("fast", threads=1)
        Study(library).create("My errors", DecisionFilter(player="me", at_least=0.02))
    line = [sys.executable, "-c", "from kibitz.cli import main; main()", "web", "--no-browser", "--port", "0"]
    line += ["--library", str(folder / "library.db")]
    settings = {**os.environ, "KIBITZ_CACHE": str(folder / "cache"), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(line, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            for said in process.stdout:
                if found := re.search(r"http://\S+", said):
                    yield found[0]
                    return
            raise SystemExit("kibitz web did not say where it listens")
        finally:
            process.terminate()


def take_screens(browser: Any, folder: Path, names: list[str]) -> None:
    """Take pictures of the face."""
    choose = "theme => localStorage.setItem('kibitz.settings', JSON.stringify({theme, speed: 0}))"
    with face(folder) as address:
        page = browser.new_page(reduced_motion="reduce")
        page.goto(address)  # brings the cookie
        url = "/".join(address.split("/", 3)[:3])
        started = (
            "fetch('/v1/matches/1/reviews', {method: 'POST', headers: {'content-type': 'application/json'}, body: "
        )
        page.evaluate(started + """JSON.stringify({level: "fast"})})""")  # a job to show
        for name in names:
            screen = SCREENS[name]
            width, height = screen.size
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(choose, screen.theme)
            page.goto(url + screen.path)
            page.wait_for_selector(screen.there, state="attached")
            settled(page)
            if screen.act is not None:
                screen.act(page)
                settled(page)
            page.screenshot(path=PICTURES / f"{name}.png")
            print(f"docs/pictures/{name}.png")


def settled(page: Any) -> None:
    """Wait until nothing is being fetched or looked for any more."""
    page.wait_for_timeout(400)  # a stream of jobs stays open, so the network is never idle
    page.locator("main .busy").first.wait_for(state="detached", timeout=60_000)


def take_report(browser: Any, folder: Path) -> None:
    """Take a picture of the review's page."""
    run_command(f"kibitz analyze {SAMPLE} --level fast --no-cache -o {folder}/report.html")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"file://{folder}/report.html")
    page.screenshot(path=PICTURES / "report.png")


def main(names: list[str]) -> None:
    """Make all of them, or those that are named."""
    draw_boards(PICTURES)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("chromium is not installed: the screens stay as they are")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        take_screens(browser, Path(name), names or list(SCREENS))
        if not names:
            take_report(browser, Path(name))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
