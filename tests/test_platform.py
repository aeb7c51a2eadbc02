"""It runs elsewhere too: nothing in the package that only Linux knows, and one place that counts cores."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from kibitz.cores import usable_cores

SOURCE = Path(__file__).resolve().parents[1] / "src" / "kibitz"
FORBIDDEN = (
    r"sched_getaffinity|sched_setaffinity",
    r"SIGHUP|SIGUSR|SIGKILL|SIGSTOP|SIGALRM|SIGCHLD|SIGPIPE|SIGQUIT|signal\.alarm|setitimer",
    r"[\"\']/(proc|tmp|dev|var|home|root|etc|work)\b",
    r"os\.(fork|forkpty|uname|getuid|geteuid|getpgid|killpg|setsid|mkfifo|wait\b|nice|getloadavg)",
    r"^\s*(import|from)\s+(fcntl|resource|pwd|grp|termios|tty|pty|curses|readline|posix|syslog)\b",
    r"AF_UNIX|SO_REUSEPORT|epoll|inotify",
    r"get_context\([\"\'](fork|forkserver)",
    r"preexec_fn|os\.O_CLOEXEC",
)
GUARDED = {
    ("cores.py", "sched_getaffinity"),  # asked for, and done without where it is absent
    ("service/metrics.py", '"/proc'),  # memory is told as 0 where the system has no such file
}
COUNTING = {"cores.py"}


def lines() -> list[tuple[str, int, str]]:
    return [
        (path.relative_to(SOURCE).as_posix(), number, line)
        for path in sorted(SOURCE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    ]


@pytest.mark.parametrize("pattern", FORBIDDEN)
def test_nothing_in_the_package_is_known_to_linux_alone(pattern: str) -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, number, line in lines()
        if (hit := re.search(pattern, line)) and (name, hit.group()) not in GUARDED
    ]
    assert found == []


def test_cores_are_counted_in_one_place() -> None:
    assert {name for name, _, line in lines() if re.search(r"cpu_count", line)} == COUNTING


def test_the_search_would_find_such_lines() -> None:
    bad = ["len(os.sched_getaffinity(0))", "signal.SIGHUP", 'open("/proc/cpuinfo")', "os.fork()", "import fcntl"]
    bad += ["socket.AF_UNIX", 'get_context("fork")', "preexec_fn=os.setsid"]
    for line in bad:
        assert any(re.search(pattern, line) for pattern in FORBIDDEN), line
    for line in ["signal.SIGINT", "import resources", 'Path("tmp")', "start_new_session"]:
        assert not any(re.search(pattern, line) for pattern in FORBIDDEN), line


def test_usable_cores_with_and_without_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert usable_cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert usable_cores() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1
