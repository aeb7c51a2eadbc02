"""The command line as a whole: one line for what is wrong, help, defaults, completion, the manual page, terminals."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import kibitz
from kibitz.cli import COMMANDS, _run, app
from kibitz.cli.help import WIDTH
from kibitz.cli.settings import SETTINGS

START = "4HPwATDgc/ABMA"
MANUAL = Path(__file__).parents[2] / "docs" / "kibitz.1"


@pytest.fixture(autouse=True)
def own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the user's own file."""
    for setting in SETTINGS.values():
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setenv("KIBITZ_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path / "config.toml"


def run(*words: str, input: str | None = None) -> str:
    result = CliRunner().invoke(app, list(words), input=input, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def process(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "kibitz", *words],
        capture_output=True,
        env=os.environ | environment,
        check=False,
    )


# --- what is wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["hnt"], "no such command 'hnt'. Did you mean 'hint'? (see kibitz --help)"),
        (["hint"], "expected POSITION (see kibitz hint --help)"),
        (["hint", START, "--foo"], "no such option: --foo (see kibitz hint --help)"),
        (["hint", START, "--plies"], "option '--plies' requires an argument (see kibitz"),
        (["hint", START, "31", "--plies", "x"], "--plies is a whole number from 0 to 7, not 'x'"),
        (["hint", START, "31", "--plies", "9"], "--plies is a whole number from 0 to 7, not '9'"),
        (["hint", START, "31", "--noise", "2"], "--noise is a number from 0 to 1, not '2'"),
        (["hint", START, "31", "extra"], "(extra) (see kibitz hint --help)"),
        (["hint", START, "31", "--color", "red"], "--color is one of auto, always, never, not 'red'"),
        (["hint", START, "31", "--theme", "red"], "no theme is called 'red'; expected light, wood, dark, contrast"),
        (["hint", START, "31", "--engine", "red"], "there is no engine 'red'; there are neural, ten-factor, tabula"),
        (["met", "equity", "3"], "expected THEIR_AWAY (see kibitz met equity --help)"),
        (["hint", "-"], "expected a position on standard input, which is empty"),
        (["train", "hello.txt"], "hello.txt"),
        (["config", "set", "plies", "9"], "plies in the command is a whole number from 0 to 7, not '9'"),
        (["config", "set", "ply", "2"], "there is no setting 'ply'; expected engine, plies"),
        (["config", "unset", "plies"], "plies is not set in"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    words: list[str], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hello.txt").write_text("hello\n")
    (tmp_path / "empty").write_text("")
    with (tmp_path / "empty").open() as empty:
        monkeypatch.setattr(sys, "stdin", empty)
        assert _run(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("kibitz: ")
    assert told.err.count("\n") == 1
    assert line in told.err


@pytest.mark.parametrize("words", [[], ["config"], ["met"], ["library"], ["arena"], ["tables"], ["serve"]], ids=str)
def test_a_group_alone_shows_its_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """It is what somebody types who does not know the words yet: no complaint, and not in one line."""
    assert _run(words) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.startswith(f"Usage: {' '.join(['kibitz', *words])} [OPTIONS] COMMAND ...\n")
    assert "\nCommands:\n" in told.out


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes streams")
def test_streams_that_are_closed_are_none() -> None:
    """As `kibitz ... >&-` in a script leaves them, or a service without a terminal."""
    program = f"exec {sys.executable} -m kibitz"
    for line, code in (
        (f"{program} plays {START} 66 >&-", 0),
        (f"{program} plays {START} 6 2>&-", 2),
        (f"{program} hint - <&-", 2),
        (f"{program} play --no-save <&-", 0),
    ):
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr


INTERRUPTED = (130, "", "kibitz: interrupted\n")


def test_an_interrupt_at_any_import_is_one_line() -> None:
    """Given Ctrl-C at one of the imports of a command, the first or the last; then it is told, and nothing else."""
    code = """
import runpy, signal, sys

class Interrupting:
    def __init__(self, place):
        self.left = place

    def find_spec(self, name, *_):
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)

import kibitz
sys.meta_path.insert(0, Interrupting(int(sys.argv.pop(1))))
runpy.run_module("kibitz", run_name="__main__")
"""
    running = {
        place: subprocess.Popen(
            [sys.executable, "-c", code, str(place), "hint", START, "31"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for place in (*range(2, 20, 3), *range(20, 190, 10))
    }
    told = {place: (*one.communicate(), one.returncode) for place, one in running.items()}
    assert {place: (code, out, err) for place, (out, err, code) in told.items()} == dict.fromkeys(told, INTERRUPTED)


@pytest.mark.skipif(sys.platform == "win32", reason="there a process is not interrupted by a signal")
def test_an_early_interrupt_of_the_installed_program_is_one_line() -> None:
    """Given the program in the path, interrupted at 40 moments of its first half second.

    Before Python calls us, what it prints is its own; afterwards it is one line, or the answer came first.
    """
    program = Path(sys.executable).with_name("kibitz")
    package = str(Path(kibitz.__file__).parent)
    told = []
    for moment in range(40):
        line = [str(program), "hint", START, "31"]
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as one:
            time.sleep(0.012 * moment)
            one.send_signal(signal.SIGINT)
            answer, error = one.communicate()
        told.append((one.returncode, answer, error))
        assert f'File "{package}' not in error
        assert one.returncode in (0, 130) or "kibitz: " not in error
    assert INTERRUPTED in told


def test_names_of_files_do_nothing_to_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that somebody sends may hold names with escapes, or bytes that are no text."""
    if sys.platform != "linux":
        pytest.skip("other systems refuse such names")
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    folder = os.fsencode(tmp_path / "sent")
    Path(os.fsdecode(folder)).mkdir()
    escape = b"\x1b]0;owned\x07"
    text = b" 5 point match\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/4\n"  # whose play is warned about
    for name, data in ((b"a\xe4" + escape, text), (b"b" + escape, text), (b"c" + escape, b"?")):
        Path(os.fsdecode(folder + b"/" + name + b".mat")).write_bytes(data)
    for words in (
        ["analyze", os.fsdecode(folder), "--level", "fast"],
        ["analyze", os.fsdecode(folder), "--level", "fast", "--csv"],
        ["convert", os.fsdecode(folder + b"/b" + escape + b".mat"), "-", "--to", "sgf"],
        ["library", "import", os.fsdecode(folder), "--library", str(tmp_path / "library.db")],
    ):
        done = process(*words)
        assert done.returncode == (0 if words[0] == "convert" else 2), done.stderr
        assert b"owned" in done.stdout + done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
        assert b"\x07" not in done.stdout + done.stderr
        assert b"Traceback" not in done.stderr


def test_a_reader_who_goes_away_is_no_error() -> None:
    """As `| head -1` does."""
    command = [sys.executable, "-m", "kibitz", "plays", START, "66", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0


def test_a_full_disk_is_told_in_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "kibitz", "plays", START, "66"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"No space left" in done.stderr


def test_every_letter_can_be_printed_on_an_ascii_terminal(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "examples" / "sample.mat").read_text()
    path = tmp_path / "müller.mat"
    path.write_text(text.replace("Ada", "Müller…"), encoding="utf-8")
    environment = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "KIBITZ_CACHE": str(tmp_path)}
    done = process("analyze", str(path), "--level", "fast", "--top", "1", **environment)
    assert done.returncode == 0, done.stderr
    assert b"M?ller..." in done.stdout
    done = process("convert", str(path), "-", "--to", "json", **environment)
    assert done.returncode == 0, done.stderr
    done = process("convert", str(path), str(tmp_path / "b.sgf"), "--json", **environment)
    assert done.returncode == 0, done.stderr
    assert b"M\\u00fcller\\u2026" in done.stdout


# --- help -------------------------------------------------------------------------------------------------------------


def _pages() -> list[list[str]]:
    """The words of every command that there is."""
    from typer.main import get_command

    from kibitz.cli.help import commands

    def below(command: Any, context: Any, path: list[str]) -> list[list[str]]:
        found = [path]
        for name, one in commands(command, context):
            with type(context)(one, parent=context, info_name=name) as inner:
                found += below(one, inner, [*path, name])
        return found

    root = get_command(app)
    with root.make_context("kibitz", ["bench"], resilient_parsing=True) as context:
        return below(root, context, [])


def test_help_has_80_columns_and_no_signs_of_its_making() -> None:
    pages = _pages()
    assert len(pages) > 60
    for words in pages:
        text = run(*words, "--help")
        assert text.startswith(f"Usage: {' '.join(['kibitz', *words])}")
        assert "[[" not in text
        assert not re.search(r"<\w+>", text), text
        assert max(map(len, text.splitlines())) <= WIDTH
        assert "╭" not in text


def test_help_tells_engines_and_defaults() -> None:
    text = " ".join(run("hint", "--help").split())
    assert "--engine NAME neural, ten-factor, tabula, or http://HOST:PORT. [neural]" in text
    assert "Usage: kibitz hint [OPTIONS] POSITION [DICE]" in text
    assert "How many plays to print. [10]" in text
    assert "--pruning / --no-pruning" in text
    for name in COMMANDS:
        assert f"\n  {name} " in run("--help")


def test_only_the_module_of_the_command_is_imported() -> None:
    """What makes a start slow: pydantic, rich and numpy, and the modules of all other commands."""
    code = (
        "import sys; from kibitz.cli import _run; code = _run(sys.argv[1:]); "
        "slow = {'numpy', 'pydantic', 'rich', 'jinja2', 'sqlalchemy', 'asyncio', 'kibitz.cli.library', "
        "'kibitz.cli.arena', 'xml.etree'}; print(code, *sorted(slow & set(sys.modules)))"
    )
    for words in (["hint", START, "31", "--plies", "0"], ["cube", START, "--plies", "0"], ["eval", START]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"KIBITZ_CACHE": os.devnull},
        )
        assert done.stdout.splitlines()[-1] == "0", done.stdout.splitlines()[-1]


# --- version, manual page, completion ---------------------------------------------------------------------------------


def test_the_version_is_told() -> None:
    text = run("version")
    assert text.startswith("kibitz ")
    assert "instruction set" in text
    assert run("--version").split()[1] == text.split()[1]
    assert '"python"' in run("version", "--json")


def test_the_manual_page_is_that_of_the_help() -> None:
    """`kibitz man > docs/kibitz.1` writes it anew."""
    page = run("man")
    assert page == MANUAL.read_text(encoding="utf-8"), "kibitz man > docs/kibitz.1"
    assert all(f'.SS "kibitz {name}' in page for name in COMMANDS)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("kibitz hi", ["hint"]),
        ("kibitz config set pl", ["plies", "play-level"]),
        ("kibitz hint --engine t", ["ten-factor", "tabula"]),
        ("kibitz hint X --them", ["--theme"]),
        ("kibitz play --level b", ["beginner"]),
        ("kibitz rollout --preset q", ["quick"]),
    ],
)
def test_the_shell_completes_commands_options_and_values(typed: str, expected: list[str]) -> None:
    words = typed.split()
    environment = {"_KIBITZ_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    code = "import sys; from kibitz.cli import main; sys.argv[0] = 'kibitz'; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | environment)
    assert done.stdout.split() == expected, done.stderr


# --- the user's own defaults ------------------------------------------------------------------------------------------


def test_defaults_are_set_shown_used_and_taken_back(own_config: Path) -> None:
    assert run("config", "path").strip() == str(own_config)
    run("config", "set", "plies", "0")
    run("config", "set", "theme", "dark")
    assert own_config.read_text() == 'plies = 0\ntheme = "dark"\n'
    assert "at 0 plies" in run("cube", START)
    assert "at 1 ply" in run("cube", START, "--plies", "1")  # what is asked for counts
    assert re.search(rf"^plies +0 +\({re.escape(str(own_config))}\)$", run("config", "show"), re.MULTILINE)
    assert "how far to look ahead" not in run("config", "show")
    run("config", "set", "library", "/a/folder/with/a/library.db")
    assert f"library       /a/folder/with/a/library.db ({own_config})" in run("config", "show")
    run("config", "unset", "library")
    run("config", "unset", "plies")
    assert own_config.read_text() == 'theme = "dark"\n'
    assert "at 2 plies" in run("cube", START)


def test_the_environment_comes_before_the_file(own_config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_config.write_text("# mine\nplies = 1\n\n[other]\nx = 1\n")
    monkeypatch.setenv("KIBITZ_PLIES", "0")
    assert "at 0 plies" in run("cube", START)
    assert re.search(r"^plies +0 +\(\$KIBITZ_PLIES\)$", run("config", "show"), re.MULTILINE)
    run("config", "set", "threads", "1")
    assert own_config.read_text() == "# mine\nplies = 1\n\nthreads = 1\n[other]\nx = 1\n"
    monkeypatch.setenv("KIBITZ_PLIES", "")
    assert "at 1 ply" in run("cube", START)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("plies = 9\n", "plies in .* is a whole number from 0 to 7, not '9'"),
        ("plies = true\n", "plies in .* is a whole number from 0 to 7, not 'True'"),
        ('threads = "many"\n', "threads in .* is a whole number from 0 to 1024, not 'many'"),
        ("plies = \n", "config.toml: this is not TOML"),
        ("color = 'sometimes'\n", "color in .* is one of auto, always, never, not 'sometimes'"),
    ],
)
def test_bad_values_in_the_file_are_refused_in_one_line(
    own_config: Path, content: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own_config.write_text(content)
    assert _run(["hint", START, "31"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert re.search(message, told.err)


def test_a_default_engine_minds_no_default_depth(own_config: Path) -> None:
    own_config.write_text('engine = "tabula"\nplies = 3\n')
    assert "tabula: " in run("hint", START, "31")
    own_config.write_text("plies = 3\n")
    assert "tabula: " in run("hint", START, "31", "--engine", "tabula")


def test_every_setting_is_the_default_of_an_option_that_exists() -> None:
    from kibitz.cli.commands import load_command

    options = {}
    for name in COMMANDS:
        command = load_command(name)
        options[name] = {option for param in command.params for option in param.opts}
        for below, inner in getattr(command, "commands", {}).items():
            options[f"{name} {below}"] = {option for param in inner.params for option in param.opts}
    for setting in SETTINGS.values():
        wanted = setting.commands or [name for name, found in options.items() if setting.option in found]
        assert wanted
        for command in wanted:
            assert setting.option in options[command], f"{command} has no {setting.option}"


# --- colour and boards ------------------------------------------------------------------------------------------------


def test_colour_is_used_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (["show", START], ["hint", START, "31", "--plies", "0"]):
        assert "\x1b[" not in run(*words)  # no terminal
        assert "\x1b[" in run(*words, "--color", "always")
        night = run(*words, "--color", "always", "--theme", "dark")
        assert night != run(*words, "--color", "always")
        assert re.sub(r"\x1b\[[\d;]*m", "", night) == run(*words)
        assert "\x1b[" not in run(*words, "--color", "never")
    from kibitz.report.terminal import wants_colour

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert wants_colour()
    assert not wants_colour("never")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour()
    assert wants_colour("always")


def test_a_hint_shows_the_board() -> None:
    text = run("hint", START, "31", "--plies", "0")
    assert text.startswith(" +13-14-15-16-17-18------19-20-21-22-23-24-+  O  the opponent\n")
    assert "X  to play 31" in text
    assert "neural: 4HPwATDgc/ABMA with 31" in text
    assert run("hint", START, "31", "--plies", "0", "--no-board").startswith("neural: ")
    assert run("hint", START, "31", "--engine", "tabula").startswith(" +13")


def test_a_picture_goes_to_standard_output() -> None:
    assert run("show", START, "--svg", "-").startswith("<svg ")
    assert "#14181d" in run("show", START, "--svg", "-", "--theme", "dark")


@pytest.mark.parametrize("words", [["show"], ["eval", "--plies", "0"], ["plays", "-", "31"], ["hint", "-", "31"]])
def test_a_position_comes_from_standard_input(words: list[str]) -> None:
    command, *rest = words
    text = run(command, *(rest if "-" in rest else ["-", *rest]), input=f"{START}\n")
    assert START in text


def test_a_match_is_not_converted_onto_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "match.mat"
    source.write_bytes((Path(__file__).parents[2] / "examples" / "sample.mat").read_bytes())
    before = source.read_bytes()
    (tmp_path / "link.mat").symlink_to(source)
    for target in (source, tmp_path / "link.mat", tmp_path / "." / "match.mat"):
        assert _run(["convert", str(source), str(target)]) == 2
        assert "is the file itself" in capsys.readouterr().err
    assert source.read_bytes() == before
