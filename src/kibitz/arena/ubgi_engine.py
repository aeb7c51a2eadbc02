"""Any engine that speaks UBGI over its standard input and output, as a player.

Both drafts of 2026 are spoken: 0.1 (`go role chequer`) and, where the engine says `proto 0.2`, the newer form (`go
chequer`). An engine that knows nothing of the cube never doubles and always takes: UBGI itself has no question for
takes; ours is `position xgid` with a double in it, answered `bestcube take` or `bestcube drop`.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import subprocess
import threading
import time
from typing import Any

from kibitz.arena.processes import start
from kibitz.arena.rules import ArenaRules
from kibitz.cube import Owner
from kibitz.errors import EngineError, KibitzError
from kibitz.notation.plays import parse_play
from kibitz.play.players import PlayerError, SimplePlayer, dice_of
from kibitz.position import Position
from kibitz.state import State

LONGEST_LINE = 4096
MOST_LINES = 10_000
"""Lines that an engine may write to one answer."""


class UbgiPlayer(SimplePlayer):
    """The engine behind a command line. `timeout` is in seconds for each answer."""

    def __init__(
        self, command: str, rules: ArenaRules, *, timeout: float = 60.0, options: dict[str, str] | None = None
    ) -> None:
        self._command = shlex.split(command, posix=os.name != "nt")
        if not self._command:
            raise EngineError("expected the command of a UBGI engine, such as ubgi:wildbg --ubgi")
        self.rules, self._timeout, self._options = rules, timeout, options or {}
        self.name = self._command[0]
        self._proto_2 = False
        self._knows_cube = rules.cube
        self._knows_takes = rules.cube
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._start()

    # --- the game -----------------------------------------------------------------------------------------------------

    def play(self, state: State, number: int = 0) -> Position:  # noqa: ARG002 - the engine has numbers of its own
        """The engine's play of the dice."""
        dice = dice_of(state)
        self._set_context(state)
        self._send(f"position gnubgid {state.position.id}")
        self._send(f"dice {dice.high} {dice.low}")
        words = self._go("chequer", ("bestmove", "bestmoveid"))
        if words[0] == "error":
            raise PlayerError(self.name, "garbled", " ".join(words))
        try:
            if words[0] == "bestmoveid":
                return Position.from_id(words[1])
            return parse_play(" ".join(words[1:]), state.position, dice).result
        except (IndexError, KibitzError) as error:
            raise PlayerError(self.name, "illegal", f"{' '.join(words)[:80]!r}: {error}") from None

    def double(self, state: State) -> bool:
        """Whether the engine doubles."""
        if not self._knows_cube:
            return False
        self._set_context(state)
        self._send(f"position gnubgid {state.position.id}")
        words = self._go("cube", ("bestcube",))
        if words[0] == "error":
            self._knows_cube = False
            return False
        return self._choose(words, {"double": True, "nodouble": False})

    def take(self, state: State) -> bool:
        """Whether the engine takes."""
        if not self._knows_takes:
            return True
        self._set_context(state)
        self._send(f"position xgid {state.xgid}")
        words = self._go("cube", ("bestcube",))
        if words[0] == "error" or words[1:2] in (["double"], ["nodouble"]):
            self._knows_takes = False
            return True
        return self._choose(words, {"take": True, "beaver": True, "drop": False, "pass": False})

    def to_dict(self) -> dict[str, Any]:
        """Name and command."""
        return {"player": self.name, "command": shlex.join(self._command), "options": self._options}

    # --- the conversation ---------------------------------------------------------------------------------------------

    def _set_context(self, state: State) -> None:
        """Score and cube, told before every question so that a restarted engine knows them too."""
        match = state.match
        if self.rules.cube or not self.rules.is_money:
            if match.is_money:
                self._send(f"newsession type money jacoby {'on' if match.jacoby else 'off'}")
            else:
                self._send(f"newsession type match length {match.length} crawford {'on' if match.crawford else 'off'}")
            self._send(f"setscore {match.my_score} {match.their_score}")
            owner = {Owner.CENTRED: "center", Owner.MINE: "p0", Owner.THEIRS: "p1"}[match.cube.owner]
            self._send(f"setcube value {match.cube.value} owner {owner}")
            self._send("setturn p0")
        # What an engine still has to say about earlier lines is read away here.
        self._send("isready")
        self._wait_for("readyok")

    def _go(self, role: str, wanted: tuple[str, ...]) -> list[str]:
        self._send(f"go {role}" if self._proto_2 else f"go role {role}")
        deadline = time.monotonic() + self._timeout
        for _ in range(MOST_LINES):
            words = self._line(deadline).split()
            if words and words[0] in (*wanted, "error"):
                return words
        raise PlayerError(self.name, "garbled", f"no answer to go {role} in {MOST_LINES} lines")

    def _choose(self, words: list[str], meanings: dict[str, bool]) -> bool:
        if len(words) < 2 or words[1] not in meanings:
            raise PlayerError(self.name, "garbled", f"{' '.join(words)[:80]!r} is none of {', '.join(meanings)}")
        return meanings[words[1]]

    def _wait_for(self, word: str) -> list[str]:
        """All lines up to the one that says this."""
        deadline = time.monotonic() + self._timeout
        said: list[str] = []
        for _ in range(MOST_LINES):
            line = self._line(deadline)
            if line.split()[:1] == [word]:
                return said
            said.append(line)
        raise PlayerError(self.name, "garbled", f"no {word} in {MOST_LINES} lines")

    def _send(self, line: str) -> None:
        process = self._process
        try:
            if process is None or process.stdin is None:
                raise OSError("it is not running")
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        except (OSError, ValueError) as error:
            raise PlayerError(self.name, "crashed", str(error)) from None

    def _line(self, deadline: float) -> str:
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise PlayerError(self.name, "hung", f"no answer within {self._timeout:g} s") from None
        if line is None:
            raise PlayerError(self.name, "crashed", "it ended")
        return line

    # --- the process --------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Stop the process, whatever it does, and start a new one."""
        self.close()
        self._start()

    def close(self) -> None:
        """Stop the process."""
        process = self._process
        self._process = None
        if process is None:
            return
        with contextlib.suppress(OSError, ValueError):
            if process.stdin:
                process.stdin.write(b"quit\n")
                process.stdin.close()
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join(1.0)
        if process.stdout:
            process.stdout.close()

    def _start(self) -> None:
        try:
            self._process = start(self._command, talking=True)
        except OSError as error:
            raise EngineError(f"cannot start {self._command[0]!r}: {error}") from None
        self._lines = queue.Queue(MOST_LINES)
        self._reader = threading.Thread(target=self._read, args=(self._process, self._lines), daemon=True)
        self._reader.start()
        self._send("ubgi")
        said = self._wait_for("ubgiok")
        self._proto_2 = any(line.split()[:2] == ["proto", "0.2"] for line in said)
        for line in said:
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()[:40]
        for name, value in self._options.items():
            self._send(f"set {name} {value}" if self._proto_2 else f"setoption name {name} value {value}")
        self._send("newgame")
        self._send("isready")
        self._wait_for("readyok")

    @staticmethod
    def _read(process: subprocess.Popen[bytes], lines: queue.Queue[str | None]) -> None:
        """Lines into the queue; what comes too fast or too long ends the conversation."""
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError, queue.Full):
            while line := process.stdout.readline(LONGEST_LINE):
                if not line.endswith(b"\n"):
                    break
                lines.put_nowait(line.decode("utf-8", "replace").strip())
        with contextlib.suppress(queue.Full):
            lines.put_nowait(None)
