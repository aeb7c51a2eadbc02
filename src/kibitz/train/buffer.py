"""A ring of training samples, and files of arrays."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import FormatError


class ReplayBuffer:
    """The newest samples, oldest overwritten first."""

    def __init__(self, capacity: int) -> None:
        self.boards: npt.NDArray[np.uint8] = np.zeros((capacity, 2, 25), np.uint8)
        self.targets: npt.NDArray[np.float32] = np.zeros((capacity, 5), np.float32)
        self.capacity = capacity
        self.size = 0
        self._next = 0

    def add(self, boards: npt.NDArray[np.uint8], targets: npt.NDArray[np.float32]) -> None:
        """Put samples in; they must be fewer than the capacity."""
        count = len(boards)
        places = (self._next + np.arange(count)) % self.capacity
        self.boards[places] = boards
        self.targets[places] = targets
        self._next = (self._next + count) % self.capacity
        self.size = min(self.size + count, self.capacity)

    def clear(self) -> None:
        """Forget all samples."""
        self.size = self._next = 0

    def draw(self, count: int, window: int, random: np.random.Generator) -> npt.NDArray[np.uint32]:
        """Random places among the newest `window` samples."""
        ages = random.integers(1, min(window, self.size) + 1, count)
        return ((self._next - ages) % self.capacity).astype(np.uint32)

    def newest(self, count: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        """The newest samples, oldest of them first."""
        places = (self._next - np.arange(min(count, self.size), 0, -1)) % self.capacity
        return self.boards[places], self.targets[places]


@contextmanager
def arrays_in(path: Path) -> Iterator[Any]:
    """The arrays of a file by name, as numpy loads them. A file that is cut or foreign raises FormatError."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
            if not hasattr(arrays, "files"):
                raise ValueError("it holds a single array")
            yield arrays
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, TypeError, EOFError, RuntimeError) as error:
        words = " ".join(str(error).split())[:120]
        raise FormatError(f"{path} is damaged or foreign ({words}); remove it to begin anew") from None
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror or error}") from None


def in_contact(boards: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether each board still has contact: the rearmost checkers have not passed each other."""
    slots = np.arange(25)
    mine = np.where(boards[:, 0] > 0, slots, -1).max(axis=1)
    theirs = np.where(boards[:, 1] > 0, slots, -1).max(axis=1)
    return np.asarray(mine + theirs > 23)
