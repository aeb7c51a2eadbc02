"""What is fuzzed: every reader, notation and protocol. A target takes bytes, and may raise a KibitzError only."""

from __future__ import annotations

import gzip
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

import kibitz
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
SAMPLE = Path(__file__).parents[2] / "examples" / "sample.mat"


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
    for name in ("json", "sgf"):
        by_format.setdefault(name, []).append(FORMATS[name].write(ours)[0])
    if find_spec("ogxm") is not None:  # the codec is a package of its own
        files = (SAMPLE, FILES / "gnubg.sgf", FILES / "oldmoves.fibs")
        by_format["ogxm"] = [FORMATS["ogxm"].write(read(path.read_bytes()))[0] for path in files]
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


_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


def _on_disk(load: Callable[[Path], object], wrap: Callable[[bytes], bytes] = bytes) -> Callable[[bytes], object]:
    """A reader that wants a path."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-fuzz-", dir=_MEMORY))

    def run(data: bytes) -> None:
        path = folder / "file"
        path.write_bytes(wrap(data))
        load(path)

    return run


def _own_targets() -> Iterator[Target]:
    import numpy as np

    from kibitz import _core
    from kibitz.arena.log import read_log
    from kibitz.engine.network_file import NetworkFile, layer_shapes, payload_of
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
    shape = (64, 16)
    numbers = {name: np.ones(sizes, int) for name, (_, sizes) in layer_shapes(shape, _core.ROW_UNITS, 1).items()}
    yield Target("net", (NetworkFile("race", shape, payload_of(numbers)).to_bytes()[:-32],), _net)
    yield Target("config", (b'# mine\nplies = 1\ntheme = "dark"\n[other]\nx = 1\n',), _on_disk(_config))
    yield from _table_targets()
    yield from _kept_targets()


def _config(path: Path) -> None:
    from kibitz.cli.settings import SETTINGS, file_values

    values = file_values(path)
    for name in set(values) & set(SETTINGS):
        SETTINGS[name].read(values[name], str(path))


def _table_targets() -> Iterator[Target]:
    """Tables of which nobody has looked at every byte, which is how large ones are opened."""
    import numpy as np

    from kibitz.bearoff.one_sided import OneSided
    from kibitz.bearoff.tables import TableName, build
    from kibitz.bearoff.two_sided import TwoSided

    folder = Path(tempfile.mkdtemp(prefix="kibitz-fuzz-", dir=_MEMORY))
    seeds = {}
    for name in (TableName("one-sided", 3, 4), TableName("two-sided", 2, 3)):
        with mock.patch.dict(os.environ, {"KIBITZ_CACHE": str(folder)}):
            build(name)
            seeds[name.kind] = name.path.read_bytes()

    def one_sided(path: Path) -> None:
        table = OneSided(3, 4, path=path, check=False)
        rows = [table.row(number) for number in range(len(table))]
        table.look_up(np.array(rows, dtype=np.uint8))
        table.turns(rows[-1])

    def two_sided(path: Path) -> None:
        table = TwoSided(2, 3, path=path, check=False)
        for mine, theirs in (({1: 1}, {2: 2}), ({1: 3}, {1: 3}), ({2: 3}, {1: 1})):
            table.evaluate(Position.of(mine, theirs))

    yield Target("one-sided table", (seeds["one-sided"],), _on_disk(one_sided), 1)
    yield Target("two-sided table", (seeds["two-sided"],), _on_disk(two_sided), 1)


def _kept_targets() -> Iterator[Target]:
    """What is kept of reviews and of training: a review that cannot be read counts as none."""
    from io import BytesIO

    import numpy as np

    from kibitz.analysis import cache
    from kibitz.analysis.levels import ReviewLevel, ReviewSettings
    from kibitz.train.record import load_games

    match = read((FILES / "gnubg.sgf").read_bytes())
    settings = ReviewSettings(level=ReviewLevel.of("fast"))
    review = kibitz.review(match, settings=settings, engine=_engine(), cache=False)

    def kept(path: Path) -> None:
        found = cache.read_kept(path, match)
        assert found is None or found.match is match

    plain = json.dumps(review.to_dict(statistics=False)).encode()
    yield Target("kept review", (plain,), _on_disk(kept, lambda data: gzip.compress(data, 1, mtime=0)), 1)
    games = BytesIO()
    np.savez(
        games,
        boards=np.zeros((2, 2, 25), np.uint8),
        values=np.zeros((2, 5), np.uint16),
        backups=np.zeros((2, 5), np.uint16),
        traced=np.ones(2, np.uint8),
    )
    yield Target("recorded games", (games.getvalue(),), _on_disk(lambda path: load_games(path, 0.5)), 1)


def _net(data: bytes) -> None:
    """A net whose checksum is right whatever it holds."""
    import hashlib

    from kibitz.engine.network_file import NetworkFile

    found = NetworkFile.from_bytes(data + hashlib.sha256(data).digest())
    (found.race_network if len(found.shape) == 2 else found.network)()


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

    # Who asks for nine seconds of thought gets them: that is no hang.
    data = re.sub(rb'"time": *[1-9][0-9.eE+]*', b'"time": 0.1', data)
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
