"""Reviews as records, arrays, CSV, JSON, files of the cache and annotated matches."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz.analysis import cache
from kibitz.analysis.decisions import Kind
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.records import COLUMNS, to_csv
from kibitz.analysis.review import MatchReview
from kibitz.formats import read
from kibitz.record import Roll

from .samples import beavers, mock_engine, mock_review, short_match, short_review, whole


def test_records_are_flat_and_alike() -> None:
    records = short_review().records()
    assert len(records) == len(short_review().decisions)
    assert {tuple(record) for record in records} == {COLUMNS}
    assert all(isinstance(value, str | int | float | bool | None) for record in records for value in record.values())
    assert {(record["player"], record["name"]) for record in records} == {(0, "Ada"), (1, "Ben")}
    assert {record["game"] for record in records} == {1, 2, 3}


def test_every_column_holds_what_it_is_called() -> None:
    """Read off the decision by other ways than the record takes."""
    found = short_review()
    lucks = {(roll.game, roll.number, roll.player): roll for roll in found.rolls}
    for record, decision in zip(found.records(), found.decisions, strict=True):
        chosen = decision.chosen_option
        assert chosen is not None
        assert record["equity"] == chosen.equity <= record["best_equity"] == max(row.equity for row in decision.options)
        assert record["lost"] == pytest.approx(record["best_equity"] - record["equity"], abs=1e-12)
        assert record["lost_mwc"] == pytest.approx(record["best_mwc"] - record["mwc"], abs=1e-9)
        assert (record["error"], record["blunder"]) == (decision.lost > 0.02, decision.lost > 0.08)
        if chosen.evaluation is not None:
            five = [record[name] for name in ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")]
            assert five == list(chosen.evaluation)
        state = kibitz.parse(record["xgid"])
        assert (record["my_pips"], record["their_pips"]) == state.position.pips
        assert (record["my_score"], record["their_score"]) == (state.match.my_score, state.match.their_score)
        assert (record["cube"], record["cube_owner"]) == (state.match.cube.value, state.match.cube.owner.value)
        if decision.kind is Kind.CHECKER:
            assert record["dice"] == str(state.dice)
            assert record["luck"] == lucks[record["game"], record["move"], record["player"]].luck
        else:
            assert record["luck"] is None
        assert record["chosen"] == (decision.chosen_name if decision.cube is None else str(decision.chosen))


def test_a_structured_array_holds_the_same_numbers() -> None:
    array = short_review().to_numpy()
    assert array.dtype.names == COLUMNS
    lost = sum(decision.lost for decision in short_review().decisions)
    assert array["lost"].sum() == pytest.approx(lost)
    assert array["lost"][array["player"] == 1].sum() == pytest.approx(short_review().statistics(1).overall.emg)
    assert array["forced"].dtype == np.bool_


def test_what_there_is_not_is_minus_one_among_whole_numbers_and_no_number_elsewhere() -> None:
    """A play has no equity of doubling, a cube decision no dice: no number that could be taken for one stands there."""
    array, records = short_review().to_numpy(), short_review().records()
    missing = {name for name in COLUMNS if any(record[name] is None for record in records)}
    assert missing
    for name in missing:
        column = [value for value, record in zip(array[name], records, strict=True) if record[name] is None]
        if np.issubdtype(array.dtype[name], np.integer):
            assert set(column) == {-1}, name
        else:
            assert np.isnan(np.array(column, np.float64)).all(), name


def test_csv_can_be_read_back_digit_by_digit() -> None:
    records = short_review().records()
    rows = list(csv.DictReader(io.StringIO(to_csv(records))))
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        for name, value in record.items():
            if isinstance(value, float):
                assert float(row[name]) == value
            else:
                assert row[name].removeprefix("'") == ("" if value is None else str(value))


def test_a_name_cannot_become_a_formula_in_a_spreadsheet() -> None:
    match = replace(short_match(), players=('=HYPERLINK("http://x")', "@Ben"))
    text = to_csv(mock_review(match).records())
    names = {row["name"] for row in csv.DictReader(io.StringIO(text))}
    assert names == {'\'=HYPERLINK("http://x")', "'@Ben"}


@pytest.mark.parametrize("match", [short_match(), beavers()], ids=["match", "money"])
def test_json_can_be_read_back(match: kibitz.Match) -> None:
    found = mock_review(match)
    data = json.loads(json.dumps(found.to_dict()))
    assert MatchReview.from_dict(data, match) == found
    assert data["statistics"][0]["pr"] == found.statistics(0).pr
    assert [game["game"] for game in data["games"]] == list(range(1, len(match.games) + 1))
    for one, decision in zip(data["decisions"], found.decisions, strict=True):
        assert (one["game"], one["player"], one["name"]) == (decision.game, decision.player, decision.name)
        assert one["decision"]["state"]["xgid"] == decision.state.xgid
        assert (one["chosen"], one["best"]) == (decision.chosen_name, decision.best.name)


def test_rolls_as_records() -> None:
    rolls = short_review().roll_records()
    assert len(rolls) == len(short_review().rolls)
    assert sum(roll["luck"] for roll in rolls if roll["player"] == 1) == pytest.approx(
        short_review().statistics(1).luck.emg
    )


def test_a_review_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    engine, settings = mock_engine(), ReviewSettings(level=whole("fast"))
    assert cache.find(short_match(), settings, engine) is None
    first = mock_review(short_match(), cache=True)
    (path,) = tmp_path.glob("reviews/*/*.json.gz")
    assert cache.find(short_match(), settings, engine) == first
    monkeypatch.setattr("kibitz.analysis.review.analyse", None)  # whoever analyses again fails
    assert mock_review(short_match(), cache=True) == first
    # Another level, other players, another engine: another review.
    assert cache.find(short_match(), ReviewSettings(level=ReviewLevel.of("fast")), engine) is None
    assert cache.find(replace(short_match(), players=("A", "B")), settings, engine) is None
    assert cache.key(short_match(), settings, kibitz.Engine()) != cache.key(short_match(), settings, engine)
    for damage in (b"", b"nonsense", path.read_bytes()[:200]):
        path.write_bytes(damage)
        assert cache.find(short_match(), settings, engine) is None
    assert cache.clear() == 1


def test_our_analysis_goes_into_an_sgf_file_and_out_again() -> None:
    from kibitz.formats import by_name

    annotated = short_review().annotated()
    data, _ = by_name("sgf").write(annotated)
    back = read(data)
    ours = [m.action for m in annotated.moments()]
    theirs = [m.action for m in back.moments()]
    assert len(ours) == len(theirs)
    analysed = [(a, b) for a, b in zip(ours, theirs, strict=True) if isinstance(a, Roll) and a.analysis is not None]
    assert len(analysed) > 50
    for a, b in analysed:
        assert isinstance(b, Roll) and b.analysis == a.analysis
    cubes = [(a.cube, b.cube) for a, b in zip(ours, theirs, strict=True) if a.cube is not None]
    assert len(cubes) > 30
    for mine, again in cubes:
        assert again is not None
        assert again.mwc is not None and mine.mwc is not None
        assert again.mwc.no_double == mine.mwc.no_double
        assert (again.state, again.double_take, again.action) == (mine.state, mine.double_take, mine.action)
    assert read(by_name("json").write(annotated)[0]) == annotated
