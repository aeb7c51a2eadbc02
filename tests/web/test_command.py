"""`kibitz web`: it serves, tells where, opens the browser, and ends when it is told to."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx

COMMAND = [sys.executable, "-c", "from kibitz.cli import main; main()", "web"]


def test_it_opens_the_browser_and_serves_until_it_is_stopped(tmp_path: Path) -> None:
    seen = tmp_path / "opened"
    browser = tmp_path / "browser.py"
    browser.write_text(f"import sys; open({str(seen)!r}, 'w').write(sys.argv[-1])")
    os.mkfifo(seen)  # reading it waits until the browser has been opened
    environment = {**os.environ, "BROWSER": f"{sys.executable} {browser} %s"}
    process = subprocess.Popen(
        [*COMMAND, "--library", str(tmp_path / "library.db")], stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        address = seen.read_text()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]+", address)
        with httpx.Client(headers={"accept": "text/html"}, follow_redirects=True) as client:
            page = client.get(address)
            assert page.status_code == 200 and "<kb-app>" in page.text
            assert client.get(address).status_code == 401  # a token counts once
            assert client.get(str(page.url)).status_code == 200  # the cookie stays
    finally:
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 0
    assert address in told and "Ctrl-C ends it" in told
    assert (tmp_path / "library.db").exists()


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        options = ["--no-browser", "--port", port, "--library", str(tmp_path / "library.db")]
        done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith(f"kibitz: cannot listen on 127.0.0.1:{port}")
    assert done.stderr.count("\n") == 1
