"""Alembic's entry: it runs in the transaction of the one who opens the library."""

from alembic import context

from kibitz.library.models import Base


def run() -> None:
    """Bring the schema up to date."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
    )
    context.run_migrations()


if hasattr(context, "config"):  # alembic runs this file; whoever merely imports it wants nothing done
    run()
