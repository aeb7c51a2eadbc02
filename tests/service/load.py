"""Load for a server: bounded clients over plain sockets, since a comfortable client would cost more than the server."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import kibitz
from tests.service.running import KEY, START, TURN, Server

OCTETS = "application/octet-stream"
MB = 1 << 20


class Line:
    """One connection that is kept. Requests are bytes that were made before."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def ask(self, request: bytes) -> bytes:
        """The body of the answer, which must be a right one or a refusal."""
        self.socket.sendall(request)
        data = self.rest
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._more()
        head = data[:end].lower()
        assert head.startswith((b"http/1.1 2", b"http/1.1 4")), head
        place = head.find(b"content-length:") + 15
        if place < 15:
            return self._stream(data[end + 4 :])
        length = int(head[place:].split(b"\r\n", 1)[0])
        parts = [data[end + 4 :]]
        have = len(parts[0])
        while have < length:
            parts.append(self._more())
            have += len(parts[-1])
        body = b"".join(parts)
        self.rest = body[length:]
        return body[:length]

    def _stream(self, data: bytes) -> bytes:
        """A body in pieces, with their lengths; none of ours holds the mark of the last one."""
        while not data.endswith(b"\r\n0\r\n\r\n"):
            data += self._more()
        self.rest = b""
        return data

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def _more(self) -> bytes:
        data = self.socket.recv(1 << 20)
        assert data, "the server has hung up"
        return data


def request(
    path: str, body: bytes, media: str = "application/json", accept: str = "*/*", method: str = "POST"
) -> bytes:
    """A request as it is sent."""
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {KEY}\r\ncontent-type: {media}\r\n"
        f"accept: {accept}\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def asked(path: str, **body: object) -> bytes:
    """A request with a JSON body."""
    return request(path, json.dumps(body).encode())


def boards(count: int) -> np.ndarray:
    """Different boards, of random games."""
    found = [
        reply.result.board
        for roll in kibitz.ALL_ROLLS
        for play in kibitz.Position.start().plays(roll)
        for other in kibitz.ALL_ROLLS[::4]
        for reply in play.result.plays(other)
    ]
    return np.resize(np.stack(found), (count, 2, 25))


# --- what the server takes --------------------------------------------------------------------------------------------


RESIDENT, PEAK, OWN = "VmRSS", "VmHWM", "RssAnon"
"""Bytes that a process has in memory, the most that it ever had, and those that belong to no file that it maps."""


def memory(server: Server, kind: str = RESIDENT) -> int:
    """Its bytes of a kind."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(kind))


def forget_peak(server: Server) -> None:
    """From now on the peak is that of what follows."""
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")


def processor(server: Server) -> float:
    """Its processor seconds so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Spent:
    """What many requests took."""

    requests: int
    wall: float
    processor: float

    @property
    def per_second(self) -> float:
        """Requests a second on the wall."""
        return self.requests / self.wall

    @property
    def per_core_second(self) -> float:
        """Requests a second of the server's processor time."""
        return self.requests / max(self.processor, 1e-9)


def many(server: Server, ask: bytes, count: int, connections: int) -> Spent:
    """The same request so many times, over some connections at once."""
    lines = [Line(server.port) for _ in range(connections)]

    def run(line: Line) -> None:
        for _ in range(count // connections):
            line.ask(ask)

    threads = [threading.Thread(target=run, args=(line,)) for line in lines]
    before, started = processor(server), time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = Spent(count, time.perf_counter() - started, processor(server) - before)
    for line in lines:
        line.close()
    return spent


# --- streams ----------------------------------------------------------------------------------------------------------


_HEALTH = """
import json, select, socket, sys, time
taken = []
while not select.select([sys.stdin], [], [], 0.02)[0]:
    started = time.perf_counter()
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line:
        line.sendall(b"GET /healthz HTTP/1.1\\r\\nhost: 127.0.0.1\\r\\nconnection: close\\r\\n\\r\\n")
        while line.recv(4096):
            pass
    taken.append((started, time.perf_counter() - started))
print(json.dumps(taken))
"""
"""Asks for health all the time, in a process of its own, so that the load of the client does not count."""


@dataclass(frozen=True, slots=True)
class Streams:
    """What many streams at once took. `quiet` and `checks` are the seconds of health checks before and meanwhile."""

    right: int
    wall: float
    processor: float
    memory: int
    quiet: list[float]
    checks: list[float]


def streams(server: Server, count: int, plies: int = 2) -> Streams:
    """So many streams at once; a right one has a partial answer for each ply and exactly one final one."""
    ask = request("/v1/hint", json.dumps({"position": TURN, "plies": plies}).encode(), accept="text/event-stream")
    ask = ask.replace(b"content-length", b"connection: close\r\ncontent-length")

    async def one() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(ask)
        data = await reader.read(-1)
        writer.close()
        return data

    async def run() -> list[bytes]:
        return await asyncio.gather(*(one() for _ in range(count)))

    with subprocess.Popen(
        [sys.executable, "-c", _HEALTH, str(server.port)], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as watch:
        time.sleep(2)
        before, began = processor(server), time.perf_counter()
        answers = asyncio.run(run())
        wall = time.perf_counter() - began
        told = watch.communicate("stop")[0]
    checks = json.loads(told)
    right = sum(
        answer.count(b"event: partial") == plies and answer.count(b"event: final") == 1 and b"problem" not in answer
        for answer in answers
    )
    return Streams(
        right,
        wall,
        processor(server) - before,
        memory(server, PEAK),
        [seconds for when, seconds in checks if when < began][5:],
        [seconds for when, seconds in checks if when >= began - 0.2],
    )


# --- a long run -------------------------------------------------------------------------------------------------------


def mixture() -> list[bytes]:
    """Requests of many kinds, right and wrong ones; those that take longer come once in fifty."""
    quick = [
        asked("/v1/hint", position=TURN, plies=0),
        asked("/v1/cube", position=START, plies=0),
        asked("/v1/evaluate", position=START, plies=0),
        asked("/v1/plays", position=START, dice="65"),
        asked("/v1/parse", text=TURN),
        asked("/v1/hint", position="nonsense"),
        request("/v1/board.svg?position=4HPwATDgc/ABMA", b"", method="GET"),
        request("/v1/jobs", b"", method="GET"),
        request("/v1/evaluations", boards(50).tobytes(), OCTETS, OCTETS),
    ]
    slow = [
        asked("/v1/explain", position=TURN, plies=0),
        asked("/v1/matrix", position=START, plies=0, away=2),
        asked("/v1/rollouts?estimate=true", position=TURN),
        request("/v1/hint", json.dumps({"position": TURN, "plies": 1}).encode(), accept="text/event-stream"),
        request("/v1/matches", Path("examples/sample.mat").read_bytes(), OCTETS),
        request("/v1/matches", b"no match", OCTETS),
        request("/v1/matches/1/moments", b"", method="GET"),
        request("/v1/matches", b"", method="GET"),
        request("/v1/statistics", b"", method="GET"),
        asked("/v1/rolls", position=START, plies=0),
    ]
    return [one for last in slow for one in (*quick, *quick, *quick, *quick, *quick, last)]


def soak(server: Server, count: int, warm: int = 5000) -> tuple[int, int, float]:
    """So many mixed requests in a row: the memory after some, and after all of them, and the seconds."""
    line, kinds = Line(server.port), mixture()
    for number in range(warm):
        line.ask(kinds[number % len(kinds)])
    before, started = memory(server), time.perf_counter()
    for number in range(count):
        line.ask(kinds[number % len(kinds)])
    wall = time.perf_counter() - started
    line.close()
    return before, memory(server), wall
