"""The one interface between tables and evaluation: a position's class decides whether there is an exact answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.bearoff.rows import as_boards
from kibitz.position import Position, Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def exact_evaluations(
    boards: npt.ArrayLike, *, variant: Variant | str = Variant.BACKGAMMON
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """The five outputs of many boards, (n, 2, 25) -> (n, 5), and for each whether a table knows them, (n,).

    Finished games, bearing off by both sides, and all of a hypergammon whose table is in use are known.
    """
    outputs, known = _core.exact_outputs(as_boards(boards), Variant(variant).checkers)
    return outputs, known


def exact_money_equities(position: Position, *, variant: Variant | str = Variant.BACKGAMMON) -> dict[str, Any] | None:
    """Money equities for the cube centred (with and without Jacoby), owned and unavailable, if a table knows them."""
    found = _core.exact_money_equities(position.rows, Variant(variant).checkers)
    if found is None:
        return None
    return dict(zip(("cubeless", "centred", "centred_jacoby", "owned", "unavailable"), found, strict=True))
