"""Positions like this one: near each other in what a net makes of them.

The pruning net has one set of layers for all positions. Its two hidden layers, as bytes, are the embedding, and the
distance between two positions is that of their embeddings. Embeddings belong to a net: those of another one are made
anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, insert, select

from kibitz.library.models import EmbeddingBlock, PositionRow, Setting

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz._core import Network
    from kibitz.library.database import Database

SETTING = "embedding"
"""Which net the embeddings are of."""
BLOCK = 4096
"""So many positions make a block full."""
AT_ONCE = 8
"""Blocks of one transaction."""


@lru_cache(maxsize=1)
def _net() -> tuple[str, Network]:
    """The net that embeds, with a name that changes when it does."""
    import hashlib

    from kibitz.engine.networks import NetworkFolder

    file = NetworkFolder.load().files["pruning"]
    return hashlib.sha256(file.payload).hexdigest()[:16], file.network()


def embed(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The embeddings of boards (n, 2, 25)."""
    return _net()[1].hidden(boards)


def fill(database: Database) -> int:
    """Embed all positions that have no embedding of the present net. Returns how many these were.

    Writers come one after the other, so what is new has higher numbers than all that has been embedded.
    """
    name, _ = _net()
    count = 0
    while True:
        with database.reading() as connection:
            if _net_of(connection) == name and _last(connection) == _newest(connection):
                return count
        with database.writing() as connection:
            if _net_of(connection) != name:
                connection.execute(delete(EmbeddingBlock))
                known = database.insert(Setting).values(name=SETTING, value=name)
                connection.execute(known.on_conflict_do_update(index_elements=["name"], set_={"value": name}))
            count += _add_blocks(connection, AT_ONCE)


def _add_blocks(connection: Connection, most: int) -> int:
    """Embed the next positions. A block that is not full is made anew with them. Returns how many are new."""
    import numpy as np

    block = connection.execute(select(EmbeddingBlock).order_by(EmbeddingBlock.last.desc()).limit(1)).mappings().first()
    there, first = 0, 0 if block is None else block["last"] + 1
    if block is not None:
        numbers = np.frombuffer(block["positions"], dtype="<i8")
        if len(numbers) < BLOCK:
            there, first = len(numbers), int(numbers[0])
            connection.execute(delete(EmbeddingBlock).where(EmbeddingBlock.last == block["last"]))
    query = select(PositionRow.id, PositionRow.board).where(PositionRow.id >= first).order_by(PositionRow.id)
    rows = connection.execute(query.limit(most * BLOCK)).all()
    for start in range(0, len(rows), BLOCK):
        some = rows[start : start + BLOCK]
        boards = np.frombuffer(b"".join(row.board for row in some), dtype=np.uint8).reshape(-1, 2, 25)
        positions = np.array([row.id for row in some], dtype="<i8")
        values = {"last": some[-1].id, "positions": positions.tobytes(), "vectors": embed(boards).tobytes()}
        connection.execute(insert(EmbeddingBlock).values(values))
    return len(rows) - there


def _net_of(connection: Connection) -> str | None:
    return connection.execute(select(Setting.value).where(Setting.name == SETTING)).scalar()


def _last(connection: Connection) -> int | None:
    """The last position that has been embedded."""
    return connection.execute(select(func.max(EmbeddingBlock.last))).scalar()


def _newest(connection: Connection) -> int | None:
    """The last position that there is."""
    return connection.execute(select(func.max(PositionRow.id))).scalar()


class Neighbours:
    """All embeddings of a library, kept in memory and brought up to date before each search."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._net: str | None = None
        self._blocks: dict[int, _Block] = {}

    def nearest(
        self, board: npt.NDArray[np.uint8], count: int, among: set[int] | None = None
    ) -> list[tuple[int, float]]:
        """Positions and their distances, the nearest first; only those among the given ones, if any are."""
        import numpy as np

        self._update()
        if not self._blocks:
            return []
        wanted = embed(np.ascontiguousarray(board.reshape(1, 2, 25)))[0].astype(np.float32)
        ids = np.concatenate([block.ids for block in self._blocks.values()])
        squares = np.concatenate([block.squares(wanted) for block in self._blocks.values()])
        if among is not None:
            keep = np.isin(ids, np.fromiter(among, dtype=np.int64, count=len(among)))
            squares = np.where(keep, squares, np.inf)
        count = min(count, len(squares))
        best = np.argpartition(squares, count - 1)[:count]
        best = best[np.lexsort((ids[best], squares[best]))]
        return [(int(ids[i]), float(np.sqrt(max(squares[i], 0.0)))) for i in best if np.isfinite(squares[i])]

    def _update(self) -> None:
        """Read what is new, and forget what is not there any more."""
        with self._database.reading() as connection:
            net = _net_of(connection)
            if net != self._net:
                self._net, self._blocks = net, {}
            there = list(connection.execute(select(EmbeddingBlock.last).order_by(EmbeddingBlock.last)).scalars())
            new = [last for last in there if last not in self._blocks]
            query = select(EmbeddingBlock).where(EmbeddingBlock.last >= min(new, default=0))
            rows = connection.execute(query).mappings().all() if new else []
        known = self._blocks | {row["last"]: _Block(row["positions"], row["vectors"]) for row in rows}
        self._blocks = {last: known[last] for last in there}


class _Block:
    """Some positions with their embeddings, as bytes: numbers four times as long are made while they are needed."""

    def __init__(self, positions: bytes, vectors: bytes) -> None:
        import numpy as np

        self.ids: npt.NDArray[np.int64] = np.frombuffer(positions, dtype="<i8").astype(np.int64)
        self._vectors = np.frombuffer(vectors, dtype=np.uint8).reshape(len(self.ids), -1)

    def squares(self, wanted: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The square of the distance of each from an embedding."""
        import numpy as np

        apart = self._vectors.astype(np.float32)
        apart -= wanted
        found: npt.NDArray[np.float32] = np.einsum("ij,ij->i", apart, apart)
        return found
