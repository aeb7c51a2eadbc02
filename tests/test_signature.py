"""The signature of all answers is pinned: a change that changes answers changes this file, and says so.

`python -m tests.test_signature` writes it anew.
"""

from __future__ import annotations

from pathlib import Path

from kibitz import bench

PINNED = Path(__file__).with_name("signature.txt")


def written() -> str:
    """The signature and the digest of every section, as the file has them."""
    result = bench.run(repeats=1)
    sections = [f"{one.name} {one.count} {one.digest:08x}" for one in result.sections]
    return "\n".join([result.signature, *sections]) + "\n"


def test_all_answers_are_those_of_the_last_commit() -> None:
    assert written() == PINNED.read_text(encoding="ascii")


if __name__ == "__main__":
    PINNED.write_text(written(), encoding="ascii")
    print(PINNED.read_text(encoding="ascii"), end="")
