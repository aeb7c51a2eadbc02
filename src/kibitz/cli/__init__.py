"""The command line: thin commands that parse, call and print. One module a command, with what has its name or `app`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from kibitz.cli.commands import COMMANDS, HELP_NAMES, CommandError, Commands
from kibitz.errors import KibitzError

__all__ = ["COMMANDS", "app", "main"]

app = typer.Typer(
    name="kibitz",
    cls=Commands,
    help="A backgammon analysis engine: the best play and cube action, by how much, and why.\n\n"
    "Begin with kibitz web (all of it in the browser), kibitz play, or kibitz analyze MATCH.mat -o report.html.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_NAMES,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from kibitz.cli.version import version_line

        print(version_line())
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A backgammon analysis engine: the best play and cube action, by how much, and why."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. What cannot be done becomes one line on stderr and exit status 2."""
    from kibitz.cli.streams import tolerant_streams

    tolerant_streams()
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    """Do what the words say; the exit status."""
    try:
        code = typer.main.get_command(app).main(
            args=None if arguments is None else list(arguments), prog_name="kibitz", standalone_mode=False
        )
        sys.stdout.flush()
    except KibitzError as error:
        return _complain(str(error))
    except CommandError as error:
        return _complain(_usage_words(error))
    except SystemExit as done:
        if isinstance(done.__context__, BrokenPipeError):  # typer has seen it first
            return _complain_about(done.__context__)
        raise
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", 130)
    except OSError as error:
        return _complain_about(error)
    if code == 130:  # an interrupt that was caught on the way
        return _complain("interrupted", 130)
    return code if isinstance(code, int) else 0


def _complain(words: str, status: int = 2) -> int:
    """One line on stderr, whatever is in the words."""
    from kibitz.cli.streams import tell

    tell(" ".join(words.split()))
    return status


def _complain_about(error: OSError) -> int:
    """A reader of our output that went away, as `| head` does, or a disk or file that fails."""
    if isinstance(error, BrokenPipeError):
        import os

        # Python flushes what is left at its end, and would complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))


def _usage_words(error: Exception) -> str:
    """What typer says of words that it does not understand, in our way of writing."""
    message = str(getattr(error, "message", "") or error)
    context = getattr(error, "ctx", None)
    path = "kibitz" if context is None else context.command_path
    words = " ".join(message.split()).rstrip(".") or "something is missing"
    words = words[:1].lower() + words[1:]
    return f"{words} (see {path} --help)"
