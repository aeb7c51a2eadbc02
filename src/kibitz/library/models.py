"""The tables of the library: matches, games, decisions, positions, and what was said of them.

Players have the seats 0 and 1, as in the record. Games are counted from 1. Equities lost are normalised (EMG). Stakes
add up over games: match winning chance in a match, points for money.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Date,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. Databases without time zones keep it without one."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """To the database."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """From the database."""
        return None if value is None else value.replace(tzinfo=UTC)


def now() -> datetime:
    """The present moment."""
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """The root of all models. Constraints have names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012
        bool: Boolean,
        bytes: LargeBinary,
        date: Date,
        datetime: Moment,
        dict[str, Any]: JSON(none_as_null=True),
        float: Double,
        int: Integer,
        str: Text,
    }


class Owner(Base):
    """Whose things these are. A library at home has one owner; every root of a tree names it."""

    __tablename__ = "owner"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)


class Setting(Base):
    """A fact about the library itself."""

    __tablename__ = "setting"
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


# --- people and events ------------------------------------------------------------------------------------------------


class Player(Base):
    """A person, however the files spell the name."""

    __tablename__ = "player"
    __table_args__ = (
        Index("ix_player_me", "owner_id", unique=True, sqlite_where=text("is_me"), postgresql_where=text("is_me")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    name: Mapped[str]
    is_me: Mapped[bool] = mapped_column(default=False)


class PlayerAlias(Base):
    """A name that files use, in lower case without outer space, and whose it is."""

    __tablename__ = "player_alias"
    __table_args__ = (UniqueConstraint("owner_id", "alias"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    alias: Mapped[str]
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"), index=True)


class Tournament(Base):
    """An event with its matches."""

    __tablename__ = "tournament"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    name: Mapped[str]
    place: Mapped[str] = mapped_column(default="")


# --- what was played --------------------------------------------------------------------------------------------------


class SourceFile(Base):
    """A file as it was imported, found by what it holds. `data` is compressed."""

    __tablename__ = "source_file"
    __table_args__ = (UniqueConstraint("owner_id", "sha256"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    sha256: Mapped[str] = mapped_column(String(64))
    name: Mapped[str]
    format: Mapped[str]
    size: Mapped[int]
    data: Mapped[bytes]
    imported_at: Mapped[datetime]


class MatchRow(Base):
    """A match, a money session or a position. `record` is what was played, compressed, without analyses."""

    __tablename__ = "match"
    __table_args__ = (UniqueConstraint("owner_id", "full_key"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    kind: Mapped[str] = mapped_column(String(16))  # match, session, position
    full_key: Mapped[str] = mapped_column(String(64))
    prefix_key: Mapped[str] = mapped_column(String(64), index=True)
    length: Mapped[int]
    variant: Mapped[str] = mapped_column(String(32))
    player0_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    player1_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    score0: Mapped[int]
    score1: Mapped[int]
    winner: Mapped[int | None]
    games: Mapped[int]
    event: Mapped[str] = mapped_column(default="")
    round: Mapped[str] = mapped_column(default="")
    place: Mapped[str] = mapped_column(default="")
    dated: Mapped[str] = mapped_column(default="")  # as the record has it
    played_on: Mapped[date | None]  # where that is a day
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournament.id", ondelete="SET NULL"))
    record: Mapped[bytes]
    imported_at: Mapped[datetime]


class MatchSource(Base):
    """A file that a match came from. Several may feed one; in some the players sit the other way round."""

    __tablename__ = "match_source"
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id", ondelete="CASCADE"), primary_key=True)
    source_id: Mapped[int] = mapped_column(ForeignKey("source_file.id", ondelete="CASCADE"), primary_key=True)
    swapped: Mapped[bool]
    name0: Mapped[str]
    name1: Mapped[str]


class GameRow(Base):
    """A game: the score before it, its result, and how it was opened."""

    __tablename__ = "game"
    __table_args__ = (UniqueConstraint("match_id", "number"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id", ondelete="CASCADE"))
    number: Mapped[int]
    score0: Mapped[int]
    score1: Mapped[int]
    crawford: Mapped[bool]
    winner: Mapped[int | None]
    points: Mapped[int | None]
    opening: Mapped[str] = mapped_column(String(2), default="")  # dice such as 31
    opening_play: Mapped[str] = mapped_column(default="")
    reply: Mapped[str] = mapped_column(String(2), default="")
    reply_play: Mapped[str] = mapped_column(default="")


class PositionRow(Base):
    """The checkers of a position, seen by the player on roll, with what it is searched by.

    Masks have bit 0 for the own ace point up to bit 24 for the bar, each side's from its own view.
    """

    __tablename__ = "position"
    id: Mapped[int] = mapped_column(primary_key=True)
    position_id: Mapped[str] = mapped_column(String(14), unique=True)
    my_points: Mapped[int]  # where two or more stand
    their_points: Mapped[int]
    my_blots: Mapped[int]
    their_blots: Mapped[int]
    my_pips: Mapped[int]
    their_pips: Mapped[int]
    my_back: Mapped[int]  # checkers in the opponent's home board and on the bar
    their_back: Mapped[int]
    plan: Mapped[str] = mapped_column(String(24))
    board: Mapped[bytes]  # 50 counts


class EmbeddingBlock(Base):
    """What a net makes of many positions: bytes that are near each other for positions that are alike.

    `positions` are their numbers in rising order, of 8 bytes each, the low ones first; `vectors` has a row for each. A
    search reads them all: some large rows are read in a tenth of the time of many small ones.
    """

    __tablename__ = "embedding_block"
    last: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # the last one of `positions`
    positions: Mapped[bytes]
    vectors: Mapped[bytes]


class DecisionRow(Base):
    """Something that a player had to decide, and what was chosen. Score and cube are seen by the player on roll."""

    __tablename__ = "decision"
    __table_args__ = (UniqueConstraint("game_id", "ply", "kind"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id", ondelete="CASCADE"), index=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    ply: Mapped[int]  # which action of the game
    move: Mapped[int]  # how many rolls, this one included
    kind: Mapped[str] = mapped_column(String(16))
    seat: Mapped[int]
    position_id: Mapped[int] = mapped_column(ForeignKey("position.id"), index=True)
    dice: Mapped[str] = mapped_column(String(2), default="")
    my_away: Mapped[int]
    their_away: Mapped[int]
    cube: Mapped[int]
    cube_owner: Mapped[str] = mapped_column(String(8))
    crawford: Mapped[bool]
    phase: Mapped[str] = mapped_column(String(8))
    chosen: Mapped[str] = mapped_column(default="")


# --- what was said of it ----------------------------------------------------------------------------------------------


class Analyst(Base):
    """An engine with its net at a level: ours, or the one that a file tells of."""

    __tablename__ = "analyst"
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64), unique=True)
    engine: Mapped[str]
    version: Mapped[str] = mapped_column(default="")
    network: Mapped[str] = mapped_column(default="")
    level: Mapped[str] = mapped_column(default="")
    origin: Mapped[str] = mapped_column(String(8))  # kibitz, file
    rank: Mapped[int]  # the current analysis is that of the highest rank
    settings: Mapped[dict[str, Any]]


class MatchReviewRow(Base):
    """That an analyst has analysed a match. `rest` holds what does not belong to one decision, compressed."""

    __tablename__ = "match_review"
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id", ondelete="CASCADE"), primary_key=True)
    analyst_id: Mapped[int] = mapped_column(ForeignKey("analyst.id"), primary_key=True, index=True)
    created_at: Mapped[datetime]
    rest: Mapped[bytes]


class Analysis(Base):
    """What an analyst says of a decision. One of a decision's analyses is the current one."""

    __tablename__ = "analysis"
    __table_args__ = (
        UniqueConstraint("decision_id", "analyst_id"),
        Index(
            "ix_analysis_current",
            "decision_id",
            unique=True,
            sqlite_where=text("current"),
            postgresql_where=text("current"),
        ),
        Index("ix_analysis_lost", "lost", sqlite_where=text("current"), postgresql_where=text("current")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    decision_id: Mapped[int] = mapped_column(ForeignKey("decision.id", ondelete="CASCADE"))
    analyst_id: Mapped[int] = mapped_column(ForeignKey("analyst.id"), index=True)
    current: Mapped[bool]
    best: Mapped[str]
    lost: Mapped[float]
    lost_mwc: Mapped[float | None]
    stake: Mapped[float]
    mark: Mapped[str] = mapped_column(String(16))
    flaw: Mapped[str] = mapped_column(String(48))
    is_blunder: Mapped[bool]
    counts: Mapped[bool]
    counts_pr: Mapped[bool]
    luck: Mapped[float | None]
    luck_mwc: Mapped[float | None]
    luck_stake: Mapped[float | None]
    level: Mapped[str] = mapped_column(default="")


class AnalysisDetail(Base):
    """All that an analysis says, as compressed JSON: the dictionary of the decision."""

    __tablename__ = "analysis_detail"
    analysis_id: Mapped[int] = mapped_column(ForeignKey("analysis.id", ondelete="CASCADE"), primary_key=True)
    data: Mapped[bytes]


class TallyRow(Base):
    """Sums over the current analyses of a game's decisions that are alike. Never a rate: rates do not add up."""

    __tablename__ = "tally"
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id", ondelete="CASCADE"), index=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    seat: Mapped[int]
    kind: Mapped[str] = mapped_column(String(16))
    phase: Mapped[str] = mapped_column(String(8))
    plan: Mapped[str] = mapped_column(String(24))
    flaw: Mapped[str] = mapped_column(String(48))
    early: Mapped[int]  # 1 for the opening roll, 2 for the reply, 0 later
    decisions: Mapped[int]
    counted: Mapped[int]
    pr_counted: Mapped[int]
    lost: Mapped[float]
    lost_squares: Mapped[float]
    pr_lost: Mapped[float]  # times the factor of the match's length
    pr_squares: Mapped[float]
    stake: Mapped[float]
    errors: Mapped[int]
    blunders: Mapped[int]
    rolls: Mapped[int]
    luck: Mapped[float]
    luck_squares: Mapped[float]
    luck_stake: Mapped[float]
