"""The tables of what the user adds: notes, tags, collections, searches, cards to study; and of work to be done.

Notes, tags and collected decisions outlive their match: the link goes, the position and the words stay.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from kibitz.library.models import Base


class Note(Base):
    """A text about a match, a decision or a position; the user's own, or a comment of a file."""

    __tablename__ = "note"
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("match.id", ondelete="SET NULL"), index=True)
    decision_id: Mapped[int | None] = mapped_column(ForeignKey("decision.id", ondelete="SET NULL"), index=True)
    position_id: Mapped[int | None] = mapped_column(ForeignKey("position.id"), index=True)
    source_id: Mapped[int | None] = mapped_column(ForeignKey("source_file.id", ondelete="SET NULL"))
    origin: Mapped[str] = mapped_column(String(8))  # user, file
    about: Mapped[str] = mapped_column(default="")  # what it was written about, in words
    text: Mapped[str]
    created_at: Mapped[datetime]


class Tag(Base):
    """A word that things are found by."""

    __tablename__ = "tag"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    name: Mapped[str]


class Tagging(Base):
    """A tag on a match, a decision or a position; from the user, or a mark of a file."""

    __tablename__ = "tagging"
    id: Mapped[int] = mapped_column(primary_key=True)
    tag_id: Mapped[int] = mapped_column(ForeignKey("tag.id", ondelete="CASCADE"), index=True)
    match_id: Mapped[int | None] = mapped_column(ForeignKey("match.id", ondelete="SET NULL"), index=True)
    decision_id: Mapped[int | None] = mapped_column(ForeignKey("decision.id", ondelete="SET NULL"), index=True)
    position_id: Mapped[int | None] = mapped_column(ForeignKey("position.id"), index=True)
    origin: Mapped[str] = mapped_column(String(8))
    created_at: Mapped[datetime]


class Collection(Base):
    """Decisions and positions that the user keeps together."""

    __tablename__ = "collection"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    name: Mapped[str]


class CollectionItem(Base):
    """One thing in a collection. The position stays when its match goes."""

    __tablename__ = "collection_item"
    __table_args__ = (UniqueConstraint("collection_id", "decision_id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collection.id", ondelete="CASCADE"))
    decision_id: Mapped[int | None] = mapped_column(ForeignKey("decision.id", ondelete="SET NULL"), index=True)
    position_id: Mapped[int] = mapped_column(ForeignKey("position.id"), index=True)
    added_at: Mapped[datetime]


class SavedSearch(Base):
    """A question to ask again."""

    __tablename__ = "saved_search"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    name: Mapped[str]
    query: Mapped[dict[str, Any]]


# --- study ------------------------------------------------------------------------------------------------------------


class Deck(Base):
    """Cards to study together, where they come from, and how they are scheduled and graded."""

    __tablename__ = "deck"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    name: Mapped[str]
    query: Mapped[dict[str, Any]]
    settings: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class CardRow(Base):
    """A decision to be asked again. `answer` is the analysis when the card was made: it outlives the match."""

    __tablename__ = "card"
    __table_args__ = (UniqueConstraint("deck_id", "key"), Index("ix_card_due", "deck_id", "due"))
    id: Mapped[int] = mapped_column(primary_key=True)
    deck_id: Mapped[int] = mapped_column(ForeignKey("deck.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(16))
    decision_id: Mapped[int | None] = mapped_column(ForeignKey("decision.id", ondelete="SET NULL"), index=True)
    position_id: Mapped[int] = mapped_column(ForeignKey("position.id"), index=True)
    about: Mapped[str]
    answer: Mapped[bytes]
    lost: Mapped[float]  # when it was played
    suspended: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]
    # the schedule's own state
    state: Mapped[int]
    step: Mapped[int | None]
    stability: Mapped[float | None]
    difficulty: Mapped[float | None]
    due: Mapped[datetime]
    last_review: Mapped[datetime | None]


class CardReview(Base):
    """An answer that was given, with the schedule before and after it."""

    __tablename__ = "card_review"
    id: Mapped[int] = mapped_column(primary_key=True)
    card_id: Mapped[int] = mapped_column(ForeignKey("card.id", ondelete="CASCADE"), index=True)
    at: Mapped[datetime]
    rating: Mapped[int]
    answer: Mapped[str]
    lost: Mapped[float]
    milliseconds: Mapped[int | None]
    before: Mapped[dict[str, Any]]
    after: Mapped[dict[str, Any]]


# --- work -------------------------------------------------------------------------------------------------------------


class JobRow(Base):
    """Something that takes long, cut into chunks."""

    __tablename__ = "job"
    __table_args__ = (Index("ix_job_state", "state", "priority"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    kind: Mapped[str] = mapped_column(String(32))
    state: Mapped[str] = mapped_column(String(16))
    priority: Mapped[int] = mapped_column(default=0)
    request: Mapped[dict[str, Any]]
    cost: Mapped[float] = mapped_column(default=0.0)
    progress: Mapped[float] = mapped_column(default=0.0)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    result: Mapped[dict[str, Any] | None]
    error: Mapped[str] = mapped_column(default="")


class JobChunk(Base):
    """A part of a job that can be done twice without harm. A lease tells a worker that died from one that is slow."""

    __tablename__ = "job_chunk"
    __table_args__ = (UniqueConstraint("job_id", "number"), Index("ix_job_chunk_state", "state", "job_id"))
    id: Mapped[int] = mapped_column(primary_key=True)
    job_id: Mapped[int] = mapped_column(ForeignKey("job.id", ondelete="CASCADE"))
    number: Mapped[int]
    payload: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(String(16))
    worker: Mapped[str] = mapped_column(default="")
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)
    result: Mapped[dict[str, Any] | None]
