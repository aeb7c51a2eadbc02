"""Reports of reviews as files: the suffix says what is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from kibitz.analysis.records import to_csv
from kibitz.analysis.review import MatchReview
from kibitz.errors import FormatError

Reviews = Sequence[MatchReview]


def save(path: Path, reviews: Reviews) -> None:
    """Write a report of one review or more: .html, .csv, .json, or .sgf, which holds one match with our analyses."""
    check_suffix(path)
    text = WRITERS[path.suffix.lower()](reviews)
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise FormatError(f"cannot write the report to {path}: {error.strerror}") from None


def check_suffix(path: Path) -> None:
    """Raise FormatError if no report has this suffix."""
    if path.suffix.lower() not in WRITERS:
        raise FormatError(f"a report is one of {', '.join(WRITERS)}, not {path.name!r}")


def _html(reviews: Reviews) -> str:
    from kibitz.report.html import page

    return page(reviews)


def _csv(reviews: Reviews) -> str:
    return to_csv(record for review in reviews for record in review.records())


def _json(reviews: Reviews) -> str:
    data = [review.to_dict() for review in reviews]
    return json.dumps(data[0] if len(data) == 1 else data, indent=2, ensure_ascii=False) + "\n"


def _sgf(reviews: Reviews) -> str:
    from kibitz.formats import by_name

    if len(reviews) != 1:
        raise FormatError(f"an .sgf file holds one match, not {len(reviews)}")
    data, _ = by_name("sgf").write(reviews[0].annotated())
    return data.decode("utf-8")


WRITERS = {".html": _html, ".csv": _csv, ".json": _json, ".sgf": _sgf}
"""What writes a report, by suffix."""
