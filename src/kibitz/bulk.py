"""Many positions at once: numpy in, numpy out, without a Python object for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kibitz import _core
from kibitz.errors import NotationError, PositionError
from kibitz.position import position_defects
from kibitz.status import Defect, PositionStatus

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class BulkPlays(NamedTuple):
    """The results of many rolls: those of the i-th are `boards[offsets[i]:offsets[i + 1]]`, seen by the opponent."""

    offsets: npt.NDArray[np.int64]
    boards: npt.NDArray[np.uint8]


def plays_bulk(boards: npt.ArrayLike, dice: npt.ArrayLike) -> BulkPlays:
    """The distinct results of n boards, shape (n, 2, 25), with n rolls, shape (n, 2).

    >>> plays_bulk([Position.start().board], [(3, 1)]).boards.shape
    (16, 2, 25)
    """
    import numpy as np

    array = checked_boards(boards)
    rolls = np.asarray(dice)
    if rolls.shape != (len(array), 2):
        raise NotationError(f"expected dice of the shape ({len(array)}, 2), a roll for each board, not {rolls.shape}")
    if not ((rolls >= 1) & (rolls <= 6)).all():
        bad = next(roll for roll in rolls.tolist() if not all(1 <= die <= 6 for die in roll))
        raise NotationError(f"die values must be between 1 and 6, not {bad}")
    offsets, results = _core.legal_results_bulk(array, np.ascontiguousarray(rolls, dtype=np.uint8))
    return BulkPlays(offsets, results)


def position_ids_bulk(boards: npt.ArrayLike) -> npt.NDArray[np.bytes_]:
    """The Position IDs of n boards, as n byte strings of 14 characters."""
    ids = _core.position_ids(checked_boards(boards))
    return ids.view("S14").reshape(-1)


def checked_boards(boards: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Boards as the core wants them. Raises PositionError for the first that cannot occur, with all its defects."""
    import numpy as np

    given = np.asarray(boards)
    if given.ndim != 3 or given.shape[1:] != (2, 25):
        words = f"boards have the shape (n, 2, 25), not {given.shape}"
        raise PositionError([Defect(PositionStatus.WRONG_SHAPE, words)])
    if given.dtype != np.uint8 and ((given < 0) | (given > 15)).any():
        bad = int(((given < 0) | (given > 15)).any(axis=(1, 2)).argmax())
    else:
        array = np.ascontiguousarray(given, dtype=np.uint8)
        bad = _core.first_invalid(array)
        if bad < 0:
            return array
    raise PositionError(position_defects(given[bad][0].tolist(), given[bad][1].tolist()), f"board {bad}")
