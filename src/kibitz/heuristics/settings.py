"""The weights of the hand-made engines, and how they are read from a TOML file or from the command line."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

from kibitz.errors import EngineError
from kibitz.plain_json import PlainData


@dataclass(frozen=True, slots=True)
class Settings(PlainData):
    """What both engines' settings have in common."""

    section: ClassVar[str]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = _checked(self.section, field.name, getattr(self, field.name), _is_flag(field.type))
            object.__setattr__(self, field.name, value)

    @classmethod
    def names(cls) -> list[str]:
        """The names of all settings."""
        return [field.name for field in fields(cls)]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Settings with some values other than the default ones. Unknown names are refused."""
        unknown = [name for name in values if name not in cls.names()]
        if unknown:
            raise EngineError(
                f"{cls.section} has no setting {', '.join(map(repr, unknown))}; it has {', '.join(cls.names())}"
            )
        return cls(**values)

    @classmethod
    def read(cls, file: Path | None = None, assignments: Sequence[str] = ()) -> Self:
        """Settings from a TOML file and from texts such as 'blots=1.1' or 'tabula.blots=1.1', which win over the file.

        The file has a section for each engine, [tabula] or [ten-factor], or names of this engine's settings alone.
        """
        values = {} if file is None else _from_file(file, cls.section)
        values.update(_from_assignment(text, cls) for text in assignments)
        return cls.of(values)

    def weights(self) -> list[float]:
        """All values in order, as the native core takes them."""
        return [float(getattr(self, name)) for name in self.names()]


@dataclass(frozen=True, slots=True)
class TabulaSettings(Settings):
    """tabula's weights. The score is better the lower it is, so what is bad has a positive weight."""

    section: ClassVar[str] = "tabula"

    pips: float = 1.0
    blots: float = 1.03
    hits: float = -0.5
    opponent: float = -3.0
    opponent_spaces: bool = False  # whether blots and hits are valued by the opponent's number of their space


@dataclass(frozen=True, slots=True)
class TenFactorSettings(Settings):
    """The ten weights. The score is better the higher it is, so what is bad has a negative weight."""

    section: ClassVar[str] = "ten-factor"

    blots: float = -0.25
    hits: float = 0.3
    points: float = 0.3
    pips: float = 0.2
    home: float = 0.1
    prime: float = 0.15
    builders: float = 0.35
    stack: float = -0.08
    opponent_blots: float = 0.08
    high_roll: float = 0.06


SECTIONS = (TabulaSettings.section, TenFactorSettings.section)


def read_both(file: Path | None = None, assignments: Sequence[str] = ()) -> tuple[TenFactorSettings, TabulaSettings]:
    """The settings of both engines, from the sections of a TOML file and from texts such as 'tabula.blots=1.1'.

    Both have settings of the same name, so each has to say whose it is.
    """
    if file is not None and (plain := [name for name, value in _load(file).items() if not isinstance(value, dict)]):
        names = ", ".join(map(repr, plain))
        raise EngineError(
            f"the settings file {str(file)!r} has {names} outside of [{'] and ['.join(SECTIONS)}]: whose setting is it?"
        )
    given: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for text in assignments:
        section, dot, _ = text.partition("=")[0].strip().partition(".")
        if not dot or section not in given:
            raise EngineError(
                f"a setting is given as ENGINE.NAME=VALUE, such as {SECTIONS[0]}.blots=1.1 or {SECTIONS[1]}.hits=0.5, "
                f"not {text!r}"
            )
        given[section].append(text)
    return (
        TenFactorSettings.read(file, given[TenFactorSettings.section]),
        TabulaSettings.read(file, given[TabulaSettings.section]),
    )


def _is_flag(annotation: Any) -> bool:
    return annotation in (bool, "bool")


def _checked(section: str, name: str, value: Any, is_flag: bool) -> float | bool:
    if is_flag:
        if isinstance(value, bool):
            return value
        raise EngineError(f"{section}'s setting {name!r} must be true or false, not {value!r}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise EngineError(f"{section}'s setting {name!r} must be a number, not {value!r}")
    return float(value)


def _load(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise EngineError(f"cannot read the settings file {str(file)!r}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise EngineError(f"the settings file {str(file)!r} is not TOML: {error}") from None


def _from_file(file: Path, section: str) -> dict[str, Any]:
    data = _load(file)
    sections = {name: value for name, value in data.items() if isinstance(value, dict)}
    unknown = [name for name in sections if name not in SECTIONS]
    if unknown:
        names = ", ".join(map(repr, unknown))
        raise EngineError(f"the settings file {str(file)!r} has a section {names}; known are {', '.join(SECTIONS)}")
    plain = {name: value for name, value in data.items() if name not in sections}
    return plain | sections.get(section, {})


def _from_assignment(text: str, settings: type[Settings]) -> tuple[str, float | bool]:
    name, equals, value = (part.strip() for part in text.partition("="))
    name = name.removeprefix(f"{settings.section}.")
    if not (name and equals and value):
        raise EngineError(f"a setting is given as NAME=VALUE, such as {settings.names()[1]}=1.1, not {text!r}")
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    try:
        return name, float(value)
    except ValueError:
        raise EngineError(f"{settings.section}'s setting {name!r} must be a number, not {value!r}") from None
