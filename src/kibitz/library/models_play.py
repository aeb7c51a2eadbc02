"""The table of matches that are being played here. Once over, a match is kept like any other."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from kibitz.library.models import Base


class LiveMatchRow(Base):
    """A match in progress. `version` grows with every change, so that no two windows overwrite each other."""

    __tablename__ = "live_match"
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"), index=True)
    version: Mapped[int]
    settings: Mapped[dict[str, Any]]
    live: Mapped[bytes]
    match_id: Mapped[int | None] = mapped_column(ForeignKey("match.id", ondelete="SET NULL"), index=True)
    is_over: Mapped[bool]
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime]
