"""The command line: thin commands that parse, call and print. One module a command, each with a `register(app)`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from kibitz.errors import KibitzError

COMMANDS: tuple[str, ...] = (
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
)
"""Modules of this package, in the order in which `kibitz --help` lists them."""

app = typer.Typer(
    name="kibitz",
    help="A backgammon analysis engine: the best play and cube action, by how much, and why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from kibitz import build_info

        info = build_info()
        print(f"kibitz {info['version']} ({info['instruction_set']}, {info['compiler']})")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A backgammon analysis engine: the best play and cube action, by how much, and why."""


for _command in COMMANDS:
    import_module(f"kibitz.cli.{_command}").register(app)


def main() -> None:
    """Run the command line. Errors of ours become one line on stderr and exit status 2."""
    try:
        app()
    except KibitzError as error:
        print(f"kibitz: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output went away, as `| head` does. Nothing is wrong.
        sys.stderr.close()
        sys.exit(0)
    except KeyboardInterrupt:
        print("kibitz: interrupted", file=sys.stderr)
        sys.exit(130)
