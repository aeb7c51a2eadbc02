"""tabula against its document and against a plain version of itself."""

from __future__ import annotations

import random

import pytest

from kibitz import Position, _core
from kibitz.errors import EngineError
from kibitz.heuristics import Tabula, TabulaSettings
from kibitz.heuristics.tabula import pseudopips

from . import heuristics_reference as reference

DEFAULT = TabulaSettings()

TABLE = """1 9  2 10  3 11  4 14  5 15  6 18  7 57  8 58  9 63  10 66  11 71  12 76  13 81  14 88  15 97  16 106  17 117
18 132  19 149  20 170  21 195  22 226  23 263  24 308  25 363"""


def test_all_pseudopips_of_the_table() -> None:
    numbers = [int(word) for word in TABLE.split()]
    table = dict(zip(numbers[::2], numbers[1::2], strict=True))
    assert len(table) == 25
    assert {space: pseudopips(space) for space in range(1, 26)} == table


def score(parts: list[float] | tuple[float, ...], settings: TabulaSettings = DEFAULT) -> float:
    return parts[0] * settings.pips + parts[1] * settings.blots + parts[2] * settings.hits


def check(position: Position, dice: tuple[int, int], rng: random.Random, settings: TabulaSettings) -> int:
    """Every player score, and the average reply of one play, agree with the plain version."""
    plays = Tabula(settings, threads=1).analyze(position, dice)
    assert len(plays) == len(_core.legal_results(position.rows, *dice))
    sampled = rng.choice(plays) if plays else None
    for entry in plays:
        rows = entry.play.result.rows
        mine = reference.tabula_parts(position.rows, rows, settings.opponent_spaces)
        assert (entry.player.pips, entry.player.blots, entry.player.hits) == mine
        assert entry.player.score == pytest.approx(score(mine, settings), abs=1e-9)
        past = reference.is_past(*reversed(reference.sides(rows)))
        assert entry.past == past
        if past:
            assert entry.score == entry.player.score == pytest.approx(mine[0] * settings.pips, abs=1e-9)
        elif entry is sampled:
            theirs = reference.tabula_opponent(rows, settings.opponent_spaces)
            assert entry.opponent is not None
            assert [entry.opponent.pips, entry.opponent.blots, entry.opponent.hits] == pytest.approx(theirs, abs=1e-9)
            assert entry.opponent.score == pytest.approx(score(theirs, settings), abs=1e-9)
            overall = score(mine, settings) + settings.opponent * score(theirs, settings)
            assert entry.score == pytest.approx(overall, abs=1e-9)
    assert [entry.score for entry in plays] == sorted(entry.score for entry in plays)
    return len(plays)


def test_agrees_with_the_plain_version_in_games() -> None:
    rng = random.Random(1)
    positions = reference.positions_from_games(1200, seed=1)
    assert sum(check(position, rng.choice(reference.ROLLS), rng, DEFAULT) for position in positions) > 10_000


def test_agrees_with_the_plain_version_in_odd_positions() -> None:
    rng = random.Random(2)
    settings = TabulaSettings(pips=0.9, blots=1.1, hits=-0.9, opponent=-1.5, opponent_spaces=True)
    for number, position in enumerate(reference.odd_positions(1200, seed=2)):
        check(position, rng.choice(reference.ROLLS), rng, settings if number % 2 else DEFAULT)


def test_the_number_of_threads_does_not_change_a_digit() -> None:
    position = Position.of({24: 2, 20: 1, 13: 4, 9: 2, 8: 2, 6: 3, 4: 1}, {24: 2, 13: 5, 8: 3, 6: 5})
    plays = [Tabula(threads=threads).analyze(position, (2, 2)) for threads in (1, 2, 5)]
    assert len(plays[0]) > 60
    assert plays[0] == plays[1] == plays[2]


def test_many_at_once_are_the_same_as_one_by_one() -> None:
    turns = [(position, (4, 2)) for position in reference.positions_from_games(20, seed=3)]
    engine = Tabula()
    assert engine.analyze_many(turns) == [engine.analyze(position, dice) for position, dice in turns]


def test_a_blot_counts_only_while_somebody_can_still_hit_it() -> None:
    """Given a blot that all opposing checkers have passed, and one that they have not."""
    position = Position.of({2: 1, 8: 1, 20: 2}, {19: 2, 12: 2})  # their rearmost checkers stand on my 6 point
    for entry in Tabula().analyze(position, (1, 1)):
        after = entry.play.result.theirs
        expected = sum(pseudopips(space) for space in range(7, 25) if after[space - 1] == 1)
        assert entry.player.blots == expected


def test_a_hit_counts_the_space_where_the_play_hit() -> None:
    position = Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5})
    hits = {str(entry.play): entry.player.hits for entry in Tabula().analyze(position, (3, 1))}
    assert hits["8/5* 6/5"] == pseudopips(5)
    assert hits["13/9"] == 0


def test_a_finished_game_has_no_plays_and_a_dance_neither() -> None:
    assert Tabula().analyze(Position.of({}, {1: 1}), (3, 1)) == []
    closed = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))
    assert Tabula().rank(closed, "66") == []


def test_settings_change_the_ranking() -> None:
    start = Position.start()
    bold = Tabula(TabulaSettings(blots=0.0, opponent=0.0)).rank(start, "31")
    assert bold[0].score == min(entry.player.pips for entry in bold)


def test_unknown_settings_are_refused_with_the_known_ones() -> None:
    with pytest.raises(EngineError, match=r"no setting 'bots'; it has pips, blots, hits, opponent, opponent_spaces"):
        TabulaSettings.of({"bots": 1})


def test_a_single_play_is_what_the_ranking_says_of_it() -> None:
    ranked = Tabula().rank(Position.start(), "31")
    assert [Tabula().analyze_play(entry.play) for entry in ranked] == ranked
    assert [entry.rank for entry in ranked] == list(range(1, 17))
