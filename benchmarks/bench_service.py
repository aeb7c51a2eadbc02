"""Figures of the service on loopback: python benchmarks/bench_service.py [--only NAME] [--requests 100000]

A server of its own is started for each part, and asked over plain sockets, since a comfortable client would cost more
than the server. Every loop is bounded. What is measured:

overhead   a hint at 0 plies by HTTP, beside the direct call (median, milliseconds)
single     evaluations a second by single requests, two connections at a time
batch      evaluations a second in batches of 10,000 boards as octets
streams    500 open streams at once: all end, the memory, and what a health check takes meanwhile
leak       mixed requests in a row: memory before and after
cancel     how soon the work stops after the caller hangs up

Rates are told by the wall and by the processor time of the server, which other work on the machine does not spoil.
`tests/service/test_load.py` holds the same figures against what is promised.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import kibitz

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.service.load import MB, OCTETS, Line, Spent, asked, boards, many, request, soak
from tests.service.load import streams as open_streams
from tests.service.running import START, TURN, Server, wait_for

ROUNDS = 3
"""Rounds of a rate; the best counts, since other work on the machine can only make it worse."""


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

    assert json.loads(line.ask(hint)) == json.loads(json.dumps(engine.answer(kibitz.parse(TURN), plies=0).to_dict()))
    for _round in range(100):
        line.ask(hint)
        direct()
    near, far = median_ms(direct, 1000), median_ms(lambda: line.ask(hint), 1000)
    print(f"overhead: direct {near:.3f} ms, by HTTP {far:.3f} ms, so {far - near:+.3f} ms (wanted < 1.5)")


def best(server: Server, ask: bytes, count: int, connections: int) -> Spent:
    return max((many(server, ask, count, connections) for _ in range(ROUNDS)), key=lambda spent: spent.per_second)


def single(server: Server, _: argparse.Namespace) -> None:
    spent = best(server, asked("/v1/evaluate", position=START, plies=0), 4000, 2)
    print(
        f"single: {spent.per_second:,.0f} evaluations a second on the wall, {1000 / spent.per_core_second:.3f} ms of "
        f"processor ({spent.per_core_second:,.0f} a second of one core; wanted 1,500)"
    )


def batch(server: Server, _: argparse.Namespace) -> None:
    size = 10_000
    ask = request("/v1/evaluations", boards(size).tobytes(), OCTETS, OCTETS)
    assert len(Line(server.port).ask(ask)) == 20 * size
    spent = best(server, ask, 50, 2)
    print(
        f"batch: {size * spent.per_second:,.0f} evaluations a second on the wall, "
        f"{size * spent.per_core_second:,.0f} a second of one core (wanted 500,000)"
    )
    ask = request("/v1/evaluations", json.dumps({"boards": boards(size).tolist()}).encode())
    spent = best(server, ask, 5, 1)
    print(f"       as JSON: {size * spent.per_second:,.0f} a second, {size * spent.per_core_second:,.0f} of one core")


def streams(server: Server, _: argparse.Namespace) -> None:
    found = open_streams(server, 500)
    assert found.right == 500, f"{found.right} of 500 streams ended as they should"
    print(
        f"streams: 500 of 500 ended with one final answer in {found.wall:.1f} s ({found.processor:.1f} s of "
        f"processor); memory {found.memory / MB:.0f} MB at most (wanted < 400); health check median "
        f"{1000 * statistics.median(found.checks):.1f} ms, worst {1000 * max(found.checks):.0f} ms "
        f"(wanted < 100; {1000 * max(found.quiet):.0f} ms with no stream)"
    )


def leak(server: Server, options: argparse.Namespace) -> None:
    before, after, wall = soak(server, options.requests)
    more = 100 * (after / before - 1)
    print(
        f"leak: {options.requests:,} mixed requests in {wall:.0f} s ({options.requests / wall:,.0f} a second); memory "
        f"{before / MB:.1f} MB before, {after / MB:.1f} MB after ({more:+.1f} %, wanted within 10)"
    )


def cancel(server: Server, _: argparse.Namespace) -> None:
    body = json.dumps({"position": START, "dice": "66", "plies": 4, "filter": "everything", "replies": 50}).encode()
    metrics = request("/metrics", b"", method="GET")
    watch = Line(server.port)
    taken = []
    for accept in ("text/event-stream", "application/json") * 5:
        line = Line(server.port)
        line.socket.sendall(request("/v1/hint", body, accept=accept))
        wait_for(lambda: b"kibitz_questions_waiting 1" in watch.ask(metrics))
        time.sleep(0.3)
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
