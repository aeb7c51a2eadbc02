"""Help as plain text within 80 columns, and what pages of help are made of."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

WIDTH = 80
_INDENT = 2
_COLUMN = 24
"""Where descriptions begin; a longer name stands on a line of its own."""


class Entry(NamedTuple):
    """A name as it is written, and what it means."""

    name: str
    text: str


def usage(command: Any, context: Any) -> str:
    """How the command is written."""
    words = [context.command_path]
    if options(command, context):
        words.append("[OPTIONS]")
    words += [_usage_name(param) for param in command.params if param.param_type_name == "argument"]
    if hasattr(command, "list_commands"):
        words.append("[COMMAND]" if command.invoke_without_command else "COMMAND ...")
    return " ".join(words)


def arguments(command: Any) -> list[Entry]:
    """The arguments that have something to be said about them."""
    found = (param for param in command.params if param.param_type_name == "argument" and not param.hidden)
    return [Entry(_name(param), param.help or "") for param in found]


def options(command: Any, context: Any) -> list[Entry]:
    """The options with their defaults."""
    found = (param for param in command.get_params(context) if param.param_type_name == "option" and not param.hidden)
    return [Entry(_option_name(param), _option_text(param, context)) for param in found]


def commands(command: Any, context: Any) -> Iterator[tuple[str, Any]]:
    """The commands below, by name."""
    if hasattr(command, "list_commands"):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield name, below


def summary(command: Any) -> str:
    """What a command does, in one line."""
    return str(command.short_help or command.help or "").partition("\n")[0]


def help_text(command: Any, context: Any) -> str:
    """The whole help of a command."""
    lines = textwrap.wrap(f"Usage: {usage(command, context)}", WIDTH, subsequent_indent=" " * 7, break_on_hyphens=False)
    for paragraph in (command.help or "").split("\n\n"):
        lines += ["", *textwrap.wrap(" ".join(paragraph.split()), WIDTH, break_on_hyphens=False)]
    sections = (
        ("Arguments", arguments(command)),
        ("Options", options(command, context)),
        ("Commands", [Entry(name, summary(below)) for name, below in commands(command, context)]),
    )
    for title, entries in sections:
        if entries:
            lines += ["", f"{title}:"]
            for entry in entries:
                lines += _entry_lines(entry)
    return "\n".join(lines)


def _entry_lines(entry: Entry) -> list[str]:
    head = " " * _INDENT + entry.name
    lines = textwrap.wrap(
        entry.text, WIDTH, initial_indent=" " * _COLUMN, subsequent_indent=" " * _COLUMN, break_on_hyphens=False
    )
    if not lines:
        return [head]
    if len(head) > _COLUMN - 2:
        return [head, *lines]
    return [head + lines[0][len(head) :], *lines[1:]]


def _name(param: Any) -> str:
    name = param.metavar or param.name.upper()
    return name if param.nargs == 1 or name.endswith(("...", "…", "]")) else f"{name}..."


def _usage_name(param: Any) -> str:
    name = _name(param)
    return name if param.required or name.startswith("[") else f"[{name}]"


def _option_name(param: Any) -> str:
    names = ", ".join(sorted(param.opts, key=len))
    if param.secondary_opts:
        names += " / " + ", ".join(param.secondary_opts)
    if param.is_flag:
        return names
    kind = param.metavar or _type_name(param)
    return f"{names} {kind}"


def _type_name(param: Any) -> str:
    """What stands for the value of an option."""
    default = param.default[0] if isinstance(param.default, list | tuple) and param.default else param.default
    if getattr(param, "min", None) is not None or getattr(param, "max", None) is not None:
        return "N"
    return "N" if isinstance(default, int | float) else "TEXT"


def _option_text(param: Any, context: Any) -> str:
    text = param.help or ""
    default = param.get_default(context, call=False)
    if param.is_flag and param.secondary_opts and default is not None:
        chosen = param.opts if default else param.secondary_opts
        return f"{text} [{chosen[0].lstrip('-')}]"
    if default is None or param.is_flag or param.show_default is False or default == "":
        return text
    shown = ", ".join(map(str, default)) if isinstance(default, list | tuple) else str(default)
    return f"{text} [{shown}]" if shown else text
