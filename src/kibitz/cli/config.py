"""kibitz config: your own defaults."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli.common import JsonOption, print_json
from kibitz.cli.settings import SETTINGS, Setting, config_file, configured, file_values, write
from kibitz.errors import EngineError

config = typer.Typer(
    no_args_is_help=True,
    help="Your own defaults: show, set and unset them. Environment variables such as KIBITZ_PLIES come first.",
)

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help=f"One of {', '.join(SETTINGS)}.", autocompletion=lambda: list(SETTINGS))
]


def _setting(name: str) -> Setting:
    if name not in SETTINGS:
        raise EngineError(f"there is no setting {name!r}; expected {', '.join(SETTINGS)}")
    return SETTINGS[name]


@config.command()
def show(json: JsonOption = False) -> None:
    """Show all settings: what each is, and where that was set."""
    found = {name: configured(setting) for name, setting in SETTINGS.items()}
    unknown = [name for name in file_values() if name not in SETTINGS]
    if json:
        values = {
            name: {"value": None, "from": None} if one is None else {"value": one[0], "from": one[1]}
            for name, one in found.items()
        }
        print_json({"file": str(config_file()), "settings": values, "unknown": unknown})
        return
    for name, one in found.items():
        value, where = ("-", SETTINGS[name].help) if one is None else (str(one[0]), f"({one[1]})")
        print(f"{name:14}{value:13} {where}")
    for name in unknown:
        print(f"{name:14}is no setting of Kibitz ({config_file()})")


@config.command(name="set")
def set_value(
    name: NameArgument, value: Annotated[str, typer.Argument(metavar="VALUE", help="The new default.")]
) -> None:
    """Set a default; from now on it counts where the option is not given."""
    setting = _setting(name)
    path = write(name, setting.read(_checked(setting, value), "the command"))
    print(f"{name} = {value} -> {path}")


@config.command()
def unset(name: NameArgument) -> None:
    """Take a default back."""
    _setting(name)
    if name not in file_values():
        raise EngineError(f"{name} is not set in {config_file()}")
    print(f"{name} unset -> {write(name, None)}")


@config.command()
def path() -> None:
    """Tell where the file is."""
    print(config_file())


def _checked(setting: Setting, value: str) -> str:
    """The value, where a word has to be one that is known: refused now rather than at its first use."""
    if setting.name == "play-level":
        from kibitz.engine.levels import Level

        return Level.of(value).name
    if setting.name == "review-level":
        from kibitz.analysis.levels import ReviewLevel

        ReviewLevel.of(value)
    elif setting.name == "preset":
        from kibitz.rollout.settings import Preset

        Preset.of(value)
    elif setting.name == "filter":
        from kibitz.engine.filters import MoveFilter

        MoveFilter.of(value)
    elif setting.name == "met":
        from kibitz.match_equity import MatchEquityTable

        MatchEquityTable.named(value)
    elif setting.name == "engine" and not value.startswith(("http://", "https://")):
        from kibitz.cli.hint import ENGINES

        if value not in ENGINES:
            raise EngineError(f"there is no engine {value!r}; there are {', '.join(ENGINES)}, or http://HOST:PORT")
    return value
