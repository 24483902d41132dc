"""Loads a schema from a pack, a database, a database file, data files, or a description."""

from contextlib import closing

from veridical.contracts.schema import Schema
from veridical.engines.registry import engine_of
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.ontology.load import load_schema as load_described
from veridical.statement.errors import EngineError

_UNKNOWN = "postgres"


def load_schema(ref: str, dialect: str = _UNKNOWN) -> Schema:
    """The schema behind ``pack:NAME``, ``postgresql://…``, a DuckDB or SQLite file, a CSV, Excel or
    Parquet file or a folder of them, a JSON file, or a ``.sql`` or ``.ddl`` file of ``CREATE
    TABLE`` statements. Raises ``LoadError``, and ``MissingExtraError`` where a driver is missing.
    """
    kind = engine_of(ref)
    if kind is None:
        return load_described(ref, dialect=dialect)
    try:
        with closing(kind.open(ref)) as database:
            found = database.reflect()
    except EngineError as error:
        raise kind.unreadable(ref) from error
    if not found.tables and kind.recognises:
        raise SourceError(SourceProblem.NO_TABLES, source=ref)
    return found


def dialect_of(ref: str) -> str:
    """The dialect behind this reference: that of its engine, else PostgreSQL's."""
    kind = engine_of(ref)
    return kind.dialect if kind else _UNKNOWN
