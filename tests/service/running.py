"""A real server process for the tests, spoken to over a socket."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import httpx

KEY = "the-key-of-the-tests"
START = "4HPwATDgc/ABMA"
TURN = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"


class Server:
    """`kibitz serve http` on a free port. What it writes is kept, and read for its address."""

    def __init__(
        self, folder: Path, *options: str, key: str | None = KEY, program: str = sys.executable, **environment: str
    ) -> None:
        self.library = folder / "library.db"
        where = ["--port", "0", "--library", str(self.library)]
        command = [program, "-c", "from kibitz.cli import main; main()", "serve", "http", *where]
        env = {**os.environ, "KIBITZ_CACHE": str(folder / "cache"), **environment, "KIBITZ_LIBRARY": str(self.library)}
        env.pop("KIBITZ_KEY", None)
        if key is not None:
            env["KIBITZ_KEY"] = key
        self.key = key
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [*command, *options],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env=env,
            cwd=folder if program != sys.executable else None,
        )
        self._there = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._there.wait(180), "".join(self.lines)
        found = re.search(r"http://127\.0\.0\.1:(\d+)", "".join(self.lines))
        assert found is not None, "".join(self.lines)
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._wait()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            if "Ctrl-C" in line:
                self._there.set()
        self._there.set()

    def _wait(self) -> None:
        for _ in range(2400):
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                assert self.process.poll() is None, "".join(self.lines)
            time.sleep(0.05)
        raise AssertionError("the server did not answer")

    @property
    def log(self) -> str:
        """All that it has written so far."""
        return "".join(self.lines)

    @property
    def token(self) -> str:
        """The token of the address to open."""
        found = re.search(r"token=(\S+)", self.log)
        assert found is not None
        return found[1]

    def client(self, key: str | None = None, **options: Any) -> httpx.Client:
        """A client with the key."""
        given = key or self.key
        headers = {"authorization": f"Bearer {given}"} if given else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, **options)

    def stop(self) -> int:
        """End it as an operator would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(120)
        self._reader.join(5)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code

    def kill(self) -> None:
        """End it at once, as nobody should."""
        self.process.kill()
        self.process.wait(120)
        self._reader.join(5)
        assert self.process.stderr is not None
        self.process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something holds, but not for ever."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come about"
        time.sleep(0.02)


def events(response: httpx.Response) -> list[tuple[str, str, str]]:
    """Name, id and data of every event of a stream."""
    found = []
    for block in response.read().decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if fields:
            found.append((fields["event"], fields.get("id", ""), fields["data"]))
    return found
