"""Rows and boards as arrays, from whatever a caller has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from kibitz.errors import PositionError, TableError
from kibitz.position import Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SLOTS = 25
RowLike: TypeAlias = "str | Sequence[int] | npt.NDArray[Any]"


def as_rows(rows: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """An array of shape (n, up to 25) as (n, 25) bytes; missing slots are empty."""
    import numpy as np

    array = np.asarray(rows)
    if array.ndim != 2 or array.shape[1] > SLOTS or array.dtype.kind not in "iu":
        raise PositionError(
            [f"rows are integers of shape (n, up to 25), not {array.dtype} of shape {array.shape}"],
        )
    if array.size and (array.min() < 0 or array.max() > 255):
        raise PositionError(["a point has fewer than 0 or more than 255 checkers"])
    full = np.zeros((len(array), SLOTS), dtype=np.uint8)
    full[:, : array.shape[1]] = array
    return full


def as_row(row: RowLike) -> npt.NDArray[np.uint8]:
    """One row of 25 from a board such as '002220', from counts or from an array."""
    if isinstance(row, str):
        from kibitz.bearoff.advisor import parse_board

        row = parse_board(row)
    return as_rows([list(row)])


def as_boards(boards: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """An array of boards as (n, 2, 25) bytes."""
    import numpy as np

    array = np.asarray(boards)
    if array.ndim != 3 or array.shape[1:] != (2, SLOTS) or array.dtype.kind not in "iu":
        raise PositionError([f"boards are integers of shape (n, 2, 25), not {array.dtype} of shape {array.shape}"])
    return np.ascontiguousarray(array, dtype=np.uint8)


def board_of(position: Position) -> npt.NDArray[np.uint8]:
    """A position as an array of one board."""
    return position.board[None]


def out_of_reach(error: IndexError, what: str) -> TableError:
    """The error for a row or board that a table does not hold; the core names its place."""
    return TableError(f"number {error} of what was asked is not in the table: it holds {what}")
