"""Matches that are being played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table of matches in progress."""
    op.create_table(
        "live_match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("live", sa.LargeBinary(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_live_match_owner_id_owner")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_live_match_match_id_match"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_live_match")),
    )
    op.create_index(op.f("ix_live_match_owner_id"), "live_match", ["owner_id"], unique=False)
    op.create_index(op.f("ix_live_match_match_id"), "live_match", ["match_id"], unique=False)


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("live_match")
