"""Names and comments of files may be shown anywhere: nothing in them is obeyed by a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.cli import app
from kibitz.formats import FORMATS, read

EVIL = "A\x1b]0;owned\x07B\u202eC\x9b31m"
MAT = f" 1 point match\n Game 1\n {EVIL} : 0        Ben : 0\n  1) 31: 8/5 6/5   64: 24/14\n      Wins 1 point\n"
BAD = set(map(chr, [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x202E, 0xD800]))


def files() -> dict[str, bytes]:
    """A match with such a name in every format that has names."""
    ours = json.loads(FORMATS["json"].write(read(MAT.encode()))[0]) | {
        "players": [EVIL, "half \ud800"],
        "event": EVIL,
        "comments": [EVIL],
    }
    ours["games"][0]["actions"][0]["comment"] = EVIL
    return {
        "mat": MAT.encode(),
        "json": json.dumps(ours).encode(),
        "sgf": "(;GM[6]PW[@]PB[b]EV[@];W[31hefe]C[@])".replace("@", EVIL.replace("]", "\\]")).encode(),
        "fibs": f"{EVIL} is X - bob is O\nX: (6 1) 13-7 8-7\n".encode(),
        "bgf": b'{"format":"BGF","version":"1.0","compress":false,"useSmile":false}\n'
        + json.dumps({"nameGreen": EVIL, "nameRed": "half \ud800", "matchlen": 5, "games": []}).encode(),
    }


@pytest.mark.parametrize("name", ["mat", "json", "sgf", "fibs", "bgf"])
def test_nothing_in_a_match_is_obeyed_by_a_terminal(name: str) -> None:
    match = read(files()[name])
    assert match.format == name and "owned" in match.players[0]
    for writer in ("json", "sgf", "mat"):
        text = FORMATS[writer].write(match)[0].decode()
        assert not BAD & set(text)
        if writer == "json":
            assert not BAD & set("".join(json.loads(text)["players"]))
    assert not BAD & set("".join(map(str, match.warnings)))


@pytest.mark.parametrize("options", [["--csv"], ["--json"], []])
def test_commands_print_no_escapes(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "evil.mat"
    path.write_text(MAT)
    done = CliRunner().invoke(app, ["analyze", str(path), "--level", "fast", "--no-cache", *options])
    assert done.exit_code == 0 and not BAD & set(done.output) and "owned" in done.output
    converted = CliRunner().invoke(app, ["convert", str(path), "-", "--to", "sgf"])
    assert converted.exit_code == 0 and not BAD & set(converted.output)
