"""The user's own defaults: a TOML file in the configuration folder, and environment variables before it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from kibitz.errors import EngineError
from kibitz.folders import config_folder

Value = str | int | float


@dataclass(frozen=True, slots=True)
class Setting:
    """A default that can be set: the option it is the default of, in which commands, and what it may be.

    Without `commands` it counts wherever there is such an option.
    """

    name: str
    option: str
    help: str
    kind: type[str] | type[int] | type[float] = str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """The environment variable that says the same, and is asked first."""
        return "KIBITZ_" + self.name.upper().replace("-", "_")

    @property
    def expected(self) -> str:
        """What it may be, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        words = {int: "a whole number", float: "a number", str: "some text"}[self.kind]
        if self.most is not None:
            return f"{words} from {self.least} to {self.most}"
        return words if self.least is None else f"{words} of at least {self.least}"

    def read(self, given: object, where: str) -> Value:
        """A value from a file, a variable or the command line, checked."""
        good: Value | None = None
        try:
            if not isinstance(given, bool):
                good = self.kind(str(given)) if self.kind is not str else str(given)
        except ValueError:
            pass
        if good is not None and self.kind is str:
            good = good if good and (not self.choices or good in self.choices) and str(good).isprintable() else None
        elif good is not None and not (self.least or 0) <= float(good) <= (self.most or 1e12):
            good = None
        if good is None:
            raise EngineError(f"{self.name} in {where} is {self.expected}, not {str(given)!r}")
        return good


REVIEWS = ("analyze", "quiz", "library review")
SETTINGS: dict[str, Setting] = {
    one.name: one
    for one in (
        Setting(
            "engine", "--engine", "who is asked: neural, ten-factor, tabula or http://HOST:PORT", commands=("hint",)
        ),
        Setting(
            "plies",
            "--plies",
            "how far to look ahead",
            int,
            0,
            7,
            commands=("hint", "cube", "eval", "explain", "serve ubgi", "serve gnubg", "serve bei", "serve http"),
        ),
        Setting("filter", "--filter", "which plays get the deep look", commands=("hint",)),
        Setting("met", "--met", "the match equity table"),
        Setting("nets", "--nets", "a folder of other nets", commands=("hint", "cube", "eval", "rollout", "play")),
        Setting("threads", "--threads", "cores to use; 0 for all", int, 0, 1024),
        Setting("cache-mb", "--cache", "memory for remembered evaluations", float, 0, commands=("hint", "cube")),
        Setting("preset", "--preset", "how rollouts are played", commands=("rollout",)),
        Setting("review-level", "--level", "how deep reviews look", commands=REVIEWS),
        Setting(
            "scale", "--scale", "the scale of ratings", choices=("pr", "error-rate", "both"), commands=("analyze",)
        ),
        Setting("play-level", "--level", "the opponent of kibitz play", commands=("play",)),
        Setting("name", "--name", "your name in matches that you play", commands=("play",)),
        Setting("library", "--library", "the file or URL of your library"),
        Setting("color", "--color", "when to use colour", choices=("auto", "always", "never")),
        Setting("theme", "--theme", "the colours of boards", choices=("light", "dark", "wood", "contrast")),
    )
}
"""All defaults that can be set, by name."""


def config_file() -> Path:
    """$KIBITZ_CONFIG, else config.toml in the platform's folder for a user's configuration."""
    if own := os.environ.get("KIBITZ_CONFIG"):
        return Path(own)
    return config_folder() / "config.toml"


def file_values(path: Path | None = None) -> dict[str, Any]:
    """What the file says, as it stands there; nothing where there is none."""
    path = path or config_file()
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return {}
    return _parsed(path, changed)


@lru_cache(maxsize=4)
def _parsed(path: Path, changed: int) -> dict[str, Any]:  # noqa: ARG001 - a file that changed is read again
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EngineError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # no TOML, or no UTF-8
        raise EngineError(f"{path}: this is not TOML: {error}") from None


def configured(setting: Setting) -> tuple[Value, str] | None:
    """The value of a setting and where it comes from; None where nobody set it."""
    if (given := os.environ.get(setting.variable)) not in (None, ""):
        where = f"${setting.variable}"
        return setting.read(given, where), where
    path = config_file()
    if (kept := file_values(path).get(setting.name)) is None:
        return None
    return setting.read(kept, str(path)), str(path)


def default_of(path: tuple[str, ...], options: list[str]) -> Value | None:
    """What the user wants an option of a command to be by default; None where that is left to the command."""
    command = " ".join(path)
    for setting in SETTINGS.values():
        if setting.option in options and (not setting.commands or command in setting.commands):
            found = configured(setting)
            return None if found is None else found[0]
    return None


# --- changing the file ------------------------------------------------------------------------------------------------


def write(name: str, value: Value | None) -> Path:
    """Set a value in the file, or take it out; comments and all else stay as they are."""
    from kibitz.files import write_file

    path = config_file()
    file_values(path)  # what cannot be read is not written over
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    own = re.compile(rf"\s*{re.escape(name)}\s*=")
    kept = [line for line in lines if not own.match(line)]
    place = next((number for number, line in enumerate(lines) if own.match(line)), None)
    if value is not None:
        if place is None:  # before the first section, where it would mean something else
            place = next((number for number, line in enumerate(kept) if line.lstrip().startswith("[")), len(kept))
        kept.insert(place, f"{name} = {_toml(value)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EngineError(f"{path.parent}: cannot be made: {error.strerror}") from None
    write_file(path, "".join(f"{line}\n" for line in kept))
    _parsed.cache_clear()
    return path


def _toml(value: Value) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return repr(value)
