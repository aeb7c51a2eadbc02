"""kill -9 at any moment: the library opens, what was acknowledged is there, and the work goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import kibitz
from kibitz import Library
from tests.library.samples import random_match

COMMAND = "from kibitz.cli import main; main()"
WORK = """
import sys
from pathlib import Path
from kibitz import Library
url, what, folder = sys.argv[1:4]
print("ready", flush=True)
with Library(url) as library:
    if what == "import":
        library.add_files([folder], threads=1, done=lambda one: print("done", one.path.name, flush=True))
    elif what == "review":
        library.review("fast", threads=1, progress=lambda done, total: print("done", done, flush=True))
    else:
        from kibitz.library.filters import DecisionFilter
        from kibitz.study.decks import Study
        study = Study(library)
        if not any(deck.name == "all" for deck in study.decks()):
            study.create("all", DecisionFilter(at_least=0.02), most=40)
        for card in study.cards("all"):
            if card.is_new:
                study.answer(card, card.question.rows[0].name)
                print("done", card.id, flush=True)
print("finished", flush=True)
"""


def worked(pid: int) -> float:
    """How long a process has worked: on a busy machine the clock on the wall would kill it before it has begun."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_and_kill(url: str, what: str, folder: Path, seconds: float) -> tuple[list[str], bool]:
    """Do some work and kill it after so many seconds of it; what it said was done, and whether it was finished."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORK, url, what, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    began = worked(process.pid)
    while process.poll() is None:
        if worked(process.pid) - began >= seconds:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.001)
    out, error = process.communicate()
    lines = out.splitlines()
    assert not error, error
    return [line.removeprefix("done ") for line in lines if line.startswith("done ")], "finished" in lines


def check_sound(library: Library) -> None:
    """Whatever is there is whole."""
    for info in library.matches():
        match = library.match(info.id)
        assert len(match.games) == info.games
        rolls = sum(1 for moment in match.moments() if moment.action.kind == "roll")
        assert library.count(match=info.id, kind="checker") == rolls
    if library.database.is_sqlite:
        with library.database.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


def kill_again_and_again(url: str, folder: Path, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    count = 24
    for number in range(count):
        kibitz.save(random_match(300 + number, length=1), folder / f"{number}.mat")
    acknowledged: dict[str, set[str]] = {"import": set(), "review": set(), "study": set()}
    finished: set[str] = set()
    done = 0
    for what in ("import", "review", "study"):
        share = kills // 3 + (what == "import") * (kills % 3)
        for left in range(share, -1, -1):
            seconds = chance.uniform(0.0, 1.2 if left else 300.0) if left else 300.0
            said, ended = run_and_kill(url, what, folder, seconds)
            acknowledged[what] |= set(said)
            done += not ended
            with Library(url) as library:
                check_sound(library)
                names = {name for info in library.matches() for name, _ in library.files(info.id)}
                assert acknowledged["import"] <= names, "what was said to be imported is there"
                if what == "study":
                    from kibitz.study.decks import Study

                    study = Study(library)
                    answered = {str(row["card_id"]) for deck in study.decks() for row in study.history(deck.name)}
                    assert acknowledged["study"] <= answered, "what was answered is known"
            if ended:
                finished.add(what)
    assert finished == {"import", "review", "study"}
    with Library(url) as library:
        assert len(library.matches()) == count
        assert library.review("fast", threads=1).reviewed == 0, "all was reviewed in the end"
        for info in library.matches()[:5]:
            review = library.review_of(info.id)
            assert library.statistics(match=info.id).lost == pytest.approx(
                sum(review.statistics(seat).overall.emg for seat in (0, 1)), abs=1e-9
            )


def test_a_few_kills_lose_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    kill_again_and_again(str(tmp_path / "library.db"), folder, 3, 1)


@pytest.mark.slow
def test_fifty_kills_lose_nothing(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    kill_again_and_again(url, folder, 50, 2)


@pytest.mark.skipif(sys.platform != "linux", reason="a small file system is made by mount")
def test_a_full_disk_is_told_and_leaves_the_library_whole(tmp_path: Path) -> None:
    place, folder = tmp_path / "small", tmp_path / "files"
    place.mkdir()
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no small file system can be mounted here")
    try:
        for number in range(60):
            kibitz.save(random_match(400 + number, length=1), folder / f"{number}.mat")
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, "library", "import", str(folder), "-l", str(place / "l.db")],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 2
        assert "no room left to write, and nothing was changed" in done.stderr or "cannot be read or written" in (
            done.stderr
        ), done.stderr
        assert "Traceback" not in done.stderr
        with Library(place / "l.db") as library:
            check_sound(library)
            assert 0 < len(library.matches()) < 60
    finally:
        time.sleep(0.1)
        subprocess.run(["umount", str(place)], check=False)
