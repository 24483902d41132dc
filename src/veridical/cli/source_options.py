"""What the options that name data say, and which extra sample data needs."""

from veridical.contracts.settings_file import SETTINGS_FILE

SCHEMA_SOURCES = "pack:NAME, postgresql://…, a .json, .sql, DuckDB or SQLite file, or data files."
DATABASES = (
    "postgresql://…, a DuckDB or SQLite file, a CSV, Excel or Parquet file or a folder of them;"
    " without one, the pack's sample books."
)
FEATURES = "A feature of veridical.toml, or an installed pack; else the file's only one."
ONTOLOGY_FILES = "The file that knows the data instead of a pack: ontology.yaml."


def local_extra(database: str) -> tuple[str, ...]:
    """The extra with a PostgreSQL for sample data, where it is certain that this is asked for."""
    return () if database or SETTINGS_FILE.is_file() else ("local",)
