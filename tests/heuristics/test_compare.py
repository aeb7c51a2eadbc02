"""Plays side by side, in words and in text that fits a terminal."""

from __future__ import annotations

import random

import pytest

from kibitz import Position
from kibitz.heuristics import Tabula, TenFactor, compare_plays
from kibitz.heuristics.compare import comparison_text
from kibitz.notation import parse_play

from . import heuristics_reference as reference


def words(position: Position, dice: str, first: str | None, second: str) -> str:
    one = None if first is None else parse_play(first, position, dice)
    return compare_plays(one, parse_play(second, position, dice)).words


START = Position.start()


def test_a_play_that_leaves_blots_and_makes_no_point() -> None:
    told = words(START, "31", "8/5 6/5", "13/10 6/5")
    assert told.startswith("Against 8/5 6/5, 13/10 6/5 leaves two blots: 18 shots; makes no point;")
    assert "In return it has builders worth 1 instead of 0" in told


def test_a_second_blot() -> None:
    told = words(START, "21", "13/10", "13/11 6/5")
    assert "leaves a second blot: 10 more shots" in told


def test_hitting_and_not() -> None:
    position = Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5})
    assert "does not hit" in words(position, "31", "8/5* 6/5", "13/9")
    assert "hits;" in words(position, "31", "13/9", "8/5* 6/5")


def test_the_best_other_play_stands_in_for_a_missing_one() -> None:
    assert words(START, "31", None, "13/9").startswith("Against 8/5 6/5, 13/9 ")
    assert words(START, "31", None, "8/5 6/5").startswith("Against 13/9, 8/5 6/5 ")


def test_an_only_play_is_said_to_be_one() -> None:
    position = Position.of({25: 1}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 12: 2})
    (only,) = position.plays((6, 6))
    assert compare_plays(None, only).words == "bar/19 is the only legal play."


def test_a_race_is_not_told_of_blots() -> None:
    position = Position.of({6: 2, 5: 1, 4: 1}, {1: 2})
    assert "blot" not in words(position, "21", "6/5 6/4", "6/3")


@pytest.mark.parametrize("seed", range(3))
def test_all_tables_fit_80_columns(seed: int) -> None:
    rng = random.Random(seed)
    for position in reference.positions_from_games(40, seed=seed):
        dice = rng.choice(reference.ROLLS)
        ten_factor, tabula = TenFactor(), Tabula()
        plays = ten_factor.rank(position, dice)
        texts = [ten_factor.text(plays), tabula.text(tabula.rank(position, dice), top=5)]
        if plays:
            comparison = compare_plays(rng.choice(plays).play, rng.choice(plays).play)
            texts.append(comparison_text(comparison))
            assert comparison.words.endswith(".")
        assert max(len(line) for text in texts for line in text.splitlines()) <= 80
