"""The matches of the corpus, replayed: every play in them is legal. A minimal reader; the real one has its own room."""

from __future__ import annotations

import re
from pathlib import Path

from kibitz import Position
from kibitz.notation import parse_play

CELL = re.compile(r"([1-6])([1-6]):((?:\s+(?:[Bb]ar|[0-9]+)/(?:[Oo]ff|[0-9]+)\*?(?:\([1-4]\))?)*)")


def replay(path: Path) -> int:
    """How many plays of a file were replayed. A cell without moves is a dance, or a roll before a resignation."""
    plays = 0
    position = Position.start()
    for line in path.read_text(encoding="utf-8-sig", errors="replace").splitlines():
        if re.match(r"\s*Game \d+", line):
            position = Position.start()
        if not re.match(r"\s*\d+\)", line):
            continue
        assert "/" not in CELL.sub("", line), f"a cell was not understood: {line}"
        for cell in CELL.finditer(line):
            roll = (int(cell[1]), int(cell[2]))
            if cell[3].strip():
                position = parse_play(cell[3], position, roll).result
                plays += 1
            else:
                legal = position.plays(roll)
                position = legal[0].result if len(legal) == 1 else position.swapped()
    return plays


def test_every_play_of_the_galaxy_matches_is_legal(shared: Path) -> None:
    files = sorted((shared / "corpus" / "mat_galaxy").iterdir())
    assert len(files) == 250
    plays = sum(replay(path) for path in files)
    assert plays > 27_000
