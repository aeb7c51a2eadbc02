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
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.review import MatchReview, review
from kibitz.analysis.tables import COLUMNS, to_csv
from kibitz.formats import read

from .samples import beavers, mock_engine, short_match, short_review


def test_records_are_flat_and_alike() -> None:
    records = short_review().records()
    assert len(records) == len(short_review().decisions)
    assert {tuple(record) for record in records} == {COLUMNS}
    assert all(isinstance(value, str | int | float | bool | None) for record in records for value in record.values())
    assert {record["name"] for record in records} == {"Ada", "Ben"}


def test_a_structured_array_holds_the_same_numbers() -> None:
    array = short_review().to_numpy()
    assert array.dtype.names == COLUMNS
    lost = sum(decision.lost for decision in short_review().decisions)
    assert array["lost"].sum() == pytest.approx(lost)
    assert array["lost"][array["player"] == 1].sum() == pytest.approx(short_review().statistics(0).overall.emg)
    assert array["forced"].dtype == np.bool_


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
    text = to_csv(review(match, level="fast", engine=mock_engine(), threads=1).records())
    names = {row["name"] for row in csv.DictReader(io.StringIO(text))}
    assert names == {'\'=HYPERLINK("http://x")', "'@Ben"}


@pytest.mark.parametrize("match", [short_match(), beavers()], ids=["match", "money"])
def test_json_can_be_read_back(match: kibitz.Match) -> None:
    found = review(match, level="fast", engine=mock_engine(), threads=1)
    data = json.loads(json.dumps(found.to_dict()))
    assert MatchReview.from_dict(data, match, found.settings) == found
    assert data["statistics"][0]["pr"] == found.statistics(0).pr
    assert data["decisions"][0]["xgid"].startswith("XGID=")


def test_rolls_as_records() -> None:
    rolls = short_review().roll_records()
    assert len(rolls) == len(short_review().rolls)
    assert sum(roll["luck"] for roll in rolls if roll["player"] == 2) == pytest.approx(
        short_review().statistics(1).luck.emg
    )


def test_a_review_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    engine, settings = mock_engine(), ReviewSettings(level=ReviewLevel.of("fast"))
    assert cache.find(short_match(), settings, engine) is None
    first = review(short_match(), level="fast", engine=engine, threads=1, cache=True)
    (path,) = tmp_path.glob("reviews/*/*.json.gz")
    assert cache.find(short_match(), settings, engine) == first
    monkeypatch.setattr("kibitz.analysis.review.weigh", None)  # whoever weighs again fails
    assert review(short_match(), level="fast", engine=engine, cache=True) == first
    # Another level, other players, another engine: another review.
    assert cache.find(short_match(), ReviewSettings(), engine) is None
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
    analysed = [(a, b) for a, b in zip(ours, theirs, strict=True) if getattr(a, "analysis", None) is not None]
    assert analysed
    for a, b in analysed:
        assert b.analysis is not None
        assert len(b.analysis.candidates) == len(a.analysis.candidates)
        assert b.analysis.candidates[0].equity == pytest.approx(a.analysis.candidates[0].equity, abs=1e-3)
