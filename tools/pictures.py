"""The pictures of the docs, made by commands of ours: `python -m tools.pictures` writes docs/pictures anew.

Boards are drawn by `kibitz show --svg`; screens are taken by playwright from pages that Kibitz made, where chromium is
installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.pages import DOCS, ROOT, run_command

PICTURES = DOCS / "pictures"
BOARDS = {
    "opening-31.svg": 'kibitz show 4HPwATDgc/ABMA --play "8/5 6/5"',
    "race.svg": "kibitz show 2r0PAAC1ew8AAA",
}
"""The boards, and the commands that draw them."""
POSITION = "/position?xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
SCREEN = {"width": 1280, "height": 800}


def draw_boards(folder: Path) -> None:
    """Draw every board into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in BOARDS.items():
        run_command(f"{command} --svg {folder / name}")


@contextmanager
def face(folder: Path) -> Iterator[str]:
    """The address of a face with an empty library of its own, as it is printed."""
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


def take_screens(chromium: str) -> None:
    """Take pictures of the review's page and of the face."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        run_command(f"kibitz analyze {ROOT}/examples/sample.mat --level fast --no-cache -o {folder}/report.html")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SCREEN)  # type: ignore[arg-type]
        page.goto(f"file://{folder}/report.html")
        page.screenshot(path=PICTURES / "report.png")
        with face(folder) as address:
            page.goto(address)  # brings the cookie
            page.goto(address.split("/", 3)[0] + "//" + address.split("/", 3)[2] + POSITION)
            page.get_by_text("8/5 6/5").first.wait_for()
            page.screenshot(path=PICTURES / "web.png")
        browser.close()


def main() -> None:
    """Make all of them."""
    draw_boards(PICTURES)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("chromium is not installed: the screens stay as they are")
        return
    take_screens(chromium)


if __name__ == "__main__":
    main()
