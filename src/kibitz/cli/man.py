"""kibitz man: the manual page, made of the help of all commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from kibitz.cli.help import Entry, arguments, commands, options, summary, usage
from kibitz.cli.settings import SETTINGS

_FILES = (
    Entry("config.toml", "Your own defaults; kibitz config path tells where it is."),
    Entry("the cache directory", "Tables and reviews that were made; kibitz version tells where it is."),
)
_VARIABLES = (
    Entry("KIBITZ_CONFIG", "The file of your own defaults."),
    Entry("KIBITZ_CACHE", "Where tables and reviews are kept."),
    Entry("KIBITZ_KEY", "The API key for a server that is named by http://HOST:PORT."),
    Entry("KIBITZ_GNUBG", "The program gnubg, where it is not on the path."),
    Entry("NO_COLOR", "Set, to any value: no colours, unless --color always is given."),
)
_STATUS = (
    Entry("0", "Done."),
    Entry("2", "It could not be done, or was not understood; one line on stderr says why."),
    Entry("130", "It was interrupted."),
)


def man(context: typer.Context) -> None:
    """Print the manual page kibitz(1), as man and groff read it: kibitz man | man -l -."""
    print(manual_page(context.find_root()), end="")


def manual_page(root: Any) -> str:
    """The page of all commands."""
    command = root.command
    lines = [
        '.TH KIBITZ 1 "" "Kibitz" "User Commands"',
        ".SH NAME",
        f"kibitz \\- {_escaped(_uncapitalised(summary(command)))}",
    ]
    lines += [".SH SYNOPSIS", f".B {_escaped(usage(command, root))}", ".SH DESCRIPTION"]
    for paragraph in (command.help or "").split("\n\n"):
        lines += [_escaped(paragraph), ".PP"]
    lines.append(
        "A POSITION is a Position ID, POSITIONID:MATCHID, an XGID, a FIBS board, a position file, or \\- for what "
        "comes on standard input. A FILE may be a folder. Every command has \\-\\-help."
    )
    lines += [".SH OPTIONS", *_list(options(command, root)), ".SH COMMANDS"]
    for name, below in commands(command, root):
        lines += _command(below, root, name)
    lines += [
        ".SH ENVIRONMENT",
        *_list(
            (
                *_VARIABLES,
                *(Entry(one.variable, f"As kibitz config set {one.name}: {one.help}.") for one in SETTINGS.values()),
            )
        ),
    ]
    lines += [".SH FILES", *_list(_FILES), ".SH EXIT STATUS", *_list(_STATUS)]
    return "\n".join(lines) + "\n"


def _command(command: Any, parent: Any, name: str) -> Iterator[str]:
    """A command, and those below it."""
    with type(parent)(command, parent=parent, info_name=name) as context:
        yield f'.SS "{_escaped(usage(command, context))}"'
        yield _escaped(" ".join((command.help or "").split()))
        yield from _list([*arguments(command), *(one for one in options(command, context) if "--help" not in one.name)])
        for below_name, below in commands(command, context):
            yield from _command(below, context, below_name)


def _list(entries: Any) -> Iterator[str]:
    for entry in entries:
        yield ".TP"
        yield f".B {_escaped(entry.name)}"
        yield _escaped(entry.text)


def _escaped(text: str) -> str:
    """Text in which nothing is taken for a request."""
    clean = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "\\&...")
    return f"\\&{clean}" if clean.startswith((".", "'")) else clean


def _uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:]
