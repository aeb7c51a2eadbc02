"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    _make_people()
    _make_matches()
    _make_games()
    _make_decisions()
    _make_analyses()
    _make_tallies()
    _make_notes()
    _make_collections()
    _make_study()
    _make_work()


def downgrade() -> None:
    """Drop all tables."""
    for table in (
        "job_chunk",
        "job",
        "card_review",
        "card",
        "deck",
        "saved_search",
        "collection_item",
        "collection",
        "tagging",
        "tag",
        "note",
        "tally",
        "analysis_detail",
        "analysis",
        "match_review",
        "analyst",
        "decision",
        "embedding",
        "position",
        "game",
        "match_source",
        "match",
        "source_file",
        "tournament",
        "player_alias",
        "player",
        "setting",
        "owner",
    ):
        op.drop_table(table)


def _make_people() -> None:
    op.create_table(
        "owner",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owner")),
        sa.UniqueConstraint("name", name=op.f("uq_owner_name")),
    )
    op.create_table(
        "setting",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_setting")),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_me", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_player_owner_id_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
    )
    op.create_index(
        "ix_player_me",
        "player",
        ["owner_id"],
        unique=True,
        sqlite_where=sa.text("is_me"),
        postgresql_where=sa.text("is_me"),
    )
    op.create_table(
        "player_alias",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("alias", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_player_alias_owner_id_owner")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_player_alias_player_id_player"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player_alias")),
        sa.UniqueConstraint("owner_id", "alias", name=op.f("uq_player_alias_owner_id_alias")),
    )
    op.create_index(op.f("ix_player_alias_player_id"), "player_alias", ["player_id"], unique=False)
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_tournament_owner_id_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
        sa.UniqueConstraint("owner_id", "name", name=op.f("uq_tournament_owner_id_name")),
    )


def _make_matches() -> None:
    op.create_table(
        "source_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("imported_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_source_file_owner_id_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source_file")),
        sa.UniqueConstraint("owner_id", "sha256", name=op.f("uq_source_file_owner_id_sha256")),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("full_key", sa.String(length=64), nullable=False),
        sa.Column("prefix_key", sa.String(length=64), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("variant", sa.String(length=32), nullable=False),
        sa.Column("player0_id", sa.Integer(), nullable=False),
        sa.Column("player1_id", sa.Integer(), nullable=False),
        sa.Column("score0", sa.Integer(), nullable=False),
        sa.Column("score1", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("round", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("dated", sa.Text(), nullable=False),
        sa.Column("played_on", sa.Date(), nullable=True),
        sa.Column("tournament_id", sa.Integer(), nullable=True),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("imported_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_match_owner_id_owner")),
        sa.ForeignKeyConstraint(["player0_id"], ["player.id"], name=op.f("fk_match_player0_id_player")),
        sa.ForeignKeyConstraint(["player1_id"], ["player.id"], name=op.f("fk_match_player1_id_player")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_match_tournament_id_tournament"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("owner_id", "full_key", name=op.f("uq_match_owner_id_full_key")),
    )
    op.create_index(op.f("ix_match_player0_id"), "match", ["player0_id"], unique=False)
    op.create_index(op.f("ix_match_player1_id"), "match", ["player1_id"], unique=False)
    op.create_index(op.f("ix_match_prefix_key"), "match", ["prefix_key"], unique=False)


def _make_games() -> None:
    op.create_table(
        "match_source",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("name0", sa.Text(), nullable=False),
        sa.Column("name1", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_match_source_match_id_match"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["source_id"], ["source_file.id"], name=op.f("fk_match_source_source_id_source_file"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "source_id", name=op.f("pk_match_source")),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("score0", sa.Integer(), nullable=False),
        sa.Column("score1", sa.Integer(), nullable=False),
        sa.Column("crawford", sa.Boolean(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("opening", sa.String(length=2), nullable=False),
        sa.Column("opening_play", sa.Text(), nullable=False),
        sa.Column("reply", sa.String(length=2), nullable=False),
        sa.Column("reply_play", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_game_match_id_match"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("match_id", "number", name=op.f("uq_game_match_id_number")),
    )


def _make_decisions() -> None:
    op.create_table(
        "position",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("position_id", sa.String(length=14), nullable=False),
        sa.Column("my_points", sa.Integer(), nullable=False),
        sa.Column("their_points", sa.Integer(), nullable=False),
        sa.Column("my_blots", sa.Integer(), nullable=False),
        sa.Column("their_blots", sa.Integer(), nullable=False),
        sa.Column("my_pips", sa.Integer(), nullable=False),
        sa.Column("their_pips", sa.Integer(), nullable=False),
        sa.Column("my_back", sa.Integer(), nullable=False),
        sa.Column("their_back", sa.Integer(), nullable=False),
        sa.Column("plan", sa.String(length=24), nullable=False),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_position")),
        sa.UniqueConstraint("position_id", name=op.f("uq_position_position_id")),
    )
    op.create_table(
        "embedding",
        sa.Column("position_id", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["position_id"], ["position.id"], name=op.f("fk_embedding_position_id_position"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("position_id", name=op.f("pk_embedding")),
    )
    op.create_table(
        "decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("position_id", sa.Integer(), nullable=False),
        sa.Column("dice", sa.String(length=2), nullable=False),
        sa.Column("my_away", sa.Integer(), nullable=False),
        sa.Column("their_away", sa.Integer(), nullable=False),
        sa.Column("cube", sa.Integer(), nullable=False),
        sa.Column("cube_owner", sa.String(length=8), nullable=False),
        sa.Column("crawford", sa.Boolean(), nullable=False),
        sa.Column("phase", sa.String(length=8), nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_decision_game_id_game"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_decision_match_id_match"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["position_id"], ["position.id"], name=op.f("fk_decision_position_id_position")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decision")),
        sa.UniqueConstraint("game_id", "ply", "kind", name=op.f("uq_decision_game_id_ply_kind")),
    )
    op.create_index(op.f("ix_decision_match_id"), "decision", ["match_id"], unique=False)
    op.create_index(op.f("ix_decision_position_id"), "decision", ["position_id"], unique=False)


def _make_analyses() -> None:
    op.create_table(
        "analyst",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("network", sa.Text(), nullable=False),
        sa.Column("level", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(length=8), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyst")),
        sa.UniqueConstraint("key", name=op.f("uq_analyst_key")),
    )
    op.create_table(
        "match_review",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("analyst_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("rest", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["analyst_id"], ["analyst.id"], name=op.f("fk_match_review_analyst_id_analyst")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_match_review_match_id_match"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "analyst_id", name=op.f("pk_match_review")),
    )
    op.create_index(op.f("ix_match_review_analyst_id"), "match_review", ["analyst_id"], unique=False)
    op.create_table(
        "analysis",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("decision_id", sa.Integer(), nullable=False),
        sa.Column("analyst_id", sa.Integer(), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("best", sa.Text(), nullable=False),
        sa.Column("lost", sa.Double(), nullable=False),
        sa.Column("lost_mwc", sa.Double(), nullable=True),
        sa.Column("stake", sa.Double(), nullable=False),
        sa.Column("mark", sa.String(length=16), nullable=False),
        sa.Column("flaw", sa.String(length=48), nullable=False),
        sa.Column("is_blunder", sa.Boolean(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("counts_pr", sa.Boolean(), nullable=False),
        sa.Column("luck", sa.Double(), nullable=True),
        sa.Column("luck_mwc", sa.Double(), nullable=True),
        sa.Column("luck_stake", sa.Double(), nullable=True),
        sa.Column("level", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["analyst_id"], ["analyst.id"], name=op.f("fk_analysis_analyst_id_analyst")),
        sa.ForeignKeyConstraint(
            ["decision_id"], ["decision.id"], name=op.f("fk_analysis_decision_id_decision"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analysis")),
        sa.UniqueConstraint("decision_id", "analyst_id", name=op.f("uq_analysis_decision_id_analyst_id")),
    )
    op.create_index(op.f("ix_analysis_analyst_id"), "analysis", ["analyst_id"], unique=False)
    op.create_index(
        "ix_analysis_current",
        "analysis",
        ["decision_id"],
        unique=True,
        sqlite_where=sa.text("current"),
        postgresql_where=sa.text("current"),
    )
    op.create_index(
        "ix_analysis_lost",
        "analysis",
        ["lost"],
        unique=False,
        sqlite_where=sa.text("current"),
        postgresql_where=sa.text("current"),
    )
    op.create_table(
        "analysis_detail",
        sa.Column("analysis_id", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["analysis_id"], ["analysis.id"], name=op.f("fk_analysis_detail_analysis_id_analysis"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("analysis_id", name=op.f("pk_analysis_detail")),
    )


def _make_tallies() -> None:
    op.create_table(
        "tally",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("phase", sa.String(length=8), nullable=False),
        sa.Column("plan", sa.String(length=24), nullable=False),
        sa.Column("flaw", sa.String(length=48), nullable=False),
        sa.Column("early", sa.Integer(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("counted", sa.Integer(), nullable=False),
        sa.Column("pr_counted", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Double(), nullable=False),
        sa.Column("lost_squares", sa.Double(), nullable=False),
        sa.Column("pr_lost", sa.Double(), nullable=False),
        sa.Column("pr_squares", sa.Double(), nullable=False),
        sa.Column("stake", sa.Double(), nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.Column("blunders", sa.Integer(), nullable=False),
        sa.Column("rolls", sa.Integer(), nullable=False),
        sa.Column("luck", sa.Double(), nullable=False),
        sa.Column("luck_squares", sa.Double(), nullable=False),
        sa.Column("luck_stake", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_tally_game_id_game"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_tally_match_id_match"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tally")),
    )
    op.create_index(op.f("ix_tally_match_id"), "tally", ["match_id"], unique=False)


def _make_notes() -> None:
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("decision_id", sa.Integer(), nullable=True),
        sa.Column("position_id", sa.Integer(), nullable=True),
        sa.Column("source_id", sa.Integer(), nullable=True),
        sa.Column("origin", sa.String(length=8), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["decision_id"], ["decision.id"], name=op.f("fk_note_decision_id_decision"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_note_match_id_match"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_note_owner_id_owner")),
        sa.ForeignKeyConstraint(["position_id"], ["position.id"], name=op.f("fk_note_position_id_position")),
        sa.ForeignKeyConstraint(
            ["source_id"], ["source_file.id"], name=op.f("fk_note_source_id_source_file"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
    )
    op.create_index(op.f("ix_note_decision_id"), "note", ["decision_id"], unique=False)
    op.create_index(op.f("ix_note_match_id"), "note", ["match_id"], unique=False)
    op.create_index(op.f("ix_note_position_id"), "note", ["position_id"], unique=False)
    op.create_table(
        "tag",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_tag_owner_id_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tag")),
        sa.UniqueConstraint("owner_id", "name", name=op.f("uq_tag_owner_id_name")),
    )
    op.create_table(
        "tagging",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tag_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("decision_id", sa.Integer(), nullable=True),
        sa.Column("position_id", sa.Integer(), nullable=True),
        sa.Column("origin", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["decision_id"], ["decision.id"], name=op.f("fk_tagging_decision_id_decision"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_tagging_match_id_match"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["position_id"], ["position.id"], name=op.f("fk_tagging_position_id_position")),
        sa.ForeignKeyConstraint(["tag_id"], ["tag.id"], name=op.f("fk_tagging_tag_id_tag"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tagging")),
    )
    op.create_index(op.f("ix_tagging_decision_id"), "tagging", ["decision_id"], unique=False)
    op.create_index(op.f("ix_tagging_match_id"), "tagging", ["match_id"], unique=False)
    op.create_index(op.f("ix_tagging_position_id"), "tagging", ["position_id"], unique=False)
    op.create_index(op.f("ix_tagging_tag_id"), "tagging", ["tag_id"], unique=False)


def _make_collections() -> None:
    op.create_table(
        "collection",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_collection_owner_id_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_collection")),
        sa.UniqueConstraint("owner_id", "name", name=op.f("uq_collection_owner_id_name")),
    )
    op.create_table(
        "collection_item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("decision_id", sa.Integer(), nullable=True),
        sa.Column("position_id", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collection.id"],
            name=op.f("fk_collection_item_collection_id_collection"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["decision_id"], ["decision.id"], name=op.f("fk_collection_item_decision_id_decision"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["position_id"], ["position.id"], name=op.f("fk_collection_item_position_id_position")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_collection_item")),
        sa.UniqueConstraint("collection_id", "decision_id", name=op.f("uq_collection_item_collection_id_decision_id")),
    )
    op.create_index(op.f("ix_collection_item_decision_id"), "collection_item", ["decision_id"], unique=False)
    op.create_index(op.f("ix_collection_item_position_id"), "collection_item", ["position_id"], unique=False)
    op.create_table(
        "saved_search",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_saved_search_owner_id_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_search")),
        sa.UniqueConstraint("owner_id", "name", name=op.f("uq_saved_search_owner_id_name")),
    )


def _make_study() -> None:
    op.create_table(
        "deck",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_deck_owner_id_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deck")),
        sa.UniqueConstraint("owner_id", "name", name=op.f("uq_deck_owner_id_name")),
    )
    op.create_table(
        "card",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("deck_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("decision_id", sa.Integer(), nullable=True),
        sa.Column("position_id", sa.Integer(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("lost", sa.Double(), nullable=False),
        sa.Column("suspended", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.Column("stability", sa.Double(), nullable=True),
        sa.Column("difficulty", sa.Double(), nullable=True),
        sa.Column("due", sa.DateTime(), nullable=False),
        sa.Column("last_review", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["decision_id"], ["decision.id"], name=op.f("fk_card_decision_id_decision"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["deck_id"], ["deck.id"], name=op.f("fk_card_deck_id_deck"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["position_id"], ["position.id"], name=op.f("fk_card_position_id_position")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card")),
        sa.UniqueConstraint("deck_id", "key", name=op.f("uq_card_deck_id_key")),
    )
    op.create_index(op.f("ix_card_decision_id"), "card", ["decision_id"], unique=False)
    op.create_index("ix_card_due", "card", ["deck_id", "due"], unique=False)
    op.create_index(op.f("ix_card_position_id"), "card", ["position_id"], unique=False)
    op.create_table(
        "card_review",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("card_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("lost", sa.Double(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=True),
        sa.Column("before", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("after", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["card_id"], ["card.id"], name=op.f("fk_card_review_card_id_card"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card_review")),
    )
    op.create_index(op.f("ix_card_review_card_id"), "card_review", ["card_id"], unique=False)


def _make_work() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("request", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("cost", sa.Double(), nullable=False),
        sa.Column("progress", sa.Double(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=True),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_job_owner_id_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index("ix_job_state", "job", ["state", "priority"], unique=False)
    op.create_table(
        "job_chunk",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.DateTime(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_chunk_job_id_job"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job_chunk")),
        sa.UniqueConstraint("job_id", "number", name=op.f("uq_job_chunk_job_id_number")),
    )
    op.create_index("ix_job_chunk_state", "job_chunk", ["state", "job_id"], unique=False)
