"""Our losses beside those of gnubg at four plies, on matches that people played."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz.analysis.decisions import Kind
from kibitz.analysis.review import review


def test_losses_agree_with_gnubg_at_four_plies(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted((shared / "corpus" / "gnubg_text").glob("*4-ply*"))
    if not files:
        pytest.skip("no analysed matches beside the repository")
    engine = kibitz.Engine()
    ours: list[float] = []
    theirs: list[float] = []
    for file in files:
        found = review(kibitz.load(file), level="default", engine=engine)
        for decision in found.decisions:
            opinion = decision.opinion
            if decision.kind is Kind.CHECKER and decision.is_legal and opinion is not None and opinion.lost is not None:
                ours.append(decision.lost)
                theirs.append(opinion.lost)
    correlation = float(np.corrcoef(ours, theirs)[0, 1])
    with capsys.disabled():
        print(
            f"\n{len(ours)} plays: correlation of losses {correlation:.3f}, totals {sum(ours):.3f} and "
            f"{sum(theirs):.3f} (gnubg, 4 plies)"
        )
    assert len(ours) > 300
    # Loose, because nets change: a sign error, a wrong player or a wrong match score gives a correlation near zero.
    assert correlation > 0.7
    assert sum(ours) == pytest.approx(sum(theirs), rel=0.3)


def test_counts_are_those_that_gnubg_prints(shared: Path) -> None:
    """Moves, doubles, takes and passes of a game do not depend on anyone's judgement."""
    files = sorted((shared / "corpus" / "gnubg_text").glob("*4-ply*"))
    if not files:
        pytest.skip("no analysed matches beside the repository")
    engine = kibitz.Engine()
    checked = 0
    for file in files:
        text = file.read_text("utf-8", errors="replace")
        table = text.split("Game statistics")[-1].split("Match statistics")[0]
        match = kibitz.load(file)
        if len(match.games) != 1 or match.warnings or "Total moves" not in table:
            continue
        found = review(match, level="fast", engine=engine)
        printed = _printed(table)
        for player in (0, 1):
            own = found.statistics(player)
            for label, value in (
                ("Unforced moves", own.unforced_moves),
                ("Doubles", own.doubles),
                ("Takes", own.takes),
            ):
                assert printed[label][player] == value, (file.name, label)
            checked += 1
    assert checked


def _printed(table: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for line in table.splitlines():
        words = line.rsplit(None, 2)
        if len(words) == 3 and words[1].isdigit() and words[2].isdigit():
            found.setdefault(words[0].strip(), [int(words[1]), int(words[2])])
    return found
