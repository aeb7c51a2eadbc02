"""Net files: what they hold, and how wrong ones are refused."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz import NetworkFileError, _core
from kibitz.engine.network_file import (
    COUNTS,
    FEATURES,
    FORMAT_VERSION,
    MAGIC,
    ROW,
    NetworkFile,
    architecture_head,
    layers_of,
    payload_of,
)
from kibitz.engine.networks import SHIPPED, NetworkFolder
from kibitz.train.upgrade import upgraded


@pytest.fixture(scope="module")
def small() -> NetworkFile:
    learner = _core.Learner(64, 16, 16, 1)
    return NetworkFile("pruning", learner.shape, learner.payload(True), {"seed": 1})


def test_a_file_reads_back_as_it_was_written(small: NetworkFile, tmp_path: Path) -> None:
    """And its name carries its hash."""
    path = small.save(tmp_path)
    assert NetworkFile.load(path) == small
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert path.name == f"pruning-{digest[:12]}.net"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_says_what_inputs_its_net_has(small: NetworkFile, tmp_path: Path) -> None:
    """Counts alone, or features too; and how many sets of later layers."""
    learner = _core.Learner(64, 16, 16, 1, features=True, buckets=True)
    told = NetworkFile("contact", learner.shape, learner.payload(True))
    assert (small.feature_set, told.feature_set) == (COUNTS, FEATURES)
    assert (small.sets, told.sets) == (1, 16)
    assert NetworkFile.load(told.save(tmp_path)) == told


def nested(depth: int) -> dict[str, object]:
    """Objects inside each other."""
    inner: dict[str, object] = {}
    for _ in range(depth):
        inner = {"inner": inner}
    return inner


def rewritten(small: NetworkFile, **changes: Any) -> bytes:
    """The file with another header and a right checksum."""
    return with_payload(small, small.payload, **changes)


def with_payload(small: NetworkFile, payload: bytes, **changes: Any) -> bytes:
    """The file with other numbers too."""
    content = small.to_bytes()
    size = int.from_bytes(content[8:12], "little")
    header = json.loads(content[12 : 12 + size]) | changes
    text = json.dumps(header).encode()
    body = MAGIC + len(text).to_bytes(4, "little") + text + payload
    return body + hashlib.sha256(body).digest()


def test_the_arrays_of_every_shipped_net_make_its_numbers_again() -> None:
    """What a training changes is what is played: with one set of later layers or one for each bucket, and for races."""
    folder = NetworkFolder.load()
    assert {role: (len(one.shape), one.sets > 1) for role, one in folder.files.items()} == {
        "contact": (3, True),
        "race": (2, False),
        "pruning": (3, False),
        "prefilter": (3, False),
    }
    for one in folder.files.values():
        assert payload_of(layers_of(one.payload, one.shape)) == one.payload


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda _: b"", "no Kibitz net file"),
        (lambda file: b"\x89PNG\r\n\x1a\n" + file.to_bytes(), "no Kibitz net file"),
        (lambda file: file.to_bytes()[:40], "cut short"),
        (lambda file: file.to_bytes()[:-1], "damaged"),
        (lambda file: file.to_bytes()[:5000] + b"\0" + file.to_bytes()[5001:], "damaged"),
        (lambda file: rewritten(file, format=FORMAT_VERSION + 1), "update kibitz"),
        (lambda file: rewritten(file, architecture="transformer"), "expected 'sparse-dense-dense'"),
        (lambda file: rewritten(file, feature_set=99), "feature set 99"),
        (lambda file: rewritten(file, feature_set=ROW), "feature set 3"),
        (lambda file: rewritten(file, architecture="one-sided", feature_set=ROW), "2 widths were expected"),
        (lambda file: rewritten(file, architecture="one-sided", feature_set=ROW, shape=[64, 16]), "do not fit"),
        (lambda file: rewritten(file, feature_set=FEATURES), "those of feature set 1"),
        (lambda file: rewritten(file, format=1), "net format 1.*kibitz.train.upgrade"),
        (lambda file: rewritten(file, shape=[10**30, 16, 16]), "widths are whole numbers from 1 to 2048"),
        (lambda file: rewritten(file, shape=[1e999, 16, 16]), "Infinity is no number"),
        (lambda file: rewritten(file, shape=[64.0, 16, 16]), "widths are whole numbers"),
        (lambda file: rewritten(file, sets=10**30), "those of 1 sets"),
        (lambda file: rewritten(file, sets=10**4200), "a number of 4201 digits"),
        (lambda file: rewritten(file, provenance=nested(200)), "nested more than 64"),
        (lambda file: rewritten(file, sets=16), "those of 1 sets"),
        (lambda file: rewritten(file, shape=[128, 16, 16]), "do not fit"),
        (lambda file: rewritten(file, shape=[0, 16, 16]), "do not fit"),
        (lambda file: rewritten(file, shape="wide"), "do not fit"),
    ],
)
def test_a_wrong_file_is_refused(small: NetworkFile, damage: Callable[[NetworkFile], bytes], message: str) -> None:
    """Each with a line that says what is wrong."""
    content = damage(small)
    with pytest.raises(NetworkFileError, match=message):
        NetworkFile.from_bytes(content)


def test_files_are_read_up_to_their_limits(tmp_path: Path) -> None:
    """64 MB of file and 1 MB of header are read; one byte more is refused before it is."""
    large = tmp_path / "large.net"
    for size, words in ((64 << 20, "does not start with KIBITZNN"), ((64 << 20) + 1, "67108865 bytes are too many")):
        with large.open("wb") as file:
            file.truncate(size)
        with pytest.raises(NetworkFileError, match=words):
            NetworkFile.load(large)
    for size, words in ((1 << 20, "damaged"), ((1 << 20) + 1, "cut short")):
        content = MAGIC + size.to_bytes(4, "little") + bytes((1 << 20) + 100)
        with pytest.raises(NetworkFileError, match=words):
            NetworkFile.from_bytes(content)


def sealed(header: bytes, payload: bytes = b"") -> bytes:
    """A file with a right checksum."""
    body = MAGIC + len(header).to_bytes(4, "little") + header + payload
    return body + hashlib.sha256(body).digest()


def test_a_file_without_header_or_without_numbers_is_told_so(small: NetworkFile) -> None:
    """Both are whole as far as their lengths go, so they are not called cut short."""
    with pytest.raises(NetworkFileError, match="net file: the header is not what a net file has"):
        NetworkFile.from_bytes(sealed(b""))
    with pytest.raises(NetworkFileError, match="do not fit together"):
        NetworkFile.from_bytes(with_payload(small, b""))
    for short in (sealed(b"")[:-1], with_payload(small, b"")[:-1]):
        with pytest.raises(NetworkFileError, match="cut short"):
            NetworkFile.from_bytes(short)
    for header in (b"[]", b"3", b"{}", b"\xff"):
        with pytest.raises(NetworkFileError, match="header is not what"):
            NetworkFile.from_bytes(sealed(header))


def test_a_header_may_be_silent_about_sets_and_provenance(small: NetworkFile) -> None:
    content = small.to_bytes()
    size = int.from_bytes(content[8:12], "little")
    header = json.loads(content[12 : 12 + size])
    assert header == {
        "format": 2,
        "architecture": "sparse-dense-dense",
        "feature_set": 1,
        "role": "pruning",
        "shape": [64, 16, 16],
        "sets": 1,
        "provenance": {"seed": 1},
    }
    del header["sets"], header["provenance"]
    found = NetworkFile.from_bytes(sealed(json.dumps(header).encode(), small.payload))
    assert (found.sets, found.provenance, found.payload) == (1, {}, small.payload)


def test_a_net_for_races_is_none_for_positions(small: NetworkFile) -> None:
    race = NetworkFolder.load().files["race"]
    assert (race.feature_set, race.sets, len(race.shape)) == (3, 1, 2)
    for ask in (race.network, lambda: race.widths):
        with pytest.raises(NetworkFileError, match=r"the race net cannot be used .*for one side of a race"):
            ask()
    with pytest.raises(NetworkFileError, match=r"the pruning net cannot be used .*it is for positions"):
        small.race_network()
    with pytest.raises(NetworkFileError, match="the race net cannot be used"):
        NetworkFile("race", race.shape, race.payload[:-4]).race_network()


def test_a_net_that_cannot_be_built_is_refused() -> None:
    """Its file may be whole, and its shape still one that the kernels do not have."""
    numbers = bytes(2 * (261 * 32 + 32 * 16 + 16 * 16 + 16 * 5) + 4 * (16 + 16 + 5))
    odd = NetworkFile("pruning", (32, 16, 16), architecture_head((32, 16, 16), 260, 1) + numbers)
    assert odd.sets == 1
    with pytest.raises(NetworkFileError, match="multiple of 64"):
        odd.network()


@pytest.mark.parametrize("place", range(6))
def test_numbers_whose_head_is_wrong_make_no_net(small: NetworkFile, place: int) -> None:
    """Whatever number of it: too large, too small, or another net's."""
    for number in (0, 3, 2**31, 2**32 - 1):
        damaged = bytearray(small.payload)
        damaged[4 * place : 4 * place + 4] = number.to_bytes(4, "little")
        with pytest.raises(ValueError, match=r"do not fit|unusable"):
            _core.Network(*small.widths, bytes(damaged))
        with pytest.raises(NetworkFileError, match="do not fit"):
            NetworkFile.from_bytes(with_payload(small, bytes(damaged)))


def test_a_file_of_the_first_format_is_written_anew(small: NetworkFile) -> None:
    """With the same numbers."""
    assert upgraded(with_payload(small, small.payload[24:], format=1)) == small


def test_a_prefilter_needs_a_plain_net() -> None:
    """One without features and without layers for each bucket."""
    for kind in ({"features": True}, {"buckets": True}):
        learner = _core.Learner(64, 16, 16, 1, **kind)
        with pytest.raises(ValueError, match="without features and buckets"):
            _core.LinearPrefilter(*learner.shape, learner.payload(True))


def test_a_renamed_file_is_refused(small: NetworkFile, tmp_path: Path) -> None:
    """The hash in the name is checked, so that one net cannot pass for another."""
    path = small.save(tmp_path)
    other = path.rename(tmp_path / "pruning-000000000000.net")
    with pytest.raises(NetworkFileError, match="does not match the hash"):
        NetworkFile.load(other)


def test_a_folder_without_nets_is_refused(tmp_path: Path) -> None:
    """With the role that is missing."""
    with pytest.raises(NetworkFileError, match="exactly one contact"):
        NetworkFolder.load(tmp_path)
    with pytest.raises(NetworkFileError, match="cannot be read"):
        NetworkFile.load(tmp_path / "absent.net")


def test_shipped_nets_are_small_and_say_where_they_come_from() -> None:
    """A few megabytes, with their training's seed."""
    folder = NetworkFolder.load()
    assert sum(path.stat().st_size for path in SHIPPED.glob("*.net")) < 8_000_000
    for file in folder.files.values():
        training = file.provenance.get("distilled") or file.provenance["settings"]
        assert training["seed"] >= 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's account of memory")
def test_an_engine_is_small_and_ready_at_once() -> None:
    """Under 100 MB with the nets and the tables in use; the nets load in under 50 ms of processor time.

    The best of three fresh processes: a busy machine is slow to give new memory.
    """
    program = (
        "import re, time, pathlib, kibitz\n"
        "from kibitz.engine.networks import NetworkFolder\n"
        "start = time.process_time(); NetworkFolder.load().evaluator(); seconds = time.process_time() - start\n"
        "engine = kibitz.Engine(threads=1, plies=0)\n"
        "for text in ('4HPwATDgc/ABMA', 'GwAAYAYAAAAAAA'):\n"
        "    engine.evaluate(kibitz.Position.from_id(text))\n"
        "# What this program itself had at most; the resource module also counts the parent it was forked from.\n"
        "print(seconds, re.search(r'VmHWM:\\s+(\\d+)', pathlib.Path('/proc/self/status').read_text())[1])\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(3)
    ]
    assert min(float(seconds) for seconds, _ in runs) < 0.05
    assert max(int(kilobytes) for _, kilobytes in runs) < 100_000
