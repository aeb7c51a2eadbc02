"""Positions like this one: near each other in what a net makes of them.

The pruning net has one set of layers for all positions. Its two hidden layers, as bytes, are the embedding, and the
distance between two positions is that of their embeddings. Embeddings belong to a net: those of another one are made
anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, insert, select

from kibitz.library.models import Base, Embedding, PositionRow, Setting

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz._core import Network
    from kibitz.library.database import Database

SETTING = "embedding"
"""Which net the embeddings are of."""
BLOCK = 20_000
"""Positions that are embedded and written at a time."""


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
    """Embed all positions that have no embedding of the present net. Returns how many these were."""
    import numpy as np

    name, _ = _net()
    count = 0
    with database.reading() as connection:
        if _net_of(connection) == name and _size(connection, PositionRow) == _size(connection, Embedding):
            return count
    while True:
        with database.writing() as connection:
            if _net_of(connection) != name:
                connection.execute(delete(Embedding))
                known = database.insert(Setting).values(name=SETTING, value=name)
                connection.execute(known.on_conflict_do_update(index_elements=["name"], set_={"value": name}))
            missing = (
                select(PositionRow.id, PositionRow.board)
                .outerjoin(Embedding, Embedding.position_id == PositionRow.id)
                .where(Embedding.position_id.is_(None))
                .limit(BLOCK)
            )
            rows = connection.execute(missing).all()
            if not rows:
                return count
            boards = np.frombuffer(b"".join(row.board for row in rows), dtype=np.uint8).reshape(-1, 2, 25)
            connection.execute(
                insert(Embedding),
                [
                    {"position_id": row.id, "vector": vector.tobytes()}
                    for row, vector in zip(rows, embed(boards), strict=True)
                ],
            )
            count += len(rows)


def _size(connection: Connection, table: type[Base]) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _net_of(connection: Connection) -> str | None:
    return connection.execute(select(Setting.value).where(Setting.name == SETTING)).scalar()


class Neighbours:
    """All embeddings of a library, kept in memory and brought up to date before each search."""

    def __init__(self, database: Database) -> None:
        import numpy as np

        self._database = database
        self._net = ""
        self._ids: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._vectors: npt.NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)
        self._norms: npt.NDArray[np.float32] = np.zeros(0, dtype=np.float32)

    def nearest(
        self, board: npt.NDArray[np.uint8], count: int, among: set[int] | None = None
    ) -> list[tuple[int, float]]:
        """Positions and their distances, the nearest first; only those among the given ones, if any are."""
        import numpy as np

        self._update()
        if not len(self._ids):
            return []
        wanted = embed(np.ascontiguousarray(board.reshape(1, 2, 25)))[0].astype(np.float32)
        distances = self._norms - 2 * (self._vectors @ wanted) + float(wanted @ wanted)
        if among is not None:
            keep = np.isin(self._ids, np.fromiter(among, dtype=np.int64, count=len(among)))
            distances = np.where(keep, distances, np.inf)
        count = min(count, len(distances))
        best = np.argpartition(distances, count - 1)[:count]
        best = best[np.lexsort((self._ids[best], distances[best]))]
        found = ((int(self._ids[i]), float(np.sqrt(max(distances[i], 0.0)))) for i in best if np.isfinite(distances[i]))
        return list(found)

    def _update(self) -> None:
        import numpy as np

        name, _ = _net()
        with self._database.reading() as connection:
            if self._net != _net_of(connection):
                self._ids = self._ids[:0]
            newest = int(self._ids[-1]) if len(self._ids) else 0
            known = select(func.count()).select_from(Embedding).where(Embedding.position_id <= newest)
            if connection.execute(known).scalar() != len(self._ids):  # another writer was slower with a lower number
                self._ids, newest = self._ids[:0], 0
            query = select(Embedding.position_id, Embedding.vector).where(Embedding.position_id > newest)
            # Plain tuples: rows that know their columns would take longer than the search itself.
            rows = connection.execute(query.order_by(Embedding.position_id)).cursor.fetchall()
        self._net = name
        if not rows:
            return
        numbers, blobs = zip(*rows, strict=True)
        ids = np.array(numbers, dtype=np.int64)
        vectors = np.frombuffer(b"".join(blobs), dtype=np.uint8).reshape(len(rows), -1)
        fresh = vectors.astype(np.float32)
        if len(self._ids):
            ids, fresh = np.concatenate([self._ids, ids]), np.concatenate([self._vectors, fresh])
        self._ids, self._vectors = ids, fresh
        self._norms = np.einsum("ij,ij->i", fresh, fresh)
