"""Reviews that were made before: kept in the user's cache directory, found by match, settings and engine."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.analysis.levels import ReviewSettings
from kibitz.errors import FormatError, KibitzError
from kibitz.files import write_file
from kibitz.folders import cache_folder
from kibitz.plain_json import read_json
from kibitz.record import Match

if TYPE_CHECKING:
    from kibitz.analysis.review import MatchReview
    from kibitz.engine.engine import Engine

VERSION = 3
"""Raised whenever a review of the same match by the same engine would come out differently."""
MAX_BYTES = 64 << 20
"""What a kept review may expand to."""


def folder() -> Path:
    """Where reviews are kept."""
    return cache_folder() / "reviews"


def key(match: Match, settings: ReviewSettings, engine: Engine) -> str:
    """A name that is the same if, and only if, the review would be the same."""
    from kibitz import __version__

    content = {
        "version": VERSION,
        "kibitz": __version__,
        "match": match.to_dict(),
        "settings": settings.to_dict(),
        "engine": engine.fingerprint,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def find(match: Match, settings: ReviewSettings, engine: Engine) -> MatchReview | None:
    """The review of this match if one is kept."""
    return read_kept(_path(key(match, settings, engine)), match)


def read_kept(path: Path, match: Match) -> MatchReview | None:
    """The review that a file holds. One that cannot be read counts as none, whatever is wrong with it."""
    from kibitz.analysis.review import MatchReview

    try:
        with gzip.open(path, "rb") as file:
            text = file.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            return None
        return MatchReview.from_dict(read_json(text), match)
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError, AttributeError, KibitzError):
        return None


def keep(review: MatchReview, engine: Engine) -> None:
    """Keep a review. A cache that cannot be written is no reason to fail."""
    path = _path(key(review.match, review.settings, engine))
    data = review.to_dict(statistics=False)
    with suppress(OSError, FormatError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, gzip.compress(json.dumps(data).encode(), compresslevel=1, mtime=0))


def clear() -> int:
    """Forget all reviews; returns how many there were."""
    count = 0
    for path in folder().glob("*/*.json.gz"):
        path.unlink(missing_ok=True)
        count += 1
    return count


def _path(name: str) -> Path:
    return folder() / name[:2] / f"{name[2:]}.json.gz"
