"""Embeddings many at a time. They are not moved: the next import or search makes them anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Put the table of blocks in the place of that of single embeddings."""
    op.drop_table("embedding")
    op.create_table(
        "embedding_block",
        sa.Column("last", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("positions", sa.LargeBinary(), nullable=False),
        sa.Column("vectors", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("last", name=op.f("pk_embedding_block")),
    )


def downgrade() -> None:
    """The other way round."""
    op.drop_table("embedding_block")
    op.create_table(
        "embedding",
        sa.Column("position_id", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["position_id"], ["position.id"], name=op.f("fk_embedding_position_id_position"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("position_id", name=op.f("pk_embedding")),
    )
