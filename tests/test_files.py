"""Files are written whole or not at all, each kind of them, also where there is no room."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import kibitz
from kibitz import FormatError, KibitzError
from kibitz.files import append_line, write_file, writing

EXAMPLE = Path(__file__).parents[1] / "examples" / "sample.mat"
ROOM = 300
"""Bytes that a file may have where there is no room for more."""


@contextmanager
def little_room() -> Iterator[None]:
    """No file grows beyond a few bytes: a write stops midway, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


# --- the helper -------------------------------------------------------------------------------------------------------


def test_a_file_keeps_its_permissions_and_a_link_its_target(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, "new é\r\n")
    assert link.is_symlink() and target.read_bytes() == "new é\r\n".encode()
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "target"]


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_file(tmp_path / "new", "x")
    finally:
        os.umask(mask)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    read, write = os.pipe()
    write_file(f"/dev/fd/{write}", "through a pipe")
    os.close(write)
    with os.fdopen(read) as file:
        assert file.read() == "through a pipe"
    with pytest.raises(FormatError, match=r"^cannot write /dev/full: No space left on device$"):
        write_file("/dev/full", "x")
    with pytest.raises(FormatError, match=r"Is a directory"):
        write_file(tmp_path, "x")


def test_a_block_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error), writing(path) as file:
            file.write(b"half")
            raise error
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_long_name_and_a_missing_folder(tmp_path: Path) -> None:
    write_file(tmp_path / ("n" * 255), "x")
    with pytest.raises(FormatError, match="No such file or directory"):
        write_file(tmp_path / "missing" / "file", "x")


def test_a_log_grows_by_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "log"
    append_line(log, "first")
    with little_room(), pytest.raises(FormatError, match="File too large"):
        append_line(log, "x" * 2 * ROOM)
    append_line(log, "second")
    assert log.read_text() == "first\nsecond\n"


# --- every kind of file -----------------------------------------------------------------------------------------------


def match_file(suffix: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        kibitz.save(kibitz.load(EXAMPLE), path.with_suffix(suffix))

    return write


def report_file(path: Path) -> None:
    kibitz.review(EXAMPLE, level="fast", cache=False).save(path)


def rollout_file(path: Path) -> None:
    engine = kibitz.Engine(plies=0, threads=1)
    engine.rollout(kibitz.Position.start(), "31", trials=1, top=1).save(path)


def played_match(path: Path) -> None:
    from kibitz.play.live_match import LiveMatch
    from kibitz.record import Match

    LiveMatch(Match(("Ada" * 100, "Ben" * 100), 5), path=path, seed=1)


def picture(path: Path) -> None:
    from kibitz.cli.show import show

    show("4HPwATDgc/ABMA", svg=path)


def bearoff_lines(path: Path) -> None:
    from kibitz.cli.bearoff import export

    export(checkers=3, output=path)


def net_file(path: Path) -> None:
    from kibitz.engine.networks import SHIPPED, NetworkFolder

    NetworkFolder.load(SHIPPED).files["prefilter"].save(path.parent)


def race_checkpoint(path: Path) -> None:
    from kibitz.train.race import RaceCourse, RaceSettings

    course = RaceCourse(RaceSettings(rounds=1, rows=64, steps=1, batch=8), 1)
    course.step()
    course.checkpoint(path)


def cards(path: Path) -> None:
    from kibitz.study.export import save

    save(path, "a deck", [], lambda _: "")


def games_of_a_duel(path: Path) -> None:
    from kibitz.arena.export import export_mat
    from kibitz.arena.rules import ArenaRules
    from kibitz.arena.runner import Duel, run_duel
    from kibitz.arena.specs import PlayerSpec

    both = PlayerSpec.parse("random"), PlayerSpec.parse("random")
    result = run_duel(Duel(*both, ArenaRules(cube=False), sessions=2, processes=1, record=True))
    export_mat(result.log, path.parent)


KINDS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a match as .mat": ("match.mat", match_file(".mat")),
    "a match as .sgf": ("match.sgf", match_file(".sgf")),
    "a match as .json": ("match.json", match_file(".json")),
    "a report as .html": ("report.html", report_file),
    "a report as .csv": ("report.csv", report_file),
    "a report as .json": ("report.json", report_file),
    "a report as .sgf": ("report.sgf", report_file),
    "a rollout": ("rollout.json", rollout_file),
    "a match in play": ("play.mat", played_match),
    "a picture": ("board.svg", picture),
    "lines of the bearoff database": ("lines.txt", bearoff_lines),
    "a net": ("", net_file),
    "a checkpoint of a training run": ("race.npz", race_checkpoint),
    "cards for Anki": ("cards.apkg", cards),
    "games of a duel": ("pairs-000000-000000.mat", games_of_a_duel),
}


@pytest.mark.parametrize("kind", KINDS)
def test_without_room_the_old_file_stays(kind: str, tmp_path: Path) -> None:
    name, write = KINDS[kind]
    path = tmp_path / (name or "none")
    if name:
        path.write_text("what was there before")
    with little_room(), pytest.raises(KibitzError, match="cannot write") as failed:
        write(path)
    assert "\n" not in str(failed.value)
    assert not name or path.read_text() == "what was there before"
    assert [other.name for other in tmp_path.iterdir()] == ([name] if name else [])
    write(path)
    assert sum(other.stat().st_size for other in tmp_path.iterdir()) > ROOM


def test_a_duel_on_a_full_disk_ends_in_a_line_and_goes_on_later(tmp_path: Path) -> None:
    from kibitz.arena.log import read_log
    from kibitz.arena.rules import ArenaRules
    from kibitz.arena.runner import Duel, run_duel
    from kibitz.arena.specs import PlayerSpec

    duel = Duel(*(PlayerSpec.parse("random"),) * 2, ArenaRules(cube=False), sessions=8, processes=1, luck=False)
    log = tmp_path / "duel.jsonl"
    run_duel(Duel(*(duel.first, duel.second), duel.rules, sessions=2, processes=1, luck=False), log=log)
    before = read_log(log).pairs
    with little_room(), pytest.raises(FormatError, match="cannot write"):
        run_duel(duel, log=log)
    assert read_log(log).pairs == before
    assert run_duel(duel, log=log).score == run_duel(duel).score


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with a few free kilobytes, where the system lets us have one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    made = (
        mount
        and not subprocess.run([mount, "-t", "tmpfs", "-o", "size=64k", "none", folder], capture_output=True).returncode
    )
    if not made:
        pytest.skip("a disk of our own cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def test_commands_on_a_full_disk(full_disk: Path) -> None:
    """One line, status 2, and what was there is there."""
    commands = {
        "a.sgf": ["convert", str(EXAMPLE), "a.sgf"],
        "b.html": ["analyze", str(EXAMPLE), "--level", "fast", "-o", "b.html"],
        "c.json": ["rollout", "4HPwATDgc/ABMA", "31", "--trials", "36", "--save", "c.json"],
        "d.mat": ["play", "--save", "d.mat", "--seed", "1", "--level", "beginner"],
    }
    old = set(commands) - {"c.json"}  # a rollout goes on with what it finds
    for name in old:
        (full_disk / name).write_text("old")
    with (full_disk / "filler").open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        while True:
            file.write(bytes(512))
    environment = os.environ | {"KIBITZ_CACHE": str(full_disk / "cache")}
    for name, command in commands.items():
        run = [sys.executable, "-c", "from kibitz.cli import main; main()", *command]
        done = subprocess.run(run, cwd=full_disk, env=environment, input=b"", capture_output=True, timeout=60)
        assert done.returncode == 2, (name, done.stderr)
        assert done.stderr.splitlines()[-1].endswith(b"No space left on device"), (name, done.stderr)
        assert b"Traceback" not in done.stderr
        assert (full_disk / name).read_text() == "old" if name in old else not (full_disk / name).exists()
        assert not list(full_disk.glob(".kibitz*"))
