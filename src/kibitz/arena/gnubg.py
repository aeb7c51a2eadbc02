"""GNU Backgammon as a player: a separate process of its own, asked over its socket.

Facts of that interface (gnubg 1.07): one request line, one reply line. A line is seen by the player on roll: `turn` is
1, the scores come as (opponent, mover). A take question is sent from the doubler's side with the cube before the
double, and then the scores are (doubler, taker). Two may-double flags of 0 would be read as a double, and a line of
more than 255 bytes would end the program, so neither is ever sent.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from kibitz.arena.processes import start
from kibitz.arena.rules import ArenaRules
from kibitz.cube import Owner
from kibitz.errors import EngineError, KibitzError
from kibitz.play.players import PlayerError, SimplePlayer
from kibitz.position import Position
from kibitz.replay import after_steps
from kibitz.state import Offer, State

START_SECONDS = 30.0
_LONGEST_REPLY = 4096
_UNLIMITED = 9999
_THINKING = {0: 20.0, 1: 60.0, 2: 180.0}
_USUAL_PLACES = (Path("/usr/games/gnubg"), Path("/usr/local/bin/gnubg"))


def find_gnubg() -> Path | None:
    """Where the program is: what KIBITZ_GNUBG says, on the path, or where Debian puts it. None if it is absent."""
    named = os.environ.get("KIBITZ_GNUBG")
    if named:
        return Path(named) if Path(named).is_file() else None
    found = shutil.which("gnubg")
    if found:
        return Path(found)
    return next((place for place in _USUAL_PLACES if place.is_file()), None)


def board_line(state: State) -> str:
    """What gnubg is asked: a play with dice, `roll or double` without, take or drop when doubled."""
    match, rows, doubled = state.match, state.position.rows, state.offer is Offer.DOUBLE
    mine, theirs = rows[:25], rows[25:]
    places = [str(mine[slot] - theirs[23 - slot]) for slot in range(24)]
    scores = (match.my_score, match.their_score) if doubled else (match.their_score, match.my_score)
    dice = f"{state.dice.high}:{state.dice.low}" if state.dice else "0:0"
    owner = match.cube.owner
    may = (1, 1) if owner is Owner.CENTRED else (1, 0) if owner is Owner.MINE else (0, 1)
    return (
        f"board:A:B:{match.length or _UNLIMITED}:{scores[0]}:{scores[1]}:"
        f"{-theirs[24]}:{':'.join(places)}:{mine[24]}:1:{dice}:{dice}:{match.cube.value}:{may[0]}:{may[1]}:{int(doubled)}"
        f":1:-1:0:25:{15 - sum(mine)}:{15 - sum(theirs)}:0:0:0:0:{int(match.post_crawford)}:{int(not match.crawford)}"
    )


def read_reply(reply: str, position: Position) -> Position:
    """The position that a reply such as '8/5 6/5' leads to, seen by the opponent. Raises for text that is no play."""
    steps = []
    for word in reply.replace("*", "").lower().replace("bar", "25").replace("off", "0").split():
        source, _, target = word.partition("/")
        steps.append((int(source), int(target)))
    return after_steps(position, steps)


class GnubgPlayer(SimplePlayer):
    """gnubg at chosen plies. The process has its own port and its own home directory, removed at the end."""

    def __init__(
        self,
        rules: ArenaRules,
        *,
        plies: int = 0,
        program: Path | str | None = None,
        timeout: float | None = None,
    ) -> None:
        found = Path(program) if program else find_gnubg()
        if found is None:
            raise EngineError("gnubg is not installed (Debian's package is called gnubg); KIBITZ_GNUBG may name it")
        if not 0 <= plies <= 4:
            raise EngineError(f"gnubg plays at 0 to 4 plies here, not {plies}")
        self.name = f"gnubg {plies}-ply"
        self.rules, self.plies, self._program = rules, plies, found
        self._timeout = timeout or _THINKING.get(plies, 900.0)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self.version = ""
        self._start()

    # --- the game -----------------------------------------------------------------------------------------------------

    def play(self, state: State, number: int = 0) -> Position:  # noqa: ARG002 - it is sure of itself
        """gnubg's play of the dice."""
        reply = self.ask(board_line(state))
        try:
            return read_reply(reply, state.position)
        except (ValueError, KibitzError) as error:
            raise PlayerError(self.name, "garbled", f"{reply[:80]!r} is no play here ({error})") from None

    def double(self, state: State) -> bool:
        """Whether gnubg doubles."""
        return self._choose(board_line(state), {"double": True, "roll": False})

    def take(self, state: State) -> bool:
        """Whether gnubg takes. There are no beavers here: one counts as a take."""
        return self._choose(board_line(state), {"take": True, "beaver": True, "drop": False})

    def evaluate(self, state: State, *, cubeful: bool = False) -> list[float]:
        """win, win gammon, win backgammon, lose gammon, lose backgammon and the equity (in a match the MWC)."""
        words = f"plies {self.plies} {'cubeful' if cubeful else 'cubeless'} prune on"
        jacoby = "yes" if self.rules.jacoby else "no"
        reply = self.ask(f"evaluation fibsboard {board_line(state)} {words} jacobyrule {jacoby}", longest=400)
        try:
            return [float(word) for word in reply.split()]
        except ValueError:
            raise PlayerError(self.name, "garbled", f"{reply[:80]!r} is no evaluation") from None

    def to_dict(self) -> dict[str, Any]:
        """Name, version and plies."""
        return {"player": "gnubg", "version": self.version, "plies": self.plies}

    # --- the process --------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Stop the process, whatever it does, and start a new one."""
        self.close()
        self._start()

    def close(self) -> None:
        """Stop the process and remove its files."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._home is not None:
            self._home.cleanup()
        self._socket = self._process = self._home = None

    def ask(self, line: str, *, longest: int = 255) -> str:
        """One request, one reply line."""
        if self._socket is None:
            raise PlayerError(self.name, "crashed", "it is not running")
        if len(line) > longest:
            raise PlayerError(self.name, "garbled", f"a request of {len(line)} bytes would end gnubg")
        try:
            self._socket.sendall(line.encode("ascii") + b"\n")
            reply = b""
            while not reply.endswith(b"\n"):
                part = self._socket.recv(_LONGEST_REPLY)
                if not part:
                    raise PlayerError(self.name, "crashed", "it closed the connection")
                reply += part
                if len(reply) > _LONGEST_REPLY:
                    raise PlayerError(self.name, "garbled", "the reply does not end")
        except TimeoutError:
            raise PlayerError(self.name, "hung", f"no reply within {self._timeout:g} s") from None
        except OSError as error:
            raise PlayerError(self.name, "crashed", str(error)) from None
        return reply.decode("ascii", "replace").rstrip("\n")

    def _choose(self, line: str, meanings: dict[str, bool]) -> bool:
        reply = self.ask(line).strip()
        if reply not in meanings:
            raise PlayerError(self.name, "garbled", f"{reply[:80]!r} is none of {', '.join(meanings)}")
        return meanings[reply]

    def _start(self) -> None:
        for attempt in range(3):  # another program may snatch the port between our look and gnubg's
            try:
                self._start_once()
                return
            except PlayerError:
                self.close()
                if attempt == 2:
                    raise

    def _start_once(self) -> None:
        port = _free_port()
        self._home = tempfile.TemporaryDirectory(prefix="kibitz-gnubg-")
        commands = Path(self._home.name) / "commands.txt"
        commands.write_text("\n".join(_commands(self.rules, self.plies, port)) + "\n", encoding="ascii")
        command = [str(self._program), "-t", "-q", "-r", "-c", str(commands)]
        self._process = start(command, talking=False, folder=Path(self._home.name))
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), timeout=self._timeout)
                break
            except OSError:
                if self._process.poll() is not None:
                    raise PlayerError(self.name, "crashed", f"it ended with {self._process.returncode}") from None
                if time.monotonic() > deadline:
                    raise PlayerError(self.name, "hung", "it does not listen on its port") from None
                time.sleep(0.02)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(b"version\n")
        told = b""
        while told.count(b"\n") < 4:
            part = self._socket.recv(_LONGEST_REPLY)
            if not part or len(told) > _LONGEST_REPLY:
                raise PlayerError(self.name, "garbled", "it does not tell its version")
            told += part
        lines = told.decode("ascii", "replace").splitlines()
        self.version = next((line.split(":")[1].strip() for line in lines if line.startswith("Software")), "unknown")


def _commands(rules: ArenaRules, plies: int, port: int) -> list[str]:
    cubeful = "on" if rules.cube else "off"
    lines = [f"set jacoby {'on' if rules.jacoby else 'off'}", "set beavers 0", "set threads 1"]
    for kind in ("chequerplay", "cubedecision"):
        lines += [
            f"set evaluation {kind} evaluation plies {plies}",
            f"set evaluation {kind} evaluation cubeful {cubeful}",
            f"set evaluation {kind} evaluation deterministic on",
        ]
    return [*lines, f"external 127.0.0.1:{port}"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
