"""Files with bytes flipped, cut, repeated and mixed: always a match or a FormatError, in bounded time and memory."""

from __future__ import annotations

import gzip
import random
import resource
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz import FormatError
from kibitz.formats import FORMATS, read

from .format_makers import BGF_HEADER, XG_COMMENTS, bgf_common_match, bgf_file, smile, xg_common_records, xg_container

DATA = Path(__file__).parent / "data"


def plain(data: bytes) -> bytes:
    return data


def inside_bgf(data: bytes) -> bytes:
    return BGF_HEADER + gzip.compress(data, compresslevel=1, mtime=0)


def inside_xg(data: bytes) -> bytes:
    comments = "\r\n".join(text.replace("\n", "\x01\x02") for text in XG_COMMENTS).encode("cp1252")
    return xg_container({"temp.xg": data, "temp.xgi": data[:2560], "temp.xgc": comments})


Seed = tuple[str, bytes, Callable[[bytes], bytes]]


def seeds() -> list[Seed]:
    """Names, bytes to spoil, and how to wrap them into a file afterwards."""
    records = b"".join(bytes(record.data) for record in xg_common_records())
    found: list[Seed] = [(path.name, path.read_bytes(), plain) for path in sorted(DATA.iterdir())]
    ours = read(bgf_file(bgf_common_match()))
    found.append(("ours.json", FORMATS["json"].write(ours)[0], plain))
    found.append(("ours.sgf", FORMATS["sgf"].write(ours)[0], plain))
    found.append(("bgf", bgf_file(bgf_common_match()), plain))
    found.append(("bgf inside", smile(bgf_common_match()), inside_bgf))
    found.append(("xg", inside_xg(records), plain))
    found.append(("xg inside", records, inside_xg))
    return found


def spoil(data: bytes, rng: random.Random, other: bytes) -> bytes:
    """One to four random injuries."""
    spoilt = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        if not spoilt:
            break
        at, size = rng.randrange(len(spoilt)), rng.choice((1, 2, 8, 40, 200))
        kind = rng.randrange(9)
        if kind == 0:
            spoilt[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            spoilt[at] = rng.randrange(256)
        elif kind == 2:
            del spoilt[at:]
        elif kind == 3:
            del spoilt[at : at + size]
        elif kind == 4:
            spoilt[at:at] = spoilt[at : at + size] * rng.choice((1, 2, 50))
        elif kind == 5:
            spoilt[at:at] = rng.randbytes(size)
        elif kind == 6:
            spoilt[at : at + size] = (
                rng.choice((b"(", b"[", b"{", b";", b"\xf8", b"\xfa", b"9", b"-", b"\0", b"\xff", b":")) * size
            )
        elif kind == 7:
            start = rng.randrange(max(len(other), 1))
            spoilt[at:at] = other[start : start + size]
        else:
            lines = bytes(spoilt).split(b"\n")
            rng.shuffle(lines)
            spoilt = bytearray(b"\n".join(lines))
    return bytes(spoilt)


def run(count: int, seed: int) -> Counter[str]:
    """Spoil and read `count` files; returns how many ended how."""
    rng = random.Random(seed)
    sources = seeds()
    outcome: Counter[str] = Counter()
    for number in range(count):
        name, data, wrap = sources[number % len(sources)]
        spoilt = wrap(spoil(data, rng, rng.choice(sources)[1]))
        started = time.process_time()
        try:
            match = read(spoilt)
            moments = list(match.moments())
            assert len(moments) == sum(len(game.actions) for game in match.games)
            if number % 4 == 0:
                for writer in ("mat", "sgf", "json"):
                    FORMATS[writer].write(match)
            outcome["read"] += 1
        except FormatError as error:
            assert "\n" not in str(error)
            outcome["refused"] += 1
        except Exception as error:
            raise AssertionError(f"variant {number} (seed {seed}) of {name} broke the reader") from error
        assert time.process_time() - started < 5.0, (name, number, seed)
    return outcome


def check(count: int, seed: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = run(count, seed)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert outcome.total() == count and outcome["read"] > count // 3 and outcome["refused"] > 0
    assert grown < 300 << 10, f"reading damaged files took {grown >> 10} MB"


def test_damaged_files_never_break_the_readers() -> None:
    check(600, seed=1)


@pytest.mark.slow
def test_many_damaged_files_never_break_the_readers() -> None:
    check(12_000, seed=2)
