"""The pictures of docs/web.md: `python -m tests.web.pictures` takes them anew, with the sample match in the library."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.chromium import FLAGS
from tests.service.running import Server

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
PLAY = "/position?xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
CUBE = "/position?xgid=--b-BBC-C---dC---c-e--a-B-:0:0:1:00:2:3:0:7:10"
WIDE, PHONE = (1280, 900), (390, 844)


def settled(page: Any) -> None:
    """Wait until nothing is being fetched or looked for any more."""
    page.wait_for_timeout(400)  # a stream of jobs stays open, so the network is never idle
    page.locator("main .busy").first.wait_for(state="detached")


def shots() -> Iterator[tuple[str, str, tuple[int, int], str, Callable[[Any], None] | None]]:
    """Name, address, size, theme, and what is done before the picture is taken."""

    def tab(name: str, sign: str) -> Callable[[Any], None]:
        def act(page: Any) -> None:
            page.get_by_role("tab", name=name).click()
            page.wait_for_selector(sign)
            settled(page)

        return act

    def edit(page: Any) -> None:
        page.keyboard.press("e")
        page.wait_for_selector("kb-setup")

    yield "position", PLAY, WIDE, "light", None
    yield "cube", CUBE, WIDE, "dark", tab("Rolls", ".rolls")
    yield "what-if", CUBE, (1280, 1360), "light", tab("What if", ".matrix")
    yield "edit", PLAY, (1280, 1080), "light", edit
    yield "position-phone", PLAY, PHONE, "dark", None
    yield "open", "/", WIDE, "light", None
    yield "match", "/match/1", WIDE, "light", None
    yield "match-phone", "/match/1", PHONE, "light", None
    yield "play", "/play", WIDE, "light", None
    yield "library", "/library", WIDE, "light", None
    yield "study", "/study", WIDE, "dark", None
    yield "jobs", "/jobs", WIDE, "light", None
    yield "settings", "/settings", WIDE, "light", None


@contextmanager
def face() -> Iterator[tuple[Any, Server]]:
    """A page that has come in, on a server whose library holds the reviewed sample match."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, server.client() as client:
        sample = (ROOT / "examples" / "sample.mat").read_bytes()
        octets = {"content-type": "application/octet-stream"}
        number = client.post("/v1/matches?name=sample.mat", content=sample, headers=octets).json()["match"]["id"]
        job = client.post(f"/v1/matches/{number}/reviews", json={"level": "fast"}).headers["location"]
        while client.get(job).json()["state"] not in ("done", "failed", "cancelled"):
            time.sleep(0.2)
        with sync_playwright() as driver:
            chromium = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page()
            page.goto(f"{server.url}/?token={server.token}")
            yield page, server
            browser.close()


def main() -> None:
    """Take them all."""
    FOLDER.mkdir(exist_ok=True)
    with face() as (page, server):
        for name, path, (width, height), theme, act in shots():
            page.set_viewport_size({"width": width, "height": height})
            choose = "theme => localStorage.setItem('kibitz.settings', JSON.stringify({theme}))"
            page.evaluate(choose, theme)
            page.goto(server.url + path)
            page.wait_for_selector("main h1", state="attached")
            settled(page)
            if act is not None:
                act(page)
            page.screenshot(path=FOLDER / f"{name}.png")
            print(f"docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
