"""Alembic environment: runs the migrations on the connection that ``store.migrate`` provides."""

from alembic import context

from veridical.store.search_tables import METADATA  # with all tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table_schema=METADATA.schema,
)
context.run_migrations()
