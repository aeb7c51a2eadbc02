"""Net files: a small flat format that says what it holds and refuses to be misread.

A file is: 8 bytes of magic, 4 bytes length of the header (little-endian), the header (UTF-8 JSON), the payload (the
architecture as six integers, see HEAD, and then the net's own, see layer_shapes), and the SHA-256 of everything before
it. The header names the format version, the architecture, the feature set, the role of the net and where it came from.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.errors import NetworkFileError
from kibitz.files import write_file
from kibitz.plain_json import read_json

if TYPE_CHECKING:
    import numpy.typing as npt

MAGIC = b"KIBITZNN"
FORMAT_VERSION = 2
ARCHITECTURES = {3: "sparse-dense-dense", 2: "one-sided"}
"""By how many widths a net's shape has: a net for positions, or the one for a side of a race."""
MAX_HEADER = 1 << 20
MAX_FILE = 64 << 20
HEAD = 6
"""Numbers at the start of a payload, 32 bits each: the architecture (1 for positions, 2 for one side), units of the
first layer, its width, those of the hidden layers (0 for one that is not there), sets of later layers: as
cpp/eval/architecture.hpp has them."""
COUNTS, FEATURES, ROW = 1, 2, 3
"""Feature sets: how many checkers are where, that and what rolls can do (cpp/eval/features.hpp), or one side alone."""
UNITS = {COUNTS: _core.COUNT_UNITS, FEATURES: _core.COUNT_UNITS + _core.FEATURE_UNITS, ROW: _core.ROW_UNITS}
"""Units of the first layer for each feature set."""
FEATURE_SETS = {3: (COUNTS, FEATURES), 2: (ROW,)}
"""Those of each architecture, by how many widths its shapes have."""
SETS = (1, _core.BUCKETS)
"""How many sets of later layers a net may have: one for all positions, or one for each bucket
(cpp/eval/bucket.hpp)."""
Shape = tuple[int, int, int]
"""Widths of the layers of a net for positions."""
RaceShape = tuple[int, int]
"""Widths of the layers of a net for one side of a race."""


def layer_shapes(shape: Shape | RaceShape, units: int, sets: int) -> dict[str, tuple[int, tuple[int, ...]]]:
    """Names, bytes a number and shapes of the arrays in a payload, in their order."""
    if len(shape) == 2:
        width, hidden = shape
        outputs = _core.RACE_TURNS + _core.FIRST_TURNS
        return {
            "units": (2, (units, width)),
            "bias1": (2, (width,)),
            "weights2": (2, (width, hidden)),
            "weights3": (2, (hidden, outputs)),
            "bias2": (4, (hidden,)),
            "bias3": (4, (outputs,)),
        }
    width, hidden1, hidden2 = shape
    return {
        "units": (2, (units, width)),
        "bias1": (2, (width,)),
        "weights2": (2, (sets, width, hidden1)),
        "weights3": (2, (sets, hidden1, hidden2)),
        "weights4": (2, (sets, hidden2, 5)),
        "bias2": (4, (sets, hidden1)),
        "bias3": (4, (sets, hidden2)),
        "bias4": (4, (sets, 5)),
    }


def _size(shape: Shape | RaceShape, units: int, sets: int) -> int:
    arrays = layer_shapes(shape, units, sets).values()
    return 4 * HEAD + sum(width * math.prod(sizes) for width, sizes in arrays)


def architecture_head(shape: Shape | RaceShape, units: int, sets: int) -> bytes:
    """The head of a payload."""
    kind = 1 if len(shape) == 3 else 2
    return struct.pack(f"<{HEAD}I", kind, units, *shape, *[0] * (3 - len(shape)), sets)


def kind_of(payload: bytes, shape: Shape | RaceShape) -> tuple[int, int]:
    """The feature set that a payload is for, and how many sets of later layers it has, as its head says."""
    kind, units, *widths, sets = struct.unpack(f"<{HEAD}I", payload[: 4 * HEAD].ljust(4 * HEAD))
    told = tuple(widths[: 4 - kind]) if kind in (1, 2) else ()
    feature_set = next((one for one in FEATURE_SETS.get(len(told), ()) if UNITS[one] == units), None)
    if told != tuple(shape) or feature_set is None or sets not in (SETS if kind == 1 else (1,)):
        raise ValueError(f"the numbers begin with {kind, units, *widths, sets}, which is no net of shape {shape}")
    if len(payload) != _size(shape, units, sets):
        raise ValueError(f"the numbers take {len(payload)} bytes, not {_size(shape, units, sets)}")
    return feature_set, sets


def layers_of(payload: bytes, shape: Shape | RaceShape) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a payload, copied so that they can be changed."""
    import numpy as np

    feature_set, sets = kind_of(payload, shape)
    layers, start = {}, 4 * HEAD
    for name, (width, sizes) in layer_shapes(shape, UNITS[feature_set], sets).items():
        count = math.prod(sizes)
        layers[name] = np.frombuffer(payload, f"<i{width}", count, start).reshape(sizes).astype(f"=i{width}")
        start += count * width
    return layers


def payload_of(layers: dict[str, npt.NDArray[Any]]) -> bytes:
    """The payload of a set of arrays."""
    units, sets = len(layers["units"]), 1
    shape: Shape | RaceShape
    if "weights4" in layers:
        sets, width, hidden1 = layers["weights2"].shape
        shape = (width, hidden1, layers["weights3"].shape[2])
    else:
        shape = layers["weights2"].shape
    order = layer_shapes(shape, units, sets).items()
    arrays = (layers[name].astype(f"<i{width}").tobytes() for name, (width, _) in order)
    return architecture_head(shape, units, sets) + b"".join(arrays)


@dataclass(frozen=True, slots=True)
class NetworkFile:
    """A net with all that its file says of it. `role` is contact, race, pruning or prefilter."""

    role: str
    shape: Shape | RaceShape
    payload: bytes
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def feature_set(self) -> int:
        """The inputs that the net was trained on: COUNTS, FEATURES or ROW."""
        return kind_of(self.payload, self.shape)[0]

    @property
    def sets(self) -> int:
        """How many sets of later layers the net has."""
        return kind_of(self.payload, self.shape)[1]

    @property
    def widths(self) -> Shape:
        """The shape of a net for positions; the one for races is refused."""
        if len(self.shape) != 3:
            raise self._unusable("it is for one side of a race, and one for positions was expected")
        return self.shape

    def network(self) -> _core.Network:
        """The net, ready to evaluate positions."""
        widths = self.widths
        try:
            return _core.Network(*widths, self.payload)
        except ValueError as error:
            raise self._unusable(error) from None

    def race_network(self) -> _core.RaceNetwork:
        """The net, ready to evaluate one side of a race."""
        if len(self.shape) != 2:
            raise self._unusable("it is for positions, and one for one side of a race was expected")
        try:
            return _core.RaceNetwork(*self.shape, self.payload)
        except ValueError as error:
            raise self._unusable(error) from None

    def _unusable(self, reason: object) -> NetworkFileError:
        return NetworkFileError(f"the {self.role} net cannot be used ({reason}); use another one")

    def to_bytes(self) -> bytes:
        """The file's content."""
        header = {
            "format": FORMAT_VERSION,
            "architecture": ARCHITECTURES[len(self.shape)],
            "feature_set": self.feature_set,
            "role": self.role,
            "shape": list(self.shape),
            "sets": self.sets,
            "provenance": self.provenance,
        }
        text = json.dumps(header, sort_keys=True).encode()
        body = MAGIC + len(text).to_bytes(4, "little") + text + self.payload
        return body + hashlib.sha256(body).digest()

    def save(self, folder: Path) -> Path:
        """Write the file into a folder, under a name that carries its hash. Nothing half-written ever has that name."""
        content = self.to_bytes()
        path = folder / f"{self.role}-{hashlib.sha256(content).hexdigest()[:12]}.net"
        write_file(path, content)
        return path

    @classmethod
    def load(cls, path: Path | str) -> NetworkFile:
        """Read a net file; a wrong, damaged or newer one is refused."""
        path = Path(path)
        try:
            if path.stat().st_size > MAX_FILE:
                raise NetworkFileError(f"{path}: {path.stat().st_size} bytes are too many for a net file")
            content = path.read_bytes()
        except OSError as error:
            raise NetworkFileError(
                f"{path}: cannot be read ({error.strerror}); reinstall kibitz or name another net"
            ) from None
        digest = path.stem.rpartition("-")[2]
        return cls.from_bytes(content, str(path), digest if len(digest) == 12 else "")

    @classmethod
    def from_bytes(cls, content: bytes, name: str = "net file", digest: str = "") -> NetworkFile:
        """Read a net file's content; `name` is used in messages, `digest` is how its hash should begin."""
        again = "; reinstall kibitz or copy the file again"
        start = len(MAGIC) + 4
        if content[: len(MAGIC)] != MAGIC:
            raise NetworkFileError(f"{name}: this is no Kibitz net file: it does not start with {MAGIC.decode()}")
        size = int.from_bytes(content[len(MAGIC) : start], "little")
        if len(content) < start + 32 or size > MAX_HEADER or start + size + 32 > len(content):
            raise NetworkFileError(f"{name}: the file is cut short ({len(content)} bytes){again}")
        found = hashlib.sha256(memoryview(content)[:-32])
        if found.digest() != content[-32:]:
            raise NetworkFileError(f"{name}: the checksum is wrong, so the file is damaged{again}")
        found.update(content[-32:])  # from the checksum to the hash of the whole file, which takes a while to make
        try:
            header = read_json(content[start : start + size])
            version = header["format"]
        except (ValueError, KeyError, TypeError) as error:
            raise NetworkFileError(f"{name}: the header is not what a net file has ({error}){again}") from None
        if version == 1:
            raise NetworkFileError(
                f"{name}: net format 1, whose numbers did not tell their architecture, but this kibitz reads format "
                f"{FORMAT_VERSION}; write it anew with python -m kibitz.train.upgrade"
            )
        if version != FORMAT_VERSION:
            raise NetworkFileError(
                f"{name}: net format {version!r}, but this kibitz reads format {FORMAT_VERSION}; "
                "update kibitz or use a net made for it"
            )
        architecture, feature_set = header.get("architecture"), header.get("feature_set")
        widths = next((count for count, kind in ARCHITECTURES.items() if kind == architecture), 0)
        if feature_set not in FEATURE_SETS.get(widths, ()):
            known = ", ".join(
                f"{kind!r} with one of {list(FEATURE_SETS[count])}" for count, kind in ARCHITECTURES.items()
            )
            raise NetworkFileError(
                f"{name}: made for architecture {architecture!r} and feature set {feature_set!r}, "
                f"expected {known}; update kibitz or use a net made for it"
            )
        payload = content[start + size : -32]
        try:
            shape = list(header["shape"])
            if len(shape) != widths:
                raise ValueError(f"{widths} widths were expected")
            if not all(type(one) is int and 0 < one <= _core.MAX_WIDTH for one in shape):
                raise ValueError(f"widths are whole numbers from 1 to {_core.MAX_WIDTH}")
            known_shape = (shape[0], shape[1], shape[2]) if widths == 3 else (shape[0], shape[1])
            file = cls(str(header["role"]), known_shape, payload, dict(header.get("provenance", {})))
            if file.feature_set != feature_set:
                raise ValueError(f"the numbers are those of feature set {file.feature_set}")
            if file.sets != header.get("sets", 1):
                raise ValueError(f"the numbers are those of {file.sets} sets of later layers")
        except (ValueError, KeyError, TypeError) as error:
            raise NetworkFileError(
                f"{name}: the net's shape and numbers do not fit together ({error}){again}"
            ) from None
        if not found.hexdigest().startswith(digest):
            raise NetworkFileError(
                f"{name}: the content does not match the hash in its name; reinstall kibitz or copy it again"
            )
        return file
