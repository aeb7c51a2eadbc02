"""Where Kibitz keeps what it has made, and what is the user's own: tables and reviews, the library, settings."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Of tables and reviews, which can be made again: $KIBITZ_CACHE, else the platform's cache directory."""
    if own := os.environ.get("KIBITZ_CACHE"):
        return Path(own)
    folder = _of_the_platform("Caches", ("LOCALAPPDATA", "Local"), ("XDG_CACHE_HOME", ".cache"))
    return folder / "cache" if sys.platform == "win32" else folder  # Windows has one folder for this and for data


def data_folder() -> Path:
    """Of the library: the platform's folder for a user's data."""
    return _of_the_platform("Application Support", ("LOCALAPPDATA", "Local"), ("XDG_DATA_HOME", ".local/share"))


def config_folder() -> Path:
    """Of settings: the platform's folder for a user's configuration."""
    return _of_the_platform("Application Support", ("APPDATA", "Roaming"), ("XDG_CONFIG_HOME", ".config"))


def _of_the_platform(mac: str, windows: tuple[str, str], other: tuple[str, str]) -> Path:
    """Kibitz's part of a folder: below ~/Library on a Mac, else what a variable says or a folder of the user's."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / mac / "kibitz"
    variable, folder = windows if sys.platform == "win32" else other
    usual = home / "AppData" / folder if sys.platform == "win32" else home / folder
    return Path(os.environ.get(variable) or usual) / "kibitz"


def bearoff_files() -> list[Path]:
    """The files of bearoff tables that are there."""
    return sorted((cache_folder() / "tables").glob("*-sided-*.kbt"))
