"""How commands are found and their words are read, quickly: a module is imported when its command is asked for.

Commands are declared for typer. Two things of it are replaced, since together they would take longer than the answer:
all modules would be imported for any of them, and each value would be read by pydantic. What is wrong with a value is
said in our words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperGroup
from typer.main import get_group

from kibitz.cli.help import help_text
from kibitz.cli.settings import default_of

COMMANDS: tuple[str, ...] = (
    "web",
    "hint",
    "cube",
    "eval",
    "rollout",
    "explain",
    "analyze",
    "quiz",
    "library",
    "study",
    "convert",
    "play",
    "bearoff",
    "race",
    "tables",
    "met",
    "show",
    "plays",
    "arena",
    "serve",
    "train",
    "bench",
    "config",
    "version",
    "man",
)
"""Modules of this package, in the order in which `kibitz --help` lists them."""

HELP_NAMES = {"help_option_names": ["-h", "--help"]}

CommandError: type[Exception] = typer.BadParameter.__mro__[2]
"""What typer raises where words cannot be understood: the root of its errors, whose place in typer has moved."""


class _Modules(MutableMapping[str, Any]):
    """The commands by name, each made of its module when it is asked for."""

    def __init__(self) -> None:
        self._added: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name in self._added:
            return self._added[name]
        if name not in COMMANDS:
            raise KeyError(name)
        return load_command(name)

    def __setitem__(self, name: str, command: Any) -> None:
        self._added[name] = command

    def __delitem__(self, name: str) -> None:
        del self._added[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*COMMANDS, *self._added))

    def __len__(self) -> int:
        return len(COMMANDS) + len(self._added)


class Commands(TyperGroup):
    """All commands."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = _Modules()

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context in which the words are read."""
        _adapt(self, ())
        return super().make_context(info_name, args, parent, **extra)


def load_command(name: str) -> Any:
    """A command made of its module: of the group `app`, or of what has the command's name."""
    own = typer.Typer(context_settings=HELP_NAMES, rich_markup_mode=None)
    module = import_module(f"kibitz.cli.{name}")
    found = getattr(module, "app", None) or getattr(module, name)
    if isinstance(found, typer.Typer):
        own.add_typer(found, name=name)
    else:
        own.command(name)(found)
    own.callback()(lambda: None)  # so that it is a group of one
    command = get_group(own).commands[name]
    _adapt(command, (name,))
    return command


def _adapt(command: Any, path: tuple[str, ...]) -> None:
    """Let a command and those below it read values and show help in our way, with the user's own defaults."""
    if path:  # those of the root are read when they are made
        for name, below in getattr(command, "commands", {}).items():
            _adapt(below, (*path, name))
    command.get_help = lambda context: help_text(command, context)
    command.get_help_option = _with_reader(command.get_help_option)
    if getattr(command, "no_args_is_help", False):
        command.parse_args = _with_help(command)
    command.context_settings = {**HELP_NAMES, **(command.context_settings or {})}
    function = getattr(command.callback, "__wrapped__", command.callback)
    hints = get_type_hints(function, include_extras=True) if function is not None else {}
    for param in command.params:
        kind = _kind(hints[param.name]) if param.name in hints else _FLAG
        if kind is not None:
            param.process_value = _reader(param, kind)
        if (wanted := default_of(path, param.opts)) is not None:
            param.default = wanted


def _with_help(command: Any) -> Callable[[Any, list[str]], Any]:
    """What reads the words of a group: where there are none, its help is the answer."""
    parse = command.parse_args

    def read(context: Any, args: list[str]) -> Any:
        if not args and not context.resilient_parsing:
            print(help_text(command, context))
            raise typer.Exit
        return parse(context, args)

    return read


# --- values -----------------------------------------------------------------------------------------------------------


class ParameterKind(NamedTuple):
    """What a parameter takes: a plain type, perhaps many of it, within limits."""

    type: type
    many: bool
    least: float | None
    most: float | None


_EXPECTED = {int: "a whole number", float: "a number"}
_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


_FLAG = ParameterKind(bool, many=False, least=None, most=None)


def _kind(annotation: Any) -> ParameterKind | None:
    """From an annotation; None for what typer has to read itself."""
    if get_origin(annotation) is not Annotated:
        return None
    plain, info = annotation.__origin__, annotation.__metadata__[0]
    if get_origin(plain) in (Union, UnionType):
        plain = next(one for one in get_args(plain) if one is not type(None))
    many = get_origin(plain) is list
    if many:
        (plain,) = get_args(plain)
    if plain not in (str, int, float, bool, Path):
        return None
    return ParameterKind(plain, many, getattr(info, "min", None), getattr(info, "max", None))


def _reader(param: Any, kind: ParameterKind) -> Callable[[Any, Any], Any]:
    """What reads the value of a parameter."""
    name = max(param.opts, key=len) if param.param_type_name == "option" else param.metavar or param.name.upper()

    def read(context: Any, value: Any) -> Any:
        if kind.many:
            value = [_read(name, one, kind) for one in value or ()]
        elif value is not None:
            value = _read(name, value, kind)
        if param.required and (value is None or value == []):
            raise typer.BadParameter(f"expected {name}", ctx=context)
        return value if param.callback is None else param.callback(context, param, value)

    return read


def _with_reader(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What makes the option --help, which is typer's own, with a reader of ours."""

    def made(context: Any) -> Any:
        option = make(context)
        if option is not None:
            option.process_value = _reader(option, _FLAG)
        return option

    return made


def _read(name: str, value: Any, kind: ParameterKind) -> Any:
    """One value, checked."""
    if kind.type is bool and isinstance(value, str):
        value = _FLAGS.get(value.lower(), value)
    try:
        read = value if kind.type is bool else kind.type(value)
    except ValueError:
        read = None
    low, high = kind.least, kind.most
    good = isinstance(read, kind.type if kind.type is not Path else object)
    if good and kind.type in _EXPECTED:
        good = (low is None or read >= low) and (high is None or read <= high)
    if good:
        return read
    expected = _EXPECTED.get(kind.type, "yes or no")
    if low is not None and high is not None:
        expected += f" from {low} to {high}"
    elif low is not None:
        expected += f" of at least {low}"
    elif high is not None:
        expected += f" of at most {high}"
    raise typer.BadParameter(f"{name} is {expected}, not {str(value)!r}")
