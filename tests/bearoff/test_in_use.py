"""Bearoff tables on disk answer for the engine, the cube, races and rollouts where those in memory do not reach."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from kibitz import MatchState, Position, State, TableError
from kibitz.bearoff import OneSided, TwoSided, race, tables_in_use, use_tables
from kibitz.bearoff.tables import TableName, build
from kibitz.cli import app
from kibitz.cube import Cube, Owner
from kibitz.engine.engine import Engine

TWO, ONE = TableName.of("two-sided-6x7"), TableName.of("one-sided-7x15")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both files."""
    folder = tmp_path_factory.mktemp("larger") / "tables"
    for name in (TWO, ONE):
        build(name, path=folder / f"{name}.kbt")
    return folder


@pytest.fixture(autouse=True)
def back_to_memory() -> Iterator[None]:
    yield
    use_tables(())


def both_at_home(count: int, seed: int) -> list[Position]:
    """Seven checkers against one to seven, all at home."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        rows = []
        for checkers in (7, chance.randint(1, 7)):
            row = [0] * 25
            for _ in range(checkers):
                row[chance.randrange(6)] += 1
            rows.append(row)
        found.append(Position(*rows))
    return found


def test_two_sided_files_answer_as_the_table_does(files: Path) -> None:
    positions = both_at_home(300, 1)
    boards = np.stack([position.board for position in positions])
    before = Engine(plies=0, threads=1).evaluate_batch(boards)
    assert use_tables([files / f"{TWO}.kbt"]).names == (str(TWO),)
    table, engine = TwoSided(6, 7, path=files / f"{TWO}.kbt"), Engine(plies=0, threads=1)
    values = table.look_up(boards)
    found = engine.evaluate_batch(boards)
    assert np.abs(found[:, 0] - values[:, 0]).max() < 1e-6
    assert 1e-5 < np.abs(before[:, 0] - values[:, 0]).max() < 0.02  # two distributions are nearly as good
    for position in positions[:60]:
        for owner in Owner:
            expected = table.cube(position, owner)
            match = MatchState(cube=Cube(1 if owner is Owner.CENTRED else 2, owner), jacoby=False)
            decision = engine.cube(State(position, match))
            assert decision.no_double == pytest.approx(expected.no_double, abs=1e-6)
            if expected.available:
                assert decision.double_take == pytest.approx(expected.double_take, abs=1e-6)
            judged = race(position, owner=owner)
            assert judged.source == "exact" and judged.cube == expected
    use_tables(())
    assert (Engine(plies=0, threads=1).evaluate_batch(boards) == before).all()


def test_one_sided_files_answer_beyond_the_home_board(files: Path) -> None:
    position = Position.of({7: 3, 5: 4}, {7: 1, 6: 5, 1: 2})
    by_net = Engine(plies=0, threads=1).evaluate(position)
    use_tables([files / f"{ONE}.kbt"])
    table = OneSided(7, 15, path=files / f"{ONE}.kbt")
    exact = float(table.win(position.board[None])[0])
    assert Engine(plies=0, threads=1).evaluate(position).win == pytest.approx(exact, abs=1e-6)
    assert by_net.win == pytest.approx(exact, abs=0.02) and by_net.win != pytest.approx(exact, abs=1e-7)
    assert race(position).win == pytest.approx(exact, abs=1e-9)


def test_rollouts_end_in_the_files_and_say_so(files: Path) -> None:
    position = both_at_home(1, 3)[0]
    use_tables([files / f"{TWO}.kbt"])
    state = State(position, MatchState(jacoby=False))
    rolled = Engine(threads=1).rollout(state, cube=False, trials=36)
    exact = TwoSided(6, 7, path=files / f"{TWO}.kbt").evaluate(position).centred
    assert rolled.results[0].equity == pytest.approx(exact, abs=1e-6)  # the table answers before the first roll
    (named,) = rolled.job.identity()["tables"]
    assert named.startswith(f"{TWO} ")
    use_tables(())
    with pytest.raises(Exception, match=r"made with two-sided-6x7 .*, but here there are no tables on disk"):
        rolled.extend(72)


def test_the_largest_files_of_the_cache_directory_are_used(files: Path, cache: Path) -> None:
    assert use_tables() == type(tables_in_use())()
    shutil.copytree(files, cache)
    build("two-sided-6x2", path=cache / "two-sided-6x2.kbt")
    assert sorted(use_tables().names) == [str(ONE), str(TWO)]
    position = both_at_home(1, 4)[0]
    answered = CliRunner().invoke(app, ["eval", position.id, "--plies", "0", "--json"])
    exact = TwoSided(6, 7, path=files / f"{TWO}.kbt").evaluate(position).win
    assert json.loads(answered.stdout)["evaluation"]["win"] == pytest.approx(exact, abs=1e-6)


def test_a_file_may_be_named_on_the_command_line(files: Path) -> None:
    position = both_at_home(1, 5)[0]
    answered = CliRunner().invoke(app, ["race", position.id, "--tables", str(files / f"{TWO}.kbt"), "--json"])
    assert json.loads(answered.stdout)["source"] == "exact"


@pytest.mark.parametrize("command", ["eval", "cube", "hint 21", "rollout 21 --trials 36 --no-luck", "race"])
def test_every_command_asks_the_file_that_is_named(files: Path, command: str) -> None:
    """The winning chance is the table's to the last digit that is told; without the file it is another."""
    position = both_at_home(1, 6)[0]
    table = TwoSided(6, 7, path=files / f"{TWO}.kbt")
    name, *words = command.split()

    def win(*options: str) -> float:
        use_tables(())
        shallow = ["--plies", "0"] if name in ("eval", "cube", "hint") else []  # a deep look comes to fewer checkers
        asked = [name, position.id, *words, "--json", *options, *shallow]
        result = CliRunner().invoke(app, asked)
        assert result.exit_code == 0, result.output
        data = json.loads(result.stdout)
        found = (data.get("plays") or data.get("results") or [data])[0]
        if name == "rollout":  # games that end at once owe nothing to the dice
            assert (found["standard_error"] == 0) == bool(options)
        return float(found["win"] if name == "race" else found["evaluation"]["win"])

    exact = table.evaluate(position).win
    if words:
        values = table.look_up(np.stack([play.result.board for play in position.plays(words[0])]))
        exact = 1 - float(values[np.argmin(values[:, 1]), 0])
    assert win("--tables", str(files / f"{TWO}.kbt")) == pytest.approx(exact, abs=1e-6)
    without = win()
    assert name == "rollout" or without != pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize("harm", ["cut", "foreign", "other"])
def test_files_that_cannot_be_used_are_refused_by_name(files: Path, cache: Path, harm: str) -> None:
    cache.mkdir(parents=True)
    data = (files / f"{TWO}.kbt").read_bytes()
    name = "two-sided-6x8.kbt" if harm == "other" else f"{TWO}.kbt"
    harmed = {"cut": data[:-100], "foreign": b"something else" * 1000, "other": data}
    (cache / name).write_bytes(harmed[harm])
    with pytest.raises(TableError, match=name.replace(".", r"\.")):
        use_tables()
    (cache / name).unlink()


def test_wrong_sets_of_files_are_refused(files: Path, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="at most one table of each kind"):
        use_tables([files / f"{TWO}.kbt"] * 2)
    with pytest.raises(TableError, match="cannot be read"):
        use_tables([tmp_path / "none.kbt"])


def test_a_killed_build_goes_on_and_ends_the_same(files: Path, tmp_path: Path) -> None:
    path = tmp_path / "part.kbt"

    shares: list[float] = []

    def stop(done: float, _: str) -> None:
        if done > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(TWO, path=path, progress=stop)
    build(TWO, path=path, progress=lambda done, _: shares.append(done))
    assert shares[0] > 0.35
    assert path.read_bytes()[4096:] == (files / f"{TWO}.kbt").read_bytes()[4096:]


MEMORY = """
import sys
import numpy as np
from kibitz.bearoff import use_tables

def counted(path, *names):
    lines = [line.split() for line in open(path)]
    return [int(words[1]) for words in lines for name in names if words[0] == name]

files, boards = sys.argv[1:], np.zeros((1, 2, 25), dtype=np.uint8)
boards[0, :, 5] = 7
use_tables([])
before = counted("/proc/self/status", "RssAnon:")[0]
use_tables(files).two_sided.look_up(boards)
after = counted("/proc/self/status", "RssAnon:")[0]
sizes, inside = {"Size:": 0, "Private_Dirty:": 0}, False
for line in open("/proc/self/smaps"):
    words = line.split()
    if "-" in words[0]:
        inside = words[-1] in files
    elif inside and words[0] in sizes:
        sizes[words[0]] += int(words[1])
print(after - before, *sizes.values())
"""


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux tells what is mapped")
def test_a_mapped_file_is_not_copied(files: Path) -> None:
    paths = [str(files / f"{name}.kbt") for name in (TWO, ONE)]
    done = subprocess.run([sys.executable, "-c", MEMORY, *paths], capture_output=True, text=True, check=True)
    grown, mapped, written = map(int, done.stdout.split())  # kB
    whole = sum(Path(path).stat().st_size for path in paths) // 1024
    assert mapped >= whole > 60_000
    assert written == 0
    assert grown < whole / 50


def test_no_files_cost_no_imports(tmp_path: Path) -> None:
    """The engine looks for files without the modules of tables."""
    code = "import sys, kibitz; kibitz.Engine(); print('kibitz.bearoff' in sys.modules)"
    environment = os.environ | {"KIBITZ_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.usefixtures("cache")
def test_a_build_says_size_and_time_beforehand() -> None:
    done = CliRunner().invoke(app, ["tables", "build", "two-sided-6x3"])
    assert done.stderr.startswith("two-sided-6x3: 117.0 kB in ") and "about 1 s on two cores" in done.stderr
