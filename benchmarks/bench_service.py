"""Figures of the service on loopback: python benchmarks/bench_service.py [--only NAME] [--requests 100000]

A server of its own is started for each part, and asked over plain sockets, since a comfortable client would cost more
than the server. Every loop is bounded. What is measured:

overhead   a hint at 0 plies by HTTP, beside the direct call (median, milliseconds)
single     evaluations a second by single requests, two connections at a time
batch      evaluations a second in batches of 10,000 boards as octets
streams    500 open streams at once: all end, the memory, and what a health check takes meanwhile
leak       mixed requests in a row: memory before and after
cancel     how soon the work stops after the caller hangs up
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import kibitz

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.service.running import KEY, START, TURN, Server

OCTETS = "application/octet-stream"


class Line:
    """One connection that is kept. Requests are bytes that were made before."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def ask(self, request: bytes) -> bytes:
        """The body of the answer."""
        self.socket.sendall(request)
        data = self.rest
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._more()
        head = data[:end].lower()
        place = head.index(b"content-length:") + 15
        length = int(head[place:].split(b"\r\n", 1)[0])
        parts = [data[end + 4 :]]
        have = len(parts[0])
        while have < length:
            parts.append(self._more())
            have += len(parts[-1])
        body = b"".join(parts)
        self.rest = body[length:]
        assert head.startswith((b"http/1.1 2", b"http/1.1 4")), head
        return body[:length]

    def _more(self) -> bytes:
        data = self.socket.recv(1 << 20)
        assert data, "the server has hung up"
        return data


def request(
    path: str, body: bytes, media: str = "application/json", accept: str = "*/*", method: str = "POST"
) -> bytes:
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {KEY}\r\ncontent-type: {media}\r\n"
        f"accept: {accept}\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def asked(path: str, **body: object) -> bytes:
    return request(path, json.dumps(body).encode())


def memory(server: Server) -> float:
    """Megabytes."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def processor(server: Server) -> float:
    """Processor seconds of the server so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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


def median_ms(call: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        taken.append(time.perf_counter() - started)
    return 1000 * statistics.median(taken)


# --- parts ------------------------------------------------------------------------------------------------------------


def overhead(server: Server, _: argparse.Namespace) -> None:
    line = Line(server.port)
    engine = kibitz.Engine(plies=0, threads=1)
    hint = asked("/v1/hint", position=TURN, plies=0)

    def direct() -> None:
        json.dumps(engine.answer(kibitz.parse(TURN), plies=0).to_dict())

    for _round in range(100):
        line.ask(hint)
        direct()
    near, far = median_ms(direct, 1000), median_ms(lambda: line.ask(hint), 1000)
    print(f"overhead: direct {near:.3f} ms, by HTTP {far:.3f} ms, so {far - near:+.3f} ms (wanted < 1.5)")


def many(server: Server, ask: bytes, count: int, connections: int) -> tuple[float, float]:
    """Seconds on the wall, and processor seconds of the server, for so many requests."""
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
    return time.perf_counter() - started, processor(server) - before


def single(server: Server, _: argparse.Namespace) -> None:
    count = 6000
    wall, spent = many(server, asked("/v1/evaluate", position=START, plies=0), count, 2)
    print(
        f"single: {count / wall:,.0f} evaluations a second on the wall, {1000 * spent / count:.3f} ms of processor "
        f"({count / spent:,.0f} a second of one core; wanted 1,500)"
    )


def batch(server: Server, _: argparse.Namespace) -> None:
    size, count = 10_000, 100
    ask = request("/v1/evaluations", boards(size).tobytes(), OCTETS, OCTETS)
    assert len(Line(server.port).ask(ask)) == 20 * size
    wall, spent = many(server, ask, count, 2)
    print(
        f"batch: {size * count / wall:,.0f} evaluations a second on the wall, "
        f"{size * count / spent:,.0f} a second of one core (wanted 500,000)"
    )
    ask = request("/v1/evaluations", json.dumps({"boards": boards(size).tolist()}).encode())
    wall, spent = many(server, ask, 10, 1)
    print(f"       as JSON: {size * 10 / wall:,.0f} a second on the wall, {size * 10 / spent:,.0f} of one core")


HEALTH = """
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


def streams(server: Server, _: argparse.Namespace) -> None:
    count = 500
    ask = request("/v1/hint", json.dumps({"position": TURN, "plies": 2}).encode(), accept="text/event-stream")
    ask = ask.replace(b"content-length", b"connection: close\r\ncontent-length")

    async def one() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(ask)
        data = await reader.read(-1)
        writer.close()
        return data

    async def run() -> tuple[list[bytes], float]:
        started = time.perf_counter()
        answers = await asyncio.gather(*(one() for _ in range(count)))
        return answers, time.perf_counter() - started

    with subprocess.Popen(
        [sys.executable, "-c", HEALTH, str(server.port)], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as watch:
        time.sleep(2)
        before, began = processor(server), time.perf_counter()
        answers, wall = asyncio.run(run())
        told = watch.communicate("stop")[0]
    checks = json.loads(told)
    quiet = [seconds for when, seconds in checks if when < began][5:]
    taken = [seconds for when, seconds in checks if when >= began - 0.2]
    spent = processor(server) - before
    finals = sum(answer.count(b"event: final") == 1 for answer in answers)
    print(
        f"streams: {finals} of {count} ended with one final answer in {wall:.1f} s ({spent:.1f} s of processor); "
        f"memory {memory(server):.0f} MB "
        f"(wanted < 400); health check median {1000 * statistics.median(taken):.1f} ms, "
        f"worst {1000 * max(taken):.0f} ms (wanted < 100; {1000 * max(quiet):.0f} ms with no stream)"
    )


def leak(server: Server, options: argparse.Namespace) -> None:
    line = Line(server.port)
    kinds = [
        asked("/v1/hint", position=TURN, plies=0),
        asked("/v1/cube", position=START, plies=0),
        asked("/v1/evaluate", position=START, plies=0),
        asked("/v1/plays", position=START, dice="65"),
        asked("/v1/parse", text=TURN),
        asked("/v1/hint", position="nonsense"),
        request("/v1/board.svg?position=4HPwATDgc/ABMA", b"", method="GET"),
        request("/v1/jobs", b"", method="GET"),
        request("/v1/matches", b"", method="GET"),
        request("/v1/evaluations", boards(50).tobytes(), OCTETS, OCTETS),
    ]
    for number in range(5000):
        line.ask(kinds[number % len(kinds)])
    before, started = memory(server), time.perf_counter()
    for number in range(options.requests):
        line.ask(kinds[number % len(kinds)])
    wall = time.perf_counter() - started
    after = memory(server)
    print(
        f"leak: {options.requests:,} mixed requests in {wall:.0f} s ({options.requests / wall:,.0f} a second); memory "
        f"{before:.1f} MB before, {after:.1f} MB after ({100 * (after / before - 1):+.1f} %, wanted within 10)"
    )


def cancel(server: Server, _: argparse.Namespace) -> None:
    body = json.dumps({"position": START, "dice": "66", "plies": 4, "filter": "everything", "replies": 50}).encode()
    metrics = request("/metrics", b"", method="GET")
    watch = Line(server.port)
    taken = []
    for accept in ("text/event-stream", "application/json") * 5:
        line = Line(server.port)
        line.socket.sendall(request("/v1/hint", body, accept=accept))
        time.sleep(0.5)
        assert b"kibitz_questions_waiting 1" in watch.ask(metrics)
        started = time.perf_counter()
        line.socket.close()
        while b"kibitz_questions_waiting 0" not in watch.ask(metrics):
            assert time.perf_counter() - started < 10
        taken.append(time.perf_counter() - started)
    print(
        f"cancel: stopped after {1000 * statistics.median(taken):.0f} ms, worst {1000 * max(taken):.0f} (wanted < 100)"
    )


PARTS = {one.__name__: one for one in (overhead, single, batch, streams, leak, cancel)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=list(PARTS), action="append")
    parser.add_argument("--requests", type=int, default=100_000)
    options = parser.parse_args()
    for name in options.only or PARTS:
        with tempfile.TemporaryDirectory() as folder, Server(Path(folder), "--quiet") as server:
            PARTS[name](server, options)


if __name__ == "__main__":
    main()
