"""Programs that others wrote, started as processes of their own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any


def start(command: list[str], *, talking: bool, folder: Path | None = None) -> subprocess.Popen[bytes]:
    """Start a program that hears of no Ctrl-C at our terminal: that is ours to handle.

    `talking` gives it a pipe to read from and one to write to. With a folder, it lives there and has it as its home.
    """
    pipe = subprocess.PIPE if talking else subprocess.DEVNULL
    environment = None if folder is None else {**os.environ, "HOME": str(folder), "LC_ALL": "C"}
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, cwd=folder, **_apart()
    )


def _apart() -> dict[str, Any]:
    if os.name == "nt":
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    return {"start_new_session": True}
