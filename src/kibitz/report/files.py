"""Reports of reviews as files: the suffix says what is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.analysis.records import COLUMNS, to_csv
from kibitz.analysis.review import MatchReview
from kibitz.errors import FormatError
from kibitz.files import write_file

Reviews = Sequence[MatchReview]
Names = Sequence[str]
"""The file of each review; nothing where there is none."""


def save(path: Path, reviews: Reviews, files: Names = ()) -> None:
    """Write a report of one review or more: .html, .csv, .json, or .sgf, which holds one match with our analyses.

    Of several reviews each row and each object says its file, if `files` are given.
    """
    check_suffix(path)
    text = WRITERS[path.suffix.lower()](reviews, files if len(reviews) > 1 else ())
    write_file(path, text)


def check_suffix(path: Path) -> None:
    """Raise FormatError if no report has this suffix."""
    if path.suffix.lower() not in WRITERS:
        raise FormatError(f"a report is one of {', '.join(WRITERS)}, not {path.name!r}")


def _html(reviews: Reviews, files: Names) -> str:  # noqa: ARG001
    from kibitz.report.html import page

    return page(reviews)


def _csv(reviews: Reviews, files: Names) -> str:
    rows = (row for number, review in enumerate(reviews) for row in _named(review.records(), files, number))
    return to_csv(rows, ("file", *COLUMNS) if files else COLUMNS)


def _json(reviews: Reviews, files: Names) -> str:
    data = [_named([review.to_dict()], files, number)[0] for number, review in enumerate(reviews)]
    return json.dumps(data[0] if len(data) == 1 else data, indent=2, ensure_ascii=False) + "\n"


def _named(rows: list[dict[str, Any]], files: Names, number: int) -> list[dict[str, Any]]:
    return [{"file": files[number]} | row for row in rows] if files else rows


def _sgf(reviews: Reviews, files: Names) -> str:  # noqa: ARG001
    from kibitz.formats import by_name

    if len(reviews) != 1:
        raise FormatError(f"an .sgf file holds one match, not {len(reviews)}")
    data, _ = by_name("sgf").write(reviews[0].annotated())
    return data.decode("utf-8")


WRITERS = {".html": _html, ".csv": _csv, ".json": _json, ".sgf": _sgf}
"""What writes a report, by suffix."""
