"""Race formulas by hand, and the race command."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from kibitz import Position
from kibitz.bearoff import OneSided, race
from kibitz.bearoff.formulas import FORMULAS, eight_nine_twelve, isight, keith, kleinman, thorp, trice, ward
from kibitz.bearoff.race import verdict_of_chance
from kibitz.cli import app
from kibitz.errors import PositionError

TWO_ROLLS_AGAINST_ONE = "XGID=-D----------------------b-:0:0:1:00:0:0:3:0:10"


def pips(mine: int, theirs: int) -> Position:
    """A long race with these pip counts, fifteen checkers a side on the six, seven and eight points."""

    def row(total: int) -> dict[int, int]:
        beyond = total - 15 * 7
        return {7: 15 - abs(beyond), 8 if beyond > 0 else 6: abs(beyond)}

    position = Position.of(row(mine), row(theirs))
    assert position.pips == (mine, theirs) and not position.in_contact
    return position


def test_kleinman() -> None:
    verdict = kleinman(pips(100, 110))
    assert verdict.win == pytest.approx(0.7548, abs=1e-4)  # erf(14 / (2 sqrt(206)))
    assert verdict.double and verdict.redouble and verdict.take
    assert not kleinman(pips(100, 114)).take
    assert not kleinman(pips(100, 104)).double


def test_trice_and_the_percentages() -> None:
    """From 100 pips the last take is 11 behind by Trice, and 12 by the rule of 8, 9 and 12 per cent."""
    assert [trice(pips(100, 100 + lead)).take for lead in (11, 12)] == [True, False]
    assert [trice(pips(100, 100 + lead)).redouble for lead in (8, 9)] == [False, True]
    assert [trice(pips(100, 100 + lead)).double for lead in (7, 8)] == [False, True]
    assert [trice(Position.of({6: 8}, {6: 8, 1: extra})).take for extra in (6, 7)] == [True, False]  # 48 pips: (48-5)/7
    assert [eight_nine_twelve(pips(100, 100 + lead)).double for lead in (7, 8)] == [False, True]
    assert [eight_nine_twelve(pips(100, 100 + lead)).redouble for lead in (8, 9)] == [False, True]
    assert [eight_nine_twelve(pips(100, 100 + lead)).take for lead in (12, 13)] == [True, False]


def test_counts_that_are_corrected_for_wastage() -> None:
    position = Position.of({1: 4, 2: 3, 6: 3}, {3: 5, 4: 2, 5: 2, 6: 1})
    assert position.pips == (28, 39)
    # Keith: 28 + 2*3 + 2 + gaps on 4 and 5 = 38, and a seventh; 39 + 2 on the three point.
    assert (keith(position).mine, keith(position).theirs) == (38 + 5, 41)
    # Thorp: 28 + 20 + 4 - 3, above 30 a tenth more; 39 + 20 - 4.
    assert (thorp(position).mine, thorp(position).theirs) == pytest.approx((49 * 1.1, 55))
    # Ward: 28 + 2*2 + 1, a tenth more; 39 less one home point more than the other side has.
    assert (ward(position).mine, ward(position).theirs) == pytest.approx((33 * 1.1, 38))
    # Isight: 28 + 4 + 1 + gaps on 4 and 5; 39 + 2.
    assert (isight(position).mine, isight(position).theirs) == (35, 41)
    assert isight(position).win == pytest.approx((80 - 35 / 3 + 12) / 100)


def test_checkers_and_crossovers_that_one_side_has_more_of() -> None:
    position = Position.of({8: 1, 6: 4}, {6: 4})
    assert isight(position).mine == 32 + 1 + 1  # one checker and one crossover more; the five and four points are level
    assert ward(position).mine == pytest.approx((32 + 2 + 0.5) * 1.1)


def test_chances_call_for_the_cube_as_janowski_says() -> None:
    """With cube efficiency 0.6: doubled from 65.8 %, redoubled from 69.6 %, passed above 78.3 %."""
    assert [verdict_of_chance(win).double for win in (0.655, 0.66)] == [False, True]
    assert [verdict_of_chance(win).redouble for win in (0.69, 0.70)] == [False, True]
    assert [verdict_of_chance(win).take for win in (0.78, 0.785)] == [True, False]


def test_a_race_is_exact_where_a_table_reaches() -> None:
    small = race(Position.of({6: 2}, {5: 3}))
    assert small.source == "exact" and small.cube is not None and small.win == small.cube.win
    large = race(Position.of({6: 5, 5: 5, 4: 5}, {6: 5, 5: 5, 4: 5}))
    assert large.source == "distributions" and large.cube is None and large.win is not None and 0.5 < large.win < 0.8
    assert large.mine.effective_pips == OneSided().turns("000555").effective_pips
    assert large.mine.wastage == pytest.approx(large.mine.effective_pips - 75)
    far = race(Position.of({9: 1, 6: 5}, {6: 6}))
    assert far.win is None and far.mine.effective_pips is None and far.theirs.effective_pips is not None
    assert race(Position.of({9: 1, 6: 3}, {6: 4}), table=OneSided.build(9, 4)).win == pytest.approx(0.5, abs=0.3)


def test_only_races_are_judged() -> None:
    with pytest.raises(PositionError, match="contact"):
        race(Position.start())
    with pytest.raises(PositionError, match="over"):
        race(Position.of({}, {1: 1}))


def test_the_command_says_the_exact_answer_beside_the_formulas() -> None:
    result = CliRunner().invoke(app, ["race", TWO_ROLLS_AGAINST_ONE])
    text = result.output
    assert result.exit_code == 0
    for words in ("16.67 %", "-0.667", "-1.333", "-2.667", "no double, beaver", "14.972"):
        assert words in text
    assert all(formula(Position.of({1: 4}, {1: 2})).name in text for formula in FORMULAS)
    assert max(map(len, text.splitlines())) <= 80
    data = json.loads(CliRunner().invoke(app, ["race", TWO_ROLLS_AGAINST_ONE, "--json"]).output)
    assert data["cube"]["no_double"] == pytest.approx(-2 / 3) and len(data["formulas"]) == 7
    far = CliRunner().invoke(app, ["race", Position.of({9: 1, 6: 5}, {6: 6}).id])
    assert "No table reaches" in far.output


def test_the_tables_command() -> None:
    runner = CliRunner()
    listed = json.loads(runner.invoke(app, ["tables", "list", "--json"]).output)
    assert {"one-sided-6x15", "two-sided-6x6", "hypergammon-3"} <= {table["name"] for table in listed["tables"]}
    built = runner.invoke(app, ["tables", "build", "hypergammon-1", "two-sided-6x2"])
    assert built.exit_code == 0 and "built in" in built.output
    again = json.loads(runner.invoke(app, ["tables", "build", "hypergammon-1", "--json"]).output)
    assert again[0]["built"] is False
    assert "sound" in runner.invoke(app, ["tables", "verify", "hypergammon-1", "two-sided-6x6"]).output
    text = runner.invoke(app, ["tables", "list"]).output
    assert "built" in text and "in memory" in text
