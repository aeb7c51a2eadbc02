"""Where Kibitz keeps what it has made: tables and reviews."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """$KIBITZ_CACHE, else the platform's cache directory."""
    own = os.environ.get("KIBITZ_CACHE")
    if own:
        return Path(own)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kibitz"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "kibitz"


def bearoff_files() -> list[Path]:
    """The files of bearoff tables that are there."""
    return sorted((cache_folder() / "tables").glob("*-sided-*.kbt"))
