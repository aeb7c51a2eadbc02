"""What is fuzzed: every reader, notation and protocol. A target takes bytes, and may raise a KibitzError only."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kibitz import Engine, KibitzError, Position
from kibitz.formats import FORMATS, read
from kibitz.protocols.answers import Answerer
from kibitz.protocols.limits import Limits, LineBuffer
from tests.formats.format_makers import (
    BGF_HEADER,
    bgf_common_match,
    bgf_file,
    smile,
    xg_common_match,
    xg_common_records,
    xg_container,
)

CORPUS = Path(__file__).parent / "corpus"
FILES = Path(__file__).parents[1] / "formats" / "data"


@dataclass(frozen=True)
class Target:
    """A name, bytes to begin with, what is done with the spoilt ones, and how many there are beside other targets."""

    name: str
    seeds: tuple[bytes, ...]
    run: Callable[[bytes], object]
    weight: int = 4


@cache
def _engine() -> Engine:
    return Engine(plies=0, threads=1)


def _lines(name: str) -> tuple[bytes, ...]:
    """The seeds of a corpus: one a line, in which '|' stands for the end of a line."""
    lines = (CORPUS / f"{name}.txt").read_bytes().splitlines()
    return tuple(line.replace(b"|", b"\n") if line.startswith(b"[") else line for line in lines)


def _text(data: bytes) -> str:
    """As the command line has its words: bytes that are no text are halves of characters."""
    return data.decode("utf-8", "surrogateescape")


# --- match files ------------------------------------------------------------------------------------------------------


def _reader(name: str | None, wrap: Callable[[bytes], bytes] = bytes) -> Callable[[bytes], object]:
    def run(data: bytes) -> None:
        match = read(wrap(data), format=name)
        moments = list(match.moments())
        assert len(moments) == sum(len(game.actions) for game in match.games)
        if len(data) % 8 == 0:  # what was read can be written, and read again
            for writer in ("mat", "sgf", "json"):
                read(FORMATS[writer].write(match)[0], format=writer)

    return run


def _inside_bgf(data: bytes) -> bytes:
    return BGF_HEADER + gzip.compress(data, compresslevel=1, mtime=0)


def _inside_xg(data: bytes) -> bytes:
    return xg_container({"temp.xg": data, "temp.xgi": data[:2560], "temp.xgc": b"a comment"})


def _match_targets() -> Iterator[Target]:
    by_format: dict[str, list[bytes]] = {}
    for path in sorted(FILES.iterdir()):
        data = path.read_bytes()
        by_format.setdefault(read(data).format, []).append(data)
    ours = read(bgf_file(bgf_common_match()))
    for name in ("json", "sgf", "ogxm"):
        with suppress(KibitzError):  # the codec of OGXM is a package of its own
            written = FORMATS[name].write(ours)[0]
            by_format.setdefault(name, []).append(written)
    by_format["bgf"] = [bgf_file(bgf_common_match())]
    by_format["xg"] = [xg_common_match()]
    for name, seeds in by_format.items():
        yield Target(f"read {name}", tuple(seeds), _reader(name), 1)
    everything = tuple(seed for seeds in by_format.values() for seed in seeds)
    yield Target("read any", everything, _reader(None), 1)
    yield Target("read inside bgf", (smile(bgf_common_match()),), _reader("bgf", _inside_bgf), 1)
    records = b"".join(bytes(record.data) for record in xg_common_records())
    yield Target("read inside xg", (records,), _reader("xg", _inside_xg), 1)


# --- notations --------------------------------------------------------------------------------------------------------


def _notation(data: bytes) -> None:
    from kibitz.notation import parse

    state = parse(_text(data))
    with suppress(KibitzError):  # not every notation can say everything
        parse(state.xgid)


def _play(data: bytes) -> None:
    from kibitz.notation import parse_play

    parse_play(_text(data), Position.start(), None if len(data) % 3 else (3, 1))


def _dice(data: bytes) -> None:
    from kibitz import Dice

    Dice.of(_text(data))


def _search(data: bytes) -> None:
    from kibitz.library.filters import DecisionFilter
    from kibitz.library.patterns import Pattern

    with suppress(KibitzError):
        Pattern.of(_text(data))
    DecisionFilter.parse([_text(data)])


def _player(data: bytes) -> None:
    from kibitz.arena.specs import PlayerSpec

    PlayerSpec.parse(_text(data))


# --- files of our own -------------------------------------------------------------------------------------------------


def _on_disk(load: Callable[[Path], object]) -> Callable[[bytes], object]:
    """A reader that wants a path."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))

    def run(data: bytes) -> None:
        path = folder / "file"
        path.write_bytes(data)
        load(path)

    return run


def _own_targets() -> Iterator[Target]:
    from kibitz.arena.log import read_log
    from kibitz.heuristics.settings import read_both
    from kibitz.match_equity.tables import load_table
    from kibitz.rollout.files import load, to_data
    from kibitz.train.settings import TrainingSettings

    yield Target("match equity table", _lines("match_equity"), _on_disk(load_table))
    rollout = _engine().rollout(Position.start(), "31", trials=2, top=1, truncate=2)
    yield Target("rollout", (json.dumps(to_data(rollout)).encode(),), _on_disk(load))
    header = (
        '{"kibitz_arena":1,"players":["random","random"],"rules":{"length":0},"seed":1,"luck":null,"about":[{},{}]}'
    )
    pair = '{"pair":0,"sessions":[{"result":1,"luck":0.5},{"result":-2,"luck":0}]}'
    yield Target("arena log", (f'{header}\n{pair}\n{{"seconds":1.5}}\n'.encode(),), _on_disk(read_log))
    yield Target(
        "training settings", (json.dumps(TrainingSettings().to_dict()).encode(),), _on_disk(TrainingSettings.load)
    )
    weights = b"[tabula]\nhits = 1.5\n[ten-factor]\npips = 2\n"
    yield Target("weights", (weights,), _on_disk(lambda path: read_both(path)))
    net = b'{"architecture":"one-sided","feature_set":3,"format":2,"role":"race","shape":[64,16],"sets":1}'
    body = b"KIBITZNN" + len(net).to_bytes(4, "little") + net + bytes(64)
    yield Target("net", (body,), _net)


def _net(data: bytes) -> None:
    """A net whose checksum is right whatever it holds."""
    import hashlib

    from kibitz.engine.network_file import NetworkFile

    NetworkFile.from_bytes(data + hashlib.sha256(data).digest())


# --- protocols --------------------------------------------------------------------------------------------------------


def _conversation(name: str) -> Callable[[bytes], object]:
    from kibitz.protocols.bei import BeiConversation
    from kibitz.protocols.gnubg_socket import GnubgConversation
    from kibitz.protocols.ubgi import UbgiConversation

    answerer = Answerer(_engine(), Limits(plies=0))
    kinds = {"ubgi": UbgiConversation, "gnubg": GnubgConversation, "bei": BeiConversation}
    talk = kinds[name](answerer)
    buffer = LineBuffer(answerer.limits)
    if name == "bei":
        talk.answer("bei")

    def run(data: bytes) -> None:
        for line in buffer.feed(data + b"\n"):
            answer = talk.answer(line) if line is not None else None
            if name == "ubgi":
                assert line is None or all(isinstance(one, str) and "\n" not in one for one in answer or ())
            else:
                assert answer is None or (isinstance(answer, str) and (not answer or answer.endswith("\n")))

    return run


def _json_line(data: bytes) -> None:
    from io import BytesIO

    from kibitz.protocols.json_lines import answers, lines_in

    for line in answers(_engine(), lines_in(BytesIO(data))):
        json.loads(line.encode(), parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} in an answer")


def targets() -> list[Target]:
    """All of them. What they need is made here, once."""
    notations = _lines("notation")
    return [
        *_match_targets(),
        Target("notation", notations, _notation),
        Target("play", _lines("play"), _play),
        Target("dice", (b"31", b"6-6", b"5 4", b"(2, 1)"), _dice),
        Target("search", _lines("searches"), _search, 1),
        Target("player", (b"kibitz:2", b"kibitz:plies=1,noise=0.1", b"gnubg:0", b"ubgi:command=x"), _player),
        *_own_targets(),
        *(Target(name, _lines(name), _conversation(name)) for name in ("ubgi", "gnubg", "bei")),
        Target("json lines", _lines("json_lines"), _json_line, 1),
    ]
