"""How fast hints are, and beside Debian's gnubg on the same positions in the same run, where it is installed.

    python benchmarks/bench_search.py [--plies 1 2 3] [--positions 24] [--rounds 3]

Times are process CPU time on one thread, the best of several rounds, so that other work on the machine disturbs little;
gnubg is a separate process that is asked over its socket, with one thread, its "normal" move filter and no cache of the
round before. The benchmark asserts that every position was answered with a legal play.
"""

from __future__ import annotations

import argparse
import os
import resource
import socket
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from measure import GNUBG

import kibitz

# Contact positions from games of the engine against itself, with a roll that leaves a choice.
POSITIONS = """
ZhvKATCw8+ABDA 51  ypvPAADmdogDBA 31  27YJAQT32MwAAA 51  KmeHAQPI54YBAw 22  c9ssCAC2a4EBGA 61  mGfkAyBsZvABDA 63
0zqDBwBsniULAA 55  d3EOABjYzQ4LAA 54  /y0AEAyefUcAAA 31  4OfBASHgc/AgMA 41  4OtgQA6bGUwCSg 21  4NtgAGOb21QBAA 61
2B3iAQM0Z8wBMA 62  dvMEwQC2bYgBAw 52  sOfEATCYT+EBMA 63  4OfCAVDGbcEBKA 53  xm2DAwg4z+AAIw 64  cZ4BwA0b2wYjAA 21
N94cAAK3ZgCCCw 61  mOfgAwSwz8EBMA 61  zJsHAwibeRIDIA 65  f9sBAEDb7RYAAA 22  cHfIATDgc8MBKA 53  xh0w4CIcz4aDAA 43
"""
Turn = tuple[kibitz.Position, kibitz.Dice]


def turns(count: int) -> list[Turn]:
    """The positions with their rolls."""
    words = POSITIONS.split()
    pairs = list(zip(words[::2], words[1::2], strict=True))
    return [(kibitz.Position.from_id(name), kibitz.Dice.of(roll)) for name, roll in pairs[:count]]


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def time_hints(engine: kibitz.Engine, plies: int, asked: list[Turn], rounds: int) -> float:
    """Milliseconds of CPU for a hint, the best round."""
    best = float("inf")
    for _ in range(rounds):
        engine.clear_cache()
        start = cpu_seconds()
        for position, dice in asked:
            ranked = engine.rank(position, dice, plies=plies)
            assert ranked[0].plies == plies and len(ranked) == len(position.plays(dice))
        best = min(best, cpu_seconds() - start)
    return 1000 * best / len(asked)


def time_cubes(engine: kibitz.Engine, plies: int, asked: list[Turn], rounds: int) -> float:
    """Milliseconds of CPU for a cube decision, the best round."""
    best = float("inf")
    for _ in range(rounds):
        engine.clear_cache()
        start = cpu_seconds()
        for position, _ in asked:
            assert engine.cube(position, plies=plies).plies == plies
        best = min(best, cpu_seconds() - start)
    return 1000 * best / len(asked)


def wall_of_threads(several: int, plies: int, asked: list[Turn], rounds: int) -> tuple[float, float]:
    """Milliseconds of wall time for a hint on one thread and on several, the best rounds.

    They take turns, since a machine's speed drifts, and there are more rounds than elsewhere: other work on any core
    that is wanted shows in wall time.
    """
    engines = [kibitz.Engine(threads=threads) for threads in (1, several)]
    best = [float("inf")] * 2
    for _ in range(4 * rounds):
        for i, engine in enumerate(engines):
            engine.clear_cache()
            start = time.perf_counter()
            for position, dice in asked:
                engine.rank(position, dice, plies=plies)
            best[i] = min(best[i], time.perf_counter() - start)
    return 1000 * best[0] / len(asked), 1000 * best[1] / len(asked)


class Gnubg:
    """gnubg as a separate process that answers over a socket."""

    def __init__(self, plies: int) -> None:
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            port = probe.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory()
        commands = Path(self.folder.name) / "commands"
        commands.write_text(
            "set threads 1\nset cache 0\n"
            f"set evaluation chequerplay evaluation plies {plies}\n"
            "set evaluation chequerplay evaluation cubeful on\n"
            f"external localhost:{port}\n"
        )
        assert GNUBG is not None
        self.process = subprocess.Popen(
            [GNUBG, "-t", "-q", "-r", "-c", str(commands)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(200):
            try:
                self.line = socket.create_connection(("localhost", port), timeout=120)
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise RuntimeError("gnubg does not listen")

    def cpu(self) -> float:
        """Seconds of CPU that the process has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def play(self, position: kibitz.Position, dice: kibitz.Dice) -> str:
        """gnubg's play, in single steps."""
        state = kibitz.State(position, kibitz.MatchState(jacoby=False), dice=dice, turn=1)
        self.line.sendall(replace(state).fibs.encode() + b"\n")
        reply = b""
        while not reply.endswith(b"\n"):
            part = self.line.recv(4096)
            if not part:
                break
            reply += part
        return reply.decode().strip("\0\n ")

    def close(self) -> None:
        self.line.close()
        self.process.terminate()
        self.process.wait(10)
        self.folder.cleanup()


def time_gnubg(plies: int, asked: list[Turn]) -> tuple[float, int]:
    """Milliseconds of gnubg's CPU for a play, and how many of its plays are legal here too."""
    gnubg = Gnubg(plies)
    try:
        gnubg.play(*asked[0])
        start, legal = gnubg.cpu(), 0
        for position, dice in asked:
            reply = gnubg.play(position, dice)
            position.play(reply.replace("25/", "bar/").replace("/0", "/off"), dice)
            legal += 1
        return 1000 * (gnubg.cpu() - start) / len(asked), legal
    finally:
        gnubg.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--nets", type=Path)
    parser.add_argument("--threads", type=int, default=2, help="also measured against one thread")
    options = parser.parse_args()
    engine = kibitz.Engine(nets=options.nets, threads=1)
    if GNUBG is None:
        print("gnubg is not installed: Kibitz alone is measured")
    print("ms of CPU on one thread   plies    kibitz hint    cube     gnubg hint    times as fast")
    for plies in options.plies:
        asked = turns(options.positions if plies < 3 else min(options.positions, 6))
        mine = time_hints(engine, plies, asked, options.rounds)
        cube = time_cubes(engine, plies, asked, options.rounds)
        line = f"{'':26}{plies:>3} {mine:14.2f}{cube:9.2f}"
        if GNUBG is not None:
            theirs, legal = time_gnubg(plies, asked)
            assert legal == len(asked)
            line += f"{theirs:14.1f}{theirs / mine:16.1f}"
        print(line, flush=True)
    asked = turns(options.positions)
    one, several = wall_of_threads(options.threads, 2, asked, options.rounds)
    print(f"2-ply hint, wall: {one:.2f} ms on 1 thread, {several:.2f} on {options.threads}: {one / several:.2f} times")


if __name__ == "__main__":
    main()
