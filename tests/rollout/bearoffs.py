"""Small bearoff positions, and exact players for them."""

from __future__ import annotations

import random

import kibitz
from kibitz import _core


def bearoffs(count: int, *, seed: int, checkers: int = 6) -> list[kibitz.Position]:
    """Positions with both sides at home and a few checkers each: the two-sided table knows them exactly."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        rows = []
        for _ in range(2):
            row = [0] * 25
            for _ in range(chance.randint(3, checkers)):
                row[chance.randrange(6)] += 1
            rows.append(row)
        found.append(kibitz.Position(*rows))
    return found


def exact_engine(checkers: int = 15) -> kibitz.Engine:
    """Plays perfectly where the tables reach."""
    return kibitz.Engine(evaluator=_core.ExactEvaluator(checkers), threads=1)
