"""How many distinct positions are one and two turns away, over all 21 rolls. Counts are kept as text.

`python -m tests.board.test_perft` writes the file anew; its diff shows what changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reference import rules

import kibitz
from kibitz import ALL_ROLLS, plays_bulk

FILE = Path(__file__).with_name("perft.txt")
POSITIONS = {
    "start": "4HPwATDgc/ABMA",
    "nackgammon": kibitz.Position.start("nackgammon").id,
    "hypergammon-3": kibitz.Position.start("hypergammon-3").id,
    "entering from the bar": "yGfwASjgc+QBUA",
    "holding a prime": "b9sBCIC5bYDQAA",
    "bearing off against an anchor": kibitz.Position.of({6: 4, 5: 4, 4: 4, 2: 2}, {24: 2, 6: 5, 5: 4, 4: 4}).id,
    "race": kibitz.Position.of({8: 3, 7: 2, 6: 5, 5: 5}, {9: 2, 7: 3, 6: 5, 4: 5}).id,
    "bear-off": kibitz.Position.of({6: 3, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, {6: 2, 5: 3, 4: 3, 1: 2}).id,
}


def turns_away(positions: set[bytes], turns: int) -> int:
    """How many distinct positions are this many turns away; who cannot move passes."""
    import numpy as np

    for _ in range(turns):
        boards = np.frombuffer(b"".join(sorted(positions)), dtype=np.uint8).reshape(-1, 2, 25)
        alive = boards[np.all(np.any(boards, axis=2), axis=1)]
        found: set[bytes] = set()
        for roll in ALL_ROLLS:
            offsets, results = plays_bulk(alive, np.tile(np.array(tuple(roll), dtype=np.uint8), (len(alive), 1)))
            found.update(row.tobytes() for row in results)
            stuck = alive[np.diff(offsets) == 0]
            found.update(board[::-1].tobytes() for board in stuck)
        positions = found
    return len(positions)


def line(name: str) -> str:
    position = kibitz.Position.from_id(POSITIONS[name])
    one = sum(len(position.plays(roll)) for roll in ALL_ROLLS)
    counts = [one, *(turns_away({position.rows}, turns) for turns in (1, 2))]
    return f"{POSITIONS[name]} {' '.join(map(str, counts))} {name}"


HEADER = "# Position ID, plays over 21 rolls, distinct positions after one turn, after two turns, name\n"


@pytest.mark.parametrize("name", POSITIONS)
def test_counts(name: str) -> None:
    assert line(name) in FILE.read_text().splitlines()


@pytest.mark.parametrize("name", POSITIONS)
def test_the_slow_generator_counts_the_same_after_one_turn(name: str) -> None:
    position = kibitz.Position.from_id(POSITIONS[name])
    board = rules.from_rows(position.mine, position.theirs)
    found = set()
    for roll in ALL_ROLLS:
        found |= rules.results(board, (roll.high, roll.low)) or {board}
    assert len(found) == int(line(name).split()[2])


if __name__ == "__main__":
    FILE.write_text(HEADER + "".join(line(name) + "\n" for name in POSITIONS))
