"""`kibitz convert` from the outside, and the lazy doors of the package."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import kibitz

DATA = Path(__file__).parent / "data"


def convert(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "convert", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_convert_says_what_it_did_and_dropped(tmp_path: Path) -> None:
    done = convert(DATA / "gnubg.sgf", tmp_path / "out.mat")
    assert done.returncode == 0
    assert done.stdout == f"ann 2 - 2 bob, 3-point match, 3 games, 15 actions -> {tmp_path / 'out.mat'}\n"
    assert "not kept: 2 analyses of plays" in done.stderr
    assert kibitz.load(tmp_path / "out.mat").bare().games == kibitz.load(DATA / "galaxy.mat").bare().games


def test_convert_to_stdout_and_json(tmp_path: Path) -> None:
    done = convert(DATA / "galaxy.mat", "-", "--to", "sgf")
    assert done.returncode == 0 and done.stdout.startswith("(;FF[4]GM[6]") and done.stderr == ""
    told = json.loads(convert(DATA / "galaxy.mat", tmp_path / "out.json", "--json").stdout)
    assert (told["games"], told["source_format"], told["dropped"]) == (3, "mat", [])
    assert kibitz.load(tmp_path / "out.json") == kibitz.load(DATA / "galaxy.mat")


def test_convert_prints_warnings_with_file_and_line(tmp_path: Path) -> None:
    done = convert(DATA / "damaged.mat", tmp_path / "out.mat")
    assert done.returncode == 0 and "damaged.mat:16: not understood" in done.stderr


def test_convert_errors_are_one_line(tmp_path: Path) -> None:
    for arguments in (
        (tmp_path / "none.mat", "x.mat"),
        (__file__, "x.mat"),
        (DATA / "galaxy.mat", "x.doc"),
        (DATA / "galaxy.mat", "-"),
    ):
        done = convert(*arguments)
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.startswith("kibitz: ") and done.stderr.count("\n") == 1


def test_import_does_not_load_the_formats() -> None:
    code = "import sys, kibitz; assert not any(name.startswith('kibitz.formats') for name in sys.modules); kibitz.load"
    subprocess.run([sys.executable, "-c", code], check=True)
